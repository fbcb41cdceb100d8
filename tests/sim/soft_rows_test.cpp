// Contacts that give way: closed forms of both laws, and the spring and cylinder of [Castro 2022, §VI-B].

#include "sim/soft_rows.h"

#include <gtest/gtest.h>

#include "tests/support/scenes.h"

namespace stiction {
namespace {

using namespace stiction::testing;

constexpr double kBallRadius = 0.05;

// A ball of 1 kg that touches the plane; both give way by the same law.
Model MakeSoftBall(ContactModel model, double friction, const Geom& law = {}) {
  ModelBuilder builder("ball");
  builder.options().contact_model = model;
  Geom plane = law, ball = law;
  plane.shape = Plane{};
  ball.shape = Sphere{kBallRadius};
  plane.friction = ball.friction = friction;
  ball.body = builder.AddBody({.X_PB = Shift(0, 0, kBallRadius)});
  builder.AddJoint(ball.body, {.kind = FreeJoint{}});
  builder.AddGeom(plane);
  builder.AddGeom(ball, {.mass = 1.0});
  return builder.Build();
}

void RunToTime(World& world, double time) {
  while (world.time() < time - 0.5 * world.timestep()) {
    const StepReport& report = world.Step();
    ASSERT_EQ(report.status, StepStatus::kOk);
    ASSERT_LE(report.certificate.ncp_max, 1e-8);
  }
}

WorldOptions At(double dt) {
  WorldOptions options;
  options.timestep = dt;
  return options;
}

TEST(CompliantContact, BallSinksByItsWeightOverTheStiffness) {
  const double k = 5e3;  // of the pair
  World world(MakeSoftBall(ContactModel::kCompliant, 0.5, {.stiffness = 2 * k, .dissipation_time = 0.02}));
  RunToTime(world, 3.0);
  EXPECT_NEAR(kBallRadius - world.q()[2], kGravity / k, 1e-9);
  EXPECT_LT(world.v().norm(), 1e-8);
  EXPECT_NEAR(world.report().penetration, kGravity / k, 1e-9);
}

TEST(CompliantContact, OscillationHasThePeriodOfTheSpring) {
  const double k = 1e4, dt = 1e-4;
  World world(MakeSoftBall(ContactModel::kCompliant, 0.5, {.stiffness = 2 * k}), At(dt));
  State state = world.state();
  state.q[2] = kBallRadius - 1.5 * kGravity / k;  // half the static depth beyond it: never leaves the plane
  world.set_state(state);
  double first = 0.0, last = 0.0;
  int crossings = 0;
  while (world.time() < 1.0) {
    const double before = world.q()[2] - kBallRadius + kGravity / k;
    world.Step();
    const double after = world.q()[2] - kBallRadius + kGravity / k;
    if (!(before < 0.0 && after >= 0.0)) continue;
    last = world.time() - dt * after / (after - before);
    if (crossings++ == 0) first = last;
  }
  ASSERT_GE(crossings, 10);
  EXPECT_NEAR((last - first) / (crossings - 1), 2 * kPi / std::sqrt(k), 1e-5);
}

TEST(CompliantContact, SlidingDoesNotLift) {
  const double k = 1e4, tau = 0.02, friction = 0.5;
  ModelBuilder builder("slide");
  builder.options().contact_model = ContactModel::kCompliant;
  const Geom law{.friction = friction, .stiffness = 2 * k, .dissipation_time = tau};
  Geom plane = law, ball = law;
  plane.shape = Plane{};
  ball.shape = Sphere{kBallRadius};
  ball.body = builder.AddBody({.X_PB = Shift(0, 0, kBallRadius - kGravity / k)});
  // No rotation: the ball slides.
  for (const Vector3d& axis : {Vector3d(1, 0, 0), Vector3d(0, 0, 1)})
    builder.AddJoint(ball.body, {.kind = SlideJoint{.axis_B = axis}});
  builder.AddGeom(plane);
  builder.AddGeom(ball, {.mass = 1.0});
  World world(builder.Build(), At(0.01));
  State state = world.state();
  state.v[0] = 2.0;
  world.set_state(state);
  RunToTime(world, 0.2);
  // Convexified friction would carry the ball (dt + τ_d) μ |v_t| higher, 2 cm.
  EXPECT_NEAR(world.q()[1], -kGravity / k + kGravity / k, 1e-9);
  EXPECT_NEAR(world.v()[0], 2.0 - friction * kGravity * 0.2, 1e-9);
}

TEST(CompliantContact, WithoutStiffnessContactsStayRigid) {
  World rigid(MakeSoftBall(ContactModel::kRigid, 0.5)),
      compliant(MakeSoftBall(ContactModel::kCompliant, 0.5));
  for (World* world : {&rigid, &compliant}) {
    State state = world->state();
    state.q[2] += 0.1;
    state.v[0] = 0.3;
    world->set_state(state);
    RunToTime(*world, 1.0);
  }
  EXPECT_EQ(Hash(rigid.state()), Hash(compliant.state()));
}

TEST(SoftContact, ImpedanceFollowsItsCurve) {
  const Softness softness{.reference = {0.02, 1.0}, .impedance = {0.8, 0.96, 0.01, 0.4, 3.0}};
  EXPECT_DOUBLE_EQ(CalcImpedance(softness, 0.0), 0.8);
  EXPECT_DOUBLE_EQ(CalcImpedance(softness, -0.01), 0.96);
  EXPECT_DOUBLE_EQ(CalcImpedance(softness, -1.0), 0.96);
  EXPECT_NEAR(CalcImpedance(softness, -0.004), 0.8 + 0.4 * 0.16, 1e-15);  // both branches meet there
  EXPECT_NEAR(CalcImpedance(softness, -0.002), 0.8 + 0.008 / 0.16 * 0.16, 1e-15);
  EXPECT_NEAR(CalcImpedance(softness, -0.008), 0.8 + (1.0 - 0.008 / 0.36) * 0.16, 1e-15);
}

TEST(SoftContact, BallSinksToTheRestDepthOfItsReference) {
  // At rest (1 − d) g = d k φ with k = d/(d_w T ζ)²: constant impedance, so that φ is explicit.
  const double d = 0.9, T = 0.03, zeta = 0.8;
  const Geom law{.softness = {.reference = {T, zeta}, .impedance = {d, d, 0.001, 0.5, 2.0}}};
  World world(MakeSoftBall(ContactModel::kSoft, 0.5, law));
  RunToTime(world, 2.0);
  const double k = d / std::pow(d * T * zeta, 2);
  const double depth = (1.0 - d) * kGravity / (d * k);
  EXPECT_NEAR(kBallRadius - world.q()[2], depth, 1e-9);
  ASSERT_GT(depth, 1e-5);
}

TEST(SoftContact, RowAloneEndsBetweenFreeAndReferenceVelocity) {
  const double d = 0.7, T = 0.05, dt = 0.002, depth = 1e-3, fall = -0.2;
  const Geom law{.softness = {.reference = {T, 1.0}, .impedance = {d, d, 0.001, 0.5, 2.0}}};
  World world(MakeSoftBall(ContactModel::kSoft, 0.0, law), At(dt));
  State state = world.state();
  state.q[2] = kBallRadius - depth;
  state.v[2] = fall;
  world.set_state(state);
  world.Step();
  const double b = 2.0 / (d * T), k = d / std::pow(d * T, 2);
  const double reference = fall + dt * (-b * fall + k * depth);
  EXPECT_NEAR(world.v()[2], (1.0 - d) * (fall - dt * kGravity) + d * reference, 1e-12);
}

TEST(SoftContact, DirectStiffnessAndDampingActLikeTheirTimeConstant) {
  const double T = 0.04, zeta = 0.6;
  const Softness by_time{.reference = {T, zeta}};
  const Softness direct{.reference = {-1.0 / (T * T * zeta * zeta), -2.0 / T}};
  for (const double gap : {-1e-4, -3e-3}) {
    const SoftRow a = CalcSoftGapRow(by_time, gap, -0.1, 0.5, 0.002);
    const SoftRow b = CalcSoftGapRow(direct, gap, -0.1, 0.5, 0.002);
    EXPECT_NEAR(a.e, b.e, 1e-14);
    EXPECT_EQ(a.R, b.R);
  }
}

// A mass of 2 kg on a vertical slide.
int AddHungMass(ModelBuilder& builder, const Joint& joint) {
  const int body = builder.AddBody({});
  Joint slide = joint;
  slide.kind = SlideJoint{};
  builder.AddJoint(body, slide);
  builder.AddGeom({.body = body, .shape = Sphere{0.05}, .contype = 0, .conaffinity = 0}, {.mass = 2.0});
  return body;
}

constexpr double kRowImpedance = 0.9, kTime = 0.03, kDamping = 0.8;
const Softness kEven{.reference = {kTime, kDamping},
                     .impedance = {kRowImpedance, kRowImpedance, 0.001, 0.5, 2.0}};
// Error at which a row of this softness carries the weight of what hangs at it alone: (1 − d) g = d k φ.
double RestError() {
  const double k = kRowImpedance / std::pow(kRowImpedance * kTime * kDamping, 2);
  return (1.0 - kRowImpedance) * kGravity / (kRowImpedance * k);
}

TEST(SoftLimit, SinksToTheRestDepthOfItsReference) {
  ModelBuilder builder("limit");
  AddHungMass(builder, {.lower = -0.1, .limit_softness = kEven});
  World world(builder.Build());
  RunToTime(world, 3.0);
  EXPECT_NEAR(world.q()[0], -0.1 - RestError(), 1e-9);
  ASSERT_GT(RestError(), 1e-5);
}

TEST(SoftEquality, HangsByTheRestErrorAndIsNoLoop) {
  ModelBuilder builder("equality");
  const int body = AddHungMass(builder, {});
  Equality point{.name = "held", .kind = FrameLock{.a = {.body = 0}, .b = {.body = body}}, .softness = kEven};
  std::get<FrameLock>(point.kind).locked = {false, false, false, true, true, true};
  builder.AddEquality(point);
  World world(builder.Build());
  RunToTime(world, 3.0);
  // All three rows are of the one dof, so that the other two carry nothing.
  EXPECT_NEAR(world.q()[0], -RestError(), 1e-9);
  EXPECT_EQ(world.report().loop, 0.0);
  EXPECT_EQ(world.report().num_equality_rows, 3);
}

TEST(SoftEquality, ExactOnesBesideItStayExact) {
  ModelBuilder builder("both");
  AddHungMass(builder, {.name = "a"});
  AddHungMass(builder, {.name = "b"});
  builder.AddEquality({.name = "coupled", .kind = JointPolynomial{.joint = 0, .of_joint = 1}});
  builder.AddEquality(
      {.name = "held", .kind = JointPolynomial{.joint = 0, .coefficients = {0.2}}, .softness = kEven});
  World world(builder.Build());
  RunToTime(world, 3.0);
  EXPECT_NEAR(world.q()[0], world.q()[1], 1e-12);
  // Its compliance goes by the mass of the one joint, its load is the weight of both.
  EXPECT_NEAR(world.q()[0], 0.2 - 2.0 * RestError(), 1e-9);
  EXPECT_LT(world.report().loop, 1e-12);
}

// A cylinder of 0.5 kg rolls (or slides) on compliant ground at a horizontal spring of 100 N/m.
class SpringCylinder {
 public:
  static constexpr double kMass = 0.5, kSpring = 100.0, kStart = 0.1, kGround = 1e4;

