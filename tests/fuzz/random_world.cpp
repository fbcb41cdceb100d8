#include "tests/fuzz/random_world.h"

#include <algorithm>

#include "stiction/contact/registry.h"
#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/geometry/mesh_surface.h"
#include "stiction/math/rotation.h"
#include "stiction/model/model_builder.h"
#include "tests/fuzz/arranged_world.h"
#include "tests/support/meshes.h"

namespace stiction::fuzz {
namespace {

constexpr double kSmallest = 1e-4, kLargest = 1e3;   // sizes [m]
constexpr double kLightest = 1e-6, kHeaviest = 1e6;  // masses [kg]
constexpr double kSlowest = 1e-4, kFastest = 1e4;    // speeds [m/s or rad/s]
constexpr int kMostBodies = 5;

class WorldMaker {
 public:
  explicit WorldMaker(std::uint64_t seed)
      : random_(static_cast<unsigned>(seed)), motors_(static_cast<unsigned>(seed) ^ 0x5eed) {}

  RandomWorld Make() {
    is_passive_ = Chance(0.2);
    is_frictionless_ = is_passive_ && Chance(0.5);
    size_ = random_.LogUniform(kSmallest, kLargest);
    mass_ = random_.LogUniform(kLightest, kHeaviest);
    // Most worlds keep to one size and mass, some hold all of them.
    spread_ = Chance(0.25) ? 1e3 : 2.0;
    SetOptions();
    if (Chance(0.7)) AddGround();
    const int num_bodies = 1 + random_.Index(kMostBodies);
    for (int i = 0; i < num_bodies; ++i) AddBody();
    if (Chance(0.4)) AddEqualities();
    if (!is_passive_) {
      if (Chance(0.4)) AddTendons();
      if (Chance(0.5)) AddActuators();
      if (!scalar_joints_.empty() && motors_.Index(6) == 0) AddMotor();
    }
    RandomWorld world{.model = builder_.Build(),
                      .options = MakeWorldOptions(),
                      .state = {},
                      .is_passive = is_passive_,
                      .is_frictionless = is_frictionless_};
    world.state = MakeState(world.model);
    return world;
  }

 private:
  bool Chance(double probability) { return random_.Uniform(0.0, 1.0) < probability; }
  double Size() {
    return std::clamp(size_ * random_.LogUniform(1.0 / spread_, spread_), kSmallest, kLargest);
  }
  double Mass() {
    return std::clamp(mass_ * random_.LogUniform(1.0 / spread_, spread_), kLightest, kHeaviest);
  }
  double Speed() { return random_.LogUniform(kSlowest, kFastest); }
  Vector3d Direction() {
    const Vector3d v = random_.NormalVector(3);
    return v.norm() > 1e-3 ? Vector3d(v.normalized()) : Vector3d(Vector3d::UnitX());
  }
  Matrix3d Rotation() {
    return Chance(0.3) ? Matrix3d(Matrix3d::Identity()) : QuaternionExp(3.0 * Direction()).toRotationMatrix();
  }
  int Joint() { return static_cast<int>(random_.Index(static_cast<int>(scalar_joints_.size()))); }

  void SetOptions() {
    stiction::Options& options = builder_.options();
    options.timestep = random_.LogUniform(1e-4, 1e-2);
    if (is_passive_) {
      options.gravity.setZero();
      return;
    }
    if (Chance(0.2)) options.gravity = random_.Uniform(0.0, 100.0) * Direction();
    if (Chance(0.4)) options.integrator = static_cast<Integrator>(random_.Index(5));
    if (Chance(0.1))
      options.density = random_.LogUniform(1.0, 1e3), options.viscosity = random_.LogUniform(1e-5, 1.0);
    if (Chance(0.25)) options.contact_model = Chance(0.5) ? ContactModel::kSoft : ContactModel::kCompliant;
    options.sleep = Chance(0.15);
  }

  WorldOptions MakeWorldOptions() {
    WorldOptions options;
    if (Chance(0.25)) {
      const std::vector<SolverEntry>& solvers = ListSolvers();
      options.solver =
          solvers[static_cast<std::size_t>(random_.Index(static_cast<int>(solvers.size())))].name;
    }
    if (Chance(0.1)) options.on_miss = static_cast<OnMiss>(random_.Index(4));
    options.one_island = Chance(0.1);
    return options;
  }

  Shape MakeShape() {
    const double a = Size(), b = Size(), c = Size();
    const int kind = random_.Index(20);
    if (kind < 4) return Sphere{a};
    if (kind < 7) return Capsule{a, b};
    if (kind < 9) return Ellipsoid{{a, b, c}};
    if (kind < 12) return Cylinder{a, b};
    if (kind < 17) return Box{{a, b, c}};
    if (kind < 19) return RandomHull(Vector3d(a, b, c));
    // Dear ones, of which a few do.
    if (Chance(0.2)) return MakeField(MakeTorusField(a, 0.3 * a), 0.4 * a).shape;
    return MakeMesh(Chance(0.5) ? testing::MakeTorus(a, 0.3 * a, 8, 6) : testing::MakeBoxMesh({a, b, c}))
        .mesh;
  }

