#include "tests/fuzz/arranged_world.h"

#include <algorithm>
#include <numbers>

#include "stiction/contact/registry.h"
#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/mesh_surface.h"
#include "stiction/math/rotation.h"
#include "stiction/model/model_builder.h"
#include "tests/support/meshes.h"

namespace stiction::fuzz {
namespace {

constexpr int kAxes = 3;

class SceneMaker {
 public:
  explicit SceneMaker(std::uint64_t seed) : random_(static_cast<unsigned>(seed)) {}

  RandomWorld Make() {
    world_.is_passive = Chance(0.2);
    world_.has_weight = world_.is_passive && Chance(0.7);
    world_.is_frictionless = world_.is_passive && Chance(0.3);
    size_ = random_.LogUniform(1e-3, 10.0);
    mass_ = random_.LogUniform(1e-4, 1e4);
    spread_ = Chance(0.3) ? 1e3 : 1.5;  // of masses
    SetOptions();
    AddGround();
    const int scenes = 1 + random_.Index(2);
    for (int k = 0; k < scenes; ++k) AddScene(Vector3d(12.0 * size_ * k, 0.0, 0.0));
    if (!world_.is_passive) AddDrives();
    AddSensors();
    world_.model = builder_.Build();
    world_.options = MakeWorldOptions();
    world_.state = State::Default(world_.model);
    if (Chance(0.5))
      world_.state.v = size_ * random_.LogUniform(1e-4, 10.0) * random_.NormalVector(world_.model.nv());
    SetMotion();
    return std::move(world_);
  }

 private:
  struct Placed {
    int body = 0;
    Vector3d p_W = Vector3d::Zero();  // where it stands at first, its axes those of the world
  };

  bool Chance(double probability) { return random_.Uniform(0.0, 1.0) < probability; }
  double Mass() { return mass_ * random_.LogUniform(1.0 / spread_, spread_); }
  double Half() { return size_ * random_.Uniform(0.2, 0.5); }
  Vector3d Axis() { return Vector3d::Unit(random_.Index(kAxes)); }
  Vector3d Direction() {
    const Vector3d v = random_.NormalVector(3);
    return v.norm() > 1e-3 ? Vector3d(v.normalized()) : Vector3d(Vector3d::UnitX());
  }

  void SetOptions() {
    stiction::Options& options = builder_.options();
    options.timestep = random_.LogUniform(1e-4, 2e-2);
    if (world_.is_passive) {
      if (!world_.has_weight) options.gravity.setZero();
      return;
    }
    if (Chance(0.3)) options.integrator = static_cast<Integrator>(random_.Index(5));
    if (Chance(0.1)) options.gravity = 9.81 * Direction();
    if (Chance(0.1)) options.density = 1.2, options.viscosity = 1e-5, options.wind = random_.NormalVector(3);
    if (Chance(0.2)) options.contact_model = Chance(0.5) ? ContactModel::kSoft : ContactModel::kCompliant;
    // Asleep within the run.
    options.sleep = Chance(0.3);
    options.sleep_tolerance = random_.LogUniform(1e-4, 1e-1);
    options.sleep_time = random_.Uniform(1.0, 40.0) * options.timestep;
  }

  WorldOptions MakeWorldOptions() {
    WorldOptions options;
    if (Chance(0.15)) {
      const std::vector<SolverEntry>& solvers = ListSolvers();
      options.solver =
          solvers[static_cast<std::size_t>(random_.Index(static_cast<int>(solvers.size())))].name;
    }
    if (Chance(0.1)) options.on_miss = static_cast<OnMiss>(random_.Index(4));
    if (Chance(0.2)) options.halvings = random_.Index(5);
    // Few, so that steps are divided, and end without an answer.
    if (Chance(0.05)) options.solver_budget.iterations = 1 + random_.Index(20);
    options.one_island = Chance(0.1);
    options.skips_still = Chance(0.8);
    options.num_threads = 1 + random_.Index(2);
    return options;
  }

