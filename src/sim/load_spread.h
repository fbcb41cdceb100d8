// How contacts share loads that the laws leave open.
//
// Four points of a face, or two pads around a part, share their load in ways that no law tells apart while
// all sticks. Where it slides they do differ: friction turns what is pressed at one corner, and a part whose
// weight is near what friction carries swings about that corner, out of a grip that would hold it. Which
// answer a solver gives goes by where it begins, and so does every step after, by its warm start.
//
// Rigid bodies are the limit of stiff ones, and of these one answer is the limit: bodies all of whose points
// are equally stiff share what they press with as one motion u of the bodies presses them into one another,
// λ_n = J_n u. So islands in which something slides begin with the nearest such loads,
//
//   minimise Σ (J_n u − λ_n)², subject to J u = 0 of pressed limits and equalities
//
// or as far towards them as no point pulls. They balance what the loads before balanced, J_nᵀ λ_n, and
// friction of each point goes with its load. It is a warm start: what the laws do determine, the solver finds
// from there as ever. Contacts that give way by a law of theirs share as that says, and are left out.
//
// What friction bears is as open while all sticks. Points that stop in a grip that is nearly at its limit
// stay at theirs, because of what they hold against one another, and the next best disturbance lets them
// slide. So islands that stand still with points at their limit begin with the friction that uses up the
// least of it,
//
//   minimise Σ λ_t² / (μ λ_n), with the same J_tᵀ λ_t
//
// which is λ_t = μ λ_n J_t u, if all stick with it: then they come to rest for good (sim/rest_stage.h).
#pragma once

#include <span>
#include <vector>

#include "sim/motion_fit.h"
#include "sim/step_frame.h"
#include "sim/step_rows.h"
#include "stiction/model/state.h"

namespace stiction {

class LoadSpread {
 public:
  // Once all rows are there; their warm start changes.
  //   memory  of the last step, State::contacts
  void Run(const StepFrame& frame, const std::vector<ContactMemory>& memory, StepRows& rows);

 private:
  // Of one thread at a time.
  struct Sharing {
    MotionFit fit;
    std::vector<MotionFit::HeldRow> held;
    std::vector<MotionFit::Wanted> loads;      // normal rows [N·s]
    std::vector<MotionFit::Wanted> frictions;  // tangential rows, over √(μ λ_n) [√(N·s)]
    bool is_held = false;                      // with points at their limit, but nothing slides
  };

  static bool GatherIsland(const StepFrame& frame, const std::vector<ContactMemory>& memory,
                           const StepRows& rows, std::span<const int> island, Sharing& sharing);
  static void Apply(std::span<const MotionFit::Wanted> loads, StepRows& rows);
  static void SpreadFriction(const StepFrame& frame, Sharing& sharing, StepRows& rows);

  std::vector<Sharing> sharing_;  // of each piece of the islands
};

}  // namespace stiction
