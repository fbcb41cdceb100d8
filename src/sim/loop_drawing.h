// How a mechanism that is far open is drawn together: where a Newton step is not to be trusted.
//
// Newton's step of least norm ends in singular places of the rows, of which a mechanism has many on its way:
// it becomes long there and hardly closes anything. And it knows nothing of joint limits, beyond which a loop
// may close as well. Drawn is by
//
//   minimise ½ |J δ + Φ|² + ½ μ δᵀ A δ     within the limits of the joints, |δ_i| ≤ reach
//
// with a μ that only decides where J does not: near singular places it goes down the gradient instead. Joints
// that are beyond a limit come back at once, by as much as reach allows.
//
// Reference: D. Marquardt, 1963 (the damping); R. Fletcher, 1972 (a box as the region of trust).
#pragma once

#include <vector>

#include "math/box_minimum.h"
#include "stiction/contact/island.h"
#include "stiction/contact/problem.h"
#include "stiction/model/model.h"

namespace stiction {

// How far a joint is beyond its limits, where these are exact and of its coordinates [m or rad]; 0: within.
double CalcBeyond(const Joint& joint, const VectorXd& q);

class LoopDrawing {
 public:
  // An island of equality rows.
  //   rows      bilateral, J at q
  //   residual  Φ, one per row of `rows` [m or rad]
  //   factor    of A
  void Assign(const ContactProblem& rows, const IslandPartition& partition, int island,
              const std::vector<double>& residual, const BranchSparseFactor& factor);
  // Within `reach` of q and within limits; from beyond a limit at least half of the reach towards it.
  void Bound(const Model& model, const VectorXd& q, double reach);
  // motion <- δ of the island's trees, of size nv; all else zero. What it takes of the bounds is gone: after
  // Assign at the configuration where it leads to, the next motion completes it.
  void CalcMotion(VectorXd& motion);
  // The least motion within the bounds: what brings joints back to their limits.
  void CalcReturn(VectorXd& motion) const;

 private:
  void AddRow(const ContactProblem& rows, const Constraint& row, double residual);
  void AddMetric(const BranchSparseFactor& factor);

  std::vector<int> dofs_;   // of the island, ascending
  std::vector<int> place_;  // of a dof among them, size nv, -1: not of the island
  VectorXd row_;
  MatrixXd H_, A_;
  VectorXd g_, lower_, upper_, delta_;
  BoxMinimum minimum_;
};

}  // namespace stiction
