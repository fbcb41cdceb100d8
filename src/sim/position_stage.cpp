#include "sim/position_stage.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/solvers/auto.h"
#include "math/assert.h"
#include "math/task_pool.h"

namespace stiction {
namespace {

constexpr double kGamma = 0.2;  // share of the penetration removed in a step: 90 % is gone after 11

// Of the answer: a tenth of the smallest slop [m or rad].
constexpr double kTolerance = 1e-8;

constexpr int kLeastIslands = 4;  // fewer are not worth handing to another thread

constexpr double kReach = 10.0;  // of d_max, along the plane of a contact whose rows are met

constexpr double kMostTurn = 0.1;  // of a dof: rows are wrong by half its square [rad]

constexpr double kNearlyAll = 0.9;  // of a displacement: to look again for the rest would be too dear

constexpr double kLimitSlop = 1e-5;  // penetration of a limit that stays [rad or m]
constexpr double kLimitPush = 0.01;  // its largest correction in a step [rad or m]

// Of what the dofs do along the plane of a contact, what they do across it where they cannot do it: normals
// are hardly known better.
constexpr double kLocked = 1e-6;

// Whether no dof takes the two sides of a contact apart, as far as numbers tell: links of a robot that
// overlap along the axis of the joint between them, or about its centre.
bool IsLocked(const ContactProblem& problem, const Constraint& c) {
  double along = 0.0, across = 0.0;
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    const double* value = problem.jacobian.data() + block.first_value;
    for (int k = 0; k < block.num_dofs; ++k, value += 3) {
      along = std::max({along, std::abs(value[0]), std::abs(value[1])});
      across = std::max(across, std::abs(value[2]));
    }
  }
  return across <= kLocked * along;
}

std::unique_ptr<ContactSolver> MakePusher() {
  auto method = std::make_unique<SolverAuto>();
  method->set_keeps_impulses(false);  // the next displacement has nothing to do with this one
  return method;
}

}  // namespace

PositionStage::PositionStage() : method_(MakePusher()) {}

void PositionStage::Initialize(const Model& model) {
  turns_.assign(model.nv(), 0);
  for (int i = 0; i < model.nv(); ++i) {
    const Joint& joint = model.joints[model.dof_joint[i]];
    turns_[i] = joint.is_free() ? i - joint.v_address >= 3 : joint.traits().is_angular;
  }
  is_bent_.clear();
  for (const Tendon& tendon : model.tendons)
    is_bent_.push_back(!std::holds_alternative<FixedTendon>(tendon.path));
}

void PositionStage::set_pool(const TaskPool& pool) {
  method_ = MakePusher();
  helpers_.resize(CountOthers(pool));
  for (auto& helper : helpers_) helper = MakePusher();
  pool_ = &pool;
}

// Fills gaps_, and finds the islands with an overlap to remove: elsewhere δ = 0 is the answer. False if there
// are none.
bool PositionStage::Predict(const ContactProblem& problem, const std::vector<GapRow>& gap_rows,
                            const VectorXd& advance) {
  gaps_.resize(gap_rows.size());
  const auto predict = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Constraint& c = problem.constraints[gap_rows[i].constraint];
      gaps_[i] = gap_rows[i].gap + problem.MultiplyLastRow(c, advance.data());
    }
  };
  const int count = static_cast<int>(gap_rows.size());
  if (pool_ != nullptr) {
    pool_->ForPieces(count, kLeastContacts, predict);
  } else {
    predict(0, count);
  }
  bool any = false;
  for (std::size_t i = 0; i < gap_rows.size(); ++i) {
    if (!(gaps_[i] < -gap_rows[i].slop)) continue;
    const Constraint& c = problem.constraints[gap_rows[i].constraint];
    if (!(CalcPush(gap_rows[i], gaps_[i]) > kTolerance) ||
        (c.type == ConstraintType::kContact && IsLocked(problem, c))) {
      gaps_[i] = -gap_rows[i].slop;
    } else {
      any = true;
    }
  }
  if (!any) return false;
  partition_.Assign(problem);
  is_taken_.assign(partition_.num_islands, 0);
  for (std::size_t i = 0; i < gap_rows.size(); ++i) {
    const Constraint& c = problem.constraints[gap_rows[i].constraint];
    if (gaps_[i] < -gap_rows[i].slop && c.num_blocks > 0) is_taken_[IslandOf(problem, c)] = 1;
  }
  return true;
}

