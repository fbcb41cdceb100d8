#include "sim/rest_stage.h"

#include <algorithm>
#include <cmath>

#include "math/assert.h"

namespace stiction {
namespace {

constexpr double kRestSpeed = 1e-8;    // of a contact: the budget of a solve [m/s]
constexpr double kStickMargin = 1e-7;  // relative distance from the friction limit that counts as sticking
constexpr double kOneLine = 1e-4;      // squared width of the points over their squared length: on one line

// Whether the law of a contact demands that nothing moves in it, and nothing does.
bool Holds(const ContactProblem& problem, const Constraint& c, const Solution& solution) {
  if (c.type != ConstraintType::kContact || c.compliance_n > 0.0 || c.compliance_t > 0.0) return false;
  const auto lambda = solution.lambda.segment<3>(c.row);
  const double limit = c.mu * lambda[2] * (1.0 - kStickMargin);
  if (!(limit > 0.0) || lambda.head<2>().squaredNorm() >= limit * limit) return false;
  Vector3d u = Vector3d::Zero();
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    const double* J = problem.jacobian.data() + block.first_value;
    for (int k = 0; k < block.num_dofs; ++k)
      u += solution.v[problem.block_dofs[block.first_dof + k]] * Eigen::Map<const Vector3d>(J + 3 * k);
  }
  const Eigen::Map<const Vector3d> e(problem.e.data() + c.row);
  return std::max(u.squaredNorm(), e.squaredNorm()) <= kRestSpeed * kRestSpeed;
}

}  // namespace

RestStage::RestStage(const Model& model)
    : is_body_(model.trees.size(), 0), support_(model.trees.size()), first_hold_(model.trees.size() + 1) {
  for (const FreeBody& body : FindFreeBodies(model)) is_body_[body.tree] = 1;
}

void RestStage::Support::Add(const Vector3d& p) {
  ++num_points;
  sum += p;
  product += p * p.transpose();
}

bool RestStage::Support::IsFirm() const {
  if (num_points < 3) return false;
  const Matrix3d spread = product - sum * (sum / num_points).transpose();
  const double trace = spread.trace();
  // The sum of the products of two eigenvalues: of points on a line two of three are zero.
  return 0.5 * (trace * trace - spread.squaredNorm()) > kOneLine * trace * trace;
}

const std::vector<int>& RestStage::Find(const Model& model, const StepFrame& frame, const StepRows& rows,
                                        const Solution& solution) {
  STICTION_ASSERT(rows.sources.size() == rows.problem.constraints.size());
  held_.clear();
  GatherHolds(model, frame, rows, solution);
  if (holds_.empty()) return held_;
  std::fill(support_.begin(), support_.end(), Support{});
  for (int t = 0; t < model.num_trees(); ++t) {
    for (int h = first_hold_[t]; h < first_hold_[t + 1]; ++h) {
      if (holds_[h].other < 0) AddPoint(frame, t, holds_[h].contact);
    }
  }
  for (std::size_t next = 0; next < held_.size(); ++next) {
    const int t = held_[next];
    for (int h = first_hold_[t]; h < first_hold_[t + 1]; ++h) {
      if (holds_[h].other >= 0) AddPoint(frame, holds_[h].other, holds_[h].contact);
    }
  }
  return held_;
}

// The contacts that hold, by body.
void RestStage::GatherHolds(const Model& model, const StepFrame& frame, const StepRows& rows,
                            const Solution& solution) {
  const ContactProblem& problem = rows.problem;
  found_.clear();
  std::fill(first_hold_.begin(), first_hold_.end(), 0);
  for (std::size_t i = 0; i < problem.constraints.size(); ++i) {
    const Constraint& c = problem.constraints[i];
    const int contact = rows.sources[i].contact;
    if (contact < 0 || c.num_blocks == 0 || !Holds(problem, c, solution)) continue;
    const MocapStep carried = CalcMocapStep(model, frame, frame.contacts[contact]);
    if (!carried.displacement.isZero(0.0) || !carried.turn.isZero(0.0)) continue;
    const JacobianBlock* blocks = problem.blocks.data() + c.first_block;
    found_.push_back({contact, blocks[0].subsystem, c.num_blocks > 1 ? blocks[1].subsystem : -1});
    for (int b = 0; b < c.num_blocks; ++b) ++first_hold_[blocks[b].subsystem + 1];
  }
  for (std::size_t t = 1; t < first_hold_.size(); ++t) first_hold_[t] += first_hold_[t - 1];
  holds_.resize(first_hold_.back());
  for (const Found& found : found_) {
    holds_[first_hold_[found.tree]++] = {found.contact, found.other};
    if (found.other >= 0) holds_[first_hold_[found.other]++] = {found.contact, found.tree};
  }
  // Each begin has moved on to the end, which is where the next one began.
  std::copy_backward(first_hold_.begin(), first_hold_.end() - 1, first_hold_.end());
  first_hold_[0] = 0;
}

void RestStage::AddPoint(const StepFrame& frame, int tree, int contact) {
  Support& support = support_[tree];
  if (!is_body_[tree] || support.IsFirm()) return;
  support.Add(frame.contacts[contact].tracked.point.p_W - frame.kin.p_WT[tree]);
  if (support.IsFirm()) held_.push_back(tree);
}

}  // namespace stiction
