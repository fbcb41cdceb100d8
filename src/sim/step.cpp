#include "stiction/sim/step.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/copy_kinematics.h"
#include "sim/divergence.h"
#include "sim/effort_limits.h"
#include "sim/phase_timer.h"
#include "sim/step_workspace.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// Solves with late contacts under a solver budget: what the second one would admit comes of what the first
// one admitted.
constexpr int kMaxLateRounds = 2;
// Of a solver budget's time, what a solve keeps for one with late contacts: those that are not solved at all
// cost more than the others lack.
constexpr double kLateShare = 0.25;
// Looks for what a blow drives far: what it meets is driven itself; and at what a displacement does for
// tendons, which a parabola does not tell from afar.
constexpr int kMaxLooks = 4;
// Looks for what overlaps where the step leads: what is pushed out of one body comes into the next.
constexpr int kMaxEndLooks = 8;
// What a step's change of velocity has to move some dof by before anything may have gone further than
// contacts were looked for: half of the least margin, which is a millimetre, and of a lever of a metre [m or
// rad].
constexpr double kFurther = 5e-4;

// Keeps the worse of two solves of the same stage.
void Keep(const StageSolve& solve, StageSolve& worst) {
  if (!solve.has_run || (worst.has_run && solve.residual <= worst.residual)) return;
  worst = solve;
}

// Poses, velocities and tendons at the start of the step. Needs SleepStage::Begin.
void CalcStart(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  const TreeSet& trees = ws.sleep.computed(model);
  if (Kinematics* known = std::exchange(ws.start_kin, nullptr)) {
    std::swap(ws.kin, *known);
  } else {
    ws.end_gaps.CalcStart(model, state.q, input.mocap, trees, ws.pool, ws.kin);
    ws.parts.ForEach(model, trees, ws.pool,
                     [&](const TreeSet& part) { CalcVelocityKinematics(model, part, state.v, ws.kin); });
  }
  if (model.num_tendons() > 0) CalcTendons(model, ws.kin, state.q, ws.tendons);
  if (!ws.sleep.is_refresh()) return;
  // Where other configurations are tried, those who sleep stay as they are.
  ws.probe = ws.kin;
  ws.free_motion.Refresh(ws.kin);
  ws.ghost_filter.Refresh(ws.kin);
  ws.unseen.Refresh(ws.kin);
  ws.end_gaps.Refresh(ws.kin);
}

// Finds contacts, wakes whom something awake reaches, and looks again; then limits, beside those that an
// earlier look in the same step has found.
//   foreseen  DetectionScope::foreseen; null: the first look
void Detect(const Model& model, State& state, const Kinematics* foreseen, StepWorkspace& ws) {
  DetectionScope scope = ws.sleep.scope();
  scope.foreseen = foreseen;
  ws.detector.Detect(model, ws.kin, scope, state.contacts, ws.dt, ws.contacts);
  while (ws.sleep.WakeTouched(model, ws.contacts, state, ws.still)) {
    scope.still_moved = false;
    ws.detector.Detect(model, ws.kin, scope, state.contacts, ws.dt, ws.contacts);
  }
  CalcContactFrames(ws.contacts, ws.pool, ws.R_WC);
  ws.sleep.Summarize(model, ws.kin, state.sleep);
  if (foreseen == nullptr) ws.limits.clear();
  AddLimits(model, ws.sleep.awake(), state.q, state.v, ws.tendons, 2.0 * ws.dt, ws.limits);
}

// The rows of all exact equalities and their bias, for the displacement that is foreseen.
void CalcEqualityRows(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  const FreeMotion& motion = ws.free_motion;
  if (motion.has_loop_rows()) return;
  if (motion.closes_loops()) {
    ws.equality_stage.CalcRowsOf(model, ws.sleep, ws.kin, state.q, ws.problem.v_star);
    return;
  }
  ws.equality_stage.CalcRows(model, input, state, ws.sleep, motion.factor(), motion.foreseen(), ws.kin,
                             motion.row_kin(ws.frame()), motion.row_q(state), CalcImpulseShare(ws.integrator),
                             ws.dt, ws.probe);
}

