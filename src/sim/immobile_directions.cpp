#include "sim/immobile_directions.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr int kMaxRows = 6;
constexpr double kImmobile = 1e-5;  // m per m, rad per rad

using SmallMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMaxRows, kMaxRows>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kMaxRows, 1>;

// How far Q goes per radian of the dof, or per metre where it is a slide's.
double CalcLever(const Model& model, const Kinematics& kin, int dof, const Vector3d& p_WQ) {
  const auto S = kin.S.col(dof);
  return (S.tail<3>() + S.head<3>().cross(p_WQ - kin.p_WT[model.dof_tree[dof]])).norm();
}

// The length that an angle of the pair stands for [m].
double CalcReach(const Model& model, const Kinematics& kin, const PairRows& rows,
                 const ContactProblem& problem) {
  double reach = 0.0;
  for (const int b : {rows.body_a, rows.body_b}) {
    const Body& body = model.bodies[b];
    if (body.tree < 0) continue;
    reach = std::max(reach, (rows.p_WQ - kin.X_WB[b].p).norm());
    if (body.inertia.mass > 0.0)
      reach = std::max(reach, std::sqrt(body.inertia.I_BBcm_B.trace() / body.inertia.mass));
  }
  const Constraint& c = problem.constraints[rows.first];
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    for (int k = 0; k < block.num_dofs; ++k) {
      const int dof = problem.block_dofs[block.first_dof + k];
      if (!kin.S.col(dof).head<3>().isZero(0.0))
        reach = std::max(reach, CalcLever(model, kin, dof, rows.p_WQ));
    }
  }
  return reach;
}

}  // namespace

void RemoveImmobileDirections(const Model& model, const Kinematics& kin, const PairRows& rows,
                              ContactProblem& problem) {
  const int m = static_cast<int>(problem.constraints.size()) - rows.first;
  const double reach = CalcReach(model, kin, rows, problem);
  if (!(reach > 0.0)) return;
  SmallVector scale(m);  // of rows, to radians
  for (int i = 0; i < m; ++i) scale[i] = i < rows.num_angular ? 1.0 : 1.0 / reach;

  const int num_blocks = problem.constraints[rows.first].num_blocks;
  const auto block_of = [&](int row, int b) -> const JacobianBlock& {
    return problem.blocks[problem.constraints[rows.first + row].first_block + b];
  };
  const auto column_of = [&](int b, int k) {
    SmallVector column(m);
    for (int i = 0; i < m; ++i) column[i] = scale[i] * problem.jacobian[block_of(i, b).first_value + k];
    return column;
  };
  SmallMatrix gram = SmallMatrix::Zero(m, m);
  for (int b = 0; b < num_blocks; ++b) {
    for (int k = 0; k < block_of(0, b).num_dofs; ++k) {
      const int dof = problem.block_dofs[block_of(0, b).first_dof + k];
      const double size = kin.S.col(dof).head<3>().norm() + CalcLever(model, kin, dof, rows.p_WQ) / reach;
      if (!(size > 0.0)) continue;
      const SmallVector column = column_of(b, k) / size;
      gram += column * column.transpose();
    }
  }
  // Positive definite where all eigenvalues are larger: then nothing is to be taken out.
  constexpr double kLeast = kImmobile * kImmobile;
  const Eigen::LLT<SmallMatrix> factor(gram - kLeast * SmallMatrix::Identity(m, m));
  if (factor.info() == Eigen::Success) return;
  const Eigen::SelfAdjointEigenSolver<SmallMatrix> eigen(gram);
  const SmallVector& values = eigen.eigenvalues();
  const bool is_immobile = values[m - 1] < kLeast;  // altogether: no rounding is to be left
  for (int b = 0; b < num_blocks; ++b) {
    for (int k = 0; k < block_of(0, b).num_dofs; ++k) {
      SmallVector column = is_immobile ? SmallVector(SmallVector::Zero(m)) : column_of(b, k);
      for (int j = 0; j < m && values[j] < kLeast; ++j) {
        const auto u = eigen.eigenvectors().col(j);
        column -= u.dot(column) * u;
      }
      for (int i = 0; i < m; ++i) problem.jacobian[block_of(i, b).first_value + k] = column[i] / scale[i];
    }
  }
}

}  // namespace stiction
