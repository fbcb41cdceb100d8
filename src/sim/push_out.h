// The least displacement δ that takes a few bodies out of one another, by a dual active set:
//
//   minimise ½ δᵀ A δ   subject to   J_i δ ≥ r_i           J_i the last row of a constraint, A of its problem
//
// From δ = 0, where no row pushes, rows are added one at a time, the most violated first. The multiplier of
// the new one grows, and those of the active ones with it so that these stay met, until its violation is
// gone; rows whose multiplier falls to zero on the way leave the set. [Goldfarb 1983]: D. Goldfarb, A.
// Idnani, A numerically stable dual method for solving strictly convex quadratic programs, Mathematical
// Programming 27.
//
// Where few rows push, this costs a fraction of a solver that has to scale, factor and certify its problem
// first. Many rows, and those that contradict one another, are left to one.
#pragma once

#include <span>
#include <vector>

#include "stiction/contact/problem.h"

namespace stiction {

class PushOut {
 public:
  struct Row {
    int constraint = 0;
    double push = 0.0;  // r [m or rad]
  };

  // Writes δ into the dofs of the rows' subsystems, which are zero before. False: it is more than this does,
  // and they are zero again.
  //   factor  of problem.A
  //   tolerance  of the rows [m or rad]
  //   residual   becomes the largest violation left, where that is larger [m or rad]
  [[nodiscard]] bool Run(const ContactProblem& problem, const BranchSparseFactor& factor,
                         std::span<const Row> rows, double tolerance, VectorXd& displacement,
                         double& residual);

 private:
  static constexpr int kMostActive = 12;  // rows that push at the same time
  using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostActive, kMostActive>;
  using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostActive, 1>;

  // A row that pushes: L⁻ᵀ Jᵀ, the dofs of the subsystems of its blocks one after another.
  struct Column {
    const Constraint* constraint = nullptr;
    int first_value = 0;
    double lambda = 0.0;
  };

  Column MakeColumn(const ContactProblem& problem, const BranchSparseFactor& factor, const Constraint& c);
  double CalcW(const ContactProblem& problem, const Column& a, const Column& b) const;
  bool Activate(const ContactProblem& problem, Column column, double violation);
  void Deactivate(int index);
  void Displace(const ContactProblem& problem, const BranchSparseFactor& factor,
                VectorXd& displacement) const;
  void Clear(const ContactProblem& problem, VectorXd& displacement) const;

  std::vector<Column> active_;
  // J A⁻¹ Jᵀ of the active rows in their order, lower triangle, with room for one too many.
  Eigen::Matrix<double, kMostActive + 1, kMostActive + 1> W_;
  std::vector<double> values_;   // of all columns
  std::vector<int> subsystems_;  // that some column touches
  VectorXd scratch_;             // size nv, zero before and after
};

}  // namespace stiction
