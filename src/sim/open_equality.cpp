#include "stiction/sim/open_equality.h"

#include <cmath>
#include <cstdio>
#include <numbers>

#include "sim/equality_stage.h"
#include "stiction/dynamics/crba.h"

namespace stiction {
namespace {

constexpr int kMaxRounds = 2000;     // at EqualityStage::kMaxPush each, at most
constexpr double kLeastGain = 1e-6;  // relative, of what counts as nearer
constexpr int kMaxIdleRounds = 40;   // without coming nearer: on their way some rows open before others close
// What weight does to a mechanism that stands still on a saddle: it turns it out of there.
constexpr int kMaxTurns = 6;
constexpr double kTurn = 0.1;  // [m or rad]

double CalcLargest(const Equality& equality, const VectorXd& residuals) {
  return residuals.segment(equality.first_row, equality.num_rows).lpNorm<Eigen::Infinity>();
}

// A motion in no particular direction, of all dofs [m or rad].
VectorXd MakeTurn(int nv, int number) {
  VectorXd turn(nv);
  for (int i = 0; i < nv; ++i) turn[i] = kTurn * number * std::sin(number * (i + 1.0) * std::numbers::phi);
  return turn;
}

// The residuals after the mechanism has been drawn together.
VectorXd CalcRest(const Model& model, const Input& input, const State& state,
                  const TendonWorkspace& tendons) {
  Kinematics kin, probe;
  kin.Resize(model);
  probe.Resize(model);
  const BranchPattern pattern = MakeMassMatrixPattern(model);
  BranchSparseMatrix M(pattern);
  BranchSparseFactor factor;
  CrbaWorkspace crba;
  EqualityStage stage;
  const SleepStage nobody_sleeps(model);
  stage.Initialize(model, pattern);
  stage.Begin(model, input, state, nobody_sleeps);
  VectorXd q = state.q;
  TendonWorkspace at_q = tendons;
  VectorXd rest, at_rest;
  const auto measure = [&] {
    CalcPositionKinematics(model, q, input.mocap, kin);
    if (model.num_tendons() > 0) CalcTendons(model, kin, q, at_q);
    CalcEqualityResiduals(model, kin, q, at_q, input.equality_target, rest);
    return rest.norm();
  };
  double least = measure();
  at_rest = rest;
  VectorXd nearest = q;
  for (int i = 0, idle = 0, turns = 0; i < kMaxRounds; ++i, ++idle) {
    CalcMassMatrix(model, kin, crba, M);
    if (factor.Factor(M) >= 0) break;
    const VectorXd start = q;
    stage.Project(model, input, nobody_sleeps, factor, kin, start, 1.0, probe, q);
    if (const double length = measure(); length < (1.0 - kLeastGain) * least) {
      least = length;
      nearest = q;
      at_rest = rest;
      idle = 0;
    } else if (idle >= kMaxIdleRounds && ++turns <= kMaxTurns) {
      q = nearest;
      IntegrateConfiguration(model, MakeTurn(model.nv(), turns), 1.0, q);
      measure();
      idle = 0;
    } else if (idle >= kMaxIdleRounds) {
      break;
    }
  }
  return at_rest;
}

}  // namespace

std::vector<OpenEquality> FindOpenEqualities(const Model& model, const Input& input, const State& state,
                                             double tolerance) {
  std::vector<OpenEquality> open;
  Kinematics kin;
  kin.Resize(model);
  TendonWorkspace tendons;
  tendons.Resize(model);
  CalcPositionKinematics(model, state.q, input.mocap, kin);
  if (model.num_tendons() > 0) CalcTendons(model, kin, state.q, tendons);
  VectorXd residuals;
  CalcEqualityResiduals(model, kin, state.q, tendons, input.equality_target, residuals);
  for (int i = 0; i < model.num_equalities(); ++i) {
    const double residual = CalcLargest(model.equalities[i], residuals);
    if (residual > tolerance) open.push_back({i, residual, 0.0});
  }
  if (open.empty()) return open;
  const VectorXd rest = CalcRest(model, input, state, tendons);
  // One that held at first may have to give way to others.
  for (OpenEquality& one : open) one.rest = CalcLargest(model.equalities[one.equality], rest);
  for (OpenEquality& one : open) {
    if (one.rest <= tolerance) one.rest = 0.0;
  }
  return open;
}

std::string Describe(const Model& model, const OpenEquality& open) {
  const Equality& equality = model.equalities[open.equality];
  const std::string name = equality.name.empty() ? "equality " + std::to_string(open.equality)
                                                 : "equality '" + equality.name + "'";
  char text[160];
  if (open.rest > 0.0) {
    std::snprintf(text, sizeof text, " cannot be met: open by %.3g m or rad at the start, %.3g stay open",
                  open.residual, open.rest);
  } else {
    std::snprintf(text, sizeof text, " is open by %.3g m or rad at the start, and is drawn together",
                  open.residual);
  }
  return name + text;
}

}  // namespace stiction