  void SetSurface(Geom& geom) {
    if (world_.is_frictionless) {
      geom.friction = 0.0;
      return;
    }
    if (Chance(0.5)) geom.friction = random_.LogUniform(1e-2, 3.0);
    constexpr int kCondims[] = {1, 3, 4, 6};
    if (Chance(0.2)) geom.condim = kCondims[random_.Index(4)];
    if (Chance(0.1)) geom.torsional_friction = geom.rolling_friction = random_.LogUniform(1e-3, 0.1) * size_;
    if (!world_.is_passive && Chance(0.2)) geom.restitution = random_.Uniform(0.0, 1.0);
    if (Chance(0.1)) geom.margin = random_.LogUniform(1e-3, 1.0) * size_;
    if (Chance(0.2))
      geom.stiffness = random_.LogUniform(1e2, 1e8), geom.dissipation_time = random_.LogUniform(1e-3, 0.1);
  }

  // About so large from its middle to its foot.
  Shape MakeShape(double& half_height) {
    const double a = Half(), b = Half(), c = half_height = Half();
    switch (random_.Index(9)) {
      case 0:
        return Sphere{c};
      case 1:
        return Cylinder{a, c};
      case 2:
        return Capsule{0.5 * c, 0.5 * c};
      case 3:
        return Ellipsoid{{a, b, c}};
      case 4:
        return MakeMesh(testing::MakeBoxMesh({a, b, c})).mesh;
      case 5:
        return MakeHull(testing::MakeTorus(c, 0.3 * c, 7, 5).vertices).hull;
      default:
        return Box{{a, b, c}};
    }
  }

  void AddGround() {
    Geom geom{.name = "ground", .shape = Plane{}};
    SetSurface(geom);
    builder_.AddGeom(geom);
  }

  void AddGeom(int body, const Shape& shape, double mass) {
    Geom geom{.body = body, .shape = shape};
    SetSurface(geom);
    builder_.AddGeom(geom, {.mass = mass});
  }

  //   parent  whose axes are the world's
  Placed AddBody(const Placed& parent, const Vector3d& p_W, bool is_mocap = false) {
    Body body{.parent = parent.body, .X_PB = {Matrix3d::Identity(), p_W - parent.p_W}};
    body.is_mocap = is_mocap;
    if (!world_.is_passive && !is_mocap) {
      if (Chance(0.1)) body.gravity_compensation = random_.Uniform(0.0, 1.5);
      if (Chance(0.1)) body.may_sleep = false;
    }
    const Placed placed{builder_.AddBody(body), p_W};
    placed_.push_back(placed);
    return placed;
  }

  void AddFreeBody(const Vector3d& foot, double& height) {
    double half = 0.0;
    const Shape shape = MakeShape(half);
    // Just touching, a gap, or a small overlap.
    const double gap = random_.Index(3) == 0 ? 0.0 : 0.02 * size_ * random_.Uniform(-0.2, 1.0);
    const Placed body = AddBody({}, foot + Vector3d(0.0, 0.0, height + gap + half));
    builder_.AddJoint(body.body, stiction::Joint{.kind = FreeJoint{}});
    AddGeom(body.body, shape, Mass());
    height += gap + 2.0 * half;
  }

  void AddStack(const Vector3d& foot, int count) {
    double height = 0.0;
    for (int k = 0; k < count; ++k) {
      const Vector3d jitter(random_.Uniform(-0.05, 0.05), random_.Uniform(-0.05, 0.05), 0.0);
      AddFreeBody(foot + size_ * jitter, height);
    }
  }

  void AddScene(const Vector3d& foot) {
    const int kind = world_.is_passive ? random_.Index(2) : random_.Index(7);
    switch (kind) {
      case 0:
        return AddStack(foot, 1 + random_.Index(5));
      case 1:
        return AddHeap(foot);
      case 2:
      case 3:
        return AddTable(foot);
      case 4:
        return AddLoop(foot);
      case 5:
        return AddPushed(foot);
      default:
        return AddArm(foot);
    }
  }

  void AddHeap(const Vector3d& foot) {
    const int towers = 2 + random_.Index(2);
    for (int k = 0; k < towers; ++k)
      AddStack(foot + size_ * Vector3d(0.7 * k, random_.Uniform(-0.3, 0.3), 0.0), 1 + random_.Index(3));
  }

