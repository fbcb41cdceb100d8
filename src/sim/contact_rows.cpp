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

// Appends to the last constraint the blocks of rows of the velocity of B relative to A.
void AddRelativeBlocks(const StepFrame& frame, int contact, ContactProblem& problem) {
  const TrackedContact& tracked = frame.contacts[contact].tracked;
  const GeomChain &a = frame.chains[tracked.geom_a], &b = frame.chains[tracked.geom_b];
  if (a.tree == b.tree && a.tree >= 0) {
    const std::vector<int>& dofs = MergeChains(frame.pattern, a.last_dof, b.last_dof);
    problem.AddBlock(a.tree, dofs.data(), static_cast<int>(dofs.size()));
    return;
  }
  for (const GeomChain* chain : {&a, &b}) {
    if (chain->tree >= 0)
      problem.AddBlock(chain->tree, frame.pattern.columns(chain->last_dof), chain->num_dofs);
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

int AddContactRows(const StepFrame& frame, int contact, ContactProblem& problem) {
  const PairFriction& friction = frame.contacts[contact].friction;
  const int first = problem.AddConstraint(ConstraintType::kContact, friction.sliding);
  AddRelativeBlocks(frame, contact, problem);
  if (friction.torsional > 0.0) {
    problem.AddFrictionMoment(ConstraintType::kTorsional, first, friction.torsional);
    AddRelativeBlocks(frame, contact, problem);
  }
  if (friction.rolling > 0.0) {
    problem.AddFrictionMoment(ConstraintType::kRolling, first, friction.rolling);
    AddRelativeBlocks(frame, contact, problem);
  }
  return problem.num_constraints() - first;
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

void AddBodyContact(const StepFrame& frame, int contact, int constraint, ContactProblem& problem) {
  const TrackedContact& tracked = frame.contacts[contact].tracked;
  STICTION_ASSERT(problem.constraints[constraint].type == ConstraintType::kContact);
  STICTION_ASSERT(problem.body_contacts.empty() || problem.body_contacts.back().constraint < constraint);
  BodyContact& out = problem.body_contacts.emplace_back();
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
}

}  // namespace stiction
