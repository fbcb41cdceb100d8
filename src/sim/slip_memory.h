// What contacts carry from step to step: warm start, slip memory, anchors.
//
// The law makes the relative velocity of a sticking contact zero with the Jacobian of the step's start; on a
// rotating hand the points part by O(dt² ω² r) every step, and the errors add up. So each contact remembers
// the slip a that it has not undone yet, and the next step's law acts on v_t + a/dt. With d, the tangential
// displacement over the step of the two material points that coincided at its start, halfway between the
// surfaces, where the law holds them,
//
//   stuck                  a <- a + d             everything that moved must come back
//   at the friction limit  a <- a + d − dt g_t    g_t = v_t + a/dt is the slide that the law allowed: what
//                                                 remains is the integration error
//   really sliding, open   a <- 0
//
// What the contacts of an island remember differs a little, by what the normal directions of all of them
// forbid: two pads that hold a part between them do not let it tilt, but it does, by the 1e-10 rad that
// solves and the removal of overlap leave open, and then one pad wants it up and the other one down. No
// velocity obeys both. Then the pads pull it against each other, harder in every step, until friction is used
// up. And a point that comes to bear load between others has nothing to undo, and holds against them. So
// contacts undo no more than one motion of all bodies has to, that which is closest to what they remember
// among those that normals that press, pressed limits and equalities allow (sim/motion_fit.h). The rest is no
// motion of the bodies: it is not asked for as long as that is so. Contacts that were not loaded follow the
// other points of their pair.
//
// That takes time with the cube of the dofs, and islands of more than 36, five bodies that tumble together,
// have something else to do while they move: in a pile that tumbles contacts change in every step, and what
// each of them has to undo pulls loads to and fro all over it. There slip waits until it is more than a tenth
// of what the fastest contact of the island goes in the step, or than positions may be wrong by without
// anyone asking. It is kept in mind, and undone where nothing moves: nothing creeps. To undo a share of it in
// every step, or what is more than that, costs more solves than to undo all: what contradicts the rest then
// stays. Where contacts hardly go further than they are to undo, the island is carried as a whole, as parts
// in hands that swing: it stays together for long, and is made to agree up to 128 dofs. There what no motion
// undoes is forgotten: a heap that lies still would be fitted in every step for ever.
//
// Without slip the laws always have a solution, because v = 0 keeps every e_n ≥ 0; with it a wedged body may
// not: two contacts ask for motions that exclude each other, and the impulses grow without bound. Islands
// that miss the budget undo nothing in that step, and what a motion has of their slip in the next one. Slips
// that do not agree are forgotten, and count no more for a hundred steps, but for as long as the island is
// carried as a whole. So are those, of any island, that miss the budget once more within these: they have no
// solution.
//
// Slip of less than 5e-9 m/s times a step waits until it is more: what several contacts of a body have of it
// is no motion of the body, and would set them against each other in every step.
//
// Only what the integration itself missed is slip: dt² ω² r, which is the way of the bodies in the step times
// their turn. Contacts that were moved further were moved by the stages that correct positions, which are to
// change no velocity: to undo a displacement of theirs would be to give bodies that stand still its length
// over the timestep. Where overlap and loops contradict each other, so that it comes back in every step, the
// two would drive each other to any speed. So what the stages are known to have moved counts only as far as
// it is little beside the way of the bodies, and what more there is is forgotten, but for what positions may
// be wrong by. So is that of bodies that turn by more than a tenth of a radian in a step: what they missed is
// no longer small, and to undo it would change their energy by more than a hundredth. The closing of loops
// does not know contacts, and may turn bodies far: a contact that it moves by more than this has no slip in
// the next step, and in the hundred after that undoes what agrees alone.
//
// Friction does the undoing, that of the load which is there anyway: all points of a pair together ask for no
// more than ten times the impulse that it could have given them in the last step. A point that touches
// without load would else throw its bodies at any speed wherever the undo itself presses them together:
// friction would bring forth the load that it lives on. What waits is not forgotten.
//
// And it does so at the cost of the motion that there is. With v⁺ = v* + A⁻¹ Jᵀ λ an island that undoes a
// changes its energy by
//
//   E⁺ − E* = −Σ λ_t a/dt + (what friction and laws without a take) − ½ ‖v⁺ − v*‖²_A
//
// of which the first is of the order of the integrator's error while λ is the force that holds a body on its
// path. An impulse of the size of the motion itself, of bodies that meet while they undo, or that lie so deep
// in one another that their contacts contradict each other, makes it a share of their energy in every step.
// Where it is more than a thousandth, beside what the impulses take, the island forgets its slip, and the
// step is solved again. Of slip within the slop, by which positions may be wrong, nothing is asked.
//
// A law that regularises friction (SolvedLaw::regularization_t) has none: what sticks creeps by it, R_t λ_t,
// and to undo that would make each contact a spring that lets go of all it bears when it slides. The rim of a
// patch, where some always do, would never come to rest.
//
// Rolling and pivoting are free: each step takes new material points, and what the finite rotation of a
// rolling body moves them is no slip.
#pragma once

#include <span>
#include <vector>

#include "sim/motion_fit.h"
#include "sim/step_frame.h"
#include "sim/step_rows.h"
#include "stiction/contact/island.h"
#include "stiction/contact/solution.h"
#include "stiction/contact/solved_law.h"

namespace stiction {

// Of the fastest of its bodies.
struct TreeMotion {
  double speed = 0.0;  // of a mass centre [m/s]
  double spin = 0.0;   // [rad/s]
};

class SlipMemory {
 public:
  // At the start of a step: the slip that each detected contact has to undo.
  //   memory  of the last step, State::contacts
  //   law     that the solver sets out to solve
  void Recall(const Model& model, const StepFrame& frame, const std::vector<ContactMemory>& memory,
              const SolvedLaw& law = {});

