#include "stiction/dynamics/crba.h"

#include "math/assert.h"
#include "math/spatial_algebra.h"

namespace stiction {
namespace {

// Inertia of each body together with all below it in its tree. The bodies of a tree stand in one range.
void SumInertias(const Model& model, const TreeSet& trees, const Kinematics& kin,
                 std::vector<SpatialInertia>& composite) {
  composite.resize(model.num_bodies());
  for (const IndexRange& range : trees.bodies) {
    for (int b = range.begin; b < range.end; ++b) composite[b] = kin.M_B_W[b];
    for (int b = range.end - 1; b >= range.begin; --b) {
      const Body& body = model.bodies[b];
      if (body.tree >= 0 && model.bodies[body.parent].tree == body.tree)
        composite[body.parent] += composite[b];
    }
  }
}

}  // namespace

BranchPattern MakeMassMatrixPattern(const Model& model) {
  return BranchPattern(model.dof_parent);
}

// M_kj = S_jᵀ Mc_b S_k for dof k of body b and every dof j at or above it, Mc_b the composite inertia beyond
// k.
void CalcMassMatrix(const Model& model, const TreeSet& trees, const Kinematics& kin, CrbaWorkspace& ws,
                    BranchSparseMatrix& M) {
  STICTION_ASSERT(kin.S.cols() == model.nv());
  STICTION_ASSERT(M.size() == model.nv());
  SumInertias(model, trees, kin, ws.composite);
  const BranchPattern& pattern = M.pattern();
  for (const IndexRange& range : trees.dofs) {
    for (int k = range.begin; k < range.end; ++k) {
      const Joint& joint = model.joints[model.dof_joint[k]];
      const Vector6d F = ws.composite[joint.body] * Vector6d(kin.S.col(k));
      const int* columns = pattern.columns(k);
      double* row = M.row(k);
      for (int i = 0; i < pattern.row_length(k); ++i) row[i] = kin.S.col(columns[i]).dot(F);
      M.diagonal(k) += joint.armature;
    }
  }
}

void CalcMassMatrix(const Model& model, const Kinematics& kin, CrbaWorkspace& ws, BranchSparseMatrix& M) {
  CalcMassMatrix(model, model.all_trees, kin, ws, M);
}

}  // namespace stiction
