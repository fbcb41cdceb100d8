#include "sim/contact_rows.h"

#include <algorithm>

#include "math/assert.h"
#include "sim/row_dofs.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// Which relative velocity of two bodies rows are about.
enum class RelativeMotion { kPoint, kAngular };

// What dof k moves of the velocity that the rows are about, world axes.
template <RelativeMotion kMotion>
Vector3d CalcDofVelocity(const Matrix6Xd& S, int k, const Vector3d& p_TQ) {
  const Vector3d w = S.col(k).head<3>();
  if constexpr (kMotion == RelativeMotion::kAngular) return w;
  return S.col(k).tail<3>() + w.cross(p_TQ);
}

// Writes the block of a body that shares its tree with no other body of the contact. It may hold anything.
//   R_CW  rows of it are the axes, kDim x 3
template <int kDim, RelativeMotion kMotion>
void WriteBlock(const StepFrame& frame, const GeomChain& chain, double sign, const Vector3d& p_WQ,
                const Eigen::Matrix<double, kDim, 3>& R_CW, double* value) {
  const Vector3d p_TQ = p_WQ - frame.kin.p_WT[chain.tree];
  const int* dofs = frame.pattern.columns(chain.last_dof);
  const auto write = [&](int i, const Eigen::Matrix<double, kDim, 1>& column) {
    // No zero is negative, as in a sum that begins with zero.
    for (int r = 0; r < kDim; ++r) value[kDim * i + r] = 0.0 + sign * column[r];
  };
  const int num_shifts = kMotion == RelativeMotion::kPoint ? chain.num_shifts : 0;
  for (int i = 0; i < num_shifts; ++i) write(i, R_CW.col(i));
  for (int i = num_shifts; i < chain.num_dofs; ++i)
    write(i, R_CW * CalcDofVelocity<kMotion>(frame.kin.S, dofs[i], p_TQ));
}

// Adds the same to the slots that the body's dofs have among others.
template <int kDim, RelativeMotion kMotion>
void AddToSlots(const StepFrame& frame, const GeomChain& chain, double sign, const Vector3d& p_WQ,
                const Eigen::Matrix<double, kDim, 3>& R_CW, const int* slot_dofs, double* value) {
  const Vector3d p_TQ = p_WQ - frame.kin.p_WT[chain.tree];
  const int* dofs = frame.pattern.columns(chain.last_dof);
  int slot = 0;
  for (int i = 0; i < chain.num_dofs; ++i) {
    while (slot_dofs[slot] != dofs[i]) ++slot;
    const Eigen::Matrix<double, kDim, 1> column = R_CW * CalcDofVelocity<kMotion>(frame.kin.S, dofs[i], p_TQ);
    for (int r = 0; r < kDim; ++r) value[kDim * slot + r] += sign * column[r];
  }
}

// Writes the blocks of rows of the velocity of B relative to A, at.constraints the rows' own, and puts `at`
// behind them.
void PlaceRelativeBlocks(const StepFrame& frame, int contact, RowExtent& at, ContactProblem& problem) {
  const TrackedContact& tracked = frame.contacts[contact].tracked;
  const GeomChain &a = frame.chains[tracked.geom_a], &b = frame.chains[tracked.geom_b];
  Constraint& c = problem.constraints[at.constraints];
  // Returns where its dofs go.
  const auto place = [&](int tree, int num_dofs) {
    int* dofs = problem.block_dofs.data() + at.dofs;
    problem.blocks[at.blocks++] = {tree, num_dofs, at.dofs, at.values};
    ++c.num_blocks;
    at.dofs += num_dofs;
    at.values += c.dim() * num_dofs;
    return dofs;
  };
  if (a.tree == b.tree && a.tree >= 0) {
    const int count = CountMergedChains(frame.pattern, a.last_dof, b.last_dof);
    return MergeChains(frame.pattern, a.last_dof, b.last_dof, place(a.tree, count));
  }
  for (const GeomChain* chain : {&a, &b}) {
    if (chain->tree >= 0)
      std::copy_n(frame.pattern.columns(chain->last_dof), chain->num_dofs,
                  place(chain->tree, chain->num_dofs));
  }
}

// Writes the values of these blocks, which may hold anything.
template <int kDim, RelativeMotion kMotion>
void FillRelativeBlocks(const StepFrame& frame, int contact, const Eigen::Matrix<double, kDim, 3>& R_CW,
                        int constraint, ContactProblem& problem) {
  const TrackedContact& tracked = frame.contacts[contact].tracked;
  const GeomChain &a = frame.chains[tracked.geom_a], &b = frame.chains[tracked.geom_b];
  const Vector3d& p_WQ = tracked.point.p_W;
  const JacobianBlock* block = problem.blocks.data() + problem.constraints[constraint].first_block;
  const auto values = [&] { return problem.jacobian.data() + block->first_value; };
  if (a.tree == b.tree && a.tree >= 0) {
    const int* dofs = problem.block_dofs.data() + block->first_dof;
    std::fill_n(values(), kDim * block->num_dofs, 0.0);
    AddToSlots<kDim, kMotion>(frame, a, -1.0, p_WQ, R_CW, dofs, values());
    AddToSlots<kDim, kMotion>(frame, b, 1.0, p_WQ, R_CW, dofs, values());
    return;
  }
  if (a.tree >= 0) {
    WriteBlock<kDim, kMotion>(frame, a, -1.0, p_WQ, R_CW, values());
    ++block;
  }
  if (b.tree >= 0) WriteBlock<kDim, kMotion>(frame, b, 1.0, p_WQ, R_CW, values());
}

}  // namespace

