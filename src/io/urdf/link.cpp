#include <Eigen/Eigenvalues>

#include "io/inertia_note.h"
#include "io/urdf/robot.h"
#include "stiction/math/rotation.h"

namespace stiction::urdf {

RigidTransform ReadOrigin(const xml::Element& parent) {
  RigidTransform X;
  xml::Element* origin = parent.FindChild("origin");
  if (!origin) return X;
  origin->Read("xyz", X.p);
  if (double xyzw[4]; origin->ReadNumbers("quat_xyzw", 4, 4, xyzw)) {
    const Quaterniond quat(xyzw[3], xyzw[0], xyzw[1], xyzw[2]);
    if (origin->Has("rpy")) origin->Fail("quat_xyzw", "an origin has rpy or quat_xyzw, not both");
    if (!(quat.norm() > 0.0)) origin->Fail("quat_xyzw", "a quaternion must not be zero");
    X.R = quat.normalized().toRotationMatrix();
  }
  Vector3d rpy = Vector3d::Zero();
  if (origin->Read("rpy", rpy)) {
    // Roll, pitch and yaw turn about fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll).
    const Quaterniond quat = QuaternionExp(rpy[2] * Vector3d::UnitZ()) *
                             QuaternionExp(rpy[1] * Vector3d::UnitY()) *
                             QuaternionExp(rpy[0] * Vector3d::UnitX());
    X.R = quat.normalized().toRotationMatrix();
  }
  return X;
}

xml::Element& RequireChild(const xml::Element& parent, std::string_view name) {
  xml::Element* child = parent.FindChild(name);
  if (!child) parent.Fail("has no <" + std::string(name) + ">");
  return *child;
}

namespace {

// What no rigid body has: refused, repaired, or noted.
void JudgeInertia(xml::Element& inertia, bool repairs, Matrix3d& I) {
  const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(I, Eigen::EigenvaluesOnly).eigenvalues();
  bool triangle = true;
  IsPositiveDefinite(I, &triangle);
  // 1e-6 admits moments that printing made slightly negative.
  const bool is_negative = moments[0] < -1e-6 * I.cwiseAbs().maxCoeff();
  if (!is_negative && triangle) return;
  if (repairs) {
    I = FindNearestInertia(I);
    return inertia.Note(ImportStatus::kApproximated, DescribeRepair(I));
  }
  if (is_negative) {
    inertia.Fail(
        "a principal moment is negative; check the signs of ixy, ixz and iyz, or take the nearest inertia "
        "that a body has by --repair-inertia (ModelRepairs::repair_inertia)");
  }
  inertia.Note(ImportStatus::kApproximated,
               "no rigid body has such moments: one is larger than the sum of the others; used as written");
}

Matrix3d ReadMoments(xml::Element& inertia, bool repairs) {
  const double xx = inertia.RequireNumber("ixx"), yy = inertia.RequireNumber("iyy");
  const double zz = inertia.RequireNumber("izz");
  double xy = 0.0, xz = 0.0, yz = 0.0;
  inertia.Read("ixy", xy);
  inertia.Read("ixz", xz);
  inertia.Read("iyz", yz);
  Matrix3d I;
  I << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  JudgeInertia(inertia, repairs, I);
  return I;
}

// Without moments where the file has none and they are to be inferred.
MassProperties ReadInertial(const xml::Element& inertial, const ModelRepairs& repairs) {
  MassProperties in_I;
  xml::Element& mass = RequireChild(inertial, "mass");
  in_I.mass = mass.RequireNumber("value");
  if (in_I.mass < 0.0) mass.Fail("value", "mass must not be negative");
  if (xml::Element* inertia = inertial.FindChild("inertia")) {
    in_I.I_BBcm_B = ReadMoments(*inertia, repairs.repair_inertia);
  } else if (!repairs.infer_inertia) {
    inertial.Fail("has no <inertia>" + std::string(kInferHint));
  }
  return Transform(ReadOrigin(inertial), in_I);
}

double RequirePositive(xml::Element& element, std::string_view attribute) {
  const double value = element.RequireNumber(attribute);
  if (value <= 0.0) element.Fail(attribute, std::string(attribute) + " must be positive");
  return value;
}

// Some models mark contact points by spheres without size.
Sphere ReadSphere(xml::Element& sphere) {
  constexpr double kPointRadius =
      1e-3;  // [m]; a smaller one leaves the contact margins no length to scale with
  if (sphere.RequireNumber("radius") != 0.0) return {RequirePositive(sphere, "radius")};
  sphere.Note("radius", ImportStatus::kApproximated, "a point becomes a sphere of radius 1 mm");
  return {kPointRadius};
}

}  // namespace

std::optional<Shape> ReadPrimitive(const xml::Element& geometry) {
  if (xml::Element* box = geometry.FindChild("box")) {
    const Vector3d size = box->RequireVector("size");
    if (size.minCoeff() <= 0.0) box->Fail("size", "every size of a box must be positive");
    return Box{0.5 * size};
  }
  if (xml::Element* sphere = geometry.FindChild("sphere")) return ReadSphere(*sphere);
  if (xml::Element* cylinder = geometry.FindChild("cylinder")) {
    return Cylinder{RequirePositive(*cylinder, "radius"), 0.5 * RequirePositive(*cylinder, "length")};
  }
  for (const char* name : {"capsule", "drake:capsule"}) {
    if (xml::Element* capsule = geometry.FindChild(name))
      return Capsule{RequirePositive(*capsule, "radius"), 0.5 * RequirePositive(*capsule, "length")};
  }
  if (xml::Element* ellipsoid = geometry.FindChild("drake:ellipsoid")) {
    return Ellipsoid{Vector3d(RequirePositive(*ellipsoid, "a"), RequirePositive(*ellipsoid, "b"),
                              RequirePositive(*ellipsoid, "c"))};
  }
  return std::nullopt;
}

namespace {

// Null where the geometry is none that the engine has; the report then says so. `X_LG` moves to where a
// mesh's shape stands.
std::optional<Shape> ReadGeometry(xml::Element& collision, bool is_concave, MeshSource& meshes,
                                  RigidTransform& X_LG) {
  const xml::Element& geometry = RequireChild(collision, "geometry");
  if (const std::optional<Shape> primitive = ReadPrimitive(geometry)) {
    collision.Note("concave", ImportStatus::kIgnored, "only a mesh can be concave", ImportLoss::kHarmless);
    return primitive;
  }
  if (xml::Element* mesh = geometry.FindChild("mesh")) {
    RigidTransform X_MG;
    const std::optional<Shape> shape = meshes.ReadCollisionMesh(*mesh, is_concave, X_MG.p);
    X_LG = X_LG * X_MG;
    return shape;
  }
  if (geometry.children().empty()) geometry.Fail("is empty; write a box, sphere, cylinder, capsule or mesh");
  collision.Note(ImportStatus::kIgnored, "a shape that this engine does not have");
  return std::nullopt;
}

}  // namespace

Link ReadLink(xml::Element& element, MeshSource& meshes, const ModelRepairs& repairs) {
  element.Visit();
  Link link{.element = &element, .name = element.RequireString("name")};
  const bool is_concave = ReadConcave(element, false);
  if (const xml::Element* inertial = element.FindChild("inertial"))
    link.inertia = ReadInertial(*inertial, repairs);
  ReadContact(element, link);
  for (const auto& child : element.children()) {
    if (child->name() != "collision") continue;
    child->Visit();
    // Nothing refers to the names of collision elements, and they need not be unique.
    std::string name;
    child->Read("name", name);
    Collision collision{.element = child.get(), .X_LG = ReadOrigin(*child)};
    const std::optional<Shape> shape =
        ReadGeometry(*child, ReadConcave(*child, is_concave), meshes, collision.X_LG);
    if (!shape) continue;
    collision.shape = *shape;
    ReadProximity(*child, collision);
    link.collisions.push_back(collision);
  }
  return link;
}

}  // namespace stiction::urdf
