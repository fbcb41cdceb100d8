// <sensor>: read last, as sensors refer to everything else. What a sensor names has to exist; what it asks
// for and cannot get is in the report.
#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "geometry/principal_axes.h"
#include "io/mjcf/inertia.h"
#include "io/mjcf/sections.h"
#include "io/mjcf/sensor_words.h"
#include "stiction/geometry/triangle_mesh.h"

namespace stiction::mjcf {
namespace {

// Accelerations have no reference frame, in MJCF neither.
bool TakesReference(SensorType type) {
  return type != SensorType::kFrameLinearAcceleration && type != SensorType::kFrameAngularAcceleration;
}

// The inertial frame of a mesh geom. Where it is not known that of its file, which the report says.
Frame FindGeomFrame(xml::Element& element, std::string_view type_attribute, const GeomFrame& geom) {
  Frame frame = geom.frame;
  try {
    if (!geom.is_mesh) return frame;
    if (geom.mesh) {
      const MeshAsset::Solid solid = geom.mesh->FindSolid(false);
      const MassProperties inertia = CalcSolidMassProperties(*solid.mesh, solid.rule, 1.0);
      frame.X_BF = frame.X_BF * RigidTransform{FindPrincipalAxes(inertia.I_BBcm_B), inertia.p_BBcm};
      return frame;
    }
  } catch (const LoadError&) {  // a mesh that is left out, or without a volume
  } catch (const std::invalid_argument&) {
  }
  element.Note(type_attribute, ImportStatus::kApproximated,
               "the frame of the mesh as its file has it, not that of its inertia");
  return frame;
}

void ReadCommon(xml::Element& element, Sensor& sensor) {
  element.Read("name", sensor.name);
  element.Read("cutoff", sensor.cutoff);
  element.Read("noise", sensor.noise);
  if (sensor.noise != 0.0)
    element.Note("noise", ImportStatus::kHonoured, "kept with the sensor; values are exact, as in MuJoCo");
}

RegionShape ShapeOf(const SiteSpec& spec) {
  if (spec.type == "box") return RegionShape::kBox;
  if (spec.type == "capsule") return RegionShape::kCapsule;
  return spec.type == "cylinder" ? RegionShape::kCylinder : RegionShape::kEllipsoid;
}

bool ReadJointSensor(const Context& context, xml::Element& element, Sensor& sensor) {
  const int* index = context.names.joints.ResolveOrNote(element, "joint");
  if (!index) return false;
  sensor.index = *index;
  const Joint& joint = context.builder.joint(*index);
  const Target target = FindKeyword(element.name())->target;
  if (target == Target::kJoint && !joint.is_scalar())
    element.Fail("joint", "measures a joint of one coordinate alone");
  if (target == Target::kBall && !joint.is_rotation()) element.Fail("joint", "measures a ball joint alone");
  return true;
}

bool ReadActuatorSensor(const Names& names, xml::Element& element, Sensor& sensor) {
  const int* index = names.actuators.ResolveOrNote(element, "actuator");
  if (!index) return false;
  sensor.index = *index;
  if (*index >= 0) return true;
  element.Note(ImportStatus::kIgnored, "its actuator is not simulated");
  return false;
}

//   attribute, type_attribute  the object's name, and its type
std::optional<Frame> FindSensedFrame(const Context& context, xml::Element& element,
                                     std::string_view attribute, std::string_view type_attribute,
                                     const std::string& type) {
  if (type == "body" || type == "xbody") {
    const int* body = context.names.bodies.ResolveOrNote(element, attribute);
    if (!body) return std::nullopt;
    // The world's mass, of what is fixed to it, plays no role.
    const bool is_inertial = type == "body" && *body > 0;
    return Frame{.body = *body, .X_BF = is_inertial ? FindInertialFrame(context, *body) : RigidTransform{}};
  }
  if (type == "geom") {
    const GeomFrame* geom = context.names.geom_frames.ResolveOrNote(element, attribute);
    return geom ? std::optional(FindGeomFrame(element, type_attribute, *geom)) : std::nullopt;
  }
  if (type == "site") {
    const NamedSite* site = context.names.sites.ResolveOrNote(element, attribute);
    return site ? std::optional(site->frame) : std::nullopt;
  }
  const NamedCamera* camera = context.names.cameras.ResolveOrNote(element, attribute);
  return camera ? std::optional(camera->frame) : std::nullopt;
}

std::optional<Frame> ReadObject(const Context& context, xml::Element& element,
                                std::string_view type_attribute, std::string_view name_attribute) {
  element.RequireString(type_attribute);
  std::string type;
  element.ReadWord(type_attribute, {"body", "xbody", "geom", "site", "camera"}, type);
  return FindSensedFrame(context, element, name_attribute, type_attribute, type);
}

bool ReadFrameSensor(const Context& context, xml::Element& element, Sensor& sensor) {
  const std::optional<Frame> frame = ReadObject(context, element, "objtype", "objname");
  if (!frame) return false;
  sensor.frame = *frame;
  if (!TakesReference(sensor.type) || !(element.Has("reftype") || element.Has("refname"))) return true;
  sensor.reference = ReadObject(context, element, "reftype", "refname");
  return sensor.reference.has_value();
}

// The region of the sensor's site. False, with a note, if the site is not part of the body that is attached.
bool ReadRegion(const Names& names, xml::Element& element, Sensor& sensor) {
  const NamedSite* site = names.sites.ResolveOrNote(element, "site");
  if (!site) return false;
  sensor.frame = {.name = "", .body = site->frame.body, .X_BF = site->frame.X_BF};
  if (!site->spec) {
    element.Note("site", ImportStatus::kApproximated, "the region of an attached site is lost: all counts");
    return true;
  }
  sensor.region = HalfExtents(*site->spec);
  sensor.region_shape = ShapeOf(*site->spec);
  return true;
}

// Whether the origin of an object's frame is in a site.
bool ReadInsideSensor(const Context& context, xml::Element& element, Sensor& sensor) {
  bool is_enclosed = false;
  if (element.Read("enclosed", is_enclosed) && is_enclosed) {
    element.Note(ImportStatus::kIgnored, "of an object alone the origin is looked at, not all of its shape");
    return false;
  }
  if (!ReadRegion(context.names, element, sensor)) return false;
  if (sensor.region.isZero(0.0)) {
    element.Note(ImportStatus::kIgnored, "the region of an attached site is lost");
    return false;
  }
  sensor.reference = sensor.frame;
  const std::optional<Frame> frame = ReadObject(context, element, "objtype", "objname");
  if (frame) sensor.frame = *frame;
  return frame.has_value();
}

bool ReadSiteSensor(const Names& names, xml::Element& element, Sensor& sensor) {
  if (sensor.type == SensorType::kRangefinder) {
    std::string data = "dist";
    element.Read("data", data);
    if (element.Has("camera") || data != "dist") {
      element.Note(ImportStatus::kIgnored, "a rangefinder has one ray, from a site, and measures its length");
      return false;
    }
  }
  const NamedSite* site = names.sites.ResolveOrNote(element, "site");
  if (!site) return false;
  sensor.frame = {.name = "", .body = site->frame.body, .X_BF = site->frame.X_BF};
  return sensor.type != SensorType::kTouch || ReadRegion(names, element, sensor);
}

// What stands on one side of the contacts or the distance, '1' or '2'. False, with a note, if it cannot be
// told apart.
bool ReadContactSide(const Names& names, xml::Element& element, char side, ContactSide& out) {
  const std::string of_body = std::string("body") + side, of_subtree = std::string("subtree") + side,
                    of_geom = std::string("geom") + side;
  if (element.Has(of_geom)) {
    if (!names.geom_frames.ResolveOrNote(element, of_geom)) return false;
    const NamedGeom* geom = names.geoms.Find(*element.Peek(of_geom));
    if (!geom) {
      element.Note(ImportStatus::kIgnored, "its geom is there to be seen alone and touches nothing");
      return false;
    }
    out.geom = geom->index;
    return true;
  }
  out.is_subtree = element.Has(of_subtree);
  const std::string& attribute = out.is_subtree ? of_subtree : of_body;
  if (!element.Has(attribute)) return true;
  const int* found = names.bodies.ResolveOrNote(element, attribute);
  if (found) out.body = *found;
  return found != nullptr;
}

// Words of `data`, in their one order.
void ReadContactData(xml::Element& element, ContactSlots& slots) {
  std::string data = "found";
  element.Read("data", data);
  std::istringstream words(data);
  int field = 0;
  for (std::string word; words >> word; ++field) {
    while (field < ContactSlots::kNumFields && word != ToString(static_cast<ContactSlots::Field>(field)))
      ++field;
    if (field == ContactSlots::kNumFields)
      element.Fail(
          "data",
          "data has some of the words found, force, torque, dist, pos, normal, tangent, in this order");
    slots.fields[field] = true;
  }
  if (field == 0) element.Fail("data", "data is empty");
}

bool ReadContactSensor(const Names& names, xml::Element& element, Sensor& sensor) {
  ContactSlots& slots = sensor.slots;
  ReadContactData(element, slots);
  std::string reduce = "none";
  element.ReadWord("reduce", {"none", "mindist", "maxforce", "netforce"}, reduce);
  const auto order = std::find(std::begin(kContactOrders), std::end(kContactOrders), reduce);
  slots.order = static_cast<ContactSlots::Order>(order - std::begin(kContactOrders));
  element.Read("num", slots.count);
  if (slots.count < 1 || slots.count > 10000) element.Fail("num", "num is from 1 to 10000");
  const bool is_net = slots.order == ContactSlots::Order::kNet;
  if (is_net && slots.fields[ContactSlots::kDistance])
    element.Note("data", ImportStatus::kApproximated,
                 "dist of the net force is the mean of its contacts by force");
  // Numbers that have a type of their own.
  const bool is_one = slots.count == 1 && std::count(slots.fields.begin(), slots.fields.end(), true) == 1;
  sensor.type = SensorType::kContactSlots;
  if (is_one && slots.fields[ContactSlots::kFound]) sensor.type = SensorType::kContactCount;
  if (is_one && is_net && slots.fields[ContactSlots::kForce]) sensor.type = SensorType::kContactForce;
  if (sensor.type != SensorType::kContactSlots) slots = {};
  if (element.Has("site") && !ReadRegion(names, element, sensor)) return false;
  return ReadContactSide(names, element, '1', sensor.side_a) &&
         ReadContactSide(names, element, '2', sensor.side_b);
}

bool ReadNearestSensor(const Names& names, xml::Element& element, Sensor& sensor) {
  for (const char side : {'1', '2'}) {
    if (element.Has(std::string("geom") + side) == element.Has(std::string("body") + side))
      element.Fail(std::string("needs either geom") + side + " or body" + side);
  }
  return ReadContactSide(names, element, '1', sensor.side_a) &&
         ReadContactSide(names, element, '2', sensor.side_b);
}

// Where a site stands in the picture of a camera.
bool ReadCameraSensor(const Names& names, xml::Element& element, Sensor& sensor) {
  const NamedSite* site = names.sites.ResolveOrNote(element, "site");
  if (!site) return false;
  const NamedCamera* camera = names.cameras.ResolveOrNote(element, "camera");
  if (!camera) return false;
  sensor.frame = {.name = "", .body = site->frame.body, .X_BF = site->frame.X_BF};
  sensor.index = camera->index;
  if (camera->is_orthographic) {
    element.Note("camera", ImportStatus::kApproximated,
                 "orthographic cameras are read as ones with perspective, of the usual field of view");
  }
  return true;
}

// What a program measures itself: zeros here.
void ReadUserSensor(xml::Element& element, Sensor& sensor) {
  element.RequireNumber("dim");
  element.Read("dim", sensor.count);
  if (sensor.count < 0 || sensor.count > 10000) element.Fail("dim", "dim is from 0 to 10000");
  for (const char* attribute : {"objtype", "objname", "datatype", "needstage"}) {
    element.Note(attribute, ImportStatus::kIgnored,
                 "for the program that fills in the numbers, which are 0 here", ImportLoss::kHarmless);
  }
}

// False, with a reason in the report, if there is nothing to measure.
bool ReadSensor(const Context& context, xml::Element& element, Sensor& sensor) {
  const Keyword* keyword = FindKeyword(element.name());
  if (!keyword) return false;
  element.Visit();
  ReadCommon(element, sensor);
  sensor.type = keyword->type;
  switch (keyword->target) {
    case Target::kJoint:
    case Target::kBall:
    case Target::kLimit:
      return ReadJointSensor(context, element, sensor);
    case Target::kTendon: {
      const int* tendon = context.names.tendons.ResolveOrNote(element, "tendon");
      if (tendon) sensor.index = *tendon;
      return tendon != nullptr;
    }
    case Target::kActuator:
      return ReadActuatorSensor(context.names, element, sensor);
    case Target::kFrame:
      return ReadFrameSensor(context, element, sensor);
    case Target::kInside:
      return ReadInsideSensor(context, element, sensor);
    case Target::kSite:
      return ReadSiteSensor(context.names, element, sensor);
    case Target::kSubtree: {
      const int* body = context.names.bodies.ResolveOrNote(element, "body");
      if (body) sensor.index = *body;
      return body != nullptr;
    }
    case Target::kContact:
      return ReadContactSensor(context.names, element, sensor);
    case Target::kNearest:
      return ReadNearestSensor(context.names, element, sensor);
    case Target::kCamera:
      return ReadCameraSensor(context.names, element, sensor);
    case Target::kModel:
      if (sensor.type == SensorType::kUser) ReadUserSensor(element, sensor);
      return true;
  }
  return false;
}

}  // namespace

void ReadSensors(Context& context, xml::Element& element) {
  for (const auto& child : element.children()) {
    Sensor sensor;
    if (!ReadSensor(context, *child, sensor)) continue;
    context.table.current = child.get();
    context.builder.AddSensor(sensor);
    context.table.sensors.push_back(child.get());
  }
}

}  // namespace stiction::mjcf
