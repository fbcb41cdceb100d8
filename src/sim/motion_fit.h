// What one motion of the bodies makes of values that are wanted along rows of J: the nearest such values.
//
//   minimise Σ (J u − a)² over the known rows, subject to J u = 0 of the rows that hold
//
// and J u of all rows takes the place of a; rows that are not known follow. Slips of contacts come to agree
// so (sim/slip_memory.h), and loads are shared out so (sim/load_spread.h).
//
// Rows are scaled by 1/√A_kk, so that turning counts as much as moving, and made orthonormal one after
// another [Björck 1994], those that hold first: the others then are the motions that these allow, which the
// values are fitted by. A row of which less than a thousandth is left depends on those before: normals of one
// face are never quite parallel. The cost grows with the cube of the dofs: islands whose rows touch more than
// `most_dofs` are left as they are.
//
// Reference: Å. Björck, Numerics of Gram-Schmidt orthogonalization, Linear Algebra and its Applications
// 197-198, 1994.
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
  static constexpr int kGroup = 8;  // vectors of the basis that are worked on at a time
  using Group = Eigen::Matrix<double, kGroup, 1>;
  struct Entry {
    int dof = 0;  // its place
    double value = 0.0;
  };

  bool MayDiffer(const ContactProblem& problem, std::span<const HeldRow> held,
                 std::span<const Wanted> wanted);
  void PlaceDofs(const ContactProblem& problem, int constraint);
  bool FitAll(const ContactProblem& problem, std::span<const HeldRow> held, std::span<Wanted> wanted,
              int num_known);
  // row_ becomes a row of J, scaled.
  void FillRow(const ContactProblem& problem, int constraint, int row, double scale);
  void Resolve();
  void RemoveAlong();
  bool Extend();
  int FindMotions(const ContactProblem& problem, std::span<const Wanted> wanted, int num_known);
  void Fit(int num_rows, int num_known_rows, int num_motions);

  Eigen::Map<const Group> entries_of(int dof, int group) const {
    return Eigen::Map<const Group>(basis_.data() + stride_ * dof + kGroup * group);
  }
  Eigen::Map<Group> along(int group) { return Eigen::Map<Group>(along_.data() + kGroup * group); }

  bool is_too_large_ = false;
  int num_dofs_ = 0;              // that the island's rows touch
  std::vector<int> num_rows_of_;  // one a subsystem of the problem, zero before and after
  std::vector<int> place_;        // one a dof of the problem, among those of the rows; -1 before and after
  std::vector<int> dofs_;         // of the problem, by place
  std::vector<double> scale_;     // 1/√A_kk, by place
  std::vector<Entry> row_;
  // Orthonormal: the held rows, and then the motions that these allow. What all have of one dof lies
  // together: a row then meets only the dofs that it has.
  std::vector<double> basis_;
  int size_ = 0, stride_ = 0;    // of the basis; between two dofs in it
  std::vector<double> along_;    // one a vector of the basis
  std::vector<double> left_;     // one a place
  std::vector<double> moved_;    // what the motions move along each wanted row, stride_ a row
  std::vector<double> columns_;  // the same, one column a motion
  std::vector<double> open_;     // what is still to be fitted, of the known rows
  std::vector<double> fitted_;   // one a row
};

}  // namespace stiction
