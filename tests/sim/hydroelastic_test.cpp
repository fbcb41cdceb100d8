// Bodies that rest, fall and turn on patches of pressure, against closed forms.
#include <gtest/gtest.h>

#include "stiction/contact/registry.h"
#include "tests/support/scenes.h"

namespace stiction {
namespace {

using namespace stiction::testing;

constexpr double kModulus = 1e5;  // [Pa]

Hydroelastic Soft(double modulus = kModulus, double dissipation = 0.0, int polygons = 16) {
  return {.modulus = modulus, .dissipation_time = dissipation, .max_polygons = polygons};
}

// A body of 1 kg on a free joint, its lowest point `height` above z = 0.
void AddSoftBody(ModelBuilder& builder, const Shape& shape, const Hydroelastic& soft, double height,
                 const RigidTransform& X_WB = {}, double friction = 0.5) {
  RigidTransform X = X_WB;
  X.p.z() += CalcBoundingHalfExtents(shape, X.R).z() + height;
  const int body = builder.AddBody({.X_PB = X});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  builder.AddGeom({.body = body, .shape = shape, .friction = friction, .hydroelastic = soft}, {.mass = 1.0});
}

Model MakeSoftScene(const Shape& shape, const Hydroelastic& soft, double height, double friction = 0.5) {
  ModelBuilder builder("soft");
  builder.AddGeom({.shape = Plane{}, .friction = friction});
  AddSoftBody(builder, shape, soft, height, {}, friction);
  return builder.Build();
}

// The depth at which a force that grows with it is that of 1 kg.
template <typename Force>
double FindRestDepth(double most, const Force& force) {
  double lower = 0.0, upper = most;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (lower + upper);
    (force(middle) < kGravity ? lower : upper) = middle;
  }
  return lower;
}

// E/H min(d, distance to the sides) over a square.
double CalcSquareForce(double slope, double d, double side) {
  return slope * (d * side * side - 2.0 * d * d * side + 4.0 / 3.0 * d * d * d);
}

void Rest(World& world, double time) {
  while (world.time() < time) {
    const StepReport& report = world.Step();
    ASSERT_EQ(report.status, StepStatus::kOk);
    ASSERT_LE(report.certificate.ncp_max, 1e-8);
  }
}

TEST(Hydroelastic, BodiesRestAsDeepAsTheirPressureSays) {
  const double H = 0.03, R = 0.05;
  World box(MakeSoftScene(Box{{0.05, 0.05, H}}, Soft(kModulus, 0.05), 0.0));
  Rest(box, 2.0);
  const double d_box = FindRestDepth(H, [&](double d) { return CalcSquareForce(kModulus / H, d, 0.1); });
  EXPECT_NEAR(H - box.q()[2], d_box, 1e-9);
  EXPECT_NEAR(d_box, kGravity * H / (kModulus * 0.01), 0.01 * d_box);  // m g = E A d/H, but for the rim
  World ball(MakeSoftScene(Sphere{R}, Soft(kModulus, 0.05), 0.0));
  Rest(ball, 2.0);
  const double d_ball =
      FindRestDepth(R, [&](double d) { return kPi * kModulus * d * d * (1.0 - 2.0 / 3.0 * d / R); });
  EXPECT_NEAR((R - ball.q()[2]) / d_ball, 1.0, 5e-4);
  EXPECT_LT(ball.v().norm(), 1e-6);  // rolls, by what is certified to 1e-8 m/s
}

TEST(Hydroelastic, TwoSoftBoxesAreSpringsInSeries) {
  ModelBuilder builder("series");
  // Smooth: friction on the tilted rim of the patch would carry some of the weight.
  builder.AddGeom({.shape = Box{{0.2, 0.2, 0.04}}, .friction = 0.0, .hydroelastic = Soft(2e5, 0.05)});
  AddSoftBody(builder, Box{{0.05, 0.05, 0.05}}, Soft(kModulus, 0.05), 0.0, Shift(0, 0, 0.04), 0.0);
  World world(builder.Build());
  Rest(world, 2.0);
  const double g1 = kModulus / 0.05, g2 = 2e5 / 0.04, g = g1 * g2 / (g1 + g2);
  // Near its sides the upper box is as soft as it is thin there.
  const double depth = FindRestDepth(0.05, [&](double d) { return CalcSquareForce(g1, d * g / g1, 0.1); });
  EXPECT_NEAR(0.09 - world.q()[2], depth, 1e-9);
}

// What the contacts gave is the momentum that the ball has, with that of its weight.
TEST(Hydroelastic, ImpulseOfADropBalances) {
  World world(MakeSoftScene(Sphere{0.05}, Soft(kModulus, 0.01), 0.1));
  double impulse = 0.0, most = 0.0;
  while (world.time() < 1.0) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk);
    for (const Contact& contact : world.contacts()) impulse += contact.impulse_W.z();
    most = std::max(most, world.report().penetration);
    EXPECT_NEAR(world.v()[2], impulse - kGravity * world.time(), 1e-10);
  }
  EXPECT_GT(most, 5e-3);
  EXPECT_LT(std::abs(world.v()[2]), 0.1);  // it has come down
}