int PositionStage::IslandOf(const ContactProblem& problem, const Constraint& c) const {
  return partition_.island_of_subsystem[problem.blocks[c.first_block].subsystem];
}

bool PositionStage::IsTaken(const ContactProblem& problem, const Constraint& c) const {
  return c.num_blocks == 0 || is_taken_[IslandOf(problem, c)] != 0;
}

double PositionStage::CalcPush(const GapRow& row, double gap) const {
  if (!(gap < -row.slop)) return -std::max(gap, 0.0);
  const double before = std::min(-gap, row.before);
  return std::min(kGamma * std::max(0.0, before - row.slop), row.max_push) + (-gap - before);
}

StageSolve PositionStage::Run(const ContactProblem& problem, const BranchSparseFactor& factor,
                              const std::vector<GapRow>& gap_rows, const VectorXd& advance) {
  STICTION_ASSERT(factor.size() == problem.nv() && advance.size() == problem.nv());
  newton_steps_ = 0;
  corrected_.clear();
  corrected_trees_.clear();
  displacement_.setZero(problem.nv());
  if (gap_rows.empty() || !Predict(problem, gap_rows, advance)) return {};
  StageSolve result{true, SolveStatus::kConverged, 0.0, kTolerance};
  for (int island = 0; island < partition_.num_islands; ++island) {
    if (!is_taken_[island]) continue;
    corrected_.push_back(island);
    const auto trees = partition_.subsystems_of(island);
    corrected_trees_.insert(corrected_trees_.end(), trees.begin(), trees.end());
  }
  if (!PushSimple(problem, factor, gap_rows, result.residual)) {
    const StageSolve rest = SolveRest(problem, factor, gap_rows);
    if (rest.status != SolveStatus::kNonFinite) displacement_ += solution_.v;
    result = {true, rest.status, std::max(result.residual, rest.residual), kTolerance};
  }
  const double reach = result.missed() ? 1.0 : kReach;
  ForCorrected([&](int, int begin, int end) {
    for (int i = begin; i < end; ++i) Shorten(problem, gap_rows, advance, corrected_[i], reach);
  });
  return result;
}

// Where a contact would go further along its plane than `reach` times what it may go across it, or a dof
// would be turned too far, the whole island goes part of the way.
void PositionStage::Shorten(const ContactProblem& problem, const std::vector<GapRow>& gap_rows,
                            const VectorXd& advance, int island, double reach) {
  double share = 1.0, own = 0.0;
  for (const int constraint : partition_.constraints_of(island)) {
    const int i = gap_of_constraint_[constraint];
    if (i >= 0 && std::isfinite(gap_rows[i].before)) own = std::max(own, CalcPush(gap_rows[i], gaps_[i]));
  }
  for (const int constraint : partition_.constraints_of(island)) {
    const Constraint& c = problem.constraints[constraint];
    const int i = gap_of_constraint_[constraint];
    if (c.type != ConstraintType::kContact || i < 0) continue;
    double moved[3];
    problem.MultiplyRows(c, displacement_.data(), moved);
    const double along = std::sqrt(moved[0] * moved[0] + moved[1] * moved[1]);
    const double most = reach * std::max({gap_rows[i].max_push, CalcPush(gap_rows[i], gaps_[i]), own});
    if (along * share > most) share = most / along;
  }
  double turned = 0.0, most_turn = kMostTurn;
  for (const int s : partition_.subsystems_of(island)) {
    const Subsystem& dofs = problem.subsystems[s];
    for (int i = dofs.first_dof; i < dofs.first_dof + dofs.num_dofs && !turns_.empty(); ++i) {
      if (turns_[i] == 0) continue;
      turned = std::max(turned, std::abs(displacement_[i]));
      most_turn = std::max(most_turn, std::abs(advance[i]));
    }
  }
  if (turned * share > most_turn) share = most_turn / turned;
  if (share < 1.0) Scale(problem, island, share);
}