// All rows of the problem, and the warm start of its solution.
//   keeps_impulses  SolveStage::Begin
void Assemble(const Model& model, const Input& input, const State& state, bool keeps_impulses,
              StepWorkspace& ws, StepReport& report) {
  const StepFrame& frame = ws.frame();
  const bool has_bodies = ws.solve.solver->uses_bodies();
  if (!ws.assembler.HasRows(frame, ws.free_motion.forces())) {
    ws.slip.Recall(model, frame, state.contacts, ws.solve.law());
    ws.assembler.AssembleNone(frame, ws.solve.law(), has_bodies);
    ws.admitted.clear();
    return ws.solve.Begin(ws.rows.warm_start, state, keeps_impulses);
  }
  if (ws.equality_stage.is_needed()) CalcEqualityRows(model, input, state, ws);
  ws.slip.Recall(model, frame, state.contacts, ws.solve.law());
  ws.assembler.Assemble(model, input, state, frame, ws.motion(), ws.equality_stage, ws.slip, ws.solve.law(),
                        has_bodies);
  Keep(ws.ghost_filter.Run(model, input, state, frame, ws.rows, ws.free_motion.factor(), ws.admitted),
       report.ghost_filter);
  ws.assembler.AddContacts(model, state, frame, ws.motion(), ws.slip, ws.admitted);
  ws.slip.Agree(frame, ws.rows);
  if (ws.solve.law().is_exact()) ws.load_spread.Run(frame, state.contacts, ws.rows);
  ws.solve.Begin(ws.rows.warm_start, state, keeps_impulses);
  if (!keeps_impulses) ws.solve.Foresee(ws.rows.trend);
}

// Forgets what would drive bodies that contacts hold. False if nothing does, and the answer stands.
bool ForgetDriving(StepWorkspace& ws, const StepReport& report) {
  // Where the velocity of the end is what moves the bodies: there e is the bend.
  const bool is_of_end = CalcImpulseShare(ws.integrator) == 1.0;
  const IslandPartition& islands = ws.solve.partition();
  const int missed = report.status == StepStatus::kBudgetMissed ? report.certificate.worst_constraint : -1;
  const bool has_bends = is_of_end && ws.equality_stage.is_needed() &&
                         ws.equality_stage.ForgetDriving(ws.problem, islands, ws.solution, missed);
  const bool has_slip = ws.slip.ForgetDriving(ws.frame(), islands, ws.solution, ws.rows);
  if (has_bends) ws.equality_stage.UpdateRows(ws.problem);
  return has_bends || has_slip;
}

// Solves again without what has to be forgotten; and once more for each further island that only misses its
// budget for its bends, of which the worst is known at a time.
void Solve(const State& state, StepWorkspace& ws, StepReport& report) {
  ws.solve.Solve(ws.frame(), ws.free_motion.factor(), ws.rows, ws.slip, report);
  bool is_first = true;
  while (ws.problem.num_constraints() > 0 && (is_first || report.status == StepStatus::kBudgetMissed) &&
         ForgetDriving(ws, report)) {
    ws.solve.Restart(ws.rows.warm_start, state);
    ws.solve.Solve(ws.frame(), ws.free_motion.factor(), ws.rows, ws.slip, report);
    is_first = false;
  }
}

// Trees of contacts, one mark each.
void MarkTrees(const Model& model, const StepFrame& frame, const std::vector<int>& contacts,
               std::vector<char>& trees) {
  trees.assign(model.num_trees(), 0);
  for (const int i : contacts) {
    const TrackedContact& contact = frame.contacts[i].tracked;
    for (const int geom : {contact.geom_a, contact.geom_b}) {
      if (const int tree = frame.chains[geom].tree; tree >= 0) trees[tree] = 1;
    }
  }
}

// Whether far contacts are left that the answer may bring about.
bool HasFar(const StepFrame& frame, const StepRows& rows) {
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    if (frame.contacts[i].is_far && rows.contact_constraint[i] < 0) return true;
  }
  return false;
}

// Solves on with the contacts in ws.admitted, from the impulses that the step has.
void SolveOn(const Model& model, const State& state, StepWorkspace& ws, StepReport& report) {
  const StepFrame& frame = ws.frame();
  std::vector<double>&start = ws.rows.warm_start, &first = ws.rows.first_start;
  if (first.empty()) first = start;
  start.assign(ws.solution.lambda.begin(), ws.solution.lambda.end());
  ws.assembler.AddContacts(model, state, frame, ws.motion(), ws.slip, ws.admitted);
  first.insert(first.end(), start.begin() + static_cast<std::ptrdiff_t>(first.size()), start.end());
  MarkTrees(model, frame, ws.admitted, ws.late);
  if (report.status != StepStatus::kOk) ws.late.clear();
  ws.solve.Continue(ws.rows.warm_start, state, ws.late);
  Solve(state, ws, report);
}

