// The residuals of a contact problem's laws by dense matrices, and with a projection onto the cone by
// geometry: an independent route to the numbers of contact/certificate.h.
#pragma once

#include <algorithm>
#include <cmath>

#include "stiction/contact/island.h"
#include "tests/support/dense_algebra.h"

namespace stiction::testing {

struct DenseCertificate {
  VectorXd v;      // v* + A⁻¹ Jᵀ λ
  VectorXd ncp;    // one per constraint [m/s]
  VectorXd scale;  // w_i
  double canal = 0.0;
  double momentum = 0.0;  // of the velocity given, or of v
};

// {‖x_t‖ <= μ x_n}.
inline bool IsInCone(const Vector3d& x, double mu) {
  return x[2] >= 0.0 && x.head<2>().norm() <= mu * x[2];
}

// Closest point of the cone in the half plane of x: on the generator (μ, 1), at the tip, or x itself.
inline Vector3d ProjectByGeometry(const Vector3d& x, double mu) {
  if (IsInCone(x, mu)) return x;
  const Vector2d planar(x.head<2>().norm(), x[2]), generator = Vector2d(mu, 1.0).normalized();
  const Vector2d foot = std::max(0.0, planar.dot(generator)) * generator;
  Vector3d y(0.0, 0.0, foot[1]);
  if (planar[0] > 0.0) y.head<2>() = foot[0] / planar[0] * x.head<2>();
  return y;
}

// |λ − clamp(λ − g/w)| w as the middle one of three numbers.
inline double CalcBoundedNcp(const Constraint& c, double lambda, double g, double w) {
  const double above = w * (lambda - c.lower), below = w * (lambda - c.upper);
  return std::abs(std::max(below, std::min(above, g)));
}

inline double CalcDenseNcp(const Constraint& c, const VectorXd& lambda, const VectorXd& g, double w) {
  if (c.type == ConstraintType::kSoft) return 0.0;
  if (c.type == ConstraintType::kBilateral) return std::abs(g[0]);
  if (c.type == ConstraintType::kUnilateral) return std::abs(std::min(w * lambda[0], g[0]));
  if (c.type == ConstraintType::kBounded) return CalcBoundedNcp(c, lambda[0], g[0], w);
  const Vector3d l = lambda, de_saxce = Vector3d(g) + Vector3d(0, 0, c.mu * g.head<2>().norm());
  const Vector3d x = l - de_saxce / w;
  // What sticks: to take λ − x of an impulse whose w λ is far above g would leave nothing of g.
  return IsInCone(x, c.mu) ? de_saxce.norm() : w * (l - ProjectByGeometry(x, c.mu)).norm();
}

// λ − T(λ − g) and its kin.
inline double CalcDenseCanal(const Constraint& c, const VectorXd& lambda, const VectorXd& g,
                             const VectorXd& e) {
  if (c.type == ConstraintType::kSoft) {
    return std::abs(lambda[0] + c.stiffness * e[0] + c.damping * (g[0] - e[0]));
  }
  if (c.type == ConstraintType::kBilateral) return std::abs(g[0]);
  if (c.type == ConstraintType::kUnilateral) return std::abs(std::min(lambda[0], g[0]));
  if (c.type == ConstraintType::kBounded) return CalcBoundedNcp(c, lambda[0], g[0], 1.0);
  const VectorXd x = lambda - g;
  const double n = std::max(0.0, x[2]), t = x.head(2).norm();
  const Vector2d clamped = x.head(2) * (t > 0.0 ? std::min(1.0, c.mu * n / t) : 1.0);
  return (lambda - Vector3d(clamped[0], clamped[1], n)).norm();
}

// w_i from the diagonal of J A⁻¹ Jᵀ, at least 1e-12 of the largest in its island (contact/island.h).
inline VectorXd CalcDenseScales(const ContactProblem& problem, const VectorXd& W, bool one_island) {
  VectorXd scales = VectorXd::Zero(problem.num_constraints());
  IslandPartition partition;
  partition.Assign(problem, one_island);
  for (int island = 0; island < partition.num_islands; ++island) {
    double largest = 0.0;
    for (const int i : partition.constraints_of(island)) {
      const Constraint& c = problem.constraints[i];
      scales[i] = W.segment(c.row, c.dim()).mean();
      largest = std::max(largest, scales[i]);
    }
    for (const int i : partition.constraints_of(island)) scales[i] = std::max(scales[i], 1e-12 * largest);
  }
  return scales;
}

inline DenseCertificate CalcDenseCertificate(const ContactProblem& problem, const VectorXd& lambda,
                                             const VectorXd& v_given = {}, bool one_island = false) {
  const MatrixXd A = problem.DenseA(), J = problem.DenseJ();
  const MatrixXd A_inv_Jt = SolvePositive(A, J.transpose());
  const VectorXd W = (J * A_inv_Jt).diagonal();
  const VectorXd e = Eigen::Map<const VectorXd>(problem.e.data(), problem.num_rows());
  DenseCertificate out;
  out.v = problem.v_star + A_inv_Jt * lambda;
  out.ncp.resize(problem.num_constraints());
  out.scale = CalcDenseScales(problem, W, one_island);
  const VectorXd g = J * out.v + e;
  double canal = 0.0;
  for (int i = 0; i < problem.num_constraints(); ++i) {
    const Constraint& c = problem.constraints[i];
    const int dim = c.dim();
    out.ncp[i] = CalcDenseNcp(c, lambda.segment(c.row, dim), g.segment(c.row, dim), out.scale[i]);
    canal += std::pow(
        CalcDenseCanal(c, lambda.segment(c.row, dim), g.segment(c.row, dim), e.segment(c.row, dim)), 2);
  }
  if (problem.num_constraints() > 0) out.canal = std::sqrt(canal) / problem.num_constraints();
  const VectorXd v = v_given.size() > 0 ? v_given : out.v;
  const VectorXd weight = A.diagonal().cwiseSqrt().cwiseInverse();
  const double inertial = weight.cwiseProduct(A * v).norm();
  const double impulse = weight.cwiseProduct(J.transpose() * lambda).norm();
  const VectorXd error = weight.cwiseProduct(A * (v - problem.v_star) - J.transpose() * lambda);
  out.momentum = error.norm() / std::max({inertial, impulse, 1e-300});
  return out;
}

}  // namespace stiction::testing
