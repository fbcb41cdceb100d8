// Puts the contact problem of a step together from what the step found, with its warm start.
//
// Order of the rows: exact equalities (sim/equality_stage.h renews them in place), soft equalities, dry
// friction of joints and of tendons, slopes of forces that A has no place for, forces whose side of their
// range is open (sim/effort_limits.h), near contacts, limits, and the far contacts that act
// (sim/ghost_filter.h); friction moments of a contact follow it.
#pragma once

#include "sim/contact_rows.h"
#include "sim/equality_stage.h"
#include "sim/inverse_weights.h"
#include "sim/slip_memory.h"
#include "sim/step_frame.h"
#include "sim/step_rows.h"
#include "stiction/contact/solved_law.h"
#include "stiction/dynamics/forces.h"
#include "stiction/model/input.h"
#include "stiction/model/state.h"

namespace stiction {

class RowAssembler {
 public:
  RowAssembler(const Model& model, const BranchPattern& pattern);

  // What the rows need of the motion without impulses, beside v* in the problem.
  struct Motion {
    const JointForces& forces;
    const BranchSparseFactor& factor;  // of the problem's A
  };

  // All rows but those of far contacts.
  //   equalities  after CalcRows, where there are exact ones
  //   slip        after Recall
  //   law         of the answer: whether penetration is part of it
  //   has_bodies  whether the solver takes ContactProblem::motion and body_contacts
  void Assemble(const Model& model, const Input& input, const State& state, const StepFrame& frame,
                const Motion& motion, const EqualityStage& equalities, const SlipMemory& slip,
                const SolvedLaw& law, bool has_bodies);
  // The same where there is no contact, no limit, and nothing of the model or its forces that has rows.
  //   forces  of the motion without impulses
  bool HasRows(const StepFrame& frame, const JointForces& forces) const {
    return has_model_rows_ || !frame.contacts.empty() || !frame.limits.empty() ||
           !forces.slope_rows.empty() || forces.has_open;
  }
  void AssembleNone(const StepFrame& frame, const SolvedLaw& law, bool has_bodies);
  // Those of far contacts that act, indices into the detected contacts. After Assemble.
  void AddContacts(const Model& model, const State& state, const StepFrame& frame, const Motion& motion,
                   const SlipMemory& slip, const std::vector<int>& contacts);

  // A and v* of the problem are those of the motion without impulses (sim/free_motion.h), which fills them.
  StepRows& rows() { return rows_; }
  const StepRows& rows() const { return rows_; }

 private:
  void ListActing();
  void AddExactEqualities(const Model& model, const State& state, const EqualityStage& equalities);
  void AddSoftEqualities(const Model& model, const Input& input, const State& state, const StepFrame& frame,
                         const Motion& motion);
  void AddJointFriction(const Model& model, const State& state, const StepFrame& frame);
  void AddTendonFriction(const Model& model, const State& state, const StepFrame& frame);
  void AddSlopes(const StepFrame& frame, const Motion& motion);
  void AddEfforts(const Model& model, const StepFrame& frame, const Motion& motion);
  void PlaceContacts(const StepFrame& frame, const std::vector<int>& contacts);
  void FillContact(const Model& model, const State& state, const StepFrame& frame, const Motion& motion,
                   const SlipMemory& slip, int contact);
  void FillMoments(const State& state, const StepFrame& frame, int contact, const Vector3d& w_mocap_C,
                   double normal_impulse);
  void AddLimit(const Model& model, const State& state, const StepFrame& frame, const Motion& motion,
                int limit);
  // A contact, whose rows are `c`, or a limit, whose row is the problem's last: they give way.
  void SoftenContact(const Model& model, const State& state, const StepFrame& frame, const Motion& motion,
                     const TrackedContact& contact, double gap, const Vector3d& v_mocap_C, Constraint& c,
                     Vector3d& e_C);
  void SoftenLimit(const Model& model, const State& state, const StepFrame& frame, const Motion& motion,
                   const LimitRow& limit);
  double CalcDelassusDiagonal(const Constraint& c, int r, const BranchSparseFactor& factor);

  StepRows rows_;
  InverseWeights weights_;
  bool has_model_rows_ = false;  // equalities or dry friction
  bool has_bodies_ = false;
  std::vector<int> friction_dofs_;  // of joints with dry friction
  std::vector<int> near_;           // contacts
  std::vector<RowExtent> extents_;  // of pieces of contacts that are placed
  VectorXd row_;                    // one row of J, size nv
  std::vector<double> soft_error_;  // Φ of one soft equality
};

}  // namespace stiction
