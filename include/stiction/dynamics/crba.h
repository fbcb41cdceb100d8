// Joint-space mass matrix by the composite rigid body algorithm (Featherstone 2008, §6.2), in world axes at
// each tree's reference point, where the book uses body axes: no shift is repeated per column.
#pragma once

#include "stiction/dynamics/kinematics.h"
#include "stiction/math/branch_sparse.h"
#include "stiction/math/spatial_inertia.h"

namespace stiction {

// Pattern of the model's mass matrix.
BranchPattern MakeMassMatrixPattern(const Model& model);

// Scratch of the inertia sweep; sized at the first call.
struct CrbaWorkspace {
  std::vector<SpatialInertia> composite;  // one per body
  std::vector<double> tendon_gradients;   // of tendons with an armature
};

// M(q), armatures of joints and tendons included. Needs position kinematics.
//   M  overwritten; must have MakeMassMatrixPattern's pattern
void CalcMassMatrix(const Model& model, const Kinematics& kin, CrbaWorkspace& ws, BranchSparseMatrix& M);

// The same for some trees; rows of the others stay.
void CalcMassMatrix(const Model& model, const TreeSet& trees, const Kinematics& kin, CrbaWorkspace& ws,
                    BranchSparseMatrix& M);

}  // namespace stiction
