#include "stiction/dynamics/rnea.h"

#include "dynamics/tendon_inertia.h"
#include "math/assert.h"
#include "math/spatial_algebra.h"

namespace stiction {
namespace {

// Forces that each body needs for its motion: F = M A + V ×* M V, with A = Σ S v̇ + dS v over the dofs at and
// above it. Gravity enters as an upward acceleration of the world. `vdot` may be null: zero.
void CalcBodyForces(const Model& model, const TreeSet& trees, const Kinematics& kin, const VectorXd& v,
                    const double* vdot, const Vector3d& gravity, RneaWorkspace& ws) {
  Vector6d A_world;
  A_world << Vector3d::Zero(), -gravity;
  const auto visit = [&](int b) {
    const Body& body = model.bodies[b];
    if (body.tree < 0) return;
    Vector6d& A = ws.acceleration[b];
    A = model.bodies[body.parent].tree == body.tree ? ws.acceleration[body.parent] : A_world;
    for (int k = body.first_dof; k < body.first_dof + body.num_dofs; ++k) {
      A += kin.dS.col(k) * v[k];
      if (vdot != nullptr) A += kin.S.col(k) * vdot[k];
    }
    const Vector6d& V = kin.V_WB[b];
    ws.force[b] = kin.M_B_W[b] * A + CrossForce(V, kin.M_B_W[b] * V);
  };
  for (const IndexRange& range : trees.bodies) {
    for (int b = range.begin; b < range.end; ++b) visit(b);
  }
}

// Hands each body's force on to its parent, and reads off what the joint carries along its dofs. The bodies
// of a tree stand in one range.
void ProjectForces(const Model& model, const TreeSet& trees, const Kinematics& kin, RneaWorkspace& ws,
                   VectorXd& tau) {
  const auto visit = [&](int b) {
    const Body& body = model.bodies[b];
    if (body.tree < 0) return;
    for (int k = body.first_dof; k < body.first_dof + body.num_dofs; ++k)
      tau[k] = kin.S.col(k).dot(ws.force[b]);
    if (model.bodies[body.parent].tree == body.tree) ws.force[body.parent] += ws.force[b];
  };
  for (const IndexRange& range : trees.bodies) {
    for (int b = range.end - 1; b >= range.begin; --b) visit(b);
  }
}

void Resize(const Model& model, RneaWorkspace& ws, VectorXd& tau) {
  ws.acceleration.resize(model.num_bodies());
  ws.force.resize(model.num_bodies());
  // Eigen writes the size where it is right already, which threads with other trees may read.
  if (tau.size() != model.nv()) tau.resize(model.nv());
}

void AddArmature(const Model& model, const VectorXd& vdot, VectorXd& tau) {
  for (int k = 0; k < model.nv(); ++k) tau[k] += model.joints[model.dof_joint[k]].armature * vdot[k];
}

}  // namespace

void CalcBias(const Model& model, const TreeSet& trees, const Kinematics& kin, const VectorXd& v,
              const Vector3d& gravity, RneaWorkspace& ws, VectorXd& h) {
  STICTION_ASSERT(v.size() == model.nv() && &v != &h);
  Resize(model, ws, h);
  CalcBodyForces(model, trees, kin, v, nullptr, gravity, ws);
  ProjectForces(model, trees, kin, ws, h);
  AddTendonBias(model, trees, kin, v, nullptr, ws.tendon_gradients, h);
}

void CalcBias(const Model& model, const Kinematics& kin, const VectorXd& v, const Vector3d& gravity,
              RneaWorkspace& ws, VectorXd& h) {
  CalcBias(model, model.all_trees, kin, v, gravity, ws, h);
}

void CalcInverseDynamics(const Model& model, const Kinematics& kin, const VectorXd& v, const VectorXd& vdot,
                         const Vector3d& gravity, RneaWorkspace& ws, VectorXd& tau) {
  STICTION_ASSERT(v.size() == model.nv() && vdot.size() == model.nv());
  STICTION_ASSERT(&tau != &v && &tau != &vdot);
  Resize(model, ws, tau);
  CalcBodyForces(model, model.all_trees, kin, v, vdot.data(), gravity, ws);
  ProjectForces(model, model.all_trees, kin, ws, tau);
  AddArmature(model, vdot, tau);
  AddTendonBias(model, model.all_trees, kin, v, vdot.data(), ws.tendon_gradients, tau);
}

void CalcInverseDynamics(const Model& model, const Kinematics& kin, const VectorXd& v, const VectorXd& vdot,
                         const Vector3d& gravity, const Matrix6Xd& applied_wrench, RneaWorkspace& ws,
                         VectorXd& tau) {
  STICTION_ASSERT(v.size() == model.nv() && vdot.size() == model.nv());
  STICTION_ASSERT(applied_wrench.cols() == model.num_bodies());
  Resize(model, ws, tau);
  CalcBodyForces(model, model.all_trees, kin, v, vdot.data(), gravity, ws);
  for (int b = 1; b < model.num_bodies(); ++b) {
    const int tree = model.bodies[b].tree;
    if (tree < 0) continue;
    const Vector3d moment = applied_wrench.col(b).head<3>(), force = applied_wrench.col(b).tail<3>();
    ws.force[b].head<3>() -= moment + (kin.p_WBcm[b] - kin.p_WT[tree]).cross(force);
    ws.force[b].tail<3>() -= force;
  }
  ProjectForces(model, model.all_trees, kin, ws, tau);
  AddArmature(model, vdot, tau);
  AddTendonBias(model, model.all_trees, kin, v, vdot.data(), ws.tendon_gradients, tau);
}

}  // namespace stiction