  Shape RandomHull(const Vector3d& size) {
    std::vector<Vector3d> points;
    for (int k = 0; k < 4 + random_.Index(12); ++k) points.push_back(size.cwiseProduct(Direction()));
    try {
      return MakeHull(points).hull;
    } catch (const std::invalid_argument&) {
      return Box{size};  // points that chance put into one plane
    }
  }

  void SetSurface(Geom& geom) {
    if (is_frictionless_)
      geom.friction = 0.0;
    else if (Chance(0.5))
      geom.friction = Chance(0.2) ? 0.0 : random_.LogUniform(1e-3, 10.0);
    constexpr int kCondims[] = {1, 3, 4, 6};
    if (Chance(0.4) && !is_frictionless_) geom.condim = kCondims[random_.Index(4)];
    if (!is_passive_ && Chance(0.2)) geom.restitution = random_.Uniform(0.0, 1.0);
    if (Chance(0.1)) geom.margin = random_.Uniform(0.0, 1.0) * size_;
    if (Chance(0.3))
      geom.stiffness = random_.LogUniform(1.0, 1e9), geom.dissipation_time = random_.LogUniform(1e-4, 1.0);
    if (Chance(0.1)) geom.torsional_friction = geom.rolling_friction = Size();
  }

  void AddGround() {
    Geom geom{.name = "ground", .shape = Plane{}};
    if (Chance(0.2)) geom.X_BG = {Rotation(), Size() * Direction()};
    SetSurface(geom);
    builder_.AddGeom(geom);
  }

  void AddBody() {
    Body body;
    const bool is_root = is_passive_ || bodies_.empty() || Chance(0.5);
    body.parent =
        is_root ? 0 : bodies_[static_cast<std::size_t>(random_.Index(static_cast<int>(bodies_.size())))];
    body.X_PB = {Rotation(), 3.0 * Size() * Direction()};
    if (is_root && Chance(0.5)) body.X_PB.p.z() = std::abs(body.X_PB.p.z());
    if (is_root && !is_passive_ && Chance(0.08)) body.is_mocap = true;
    const int b = builder_.AddBody(body);
    bodies_.push_back(b);
    if (!body.is_mocap) AddJoints(b, is_root);
    const int num_geoms = 1 + random_.Index(2);
    for (int k = 0; k < num_geoms; ++k) {
      Geom geom{.body = b, .shape = MakeShape()};
      if (k > 0 || Chance(0.3)) geom.X_BG = {Rotation(), Size() * Direction()};
      SetSurface(geom);
      if (!std::holds_alternative<Plane>(geom.shape)) builder_.AddGeom(geom, {.mass = Mass()});
    }
  }

  void AddJoints(int body, bool is_root) {
    if (is_passive_ || (is_root && Chance(0.6))) {
      builder_.AddJoint(body, stiction::Joint{.kind = FreeJoint{}});
      return;
    }
    const int count = 1 + (Chance(0.2) ? random_.Index(3) : 0);
    for (int k = 0; k < count; ++k) AddJoint(body);
  }

  void AddJoint(int body) {
    const Vector3d p = Chance(0.5) ? Vector3d(Size() * Direction()) : Vector3d(Vector3d::Zero());
    stiction::Joint joint;
    switch (random_.Index(7)) {
      case 0:
        joint.kind = BallJoint{p};
        break;
      case 1:
        joint.kind = UniversalJoint{Vector3d::UnitX(), Vector3d::UnitY(), p};
        break;
      case 2:
        joint.kind = ScrewJoint{Direction(), p, 0.0, Size()};
        break;
      case 3:
      case 4:
        joint.kind = SlideJoint{Direction(), p, 0.0};
        break;
      default:
        joint.kind = HingeJoint{Direction(), p, 0.0};
    }
    SetJoint(joint);
    const int j = builder_.AddJoint(body, joint);
    if (joint.is_scalar()) scalar_joints_.push_back(j);
  }

