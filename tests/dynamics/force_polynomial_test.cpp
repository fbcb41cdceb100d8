// Springs and dampers whose force is a polynomial of stretch and speed.
#include <gtest/gtest.h>

#include "stiction/dynamics/energy.h"
#include "stiction/dynamics/forces.h"
#include "tests/dynamics/moving_model.h"
#include "tests/io/model_text.h"

namespace stiction::testing {
namespace {

Model LoadJoint(const std::string& joint, const std::string& sections = "") {
  return LoadText("<mujoco><compiler angle='radian'/><option gravity='0 0 0'/><worldbody><body>" + joint +
                  "<geom size='0.1'/></body></worldbody>" + sections + "</mujoco>");
}

JointForces Forces(const MovingModel& moving) {
  JointForces forces;
  CalcJointForces(moving.model, moving.kin, moving.q, moving.v, VectorXd::Zero(moving.model.na()),
                  moving.input, forces);
  return forces;
}

// Spring forces are the slope of the energy: central differences along each dof.
void ExpectForceIsSlopeOfEnergy(const MovingModel& moving) {
  constexpr double kStep = 1e-5;
  const VectorXd force = Forces(moving).passive;
  for (int k = 0; k < moving.model.nv(); ++k) {
    const auto energy = [&](double h) {
      MovingModel moved = moving;
      moved.v = VectorXd::Unit(moving.model.nv(), k);
      moved = moved.Advanced(h);
      double potential = CalcEnergy(moved.model, moved.kin, moved.q, moved.v).potential;
      if (moved.model.num_tendons() > 0) {
        TendonWorkspace ws;
        ws.Resize(moved.model);
        CalcTendons(moved.model, moved.kin, moved.q, ws);
        potential += CalcTendonEnergy(moved.model, ws);
      }
      return potential;
    };
    const double slope = (energy(kStep) - energy(-kStep)) / (2.0 * kStep);
    EXPECT_NEAR(force[k], -slope, 1e-7) << k;
  }
}

TEST(ForcePolynomial, OfAHingeHasItsClosedForm) {
  const Model model =
      LoadJoint("<joint springref='0.2' stiffness='3 -2 5' damping='0.5 0.3 0.1' armature='1'/>");
  for (const double x : {0.4, -0.3}) {
    for (const double v : {2.0, -1.5}) {
      const MovingModel moving(model, VectorXd::Constant(1, 0.2 + x), VectorXd::Constant(1, v));
      const JointForces forces = Forces(moving);
      const double spring = -x * (3.0 - 2.0 * x + 5.0 * x * x);
      const double damper = -v * (0.5 + 0.3 * std::abs(v) + 0.1 * v * v);
      EXPECT_NEAR(forces.passive[0], spring + damper, 1e-14);
      EXPECT_NEAR(forces.stiffness[0], 3.0 - 4.0 * x + 15.0 * x * x, 1e-14);
      EXPECT_NEAR(forces.damping[0], 0.5 + 0.6 * std::abs(v) + 0.3 * v * v, 1e-14);
    }
  }
}

TEST(ForcePolynomial, IsTheSlopeOfTheEnergyForEveryJoint) {
  for (const char* joint :
       {"<joint stiffness='2 1 3' springref='0.1'/>", "<joint type='slide' stiffness='2 1 3'/>",
        "<joint type='ball' stiffness='2 1 3'/>", "<joint type='free' stiffness='2 1 3'/>"}) {
    const Model model = LoadJoint(joint);
    MovingModel moving(model, model.q0, VectorXd::LinSpaced(model.nv(), 0.3, 0.8));
    moving = moving.Advanced(1.0);
    moving.v.setZero();
    moving.Update();
    ExpectForceIsSlopeOfEnergy(moving);
  }
}

TEST(ForcePolynomial, OfATendonIsTheSlopeOfItsEnergy) {
  const std::string tendon =
      "<tendon><fixed stiffness='2 -1 3' damping='0.5 0.25' springlength='0.1'>"
      "<joint joint='j' coef='2'/></fixed></tendon>";
  const Model model = LoadJoint("<joint name='j'/>", tendon);
  for (const double q : {0.4, -0.3}) {
    MovingModel moving(model, VectorXd::Constant(1, q), VectorXd::Zero(1));
    ExpectForceIsSlopeOfEnergy(moving);
    const VectorXd at_rest = Forces(moving).passive;
    moving.v[0] = -0.75;
    moving.Update();
    const double rate = -1.5;
    EXPECT_NEAR((Forces(moving).passive - at_rest)[0], -2.0 * rate * (0.5 + 0.25 * 1.5), 1e-14);
  }
}

TEST(ForcePolynomial, ActuatorsThatActEarlyHaveTheNextActivation) {
  const std::string actuator =
      "<actuator><general joint='j' dyntype='filterexact' dynprm='0.1' gainprm='3' "
      "actearly='EARLY'/></actuator>";
  for (const bool early : {false, true}) {
    std::string text = actuator;
    text.replace(text.find("EARLY"), 5, early ? "true" : "false");
    MovingModel moving(LoadJoint("<joint name='j'/>", text), VectorXd::Zero(1), VectorXd::Zero(1));
    moving.input.ctrl[0] = 2.0;
    JointForces forces;
    forces.dt = 0.05;
    CalcJointForces(moving.model, moving.kin, moving.q, moving.v, VectorXd::Constant(1, 0.5), moving.input,
                    forces);
    const double next = 2.0 + (0.5 - 2.0) * std::exp(-0.5);
    EXPECT_NEAR(forces.actuation[0], 3.0 * (early ? next : 0.5), 1e-14);
  }
}

}  // namespace
}  // namespace stiction::testing
