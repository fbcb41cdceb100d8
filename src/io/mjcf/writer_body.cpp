// <body>, with what stands in it.
#include <algorithm>
#include <stdexcept>

#include "io/mjcf/writer_class.h"
#include "io/xml/reader.h"

namespace stiction::mjcf {

// A file nests what a model lists.
void Writer::CheckDepth() const {
  constexpr int kElementsAbove = 3;  // mujoco, worldbody, and what stands in the last body
  std::vector<int> depth(model_.bodies.size(), 0);
  for (int b = 1; b < model_.num_bodies(); ++b) {
    depth[b] = depth[model_.bodies[b].parent] + 1;
    if (depth[b] + kElementsAbove <= xml::kMaxDepth) continue;
    throw std::invalid_argument("body '" + model_.DisplayName(b) +
                                "' hangs below more bodies than MJCF's readers nest: " +
                                std::to_string(xml::kMaxDepth - kElementsAbove));
  }
}

//   element  empty: of this body
void Writer::WriteBody(int index, Output& element) {
  const Body& body = model_.bodies[index];
  if (index > 0) {
    SetName(element, bodies_.Peek(index));
    SetPose(element, WrittenPose(body.X_PB));
    if (body.is_mocap) Set(element, "mocap", "true");
    SetUnless(element, "gravcomp", body.gravity_compensation, 0.0);
    if (!body.may_sleep) Set(element, "sleep", "never");
    WriteInertial(body, element);
  }
  for (int j = body.first_joint; j < body.first_joint + body.num_joints; ++j) WriteJoint(j, element);
  WriteGeoms(index, element);
  WriteSites(index, element);
  WriteCameras(index, element);
  WriteLights(index, element);
  for (const int child : children_of_[index]) WriteBody(child, *element.InsertNewChildElement("body"));
}

// Along its axes where a fluid drags at it: of equal moments these say how the box stands (Body::R_BI).
void Writer::WriteInertial(const Body& body, Output& parent) {
  const Matrix3d& I = body.inertia.I_BBcm_B;
  if (body.inertia.mass == 0.0 && I.isZero(0.0)) return;
  Output& element = *parent.InsertNewChildElement("inertial");
  Set(element, "pos", body.inertia.p_BBcm);
  Set(element, "mass", body.inertia.mass);
  const auto both = [&](int i, int j) { return 0.5 * (I(i, j) + I(j, i)); };
  const bool is_diagonal = both(0, 1) == 0.0 && both(0, 2) == 0.0 && both(1, 2) == 0.0;
  const bool is_in_fluid = model_.options.density > 0.0 || model_.options.viscosity > 0.0;
  if (is_diagonal && (!is_in_fluid || body.R_BI.isDiagonal(0.0) || I.isZero(0.0)))
    return Set(element, "diaginertia", std::array{I(0, 0), I(1, 1), I(2, 2)});
  if (is_in_fluid) {
    const Wxyz axes = SettleRotation(body.R_BI);
    const bool are_of_body = RotationAsRead(axes).isDiagonal(0.0);  // as read back, then
    if (!are_of_body) Set(element, "quat", std::span<const double>(axes));
    return Set(element, "diaginertia", SettleMoments(axes, I));
  }
  Set(element, "fullinertia", std::array{I(0, 0), I(1, 1), I(2, 2), both(0, 1), both(0, 2), both(1, 2)});
}

namespace {

void SetAnchor(const Vector3d& p_BJ, Output& element) {
  if (!p_BJ.isZero(0.0)) Set(element, "pos", p_BJ);
}

// What a type has of its own, besides "type".
struct WriteFields {
  Output& element;
  std::set<std::string>& extensions;

  void operator()(const FreeJoint&) const {}
  void operator()(const BallJoint& joint) const { SetAnchor(joint.p_BJ, element); }
  void operator()(const SlideJoint& joint) const { WriteLine(joint); }
  void operator()(const HingeJoint& joint) const { WriteLine(joint); }
  void operator()(const UniversalJoint& joint) const {
    SetAnchor(joint.p_BJ, element);
    SetAxis("axis", joint.axis1_B, UniversalJoint{}.axis1_B);
    SetAxis("axis2", joint.axis2_B, UniversalJoint{}.axis2_B);
    extensions.insert("joint[@type=universal]");
  }
  void operator()(const ScrewJoint& joint) const {
    WriteLine(joint);
    Set(element, "pitch", joint.pitch);
    extensions.insert("joint[@type=screw]");
  }