  SpringCylinder(Integrator integrator, double friction, double dt)
      : friction_(friction), world_(Make(friction), OptionsFor(integrator, dt)) {
    State state = world_.state();
    state.q[0] = kStart;
    state.q[1] = -kMass * kGravity / kGround;
    world_.set_state(state);
  }

  // The contact acts halfway between the two surfaces, which overlap by the static depth: the cylinder rolls
  // on a circle that is smaller by half of it.
  double omega() const {
    const double radius = kBallRadius - 0.5 * kMass * kGravity / kGround;
    const double rolling = friction_ > 0.0 ? 0.5 * kMass * std::pow(kBallRadius / radius, 2) : 0.0;
    return std::sqrt(kSpring / (kMass + rolling));
  }
  double Energy() const {
    const VectorXd &q = world_.q(), &v = world_.v();
    const double inertia = 0.5 * kMass * kBallRadius * kBallRadius;
    return 0.5 * (kMass * v[0] * v[0] + inertia * v[2] * v[2] + kSpring * q[0] * q[0]);
  }
  World& world() { return world_; }

  // (largest − least energy)/initial energy up to `time`.
  double CalcBand(double time) {
    const double start = Energy();
    double low = start, high = start;
    while (world_.time() < time) {
      EXPECT_EQ(world_.Step().status, StepStatus::kOk);
      low = std::min(low, Energy());
      high = std::max(high, Energy());
    }
    return (high - low) / start;
  }

