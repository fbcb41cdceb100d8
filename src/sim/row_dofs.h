// Rows of one number between two bodies or two joints.
#pragma once

#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/dynamics/tendon.h"

namespace stiction {

// The union of the dofs at and above two dofs of one tree, ascending; -1: none. Valid until the thread's next
// call.
const std::vector<int>& MergeChains(const BranchPattern& pattern, int dof_a, int dof_b);

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
