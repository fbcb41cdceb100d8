// Inertia of tendons: a tendon of armature a has the kinetic energy a L̇² / 2, and with L̇ = J v
//
//   M += a Jᵀ J,   h += a Jᵀ (J̇ v)
//
// J̇ v of a straight segment from Q to R, of length ℓ and direction u, is what L̈ is without joint
// accelerations:
//
//   u·(a_R − a_Q) + (|w|² − (u·w)²) / ℓ,   w = v_R − v_Q
//
// and of a fixed tendon 0. Where a tendon runs along one branch of a tree this is exact. M has no place for
// products of dofs on different branches: those are left out, as MuJoCo leaves them out, and of M alone.
//
// References: MuJoCo's documentation, XML reference, "tendon", armature.
#pragma once

#include "stiction/dynamics/kinematics.h"
#include "stiction/math/branch_sparse.h"

namespace stiction {

// Adds to the rows of M that belong to the trees. Does not allocate after the first call.
//   values  scratch, sized at the first call; trees that are worked on side by side may share it
void AddTendonInertia(const Model& model, const TreeSet& trees, const Kinematics& kin,
                      std::vector<double>& values, BranchSparseMatrix& M);

// Adds a Jᵀ (J̇ v), and where vdot is not null what AddTendonInertia adds to M times it. Needs velocity
// kinematics.
void AddTendonBias(const Model& model, const TreeSet& trees, const Kinematics& kin, const VectorXd& v,
                   const double* vdot, std::vector<double>& values, VectorXd& tau);

// vᵀ M v / 2 of what AddTendonInertia adds [J].
double CalcTendonKineticEnergy(const Model& model, const Kinematics& kin, const VectorXd& v);

}  // namespace stiction
