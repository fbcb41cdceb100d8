// Brings trees to a stop that the laws of a step hold.
//
// A tree that sticking contacts, the normals of sliding ones, pressed limits, dry friction and equalities tie
// to what stands still, along every one of its dofs, has one velocity that obeys these laws: none. A solve
// finds it to its tolerance alone, and what is left of it does not come to rest by itself: impulses that are
// taken over from the step before are wrong by the same amount in every step, velocities grow with time and
// slip with its square, until the contact problem has to be solved again [spec. speed §A]. So a tree that is
// held, and whose rows move by less than a solve can tell, ends the step with a velocity of exactly zero.
// Then the next step starts where this one did, down to the last bit, and so does its contact problem: rest
// costs no solve, and does not creep.
//
// What is held holds others: stacks come to rest from below. A tree is held where its rows J against what is
// held have full column rank, by the pivots of Jᵀ J. The speed that is taken out is what the residuals of the
// rows below add up to: no more than any solve leaves open. Whatever is free to move, as a ball that rolls,
// keeps its velocity.
//
// Robots that lean on one another and on themselves are not held one by one, and where contacts only just
// tell a motion, 1e-9 m/s at them is 1e-5 rad/s in it: no solve ever ends with the same velocity twice. Nor
// is there any need to: an island on what stands still comes to rest as a whole where its contacts leave none
// of the dofs that are not held a ten-millionth of the velocity that forces would have given them in the
// step, and no more than 1e-9 m/s or rad/s. That is a friction of at most 1e-7 for what is free to move: a
// ball rolls down a slope of 1e-6 rad, and lies still on one of 1e-10 rad. Only impulses that are those of
// the step before bring it to rest: others have stopped what moved, and would push it on.
#pragma once

#include <span>
#include <vector>

#include "sim/step_rows.h"
#include "stiction/contact/solution.h"

namespace stiction {

class RestStage {
 public:
  explicit RestStage(const Model& model);

  // The trees that come to a stop, in no particular order.
  //   rows  of the step; its islands may be computed
  const std::vector<int>& Find(const StepFrame& frame, StepRows& rows, const Solution& solution);

 private:
  // Those of a constraint that hold: of a contact at its friction limit the normal.
  enum class Rows : unsigned char { kNone, kNormal, kAll };
  // A row or contact that holds, and its trees.
  struct Hold {
    int constraint;
    int tree;
    int other;  // -1: stands still
  };
  // Trees are held in waves, by those of the wave before: in one each tree is a matter of its own. What
  // stands still is the first.
  static constexpr int kNone = -1;
  // Jᵀ J of a tree over what holds it: its lower triangle, column-major, in gram_.
  struct Support {
    int first_value = 0;
    int num_rows = 0;
    bool may_be_held = false;
    bool is_full = false;    // it is held
    int wave = kNone;        // that it is held in
    int touched_in = kNone;  // the last wave that touched it
  };

  void FindHolding(const StepFrame& frame, const StepRows& rows, const Solution& solution);
  void GatherHolds(const StepFrame& frame, const StepRows& rows, const Solution& solution);
  bool MayBeHeld(const ContactProblem& problem, int tree) const;
  // Whether what holds the tree would tell that it moves at v.
  bool IsMotionTold(const ContactProblem& problem, int tree, const VectorXd& v) const;
  void FindCandidates(const StepFrame& frame, const ContactProblem& problem, const VectorXd& v);
  void HoldBy(int wave, const StepFrame& frame, const ContactProblem& problem);
  void FindTouched(int wave, std::size_t begin);
  // The hold becomes one of the tree's. A support of its own is written anew at its first.
  void AddHold(const ContactProblem& problem, int constraint, int tree);
  bool IsFull(const Subsystem& dofs, int tree);
  // Adds the trees of islands that hardly move to held_.
  void AddIdleIslands(StepRows& rows, const Solution& solution);
  bool IsIdle(const StepRows& rows, const Solution& solution, std::span<const int> trees) const;

  std::vector<Support> support_;  // one per tree
  std::vector<double> gram_;
  std::vector<double> factor_;  // of each, likewise
  std::vector<Rows> holding_;   // one per constraint
  std::vector<Hold> holds_;
  std::vector<int> first_hold_;    // one per tree and one more, into hold_of_tree_
  std::vector<int> hold_of_tree_;  // into holds_
  std::vector<int> touched_;       // trees
  std::vector<int> held_;          // trees, each before those that it holds
};

}  // namespace stiction