  // A plate that is moved from outside, or hangs on a joint that something drives, with loads on it.
  void AddTable(const Vector3d& foot) {
    const double thick = 0.1 * size_, top = 2.0 * size_;
    const bool is_mocap = Chance(0.5);
    const Placed plate = AddBody({}, foot + Vector3d(0.0, 0.0, top - thick), is_mocap);
    AddGeom(plate.body, Box{{2.5 * size_, 2.5 * size_, thick}}, 10.0 * Mass());
    if (!is_mocap) {
      stiction::Joint joint;
      if (Chance(0.5))
        joint.kind = SlideJoint{Axis(), Vector3d::Zero(), 0.0};
      else
        joint.kind = HingeJoint{Axis(), Vector3d::Zero(), 0.0};
      SetJoint(joint);
      driven_.push_back(builder_.AddJoint(plate.body, joint));
    }
    AddStack(plate.p_W + Vector3d(0.0, 0.0, thick), 1 + random_.Index(4));
    if (Chance(0.3)) AddStack(plate.p_W + Vector3d(1.5 * size_, 0.0, thick), 1);
  }

  // Links end to end around a polygon, of which the last meets the first or the world again.
  void AddLoop(const Vector3d& foot) {
    const int count = 3 + random_.Index(4);
    const bool is_planar = Chance(0.6);
    const Vector3d middle = foot + Vector3d(0.0, 0.0, 3.0 * size_);
    const auto corner = [&](int k) {
      const double angle = 2.0 * std::numbers::pi * k / count;
      return Vector3d(middle + 1.5 * size_ * Vector3d(std::cos(angle), 0.0, std::sin(angle)));
    };
    Placed last, first;
    for (int k = 0; k + 1 < count; ++k) {
      const Placed link = AddBody(last, 0.5 * (corner(k) + corner(k + 1)));
      stiction::Joint joint;
      const Vector3d p = corner(k) - link.p_W;
      if (is_planar || Chance(0.5))
        joint.kind = HingeJoint{is_planar ? Vector3d(Vector3d::UnitY()) : Axis(), p, 0.0};
      else
        joint.kind = BallJoint{p};
      SetJoint(joint);
      const int j = builder_.AddJoint(link.body, joint);
      if (joint.is_scalar()) driven_.push_back(j);
      AddGeom(link.body, Sphere{0.2 * size_}, Mass());
      if (k == 0) first = link;
      last = link;
    }
    const Vector3d end = corner(count - 1);
    const Placed other = Chance(0.5) ? Placed{} : first;
    FrameLock lock{.a = FrameAt(other, end), .b = FrameAt(last, end)};
    lock.locked = {is_planar, false, is_planar, true, true, true};
    if (!is_planar) lock.locked = {Chance(0.2), Chance(0.2), Chance(0.2), true, true, true};
    AddEquality({.kind = lock});
  }

  // Free bodies that mocap bodies draw along.
  void AddPushed(const Vector3d& foot) {
    const Vector3d p = foot + Vector3d(0.0, 0.0, size_);
    const Placed hand = AddBody({}, p, true);
    double height = 0.0;
    AddFreeBody(p - Vector3d(0.0, 0.0, 0.5 * size_), height);
    const Placed load = placed_.back();
    if (Chance(0.3)) {
      AddEquality({.kind = PointDistance{.a = FrameAt(hand, p + size_ * Direction()),
                                         .b = FrameAt(load, load.p_W),
                                         .distance = size_}});
    } else {
      FrameLock lock{.a = FrameAt(hand, load.p_W), .b = FrameAt(load, load.p_W)};
      for (bool& locked : lock.locked) locked = Chance(0.8);
      lock.locked[4] = true;
      AddEquality({.kind = lock});
    }
    AddStack(foot + size_ * Vector3d(1.0, 0.0, 0.0), 2);
  }

  // A branched arm, whose joints equalities and tendons couple.
  void AddArm(const Vector3d& foot) {
    const int count = 2 + random_.Index(5);
    Placed last{0, Vector3d::Zero()};
    std::vector<int> joints;
    std::vector<Placed> links;
    for (int k = 0; k < count; ++k) {
      const Vector3d p = foot + size_ * Vector3d(0.8 * k, 0.0, 2.5);
      const bool branches = k > 1 && Chance(0.2);
      const Placed& parent = branches ? links[static_cast<std::size_t>(random_.Index(k))] : last;
      const Placed link = AddBody(k == 0 ? Placed{} : parent, p);
      const int num_joints = 1 + (Chance(0.2) ? 1 : 0);
      for (int j = 0; j < num_joints; ++j) {
        stiction::Joint joint;
        const Vector3d at = size_ * Vector3d(-0.4, 0.0, 0.0);
        if (Chance(0.7))
          joint.kind = HingeJoint{Axis(), at, 0.0};
        else
          joint.kind = SlideJoint{Axis(), at, 0.0};
        SetJoint(joint);
        joints.push_back(builder_.AddJoint(link.body, joint));
      }
      AddGeom(link.body, Capsule{0.1 * size_, 0.25 * size_}, Mass());
      links.push_back(link);
      last = link;
    }
    driven_.insert(driven_.end(), joints.begin(), joints.end());
    Couple(joints, links);
  }

