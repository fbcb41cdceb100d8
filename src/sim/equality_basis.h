// The rows of all exact equalities at one configuration, and what they forbid there: motions of least norm
// that meet what is asked of the rows, in the metric of A (contact/bilateral_basis.h). Rows may depend on one
// another; then what is asked is met in the least-squares sense.
#pragma once

#include <vector>

#include "sim/equality_rows.h"
#include "sim/sleep.h"
#include "stiction/contact/bilateral_basis.h"

namespace stiction {

class EqualityBasis {
 public:
  // Looks for active equalities; pattern as of the mass matrix.
  void Initialize(const Model& model, const BranchPattern& pattern);

  // Where Measure finds what it needs of a configuration of these trees, and CalcRows does not.
  void MoveTo(const Model& model, const TreeSet& trees, const VectorXd& q, const VectorXd& mocap,
              Kinematics& kin) const;
  // Φ of all equalities at a configuration, the targets those of Input::equality_target; size
  // num_equality_rows.
  void Measure(const Model& model, const Kinematics& kin, const VectorXd& q, const VectorXd& targets,
               VectorXd& residual);
  // rows(), with bias zero. Equalities of trees that sleep have none.
  void CalcRows(const Model& model, const SleepStage& sleep, const Kinematics& kin, const VectorXd& q);
  // Orthogonalizes the rows as they are.
  //   factor  of A, that of the calls below too
  void Factor(const BranchSparseFactor& factor);

  // motion <- the one of least norm with J motion = wanted (one per row of rows()); size nv.
  void CalcMotion(const BranchSparseFactor& factor, const std::vector<double>& wanted, VectorXd& motion);
  // impulses <- those of least norm with Jᵀ impulses = A motion, motion that of the last CalcMotion; one per
  // row of rows().
  void CalcImpulses(std::vector<double>& impulses);
  // wanted <- the part of it that some motion can meet.
  void Restrict(std::vector<double>& wanted);

  int rank() const { return basis_.rank(); }
  ContactProblem& rows() { return rows_; }
  const ContactProblem& rows() const { return rows_; }

 private:
  void GatherAll();

  bool has_tendons_ = false;  // a coupling of tendons is active
  TendonWorkspace tendons_;
  BranchPattern pattern_;
  ContactProblem rows_;
  ScaledProblem scaled_;
  IslandPartition partition_;
  std::vector<char> is_touched_;  // one per tree
  Island island_;                 // all trees that equalities touch
  BilateralBasis basis_;
  std::vector<double> island_rows_, island_motion_;
};

}  // namespace stiction