// A square that spins is braked by μ ∫ p r dA = 0.38260 μ F a.
TEST(Hydroelastic, APatchResistsTorsion) {
  const double friction = 0.5, a = 0.1, H = 0.01;
  const double lever = a * (std::sqrt(2.0) + std::log(1.0 + std::sqrt(2.0))) / 6.0;
  const double inertia = a * a / 6.0;
  for (const auto& [polygons, error] : {std::pair(16, 0.04), {256, 2.5e-3}}) {
    World world(MakeSoftScene(Box{{0.5 * a, 0.5 * a, H}}, Soft(1e7, 0.01, polygons), 0.0, friction));
    Rest(world, 0.3);
    State state = world.state();
    state.v[5] = 20.0;
    world.set_state(state);
    const double start = world.time();
    Rest(world, start + 0.1);
    const double braking = (20.0 - world.v()[5]) / (world.time() - start);
    EXPECT_NEAR(braking * inertia / (friction * kGravity * lever), 1.0, error) << polygons;
  }
}

// A slope below the friction angle, and a load beside the middle: nothing creeps.
TEST(Hydroelastic, StickingPatchesDoNotCreep) {
  ModelBuilder builder("slope");
  builder.options().gravity = kGravity * Vector3d(std::sin(0.4), 0, -std::cos(0.4));
  builder.AddGeom({.shape = Plane{}, .friction = 0.5});
  AddSoftBody(builder, Box{{0.05, 0.05, 0.02}}, Soft(kModulus, 0.02), 0.0);
  World world(builder.Build());
  Rest(world, 1.0);
  const VectorXd before = world.q();
  Rest(world, 3.0);
  EXPECT_LT((world.q() - before).norm(), 1e-8);
}

TEST(Hydroelastic, EverySolverHoldsTheBall) {
  double reference = 0.0;
  int num_late = 0;  // who say so themselves: jacobi and psor, whose steps suit the stiffest row
  for (const SolverEntry& entry : ListSolvers()) {
    World world(MakeSoftScene(Sphere{0.05}, Soft(kModulus, 0.05, 9), 0.0), {.solver = entry.name});
    for (int i = 0; i < 300; ++i) ASSERT_NE(world.Step().status, StepStatus::kDiverged) << entry.name;
    if (reference == 0.0) reference = world.q()[2];
    if (!world.report().is_converged) {
      ++num_late;
      continue;
    }
    EXPECT_NEAR(world.q()[2], reference, 5e-5) << entry.name;
  }
  EXPECT_LE(num_late, 2);
}

// Two soft pads on slides, and between them a bar of 30 g whose mass centre lies 3 cm beside them.
Model MakeSlipGripper() {
  ModelBuilder builder("slip");
  builder.options().timestep = 0.005;
  for (const double side : {1.0, -1.0}) {
    const int pad = builder.AddBody({.X_PB = Shift(0, 0.021 * side, 0.3)});
    builder.AddJoint(pad, {.kind = SlideJoint{.axis_B = -side * Vector3d::UnitY()}});
    builder.AddGeom({.body = pad,
                     .shape = Ellipsoid{{0.035, 0.015, 0.035}},
                     .friction = 0.6,
                     .hydroelastic = Soft(1e5, 0.05, 25)},
                    {.mass = 0.1});
  }
  const int bar = builder.AddBody({.X_PB = Shift(0, 0, 0.3)});
  builder.AddJoint(bar, {.kind = FreeJoint{}});
  builder.AddGeom({.body = bar, .shape = Box{{0.06, 0.006, 0.03}}, .friction = 0.6}, {.mass = 0.02});
  builder.AddGeom({.body = bar, .shape = Sphere{0.01}, .X_BG = Shift(0.09, 0, 0)}, {.mass = 0.01});
  return builder.Build();
}