void PositionStage::Scale(const ContactProblem& problem, int island, double share) {
  for (const int s : partition_.subsystems_of(island)) {
    const Subsystem& dofs = problem.subsystems[s];
    displacement_.segment(dofs.first_dof, dofs.num_dofs) *= share;
  }
}

template <typename Work>
void PositionStage::ForCorrected(const Work& work) const {
  const int count = static_cast<int>(corrected_.size());
  pool_ != nullptr ? pool_->ForNumberedPieces(count, kLeastIslands, work) : work(0, 0, count);
}

// Islands of a few simple rows, which are not taken any more. False if others are left.
bool PositionStage::PushSimple(const ContactProblem& problem, const BranchSparseFactor& factor,
                               const std::vector<GapRow>& gap_rows, double& residual) {
  gap_of_constraint_.assign(problem.constraints.size(), -1);
  bool is_all = true;
  for (std::size_t i = 0; i < gap_rows.size(); ++i) {
    gap_of_constraint_[gap_rows[i].constraint] = static_cast<int>(i);
    const Constraint& c = problem.constraints[gap_rows[i].constraint];
    is_all = is_all && (c.num_blocks > 0 || gaps_[i] >= -gap_rows[i].slop);
  }
  const int count = static_cast<int>(corrected_.size());
  const int num_pushers = pool_ != nullptr ? pool_->CountPieces(count, kLeastIslands) : 1;
  if (static_cast<int>(pushers_.size()) < num_pushers) pushers_.resize(num_pushers);
  for (Pusher& pusher : pushers_) pusher.residual = 0.0, pusher.is_all = true;
  ForCorrected([&](int piece, int begin, int end) {
    Pusher& pusher = pushers_[piece];
    for (int i = begin; i < end; ++i) {
      if (PushIsland(problem, factor, gap_rows, corrected_[i], pusher))
        is_taken_[corrected_[i]] = 0;
      else
        pusher.is_all = false;
    }
  });
  for (const Pusher& pusher : pushers_) {
    residual = std::max(residual, pusher.residual);
    is_all = is_all && pusher.is_all;
  }
  return is_all;
}

// False if the island is more than few simple rows.
bool PositionStage::PushIsland(const ContactProblem& problem, const BranchSparseFactor& factor,
                               const std::vector<GapRow>& gap_rows, int island, Pusher& pusher) {
  pusher.rows.clear();
  for (const int constraint : partition_.constraints_of(island)) {
    const Constraint& c = problem.constraints[constraint];
    if (c.type == ConstraintType::kBilateral && !(c.compliance_n > 0.0)) return false;
    if (const int i = gap_of_constraint_[constraint]; i >= 0)
      pusher.rows.push_back({constraint, CalcPush(gap_rows[i], gaps_[i])});
  }
  return pusher.push_out.Run(problem, factor, pusher.rows, 0.1 * kTolerance, displacement_, pusher.residual);
}

// All islands that are still taken, by the contact solver: solution_.v.
StageSolve PositionStage::SolveRest(const ContactProblem& problem, const BranchSparseFactor& factor,
                                    const std::vector<GapRow>& gap_rows) {
  problem_.subsystems = problem.subsystems;
  problem_.A.CopyFrom(problem.A);
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
    if (c.type != ConstraintType::kBilateral || c.compliance_n > 0.0 || !IsTaken(problem, c)) continue;
    problem_.AddConstraint(ConstraintType::kBilateral);
    copy_last_row(c);
  }
  for (std::size_t i = 0; i < gap_rows.size(); ++i) {
    const Constraint& c = problem.constraints[gap_rows[i].constraint];
    if (!IsTaken(problem, c)) continue;
    problem_.AddConstraint(ConstraintType::kUnilateral);
    copy_last_row(c);
    problem_.SetBias(0, -CalcPush(gap_rows[i], gaps_[i]));
  }
  solution_.lambda.setZero(problem_.num_rows());
  const ProblemReport report = solver_.Solve(problem_, factor, team(), solution_);
  newton_steps_ = report.solve.newton_steps;
  StageSolve result{true, report.solve.status, report.certificate.ncp_max, kTolerance};
  if (!solution_.v.allFinite()) {
    result.status = SolveStatus::kNonFinite;
    result.residual = std::numeric_limits<double>::infinity();
  }
  return result;
}

