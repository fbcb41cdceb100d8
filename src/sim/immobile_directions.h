// Directions that an equality asks something of, and in which what it joins cannot move.
//
// Joints leave a linkage no way across its plane, and a point on a hinge's axis none at all, but for what the
// file's digits leave: axes that are parallel to 1e-6 rad, an anchor that is 1e-7 m beside the axis. The row
// of such a direction is nothing but that inaccuracy. Met to the letter it stops the mechanism, where it is
// rounding it drives it: a velocity that has to vanish along a lever of 1e-12 m may be of any size.
#pragma once

#include "stiction/contact/problem.h"
#include "stiction/dynamics/kinematics.h"

namespace stiction {

// The rows of one equality between two bodies, the last of `problem`: rotations first.
struct PairRows {
  int body_a = 0, body_b = 0;
  Vector3d p_WQ;        // where translations are measured
  int num_angular = 0;  // rows
  int first = 0;        // constraint
};

// Takes out of the rows u the directions u with |uᵀ J v| < 1e-5 |v| for all v, where angles count as they
// are, and lengths by the longest lever of the pair's joints and the size of its bodies. What is left of the
// rows depends on one another there to rounding (contact/bilateral_basis.h); the residual in such a direction
// is left as it is.
void RemoveImmobileDirections(const Model& model, const Kinematics& kin, const PairRows& rows,
                              ContactProblem& problem);

}  // namespace stiction