  void SetJoint(stiction::Joint& joint) {
    if (Chance(0.3)) joint.stiffness = random_.LogUniform(1e-3, 1e6);
    if (Chance(0.3)) joint.damping = random_.LogUniform(1e-6, 1e4);
    if (Chance(0.3)) joint.armature = random_.LogUniform(1e-9, 1e2);
    if (Chance(0.2)) joint.friction_loss = random_.LogUniform(1e-6, 1e4);
    if (Chance(0.1)) joint.stiffness_polynomial = {random_.Uniform(0.0, 1e3), random_.Uniform(0.0, 1e3)};
    if (Chance(0.4) && joint.is_scalar())
      joint.lower = -random_.LogUniform(1e-3, 3.0), joint.upper = random_.LogUniform(1e-3, 3.0);
    if (Chance(0.3) && joint.is_rotation()) joint.lower = 0.0, joint.upper = random_.LogUniform(1e-2, 3.0);
    if (Chance(0.1)) joint.limit_softness = Softness{};
    if (Chance(0.1) && joint.is_scalar()) joint.actuator_force_lower = -1.0, joint.actuator_force_upper = 1.0;
  }

  Frame AnyFrame() {
    const int body = random_.Index(static_cast<int>(bodies_.size()) + 1);
    return {.name = "",
            .body = body == 0 ? 0 : bodies_[static_cast<std::size_t>(body - 1)],
            .X_BF = {Rotation(), Size() * Direction()}};
  }

  void AddEqualities() {
    const int count = 1 + random_.Index(3);
    for (int k = 0; k < count; ++k) {
      Equality equality;
      const int kind = random_.Index(3);
      if (kind == 0 && scalar_joints_.size() >= 2) {
        equality.kind =
            JointPolynomial{.joint = scalar_joints_[0],
                            .of_joint = scalar_joints_[1],
                            .coefficients = {0.0, random_.Uniform(-2, 2), Chance(0.3) ? 0.5 : 0.0, 0.0, 0.0}};
      } else if (kind == 1) {
        equality.kind = PointDistance{.a = AnyFrame(), .b = AnyFrame(), .distance = Size()};
      } else {
        FrameLock lock{.a = AnyFrame(), .b = AnyFrame()};
        for (bool& locked : lock.locked) locked = Chance(0.6);
        lock.locked[3] = true;
        equality.kind = lock;
      }
      if (!is_passive_ && Chance(0.2)) equality.softness = Softness{};
      TryAdd([&] { builder_.AddEquality(equality); });
    }
  }

  void AddTendons() {
    Tendon tendon;
    if (!scalar_joints_.empty() && Chance(0.5)) {
      FixedTendon path;
      for (const int joint : scalar_joints_) path.terms.push_back({joint, random_.Uniform(-2.0, 2.0)});
      tendon.path = path;
    } else {
      tendon.path = MakePath();
    }
    if (Chance(0.5)) tendon.stiffness = random_.LogUniform(1e-2, 1e5);
    if (Chance(0.5)) tendon.damping = random_.LogUniform(1e-4, 1e3);
    if (Chance(0.3)) tendon.friction_loss = random_.LogUniform(1e-4, 1e2);
    if (Chance(0.3)) tendon.upper = 4.0 * Size(), tendon.lower = 0.0;
    // Without a draw of its own, so that the worlds of known seeds stay what they are.
    if (tendon.friction_loss > 1.0) tendon.actuator_force_lower = -1.0, tendon.actuator_force_upper = 1.0;
    TryAdd([&] { tendons_.push_back(builder_.AddTendon(tendon)); });
  }

  SpatialTendon MakePath() {
    const auto site = [&] {
      const Frame frame = AnyFrame();
      return SpatialTendon::Site{frame.body, frame.X_BF.p};
    };
    SpatialTendon path;
    path.path.push_back(site());
    if (Chance(0.6)) {
      SpatialTendon::Wrap wrap{.center = AnyFrame(), .radius = 0.5 * Size(), .is_cylinder = Chance(0.5)};
      if (Chance(0.4)) wrap.side = site();
      path.path.push_back(wrap);
    }
    path.path.push_back(site());
    if (Chance(0.3)) {
      path.path.push_back(SpatialTendon::Pulley{2.0});
      path.path.push_back(site());
      path.path.push_back(site());
    }
    return path;
  }

  void AddActuators() {
    const int count = 1 + random_.Index(3);
    for (int k = 0; k < count; ++k) {
      Actuator actuator;
      const int kind = random_.Index(4);
      if (kind == 0 && !tendons_.empty()) {
        actuator.tendon = tendons_[0];
      } else if (kind == 1) {
        actuator.frame = AnyFrame();
        for (double& gear : actuator.gear) gear = random_.Uniform(-1.0, 1.0);
      } else if (kind == 2) {
        actuator.body = bodies_[static_cast<std::size_t>(random_.Index(static_cast<int>(bodies_.size())))];
      } else if (!scalar_joints_.empty()) {
        actuator.joint = scalar_joints_[static_cast<std::size_t>(Joint())];
      } else {
        continue;
      }
      SetActuator(actuator);
      TryAdd([&] { builder_.AddActuator(actuator); });
    }
  }