// Solves again with the far contacts that the answer would drive into one another, and with those that come
// of these: a blow runs through a pile from body to body. What missed its budget is no answer: all of it is
// solved again, and without such contacts in the time that was kept for them.
void AdmitLate(const Model& model, const Input& input, const State& state, StepWorkspace& ws,
               StepReport& report) {
  const StepFrame& frame = ws.frame();
  const bool may_end_early = !ws.solve.solver_budget.is_none();
  for (int round = 1; !may_end_early || round <= kMaxLateRounds; ++round) {
    const double reserved = ws.solve.reserve;
    ws.solve.reserve = round < kMaxLateRounds ? reserved : 0.0;
    ws.ghost_filter.FindLate(model, input, state, frame, ws.rows, ws.solution.v, ws.admitted);
    if (ws.admitted.empty()) {
      ws.solve.reserve = 0.0;
      if (reserved > 0.0 && report.status == StepStatus::kBudgetMissed) Solve(state, ws, report);
      return;
    }
    ws.slip.Drop(ws.admitted);
    SolveOn(model, state, ws, report);
  }
}

// Adds what was found to the contacts, and lists where it stands in ws.admitted.
void InsertContacts(const std::vector<LateContact>& found, StepWorkspace& ws) {
  ws.admitted.clear();
  for (const auto& [contact, place] : found) {
    ws.contacts.insert(ws.contacts.begin() + place, contact);
    ws.R_WC.insert(ws.R_WC.begin() + place, MakeContactFrame(contact.tracked.point.n_W));
    ws.rows.MakePlace(place);
    ws.slip.MakePlace(place);
    ws.admitted.push_back(place);
  }
}

// ws.lead, end_q and end_v become those of the end of the step.
//   displacement  of the position stage
void Integrate(const Model& model, const State& state, const VectorXd& displacement, StepWorkspace& ws) {
  const StepFrame& frame = ws.frame();
  ws.end_v = ws.solution.v;
  ws.end_q = state.q;
  ws.lead = ws.advance + displacement;
  ws.free_motion.AdvanceJoints(model, frame, ws.lead, ws.end_q);
  ws.free_motion.AdvanceFreeBodies(model, state, frame, displacement, ws.end_q, ws.end_v);
}

// Where the step leads, as far as its answer is known.
const VectorXd& CalcEnd(const Model& model, const State& state, StepWorkspace& ws) {
  if (ws.integrator == Integrator::kSymplecticEuler) {
    ws.free_motion.CalcAdvance(ws.frame(), ws.problem, ws.solution, ws.advance);
    Integrate(model, state, ws.no_displacement, ws);
  } else {
    ws.end_q = state.q;
    IntegrateConfiguration(model, ws.sleep.awake(), ws.solution.v, ws.dt, ws.end_q);
  }
  return ws.end_q;
}

// Solves on with all contacts that the answer brings about: those that are far where the step begins, and
// those that were not seen there. To look for the latter is not the solver's work, and takes none of the time
// of a solver budget; where that is over, nobody looks.
void AdmitAll(const Model& model, const Input& input, const State& state, StepWorkspace& ws,
              StepReport& report) {
  if (ws.contacts.empty()) return;
  AdmitLate(model, input, state, ws, report);
  if (!ws.unseen.MayFind(ws.frame(), ws.rows, ws.field_memory)) return;
  for (int look = 0; look < kMaxLooks; ++look) {
    if (!(ws.solution.v.array().abs() < kDivergence).all() || ws.solve.is_late()) return;
    ws.solve.PauseClock();
    const VectorXd& q = CalcEnd(model, state, ws);
    const auto& found = ws.unseen.Find(model, input, ws.frame(), ws.rows, ws.solution.v, q, ws.field_memory);
    ws.solve.ResumeClock();
    if (found.empty()) return;
    InsertContacts(found, ws);
    SolveOn(model, state, ws, report);
    AdmitLate(model, input, state, ws, report);
  }
}

// Whether limited forces may be rows of the problem, which come and go with their sides: those that are open,
// and slopes along several joints.
bool HasEffortRows(const JointForces& forces) {
  const auto& limited = forces.limited;
  return forces.has_open ||
         std::any_of(limited.begin(), limited.end(), [](const LimitedForce& f) { return f.dof < 0; });
}

