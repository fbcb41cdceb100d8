#include "dynamics/tree_bias.h"

#include "math/assert.h"
#include "math/spatial_algebra.h"

namespace stiction {
namespace {

// The force that the body needs for its motion, from that of its parent: F = M A + V ×* M V.
void CalcTreeBodyForce(const Model& model, int b, const Kinematics& kin, const VectorXd& v,
                       const Vector3d& gravity, TreeBiasWorkspace& ws) {
  const Body& body = model.bodies[b];
  Vector6d &V = ws.velocity[b], &A = ws.acceleration[b];
  if (model.bodies[body.parent].tree == body.tree) {
    V = ws.velocity[body.parent];
    A = ws.acceleration[body.parent];
  } else {
    V.setZero();
    A << Vector3d::Zero(), -gravity;
  }
  Eigen::Matrix<double, 6, 6> dS;
  for (int j = body.first_joint; j < body.first_joint + body.num_joints; ++j) {
    const Joint& joint = model.joints[j];
    const ConstMotionColumns S{kin.S.data() + 6 * joint.v_address, 6, joint.nv()};
    const MotionColumns rates{dS.data(), 6, joint.nv()};
    const double* joint_v = v.data() + joint.v_address;
    std::visit([&](const auto& kind) { kind.AddVelocity(S, joint_v, V, rates); }, joint.kind);
    for (int i = 0; i < joint.nv(); ++i) A += dS.col(i) * joint_v[i];
  }
  ws.force[b] = kin.M_B_W[b] * A + CrossForce(V, kin.M_B_W[b] * V);
}

}  // namespace

void CalcTreeBias(const Model& model, int tree, const Kinematics& kin, const VectorXd& v,
                  const Vector3d& gravity, TreeBiasWorkspace& ws, VectorXd& h) {
  STICTION_ASSERT(v.size() == model.nv() && h.size() == model.nv() && &v != &h);
  // The bodies of a tree stand in one range.
  const int first = model.trees[tree].root_body;
  int end = first;
  for (; end < model.num_bodies() && model.bodies[end].tree == tree; ++end)
    CalcTreeBodyForce(model, end, kin, v, gravity, ws);
  for (int b = end - 1; b >= first; --b) {
    const Body& body = model.bodies[b];
    for (int k = body.first_dof; k < body.first_dof + body.num_dofs; ++k)
      h[k] = kin.S.col(k).dot(ws.force[b]);
    if (model.bodies[body.parent].tree == tree) ws.force[body.parent] += ws.force[b];
  }
}

}  // namespace stiction
