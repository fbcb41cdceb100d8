#include "stiction/sim/position_stage.h"

#include <algorithm>

namespace stiction {
namespace {

constexpr double kGamma = 0.2;  // share of the penetration removed in a step: 90 % is gone after 11

}  // namespace

PositionStage::PositionStage() : method_(MakeSolver("auto")) {}

bool PositionStage::Run(const ContactProblem& problem, const BranchSparseFactor& factor,
                        const std::vector<GapRow>& gap_rows, const VectorXd& advance) {
  newton_steps_ = 0;
  change_.resize(problem.num_rows());
  problem.MultiplyJ(advance.data(), change_.data());
  const auto predict = [&](const GapRow& row) {
    const Constraint& c = problem.constraints[row.constraint];
    return row.gap + change_[c.row + c.dim() - 1];
  };
  if (std::none_of(gap_rows.begin(), gap_rows.end(),
                   [&](const GapRow& row) { return predict(row) < -row.slop; })) {
    return false;
  }

  problem_.subsystems = problem.subsystems;
  problem_.A = problem.A;
  problem_.v_star.setZero(problem.nv());
  problem_.ClearConstraints();
  const auto copy_last_row = [&](const Constraint& c) {
    const int dim = c.dim();
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      const JacobianBlock& block = problem.blocks[b];
      double* value =
          problem_.AddBlock(block.subsystem, problem.block_dofs.data() + block.first_dof, block.num_dofs);
      for (int k = 0; k < block.num_dofs; ++k)
        value[k] = problem.jacobian[block.first_value + k * dim + dim - 1];
    }
  };
  for (const Constraint& c : problem.constraints) {
    if (c.type != ConstraintType::kBilateral || c.compliance_n > 0.0) continue;
    problem_.AddConstraint(ConstraintType::kBilateral);
    copy_last_row(c);
  }
  for (const GapRow& row : gap_rows) {
    const double gap = predict(row);
    problem_.AddConstraint(ConstraintType::kUnilateral);
    copy_last_row(problem.constraints[row.constraint]);
    double push = gap < -row.slop ? std::min(kGamma * (-gap - row.slop), row.max_push) : -std::max(gap, 0.0);
    if (row.may_overshoot && gap < -row.slop && row.gap >= -row.slop) push = -gap;
    problem_.SetBias(0, -push);
  }
  solution_.lambda.setZero(problem_.num_rows());
  newton_steps_ = solver_.Solve(problem_, factor, *method_, solution_).solve.newton_steps;
  return true;
}

}  // namespace stiction