  // Root of the mean squared deviation from the exact cosine over 5 s [m].
  double CalcError() {
    double sum = 0.0;
    int count = 0;
    while (world_.time() < 5.0) {
      EXPECT_EQ(world_.Step().status, StepStatus::kOk);
      const double error = world_.q()[0] - kStart * std::cos(omega() * world_.time());
      sum += error * error;
      ++count;
    }
    return std::sqrt(sum / count);
  }

 private:
  static Model Make(double friction) {
    ModelBuilder builder("spring_cylinder");
    builder.options().contact_model = ContactModel::kCompliant;
    // Two points of contact carry half each.
    const Geom law{.friction = friction, .stiffness = kGround, .dissipation_time = 0.02};
    Geom plane = law, cylinder = law;
    plane.shape = Plane{};
    cylinder.shape = Cylinder{kBallRadius, 0.05};
    cylinder.X_BG = Turn(kPi / 2, Vector3d::UnitX());
    cylinder.body = builder.AddBody({.X_PB = Shift(0, 0, kBallRadius)});
    builder.AddJoint(cylinder.body, {.kind = SlideJoint{.axis_B = Vector3d::UnitX()}, .stiffness = kSpring});
    builder.AddJoint(cylinder.body, {.kind = SlideJoint{.axis_B = Vector3d::UnitZ()}});
    builder.AddJoint(cylinder.body, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
    builder.AddGeom(plane);
    builder.AddGeom(cylinder, {.mass = kMass});
    return builder.Build();
  }
  static WorldOptions OptionsFor(Integrator integrator, double dt) {
    WorldOptions options;
    options.timestep = dt;
    options.integrator = integrator;
    // Where the cylinder turns round, rounding decides whether the slip memory counts what it has moved as
    // rolling.
    options.solver_options = {{"tolerance", "1e-12"}};
    return options;
  }

  double friction_;
  World world_;
};

TEST(SpringCylinder, EnergyBandsWithoutFriction) {
  EXPECT_LT(SpringCylinder(Integrator::kMidpoint, 0.0, 0.02).CalcBand(3.0), 1e-9);
  EXPECT_NEAR(SpringCylinder(Integrator::kSymplecticEuler, 0.0, 0.02).CalcBand(3.0), 0.289, 0.02);
  SpringCylinder implicit(Integrator::kImplicitEuler, 0.0, 0.02);
  const double start = implicit.Energy();
  implicit.CalcBand(3.0);
  EXPECT_LT(implicit.Energy(), 1e-4 * start);
}

TEST(SpringCylinder, EnergyBandsWhileRolling) {
  EXPECT_LT(SpringCylinder(Integrator::kMidpoint, 1.0, 0.02).CalcBand(3.0), 0.0016);
  EXPECT_NEAR(SpringCylinder(Integrator::kSymplecticEuler, 1.0, 0.02).CalcBand(3.0), 0.235, 0.02);
}

TEST(SpringCylinder, OrdersOfConvergence) {
  const auto order = [](Integrator scheme, double dt) {
    const double coarse = SpringCylinder(scheme, 1.0, dt).CalcError();
    return std::log2(coarse / SpringCylinder(scheme, 1.0, dt / 2).CalcError());
  };
  EXPECT_NEAR(order(Integrator::kMidpoint, 0.01), 2.0, 0.1);
  EXPECT_NEAR(order(Integrator::kMidpoint, 0.00125), 2.0, 0.1);
  EXPECT_NEAR(order(Integrator::kSymplecticEuler, 0.0025), 1.0, 0.1);
  EXPECT_NEAR(order(Integrator::kExplicitEuler, 0.000625), 1.0, 0.1);
  EXPECT_NEAR(order(Integrator::kImplicitEuler, 0.000625), 1.0, 0.12);
}

TEST(SpringCylinder, ErrorsAreThoseOfTheReferenceStudy) {
  // Measured with another implementation of the same schemes, at 20 and 5 ms.
  EXPECT_NEAR(SpringCylinder(Integrator::kMidpoint, 1.0, 0.02).CalcError(), 1.03e-2, 0.1e-2);
  EXPECT_NEAR(SpringCylinder(Integrator::kMidpoint, 1.0, 0.005).CalcError(), 6.48e-4, 0.5e-4);
  EXPECT_NEAR(SpringCylinder(Integrator::kImplicitEuler, 1.0, 0.02).CalcError(), 6.24e-2, 0.3e-2);
  EXPECT_NEAR(SpringCylinder(Integrator::kSymplecticEuler, 1.0, 0.02).CalcError(), 1.30e-2, 0.2e-2);
}

}  // namespace
}  // namespace stiction