// Solves again while impulses put a limited force on another side of its range. What cannot be settled is in
// the certificate. False if A is singular on one of the sides.
[[nodiscard]] bool SettleEfforts(const Model& model, const Input& input, const State& state,
                                 StepWorkspace& ws, StepReport& report) {
  JointForces& forces = ws.free_motion.forces();
  if (ws.integrator != Integrator::kSymplecticEuler || forces.limited.empty()) return true;
  const EffortEnd end{.v = ws.solution.v, .is_change = false, .stiffness = ws.dt};
  for (int round = 0; round < kMaxEffortRounds; ++round) {
    if (!UpdateSides(model, end, round, true, forces)) break;
    if (!ws.free_motion.Repeat(model, input, state, ws.frame(), ws.problem, report.bad_body)) return false;
    if (HasEffortRows(forces)) Assemble(model, input, state, true, ws, report);
    Solve(state, ws, report);
    AdmitAll(model, input, state, ws, report);
  }
  const double residual =
      CalcEffortResidual(model, forces, ws.free_motion.factor(), end, ws.dt, ws.effort_response);
  report.certificate.ncp_max = std::max(report.certificate.ncp_max, residual);
  if (!(residual <= ws.solve.largest_budget())) {
    report.status = StepStatus::kBudgetMissed;
    report.is_converged = false;
  }
  CloseSides(model, ws.rows, ws.solution.lambda, forces);
  RecordEfforts(model, forces);
  return true;
}

// ws.end_v becomes the velocity that the step would end with: what stands, and is held, stands. Else it would
// be foreseen elsewhere than while its island is left out.
void ForeseeVelocity(const Model& model, const State& state, StepWorkspace& ws) {
  ws.end_v = ws.solution.v;
  const auto creeps = [&](const Tree& tree) {
    return state.v.segment(tree.first_dof, tree.num_dofs).isZero(0.0) &&
           !ws.end_v.segment(tree.first_dof, tree.num_dofs).isZero(0.0);
  };
  if (!ws.solve.law().is_exact() || std::none_of(model.trees.begin(), model.trees.end(), creeps)) return;
  for (const int t : ws.rest.Find(ws.frame(), ws.rows, ws.solution)) {
    const Tree& tree = model.trees[t];
    if (creeps(tree)) ws.end_v.segment(tree.first_dof, tree.num_dofs).setZero();
  }
}

// Whether the answer drives something into what was too far away to be looked for, or a joint or a tendon
// beyond a limit that was. The contacts and limits then are there as well. The step begins anew with them,
// for which a solver budget keeps no time.
bool LookAgain(const Model& model, State& state, StepWorkspace& ws) {
  const VectorXd& v = ws.solution.v;
  const double change = (v - state.v).lpNorm<Eigen::Infinity>();
  const bool may_meet = ws.dt * change > kFurther || ws.detector.has_hollow_touch();
  if (!may_meet || !(change < kDivergence) || ws.solve.solver_budget.has_time()) return false;
  const TreeSet& awake = ws.sleep.awake();
  ForeseeVelocity(model, state, ws);
  // Other stages have moved trees there that this one leaves out.
  if (ws.sleep.num_absent() > 0) ws.probe = ws.kin;
  ws.parts.ForEach(model, awake, ws.pool, [&](const TreeSet& part) {
    CopyPositions(part, ws.kin, ws.probe);
    CalcVelocityKinematics(model, part, ws.end_v, ws.probe);
  });
  DetectionScope scope = ws.sleep.scope();
  scope.foreseen = &ws.probe;
  const bool has_limits = AddLimits(model, awake, state.q, ws.end_v, ws.tendons, ws.dt, ws.limits);
  if (!ws.detector.Foresee(model, awake, scope, ws.contacts, ws.dt) && !has_limits) return false;
  Detect(model, state, &ws.probe, ws);
  return true;
}

// The body of the first number that is not finite or beyond any physical speed, -1 if there is none.
int FindBadBody(const Model& model, const TreeSet& trees, const VectorXd& q, const VectorXd& v) {
  if (q.allFinite() && (v.array().abs() < kDivergence).all()) return -1;
  for (const IndexRange& range : trees.joints) {
    for (int j = range.begin; j < range.end; ++j) {
      const Joint& joint = model.joints[j];
      for (int i = 0; i < joint.nv(); ++i) {
        if (!(std::abs(v[joint.v_address + i]) < kDivergence)) return joint.body;
      }
      for (int i = 0; i < joint.nq(); ++i) {
        if (!std::isfinite(q[joint.q_address + i])) return joint.body;
      }
    }
  }
  return -1;
}

