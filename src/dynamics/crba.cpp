#include "stiction/dynamics/crba.h"

#include "dynamics/tendon_inertia.h"
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

// The first dofs of a tree that shift its root along the axes of the world, whatever q is: S is a unit vector
// there, and the products with it are entries.
int CountShifts(const Model& model, int tree) {
  const Body& root = model.bodies[model.trees[tree].root_body];
  return model.joints[root.first_joint].is_free() ? 3 : 0;
}

// Row k of M, for a dof of a body with the composite inertia Mc.
void CalcRow(const Matrix6Xd& S, const SpatialInertia& Mc, int num_shifts, const int* columns, int length,
             double* row) {
  const int last = length - 1;
  if (last < num_shifts) {
    for (int i = 0; i < last; ++i) row[i] = 0.0;
    row[last] = Mc.mass;
    return;
  }
  const Vector6d F = Mc * Vector6d(S.col(columns[last]));
  for (int i = 0; i < num_shifts; ++i) row[i] = F[3 + i];
  for (int i = num_shifts; i < length; ++i) row[i] = S.col(columns[i]).dot(F);
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
  for (const IndexRange& range : trees.bodies) {
    for (int b = range.begin; b < range.end; ++b) {
      const Body& body = model.bodies[b];
      if (body.num_dofs == 0) continue;
      const int num_shifts = CountShifts(model, body.tree);
      for (int k = body.first_dof; k < body.first_dof + body.num_dofs; ++k) {
        CalcRow(kin.S, ws.composite[b], num_shifts, pattern.columns(k), pattern.row_length(k), M.row(k));
        M.diagonal(k) += model.joints[model.dof_joint[k]].armature;
      }
    }
  }
  AddTendonInertia(model, trees, kin, ws.tendon_gradients, M);
}

void CalcMassMatrix(const Model& model, const Kinematics& kin, CrbaWorkspace& ws, BranchSparseMatrix& M) {
  CalcMassMatrix(model, model.all_trees, kin, ws, M);
}

}  // namespace stiction
