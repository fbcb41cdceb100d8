#include "stiction/contact/certificate.h"

#include <algorithm>
#include <cmath>

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

Certificate Certifier::Certify(const ContactProblem& problem, const BranchSparseFactor& factor,
                               const Eigen::Ref<const VectorXd>& scales,
                               const Eigen::Ref<const VectorXd>& lambda, VectorXd* v_recomputed,
                               const GrowingVector* v_held, const SolvedLaw& law) {
  STICTION_ASSERT(factor.size() == problem.nv());
  STICTION_ASSERT(scales.size() == problem.num_constraints());
  STICTION_ASSERT(lambda.size() == problem.num_rows());
  const int nv = problem.nv(), rows = problem.num_rows(), count = problem.num_constraints();
  v_.setZero(nv);
  problem.AddJTransposed(lambda.data(), v_.data());
  impulse_ = v_;  // Jᵀλ
  factor.Solve(v_.data());
  v_ += problem.v_star;
  g_.resize(rows);
  problem.MultiplyJ(v_.data(), g_.data());
  for (int i = 0; i < rows; ++i) g_[i] += problem.e[i];

  Certificate certificate;
  double sum = 0.0, canal = 0.0;
  residuals_.resize(count);
  for (int i = 0; i < count; ++i) {
    const Constraint& c = problem.constraints[i];
    const double* impulse = lambda.data() + c.row;
    double* g = g_.data() + c.row;
    const int normal = c.dim() - 1;
    for (int r = 0; r < normal; ++r) g[r] += c.compliance_t * impulse[r];
    g[normal] += c.compliance_n * impulse[normal];
    const double w = scales[i] + (normal * c.compliance_t + c.compliance_n) / c.dim();
    double ncp;
    if (c.contact < 0) {
      ncp = CalcNaturalMap(c, w, impulse, g);
    } else {
      const double limit = c.mu * lambda[problem.constraints[c.contact].row + 2];
      ncp = CalcDiscMap(c.dim(), impulse, g, w, limit) * std::sqrt(scales[c.contact] / w);
    }
    canal += CalcCanalTerm(c, impulse, g, problem.e.data() + c.row);
    double own = ncp;
    if (c.type == ConstraintType::kSoft) {
      const double Jv = g[0] - problem.e[c.row];
      own = CalcOwnResidual(c, law, c.stiffness * problem.e[c.row], c.damping, w, impulse, &Jv);
    } else if (c.contact < 0) {
      own = CalcOwnResidual(c, law, 0.0, 0.0, w, impulse, g);
    }
    if (!(own <= certificate.own_law) && !std::isnan(certificate.own_law)) certificate.own_law = own;
    residuals_[i] = ncp;
    sum += ncp;
    // A NaN is the worst of all, and stays.
    if (!(ncp <= certificate.ncp_max) && !std::isnan(certificate.ncp_max)) {
      certificate.ncp_max = ncp;
      certificate.worst_constraint = i;
    }
    if (c.type == ConstraintType::kBilateral) certificate.loop = std::max(certificate.loop, ncp);
  }
  if (count > 0) {
    certificate.ncp_mean = sum / count;
    certificate.canal = std::sqrt(canal) / count;
  }

  // SAP's dimensionless momentum error of the velocity that the solver held.
  if (v_held != nullptr) {
    STICTION_ASSERT(v_held->size() == nv);
    inertial_.resize(nv);
    problem.A.Multiply(v_held->data(), inertial_.data());
    double error = 0.0, inertia = 0.0, impulse = 0.0;
    error_.resize(nv);
    change_.resize(nv);
    change_ = *v_held - problem.v_star;
    problem.A.Multiply(change_.data(), error_.data());
    for (int k = 0; k < nv; ++k) {
      const double d = 1.0 / problem.A.diagonal(k);
      const double r = error_[k] - impulse_[k];
      error += r * r * d;
      inertia += inertial_[k] * inertial_[k] * d;
      impulse += impulse_[k] * impulse_[k] * d;
    }
    const double size = std::sqrt(std::max(inertia, impulse));
    certificate.momentum = size > 0.0 ? std::sqrt(error) / size : 0.0;
  }
  if (v_recomputed != nullptr) *v_recomputed = v_;
  return certificate;
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
