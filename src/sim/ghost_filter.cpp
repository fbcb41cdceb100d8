#include "sim/ghost_filter.h"

#include <algorithm>

#include "contact/solvers/nbgs_c.h"
#include "math/assert.h"

namespace stiction {
namespace {

constexpr int kMaxSweeps = 50;
constexpr double kOverlapDepth = 1e-6;  // what counts as overlap [m]

// Velocity of B relative to A along the normal, for generalised velocity v. [m/s]
bool WouldClose(const StepFrame& frame, const DetectedContact& contact, const VectorXd& v) {
  return contact.tracked.point.gap + frame.dt * CalcNormalVelocity(frame, contact.tracked, v) < 0.0;
}

}  // namespace

GhostFilter::GhostFilter(const Model& model)
    : method_(std::make_unique<SolverNbgsC>(NbgsCOptions{.max_sweeps = kMaxSweeps})) {
  method_->set_tolerance(kTolerance);
  probe_.Resize(model);
}

bool GhostFilter::Overlap(const Model& model, const DetectedContact& contact) {
  const int a = contact.tracked.geom_a, b = contact.tracked.geom_b;
  CalcManifold(model.geoms[a].shape, probe_.X_WG[a], model.geoms[b].shape, probe_.X_WG[b], 0.0, manifold_);
  for (int i = 0; i < manifold_.num_points; ++i) {
    if (manifold_.points[i].gap < -kOverlapDepth) return true;
  }
  return false;
}

StageSolve GhostFilter::Run(const Model& model, const Input& input, const State& state,
                            const StepFrame& frame, const StepRows& rows, const BranchSparseFactor& factor,
                            std::vector<int>& admitted) {
  STICTION_ASSERT(static_cast<int>(rows.warm_start.size()) == rows.problem.num_rows());
  admitted.clear();
  const std::vector<DetectedContact>& contacts = frame.contacts;
  if (std::none_of(contacts.begin(), contacts.end(), [](const DetectedContact& c) { return c.is_far; }))
    return {};
  solution_.lambda = Eigen::Map<const VectorXd>(rows.warm_start.data(), rows.problem.num_rows());
  solution_.penalty = state.penalties;
  const ProblemReport solved = solver_.Solve(rows.problem, factor, *method_, solution_);
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
      reached =
          reached || (contacts[end].is_far && (!is_finite || WouldClose(frame, contacts[end], v)));
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
