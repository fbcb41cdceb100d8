// Actuators of MJCF files beyond motors and servos: what each becomes, and what mistakes are told.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/io/mjcf_writer.h"
#include "stiction/model/model_builder.h"
#include "tests/io/model_text.h"
#include "tests/support/same_model.h"

namespace stiction {
namespace {

std::string WithActuators(const std::string& actuators, const std::string& defaults = "") {
  return "<mujoco>" + defaults +
         "<worldbody><site name='rail' zaxis='1 0 0'/><body name='b'><joint name='h' range='-90 90'/>"
         "<geom size='.1'/><site name='pin' pos='.2 0 0'/></body></worldbody><actuator>\n" +
         actuators + "</actuator></mujoco>";
}

// A position servo inherits the range of its control, one of an integral that of the integral.
TEST(MjcfActuator, RangesAreInheritedByWhatFollowsTheJoint) {
  const Model model = LoadText(WithActuators(
      "<position joint='h' inheritrange='.5'/><intvelocity joint='h' inheritrange='.5' ctrlrange='-3 3'/>"));
  const double end = 0.25 * std::numbers::pi;
  EXPECT_NEAR(model.actuators[0].ctrl_upper, end, 1e-15);
  EXPECT_EQ(model.actuators[1].ctrl_upper, 3.0);
  EXPECT_NEAR(model.actuators[1].activation_lower, -end, 1e-15);
  EXPECT_NEAR(model.actuators[1].activation_upper, end, 1e-15);
}

TEST(MjcfActuator, MusclesAreReadWithTheirCurves) {
  ImportReport report;
  const Model model = LoadText(
      WithActuators(
          "<muscle joint='h' timeconst='.02 .05' tausmooth='.1' range='.7 1.1' force='30' scale='150' "
          "lmin='.4' lmax='1.7' vmax='2' fpmax='1.4' fvmax='1.3' lengthrange='1 2'/>"
          "<muscle joint='h' class='strong'/>",
          "<default><default class='strong'><muscle force='500' timeconst='.01 .06'/></default></default>"),
      &report);
  const Actuator& muscle = model.actuators.at(0);
  EXPECT_EQ(muscle.dynamics, ActuatorDynamics::kMuscle);
  EXPECT_EQ(muscle.time_constant, 0.02);
  EXPECT_EQ(muscle.deactivation_time, 0.05);
  EXPECT_EQ(muscle.activation_smoothing, 0.1);
  EXPECT_EQ(muscle.length_range, (std::array{1.0, 2.0}));
  for (const auto& part : {muscle.muscle_gain, muscle.muscle_bias}) {
    ASSERT_TRUE(part);
    EXPECT_EQ(part->range, (std::array{0.7, 1.1}));
    EXPECT_EQ(part->force, 30.0);
    EXPECT_EQ(part->scale, 150.0);
    EXPECT_EQ(part->lmin, 0.4);
    EXPECT_EQ(part->lmax, 1.7);
    EXPECT_EQ(part->vmax, 2.0);
    EXPECT_EQ(part->fpmax, 1.4);
    EXPECT_EQ(part->fvmax, 1.3);
  }
  EXPECT_EQ(model.actuators.at(1).muscle_gain->force, 500.0);
  EXPECT_EQ(model.actuators.at(1).muscle_gain->lmin, 0.5) << "a default";
  EXPECT_EQ(model.actuators.at(1).deactivation_time, 0.06);
  EXPECT_EQ(model.na(), 2);
  for (const char* item :
       {"muscle[@timeconst]", "muscle[@fvmax]", "muscle[@lengthrange]", "muscle[@tausmooth]"})
    EXPECT_EQ(FindItem(report, item)->status, ImportStatus::kHonoured) << item;
}

// By constants, or by what a data sheet has: 24 V, 6 N·m at stall, 48 rad/s without load. Gains as
// MuJoCo 3.14 computes them.
TEST(MjcfActuator, ADcMotorIsDrivenByAVoltageAgainstItsSpeed) {
  ImportReport report;
  const Model model = LoadText(WithActuators("<dcmotor joint='h' motorconst='.5' resistance='2' gear='10'/>"
                                             "<dcmotor joint='h' nominal='24 6 48'/>"
                                             "<dcmotor joint='h' motorconst='.5 .4' resistance='2'/>"
                                             "<dcmotor joint='h' motorconst='0 .5' resistance='2'/>"
                                             "<dcmotor joint='h' nominal='24 6 48' motorconst='.4'/>"),
                               &report);
  for (const int motor : {0, 1, 3}) {
    const Actuator& actuator = model.actuators.at(motor);
    EXPECT_DOUBLE_EQ(actuator.gain[0], 0.25);
    EXPECT_DOUBLE_EQ(actuator.bias[2], -0.125);
    EXPECT_EQ(actuator.dynamics, ActuatorDynamics::kNone);
  }
  EXPECT_EQ(model.actuators[0].gear[0], 10.0);
  EXPECT_DOUBLE_EQ(model.actuators[2].gain[0], 0.22360679774997896);
  EXPECT_DOUBLE_EQ(model.actuators[2].bias[2], -0.1);
  EXPECT_DOUBLE_EQ(model.actuators[4].gain[0], 0.25);
  EXPECT_NEAR(model.actuators[4].bias[2], -0.2 / 1.7888543819998317, 1e-15);
  EXPECT_TRUE(DescribeLosses(report).empty());
  EXPECT_NE(LoadFailure(WithActuators("<dcmotor joint='h' motorconst='.5'/>")).find("needs a positive"),
            std::string::npos);
  EXPECT_NE(LoadFailure(WithActuators("<dcmotor joint='h' nominal='24 0 48'/>")).find("must be positive"),
            std::string::npos);
}

TEST(MjcfActuator, ADcMotorHasBoundsALagAndAController) {
  const std::string motor = "<dcmotor joint='h' motorconst='.5' resistance='2' ";
  ImportReport report;
  const Model model = LoadText(
      WithActuators(motor + "saturation='0.1 2'/>" + motor + "saturation='0 2'/>" + motor +
                    "inductance='.1'/>" + motor + "inductance='0 .03'/>" + motor +
                    "input='pos' controller='10 0 1'/>" + motor + "input='vel' controller='0 0 1'/>" + motor +
                    "input='ff'/>" + motor + "input='none'/>"),
      &report);
  const auto& all = model.actuators;
  ASSERT_EQ(all.size(), 8u);
  EXPECT_EQ(all[0].force_upper, 0.1);
  EXPECT_EQ(all[1].force_lower, -1.0);
  EXPECT_DOUBLE_EQ(all[2].motor.value().lag, 0.05);
  EXPECT_DOUBLE_EQ(all[3].motor.value().lag, 0.03);
  EXPECT_EQ(model.na(), 2);
  EXPECT_EQ(all[4].gain[0], 10.0);
  EXPECT_EQ(all[4].bias, (std::array<double, 3>{0.0, -10.0, -1.0}));
  EXPECT_EQ(all[5].gain[0], 1.0);
  EXPECT_EQ(all[5].bias, (std::array<double, 3>{0.0, 0.0, -1.0}));
  EXPECT_EQ(all[6].gain[0], 1.0);
  EXPECT_EQ(all[7].gain[0], 0.0);
  EXPECT_DOUBLE_EQ(all[7].bias[2], -0.125);
  EXPECT_EQ(FindItem(report, "dcmotor[@inductance]")->status, ImportStatus::kHonoured);
  EXPECT_NE(LoadFailure(WithActuators(motor + "saturation='-1'/>")).find("not be negative"),
            std::string::npos);
  EXPECT_NE(LoadFailure(WithActuators(motor + "inductance='0 -1'/>")).find("not be negative"),
            std::string::npos);
}

// Controls in MuJoCo's order and their forces as MuJoCo 3.14 has them: per unit 15, 3, 1.5 and 1.5 K/R at a
// gear of 1.5.
TEST(MjcfActuator, ADcMotorOfSeveralInputsHasAControlForEach) {
  const std::string motor =
      "<dcmotor name='m' joint='h' motorconst='1 2' resistance='2' gear='1.5' ctrlrange='-4 4' ";
  ImportReport report;
  const Model model = LoadText(
      WithActuators(motor + "input='pos vel ff voltage' controller='10 0 2'/><motor name='last' joint='h'/>"),
      &report);
  const auto& all = model.actuators;
  ASSERT_EQ(all.size(), 5u);
  const char* names[] = {"m", "m_vel", "m_ff", "m_voltage", "last"};
  const double gains[] = {10.0, 2.0, 1.0, std::sqrt(2.0) / 2.0, 1.0};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(all[i].name, names[i]);
    EXPECT_DOUBLE_EQ(all[i].gain[0], gains[i]) << names[i];
    EXPECT_EQ(all[i].bias[1], i == 0 ? -10.0 : 0.0);
    EXPECT_EQ(all[i].gear[0], i == 4 ? 1.0 : 1.5);
    EXPECT_EQ(all[i].ctrl_upper == 4.0, i < 4);
  }
  EXPECT_EQ(FindItem(report, "dcmotor[@input]")->status, ImportStatus::kApproximated);
  const Model integral = LoadText(WithActuators(motor + "input='pos vel' controller='10 3 2'/>"));
  EXPECT_EQ(integral.na(), 1);
  EXPECT_EQ(integral.actuators.at(1).activation, -1);
  const std::pair<const char*, const char*> wrong[] = {{"input='vel pos'", "order pos, vel, ff, voltage"},
                                                       {"input='pos pos'", "each of them once"},
                                                       {"input='pos none'", "order"},
                                                       {"input=' '", "names no input"},
                                                       {"input='torque'", "it must be none, or some of"},
                                                       {"input='pos vel' inductance='.1'", "has one control"},
                                                       {"input='pos vel' saturation='1'", "has one control"}};
  for (const auto& [attributes, why] : wrong)
    EXPECT_NE(LoadFailure(WithActuators(motor + attributes + "/>")).find(why), std::string::npos)
        << attributes;
}

// All that a data sheet says, part of it in a class; and back.
TEST(MjcfActuator, ADcMotorIsWholeAndIsWritten) {
  const std::string text =
      "<mujoco><default><default class='m'><dcmotor motorconst='.05' resistance='2' lugre='1e4 5 .6 .9 .1'/>"
      "</default></default><worldbody><body><joint name='h'/><geom size='.1'/></body></worldbody><actuator>"
      "<dcmotor class='m' joint='h' input='pos' controller='2 3 .1 10 .5 24' thermal='3 0 20 .004 25 20'"
      " cogging='.2 8 1' inductance='.02' saturation='1.5 0 30'/>"
      "<dcmotor joint='h' input='none' cogging='.2 8' thermal='0 7 20'/></actuator>"
      "<keyframe><key act='.3 .1 40 1e-5 2'/></keyframe></mujoco>";
  ImportReport report;
  const Model model = LoadText(text, &report);
  EXPECT_EQ(model.na(), 5);
  EXPECT_EQ(model.keyframes.at(0).activation, (VectorXd{{0.3, 0.1, 40.0, 1e-5, 2.0}}));
  const DcMotor& motor = model.actuators.at(0).motor.value();
  EXPECT_EQ(motor.constant, 0.05);
  EXPECT_EQ(motor.input, DcMotor::Input::kPosition);
  EXPECT_EQ((std::array{motor.kp, motor.ki, motor.kd, motor.slew_max, motor.integral_max, motor.voltage_max}),
            (std::array{2.0, 3.0, 0.1, 10.0, 0.5, 24.0}));
  EXPECT_EQ(motor.lag, 0.01);
  EXPECT_EQ(motor.current_rate, 30.0);
  EXPECT_EQ((std::array{motor.thermal_resistance, motor.thermal_time, motor.temperature_coefficient}),
            (std::array{3.0, 20.0, 0.004}));
  EXPECT_EQ(motor.ambient_temperature, 20.0);
  EXPECT_EQ((std::array{motor.bristle_stiffness, motor.coulomb, motor.static_friction, motor.stribeck_speed}),
            (std::array{1e4, 0.6, 0.9, 0.1}));
  EXPECT_EQ(model.actuators[0].force_upper, 1.5);
  EXPECT_EQ(model.actuators[1].motor.value().cogging_periods, 8.0);
  EXPECT_EQ(model.actuators[1].motor->constant, 0.0);
  EXPECT_EQ(FindItem(report, "dcmotor[@thermal]")->status, ImportStatus::kHonoured);
  const Model read = LoadText(MakeMjcf(model, "motors.xml").text);
  testing::ExpectSameModel(model, read);
  for (const char* wrong :
       {"thermal='-1'", "lugre='1 0 0'", "lugre='1 -1 1'", "saturation='0 0 5'", "controller='1'",
        "input='vel' controller='0 1'", "input='pos' controller='1 0 0 -2'", "input='none' motorconst='-1'"})
    EXPECT_NE(LoadFailure(WithActuators("<dcmotor joint='h' motorconst='.5' resistance='2' " +
                                        std::string(wrong) + "/>")),
              "")
        << wrong;
}

TEST(MjcfActuator, AdhesionActsOnABody) {
  const Model model = LoadText(WithActuators("<adhesion body='b' gain='20' ctrlrange='0 3'/>"));
  const Actuator& adhesion = model.actuators.at(0);
  EXPECT_EQ(adhesion.body, model.FindBody("b"));
  EXPECT_EQ(adhesion.gain[0], 20.0);
  EXPECT_EQ(adhesion.ctrl_upper, 3.0);
  EXPECT_FALSE(adhesion.frame || adhesion.muscle_gain);
}

TEST(MjcfActuator, SliderCranksHaveTwoSites) {
  const Model model = LoadText(
      WithActuators("<position kp='7' dampratio='.9' cranksite='pin' slidersite='rail' cranklength='.5'/>"));
  const Actuator& crank = model.actuators.at(0);
  EXPECT_EQ(crank.crank_length, 0.5);
  EXPECT_EQ(crank.frame->body, model.FindBody("b"));
  EXPECT_EQ(crank.frame->X_BF.p, Vector3d(0.2, 0, 0));
  EXPECT_EQ(crank.reference->body, 0);
  EXPECT_EQ(crank.damping_ratio, 0.9);
}

TEST(MjcfActuator, DisabledOnesHaveNoForce) {
  const std::string actuators =
      "<motor joint='h' group='1'/><position joint='h' group='2' kp='3' forcerange='-1 1'/>"
      "<general joint='h' group='3' dyntype='filter'/><motor joint='h'/>";
  const auto load = [&](const std::string& option, ImportReport* report) {
    std::string text = WithActuators(actuators);
    return LoadText(text.insert(text.find("<worldbody"), option), report).actuators;
  };
  ImportReport report;
  const auto groups = load("<option actuatorgroupdisable='1 3'/>", &report);
  for (const int a : {0, 2}) {
    EXPECT_EQ(groups.at(a).force_lower, 0.0) << a;
    EXPECT_EQ(groups.at(a).force_upper, 0.0) << a;
  }
  EXPECT_EQ(groups.at(1).force_upper, 1.0);
  EXPECT_FALSE(std::isfinite(groups.at(3).force_upper));
  EXPECT_TRUE(DescribeLosses(report).empty());
  // An activation stays as it is: the integral of nothing.
  EXPECT_EQ(groups.at(2).dynamics, ActuatorDynamics::kIntegrator);
  EXPECT_EQ(groups.at(2).ctrl_lower, 0.0);
  EXPECT_EQ(groups.at(2).ctrl_upper, 0.0);
  for (const Actuator& actuator : load("<option><flag actuation='disable'/></option>", &report))
    EXPECT_EQ(actuator.force_upper, 0.0);
  EXPECT_TRUE(DescribeLosses(report).empty());
  EXPECT_NE(LoadFailure("<mujoco><option actuatorgroupdisable='31'/></mujoco>").find("from 0 to 30"),
            std::string::npos);
}

// What MuJoCo writes for a servo's dampratio: gain and bias are one number, and what follows it is positive.
TEST(MjcfActuator, PositiveDampingOfAServoIsARatio) {
  const auto load = [](const std::string& numbers) {
    return LoadText(WithActuators("<general joint='h' biastype='affine' " + numbers + "/>")).actuators.at(0);
  };
  const Actuator ratio = load("gainprm='40' biasprm='3 -40 .9'");
  EXPECT_EQ(ratio.damping_ratio, 0.9);
  EXPECT_EQ(ratio.bias, (std::array{3.0, -40.0, 0.0}));
  EXPECT_EQ(load("gaintype='affine' gainprm='40 1 2' biasprm='0 -40 .9'").damping_ratio, 0.9);
  EXPECT_EQ(load("gainprm='0' biasprm='0 0 .9'").bias[2], 0.0) << "of nothing";
  const Actuator pushed = load("gainprm='40' biasprm='0 -39 .9'");
  EXPECT_EQ(pushed.damping_ratio, 0.0);
  EXPECT_EQ(pushed.bias[2], 0.9);
  EXPECT_EQ(load("gainprm='40' biasprm='0 -40 -.9'").bias[2], -0.9);
}

// Times gear², from all actuators of a joint or tendon, those of a class too.
TEST(MjcfActuator, JointsAndTendonsHaveWhatTheGearTurns) {
  constexpr const char* kText =
      R"(<mujoco><default><default class="heavy"><motor armature=".01"/></default></default>
    <worldbody>
    <body name="c"><joint name="h" damping=".15 .08 .03" armature=".1"/><geom size=".1"/>
      <body><joint name="k" springdamper=".2 .7"/><geom size=".1"/></body></body>
    <body name="d"><joint name="b" type="ball"/><geom size=".1"/></body></worldbody>
    <tendon><fixed name="t" damping=".5"><joint joint="h" coef="1"/></fixed></tendon>
    <actuator><motor joint="h" gear="2" damping=".25 .04 .02" armature=".3"/>
      <position joint="h" gear="-3" kp="1" class="heavy"/><motor joint="h" gear="10" class="heavy"/>
      <velocity joint="k" damping=".4"/><motor tendon="t" gear="3" damping=".1" armature=".02"/>
      <motor joint="b" gear="2 3 4" damping=".7" armature=".2"/></actuator></mujoco>)";
  ImportReport report;
  const Model model = LoadText(kText, &report);
  const Joint& h = model.joints[model.FindJoint("h")];
  EXPECT_DOUBLE_EQ(h.damping, 0.15 + 4 * 0.25);
  EXPECT_DOUBLE_EQ(h.damping_polynomial[0], 0.08 + 4 * 0.04);
  EXPECT_DOUBLE_EQ(h.damping_polynomial[1], 0.03 + 4 * 0.02);
  EXPECT_DOUBLE_EQ(h.armature, 0.1 + 4 * 0.3 + 9 * 0.01 + 100 * 0.01);
  EXPECT_DOUBLE_EQ(model.tendons[0].damping, 0.5 + 9 * 0.1);
  EXPECT_DOUBLE_EQ(model.tendons[0].armature, 9 * 0.02);
  EXPECT_DOUBLE_EQ(model.joints[model.FindJoint("b")].damping, 4 * 0.7) << "of a ball by its first gear";
  EXPECT_DOUBLE_EQ(model.joints[model.FindJoint("b")].armature, 4 * 0.2);
  EXPECT_EQ(FindItem(report, "motor[@armature]")->status, ImportStatus::kHonoured);
  // What a time constant asks for, and what the actuator adds.
  std::string bare = kText;
  bare.replace(bare.find(" damping=\".4\""), 13, "");
  const Model without = LoadText(bare);
  EXPECT_DOUBLE_EQ(model.joints[model.FindJoint("k")].damping,
                   without.joints[without.FindJoint("k")].damping + 0.4);
  const Model undamped =
      LoadText("<mujoco><option><flag damper='disable'/></option>" + std::string(kText).substr(8));
  EXPECT_EQ(undamped.joints[undamped.FindJoint("h")].damping, 0.0);
  EXPECT_EQ(undamped.joints[undamped.FindJoint("h")].armature, h.armature);
}

