// Brings bodies to a stop that contacts hold.
//
// A body that three sticking points, not on one line, hold to what stands still has one velocity that obeys
// the law of these contacts: none. A solve finds it to its tolerance alone, and what is left of it does not
// come to rest by itself: impulses that are taken over from the step before are wrong by the same amount in
// every step, velocities grow with time and slip with its square, until the contact problem has to be solved
// again [spec. speed §A]. So a body whose contacts part by less than a solve can tell ends the step with a
// velocity of exactly zero. Then the next step starts where this one did, down to the last bit, and so does
// its contact problem: rest costs no solve, and does not creep.
//
// What is held holds others: stacks come to rest from below. Only single free bodies are looked at; joints of
// a robot have motions of their own. The speed that is taken out is what the residuals of the contacts below
// add up to: no more than any solve leaves open.
#pragma once

#include <vector>

#include "sim/free_body.h"
#include "sim/step_rows.h"
#include "stiction/contact/solution.h"

namespace stiction {

class RestStage {
 public:
  explicit RestStage(const Model& model);

  // The trees of the bodies that come to a stop, in no particular order.
  const std::vector<int>& Find(const Model& model, const StepFrame& frame, const StepRows& rows,
                               const Solution& solution);

 private:
  // The points that hold a body, from the reference point of its tree [m].
  struct Support {
    int num_points = 0;
    Vector3d sum = Vector3d::Zero();
    Matrix3d product = Matrix3d::Zero();  // Σ p pᵀ

    void Add(const Vector3d& p);
    // Three points or more, and not on one line.
    bool IsFirm() const;
  };
  struct Found {
    int contact;  // detected, and sticks
    int tree;
    int other;  // -1: stands still
  };
  // The same, seen from one of its trees.
  struct Hold {
    int contact;
    int other;
  };

  void GatherHolds(const Model& model, const StepFrame& frame, const StepRows& rows,
                   const Solution& solution);
  // Adds the contact to the points that hold the body, unless they do without it; it is held, once they do.
  void AddPoint(const StepFrame& frame, int tree, int contact);

  std::vector<char> is_body_;     // one per tree: a single free body
  std::vector<Support> support_;  // one per tree
  std::vector<int> first_hold_;   // one per tree and one more, into holds_
  std::vector<Hold> holds_;
  std::vector<Found> found_;
  std::vector<int> held_;  // trees, each before those that it holds
};

}  // namespace stiction
