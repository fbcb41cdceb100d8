#include "sim/step_sleep.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace stiction {
namespace {

// The largest residual of the rows of each tree; NaN where it is not that of the solution.
void CalcTreeResiduals(const Model& model, StepWorkspace& ws) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  ws.tree_ncp.assign(model.num_trees(), ws.knows_residuals ? 0.0 : kUnknown);
  if (!ws.knows_residuals) return;
  const std::vector<double>& residuals = ws.problem_solver.residuals();
  for (std::size_t i = 0; i < ws.problem.constraints.size(); ++i) {
    const Constraint& c = ws.problem.constraints[i];
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      double& worst = ws.tree_ncp[ws.problem.blocks[b].subsystem];
      if (!(residuals[i] <= worst)) worst = residuals[i];
    }
  }
}

// As it is while it sleeps.
Contact MakeContact(const Kinematics& kin, const ContactMemory& memory) {
  const RigidTransform& X_WA = kin.X_WG[memory.geom_a];
  const Vector3d p_WA = X_WA * memory.p_A, p_WB = kin.X_WG[memory.geom_b] * memory.p_B;
  Contact contact;
  contact.geom_a = memory.geom_a;
  contact.geom_b = memory.geom_b;
  contact.p_W = 0.5 * (p_WA + p_WB);
  contact.n_W = X_WA.R * memory.n_A;
  contact.gap = (p_WB - p_WA).dot(contact.n_W);
  contact.impulse_W = memory.impulse_W;
  contact.moment_W = memory.moment_W;
  return contact;
}

}  // namespace

void MergeSleepingContacts(const Model& model, const StepWorkspace& ws, const SleepMemory& sleep,
                           const std::vector<Contact>& awake, std::vector<Contact>& all) {
  const auto slept = [&](int geom) { return !ws.sleep.IsAwake(model.bodies[model.geoms[geom].body].tree); };
  all.clear();
  std::size_t next = 0;
  for (const ContactMemory& memory : sleep.contacts) {
    if (!slept(memory.geom_a) && !slept(memory.geom_b)) continue;  // fell asleep in the step: among the given
    while (next < awake.size() &&
           std::pair(awake[next].geom_a, awake[next].geom_b) < std::pair(memory.geom_a, memory.geom_b))
      all.push_back(awake[next++]);
    all.push_back(MakeContact(ws.kin, memory));
  }
  all.insert(all.end(), awake.begin() + static_cast<std::ptrdiff_t>(next), awake.end());
}

void CalcStart(const Model& model, const Input& input, const State& state, StepWorkspace& ws) {
  const TreeSet& trees = ws.sleep.computed(model);
  CalcPositionKinematics(model, trees, state.q, input.mocap, ws.kin);
  CalcVelocityKinematics(model, trees, state.v, ws.kin);
  if (model.num_tendons() > 0) CalcTendons(model, ws.kin, state.q, ws.tendons);
  if (!ws.sleep.is_refresh()) return;
  // Where other configurations are tried, those who sleep stay as they are.
  ws.probe = ws.kin;
  ws.middle = ws.kin;
}

void DetectContacts(const Model& model, State& state, StepWorkspace& ws) {
  DetectionScope scope = ws.sleep.scope();
  ws.detector.Detect(model, ws.kin, scope, state.contacts, ws.dt, ws.contacts);
  while (ws.sleep.WakeTouched(model, ws.contacts, state)) {
    scope.still_moved = false;
    ws.detector.Detect(model, ws.kin, scope, state.contacts, ws.dt, ws.contacts);
  }
  ws.sleep.Summarize(model, ws.kin, state.sleep);
}

void LetSleep(const Model& model, const Input& input, StepWorkspace& ws, StepReport& report, State& state) {
  if (!ws.sleep.is_enabled) return;
  const SleepStage::Motion motion{ws.M,        ws.advance, ws.loop_correction, ws.start_activation,
                                  ws.contacts, ws.dt};
  if (ws.sleep.CountRest(model, input, motion, state)) {
    CalcTreeResiduals(model, ws);
    ws.sleep.PutToSleep(model, ws.contacts, ws.tree_ncp, ws.budget, state);
  }
  report.num_sleeping = ws.sleep.num_sleeping();
  report.penetration = std::max(report.penetration, ws.sleep.penetration());
  if (!(ws.sleep.ncp() > report.certificate.ncp_max)) return;
  report.certificate.ncp_max = ws.sleep.ncp();
  report.certificate.worst_constraint = -1;
}

}  // namespace stiction
