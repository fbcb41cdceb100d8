// A two-joint arm under PD control with gravity compensation brings its tool to a point: the target in joint
// space comes from a few Newton steps on the tool's Jacobian, the torques from a controller that the engine
// calls each step.
#include <stiction/stiction.h>

#include <Eigen/LU>
#include <cstdio>

using stiction::Vector3d;
using stiction::VectorXd;

namespace {

// Two links of 0.4 m that swing in the x-z plane, with a tool frame at the end.
stiction::Model MakeArm() {
  stiction::ModelBuilder builder("arm");
  int parent = 0;
  for (const char* name : {"upper", "lower"}) {
    const double z = parent == 0 ? 1.0 : -0.4;
    const int link = builder.AddBody({.name = name, .parent = parent, .X_PB = {.p = {0, 0, z}}});
    builder.AddJoint(link, {.kind = stiction::HingeJoint{.axis_B = Vector3d::UnitY()}});
    builder.AddGeom({.body = link, .shape = stiction::Capsule{0.03, 0.17}, .X_BG = {.p = {0, 0, -0.2}}},
                    {.mass = 1.0});
    parent = link;
  }
  builder.AddFrame({.name = "tool", .body = parent, .X_BF = {.p = {0, 0, -0.4}}});
  return builder.Build();
}

// Joint angles that put the tool at `target`, started from a bent elbow. [rad]
VectorXd SolveInverseKinematics(const stiction::Model& model, int tool, const Vector3d& target) {
  stiction::World probe(model);
  stiction::State state = probe.state();
  state.q << 0.5, -1.0;
  for (int i = 0; i < 20; ++i) {
    probe.set_state(state);
    const Vector3d error = target - probe.CalcFramePose(tool).p;
    const Eigen::Matrix2d J = probe.CalcFrameJacobian(tool)({3, 5}, Eigen::all);  // x and z of the tool
    state.q += J.inverse() * Eigen::Vector2d(error.x(), error.z());
  }
  return state.q;
}

}  // namespace

int main() {
  stiction::World world(MakeArm());
  const int tool = world.model().FindFrame("tool");
  const Vector3d target(0.45, 0.0, 0.75);
  const VectorXd goal = SolveInverseKinematics(world.model(), tool, target);

  world.set_controller([&](const stiction::World& w, stiction::Input& input) {
    // The bias holds the arm against gravity; M makes every joint as quick as the other.
    const VectorXd pull = 100.0 * (goal - w.q()) - 20.0 * w.v();  // critically damped, 10 rad/s
    input.applied_generalized = w.CalcMassMatrix() * pull + w.CalcBias();
  });
  while (world.time() < 2.0) world.Step();

  const double error = (world.CalcFramePose(tool).p - target).norm();
  std::printf("tool error after %.3f s: %.3e m\n", world.time(), error);
  return error < 1e-3 ? 0 : 1;
}