RowExtent& RowExtent::operator+=(const RowExtent& other) {
  constraints += other.constraints;
  rows += other.rows;
  blocks += other.blocks;
  dofs += other.dofs;
  values += other.values;
  return *this;
}

RowExtent CalcExtent(const ContactProblem& problem) {
  return {problem.num_constraints(), problem.num_rows(), static_cast<int>(problem.blocks.size()),
          static_cast<int>(problem.block_dofs.size()), static_cast<int>(problem.jacobian.size())};
}

void Resize(const RowExtent& extent, ContactProblem& problem) {
  problem.constraints.resize(extent.constraints);
  problem.e.resize(extent.rows, 0.0);
  problem.blocks.resize(extent.blocks);
  problem.block_dofs.resize(extent.dofs);
  problem.jacobian.resize(extent.values);
}

RowExtent CalcContactExtent(const StepFrame& frame, int contact) {
  const TrackedContact& tracked = frame.contacts[contact].tracked;
  const PairFriction& friction = frame.contacts[contact].friction;
  const GeomChain &a = frame.chains[tracked.geom_a], &b = frame.chains[tracked.geom_b];
  RowExtent of_row{.constraints = 1};
  if (a.tree == b.tree && a.tree >= 0) {
    of_row.blocks = 1;
    of_row.dofs = CountMergedChains(frame.pattern, a.last_dof, b.last_dof);
  } else {
    of_row.blocks = (a.tree >= 0 ? 1 : 0) + (b.tree >= 0 ? 1 : 0);
    of_row.dofs = (a.tree >= 0 ? a.num_dofs : 0) + (b.tree >= 0 ? b.num_dofs : 0);
  }
  RowExtent extent;
  const auto add = [&](ConstraintType type) {
    extent += of_row;
    extent.rows += NumRows(type);
    extent.values += NumRows(type) * of_row.dofs;
  };
  add(ConstraintType::kContact);
  if (friction.torsional > 0.0) add(ConstraintType::kTorsional);
  if (friction.rolling > 0.0) add(ConstraintType::kRolling);
  return extent;
}

RowExtent PlaceContactRows(const StepFrame& frame, int contact, const RowExtent& begin,
                           ContactProblem& problem) {
  const PairFriction& friction = frame.contacts[contact].friction;
  RowExtent at = begin;
  const auto place = [&](ConstraintType type, double mu, int of) {
    Constraint& c = problem.constraints[at.constraints];
    c = MakeConstraint(type, mu);
    c.row = at.rows;
    c.first_block = at.blocks;
    c.contact = of;
    PlaceRelativeBlocks(frame, contact, at, problem);
    at.rows += c.dim();
    ++at.constraints;
  };
  place(ConstraintType::kContact, friction.sliding, -1);
  if (friction.torsional > 0.0) place(ConstraintType::kTorsional, friction.torsional, begin.constraints);
  if (friction.rolling > 0.0) place(ConstraintType::kRolling, friction.rolling, begin.constraints);
  return at;
}

int AddContactRows(const StepFrame& frame, int contact, ContactProblem& problem) {
  const RowExtent begin = CalcExtent(problem), extent = CalcContactExtent(frame, contact);
  Resize(begin + extent, problem);
  PlaceContactRows(frame, contact, begin, problem);
  return extent.constraints;
}

void FillContactRows(const StepFrame& frame, int contact, int constraint, ContactProblem& problem) {
  constexpr RelativeMotion kPoint = RelativeMotion::kPoint, kAngular = RelativeMotion::kAngular;
  STICTION_ASSERT(problem.constraints[constraint].type == ConstraintType::kContact);
  const PairFriction& friction = frame.contacts[contact].friction;
  const Matrix3d R_CW = frame.R_WC[contact].transpose();
  FillRelativeBlocks<3, kPoint>(frame, contact, R_CW, constraint, problem);
  if (friction.torsional > 0.0)
    FillRelativeBlocks<1, kAngular>(frame, contact, R_CW.row(2), ++constraint, problem);
  if (friction.rolling > 0.0)
    FillRelativeBlocks<2, kAngular>(frame, contact, R_CW.topRows<2>(), ++constraint, problem);
}

BodyContact MakeBodyContact(const StepFrame& frame, int contact, int constraint) {
  const TrackedContact& tracked = frame.contacts[contact].tracked;
  BodyContact out;
  out.constraint = constraint;
  out.R_CW = frame.R_WC[contact].transpose();
  const auto place = [&](int geom, int& dof, Vector3d& p) {
    const GeomChain& chain = frame.chains[geom];
    if (chain.tree < 0) return;
    dof = chain.last_dof;
    p = tracked.point.p_W - frame.kin.p_WT[chain.tree];
  };
  place(tracked.geom_a, out.dof_A, out.p_A);
  place(tracked.geom_b, out.dof_B, out.p_B);
  return out;
}

}  // namespace stiction
