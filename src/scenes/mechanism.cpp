#include "scenes/mechanism.h"

#include <Eigen/Geometry>

#include "stiction/geometry/mass_properties.h"
#include "stiction/scenario/scenario.h"

namespace stiction {
namespace {

constexpr double kTimestep = 0.001;  // [s]
constexpr double kFriction = 0.7;

}  // namespace

Matrix3d RotationWithZ(const Vector3d& z) {
  Matrix3d R;
  R.col(0) = z.unitOrthogonal();
  R.col(1) = z.cross(R.col(0));
  R.col(2) = z;
  return R;
}

int Mechanism::AddLink(const std::string& name, const RigidTransform& X_WL, const MassProperties& inertia) {
  links_.push_back({name, X_WL, inertia});
  return num_links() - 1;
}

int Mechanism::AddBox(const std::string& name, const RigidTransform& X_WL, double mass,
                      const Vector3d& half_extents) {
  return AddLink(name, X_WL, CalcSolidMassProperties(Box{half_extents}, mass));
}

int Mechanism::AddSphere(const std::string& name, const Vector3d& p_WL, double mass, double radius) {
  return AddLink(name, {.p = p_WL}, CalcSolidMassProperties(Sphere{radius}, mass));
}

void Mechanism::AddGeom(int link, const Shape& shape, const RigidTransform& X_WG) {
  geoms_.push_back({link, shape, pose(link).Inverse() * X_WG});
}

void Mechanism::set_mass(int link, double mass) {
  MassProperties& inertia = links_[link].inertia;
  inertia.I_BBcm_B *= mass / inertia.mass;
  inertia.mass = mass;
}

void Mechanism::AddJoint(LinkJointType type, int base, int follower, const Vector3d& p_W,
                         const Vector3d& axis_W) {
  const auto name_of = [&](int link) { return link == kWorld ? std::string("world") : links_[link].name; };
  Link& link = links_[follower];
  if (link.carrier < 0 && base < follower) link.carrier = static_cast<int>(joints_.size());
  joints_.push_back({name_of(base) + "-" + link.name, type, base, follower, p_W, axis_W});
}

void Mechanism::AddFixed(int base, int follower) {
  AddJoint(LinkJointType::kFixed, base, follower, pose(follower).p, Vector3d::UnitZ());
}

void Mechanism::AddHinge(int base, int follower, const Vector3d& p_W, const Vector3d& axis_W) {
  AddJoint(LinkJointType::kHinge, base, follower, p_W, axis_W);
}

void Mechanism::AddBall(int base, int follower, const Vector3d& p_W) {
  AddJoint(LinkJointType::kBall, base, follower, p_W, Vector3d::UnitZ());
}

// Bodies with the joints that carry them; the builder's index of each link.
std::vector<int> Mechanism::AddBodies(Coordinates coordinates, ModelBuilder& builder) const {
  std::vector<int> body;
  for (const Link& link : links_) {
    const bool is_free = coordinates == Coordinates::kMaximal || link.carrier < 0;
    const int base = is_free ? kWorld : joints_[link.carrier].base;
    const RigidTransform X_PB = base == kWorld ? link.X_WL : pose(base).Inverse() * link.X_WL;
    body.push_back(
        builder.AddBody({.name = link.name, .parent = base == kWorld ? 0 : body[base], .X_PB = X_PB}));
    builder.SetInertia(body.back(), link.inertia);
    if (is_free) {
      builder.AddJoint(body.back(), {.name = link.name + "-free", .kind = FreeJoint{}});
      continue;
    }
    const LinkJoint& carrier = joints_[link.carrier];
    if (carrier.type == LinkJointType::kFixed) continue;
    const Vector3d p_LJ = link.X_WL.Inverse() * carrier.p_W;
    Joint joint{.name = carrier.name,
                .kind = HingeJoint{.axis_B = link.X_WL.R.transpose() * carrier.axis_W, .p_BJ = p_LJ}};
    if (carrier.type == LinkJointType::kBall) joint.kind = BallJoint{.p_BJ = p_LJ};
    builder.AddJoint(body.back(), joint);
  }
  return body;
}

// The axis of a hinge is z of both frames.
void Mechanism::AddLock(const LinkJoint& joint, const std::vector<int>& body, ModelBuilder& builder) const {
  const RigidTransform X_WJ{RotationWithZ(joint.axis_W), joint.p_W};
  const auto frame_on = [&](int link) {
    if (link == kWorld) return Frame{.body = 0, .X_BF = X_WJ};
    return Frame{.body = body[link], .X_BF = pose(link).Inverse() * X_WJ};
  };
  FrameLock lock{.a = frame_on(joint.base), .b = frame_on(joint.follower)};
  if (joint.type == LinkJointType::kHinge) lock.locked[2] = false;
  if (joint.type == LinkJointType::kBall) lock.locked = {false, false, false, true, true, true};
  builder.AddEquality({.name = joint.name, .kind = lock});
}

// A rigid motion of all that is not held, so that it agrees with every joint. In reduced coordinates one link
// at most is free, and it is the first: the model's order of the other dofs does not matter.
void Mechanism::AddStart(const SceneParameters& options, ModelBuilder& builder) const {
  bool is_held = false;
  for (const LinkJoint& joint : joints_) is_held = is_held || joint.base == kWorld;
  Keyframe start{.name = kStartKeyframe};
  const Vector3d w_W(0.0, 0.0, is_held ? 0.0 : options.spin), v_W(is_held ? 0.0 : options.speed, 0.0, 0.0);
  std::vector<double> v;
  for (const Link& link : links_) {
    const bool is_free = options.coordinates == Coordinates::kMaximal || link.carrier < 0;
    if (is_free) {
      const Vector3d linear = v_W + w_W.cross(link.X_WL.p), angular = link.X_WL.R.transpose() * w_W;
      v.insert(v.end(), linear.begin(), linear.end());
      v.insert(v.end(), angular.begin(), angular.end());
    } else {
      const LinkJointType type = joints_[link.carrier].type;
      v.insert(v.end(), type == LinkJointType::kBall ? 3 : type == LinkJointType::kHinge ? 1 : 0, 0.0);
    }
  }
  start.v = Eigen::Map<VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
  builder.AddKeyframe(start);
}

Model Mechanism::Build(const std::string& name, const SceneParameters& options) const {
  ModelBuilder builder(name);
  builder.options().timestep = kTimestep;
  if (options.with_feet) builder.AddGeom({.name = "ground", .shape = Plane{}, .friction = kFriction});
  const std::vector<int> body = AddBodies(options.coordinates, builder);
  for (const LinkGeom& geom : geoms_) {
    builder.AddGeom({.body = body[geom.link],
                     .shape = geom.shape,
                     .X_BG = geom.X_LG,
                     .friction = kFriction,
                     .contype = 0});
  }
  for (int i = 0; i < static_cast<int>(joints_.size()); ++i) {
    const bool carries = links_[joints_[i].follower].carrier == i;
    if (options.coordinates == Coordinates::kMaximal || !carries) AddLock(joints_[i], body, builder);
  }
  AddStart(options, builder);
  return builder.Build();
}

}  // namespace stiction
