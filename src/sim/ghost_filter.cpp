#include "sim/ghost_filter.h"

#include <algorithm>

#include "contact/solvers/nbgs_c.h"
#include "math/assert.h"
#include "math/task_pool.h"

namespace stiction {
namespace {

constexpr int kMaxSweeps = 20;
constexpr double kOverlapDepth = 1e-6;  // what counts as overlap [m]

// Velocity of B relative to A along the normal, for generalised velocity v. [m/s]
bool WouldClose(const StepFrame& frame, const DetectedContact& contact, const VectorXd& v) {
  return contact.tracked.point.gap + frame.dt * CalcNormalVelocity(frame, contact.tracked, v) < 0.0;
}

std::unique_ptr<ContactSolver> MakeMethod() {
  auto method = std::make_unique<SolverNbgsC>(NbgsCOptions{.max_sweeps = kMaxSweeps});
  method->set_tolerance(GhostFilter::kTolerance);
  return method;
}

}  // namespace

GhostFilter::GhostFilter(const Model& model) : method_(MakeMethod()) {
  probe_.Resize(model);
}

void GhostFilter::set_pool(const TaskPool& pool) {
  method_ = MakeMethod();
  helpers_.resize(CountOthers(pool));
  for (auto& helper : helpers_) helper = MakeMethod();
  pool_ = &pool;
}

bool GhostFilter::Overlap(const Model& model, const DetectedContact& contact) {
  const int a = contact.tracked.geom_a, b = contact.tracked.geom_b;
  CalcManifold(model.geoms[a].shape, probe_.X_WG[a], model.geoms[b].shape, probe_.X_WG[b], 0.0, manifold_);
  for (int i = 0; i < manifold_.num_points; ++i) {
    if (manifold_.points[i].gap < -kOverlapDepth) return true;
  }
  return false;
}

// Marks the trees of far contacts. False if there are none.
bool GhostFilter::FindFarTrees(const StepFrame& frame) {
  is_far_.assign(frame.sleep.awake().contains.size(), 0);
  bool any = false;
  for (const DetectedContact& contact : frame.contacts) {
    if (!contact.is_far) continue;
    any = true;
    for (const int geom : {contact.tracked.geom_a, contact.tracked.geom_b}) {
      if (frame.chains[geom].tree >= 0) is_far_[frame.chains[geom].tree] = 1;
    }
  }
  return any;
}

// Other islands do not matter, unless the method wants to know of bodies, which are those of the whole.
ProblemReport GhostFilter::SolveLoosely(const State& state, const StepRows& rows,
                                        const BranchSparseFactor& factor) {
  solution_.penalty = state.penalties;
  if (method_->uses_bodies()) {
    solution_.lambda = Eigen::Map<const VectorXd>(rows.warm_start.data(), rows.problem.num_rows());
    return solver_.Solve(rows.problem, factor, team(), solution_);
  }
  part_.Assign(rows.problem, is_far_);
  part_.Gather(rows.warm_start, solution_.lambda);
  return solver_.Solve(part_.problem(), factor, team(), solution_);
}

StageSolve GhostFilter::Run(const Model& model, const Input& input, const State& state,
                            const StepFrame& frame, StepRows& rows, const BranchSparseFactor& factor,
                            std::vector<int>& admitted) {
  STICTION_ASSERT(static_cast<int>(rows.warm_start.size()) == rows.problem.num_rows());
  admitted.clear();
  const std::vector<DetectedContact>& contacts = frame.contacts;
  if (!FindFarTrees(frame)) return {};
  const ProblemReport solved = SolveLoosely(state, rows, factor);
  if (!method_->uses_bodies() && solution_.lambda.allFinite())
    part_.Scatter(solution_.lambda, rows.warm_start);
  const VectorXd& v = solution_.v;
  const bool is_finite = v.allFinite();
  const int count = static_cast<int>(contacts.size());
  const auto same_pair = [&](int i, int j) {
    return contacts[i].tracked.geom_a == contacts[j].tracked.geom_a &&
           contacts[i].tracked.geom_b == contacts[j].tracked.geom_b;
  };
  bool probe_is_ready = false;
  for (int begin = 0, end = 0; begin < count; begin = end) {
    bool reached = false;
    for (end = begin; end < count && same_pair(begin, end); ++end) {
      reached = reached || (contacts[end].is_far && (!is_finite || WouldClose(frame, contacts[end], v)));
    }
    if (!reached) continue;
    if (!probe_is_ready && is_finite) {
      q_ = state.q;
      IntegrateConfiguration(model, frame.sleep.awake(), v, frame.dt, q_);
      CalcPositionKinematics(model, frame.sleep.awake(), q_, input.mocap, probe_);
      probe_is_ready = true;
    }
    if (is_finite && !contacts[begin].is_swept && !Overlap(model, contacts[begin])) continue;
    for (int i = begin; i < end; ++i) {
      if (contacts[i].is_far) admitted.push_back(i);
    }
  }
  return {true, solved.solve.status, solved.certificate.ncp_max, kTolerance};
}

}  // namespace stiction
