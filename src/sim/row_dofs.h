// Rows of one number between two bodies or two joints.
#pragma once

#include <utility>
#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/dynamics/tendon.h"

namespace stiction {

// The union of the dofs at and above two dofs of one tree, ascending; -1: none. Valid until the thread's next
// call.
const std::vector<int>& MergeChains(const BranchPattern& pattern, int dof_a, int dof_b);

// How many these are, and the same written to `merged`, which has room for as many.
int CountMergedChains(const BranchPattern& pattern, int dof_a, int dof_b);
void MergeChains(const BranchPattern& pattern, int dof_a, int dof_b, int* merged);

// Appends to the last constraint the blocks of rows of the motion of B relative to A: one in a tree that
// carries both, else one per tree.
//   add(body, sign, dofs, value)  adds sign times the rows of one body in the columns of `dofs`
template <typename Add>
void AddPairBlocks(const Model& model, const BranchPattern& pattern, int body_a, int body_b,
                   ContactProblem& problem, const Add& add) {
  const Body& A = model.bodies[body_a];
  const Body& B = model.bodies[body_b];
  if (A.tree == B.tree && A.tree >= 0) {
    const std::vector<int>& dofs = MergeChains(pattern, A.last_dof, B.last_dof);
    double* value = problem.AddBlock(A.tree, dofs.data(), static_cast<int>(dofs.size()));
    add(body_a, -1.0, dofs.data(), value);
    add(body_b, 1.0, dofs.data(), value);
    return;
  }
  for (const auto& [body, sign] : {std::pair{body_a, -1.0}, std::pair{body_b, 1.0}}) {
    const Body& moving = model.bodies[body];
    if (moving.tree < 0) continue;
    const int* dofs = pattern.columns(moving.last_dof);
    add(body, sign, dofs, problem.AddBlock(moving.tree, dofs, pattern.row_length(moving.last_dof)));
  }
}

// Appends a bilateral constraint: the velocity of B relative to A, angular along n_ang plus that of the
// points at p_WQ along n_lin, world axes.
void AddPairRow(const Model& model, const Kinematics& kin, const BranchPattern& pattern, int body_a,
                int body_b, const Vector3d& p_WQ, const Vector3d& n_ang, const Vector3d& n_lin,
                ContactProblem& problem);

// Appends a bilateral constraint: factor_a v_a + factor_b v_b of two scalar joints; joint_b = -1: the first
// alone.
void AddJointRow(const Model& model, const BranchPattern& pattern, int joint_a, double factor_a, int joint_b,
                 double factor_b, ContactProblem& problem);

// Appends to the last constraint the blocks of factor_a L̇_a + factor_b L̇_b of two tendons; tendon_b = -1: the
// first alone.
void AddTendonBlocks(const TendonWorkspace& tendons, int tendon_a, double factor_a, int tendon_b,
                     double factor_b, ContactProblem& problem);

}  // namespace stiction
