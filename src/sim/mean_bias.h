// Coriolis and centrifugal forces of trees with joints as symplectic Euler takes them: the mean of those of
// the velocities that the step begins and ends with,
//
//   h = (h(q, v) + h(q, v⁺)) / 2
//
// Positions follow v⁺, so v is the velocity of half a step before q, and v⁺ that of half a step after it. The
// step with the mean is symmetric about q, and agrees to second order with that of the discrete Lagrangian
// dt L(q, (q⁺ − q)/dt), whose energy does not drift. With h(q, v) alone it does, by the order of dt, and
// mechanisms without friction gain energy until they fly apart: a chain of four links at 10 rad/s within
// five seconds at 1 ms.
//
// v⁺ is foreseen: v* with what loops and the dry friction of the last step add, found twice where that
// matters. Trees that a contact or a limit pressed in the last step keep h(q, v), since v⁺ depends on what
// presses; so do trees whose motion the step does not resolve: what the mean changes is as large as the
// velocity. What h itself changes is never more than half of the velocity, in the norm of kinetic energy:
// where it would, bodies turn by radians in the step, and would be anywhere at its end, at any speed. Trees
// that do not turn yet, trees with one dof and single bodies (sim/free_body.h) need nothing.
//
// References: J. E. Marsden, M. West, Discrete mechanics and variational integrators, Acta Numerica 10, 2001.
#pragma once

#include <vector>

#include "dynamics/tree_bias.h"
#include "sim/step_frame.h"
#include "stiction/contact/problem.h"
#include "stiction/model/state.h"

namespace stiction {

class MeanBias {
 public:
  explicit MeanBias(const Model& model);

  // Finds the trees that take the mean in this step; false if there are none.
  bool Find(const Model& model, const State& state, const StepFrame& frame);
  // Leaves out what rows tie to trees that are pressed.
  void LeaveTied(const ContactProblem& rows);
  // What the last step's dry friction adds to the velocity of these trees; size nv.
  const VectorXd& CalcFriction(const State& state, const StepFrame& frame, const BranchSparseFactor& factor);

  // bias: no more Coriolis and centrifugal forces than the step resolves. True if there were.
  bool Limit(const Model& model, const StepFrame& frame, const BranchSparseFactor& factor, VectorXd& bias);

  // v_star <- v*, bias <- h with the mean, of these trees; in later calls of a step, of those where the last
  // one changed much. True if there are such: then v⁺ is another.
  //   v_end  v⁺
  bool Apply(const Model& model, const StepFrame& frame, const VectorXd& v_end,
             const BranchSparseFactor& factor, VectorXd& bias, VectorXd& v_star);

 private:
  struct Jointed {
    int tree = 0;
    IndexRange dofs, joints;
    bool is_rough = false;
  };

  static auto Part(const Jointed& jointed, VectorXd& vector) {
    return vector.segment(jointed.dofs.begin, jointed.dofs.size());
  }
  bool HasLimitImpulse(const Model& model, const State& state, const Jointed& jointed) const;
  void MarkPressed(const Model& model, const State& state, const StepFrame& frame);
  bool LimitTree(const Model& model, const StepFrame& frame, const BranchSparseFactor& factor,
                 const Jointed& jointed, VectorXd& bias);
  void ApplyTo(const Model& model, const StepFrame& frame, const VectorXd& v_end,
               const BranchSparseFactor& factor, Jointed& jointed, VectorXd& bias, VectorXd& v_star);

  std::vector<Jointed> jointed_;  // all that ever take it
  std::vector<int> taking_;       // in this step: into jointed_
  std::vector<char> is_pressed_;  // one per tree
  bool is_first_ = true;          // Apply of the step
  TreeBiasWorkspace scratch_;
  VectorXd start_bias_, start_v_, end_bias_, change_, friction_;
};

}  // namespace stiction