  void Couple(const std::vector<int>& joints, const std::vector<Placed>& links) {
    if (Chance(0.4) && joints.size() >= 2)
      AddEquality(
          {.kind = JointPolynomial{.joint = joints[0],
                                   .of_joint = joints[1],
                                   .coefficients = {0.0, random_.Uniform(-2.0, 2.0), 0.0, 0.0, 0.0}}});
    if (Chance(0.5)) {
      FixedTendon path;
      for (const int joint : joints) path.terms.push_back({joint, random_.Uniform(-2.0, 2.0)});
      AddTendon({.path = path});
    }
    if (Chance(0.5)) {
      SpatialTendon path;
      path.path.push_back(SpatialTendon::Site{0, links[0].p_W - size_ * Vector3d(1.0, 0.0, -0.5)});
      for (const Placed& link : links)
        path.path.push_back(SpatialTendon::Site{link.body, 0.3 * size_ * Direction()});
      AddTendon({.path = path});
    }
    if (tendons_.size() >= 2 && Chance(0.4))
      AddEquality({.kind = TendonPolynomial{.tendon = tendons_[0], .of_tendon = tendons_[1]}});
  }

  // Forces scale as the weights do, so that each counts.
  double Force() { return mass_ * 9.81 * random_.LogUniform(1e-3, 10.0); }

  void SetJoint(stiction::Joint& joint) {
    const double per_length =
        joint.is_rotation() || std::holds_alternative<HingeJoint>(joint.kind) ? size_ : 1.0 / size_;
    const double unit = Force() * per_length;
    if (Chance(0.3)) joint.stiffness = unit * random_.LogUniform(0.1, 1e3);
    if (Chance(0.4)) joint.damping = unit * random_.LogUniform(1e-3, 10.0);
    if (Chance(0.3)) joint.armature = mass_ * size_ * size_ * random_.LogUniform(1e-3, 1.0);
    if (Chance(0.3)) joint.friction_loss = unit;
    if (Chance(0.3) && joint.is_scalar()) {
      const double reach = std::holds_alternative<HingeJoint>(joint.kind) ? 1.0 : size_;
      joint.lower = -reach * random_.Uniform(0.0, 1.0), joint.upper = reach * random_.Uniform(0.01, 1.0);
    }
    if (Chance(0.1)) joint.limit_softness = Softness{};
    if (Chance(0.1) && joint.is_scalar())
      joint.actuator_force_lower = -unit, joint.actuator_force_upper = unit;
  }

  Frame FrameAt(const Placed& body, const Vector3d& p_W) const {
    return {.name = "", .body = body.body, .X_BF = {Matrix3d::Identity(), p_W - body.p_W}};
  }

  void AddEquality(Equality equality) {
    if (Chance(0.15)) equality.softness = Softness{};
    builder_.AddEquality(equality);
  }

  void AddTendon(Tendon tendon) {
    if (Chance(0.5)) tendon.stiffness = Force() / size_;
    if (Chance(0.5)) tendon.damping = 0.1 * Force() / size_;
    if (Chance(0.3)) tendon.friction_loss = 0.1 * Force();
    if (Chance(0.4)) tendon.armature = mass_ * random_.LogUniform(1e-3, 10.0);
    if (Chance(0.2)) tendon.lower = -2.0 * size_, tendon.upper = 10.0 * size_;
    tendons_.push_back(builder_.AddTendon(tendon));
  }

  // Servos, motors and prescribed joints.
  void AddDrives() {
    for (const int joint : driven_) {
      if (Chance(0.4)) continue;
      if (Chance(0.3)) {
        builder_.AddEquality(
            {.kind = JointPolynomial{.joint = joint, .coefficients = {0.0, 0.0, 0.0, 0.0, 0.0}}});
        continue;
      }
      Actuator actuator;
      actuator.joint = joint;
      SetActuator(actuator);
      builder_.AddActuator(actuator);
    }
    if (tendons_.empty() || Chance(0.5)) return;
    Actuator actuator;
    actuator.tendon = tendons_.back();
    SetActuator(actuator);
    builder_.AddActuator(actuator);
  }

