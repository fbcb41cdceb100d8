// <sensor>: read last, as sensors refer to everything else. What a sensor names has to exist; what it asks
// for and cannot get is in the report.
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "io/mjcf/reader.h"
#include "io/mjcf/sensor_words.h"

namespace stiction::mjcf {
namespace {

bool DependsOnAxes(SensorType type) {
  return type == SensorType::kFrameQuaternion || type == SensorType::kFrameXAxis ||
         type == SensorType::kFrameYAxis || type == SensorType::kFrameZAxis;
}

// Accelerations have no reference frame, in MJCF neither.
bool TakesReference(SensorType type) {
  return type != SensorType::kFrameLinearAcceleration && type != SensorType::kFrameAngularAcceleration;
}

// The principal axes of the inertia at the mass centre, largest moment first. Those of equal moments are
// arbitrary: the body's own axes, where all are.
RigidTransform PrincipalFrame(const MassProperties& inertia) {
  RigidTransform X_BI;
  X_BI.p = inertia.p_BBcm;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(inertia.I_BBcm_B);
  const Vector3d moments = principal.eigenvalues();  // ascending
  if (moments[2] - moments[0] <= 1e-9 * moments[2]) return X_BI;
  X_BI.R.col(0) = principal.eigenvectors().col(2);
  X_BI.R.col(1) = principal.eigenvectors().col(1);
  X_BI.R.col(2) = X_BI.R.col(0).cross(X_BI.R.col(1));
  return X_BI;
}

void NoteAxes(xml::Element& element, std::string_view type_attribute, const std::string& type, bool is_mesh) {
  if (type == "body")
    element.Note(type_attribute, ImportStatus::kApproximated,
                 "axes of the inertia, largest moment first: their signs, and those of equal moments, may be "
                 "others than MuJoCo's");
  if (type == "geom" && is_mesh)
    element.Note(type_attribute, ImportStatus::kApproximated,
                 "the frame of the mesh as its file has it, not that of its inertia");
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

}  // namespace

// Null, with a note, if it is not part of the body that is attached.
template <typename Map>
const typename Map::mapped_type* Reader::FindSensed(xml::Element& element, std::string_view attribute,
                                                    const Map& map, const char* what) const {
  const std::string name = element.RequireString(attribute);
  const auto found = map.find(name);
  if (found != map.end()) return &found->second;
  if (only_body_.empty()) element.Fail(attribute, "unknown " + std::string(what) + " \"" + name + "\"");
  element.Note(ImportStatus::kHonoured, "not part of the body that is attached");
  return nullptr;
}

void Reader::ReadSensors(xml::Element& element) {
  for (const auto& child : element.children()) {
    Sensor sensor;
    if (!ReadSensorElement(*child, sensor)) continue;
    table_.current = child.get();
    builder_.AddSensor(sensor);
    table_.sensors.push_back(child.get());
  }
}

// False, with a reason in the report, if there is nothing to measure.
bool Reader::ReadSensorElement(xml::Element& element, Sensor& sensor) {
  const Keyword* keyword = FindKeyword(element.name());
  if (!keyword) return false;
  element.Visit();
  ReadCommon(element, sensor);
  sensor.type = keyword->type;
  switch (keyword->target) {
    case Target::kJoint:
    case Target::kBall:
    case Target::kLimit:
      return ReadJointSensor(element, sensor);
    case Target::kTendon: {
      const int* tendon = FindSensed(element, "tendon", tendon_index_, "tendon");
      if (tendon) sensor.index = *tendon;
      return tendon != nullptr;
    }
    case Target::kActuator:
      return ReadActuatorSensor(element, sensor);
    case Target::kFrame:
      return ReadFrameSensor(element, sensor);
    case Target::kSite:
      return ReadSiteSensor(element, sensor);
    case Target::kSubtree: {
      const int* body = FindSensed(element, "body", body_index_, "body");
      if (body) sensor.index = *body;
      return body != nullptr;
    }
    case Target::kContact:
      return ReadContactSensor(element, sensor);
    case Target::kModel:
      return true;
  }
  return false;
}

bool Reader::ReadJointSensor(xml::Element& element, Sensor& sensor) const {
  const int* index = FindSensed(element, "joint", joint_index_, "joint");
  if (!index) return false;
  sensor.index = *index;
  const Joint& joint = builder_.joint(*index);
  const bool is_scalar = joint.is<HingeJoint>() || joint.is<SlideJoint>();
  const Target target = FindKeyword(element.name())->target;
  if (target == Target::kJoint && !is_scalar) element.Fail("joint", "measures a hinge or slide alone");
  if (target == Target::kBall && !joint.is<BallJoint>()) element.Fail("joint", "measures a ball joint alone");
  return true;
}

bool Reader::ReadActuatorSensor(xml::Element& element, Sensor& sensor) const {
  const int* index = FindSensed(element, "actuator", actuator_index_, "actuator");
  if (!index) return false;
  sensor.index = *index;
  if (*index >= 0) return true;
  element.Note(ImportStatus::kIgnored, "its actuator is not simulated");
  return false;
}

std::optional<Frame> Reader::FindSensedFrame(xml::Element& element, const std::string& type,
                                             std::string_view attribute) const {
  if (type == "body" || type == "xbody") {
    const int* body = FindSensed(element, attribute, body_index_, "body");
    if (!body) return std::nullopt;
    // The world's mass, of what is fixed to it, plays no role.
    const bool is_inertial = type == "body" && *body > 0;
    return Frame{.body = *body,
                 .X_BF = is_inertial ? PrincipalFrame(builder_.CalcInertia(*body)) : RigidTransform{}};
  }
  if (type == "geom") {
    const SensedGeom* geom = FindSensed(element, attribute, geom_frames_, "geom");
    return geom ? std::optional(geom->frame) : std::nullopt;
  }
  const bool is_site = type == "site";
  const Frame* frame =
      FindSensed(element, attribute, is_site ? sites_ : camera_frames_, is_site ? "site" : "camera");
  return frame ? std::optional(*frame) : std::nullopt;
}

bool Reader::ReadFrameSensor(xml::Element& element, Sensor& sensor) const {
  const auto read = [&](std::string_view type_attribute, std::string_view name_attribute, bool needs_axes) {
    element.RequireString(type_attribute);
    std::string type;
    element.ReadWord(type_attribute, {"body", "xbody", "geom", "site", "camera"}, type);
    const std::optional<Frame> frame = FindSensedFrame(element, type, name_attribute);
    const bool is_mesh = frame && type == "geom" && geom_frames_.at(*element.Peek(name_attribute)).is_mesh;
    if (frame && (needs_axes || is_mesh)) NoteAxes(element, type_attribute, type, is_mesh);
    return frame;
  };
  const std::optional<Frame> frame = read("objtype", "objname", DependsOnAxes(sensor.type));
  if (!frame) return false;
  sensor.frame = *frame;
  if (!TakesReference(sensor.type) || !(element.Has("reftype") || element.Has("refname"))) return true;
  sensor.reference = read("reftype", "refname", true);
  return sensor.reference.has_value();
}

bool Reader::ReadSiteSensor(xml::Element& element, Sensor& sensor) const {
  if (sensor.type == SensorType::kRangefinder) {
    std::string data = "dist";
    element.Read("data", data);
    if (element.Has("camera") || data != "dist") {
      element.Note(ImportStatus::kIgnored, "a rangefinder has one ray, from a site, and measures its length");
      return false;
    }
  }
  const Frame* site = FindSensed(element, "site", sites_, "site");
  if (!site) return false;
  sensor.frame = {.name = "", .body = site->body, .X_BF = site->X_BF};
  return sensor.type != SensorType::kTouch || ReadRegion(element, sensor);
}

// The region of the sensor's site. False, with a note, if the site is not part of the body that is attached.
bool Reader::ReadRegion(xml::Element& element, Sensor& sensor) const {
  const Frame* site = FindSensed(element, "site", sites_, "site");
  if (!site) return false;
  sensor.frame = {.name = "", .body = site->body, .X_BF = site->X_BF};
  const auto spec = site_specs_.find(*element.Peek("site"));
  if (spec == site_specs_.end()) {
    element.Note("site", ImportStatus::kApproximated, "the region of an attached site is lost: all counts");
    return true;
  }
  sensor.region = HalfExtents(spec->second);
  sensor.region_shape = ShapeOf(spec->second);
  return true;
}

// What stands on one side of the contacts, '1' or '2'. False, with a note, if it cannot be told apart.
bool Reader::ReadContactSide(xml::Element& element, char side, ContactSide& out) const {
  const std::string of_body = std::string("body") + side, of_subtree = std::string("subtree") + side,
                    of_geom = std::string("geom") + side;
  if (element.Has(of_geom)) {
    if (!FindSensed(element, of_geom, geom_frames_, "geom")) return false;
    const auto found = geom_index_.find(*element.Peek(of_geom));
    if (found == geom_index_.end()) {
      element.Note(ImportStatus::kIgnored, "its geom is there to be seen alone and touches nothing");
      return false;
    }
    out.geom = found->second;
    return true;
  }
  out.is_subtree = element.Has(of_subtree);
  const std::string& attribute = out.is_subtree ? of_subtree : of_body;
  if (!element.Has(attribute)) return true;
  const int* found = FindSensed(element, attribute, body_index_, "body");
  if (found) out.body = *found;
  return found != nullptr;
}

bool Reader::ReadContactSensor(xml::Element& element, Sensor& sensor) const {
  std::string data = "found", reduce = "none";
  int num = 1;
  element.Read("data", data);
  element.Read("reduce", reduce);
  element.Read("num", num);
  const bool is_force = data == "force" && reduce == "netforce";
  if ((data != "found" && !is_force) || num != 1) {
    element.Note(ImportStatus::kIgnored,
                 "of contacts are measured: data=\"found\", and data=\"force\" with reduce=\"netforce\"; "
                 "num=\"1\"");
    return false;
  }
  sensor.type = is_force ? SensorType::kContactForce : SensorType::kContactCount;
  if (element.Has("site") && !ReadRegion(element, sensor)) return false;
  return ReadContactSide(element, '1', sensor.side_a) && ReadContactSide(element, '2', sensor.side_b);
}

}  // namespace stiction::mjcf
