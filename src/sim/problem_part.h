// Some islands of a contact problem as a problem of their own: the dynamics of all trees, and the constraints
// of these islands alone.
//
// Islands are solved apart, to the last bit, so that impulses and velocities of the part are those of the
// whole wherever it has constraints; elsewhere the velocity is v*.
#pragma once

#include "stiction/contact/island.h"

namespace stiction {

class ProblemPart {
 public:
  // Takes the islands of the subsystems s with wanted[s] != 0. Where these are all, nothing is copied, and
  // the whole has to outlive the part.
  void Assign(const ContactProblem& whole, const std::vector<char>& wanted);

  // Whether the velocity of a subsystem is that of the whole: it is of an island that was taken, or of none.
  bool HasVelocityOf(int subsystem) const {
    const int island = partition_.island_of_subsystem[subsystem];
    return island < 0 || is_taken_[island] != 0;
  }

  // Without what methods that use bodies want: motion and body_contacts, unless it is the whole.
  const ContactProblem& problem() const { return whole_ != nullptr ? *whole_ : problem_; }

  // The rows of the part among those of the whole.
  void Gather(const std::vector<double>& whole, GrowingVector& part) const;
  // The other way round: rows of the whole that the part does not have stay as they are.
  void Scatter(const GrowingVector& part, std::vector<double>& whole) const;

 private:
  bool IsTaken(const ContactProblem& whole, const Constraint& c) const;
  void TakeConstraint(const ContactProblem& whole, int i);

  const ContactProblem* whole_ = nullptr;  // where all of it is taken
  ContactProblem problem_;
  IslandPartition partition_;
  std::vector<char> is_taken_;     // one per island of the whole
  std::vector<int> place_;         // one per constraint of the whole: its index in the part, -1: none
  std::vector<int> row_of_whole_;  // one per row of the part
};

}  // namespace stiction
