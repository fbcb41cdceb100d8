#include "stiction/dynamics/crba.h"

namespace stiction {
namespace {

// Inertia of each body together with all below it in its tree.
void SumInertias(const Model& model, const Kinematics& kin, std::vector<SpatialInertia>& composite) {
  composite = kin.M_B_W;  // same size from the second call on: does not allocate
  for (int b = model.num_bodies() - 1; b > 0; --b) {
    const Body& body = model.bodies[b];
    if (body.tree >= 0 && model.bodies[body.parent].tree == body.tree) composite[body.parent] += composite[b];
  }
}

}  // namespace

BranchPattern MakeMassMatrixPattern(const Model& model) {
  return BranchPattern(model.dof_parent);
}

// M_kj = S_jᵀ Mc_b S_k for dof k of body b and every dof j at or above it, Mc_b the composite inertia beyond
// k.
void CalcMassMatrix(const Model& model, const Kinematics& kin, CrbaWorkspace& ws, BranchSparseMatrix& M) {
  SumInertias(model, kin, ws.composite);
  const BranchPattern& pattern = M.pattern();
  for (int k = 0; k < model.nv(); ++k) {
    const Joint& joint = model.joints[model.dof_joint[k]];
    const Vector6d F = ws.composite[joint.body] * Vector6d(kin.S.col(k));
    const int* columns = pattern.columns(k);
    double* row = M.row(k);
    for (int i = 0; i < pattern.row_length(k); ++i) row[i] = kin.S.col(columns[i]).dot(F);
    M.diagonal(k) += joint.armature;
  }
}

}  // namespace stiction