  void SetActuator(Actuator& actuator) {
    actuator.gain[0] = Force() * size_;
    if (Chance(0.6)) actuator.bias = {0.0, -actuator.gain[0], Chance(0.5) ? -0.1 * actuator.gain[0] : 0.0};
    if (Chance(0.3))
      actuator.dynamics = ActuatorDynamics::kFilter, actuator.time_constant = random_.LogUniform(1e-3, 1.0);
    if (Chance(0.3)) actuator.force_lower = -Force() * size_, actuator.force_upper = Force() * size_;
  }

  void AddSensors() {
    constexpr SensorType kOfFrames[] = {SensorType::kFramePosition,
                                        SensorType::kFrameLinearAcceleration,
                                        SensorType::kFrameAngularVelocity,
                                        SensorType::kAccelerometer,
                                        SensorType::kForce,
                                        SensorType::kTorque,
                                        SensorType::kTouch,
                                        SensorType::kRangefinder};
    for (const Placed& placed : placed_) {
      if (Chance(0.6)) continue;
      builder_.AddSensor(
          {.type = kOfFrames[random_.Index(std::size(kOfFrames))], .frame = {.body = placed.body}});
    }
    for (const int joint : driven_) {
      if (Chance(0.3)) builder_.AddSensor({.type = SensorType::kJointActuatorForce, .index = joint});
    }
  }

  // Whether slow or fast beside the bodies' own size, and many at rest now and then.
  void SetMotion() {
    for (int k = 0; k < world_.model.num_mocap; ++k) {
      const double speed = Chance(0.2) ? 0.0 : random_.LogUniform(1e-3, 10.0);
      Vector6d twist;
      twist << (Chance(0.4) ? 0.0 : speed) * Direction(), (Chance(0.3) ? 0.0 : size_ * speed) * Direction();
      world_.mocap_twists.push_back(twist);
    }
    world_.target_rate = size_ * random_.LogUniform(1e-3, 1.0);
    world_.force = Force();
  }

  RandomNumbers random_;
  ModelBuilder builder_;
  RandomWorld world_;
  double size_ = 1.0, mass_ = 1.0, spread_ = 1.0;
  std::vector<Placed> placed_;
  std::vector<int> driven_, tendons_;
};

// Twenty steps there, twenty back, twenty at rest.
int DirectionAt(int step) {
  constexpr int kSteps = 20;
  constexpr int kDirections[] = {1, -1, 0};
  return kDirections[step / kSteps % 3];
}

void MoveMocap(const Vector6d& twist, double dt, Eigen::Ref<VectorXd> pose) {
  pose.head<3>() += dt * twist.tail<3>();
  const Quaterniond old(pose[3], pose[4], pose[5], pose[6]);
  const Quaterniond turned = (QuaternionExp(dt * twist.head<3>()) * old).normalized();
  pose.tail<4>() << turned.w(), turned.x(), turned.y(), turned.z();
}

}  // namespace

void DriveInput(const RandomWorld& world, double timestep, int step, RandomNumbers& random, Input& input) {
  const Model& model = world.model;
  for (double& u : input.ctrl) u = random.Index(5) == 0 ? random.Uniform(-1.0, 1.0) : u;
  const double dt = timestep * DirectionAt(step);
  for (std::size_t i = 0; i < world.mocap_twists.size() && dt != 0.0; ++i)
    MoveMocap(world.mocap_twists[i], dt, input.mocap.segment<7>(7 * static_cast<Eigen::Index>(i)));
  for (double& target : input.equality_target) target += dt * world.target_rate;
  if (random.Index(20) == 0) input.applied_wrench.setZero();
  if (random.Index(40) == 0 && model.num_bodies() > 1) {
    const int body = 1 + random.Index(model.num_bodies() - 1);
    input.applied_wrench.col(body).tail<3>() = world.force * random.NormalVector(3);
  }
  if (random.Index(100) == 0) {
    const bool acts = random.Index(2) == 0;
    input.applied_damping =
        acts ? VectorXd(VectorXd::Constant(model.nv(), random.LogUniform(1e-3, 1.0) * world.force))
             : VectorXd();
  }
}

RandomWorld MakeArrangedWorld(std::uint64_t seed) {
  return SceneMaker(seed).Make();
}

}  // namespace stiction::fuzz