  template <typename Kind>
  void WriteLine(const Kind& joint) const {
    SetAnchor(joint.p_BJ, element);
    SetAxis("axis", joint.axis_B, Kind{}.axis_B);
    SetUnless(element, "ref", joint.reference, 0.0);
  }
  void SetAxis(const char* attribute, const Vector3d& axis_B, const Vector3d& usual) const {
    const Vector3d axis = SettleAxis(axis_B);
    if (axis != usual) Set(element, attribute, axis);
  }
};

}  // namespace

void Writer::WriteJoint(int index, Output& body) {
  const Joint &joint = model_.joints[index], usual;
  const bool is_free = joint.is_free();
  const bool is_plain = joint.stiffness == 0.0 && joint.damping == 0.0 && joint.armature == 0.0 &&
                        joint.friction_loss == 0.0 &&
                        joint.stiffness_polynomial == usual.stiffness_polynomial &&
                        joint.damping_polynomial == usual.damping_polynomial;
  Output& element = *body.InsertNewChildElement(is_free && is_plain ? "freejoint" : "joint");
  SetName(element, joints_.Peek(index));
  if (is_free && is_plain) return;
  if (joint.kind.index() != usual.kind.index()) Set(element, "type", joint.type_name());
  std::visit(WriteFields{element, extensions_}, joint.kind);
  if (joint.num_coordinates() > 0) SetUnless(element, "springref", joint.spring_reference, 0.0);
  SetPolynomial(element, "stiffness", joint.stiffness, joint.stiffness_polynomial);
  SetPolynomial(element, "damping", joint.damping, joint.damping_polynomial);
  SetUnless(element, "armature", joint.armature, 0.0);
  SetUnless(element, "frictionloss", joint.friction_loss, 0.0);
  if (joint.traits().limits != JointLimitKind::kNone) WriteLimits(joint, element);
}

void Writer::WriteLimits(const Joint& joint, Output& element) {
  const std::string owner = "joint \"" + joint.name + "\"";
  const bool is_cone = joint.traits().limits == JointLimitKind::kCone;
  const bool is_limited = std::isfinite(joint.upper) || (!is_cone && std::isfinite(joint.lower));
  if (is_limited) SetRange(element, "range", is_cone ? 0.0 : joint.lower, joint.upper, owner);
  if (joint.is_scalar()) {
    SetRange(element, "actuatorfrcrange", joint.actuator_force_lower, joint.actuator_force_upper, owner);
  }
  if (joint.actuators_compensate_gravity) Set(element, "actuatorgravcomp", "true");
  if (is_limited) NoteSoftness(element, owner, joint.limit_softness.has_value());
  if (joint.limit_softness) SetSoftness(element, "solreflimit", "solimplimit", *joint.limit_softness);
}

void Writer::WriteSites(int body, Output& element) {
  for (const Site& site : sites_of_[body]) {
    Output& out = *element.InsertNewChildElement("site");
    SetName(out, site.name);
    SetPose(out, site.pose);
    if (site.has_region) WriteRegion(site, out);
    if (site.look) WriteSiteLook(*site.look, site.has_region, out);
    if (!site.look) Set(out, "group", kHiddenGroup);
  }
  for (const int visual : visuals_of_[body]) {
    const Visual& look = model_.visuals[visual];
    if (look.is_site && look.name.empty()) WriteSiteLook(look, false, *element.InsertNewChildElement("site"));
  }
}

// As the reader makes half extents of type and size.
void Writer::WriteRegion(const Site& site, Output& element) {
  const Vector3d& half = site.region;
  switch (site.shape) {
    case RegionShape::kBox:
      Set(element, "type", "box");
      return Set(element, "size", half);
    case RegionShape::kEllipsoid:
      Set(element, "type", "ellipsoid");
      return Set(element, "size", half);
    case RegionShape::kCylinder:
      Set(element, "type", "cylinder");
      return Set(element, "size", std::array{half.x(), half.z()});
    case RegionShape::kCapsule:
      Set(element, "type", "capsule");
      return Set(element, "size", std::array{half.x(), SettleDifference(half.z(), half.x())});
  }
}

namespace {

const char* CameraWord(CameraMode mode) {
  switch (mode) {
    case CameraMode::kFixed:
      return "fixed";
    case CameraMode::kTrack:
      return "track";
    case CameraMode::kTrackCom:
      return "trackcom";
    case CameraMode::kTarget:
      return "targetbody";
    case CameraMode::kTargetCom:
      return "targetbodycom";
  }
  return "fixed";
}

}  // namespace

void Writer::SetMode(Output& element, CameraMode mode, int target) {
  if (mode == CameraMode::kFixed) return;
  Set(element, "mode", CameraWord(mode));
  if (target >= 0) Set(element, "target", target == 0 ? "world" : bodies_.Peek(target));
}

void Writer::WriteView(const ModelCamera& camera, Output& element) {
  if (camera.focal.isZero(0.0)) {
    Set(element, "fovy", SettleDegrees(camera.field_of_view));
  } else {
    Set(element, "sensorsize", "1 1");
    Set(element, "focal", ToText(camera.focal.x()) + " " + ToText(camera.focal.y()));
  }
  const auto [width, height] = camera.resolution;
  if (camera.resolution != ModelCamera{}.resolution)
    Set(element, "resolution", std::to_string(width) + " " + std::to_string(height));
}

void Writer::WriteCameras(int body, Output& element) {
  for (const int index : cameras_of_[body]) {
    const ModelCamera& camera = model_.cameras[index];
    Output& out = *element.InsertNewChildElement("camera");
    SetName(out, cameras_.Peek(index));
    SetPose(out, WrittenPose(camera.X_BC));
    WriteView(camera, out);
    SetMode(out, camera.mode, camera.target);
  }
}

void Writer::WriteLights(int body, Output& element) {
  const Light usual;
  for (const int index : lights_of_[body]) {
    const Light& light = model_.lights[index];
    Output& out = *element.InsertNewChildElement("light");
    SetName(out, light.name);
    if (light.p_BL != usual.p_BL) Set(out, "pos", light.p_BL);
    Set(out, "dir", light.direction_B);
    if (light.is_directional) Set(out, "directional", "true");
    if (!light.casts_shadow) Set(out, "castshadow", "false");
    if (!light.is_on) Set(out, "active", "false");
    const auto set = [&](const char* attribute, const LightColor& c, const LightColor& unless) {
      if (c != unless) Set(out, attribute, ToText(c[0]) + " " + ToText(c[1]) + " " + ToText(c[2]));
    };
    set("diffuse", light.diffuse, usual.diffuse);
    set("ambient", light.ambient, usual.ambient);
    set("specular", light.specular, usual.specular);
    if (light.attenuation != usual.attenuation) Set(out, "attenuation", light.attenuation);
    if (light.cutoff != usual.cutoff) Set(out, "cutoff", SettleDegrees(light.cutoff));
    SetUnless(out, "exponent", light.exponent, usual.exponent);
    SetMode(out, light.mode, light.target);
  }
}

}  // namespace stiction::mjcf