// Each copy has that of its own actuator. A massless link is none with an armature.
TEST(MjcfActuator, CopiesHaveWhatTheirGearsTurn) {
  const Model model = LoadText(R"(<mujoco><worldbody><replicate count="2" offset="1 0 0">
    <body><joint name="h"/><inertial pos="0 0 0" mass="0" diaginertia="0 0 0"/></body></replicate></worldbody>
    <actuator><motor joint="h" gear="2" armature=".5"/></actuator></mujoco>)");
  ASSERT_EQ(model.num_joints(), 2);
  for (const Joint& joint : model.joints) EXPECT_DOUBLE_EQ(joint.armature, 2.0);
}

TEST(MjcfActuator, MistakesAreErrorsWithTheirLine) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"<adhesion body='x'/>", "unknown body \"x\""},
      {"<adhesion body='b' ctrlrange='-1 1'/>", "must not be negative"},
      {"<motor cranksite='pin' cranklength='1'/>", "slidersite"},
      {"<motor joint='h' damping='-1'/>", "damping must not be negative"},
      {"<motor joint='h' armature='-1'/>", "armature must not be negative"},
      {"<motor cranksite='pin' slidersite='rail'/>", "cranklength"},
      {"<motor cranksite='pin' slidersite='rail' cranklength='0'/>", "cranklength"},
      {"<position joint='h' kv='1' dampratio='1'/>", "not both"},
      {"<position joint='h' dampratio='-1'/>", "dampratio"},
      {"<muscle joint='h' tausmooth='-1'/>", "tausmooth"},
      {"<muscle joint='h' range='1 1'/>", "range"},
      {"<muscle joint='h' lmax='.9'/>", "lmin < 1 < lmax"},
      {"<muscle body='b'/>", "joint, tendon or frame"}};
  for (const auto& [text, message] : mistakes) {
    const std::string failure = LoadFailure(WithActuators(text));
    EXPECT_NE(failure.find(message), std::string::npos) << text << ": " << failure;
    EXPECT_NE(failure.find(":2"), std::string::npos) << text << ": " << failure;
  }
}

// An actuator of every kind keeps its references where a model is added to another.
TEST(MjcfActuator, AreAddedWithTheirModels) {
  const Model model =
      LoadText(WithActuators("<adhesion name='grip' body='b'/><muscle name='flesh' joint='h'/>"
                             "<motor cranksite='pin' slidersite='rail' cranklength='.5'/>"));
  ModelBuilder builder("scene");
  builder.AddBody({.name = "other", .is_mocap = true});
  builder.AddModel(model, "arm", {.p = {0, 0, 2}});
  const Model scene = builder.Build();
  EXPECT_EQ(scene.actuators.at(0).body, scene.FindBody("arm/b"));
  EXPECT_EQ(scene.actuators.at(1).joint, scene.FindJoint("arm/h"));
  EXPECT_TRUE(scene.actuators.at(1).muscle_gain.has_value());
  EXPECT_EQ(scene.actuators.at(2).frame->body, scene.FindBody("arm/b"));
  EXPECT_EQ(scene.actuators.at(2).reference->X_BF.p, Vector3d(0, 0, 2));
}

}  // namespace
}  // namespace stiction