  // Of a detected contact, tangential to its normal, world axes [m].
  const Vector3d& slip_W(int contact) const { return slip_W_[contact]; }
  // What of it the law of the step has to undo: all, or nothing while it is too little; what agrees with the
  // others, after Agree.
  const Vector3d& undo_W(int contact) const { return undo_W_[contact]; }

  // These have nothing to undo: they were about to open, and close again by a blow.
  void Drop(const std::vector<int>& contacts);

  // A contact without a past stands at `place` now, and those behind it moved up by one.
  void MakePlace(int place);

  // Brings what every island has to undo to agree, once all its rows are there, and bounds it by the friction
  // of the last step.
  //   rows  e of the problem takes what changes
  void Agree(const StepFrame& frame, StepRows& rows);

  // Lets islands that miss the budget undo no slip in this step, and starts them anew. Returns false if
  // nothing was to be undone.
  //   residuals   ncp of each constraint, in terms of the budget [m/s]
  //   warm_start  impulses before the step's first try
  //   rows        e of the problem loses the slip
  //   lambda      impulses of these islands become those of the warm start
  bool Pause(const StepFrame& frame, const IslandPartition& partition, const std::vector<double>& residuals,
             double budget, const GrowingVector& warm_start, StepRows& rows, GrowingVector& lambda);

  // Forgets the slip of islands that a solve has left with energy from undoing it. True if there are any: the
  // step then needs another solve.
  //   rows  e of the problem loses the slip
  bool ForgetDriving(const StepFrame& frame, const IslandPartition& partition, const Solution& solution,
                     StepRows& rows);

  // At the end of a step: contacts, slip and impulses of the solved rows become State::contacts, beside those
  // of trees that are still.
  //   pushed   dofs by the position stage, size nv; empty: not at all
  //   closing  likewise by the closing of loops
  void Remember(const StepFrame& frame, const StepRows& rows, const Solution& solution,
                const VectorXd& pushed, const VectorXd& closing, std::vector<ContactMemory>& memory);
  // What these rows began the step with.
  const std::vector<ContactMemory>& before() const { return next_; }

 private:
  // What moved dofs in a step beside the velocity; null: nothing did.
  struct Displacements {
    const VectorXd* pushed = nullptr;
    const VectorXd* closing = nullptr;
  };
  void MakeMemory(const StepFrame& frame, const StepRows& rows, const Solution& solution,
                  const Displacements& moved, const std::vector<ContactMemory>& last, int contact,
                  ContactMemory& memory) const;
  bool Sticks(const StepFrame& frame, const StepRows& rows, const Solution& solution, int contact) const;
  Vector3d CalcSlide(const StepFrame& frame, const ContactProblem& problem, const Constraint& c,
                     const VectorXd& v, int contact) const;

  // Puts next_ beside what `memory` has of trees that are still, in place of the rest, which next_ becomes.
  void KeepStill(const StepFrame& frame, std::vector<ContactMemory>& memory);

  void CalcTreeMotion(const Model& model, const StepFrame& frame);
  // What is asked of an island, and who answers. Of one thread at a time.
  struct Agreeing {
    MotionFit fit;
    std::vector<MotionFit::HeldRow> held;
    std::vector<MotionFit::Wanted> slips, followers;  // two rows a contact
    int num_known = 0;
  };

  bool GatherIsland(const StepFrame& frame, const StepRows& rows, std::span<const int> island,
                    Agreeing& agreeing) const;
  bool Follows(const StepFrame& frame, int contact) const;
  // Each changes what belongs to the island (its constraints), or the pair of contacts `begin` to `end`,
  // alone.
  void AgreeOnMotion(const StepFrame& frame, std::span<const int> island, Agreeing& agreeing, StepRows& rows);
  struct Motion {
    double way = 0.0;   // of the island's fastest contact in a step [m]
    double undo = 0.0;  // the most that one of its contacts undoes [m]
  };
  void Forget(const StepRows& rows, std::span<const int> island);
  double CalcGain(const StepFrame& frame, const StepRows& rows, std::span<const int> island,
                  const Solution& solution) const;
  Motion LetWait(const StepFrame& frame, std::span<const int> island, StepRows& rows);
  void LimitToFriction(const StepFrame& frame, int begin, int end, StepRows& rows);
  void ChangeUndo(const StepFrame& frame, int contact, const Vector3d& undo_W, StepRows& rows);

  std::vector<TreeMotion> tree_motion_;  // one per tree
  std::vector<Vector3d> slip_W_;         // one per detected contact
  std::vector<Vector3d> undo_W_;         // one per detected contact
  std::vector<char> was_loaded_;         // one per detected contact: it pressed in the last step
  std::vector<double> friction_;         // one per detected contact: μ λ_n of the last step [N·s]
  std::vector<double> speed_;            // of each contact at the start of the step, relative [m/s]
  std::vector<int> pause_;               // one per detected contact: ContactMemory::slip_pause
  std::vector<char> agrees_;           // one per detected contact: a motion undoes it with all of its island
  std::vector<ContactMemory> next_;    // of the next step; then before()
  std::vector<ContactMemory> merged_;  // scratch
  std::vector<int> place_;             // of each of next_ among those of before, where still ones stay

  std::vector<Agreeing> agreeing_;  // of each piece of the islands
  VectorXd momentum_;               // A v*, size nv
};

}  // namespace stiction