// [Castro 2022, §VI-D]: the moment of its weight, 0.0088 N·m, is a tenth of what friction over the patches
// can take at 16 N, and more than it can at 1 N: 16/15 μ F a with a² = 2 R d, R = 0.035²/0.015 and F = π E R
// d²/H.
TEST(Hydroelastic, ABarPitchesOnlyWhileTheGripIsLoose) {
  for (const char* solver : {"auto", "sap"}) {
    const bool is_sap = std::string_view(solver) == "sap";
    WorldOptions options{.solver = solver};
    if (is_sap) options.solver_options = {{"relative", "1e-3"}};
    World world(MakeSlipGripper(), options);
    int iterations = 0;  // of the last stretch
    const auto pitch_after = [&](double grip, double time) {
      iterations = 0;
      for (double& force : world.input().applied_generalized.head<2>()) force = grip;
      const double end = world.time() + time;
      while (world.time() < end - 1e-9) {
        EXPECT_NE(world.Step().status, StepStatus::kDiverged);
        iterations += world.report().solve.newton_steps;
      }
      const Matrix3d& R = world.body_poses()[3].R;
      return std::atan2(R(0, 2), R(0, 0));
    };
    // SAP's sticking contacts creep by σ μ g dt at most: 3e-5 m/s, an hundredth of a metre beside the axis.
    const double creep = is_sap ? 6e-4 : 1e-6;
    const double held = pitch_after(16.0, 0.6), kept = pitch_after(16.0, 0.2);
    EXPECT_NEAR(kept, held, creep) << solver;
    if (is_sap) {
      EXPECT_LE(iterations, 8);  // of 40 steps: it keeps its velocity
    }
    const double loose = pitch_after(1.0, 0.25);
    EXPECT_GT(loose - kept, 0.05) << solver;
    EXPECT_LT(loose - kept, 1.6) << solver;
    const double caught = pitch_after(16.0, 0.4);
    EXPECT_NEAR(pitch_after(16.0, 0.2), caught, creep) << solver;
  }
}

Model MakeSoftPile() {
  ModelBuilder builder("soft heap");
  builder.AddGeom({.shape = Plane{}});
  const Shape shapes[] = {Box{{0.05, 0.04, 0.03}}, Sphere{0.04}, Capsule{0.03, 0.04}, Cylinder{0.04, 0.03},
                          Ellipsoid{{0.03, 0.04, 0.05}}};
  for (int i = 0; i < 20; ++i) {
    const Hydroelastic soft = i % 4 == 3 ? Hydroelastic{} : Soft(1e5, 0.02, 4);
    const RigidTransform X =
        Turn(0.3 * i, Vector3d(1, i, 2).normalized(), Vector3d(0.11 * (i % 3), 0.1 * (i % 2), 0.05 * i));
    AddSoftBody(builder, shapes[i % 5], soft, 0.0, X);
  }
  return builder.Build();
}

TEST(Hydroelastic, ThreadsDoNotChangeABit) {
  std::uint64_t first = 0;
  for (const int threads : {1, 2, 3}) {
    World world(MakeSoftPile(), {.num_threads = threads});
    for (int i = 0; i < 100; ++i) world.Step();
    if (threads == 1) first = Hash(world.state());
    EXPECT_EQ(Hash(world.state()), first) << threads;
  }
}

TEST(Hydroelastic, RefusesWhatCannotBe) {
  const auto refused = [](const Shape& shape, const Hydroelastic& soft) {
    try {
      MakeSoftScene(shape, soft, 0.0);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused(Sphere{0.1}, Soft(0.0)).find("modulus must be positive"), std::string::npos);
  EXPECT_NE(refused(Sphere{0.1}, Soft(1e5, -1.0)).find("dissipation"), std::string::npos);
  EXPECT_NE(refused(Sphere{0.1}, Soft(1e5, 0.0, 0)).find("polygons"), std::string::npos);
  ModelBuilder builder("plane");
  EXPECT_THROW(builder.AddGeom({.shape = Plane{}, .hydroelastic = Soft()}), ModelError);
}

}  // namespace
}  // namespace stiction
