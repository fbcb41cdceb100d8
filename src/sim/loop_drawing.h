// How a mechanism that is far open is drawn together: where a Newton step is not to be trusted.
//
// Newton's step of least norm ends in singular places of the rows, of which a mechanism has many on its way:
// it becomes long there and hardly closes anything. And it knows nothing of joint limits, beyond which a loop
// may close as well. Drawn is by
//
//   minimise ½ |J δ + Φ|² + ½ μ δᵀ A δ     within the limits of the joints, |δ_i| ≤ reach
//
// with a μ so large that nothing goes as far as reach allows: near singular places that is down the gradient.
// δ is of Jᵀ in the metric of A, as Newton's step is, so that the mass centre of what floats stays where it
// is, and a heavy part stands while a light one comes. Where limits leave no way down they are passed: loops
// come first, as everywhere.
//
// Reference: D. Marquardt, 1963 (the damping); R. Fletcher, 1972 (a box as the region of trust).
#pragma once

#include <Eigen/Cholesky>
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
  enum class Limits { kIgnored, kNotPassed, kSought };
  // Within `reach` of q and what limits leave. From beyond one of those that are sought at least half of the
  // reach towards it, of the others no further. A shorter reach than the last costs less.
  void Bound(const Model& model, const VectorXd& q, double reach, Limits limits);
  // motion <- δ of the island's trees for a small μ, of size nv; all else zero. What it takes of the bounds
  // is gone: after Assign at the configuration where it leads to, the next motion completes it.
  void CalcMotion(VectorXd& motion);
  // The same for a μ that leaves it within reach.
  void CalcShortMotion(double reach, VectorXd& motion);
  // Whether a limit stops a joint in the last motion within this reach.
  bool IsHeld(double reach) const;

 private:
  void AddRow(const ContactProblem& rows, const Constraint& row, double residual);
  void AddMetric(const BranchSparseFactor& factor);
  bool MinimizeFreely(double damping);  // delta_ where no bound is asked; whether it is within them
  void MinimizeInBox();                 // delta_, of the same damping
  bool IsCut(double damping, double reach);
  void Spread(const VectorXd& delta, VectorXd& motion) const;

  std::vector<int> dofs_;   // of the island, ascending
  std::vector<int> place_;  // of a dof among them, size nv, -1: not of the island
  VectorXd row_;
  MatrixXd JJ_, A_, H_;  // A as large as JJ
  VectorXd g_, lower_, upper_, delta_;
  Eigen::LLT<MatrixXd> H_factor_;
  BoxMinimum minimum_;
  Limits limits_ = Limits::kIgnored;  // of the last bounds
  bool is_limited_ = false;           // a limit is within reach
  double reach_ = 0.0;
  double cut_ = 0.0, damping_ = 0.0;  // the largest known to be too small; the smallest known to suffice
};

}  // namespace stiction
