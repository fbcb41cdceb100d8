// Transmissions and forces of actuators against geometry, finite differences and closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/dynamics/forces.h"
#include "tests/dynamics/moving_model.h"
#include "tests/io/model_text.h"

namespace stiction::testing {
namespace {

JointForces ForcesAt(const MovingModel& moving, const VectorXd& activation = {}) {
  JointForces forces;
  CalcJointForces(moving.model, moving.kin, moving.q, moving.v, activation, moving.input, forces);
  return forces;
}

MovingModel At(const Model& model, const VectorXd& q, const VectorXd& v) {
  return {model, q, v};
}

// A crank on a free body turns about y at the height of the slider's axis, which goes along x of another
// free body.
Model MakeSliderCrank() {
  return LoadText(
      "<mujoco><option gravity='0 0 0'/><worldbody>"
      "<body name='frame' pos='0 0 1'><freejoint/><geom size='.1' mass='1'/>"
      "<site name='slider' pos='.1 .02 0' zaxis='1 .1 .2'/>"
      "<body name='crank' pos='0 0 .3'><joint name='turn' axis='0 1 .2'/><geom size='.1' mass='1'/>"
      "<site name='pin' pos='.1 .03 .05'/></body></body></worldbody>"
      "<actuator><motor name='rod' cranksite='pin' slidersite='slider' cranklength='0.5' gear='2'/>"
      "</actuator></mujoco>");
}

TEST(SliderCrank, RodKeepsItsLengthAndItsRateIsTheDerivative) {
  constexpr double kStep = 1e-6;
  const Model model = MakeSliderCrank();
  double fastest = 0.0;
  for (unsigned seed = 0; seed < 10; ++seed) {
    MovingModel moving = At(model, MakeRandomConfiguration(model, seed), MakeRandomVelocity(model, seed));
    moving.input.ctrl[0] = 3.0;
    const JointForces forces = ForcesAt(moving);
    const Frame& pin = *model.actuators[0].frame;
    const Frame& slider = *model.actuators[0].reference;
    const Vector3d p_WF = moving.kin.X_WB[pin.body] * pin.X_BF.p;
    const RigidTransform X_WR = moving.kin.X_WB[slider.body] * slider.X_BF;
    const Vector3d p_WS = X_WR.p + 0.5 * forces.actuator_length[0] * X_WR.R.col(2);
    EXPECT_NEAR((p_WS - p_WF).norm(), 0.5, 1e-14);
    EXPECT_LT(0.5 * forces.actuator_length[0], X_WR.R.col(2).dot(p_WF - X_WR.p)) << "behind the pin";
    const double rate = (ForcesAt(moving.Advanced(kStep)).actuator_length[0] -
                         ForcesAt(moving.Advanced(-kStep)).actuator_length[0]) /
                        (2.0 * kStep);
    EXPECT_NEAR(forces.actuator_rate[0], rate, 1e-7 * (1.0 + std::abs(rate)));
    EXPECT_NEAR(forces.actuation.dot(moving.v), 3.0 * forces.actuator_rate[0],
                1e-12 * (1.0 + std::abs(rate)));
    fastest = std::max(fastest, std::abs(rate));
  }
  EXPECT_GT(fastest, 0.1);
}

// The closed form of a plane mechanism: pin at (r cos q, r sin q), slider on the x axis.
TEST(SliderCrank, PlaceOfThePistonIsThatOfTheTextbook) {
  const Model model = LoadText(
      "<mujoco><worldbody><site name='slider' zaxis='1 0 0'/><body><joint axis='0 0 1'/>"
      "<geom size='.1' mass='1'/><site name='pin' pos='.2 0 0'/></body></worldbody>"
      "<actuator><position kp='5' cranksite='pin' slidersite='slider' "
      "cranklength='.7'/></actuator></mujoco>");
  for (const double q : {0.0, 0.6, 2.0, 4.0}) {
    const JointForces forces = ForcesAt(At(model, VectorXd::Constant(1, q), VectorXd::Constant(1, 1.5)));
    const double across = 0.2 * std::sin(q), along = std::sqrt(0.49 - across * across);
    EXPECT_NEAR(forces.actuator_length[0], 0.2 * std::cos(q) - along, 1e-15);
    const double slope = -across + across * 0.2 * std::cos(q) / along;
    EXPECT_NEAR(forces.actuator_rate[0], 1.5 * slope, 1e-14);
    EXPECT_NEAR(forces.actuation[0], -5.0 * forces.actuator_length[0] * slope, 1e-14);
  }
}

// On one hinge of 0.3 kg·m², gear 4: critical damping of ℓ = 4 q is 2 √(kp · 0.3/16).
TEST(DampingRatio, IsThatOfTheInertiaAtTheReference) {
  const Model model = LoadText(
      "<mujoco><default><position dampratio='0.5'/></default><worldbody><body>"
      "<inertial pos='0 0 0' mass='1' diaginertia='.3 .3 .3'/><joint name='j' axis='0 0 "
      "1'/></body></worldbody>"
      "<actuator><position kp='20' dampratio='1' gear='4' joint='j'/><position kp='20' joint='j'/>"
      "<position kp='20' joint='j' kv='3'/></actuator></mujoco>");
  const JointForces forces = ForcesAt(At(model, VectorXd::Zero(1), VectorXd::Constant(1, 0.7)));
  EXPECT_NEAR(forces.actuator_force[0], -2.0 * std::sqrt(20.0 * 0.3 / 16.0) * 4.0 * 0.7, 1e-14);
  EXPECT_NEAR(forces.actuator_force[1], -std::sqrt(20.0 * 0.3) * 0.7, 1e-14) << "half, of its class";
  EXPECT_NEAR(forces.actuator_force[2], -3.0 * 0.7, 1e-14) << "kv where it is written";
}

// By MuJoCo's definition, Σ M_kk/J_k²: along slides of 2 and 3 kg with coefficients 1 and 2, m = 2/1 + 3/4.
TEST(DampingRatio, AddsUpTheInertiasOfSeveralJoints) {
  const Model model = LoadText(
      "<mujoco><worldbody><body><joint name='a' type='slide'/><geom size='.1' mass='2'/></body>"
      "<body><joint name='b' type='slide'/><geom size='.1' mass='3'/></body></worldbody>"
      "<tendon><fixed name='t'><joint joint='a' coef='1'/><joint joint='b' coef='2'/></fixed></tendon>"
      "<actuator><position kp='50' dampratio='0.8' tendon='t'/></actuator></mujoco>");
  const JointForces forces = ForcesAt(At(model, VectorXd::Zero(2), Eigen::Vector2d(0.1, 0.2)));
  const double m = 2.0 / 1.0 + 3.0 / 4.0;
  EXPECT_NEAR(forces.actuator_force[0], -2.0 * 0.8 * std::sqrt(50.0 * m) * 0.5, 1e-13);
}

// M_kk is of everything that dof k carries, with the armature of its joint and without that of tendons, which
// a muscle's peak force feels: there it is 1/|M⁻¹ Jᵀ|. A slide of 2 kg carries one of 3 kg along the same
// axis.
TEST(DampingRatio, LeavesOutTheArmatureOfTendons) {
  const auto load = [](const char* armature) {
    return LoadText(
        std::string("<mujoco><worldbody><body><joint name='a' type='slide' armature='.5'/><geom size='.1' "
                    "mass='2'/><body><joint name='b' type='slide'/><geom size='.1' mass='3'/></body></body>"
                    "</worldbody><tendon><fixed name='t' armature='") +
        armature +
        "'><joint joint='b' coef='2'/></fixed></tendon><actuator><position kp='50' dampratio='0.8' "
        "joint='a'/>"
        "<position kp='50' dampratio='1' tendon='t'/><muscle joint='b' lengthrange='0 1' scale='40'/>"
        "</actuator></mujoco>");
  };
  for (const double armature : {0.0, 1.5}) {
    const Model model = load(armature == 0.0 ? "0" : "1.5");
    const JointForces forces =
        ForcesAt(At(model, VectorXd::Zero(2), Eigen::Vector2d(0.1, 0.2)), VectorXd::Zero(3));
    EXPECT_NEAR(forces.actuator_force[0], -2.0 * 0.8 * std::sqrt(50.0 * 5.5) * 0.1, 1e-13);
    EXPECT_NEAR(forces.actuator_force[1], -2.0 * std::sqrt(50.0 * 3.0 / 4.0) * 0.4, 1e-13);
    // M = [5.5, 3; 3, 3 + 4 a]: the second column of its inverse is (-3, 5.5)/det.
    const double determinant = 5.5 * (3.0 + 4.0 * armature) - 9.0;
    EXPECT_NEAR(forces.constants[2].gain_scale.peak_force, 40.0 * determinant / std::hypot(3.0, 5.5), 1e-11);
  }
}

// Peak force from the acceleration that a unit causes, length range from the joint's.
TEST(MuscleActuator, TakesForceAndLengthRangeFromItsJoint) {
  const Model model = LoadText(
      "<mujoco><compiler angle='radian'/><worldbody><body>"
      "<inertial pos='0 0 0' mass='1' diaginertia='.3 .3 .3'/><joint name='j' range='-.5 1' axis='0 0 "
      "1'/></body>"
      "</worldbody><actuator><muscle joint='j' gear='2' range='.7 1.1'/>"
      "<muscle joint='j' lengthrange='0 2' force='70'/></actuator></mujoco>");
  MovingModel moving = At(model, VectorXd::Constant(1, 0.25), VectorXd::Zero(1));
  const JointForces forces = ForcesAt(moving, Eigen::Vector2d(0.6, 0.0));
  const ActuatorConstants& computed = forces.constants[0];
  EXPECT_NEAR(computed.gain_scale.peak_force, 200.0 / (2.0 / 0.3), 1e-12);
  EXPECT_NEAR(computed.gain_scale.fibre_length, 3.0 / 0.4, 1e-14) << "2 q between −1 and 2";
  EXPECT_EQ(computed.gain_scale.start, -1.0);
  // ℓ = 0.5: L = 0.7 + 1.5 · 0.4/3 = 0.9, four fifths up the flank: 1 − 0.4²/2.
  EXPECT_NEAR(forces.actuator_force[0], -0.6 * 30.0 * 0.92, 1e-12);
  EXPECT_NEAR(forces.actuation[0], 2.0 * forces.actuator_force[0], 1e-12);
  EXPECT_EQ(forces.constants[1].gain_scale.peak_force, 70.0);
  EXPECT_NEAR(forces.constants[1].bias_scale.fibre_length, 2.0 / 0.3, 1e-14);
  EXPECT_EQ(forces.actuator_force[1], 0.0) << "at rest, not stretched";
}

// A spatial tendon from a point at 0.5 to one on a lever of 0.3: L² = 0.34 − 0.3 cos q.
TEST(MuscleActuator, FindsTheExtremesOfItsTendon) {
  const auto load = [](const std::string& limits) {
    return LoadText(
        "<mujoco><compiler angle='radian'/><worldbody><site name='a' pos='.5 0 0'/><body>"
        "<inertial pos='0 0 0' mass='1' diaginertia='.3 .3 .3'/><joint " +
        limits +
        " axis='0 0 1'/>"
        "<site name='b' pos='.3 0 0'/></body></worldbody>"
        "<tendon><spatial name='t'><site site='a'/><site site='b'/></spatial></tendon>"
        "<actuator><muscle tendon='t' force='1' range='0.8 1.2'/></actuator></mujoco>");
  };
  const auto length = [](double q) { return std::sqrt(0.34 - 0.3 * std::cos(q)); };
  for (const auto& [limits, shortest, longest] :
       {std::tuple("range='.4 2'", 0.4, 2.0), std::tuple("range='-.4 2'", 0.0, 2.0),
        std::tuple("range='-2.5 2'", 0.0, 2.5), std::tuple("", 0.0, std::numbers::pi)}) {
    const Model model = load(limits);
    const JointForces forces = ForcesAt(At(model, model.q0, VectorXd::Zero(1)), VectorXd::Zero(1));
    const MuscleScale& scale = forces.constants[0].gain_scale;
    EXPECT_NEAR(scale.start, length(shortest), 1e-8) << limits;
    EXPECT_NEAR(scale.start + 0.4 * scale.fibre_length, length(longest), 1e-8) << limits;
  }
}

TEST(MuscleActuator, NeedsLimitsOrALengthRange) {
  const auto failure = [](const std::string& joint, const std::string& muscle) {
    return LoadFailure("<mujoco><worldbody><body><joint name='j' " + joint +
                       "/><geom size='.1'/></body>"
                       "</worldbody><actuator>\n<muscle joint='j' " +
                       muscle + "/></actuator></mujoco>");
  };
  EXPECT_NE(failure("", "").find("length range"), std::string::npos);
  EXPECT_NE(failure("", "").find(":2"), std::string::npos) << "its line";
  EXPECT_EQ(failure("range='-10 10'", ""), "");
  EXPECT_EQ(failure("", "lengthrange='0 1'"), "");
  EXPECT_NE(failure("", "lengthrange='1 0'").find("length range"), std::string::npos);
  EXPECT_NE(failure("", "lengthrange='0 1' lmin='1.2'").find("lmin"), std::string::npos);
  EXPECT_NE(failure("", "lengthrange='0 1' timeconst='0 1'").find("time constants"), std::string::npos);
}

// Euler's rule in the activation: against its closed form for a constant control, a' = (1 − a)/(τ (0.5 + 1.5
// a)), whose time from 0 to a is τ (−2 ln(1 − a) − 1.5 a).
TEST(MuscleActuator, ActivationFollowsTheControl) {
  const Model model = LoadText(
      "<mujoco><worldbody><body><joint name='j' range='-1 1'/><geom size='.1'/></body></worldbody>"
      "<actuator><muscle joint='j' timeconst='.02 .06'/></actuator></mujoco>");
  Input input = Input::Default(model);
  input.ctrl[0] = 1.0;
  VectorXd activation = VectorXd::Zero(1);
  constexpr double kStep = 1e-6;
  for (int i = 0; i < 20000; ++i) AdvanceActivations(model, input, kStep, ActivationRule::kEuler, activation);
  const double a = activation[0];
  EXPECT_NEAR(0.02 * (-2.0 * std::log(1.0 - a) - 1.5 * a), 20000 * kStep, 2e-6);
  EXPECT_GT(a, 0.5);
}

// Gains and biases of muscles in general actuators, with other dynamics or none.
TEST(MuscleActuator, GeneralActuatorsMixItWithTheRest) {
  const Model model = LoadText(
      "<mujoco><compiler angle='radian'/><worldbody><body><joint name='j' range='0 1'/><geom "
      "size='.1'/></body>"
      "</worldbody><actuator>"
      "<general joint='j' gaintype='muscle' gainprm='.8 1.3 50 200 .5 1.6 1.5 1.3 1.2' biastype='affine' "
      "biasprm='3 0 0'/>"
      "<general joint='j' biastype='muscle' biasprm='.8 1.3 40 200 .5 1.6 1.5 1.3 1.2' gainprm='7'/>"
      "</actuator></mujoco>");
  EXPECT_EQ(model.na(), 0);
  MovingModel moving = At(model, VectorXd::Constant(1, 0.4), VectorXd::Zero(1));
  moving.input.ctrl << 0.5, 2.0;
  const JointForces forces = ForcesAt(moving);
  EXPECT_NEAR(forces.actuator_force[0], -25.0 + 3.0, 1e-12) << "L = 1";
  EXPECT_NEAR(forces.actuator_force[1], 14.0, 1e-12);
  moving.q[0] = 0.7;  // L = 1.15: half-way up the passive curve's quadratic part
  moving.Update();
  EXPECT_NEAR(ForcesAt(moving).actuator_force[1], 14.0 - 40.0 * 1.3 * 0.125, 1e-12);
}

}  // namespace
}  // namespace stiction::testing
