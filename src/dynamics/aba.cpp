#include "stiction/dynamics/aba.h"

#include "math/assert.h"
#include "math/spatial_algebra.h"
#include "stiction/dynamics/crba.h"
#include "stiction/dynamics/rnea.h"

namespace stiction {
namespace {

void Resize(const Model& model, AbaWorkspace& ws, VectorXd& vdot) {
  ws.articulated.resize(model.num_bodies());
  ws.bias_force.resize(model.num_bodies());
  ws.acceleration.resize(model.num_bodies());
  ws.U.resize(6, model.nv());
  ws.D.resize(model.nv());
  ws.u.resize(model.nv());
  vdot.resize(model.nv());
}

// Articulated inertia Ma and bias force Fa of each body alone: F = Ma A + Fa.
void StartFromRigidBodies(const Model& model, const Kinematics& kin, AbaWorkspace& ws) {
  for (int b = 1; b < model.num_bodies(); ++b) {
    ws.articulated[b] = ToMatrix(kin.M_B_W[b]);
    ws.bias_force[b] = CrossForce(kin.V_WB[b], kin.M_B_W[b] * kin.V_WB[b]);
  }
}

// Looks through dof k: with A = A' + dS v + S v̇ and Sᵀ (Ma A + Fa) + armature v̇ = τ, eliminate v̇ = (u - Uᵀ
// (A' + dS v)) / D, where
//   U = Ma S,  D = Sᵀ U + armature,  u = τ - Sᵀ Fa.
// What remains is again F = Ma A' + Fa, seen from in front of the dof.
void EliminateDof(const Kinematics& kin, int k, double v, double tau, double armature, AbaWorkspace& ws,
                  Matrix6d& Ma, Vector6d& Fa) {
  const auto S = kin.S.col(k);
  ws.U.col(k).noalias() = Ma * S;
  ws.D[k] = S.dot(ws.U.col(k)) + armature;
  STICTION_ASSERT(!(ws.D[k] <= 0.0));
  ws.u[k] = tau - S.dot(Fa);
  Ma.noalias() -= ws.U.col(k) * (ws.U.col(k) / ws.D[k]).transpose();
  Fa.noalias() += Ma * (kin.dS.col(k) * v);
  Fa.noalias() += ws.U.col(k) * (ws.u[k] / ws.D[k]);
}

// Tendons with an armature tie branches together, which this recursion cannot: by M then.
void SolveWithTendons(const Model& model, const Kinematics& kin, const VectorXd& v, const VectorXd& tau,
                      const Vector3d& gravity, VectorXd& vdot) {
  CrbaWorkspace crba;
  RneaWorkspace rnea;
  const BranchPattern pattern = MakeMassMatrixPattern(model);
  BranchSparseMatrix M(pattern);
  CalcMassMatrix(model, kin, crba, M);
  CalcBias(model, kin, v, gravity, rnea, vdot);
  vdot = tau - vdot;
  BranchSparseFactor factor;
  [[maybe_unused]] const int bad_row = factor.Factor(M);
  STICTION_ASSERT(bad_row < 0);
  factor.Solve(vdot.data());
}

}  // namespace

void CalcForwardDynamics(const Model& model, const Kinematics& kin, const VectorXd& v, const VectorXd& tau,
                         const Vector3d& gravity, AbaWorkspace& ws, VectorXd& vdot) {
  STICTION_ASSERT(v.size() == model.nv() && tau.size() == model.nv());
  STICTION_ASSERT(&vdot != &v && &vdot != &tau);
  if (!model.tendon_inertia.blocks.empty()) return SolveWithTendons(model, kin, v, tau, gravity, vdot);
  Resize(model, ws, vdot);
  StartFromRigidBodies(model, kin, ws);

  // From the leaves to the roots. All spatial quantities of a tree share one frame: handing on is adding.
  for (int b = model.num_bodies() - 1; b > 0; --b) {
    const Body& body = model.bodies[b];
    if (body.tree < 0) continue;
    for (int k = body.first_dof + body.num_dofs - 1; k >= body.first_dof; --k) {
      const double armature = model.joints[model.dof_joint[k]].armature;
      EliminateDof(kin, k, v[k], tau[k], armature, ws, ws.articulated[b], ws.bias_force[b]);
    }
    if (model.bodies[body.parent].tree != body.tree) continue;
    ws.articulated[body.parent] += ws.articulated[b];
    ws.bias_force[body.parent] += ws.bias_force[b];
  }

  // From the roots to the leaves: substitute back. Gravity is an upward acceleration of the world.
  Vector6d A_world;
  A_world << Vector3d::Zero(), -gravity;
  for (int b = 1; b < model.num_bodies(); ++b) {
    const Body& body = model.bodies[b];
    if (body.tree < 0) continue;
    Vector6d A = model.bodies[body.parent].tree == body.tree ? ws.acceleration[body.parent] : A_world;
    for (int k = body.first_dof; k < body.first_dof + body.num_dofs; ++k) {
      A += kin.dS.col(k) * v[k];
      vdot[k] = (ws.u[k] - ws.U.col(k).dot(A)) / ws.D[k];
      A += kin.S.col(k) * vdot[k];
    }
    ws.acceleration[b] = A;
  }
}

}  // namespace stiction
