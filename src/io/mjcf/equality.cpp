#include <algorithm>
#include <sstream>

#include "io/mjcf/reader.h"
#include "io/mjcf/softness.h"

namespace stiction::mjcf {

// X_WB with every joint at its reference: as the file has it.
RigidTransform Reader::PoseInFile(int body) const {
  RigidTransform X_WB;
  for (int b = body; b > 0; b = builder_.body(b).parent) X_WB = builder_.body(b).X_PB * X_WB;
  return X_WB;
}

const Frame& Reader::FindSite(const xml::Element& element, std::string_view attribute) const {
  const std::string* name = element.Peek(attribute);
  if (!name) element.Fail("needs the attribute \"" + std::string(attribute) + "\"");
  const auto found = sites_.find(*name);
  if (found == sites_.end()) element.Fail(attribute, "unknown site \"" + *name + "\"");
  return found->second;
}

void Reader::ReadEquality(xml::Element& element) {
  for (const auto& child : element.children()) {
    const std::string& kind = child->name();
    if (kind != "connect" && kind != "weld" && kind != "joint" && kind != "tendon" && kind != "distance" &&
        kind != "lock")
      continue;
    if (!NamesOfEqualityAreHere(*child)) {
      child->Visit();
      child->Note(ImportStatus::kHonoured, "not part of the body that is attached");
      continue;
    }
    child->Visit();
    EqualitySpec spec = classes_[ClassOf(*child, 0)].equality;
    stiction::mjcf::ReadEquality(*child, compiler_, spec);
    Equality equality;
    equality.is_active = spec.is_active;
    if (compiler_.contacts_are_soft) equality.softness = spec.softness;
    child->Read("name", equality.name);
    if (kind == "joint") {
      equality.kind = ReadJointPolynomial(*child);
    } else if (kind == "tendon") {
      equality.kind = ReadTendonPolynomial(*child);
    } else if (kind == "distance") {
      equality.kind = ReadPointDistance(*child);
    } else if (kind == "lock") {
      equality.kind = ReadLock(*child);
    } else {
      equality.kind = kind == "weld" ? ReadWeld(*child) : ReadConnect(*child);
    }
    table_.current = child.get();
    builder_.AddEquality(equality);
    table_.equalities.push_back(child.get());
  }
}

// Of an attached model, only what it has of the body that is wanted.
bool Reader::NamesOfEqualityAreHere(xml::Element& element) {
  if (only_body_.empty()) return true;
  const auto is_here = [&](const char* attribute, const auto& index) {
    const std::string* name = element.Peek(attribute);
    return !name || index.contains(*name);
  };
  return is_here("body1", body_index_) && is_here("body2", body_index_) && is_here("site1", sites_) &&
         is_here("site2", sites_) && is_here("tendon1", tendon_index_) && is_here("tendon2", tendon_index_) &&
         is_here("joint1", joint_index_) && is_here("joint2", joint_index_);
}

// Two bodies, the second one the world where it is not named, or two sites; then `lock` is complete.
bool Reader::ReadLockedPair(xml::Element& element, FrameLock& lock) {
  if (element.Has("site1") || element.Has("site2")) {
    element.RequireString("site1"), element.RequireString("site2");
    lock.a = FindSite(element, "site1");
    lock.b = FindSite(element, "site2");
    return true;
  }
  element.RequireString("body1");
  lock.a.body = FindBody(element, "body1");
  std::string unused;
  lock.b.body = element.Read("body2", unused) ? FindBody(element, "body2") : 0;
  return false;
}

FrameLock Reader::ReadConnect(xml::Element& element) {
  FrameLock lock;
  lock.locked = {false, false, false, true, true, true};
  if (ReadLockedPair(element, lock)) return lock;
  lock.a.X_BF.p = element.RequireVector("anchor");
  lock.b.X_BF.p = PoseInFile(lock.b.body).Inverse() * (PoseInFile(lock.a.body) * lock.a.X_BF.p);
  return lock;
}

FrameLock Reader::ReadWeld(xml::Element& element) {
  FrameLock lock;
  double scale = 1.0;
  if (element.Read("torquescale", scale) && scale != 1.0)
    element.Note("torquescale", ImportStatus::kApproximated, "welds are exact: no balance of errors to tune");
  if (ReadLockedPair(element, lock)) return lock;
  RigidTransform X_AB = PoseInFile(lock.a.body).Inverse() * PoseInFile(lock.b.body);
  double pose[7];
  if (element.ReadNumbers("relpose", 7, 7, pose) &&
      !std::all_of(pose + 3, pose + 7, [](double x) { return x == 0.0; })) {
    X_AB.p = Vector3d(pose);
    X_AB.R = QuaternionFromWxyz(pose + 3).normalized().toRotationMatrix();
  }
  element.Read("anchor", lock.b.X_BF.p);
  lock.a.X_BF = X_AB * lock.b.X_BF;
  return lock;
}

// Some of the six motions of site2 relative to site1, in the axes of site1.
FrameLock Reader::ReadLock(xml::Element& element) {
  FrameLock lock;
  element.RequireString("site1"), element.RequireString("site2");
  ReadLockedPair(element, lock);
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

PointDistance Reader::ReadPointDistance(xml::Element& element) {
  FrameLock ends;
  ReadLockedPair(element, ends);
  PointDistance points{.a = ends.a, .b = ends.b};
  const Vector3d p_A = PoseInFile(points.a.body) * points.a.X_BF.p;
  const Vector3d p_B = PoseInFile(points.b.body) * points.b.X_BF.p;
  points.distance = (p_B - p_A).norm();
  element.Read("distance", points.distance);
  return points;
}

JointPolynomial Reader::ReadJointPolynomial(xml::Element& element) {
  JointPolynomial couple;
  const auto find = [&](const char* attribute, double& reference) {
    const std::string name = element.RequireString(attribute);
    const auto found = joint_index_.find(name);
    if (found == joint_index_.end()) element.Fail(attribute, "unknown joint \"" + name + "\"");
    reference = builder_.joint(found->second).reference;
    return found->second;
  };
  couple.joint = find("joint1", couple.reference);
  if (element.Has("joint2")) couple.of_joint = find("joint2", couple.of_reference);
  element.ReadNumbers("polycoef", 1, 5, couple.coefficients.data());
  return couple;
}

TendonPolynomial Reader::ReadTendonPolynomial(xml::Element& element) {
  TendonPolynomial couple;
  const auto find = [&](const char* attribute) {
    const std::string name = element.RequireString(attribute);
    const auto found = tendon_index_.find(name);
    if (found == tendon_index_.end()) element.Fail(attribute, "unknown tendon \"" + name + "\"");
    return found->second;
  };
  couple.tendon = find("tendon1");
  if (element.Has("tendon2")) couple.of_tendon = find("tendon2");
  element.ReadNumbers("polycoef", 1, 5, couple.coefficients.data());
  return couple;
}

void ReadEquality(xml::Element& element, const Compiler& compiler, EqualitySpec& spec) {
  element.Visit();
  element.Read("active", spec.is_active);
  ReadSoftness(element, kEqualitySoftness, compiler.contacts_are_soft, spec.softness);
}

}  // namespace stiction::mjcf