void CloseLoops(const Model& model, const Input& input, const State& state, StepWorkspace& ws,
                StepReport& report) {
  ws.loop_correction = 0.0;
  if (!ws.equality_stage.is_needed() || !ws.end_q.allFinite()) return;
  ws.open_q = ws.end_q;
  ws.loop_correction = ws.equality_stage.Project(model, input, ws.sleep, ws.free_motion.factor(), ws.kin,
                                                 state.q, 1.0, ws.probe, ws.end_q);
  report.correction = std::max(report.correction, ws.loop_correction);
  report.loop = ws.equality_stage.residual();
  if (ws.loop_correction > 0.0)
    ws.free_motion.KeepCentreVelocities(model, ws.frame(), ws.open_q, ws.end_q, ws.end_v);
}

// The velocity of the end is along the loops, by integrators that do not ask it of the laws.
void AlignVelocity(const Model& model, const Input& input, StepWorkspace& ws) {
  if (ws.integrator != Integrator::kMidpoint || !ws.equality_stage.is_needed()) return;
  if (!ws.end_q.allFinite() || !ws.end_v.allFinite()) return;
  CalcPositionKinematics(model, ws.sleep.awake(), ws.end_q, input.mocap, ws.probe);
  ws.free_motion.AlignWithLoops(model, ws.frame(), ws.probe, ws.end_q, ws.equality_stage, ws.end_v);
}

// What floats ends the step with the momentum that it has, and what turns too fast for the step with no more
// energy than it was given.
void KeepMomentumAndEnergy(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  if (ws.integrator == Integrator::kRungeKutta4 || ws.integrator == Integrator::kExplicitEuler) return;
  const SolvedStep step{.theta = CalcImpulseShare(ws.integrator),
                        .mocap = input.mocap,
                        .v_start = state.v,
                        .frame = ws.frame(),
                        .motion = ws.free_motion,
                        .problem = ws.problem,
                        .solution = ws.solution,
                        .displacement = ws.position_stage.displacement(),
                        .loops = ws.equality_stage};
  ws.floating_momentum.Restore(model, step, ws.probe, ws.end_q, ws.end_v);
  if (ws.integrator != Integrator::kImplicitEuler)
    ws.coarse_motion.Limit(model, step, ws.end_q, ws.probe, ws.end_v);
}

// Solves again while impulses put a limited force on another side of its range. False if A is singular on one
// of the sides.
[[nodiscard]] bool SettleRefined(const Model& model, const Input& input, const State& state,
                                 StepWorkspace& ws, StepReport& report) {
  for (int round = 0; round < kMaxEffortRounds && report.is_converged; ++round) {
    const Refinement settling = ws.free_motion.SettleSides(model, input, state, ws.frame(), ws.solution,
                                                           round, ws.problem, report.bad_body);
    if (settling != Refinement::kDone) return settling == Refinement::kNotNeeded;
    if (HasEffortRows(ws.free_motion.forces())) Assemble(model, input, state, true, ws, report);
    Solve(state, ws, report);
  }
  return true;
}

// The laws once more where the integrator's free velocity goes by the velocity that the first solve gave.
// False if A is singular at that velocity. Not where that solve did not end well: its velocity may be of any
// size, and so the terms found at it, beside which whatever is left of the laws would seem to be nothing.
[[nodiscard]] bool SolveRefined(const Model& model, const Input& input, const State& state, StepWorkspace& ws,
                                PhaseTimer& timer, StepReport& report) {
  if (!report.is_converged) return true;
  const Refinement refinement = ws.free_motion.Refine(model, input, state, ws.frame(), ws.loops(),
                                                      ws.solution, ws.problem, report.bad_body);
  if (refinement != Refinement::kDone) return refinement == Refinement::kNotNeeded;
  if (ws.equality_stage.is_needed()) {
    CalcEqualityRows(model, input, state, ws);
    ws.equality_stage.UpdateRows(ws.problem);
  }
  timer.Charge(report.phases.dynamics);
  Solve(state, ws, report);
  const bool is_settled = SettleRefined(model, input, state, ws, report);
  timer.Charge(report.phases.solve);
  return is_settled;
}

// Bodies that contacts hold stop. Contacts that give way let them creep.
void StopHeldBodies(StepWorkspace& ws) {
  if (!ws.solve.law().is_exact()) return;
  for (const int tree : ws.rest.Find(ws.frame(), ws.rows, ws.solution))
    ws.solve.Stop(ws.problem.subsystems[tree]);
}

