#include "stiction/sim/open_equality.h"

#include <cmath>
#include <cstdio>

#include "sim/equality_stage.h"
#include "stiction/dynamics/crba.h"

namespace stiction {
namespace {

constexpr int kMaxRounds = 500;      // at EqualityStage::kMaxPush each: ten metres
constexpr double kLeastGain = 1e-6;  // relative, below which nothing more is to be gained

double CalcLargest(const Equality& equality, const VectorXd& residuals) {
  return residuals.segment(equality.first_row, equality.num_rows).lpNorm<Eigen::Infinity>();
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
  double before = INFINITY;
  for (int i = 0; i < kMaxRounds; ++i) {
    CalcPositionKinematics(model, q, input.mocap, kin);
    CalcMassMatrix(model, kin, crba, M);
    if (factor.Factor(M) >= 0) break;
    const VectorXd start = q;
    stage.Project(model, input, nobody_sleeps, factor, kin, start, 1.0, probe, q);
    if (!(stage.residual() < (1.0 - kLeastGain) * before)) break;
    before = stage.residual();
  }
  CalcPositionKinematics(model, q, input.mocap, kin);
  if (model.num_tendons() > 0) CalcTendons(model, kin, q, at_q);
  VectorXd rest;
  CalcEqualityResiduals(model, kin, q, at_q, input.equality_target, rest);
  return rest;
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