StageSolve PositionStage::Correct(const StepFrame& frame, const StepRows& rows,
                                  const BranchSparseFactor& factor, const VectorXd& advance,
                                  const std::vector<GapRow>& more, std::span<const char> drawn) {
  // By these displacements follow another mean of velocities than the one that obeys the laws: an impact that
  // they foresee leaves up to half of the step's approach.
  const bool may_overshoot =
      frame.scheme != Integrator::kSymplecticEuler && frame.scheme != Integrator::kImplicitEuler;
  FindDrawn(rows.problem, drawn);
  gap_rows_.clear();
  for (std::size_t i = 0; i < rows.sources.size() && rows.penetration_time == 0.0; ++i) {
    const RowSource& source = rows.sources[i];
    if (source.contact < 0 && source.limit < 0) continue;
    const Constraint& c = rows.problem.constraints[i];
    if (c.compliance_n > 0.0) continue;
    if (source.limit >= 0 && c.num_blocks > 0 && is_drawn_[rows.problem.blocks[c.first_block].subsystem] != 0)
      continue;
    GapRow row;
    row.constraint = static_cast<int>(i);
    if (source.contact >= 0) {
      const DetectedContact& contact = frame.contacts[source.contact];
      row.gap = contact.tracked.point.gap - contact.bend;
      if (contact.bend != 0.0) row.before = std::max(-contact.tracked.point.gap, 0.0);
      row.slop = contact.CalcSlop();
      row.max_push = CalcMaxPush(contact);
    } else {
      row.gap = frame.limits[source.limit].gap;
      row.slop = kLimitSlop;
      row.max_push = kLimitPush;
    }
    if (may_overshoot && row.gap >= -row.slop) row.before = 0.0;
    gap_rows_.push_back(row);
  }
  gap_rows_.insert(gap_rows_.end(), more.begin(), more.end());
  const StageSolve result = Run(rows.problem, factor, gap_rows_, advance);
  FindPushed(frame, rows, result);
  return result;
}

void PositionStage::FindDrawn(const ContactProblem& problem, std::span<const char> drawn) {
  is_drawn_.assign(problem.subsystems.size(), 0);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (drawn[i] == 0) continue;
    const Constraint& c = problem.constraints[i];
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b)
      is_drawn_[problem.blocks[b].subsystem] = 1;
  }
}

void PositionStage::FindPushed(const StepFrame& frame, const StepRows& rows, const StageSolve& result) {
  pushed_.clear();
  for (std::size_t i = 0; result.has_run && i < gap_rows_.size(); ++i) {
    const int constraint = gap_rows_[i].constraint;
    if (constraint >= static_cast<int>(rows.sources.size())) break;  // of other contacts
    const int limit = rows.sources[constraint].limit;
    // A tendon between mocap bodies moves nothing.
    if (limit < 0 || rows.problem.constraints[constraint].num_blocks == 0) continue;
    if (frame.limits[limit].tendon < 0 || !(gaps_[i] < -gap_rows_[i].slop)) continue;
    if (is_bent_[frame.limits[limit].tendon] != 0) pushed_.push_back({constraint, limit});
  }
}

// What δ does to a gap, if all of it does `told` by the row and `done` in truth: told s − (told − done) s²,
// which is at its best at told / 2 (told − done).
bool PositionStage::Bend(const StepFrame& frame, const ContactProblem& problem, const VectorXd& lengths) {
  shares_.assign(partition_.num_islands, 1.0);
  for (const auto& [constraint, limit_index] : pushed_) {
    const Constraint& c = problem.constraints[constraint];
    const LimitRow& limit = frame.limits[limit_index];
    const double told = problem.MultiplyLastRow(c, displacement_.data());
    const double longer = lengths[limit.tendon] - frame.tendons.length[limit.tendon];
    const double lacks = told - (limit.is_upper ? -longer : longer);
    double& share = shares_[IslandOf(problem, c)];
    if (told > 0.0 && 2.0 * lacks * share > told) share = told / (2.0 * lacks);
  }
  bool any = false;
  for (const int island : corrected_) {
    if (!(shares_[island] < kNearlyAll)) continue;
    Scale(problem, island, shares_[island]);
    any = true;
  }
  return any;
}

}  // namespace stiction