// Adds rows for what overlaps where the step leads. False if there is none, or none that is new.
//   displacement  of the position stage so far
bool AddEndRows(const Model& model, const Input& input, const State& state, const VectorXd& displacement,
                StepWorkspace& ws) {
  Integrate(model, state, displacement, ws);
  if (!ws.end_q.allFinite()) return false;
  return ws.end_gaps.AddRows(model, input, ws.frame(), ws.lead, ws.end_q, ws.problem);
}

// ws.advance becomes where the step leads, if nothing corrects it. Adds rows for what overlaps there; false
// if there is none.
bool LookAtEnd(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  const StepFrame& frame = ws.frame();
  ws.free_motion.CalcAdvance(frame, ws.problem, ws.solution, ws.advance);
  return ws.end_gaps.MayBend(model, frame, ws.rows, ws.advance) &&
         AddEndRows(model, input, state, ws.no_displacement, ws);
}

// Solves on with what the last look at the end has found that no row foresees, if there is anything.
bool MeetUnseen(const Model& model, const Input& input, const State& state, StepWorkspace& ws,
                StepReport& report) {
  if (ws.solve.is_late()) return false;
  const auto& found = ws.end_gaps.FindUnseen(ws.frame(), ws.advance);
  if (found.empty()) return false;
  ws.end_gaps.RemoveRows(ws.problem);
  InsertContacts(found, ws);
  SolveOn(model, state, ws, report);
  AdmitLate(model, input, state, ws, report);
  return true;
}

// What the displacement of the position stage does for tendons that bend.
void BendTendons(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  const TreeSet& awake = ws.sleep.awake();
  for (int look = 0; look < kMaxLooks; ++look) {
    ws.end_q = state.q;
    IntegrateConfiguration(model, awake, ws.position_stage.displacement(), 1.0, ws.end_q);
    CalcPositionKinematics(model, awake, ws.end_q, input.mocap, ws.probe);
    CalcTendons(model, ws.probe, ws.end_q, ws.moved_tendons);
    if (!ws.position_stage.Bend(ws.frame(), ws.problem, ws.moved_tendons.length)) return;
  }
}

// Removes penetration, without changing any velocity.
//   is_bent  whether the last look at the end has added rows
void CorrectPositions(const Model& model, const Input& input, const State& state, bool is_bent,
                      StepWorkspace& ws, StepReport& report) {
  const StepFrame& frame = ws.frame();
  const auto correct = [&] {
    report.position_stage = ws.position_stage.Correct(frame, ws.rows, ws.free_motion.factor(), ws.advance,
                                                      ws.end_gaps.rows(), ws.equality_stage.drawn());
    if (ws.position_stage.pushes_tendons()) BendTendons(model, input, state, ws);
  };
  EndGaps& end_gaps = ws.end_gaps;
  correct();
  for (int look = 1; is_bent && look < kMaxEndLooks; ++look) {
    end_gaps.AddMoved(frame, ws.position_stage.displacement(), ws.problem);
    is_bent = AddEndRows(model, input, state, ws.position_stage.displacement(), ws);
    if (is_bent) correct();
  }
  end_gaps.RemoveRows(ws.problem);
  if (!report.position_stage.has_run) return;
  report.correction_newton = ws.position_stage.newton_steps();
  report.correction = ws.position_stage.displacement().lpNorm<Eigen::Infinity>();
}

// The state becomes that of the end of the step.
void Advance(const Model& model, const Input& input, StepWorkspace& ws, State& state) {
  const StepFrame& frame = ws.frame();
  const VectorXd& closing = ws.loop_correction > 0.0 ? ws.equality_stage.displacement() : ws.no_displacement;
  ws.slip.Remember(frame, ws.rows, ws.solution, ws.position_stage.displacement(), closing, state.contacts);
  RememberJointImpulses(model, frame, ws.rows, ws.solution.lambda, state);
  if (ws.free_motion.closes_loops()) ws.equality_stage.AddStageImpulses(state.equality_impulses);
  state.penalties = ws.solution.penalty;
  AdvanceActivations(model, input, ws.dt, GetActivationRule(ws.integrator), state.activation);
  AdvanceMotors(model, input, ws.free_motion.forces(), state.q, ws.end_v, ws.dt, state.activation);
  state.equality_target = input.equality_target;
  state.mocap = input.mocap;
  state.q = ws.end_q;  // copied: its memory stays where it is, for those who look at it there
  state.v = ws.end_v;
  state.time += ws.dt;
}

