#include <algorithm>
#include <sstream>

#include "io/mjcf/sections.h"
#include "io/mjcf/softness.h"
#include "stiction/math/rotation.h"

namespace stiction::mjcf {

namespace {

// X_WB with every joint at its reference: as the file has it.
RigidTransform PoseInFile(const ModelBuilder& builder, int body) {
  RigidTransform X_WB;
  for (int b = body; b > 0; b = builder.body(b).parent) X_WB = builder.body(b).X_PB * X_WB;
  return X_WB;
}

// Of an attached model, only what it has of the body that is wanted.
bool NamesAreHere(const Names& names, const xml::Element& element) {
  for (const char* number : {"1", "2"}) {
    const auto holds = [&](const auto& table, const char* kind) {
      return table.HasNamed(element, std::string(kind) + number);
    };
    if (!holds(names.bodies, "body") || !holds(names.sites, "site") || !holds(names.tendons, "tendon") ||
        !holds(names.joints, "joint"))
      return false;
  }
  return true;
}

// Two bodies, the second one the world where it is not named, or two sites; then `lock` is complete.
bool ReadLockedPair(const Context& context, xml::Element& element, FrameLock& lock) {
  if (element.Has("site1") || element.Has("site2")) {
    element.RequireString("site1"), element.RequireString("site2");
    lock.a = context.names.sites.Require(element, "site1").frame;
    lock.b = context.names.sites.Require(element, "site2").frame;
    return true;
  }
  lock.a.body = context.names.bodies.Require(element, "body1");
  std::string second;
  if (element.Read("body2", second)) lock.b.body = context.names.bodies.Require(element, "body2", second);
  return false;
}

FrameLock ReadConnect(const Context& context, xml::Element& element) {
  FrameLock lock;
  lock.locked = {false, false, false, true, true, true};
  if (ReadLockedPair(context, element, lock)) return lock;
  lock.a.X_BF.p = element.RequireVector("anchor");
  lock.b.X_BF.p = PoseInFile(context.builder, lock.b.body).Inverse() *
                  (PoseInFile(context.builder, lock.a.body) * lock.a.X_BF.p);
  return lock;
}

FrameLock ReadWeld(const Context& context, xml::Element& element) {
  FrameLock lock;
  double scale = 1.0;
  if (element.Read("torquescale", scale) && scale != 1.0)
    element.Note("torquescale", ImportStatus::kApproximated, "welds are exact: no balance of errors to tune");
  if (ReadLockedPair(context, element, lock)) return lock;
  element.Read("anchor", lock.b.X_BF.p);
  double pose[7];
  if (element.ReadNumbers("relpose", 7, 7, pose) &&
      !std::all_of(pose + 3, pose + 7, [](double x) { return x == 0.0; })) {
    // Where the anchor belongs in body1; MuJoCo's manual says body2, and its engine does this.
    lock.a.X_BF.p = Vector3d(pose);
    lock.a.X_BF.R = QuaternionFromWxyz(pose + 3).normalized().toRotationMatrix();
  } else {
    lock.a.X_BF = PoseInFile(context.builder, lock.a.body).Inverse() *
                  (PoseInFile(context.builder, lock.b.body) * lock.b.X_BF);
  }
  return lock;
}

// Some of the six motions of site2 relative to site1, in the axes of site1.
FrameLock ReadLock(const Context& context, xml::Element& element) {
  FrameLock lock;
  element.RequireString("site1"), element.RequireString("site2");
  ReadLockedPair(context, element, lock);
  lock.locked.fill(false);
  std::istringstream words(element.RequireString("motions"));
  for (std::string word; words >> word;) {
    const auto found = std::find(kMotions.begin(), kMotions.end(), word);
    if (found == kMotions.end())
      element.Fail("motions", "\"" + word.substr(0, 40) + "\" is none of rx, ry, rz, x, y, z");
    lock.locked[found - kMotions.begin()] = true;
  }
  return lock;
}

PointDistance ReadPointDistance(const Context& context, xml::Element& element) {
  if (element.Has("geom1"))
    element.Fail("geom1",
                 "distances of geoms are no equality, as in MuJoCo since 2.2.2; those of points are: "
                 "write site1 and site2");
  FrameLock ends;
  ReadLockedPair(context, element, ends);
  PointDistance points{.a = ends.a, .b = ends.b};
  const Vector3d p_A = PoseInFile(context.builder, points.a.body) * points.a.X_BF.p;
  const Vector3d p_B = PoseInFile(context.builder, points.b.body) * points.b.X_BF.p;
  points.distance = (p_B - p_A).norm();
  element.Read("distance", points.distance);
  return points;
}

JointPolynomial ReadJointPolynomial(const Context& context, xml::Element& element) {
  JointPolynomial couple;
  const auto find = [&](const char* attribute, double& reference) {
    const int joint = context.names.joints.Require(element, attribute);
    reference = context.builder.joint(joint).reference();
    return joint;
  };
  couple.joint = find("joint1", couple.reference);
  if (element.Has("joint2")) couple.of_joint = find("joint2", couple.of_reference);
  element.ReadNumbers("polycoef", 1, 5, couple.coefficients.data());
  return couple;
}

TendonPolynomial ReadTendonPolynomial(const Context& context, xml::Element& element) {
  TendonPolynomial couple;
  couple.tendon = context.names.tendons.Require(element, "tendon1");
  if (element.Has("tendon2")) couple.of_tendon = context.names.tendons.Require(element, "tendon2");
  element.ReadNumbers("polycoef", 1, 5, couple.coefficients.data());
  return couple;
}

}  // namespace

void ReadEqualitySpec(xml::Element& element, const Compiler& compiler, EqualitySpec& spec) {
  element.Visit();
  element.Read("active", spec.is_active);
  ReadSoftness(element, kEqualitySoftness, compiler, spec.softness);
}

void ReadEqualities(Context& context, xml::Element& element) {
  for (const auto& child : element.children()) {
    const std::string& kind = child->name();
    if (kind != "connect" && kind != "weld" && kind != "joint" && kind != "tendon" && kind != "distance" &&
        kind != "lock")
      continue;
    if (!context.only_body.empty() && !NamesAreHere(context.names, *child)) {
      child->Visit();
      child->NoteWhole(ImportStatus::kHonoured, kNotAttached);
      continue;
    }
    child->Visit();
    EqualitySpec spec = context.defaults.Of(*child).equality;
    ReadEqualitySpec(*child, context.compiler, spec);
    Equality equality;
    equality.is_active = spec.is_active && context.flags.equality;
    if (context.compiler.contacts_are_soft) equality.softness = spec.softness;
    child->Read("name", equality.name);
    if (kind == "joint") {
      equality.kind = ReadJointPolynomial(context, *child);
    } else if (kind == "tendon") {
      equality.kind = ReadTendonPolynomial(context, *child);
    } else if (kind == "distance") {
      equality.kind = ReadPointDistance(context, *child);
    } else if (kind == "lock") {
      equality.kind = ReadLock(context, *child);
    } else {
      equality.kind = kind == "weld" ? ReadWeld(context, *child) : ReadConnect(context, *child);
    }
    context.table.current = child.get();
    context.builder.AddEquality(equality);
    context.table.equalities.push_back(child.get());
  }
}

}  // namespace stiction::mjcf
