// What the slips of several contacts have in common: the part that some velocity undoes.
//
// Each contact that sticks remembers the slip a that it has to undo, and the law of the step then is
// J_t v + a/dt = 0 (sim/slip_memory.h). Those of the points that hold a body differ a little, by what the
// normal directions of all of them forbid: two pads that hold a part between them do not let it tilt, but it
// does, by the 1e-10 rad that solves and the removal of overlap leave open, and then one pad wants it up and
// the other one down. No velocity obeys both. Then the pads pull it against each other, harder in every step,
// until friction is used up. And a point that comes to bear load between others has nothing to undo, and
// holds against them.
//
// So contacts undo no more than one motion u of all bodies has to, that which is closest to what they
// remember among those that what holds anyway allows:
//
//   minimise Σ ‖J_t u − a‖²   subject to   J u = 0 of normals that press, pressed limits, equalities
//   and J_t u is what the law of the step undoes in place of a
//
// The rest is no motion of the bodies: it is not asked for as long as that is so. Contacts that were not
// loaded follow the other points of their pair.
//
// Rows are scaled by 1/√A_kk, so that turning counts as much as moving, and made orthonormal one after
// another [Björck 1994], those that hold first: the others then are the motions that these allow, which the
// slips are fitted by. A row of which less than a thousandth is left depends on those before: normals of one
// face are never quite parallel. The cost grows with the cube of the dofs: islands whose rows touch more than
// 36, five bodies that tumble together, are left as they are.
//
// Reference: Å. Björck, Numerics of Gram-Schmidt orthogonalization, Linear Algebra and its Applications
// 197-198, 1994.
#pragma once

#include <span>
#include <vector>

#include "stiction/contact/problem.h"

namespace stiction {

class SlipAgreement {
 public:
  // A row of a constraint along which nothing moves.
  struct HeldRow {
    int constraint = 0;
    int row = 0;  // of the constraint
  };
  struct Slip {
    int constraint = 0;                  // a contact
    Vector2d slip_C = Vector2d::Zero();  // along its tangential rows [m]
  };

  // Of one island. False, with all slips as they are: they agree, or the island is too large.
  //   slips  those that are known, and then those that follow; become what u undoes
  [[nodiscard]] bool Run(const ContactProblem& problem, std::span<const HeldRow> held, std::span<Slip> slips,
                         int num_known);

 private:
  static constexpr int kGroup = 8;  // vectors of the basis that are worked on at a time
  using Group = Eigen::Matrix<double, kGroup, 1>;
  struct Entry {
    int dof = 0;  // its place
    double value = 0.0;
  };

  bool MayDisagree(const ContactProblem& problem, std::span<const HeldRow> held, std::span<const Slip> slips);
  void PlaceDofs(const ContactProblem& problem, int constraint);
  bool FitAll(const ContactProblem& problem, std::span<const HeldRow> held, std::span<Slip> slips,
              int num_known);
  // row_ becomes a row of J, scaled.
  void FillRow(const ContactProblem& problem, int constraint, int row);
  void Resolve();
  void RemoveAlong();
  bool Extend();
  int FindMotions(const ContactProblem& problem, std::span<const Slip> slips, int num_known);
  void Fit(int num_rows, int num_known_rows, int num_motions);

  Eigen::Map<const Group> entries_of(int dof, int group) const {
    return Eigen::Map<const Group>(basis_.data() + stride_ * dof + kGroup * group);
  }
  Eigen::Map<Group> along(int group) { return Eigen::Map<Group>(along_.data() + kGroup * group); }

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
  std::vector<double> moved_;    // what the motions move along each row of the slips, stride_ a row
  std::vector<double> columns_;  // the same, one column a motion
  std::vector<double> open_;     // what is still to be fitted, of the known rows [m]
  std::vector<double> fitted_;   // one a row [m]
};

}  // namespace stiction