// How many rows there were, and how deep bodies were in one another.
void ReportRows(const StepWorkspace& ws, StepReport& report) {
  report.num_limits = static_cast<int>(ws.limits.size());
  report.num_contacts = static_cast<int>(ws.rows.acting.size());
  for (const RowSource& source : ws.rows.sources) report.num_equality_rows += source.equality_row >= 0;
  report.penetration = std::max(report.penetration, CalcPenetration(ws.frame()));
}

// Puts to sleep who has been at rest for long enough, and reports on all who sleep.
void LetSleep(const Model& model, const Input& input, StepWorkspace& ws, StepReport& report, State& state) {
  if (!ws.sleep.is_enabled) return;
  const SleepStage::Motion motion{ws.free_motion.M(),  ws.lead,     ws.loop_correction,
                                  ws.start_activation, ws.contacts, ws.dt};
  if (ws.sleep.CountRest(model, input, motion, state) && ws.parts_taken.num_parts() == 1) {
    const std::vector<double>& ncp = ws.solve.CalcTreeResiduals(model, ws.problem);
    ws.sleep.PutToSleep(model, ws.contacts, ncp, ws.solve.budget.absolute, state);
  }
  report.num_sleeping = ws.sleep.num_sleeping();
  report.penetration = std::max(report.penetration, ws.sleep.penetration());
  if (!(ws.sleep.ncp() > report.certificate.ncp_max)) return;
  report.certificate.ncp_max = ws.sleep.ncp();
  report.certificate.worst_constraint = -1;
}

// Which islands the next step may leave out.
//   stays  whether any tree stayed where it was
void FindStill(const Model& model, const Input& input, bool stays, StepWorkspace& ws, const State& state) {
  if (stays) {
    const StillIslands::Outcome outcome{ws.rows, ws.solve.residuals(), ws.position_stage.corrected(),
                                        ws.slip.before(), ws.solve.budget.absolute};
    ws.still.Find(model, ws.frame(), outcome, state);
  }
  ws.still.Remember(input, state);
}

// The step that the last one was, where nothing moves.
void Repeat(const StepWorkspace& ws, StepTimer& timer, State& state, StepReport& report) {
  report = ws.stillness.report();
  report.is_still = true;
  report.phases = PhaseTimes{};
  state.time += ws.dt;
  timer.Finish(report.phases);
}

// Whether all that the input prescribes stands where the last step left it.
bool IsNothingMoved(const Input& input, const State& state) {
  return (state.mocap.size() != input.mocap.size() || state.mocap == input.mocap) &&
         (state.equality_target.size() != input.equality_target.size() ||
          state.equality_target == input.equality_target);
}

// Whether smaller steps are to be taken in place of this one: it missed its budget for a contact's sake.
// Loops whose rows miss theirs are at what rounding leaves, which a smaller step does not better.
bool IsDivided(const StepWorkspace& ws, const StepReport& report) {
  if (!ws.parts_taken.may_divide() || report.status != StepStatus::kBudgetMissed) return false;
  const int worst = report.certificate.worst_constraint;
  return report.solve.num_left > 0 ||
         (worst >= 0 && ws.problem.constraints[worst].type == ConstraintType::kContact);
}

// The impulses of the step, with all contacts that they bring about: what a blow drives far is looked for
// once more. False if A is singular.
[[nodiscard]] bool SolveLaws(const Model& model, const Input& input, State& state, StepWorkspace& ws,
                             PhaseTimer& timer, StepReport& report) {
  for (int look = 0;; ++look) {
    // Of those who are awake, whom contacts may have woken.
    if (ws.equality_stage.is_needed()) ws.equality_stage.Begin(model, input, state, ws.sleep);
    if (!ws.free_motion.Calc(model, input, state, ws.frame(), ws.loops(), ws.problem, report.bad_body))
      return false;
    timer.Charge(report.phases.dynamics);

    Assemble(model, input, state, false, ws, report);
    timer.Charge(report.phases.assembly);

    ws.solve.set_may_divide(ws.parts_taken.may_divide(), ws.parts_taken.has_missed());
    const bool has_time = ws.solve.solver_budget.has_time();
    ws.solve.reserve = has_time && HasFar(ws.frame(), ws.rows) ? kLateShare : 0.0;
    Solve(state, ws, report);
    const bool is_divided = IsDivided(ws, report);
    if (!is_divided) AdmitAll(model, input, state, ws, report);
    timer.Charge(report.phases.solve);

    const bool looks_again = !is_divided && look < kMaxLooks && LookAgain(model, state, ws);
    timer.Charge(report.phases.collision);
    if (!looks_again) return true;
  }
}

