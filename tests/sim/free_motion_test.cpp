// The motion without impulses alone, by each integrator.
#include "sim/free_motion.h"

#include <gtest/gtest.h>

#include "tests/support/scenes.h"
#include "tests/support/step_start.h"

namespace stiction::testing {
namespace {

// The stage on a start of its own, and what it answers.
struct FreeMotionAlone {
  FreeMotionAlone(Model model, Integrator scheme, double dt)
      : start(std::move(model), dt), motion(start.model, start.pattern) {
    start.scheme = scheme;
    motion.set_integrator(start.model, scheme);
    InitializeProblem(start.model, start.pattern, problem);
  }
  bool Calc() {
    start.Compute();
    motion.Refresh(start.kin);
    return motion.Calc(start.model, start.input, start.state, start.frame(), {loops, probe}, problem,
                       bad_body);
  }
  // Where the step leads where no impulse acts.
  VectorXd CalcAdvance() {
    Solution solution;
    solution.v = problem.v_star;
    VectorXd advance;
    motion.CalcAdvance(start.frame(), problem, solution, advance);
    return advance;
  }

  StepStart start;
  FreeMotion motion;
  EqualityStage loops;
  Kinematics probe;
  ContactProblem problem;
  int bad_body = -1;
};

constexpr double kOscillatorMass = 2.0, kOscillatorStep = 0.01, kOscillatorStart = 0.3,
                 kOscillatorSpeed = -0.7;

Model MakeOscillator(double stiffness, double damping) {
  ModelBuilder builder("oscillator");
  builder.options().gravity.setZero();
  const int body = builder.AddBody({.inertia = CalcSolidMassProperties(Sphere{0.1}, kOscillatorMass)});
  builder.AddJoint(body, {.kind = SlideJoint{}, .stiffness = stiffness, .damping = damping});
  return builder.Build();
}

// A mass on a slide, 0.3 m out at −0.7 m/s.
struct Oscillator : FreeMotionAlone {
  Oscillator(Integrator scheme, double stiffness, double damping)
      : FreeMotionAlone(MakeOscillator(stiffness, damping), scheme, kOscillatorStep) {
    start.state.q[0] = kOscillatorStart;
    start.state.v[0] = kOscillatorSpeed;
    EXPECT_TRUE(Calc());
  }
};

// A soft spring, ω dt = 0.22, is explicit by symplectic Euler, and its damper implicit.
TEST(FreeMotion, SymplecticEulerOfASoftSpring) {
  const double k = 1000.0, b = 3.0;
  Oscillator motion(Integrator::kSymplecticEuler, k, b);
  const double v = (kOscillatorMass * kOscillatorSpeed - kOscillatorStep * k * kOscillatorStart) /
                   (kOscillatorMass + kOscillatorStep * b);
  EXPECT_NEAR(motion.problem.v_star[0], v, 1e-13);
  EXPECT_NEAR(motion.CalcAdvance()[0], kOscillatorStep * v, 1e-15);
  EXPECT_NEAR(motion.problem.A.diagonal(0), kOscillatorMass + kOscillatorStep * b, 1e-13);
  EXPECT_EQ(motion.motion.foreseen()[0], kOscillatorStep * kOscillatorSpeed);
}

TEST(FreeMotion, SymplecticEulerOfAStiffSpring) {
  const double k = 1e6, b = 3.0;
  Oscillator motion(Integrator::kSymplecticEuler, k, b);
  const double A = kOscillatorMass + kOscillatorStep * b + kOscillatorStep * kOscillatorStep * k;
  EXPECT_NEAR(motion.problem.v_star[0],
              (kOscillatorMass * kOscillatorSpeed - kOscillatorStep * k * kOscillatorStart) / A, 1e-12);
  EXPECT_NEAR(motion.problem.A.diagonal(0), A, 1e-12);
}

TEST(FreeMotion, ExplicitEulerOfAStiffSpring) {
  const double k = 1e6, b = 3.0;
  Oscillator motion(Integrator::kExplicitEuler, k, b);
  EXPECT_NEAR(
      motion.problem.v_star[0],
      kOscillatorSpeed - kOscillatorStep * (k * kOscillatorStart + b * kOscillatorSpeed) / kOscillatorMass,
      1e-9);
  EXPECT_EQ(motion.CalcAdvance()[0], kOscillatorStep * kOscillatorSpeed);
  EXPECT_EQ(motion.problem.A.diagonal(0), motion.motion.M().diagonal(0));
}

TEST(FreeMotion, ImplicitEulerOfASpring) {
  const double k = 1000.0, b = 3.0;
  Oscillator motion(Integrator::kImplicitEuler, k, b);
  const double v = (kOscillatorMass * kOscillatorSpeed - kOscillatorStep * k * kOscillatorStart) /
                   (kOscillatorMass + kOscillatorStep * b + kOscillatorStep * kOscillatorStep * k);
  EXPECT_NEAR(motion.problem.v_star[0], v, 1e-13);
  EXPECT_NEAR(motion.CalcAdvance()[0], kOscillatorStep * v, 1e-15);
}

TEST(FreeMotion, MidpointOfASpring) {
  const double k = 1000.0, h = 0.25 * kOscillatorStep * kOscillatorStep * k;
  Oscillator motion(Integrator::kMidpoint, k, 0.0);
  const double v = ((kOscillatorMass - h) * kOscillatorSpeed - kOscillatorStep * k * kOscillatorStart) /
                   (kOscillatorMass + h);
  EXPECT_NEAR(motion.problem.v_star[0], v, 1e-13);
  EXPECT_NEAR(motion.CalcAdvance()[0], 0.5 * kOscillatorStep * (v + kOscillatorSpeed), 1e-15);
  EXPECT_NEAR(motion.problem.A.diagonal(0), kOscillatorMass + h, 1e-13);
  // The middle is where the bilateral rows are.
  EXPECT_NEAR(motion.motion.row_q(motion.start.state)[0],
              kOscillatorStart + 0.25 * kOscillatorStep * (v + kOscillatorSpeed), 1e-15);
}

// The exact motion, but for the terms of fifth order: (ω dt)⁵/120 of a velocity ω x.
TEST(FreeMotion, RungeKuttaOfASpring) {
  const double k = 200.0, omega = std::sqrt(k / kOscillatorMass), phase = omega * kOscillatorStep;
  Oscillator motion(Integrator::kRungeKutta4, k, 0.0);
  const double v = kOscillatorSpeed * std::cos(phase) - omega * kOscillatorStart * std::sin(phase);
  const double q = kOscillatorStart * std::cos(phase) + kOscillatorSpeed / omega * std::sin(phase);
  const double size = std::pow(phase, 5) / 120.0 * (omega * kOscillatorStart + std::abs(kOscillatorSpeed));
  EXPECT_NEAR(motion.problem.v_star[0], v, 2.0 * size);
  EXPECT_NEAR(motion.CalcAdvance()[0], q - kOscillatorStart, 2.0 * size / omega);
  EXPECT_EQ(motion.problem.A.diagonal(0), motion.motion.M().diagonal(0));
}

Model MakeSpatialArm(bool has_limits = false) {
  ModelBuilder builder("arm");
  int parent = 0;
  for (int i = 0; i < 4; ++i) {
    const int link = builder.AddBody({.parent = parent, .X_PB = Shift(i == 0 ? 0 : 0.4, 0, 0)});
    builder.SetInertia(link,
                       Transform(Shift(0.2, 0, 0), CalcSolidMassProperties(Box{{0.2, 0.03, 0.02}}, 1.0 + i)));
    Joint joint{.kind = HingeJoint{.axis_B = Vector3d(i % 2, 1, 0.3)}};
    if (has_limits) joint.lower = -1.0, joint.upper = 1.0;
    builder.AddJoint(link, joint);
    parent = link;
  }
  return builder.Build();
}

// dt M⁻¹ (τ − h) of the fixture, at a velocity.
VectorXd CalcExplicitChange(FreeMotionAlone& motion, const VectorXd& v) {
  motion.start.state.v = v;
  motion.start.Compute();
  ContactProblem other;
  motion.start.Move(other);
  EXPECT_TRUE(motion.start.is_regular);
  return other.v_star - v;
}

// From rest two routes lead to one velocity: this stage, and M⁻¹ (τ − h) of the fixture.
TEST(FreeMotion, OfAnArmAtRestIsExplicit) {
  FreeMotionAlone motion(MakeSpatialArm(), Integrator::kSymplecticEuler, 0.004);
  motion.start.state.q << 0.3, -0.5, 0.9, 0.2;
  motion.start.input.applied_generalized << 0.5, 1.0, -2.0, 0.3;
  ASSERT_TRUE(motion.Calc());
  const VectorXd change = CalcExplicitChange(motion, VectorXd::Zero(4));
  EXPECT_LT((motion.problem.v_star - change).norm(), 1e-12 * change.norm());
}

// h is the mean of those of v and v*, but for terms of dt⁴; that of v alone is off by dt².
TEST(FreeMotion, OfAnArmThatMovesTakesTheMeanOfBothEnds) {
  const VectorXd v = Eigen::Vector4d(2.0, -1.0, 3.0, -4.0);
  const auto calc_errors = [&](double dt) {
    FreeMotionAlone motion(MakeSpatialArm(), Integrator::kSymplecticEuler, dt);
    motion.start.state.q << 0.3, -0.5, 0.9, 0.2;
    motion.start.state.v = v;
    motion.start.input.applied_generalized << 0.5, 1.0, -2.0, 0.3;
    EXPECT_TRUE(motion.Calc());
    const VectorXd v_star = motion.problem.v_star, start = CalcExplicitChange(motion, v),
                   end = CalcExplicitChange(motion, v_star);
    return std::pair((v_star - v - 0.5 * (start + end)).norm(), (v_star - v - start).norm());
  };
  const auto [mean, start] = calc_errors(0.016);
  const auto [fine_mean, fine_start] = calc_errors(0.008);
  EXPECT_NEAR(std::log2(mean / fine_mean), 4.0, 0.3);
  EXPECT_NEAR(std::log2(start / fine_start), 2.0, 0.3);
}

// What presses a limit is in v⁺ too, which is not known yet: h is that of v.
TEST(FreeMotion, OfAnArmAtALimitTakesTheBiasOfItsStart) {
  FreeMotionAlone motion(MakeSpatialArm(true), Integrator::kSymplecticEuler, 0.004);
  const VectorXd v = Eigen::Vector4d(2.0, -1.0, 3.0, -4.0);
  for (const double impulse : {0.0, 0.1}) {
    motion.start.state.q << 0.3, -0.5, 0.9, 0.2;
    motion.start.state.v = v;
    motion.start.state.limits.assign(motion.start.model.num_limits(), {});
    motion.start.state.limits[1].lower_impulse = impulse;
    ASSERT_TRUE(motion.Calc());
    const VectorXd v_star = motion.problem.v_star, start = CalcExplicitChange(motion, v);
    const double difference = (v_star - v - start).norm();
    EXPECT_EQ(difference > 1e-4, impulse == 0.0) << difference;
    EXPECT_EQ(difference < 1e-12, impulse != 0.0) << difference;
  }
}

// Sides do not change here, so that nothing else does: to the last bit.
TEST(FreeMotion, RepeatedIsTheSame) {
  FreeMotionAlone motion(MakeSpatialArm(), Integrator::kSymplecticEuler, 0.004);
  motion.start.state.v << 2.0, -1.0, 3.0, -4.0;
  ASSERT_TRUE(motion.Calc());
  const VectorXd v_star = motion.problem.v_star;
  ASSERT_TRUE(motion.motion.Repeat(motion.start.model, motion.start.input, motion.start.state,
                                   motion.start.frame(), motion.problem, motion.bad_body));
  EXPECT_EQ(motion.problem.v_star, v_star);
}

// Under the impulse of a solution the middle moves; what is left without the impulse is v* again.
TEST(FreeMotion, IsRefinedByImpulsesWhereItIsImplicit) {
  for (const Integrator scheme : {Integrator::kSymplecticEuler, Integrator::kMidpoint}) {
    FreeMotionAlone motion(MakeSpatialArm(), scheme, 0.004);
    motion.start.state.v << 2.0, -1.0, 3.0, -4.0;
    ASSERT_TRUE(motion.Calc());
    const VectorXd v_star = motion.problem.v_star;
    AddFrictionRow(motion.start.model, motion.start.pattern, 3, 1.0, motion.problem);
    Solution solution;
    solution.lambda = VectorXd::Zero(1);
    solution.v = v_star;
    const auto refine = [&] {
      return motion.motion.Refine(motion.start.model, motion.start.input, motion.start.state,
                                  motion.start.frame(), {motion.loops, motion.probe}, solution,
                                  motion.problem, motion.bad_body);
    };
    EXPECT_EQ(refine(), Refinement::kNotNeeded);
    EXPECT_EQ(motion.problem.v_star, v_star);
    if (scheme == Integrator::kSymplecticEuler) continue;
    solution.lambda[0] = 0.05;
    VectorXd change = VectorXd::Unit(4, 3) * solution.lambda[0];
    motion.motion.factor().Solve(change.data());
    solution.v = v_star + change;
    EXPECT_EQ(refine(), Refinement::kDone);
    const double moved = (motion.problem.v_star - v_star).norm();
    EXPECT_GT(moved, 1e-6);
    EXPECT_LT(moved, 0.1 * change.norm());
  }
}

TEST(FreeMotion, NamesTheBodyWhoseMassMatrixIsSingular) {
  for (const Integrator scheme :
       {Integrator::kSymplecticEuler, Integrator::kExplicitEuler, Integrator::kImplicitEuler,
        Integrator::kMidpoint, Integrator::kRungeKutta4}) {
    Model model = MakeSpatialArm();
    model.bodies[4].inertia = {};
    FreeMotionAlone motion(std::move(model), scheme, 0.004);
    EXPECT_FALSE(motion.Calc()) << ToString(scheme);
    EXPECT_EQ(motion.bad_body, 4) << ToString(scheme);
  }
}

}  // namespace
}  // namespace stiction::testing
