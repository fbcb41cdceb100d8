#include "stiction/dynamics/muscle.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/actuator_constants.h"
#include "stiction/model/model_builder.h"

namespace stiction {
namespace {

constexpr double kTight = 1e-14;  // a few roundings of numbers of size one

TEST(Muscle, ActiveForceIsOneAtTheOptimumAndHalfInTheMiddleOfItsFlanks) {
  const Muscle muscle{.lmin = 0.4, .lmax = 1.7};
  for (const auto& [L, value] : {std::pair(0.3, 0.0), std::pair(0.4, 0.0), std::pair(0.55, 0.125),
                                 std::pair(0.7, 0.5), std::pair(0.85, 0.875), std::pair(1.0, 1.0),
                                 std::pair(1.35, 0.5), std::pair(1.7, 0.0), std::pair(2.0, 0.0)})
    EXPECT_NEAR(EvaluateActiveLength(muscle, L).value, value, kTight) << L;
}

TEST(Muscle, ForceOverVelocityMeetsItsEnds) {
  const Muscle muscle{.fvmax = 1.4};
  for (const auto& [V, value] :
       {std::pair(-1.2, 0.0), std::pair(-1.0, 0.0), std::pair(-0.5, 0.25), std::pair(0.0, 1.0),
        std::pair(0.2, 1.3), std::pair(0.4, 1.4), std::pair(3.0, 1.4)})
    EXPECT_NEAR(EvaluateVelocity(muscle, V).value, value, kTight) << V;
  EXPECT_EQ(EvaluateVelocity({.fvmax = 1.0}, 0.1).value, 1.0) << "without a range to rise in";
}

TEST(Muscle, PassiveForceRisesFromTheOptimum) {
  const Muscle muscle{.lmax = 1.6, .fpmax = 1.3};
  for (const auto& [L, value] : {std::pair(0.9, 0.0), std::pair(1.0, 0.0), std::pair(1.15, 0.1625),
                                 std::pair(1.3, 0.65), std::pair(1.6, 1.95), std::pair(1.9, 3.25)})
    EXPECT_NEAR(EvaluatePassiveLength(muscle, L).value, value, kTight) << L;
}

// The two sides of each joint of the curves, too: all are continuously differentiable.
TEST(Muscle, SlopesAreTheDerivatives) {
  constexpr double kStep = 1e-6;
  const Muscle muscle{.lmin = 0.4, .lmax = 1.7, .fvmax = 1.4};
  double largest = 0.0;
  for (double x = -1.5; x < 2.5; x += 0.05) {
    for (const auto evaluate : {EvaluateActiveLength, EvaluateVelocity, EvaluatePassiveLength}) {
      const double rise = evaluate(muscle, x + kStep).value - evaluate(muscle, x - kStep).value;
      // A curvature of up to 23 jumps where pieces meet: kStep times it.
      EXPECT_NEAR(evaluate(muscle, x).slope, rise / (2.0 * kStep), 3e-5) << x;
      largest = std::max(largest, std::abs(evaluate(muscle, x).slope));
    }
  }
  EXPECT_GT(largest, 2.0) << "not all flat";
}

TEST(Muscle, GainAndBiasHaveTheirSlopesOverLengthAndRate) {
  constexpr double kStep = 1e-6;
  const Muscle muscle;
  const MuscleScale scale{.fibre_length = 0.7, .start = 0.2, .peak_force = 300.0};
  for (const double length : {0.25, 0.3, 0.45, 0.7}) {
    for (const double rate : {-0.8, -0.1, 0.05, 0.3}) {
      const auto gain = [&](double l, double r) { return CalcMuscleGain(muscle, scale, l, r).value; };
      const ActuatorForce f = CalcMuscleGain(muscle, scale, length, rate);
      EXPECT_NEAR(f.length_slope, (gain(length + kStep, rate) - gain(length - kStep, rate)) / (2.0 * kStep),
                  0.02);
      EXPECT_NEAR(f.rate_slope, (gain(length, rate + kStep) - gain(length, rate - kStep)) / (2.0 * kStep),
                  0.02);
      EXPECT_LE(f.value, 0.0) << "muscles pull";
      EXPECT_LE(f.rate_slope, 0.0) << "and resist the motion";
    }
    const auto bias = [&](double l) { return CalcMuscleBias(muscle, scale, l).value; };
    EXPECT_NEAR(CalcMuscleBias(muscle, scale, length).length_slope,
                (bias(length + kStep) - bias(length - kStep)) / (2.0 * kStep), 0.02);
  }
  // L = 0.75 + 0.25/0.7 = 1.107: between the optimum and the end.
  EXPECT_LT(CalcMuscleBias(muscle, scale, 0.45).value, -1.0);
  EXPECT_LT(CalcMuscleGain(muscle, scale, 0.45, 0.0).value, -200.0);
}

TEST(Muscle, ActivationRisesWithOneTimeConstantAndFallsWithTheOther) {
  Actuator actuator{.dynamics = ActuatorDynamics::kMuscle, .time_constant = 0.01, .deactivation_time = 0.04};
  EXPECT_NEAR(CalcMuscleActivationRate(actuator, 1.0, 0.0), 1.0 / 0.005, 1e-12);
  EXPECT_NEAR(CalcMuscleActivationRate(actuator, 1.0, 0.5), 0.5 / 0.0125, 1e-12);
  EXPECT_NEAR(CalcMuscleActivationRate(actuator, 0.0, 1.0), -1.0 / 0.02, 1e-12);
  EXPECT_NEAR(CalcMuscleActivationRate(actuator, 3.0, 0.5), 0.5 / 0.0125, 1e-12) << "excitation is in [0, 1]";
  EXPECT_EQ(CalcMuscleActivationRate(actuator, 0.3, 0.3), 0.0);
  // Blended: at u = a in the middle of both times, beyond half the width as without.
  actuator.activation_smoothing = 0.2;
  const double rising = 0.01 * 1.25, falling = 0.04 / 1.25;
  const double small = 1e-7;
  EXPECT_NEAR(CalcMuscleActivationRate(actuator, 0.5 + small, 0.5) / (small / (0.5 * (rising + falling))),
              1.0, 1e-5);
  EXPECT_NEAR(CalcMuscleActivationRate(actuator, 0.61, 0.5), 0.11 / rising, 1e-12);
  EXPECT_NEAR(CalcMuscleActivationRate(actuator, 0.39, 0.5), -0.11 / falling, 1e-12);
}

// Its own limits hold it in where the joints would let it go further; they are not where the muscle ends.
TEST(Muscle, ATendonsOwnLimitsAreNoneOfItsRange) {
  ModelBuilder builder("finger");
  const int body = builder.AddBody({});
  const int joint = builder.AddJoint(body, {.kind = HingeJoint{}, .lower = -0.5, .upper = 0.7});
  builder.AddGeom({.body = body, .shape = Sphere{0.1}}, {.mass = 1.0});
  Tendon tendon{.path = FixedTendon{{{.joint = joint, .coefficient = 0.1}}}};
  tendon.lower = 0.0;
  tendon.upper = 0.33;
  builder.AddTendon(tendon);
  builder.AddActuator({.tendon = 0, .muscle_gain = Muscle{.range = {0.75, 1.05}}});
  const ActuatorConstants constants = CalcActuatorConstants(builder.Build()).at(0);
  EXPECT_NEAR(constants.gain_scale.start, -0.05, 1e-9);
  EXPECT_NEAR(constants.gain_scale.fibre_length, 0.12 / 0.3, 1e-8);
}

}  // namespace
}  // namespace stiction