// A step of ws.dt. False, with the state as it was, if it missed its budget and may be divided.
[[nodiscard]] bool TakePart(const Model& model, const Input& input, State& state, StepWorkspace& ws,
                            StepReport& report) {
  PhaseTimer timer;
  report = StepReport{};
  ws.mocap_motion.Update(state.mocap, input.mocap);
  ws.still.Begin(model, ws.sleep.links(), state);
  ws.sleep.Begin(model, input, state, ws.still);
  if (ws.sleep.is_enabled) ws.start_activation = state.activation;
  CalcStart(model, input, state, ws);
  timer.Charge(report.phases.kinematics);

  Detect(model, state, nullptr, ws);
  timer.Charge(report.phases.collision);
  if (!SolveLaws(model, input, state, ws, timer, report)) {
    report.status = StepStatus::kSingularMass;
    return true;
  }
  // Neither sides of forces nor terms at the end's velocity make up for islands that were left.
  if (report.solve.num_left > 0 && IsDivided(ws, report)) return false;
  const bool is_settled = SettleEfforts(model, input, state, ws, report);
  timer.Charge(report.phases.solve);
  if (!is_settled || !SolveRefined(model, input, state, ws, timer, report)) {
    report.status = StepStatus::kSingularMass;
    return true;
  }
  bool is_bent = false;
  for (int look = 0;; ++look) {
    if (IsDivided(ws, report)) return false;
    StopHeldBodies(ws);
    ws.solve.PauseClock();
    is_bent = LookAtEnd(model, input, state, ws);
    ws.solve.ResumeClock();
    timer.Charge(report.phases.correction);
    if (look == kMaxLooks || !MeetUnseen(model, input, state, ws, report)) break;
    timer.Charge(report.phases.solve);
  }
  CorrectPositions(model, input, state, is_bent, ws, report);
  timer.Charge(report.phases.correction);

  Integrate(model, state, ws.position_stage.displacement(), ws);
  CloseLoops(model, input, state, ws, report);
  AlignVelocity(model, input, ws);
  KeepMomentumAndEnergy(model, input, state, ws);
  report.bad_body = FindBadBody(model, ws.sleep.awake(), ws.end_q, ws.end_v);
  if (report.bad_body >= 0) {
    report.status = StepStatus::kDiverged;
    return true;
  }
  const bool is_unmoved = HaveSameBits(ws.end_q, state.q) && HaveSameBits(ws.end_v, state.v);
  // What does not move as a whole is repeated as a whole, and in parts of a step nothing is.
  const bool may_be_still = ws.still.is_enabled && !is_unmoved && ws.parts_taken.num_parts() == 1 &&
                            ws.integrator != Integrator::kImplicitEuler &&
                            ws.integrator != Integrator::kMidpoint;
  const bool stays =
      may_be_still && ws.still.FindUnmoved(model, ws.sleep, {input, state, ws.end_q, ws.end_v});
  Advance(model, input, ws, state);
  ReportRows(ws, report);
  ws.still.AddTo(ws.problem.num_constraints(), report);
  LetSleep(model, input, ws, report, state);
  FindStill(model, input, stays, ws, state);
  ws.stillness.End(input, state, report, is_unmoved);
  timer.Charge(report.phases.integration);
  return true;
}

}  // namespace

void Step(const Model& model, const Input& input, State& state, StepWorkspace& ws, StepReport& report) {
  StepTimer timer;
  if (ws.stillness.Begin(input, state, ws.keeps_state)) return Repeat(ws, timer, state, report);
  const TaskPool::Vigil vigil(ws.pool);
  const double dt = ws.dt, end = state.time + dt;
  StepParts& parts = ws.parts_taken;
  parts.Begin(dt, IsNothingMoved(input, state) ? ws.most_parts : 1);
  while (!parts.is_done()) {
    parts.Start(state);
    ws.dt = parts.dt();
    if (TakePart(model, input, state, ws, report)) {
      parts.Add(report);
    } else {
      parts.Divide(report, state);
      ws.still.Forget();
    }
  }
  ws.dt = dt;
  if (parts.num_parts() > 1) {
    report = parts.report();
    ws.ForgetRest();
    if (parts.has_stopped()) {
      parts.Restore(state);
    } else {
      ScaleImpulses(parts.num_parts(), state);
      state.time = end;
    }
  }
  timer.Finish(report.phases);
}

}  // namespace stiction
