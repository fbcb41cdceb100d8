// Twists of the bodies that contacts touch, from the velocities of their trees, and generalized impulses from
// the wrenches on them: what products with J and Jᵀ have in common of all contacts of a body.
//
//   V_b = V_parent(b) + Σ S_k u_k,    x_k += S_kᵀ Σ W_b of the bodies beyond k
//
// over the dofs k between b and the next body above it that is touched, or above a branch: a segment. A
// contact then costs v + ω × p, whatever the length of its path.
#pragma once

#include <vector>

#include "stiction/contact/problem.h"

namespace stiction {

class BodyTwists {
 public:
  using Lanes = Eigen::Array4d;

  // By `dofs`, the last one above each body of interest, in any order and as often as they come. Dofs are
  // those of an island, `global_dof` those of the problem.
  void Assign(const ContactProblem& problem, const std::vector<int>& global_dof,
              const std::vector<int>& dofs);
  // Of the body beyond a dof that Assign was given.
  int body_of(int dof) const { return body_of_[dof]; }

  void CalcTwists(const double* u);
  // Angular velocity, and velocity at the reference point of the subsystem: three lanes each, in the world.
  const double* twist(int body) const { return twist_.data() + 8 * body; }

  // One component of the wrenches on all bodies: the moment about the reference point, then the force. By
  // component, because they are summed value by value: sums of whole vectors that were put together from
  // values of several contacts wait for their stores.
  double* wrenches(int component) { return wrench_.data() + component * segments_.size(); }
  // x += Σ Sᵀ W, and W = 0.
  void TakeWrenches(double* x);

 private:
  // Dofs along a path, from below one body to the next.
  struct Segment {
    int above = -1;  // body
    int first = 0;   // into dof_ and column_
    int count = 0;
    int first_row = 0;  // into row_
  };

  std::vector<Segment> segments_;  // one a body, those above first
  std::vector<int> dof_;
  std::vector<double> column_;  // eight a dof: S as a twist
  std::vector<double> row_;     // the same by rows of four dofs of a segment: six rows
  std::vector<double> twist_, wrench_;
  std::vector<int> body_of_;
  std::vector<int> children_;  // that lead to a body, by dof; also of dofs that are no body's
  std::vector<char> is_end_;
};

}  // namespace stiction