  // Of a generator of its own, so that worlds without one stay what they were.
  void AddMotor() {
    const auto chance = [this] { return motors_.Uniform(0.0, 1.0) < 0.5; };
    const auto any = [this](double least, double most) { return motors_.LogUniform(least, most); };
    Actuator actuator;
    actuator.joint =
        scalar_joints_[static_cast<std::size_t>(motors_.Index(static_cast<int>(scalar_joints_.size())))];
    actuator.gear[0] = any(1e-2, 1e2);
    DcMotor& motor = actuator.motor.emplace();
    motor.input = static_cast<DcMotor::Input>(motors_.Index(5));
    motor.constant = any(1e-3, 1e2);
    motor.resistance = any(1e-3, 1e3);
    if (chance()) motor.lag = any(1e-6, 1.0);
    if (chance()) motor.current_rate = any(1.0, 1e6);
    motor.kp = any(1e-3, 1e5);
    motor.kd = any(1e-3, 1e3);
    if (motor.input == DcMotor::Input::kPosition && chance()) motor.ki = any(1e-3, 1e4);
    if (chance()) motor.slew_max = any(1e-2, 1e2);
    if (chance()) motor.integral_max = any(1e-3, 1.0);
    if (chance()) motor.voltage_max = any(1.0, 1e3);
    if (chance()) motor.thermal_time = any(1e-3, 1e3), motor.thermal_resistance = any(1e-3, 1e2);
    motor.temperature_coefficient = any(1e-4, 1e-1);
    if (chance()) motor.cogging = any(1e-4, 1e2), motor.cogging_periods = motors_.Index(30);
    if (chance()) {
      motor.bristle_stiffness = any(1.0, 1e8);
      motor.bristle_damping = any(1e-3, 1e3);
      motor.coulomb = any(1e-4, 1e2);
      motor.static_friction = motor.coulomb * any(1.0, 3.0);
      motor.stribeck_speed = any(1e-3, 10.0);
    }
    TryAdd([&] { builder_.AddActuator(actuator); });
  }

  void SetActuator(Actuator& actuator) {
    actuator.gain[0] = random_.LogUniform(1e-3, 1e6);
    if (actuator.body >= 0) return;
    if (Chance(0.4))
      actuator.bias = {0.0, -actuator.gain[0], Chance(0.5) ? -random_.LogUniform(1e-3, 1e4) : 0.0};
    if (Chance(0.3))
      actuator.dynamics = ActuatorDynamics::kFilter, actuator.time_constant = random_.LogUniform(1e-3, 1.0);
    if (Chance(0.3))
      actuator.force_lower = -random_.LogUniform(1e-3, 1e3),
      actuator.force_upper = random_.LogUniform(1e-3, 1e3);
    if (Chance(0.5)) actuator.ctrl_lower = -1.0, actuator.ctrl_upper = 1.0;
  }

  // An element that the builder refuses is left out; what makes a model impossible comes to light in Build().
  template <typename Add>
  void TryAdd(const Add& add) {
    try {
      add();
    } catch (const ModelError&) {
    }
  }

  State MakeState(const Model& model) {
    State state = State::Default(model);
    if (Chance(0.5)) {
      const double step = Chance(0.5) ? 1.0 : size_;
      IntegrateConfiguration(model, step * random_.NormalVector(model.nv()), 1.0, state.q);
    }
    if (Chance(0.7)) {
      const double speed = Speed();
      state.v = speed * random_.NormalVector(model.nv()).cwiseMin(1.0).cwiseMax(-1.0);
    }
    return state;
  }

  RandomNumbers random_;
  RandomNumbers motors_;
  ModelBuilder builder_;
  bool is_passive_ = false, is_frictionless_ = false;
  double size_ = 1.0, mass_ = 1.0, spread_ = 1.0;
  std::vector<int> bodies_, scalar_joints_, tendons_;
};

}  // namespace

std::optional<RandomWorld> MakeRandomWorld(std::uint64_t seed, std::string* refusal) {
  try {
    return seed < kArrangedWorlds ? WorldMaker(seed).Make() : MakeArrangedWorld(seed);
  } catch (const ModelError& error) {
    if (refusal) *refusal = error.what();
    return std::nullopt;
  }
}

void ChangeInput(const Model& model, RandomNumbers& random, Input& input) {
  for (double& u : input.ctrl) u = random.Index(3) == 0 ? random.Uniform(-2.0, 2.0) : u;
  if (random.Index(10) == 0)
    input.applied_generalized = random.LogUniform(1e-6, 1e4) * random.NormalVector(model.nv());
  if (random.Index(10) == 0) input.applied_generalized.setZero();
  for (int i = 0; i < model.num_mocap; ++i) input.mocap.segment<3>(7 * i) += 1e-3 * random.NormalVector(3);
}

}  // namespace stiction::fuzz
