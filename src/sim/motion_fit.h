// What one motion of the bodies makes of values that are wanted along rows of J: the nearest such values.
//
//   minimise Σ (J u − a)² over the known rows, subject to J u = 0 of the rows that hold
//
// and J u of all rows takes the place of a; rows that are not known follow. Slips of contacts come to agree
// so (sim/slip_memory.h), and loads are shared out so (sim/load_spread.h).
//
// Rows are scaled by 1/√A_kk, so that turning counts as much as moving. What each has along an orthonormal
// basis of the others is a row of the Cholesky factor of their products J Jᵀ: those that hold are the first;
// the basis beyond them are the motions that these allow, which the values are fitted by. A row of which less
// than a thousandth is left depends on those before: normals of one face are never quite parallel. The cost
// grows with the cube of the dofs: islands whose rows touch more than `most_dofs` are left as they are.
#pragma once

#include <span>
#include <vector>

#include "stiction/contact/problem.h"

namespace stiction {

class MotionFit {
 public:
  static constexpr int kMostDofs = 36;  // that can be worked on in every step

  // A row of a constraint along which nothing moves.
  struct HeldRow {
    int constraint = 0;
    int row = 0;  // of the constraint
  };
  struct Wanted {
    int constraint = 0;
    int row = 0;         // of the constraint
    double value = 0.0;  // a, of any unit
    double scale = 1.0;  // of the row
  };

  // Of one island. False, with all values as they are: a motion has them, or the island is too large.
  //   wanted  the known rows, and then those that follow; those of one constraint in a row. a becomes J u
  [[nodiscard]] bool Run(const ContactProblem& problem, std::span<const HeldRow> held,
                         std::span<Wanted> wanted, int num_known, int most_dofs = kMostDofs);
  // Whether the island of the last run was too large.
  bool is_too_large() const { return is_too_large_; }

 private:
  bool MayDiffer(const ContactProblem& problem, std::span<const HeldRow> held,
                 std::span<const Wanted> wanted);
  void PlaceDofs(const ContactProblem& problem, int constraint);
  // A row of J, scaled, is the next of rows_.
  void AddRow(const ContactProblem& problem, int constraint, int row, double scale);
  bool FitAll(const ContactProblem& problem, std::span<const HeldRow> held, std::span<Wanted> wanted,
              int num_known);
  // What a row has along the vectors of the basis that it does not know yet.
  void Resolve(int row);
  // Adds what is left of a row, which knows all of the basis, if it does not depend on it.
  bool Extend(int row);
  void FindMotions(int num_held_rows, int num_known);
  void Fit(int first_row, int num_known, int first_vector);

  const double* row_of(int row) const { return rows_.data() + dofs_.size() * row; }
  double* factor_of(int row) { return factor_.data() + static_cast<std::size_t>(stride_) * row; }

  bool is_too_large_ = false;
  std::vector<int> num_rows_of_;  // one a subsystem of the problem, zero before and after
  std::vector<int> place_;        // one a dof of the problem, among those of the rows; -1 before and after
  std::vector<int> dofs_;         // of the problem, by place
  std::vector<double> scale_;     // 1/√A_kk, by place
  int num_rows_ = 0;
  std::vector<double> rows_;       // of J, scaled, by place: those that hold, and then the wanted ones
  std::vector<int> basis_;         // the rows that it was made of
  std::vector<int> num_resolved_;  // of each row: vectors of the basis that it knows
  std::vector<double> factor_;     // what each row has along the basis, stride_ a row
  int stride_ = 0;
  std::vector<double> columns_;  // what the motions move along each wanted row, one column a motion
  std::vector<double> open_;     // what is still to be fitted, of the known rows
  std::vector<double> fitted_;   // one a wanted row
};

}  // namespace stiction
