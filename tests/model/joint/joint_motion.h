// One joint on its own, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include "stiction/geometry/mass_properties.h"
#include "stiction/model/joint.h"
#include "tests/support/random_numbers.h"

namespace stiction::testing {

// Pose behind the joint.
template <typename Kind>
RigidTransform Moved(const Kind& joint, const VectorXd& q, RigidTransform X = {}) {
  Matrix6Xd S(6, Kind::kTraits.nv);
  joint.Move(q.data(), X, MotionColumns(S.data(), 6, S.cols()));
  return X;
}

// Columns at T, where the body stood at X before the joint.
template <typename Kind>
Matrix6Xd ColumnsAt(const Kind& joint, const VectorXd& q, const Vector3d& p_WT, RigidTransform X = {}) {
  Matrix6Xd S(6, Kind::kTraits.nv);
  joint.Move(q.data(), X, MotionColumns(S.data(), 6, S.cols()));
  joint.ReferColumns(p_WT, MotionColumns(S.data(), 6, S.cols()));
  return S;
}

inline VectorXd One(double x) {
  return VectorXd::Constant(1, x);
}

}  // namespace stiction::testing
