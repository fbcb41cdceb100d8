#include "stiction/contact/certificate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contact/sums.h"
#include "math/assert.h"
#include "stiction/contact/laws.h"

namespace stiction {
namespace {

// Squared ‖J v − z‖ of one constraint, β = 1 kg.
double CalcCanalTerm(const Constraint& c, const double* lambda, const double* g, const double* e) {
  switch (c.type) {
    case ConstraintType::kContact: {
      const Vector3d l(lambda[0], lambda[1], lambda[2]), s(g[0], g[1], g[2]);
      return (l - ClampCone(l - s, c.mu)).squaredNorm();
    }
    case ConstraintType::kUnilateral:
    case ConstraintType::kBounded: {
      const double d = lambda[0] - ClampImpulse(c, lambda[0] - g[0]);
      return d * d;
    }
    case ConstraintType::kBilateral:
      return g[0] * g[0];
    case ConstraintType::kTorsional:
    case ConstraintType::kRolling:
      break;  // ProblemSolver judges these by the extended problem
    case ConstraintType::kSoft: {
      const double d = lambda[0] + c.stiffness * e[0] + c.damping * (g[0] - e[0]);
      return d * d;
    }
  }
  return 0.0;
}

}  // namespace

void Certifier::Begin(const ContactProblem& problem) {
  const int count = problem.num_constraints();
  v_ = problem.v_star;
  g_.resize(problem.num_rows());
  for (auto* by_constraint : {&residuals_, &own_, &canal_}) by_constraint->resize(count);
}

void Certifier::CalcVelocity(const ContactProblem& problem, const BranchSparseFactor& factor,
                             const Eigen::Ref<const VectorXd>& lambda, std::span<const int> constraints,
                             std::span<const int> subsystems) {
  STICTION_ASSERT(factor.size() == problem.nv());
  STICTION_ASSERT(lambda.size() == problem.num_rows());
  for (const int s : subsystems) {
    const Subsystem& dofs = problem.subsystems[s];
    v_.segment(dofs.first_dof, dofs.num_dofs).setZero();
  }
  for (const int i : constraints) {
    const Constraint& c = problem.constraints[i];
    const double* impulse = lambda.data() + c.row;
    if (!IsZero(impulse, c.dim())) problem.AddRowsTransposed(c, impulse, v_.data());
  }
  for (const int s : subsystems) {
    const Subsystem& dofs = problem.subsystems[s];
    factor.SolveTransposed(v_.data(), dofs.first_dof, dofs.first_dof + dofs.num_dofs);
    factor.SolveLower(v_.data(), dofs.first_dof, dofs.first_dof + dofs.num_dofs);
    v_.segment(dofs.first_dof, dofs.num_dofs) += problem.v_star.segment(dofs.first_dof, dofs.num_dofs);
  }
}

double Certifier::Judge(const ContactProblem& problem, const Eigen::Ref<const VectorXd>& scales,
                        const Eigen::Ref<const VectorXd>& lambda, const SolvedLaw& law, int constraint) {
  STICTION_ASSERT(scales.size() == problem.num_constraints());
  const Constraint& c = problem.constraints[constraint];
  const double* impulse = lambda.data() + c.row;
  const double* e = problem.e.data() + c.row;
  double* g = g_.data() + c.row;
  const int normal = c.dim() - 1;
  problem.MultiplyRows(c, v_.data(), g);
  for (int r = 0; r <= normal; ++r) g[r] += e[r];
  for (int r = 0; r < normal; ++r) g[r] += c.compliance_t * impulse[r];
  g[normal] += c.compliance_n * impulse[normal];
  const double w = scales[constraint] + (normal * c.compliance_t + c.compliance_n) / c.dim();
  double ncp;
  if (c.contact < 0) {
    ncp = CalcNaturalMap(c, w, impulse, g);
  } else {
    const double limit = c.mu * lambda[problem.constraints[c.contact].row + 2];
    ncp = CalcDiscMap(c.dim(), impulse, g, w, limit) * std::sqrt(scales[c.contact] / w);
  }
  double own = ncp;
  if (c.type == ConstraintType::kSoft) {
    const double Jv = g[0] - e[0];
    own = CalcOwnResidual(c, law, c.stiffness * e[0], c.damping, w, impulse, &Jv);
  } else if (c.contact < 0 && !law.is_exact()) {
    own = CalcOwnResidual(c, law, 0.0, 0.0, w, impulse, g);
  }
  residuals_[constraint] = ncp;
  own_[constraint] = own;
  canal_[constraint] = CalcCanalTerm(c, impulse, g, e);
  return ncp >= own ? ncp : own;
}

Certificate Certifier::Summarize(const ContactProblem& problem) const {
  Certificate certificate;
  const int count = problem.num_constraints();
  double sum = 0.0, canal = 0.0;
  for (int i = 0; i < count; ++i) {
    const double ncp = residuals_[i];
    sum += ncp;
    canal += canal_[i];
    // A NaN is the worst of all, and stays.
    if (!(own_[i] <= certificate.own_law) && !std::isnan(certificate.own_law)) certificate.own_law = own_[i];
    if (!(ncp <= certificate.ncp_max) && !std::isnan(certificate.ncp_max)) {
      certificate.ncp_max = ncp;
      certificate.worst_constraint = i;
    }
    if (problem.constraints[i].type == ConstraintType::kBilateral)
      certificate.loop = std::max(certificate.loop, ncp);
  }
  if (count > 0) {
    certificate.ncp_mean = sum / count;
    certificate.canal = std::sqrt(canal) / count;
  }
  return certificate;
}

Certificate Certifier::Certify(const ContactProblem& problem, const BranchSparseFactor& factor,
                               const Eigen::Ref<const VectorXd>& scales,
                               const Eigen::Ref<const VectorXd>& lambda, VectorXd* v_recomputed,
                               const GrowingVector* v_held, const SolvedLaw& law) {
  constraints_.resize(problem.num_constraints());
  subsystems_.resize(problem.subsystems.size());
  std::iota(constraints_.begin(), constraints_.end(), 0);
  std::iota(subsystems_.begin(), subsystems_.end(), 0);
  Begin(problem);
  CalcVelocity(problem, factor, lambda, constraints_, subsystems_);
  for (const int i : constraints_) Judge(problem, scales, lambda, law, i);
  Certificate certificate = Summarize(problem);
  if (v_held != nullptr) certificate.momentum = CalcMomentumError(problem, lambda, *v_held);
  if (v_recomputed != nullptr) *v_recomputed = v_;
  return certificate;
}

Certificate Certifier::CertifyVelocity(const ContactProblem& problem,
                                       const Eigen::Ref<const VectorXd>& scales,
                                       const Eigen::Ref<const VectorXd>& lambda, const VectorXd& v,
                                       const SolvedLaw& law) {
  Begin(problem);
  v_ = v;
  for (int i = 0; i < problem.num_constraints(); ++i) Judge(problem, scales, lambda, law, i);
  return Summarize(problem);
}

double Certifier::CalcMomentumError(const ContactProblem& problem, const Eigen::Ref<const VectorXd>& lambda,
                                    const GrowingVector& v_held) {
  const int nv = problem.nv();
  STICTION_ASSERT(v_held.size() == nv);
  impulse_.setZero(nv);
  problem.AddJTransposed(lambda.data(), impulse_.data());
  for (auto* by_dof : {&inertial_, &error_, &change_}) by_dof->resize(nv);
  problem.A.Multiply(v_held.data(), inertial_.data());
  change_ = v_held - problem.v_star;
  problem.A.Multiply(change_.data(), error_.data());
  double error = 0.0, inertia = 0.0, impulse = 0.0;
  for (int k = 0; k < nv; ++k) {
    const double d = 1.0 / problem.A.diagonal(k);
    const double r = error_[k] - impulse_[k];
    error += r * r * d;
    inertia += inertial_[k] * inertial_[k] * d;
    impulse += impulse_[k] * impulse_[k] * d;
  }
  const double size = std::sqrt(std::max(inertia, impulse));
  return size > 0.0 ? std::sqrt(error) / size : 0.0;
}

VectorXd CalcDelassusScales(const ContactProblem& problem, const BranchSparseFactor& factor) {
  const MatrixXd J = problem.DenseJ();
  VectorXd scales(problem.num_constraints());
  for (int i = 0; i < problem.num_constraints(); ++i) {
    const Constraint& c = problem.constraints[i];
    double trace = 0.0;
    for (int r = 0; r < c.dim(); ++r) {
      VectorXd x = J.row(c.row + r).transpose();
      factor.Solve(x.data());
      trace += J.row(c.row + r).dot(x);
    }
    scales[i] = trace / c.dim();
  }
  return scales;
}

}  // namespace stiction
