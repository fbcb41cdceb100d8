#include "contact/solvers/central_path.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kFirstCompliance = 0.01;  // ρ0
constexpr double kSmoothing = 0.1;         // κ
constexpr double kLeastSpeed = 1e-3;       // of the start: what is inside the cones at least [m/s]
constexpr double kSpeedShare = 3.0;        // the same, of the residual there

constexpr double kOnPath = 0.02;        // off the centre that is on the path
constexpr double kOnPathAtStart = 0.1;  // the same at ν0
constexpr int kMaxCentring = 60, kMaxCorrections = 9, kFirstCorrections = 2;  // steps
constexpr double kCorrectionGain = 0.8;  // of the error, that a further correction leaves at most
constexpr double kLeastReach = 0.3;      // of a correction

constexpr double kFirstStep = 3.0, kLeastStep = 1e-9, kSharpStep = 1e-6;  // lengths
constexpr double kStepShare = 0.7;                                        // of the way to the boundary
constexpr double kMostLogNu = 2.0;                                        // of a step
constexpr double kShorter = 0.35, kLonger = 1.8, kSomeShorter = 0.7;
constexpr double kLeastCosine = 0.7;  // between the tangents of a step's ends
constexpr double kStraight = 0.9, kBent = 0.8;
constexpr int kFewCorrections = 3, kManyCorrections = 5;

constexpr double kFirstTry = 1e-3, kTryShare = 0.1;  // residual of the first try; of the last one's

double CalcDeterminant(const Vector3d& x) {
  const double t = x.tail<2>().norm();
  return (x[0] - t) * (x[0] + t);
}

Vector3d CalcJordanProduct(const Vector3d& a, const Vector3d& b) {
  const Eigen::Vector2d t = a[0] * b.tail<2>() + b[0] * a.tail<2>();
  return {a.dot(b), t[0], t[1]};
}

// u with v ∘ u = r.
Vector3d DivideJordan(const Vector3d& v, const Vector3d& r) {
  const double u0 = (v[0] * r[0] - v.tail<2>().dot(r.tail<2>())) / CalcDeterminant(v);
  const Eigen::Vector2d t = (r.tail<2>() - u0 * v.tail<2>()) / v[0];
  return {u0, t[0], t[1]};
}

// How far x + a d stays in the cone.
double FindBoundary(const Vector3d& x, const Vector3d& d) {
  double reach = d[0] < 0.0 ? -x[0] / d[0] : std::numeric_limits<double>::infinity();
  const double a = d[0] * d[0] - d.tail<2>().squaredNorm(), b = x[0] * d[0] - x.tail<2>().dot(d.tail<2>());
  const double c = std::max(CalcDeterminant(x), 0.0), root = b * b - a * c;
  if (root < 0.0) return reach;
  const double q = -(b + std::copysign(std::sqrt(root), b));
  for (const double r : {q / a, c / q}) {
    if (r > 0.0) reach = std::min(reach, r);
  }
  return reach;
}

bool HasFriction(const IslandConstraint& c) {
  return c.type == ConstraintType::kContact && c.mu > 0.0;
}

int NormalRow(const IslandConstraint& c) {
  return c.row + c.dim() - 1;
}

// Impulses λ of a constraint, or changes of them, from x.
void ReadImpulses(const IslandConstraint& c, const Vector3d& x, double* lambda) {
  std::fill_n(lambda, c.dim(), 0.0);
  lambda[c.dim() - 1] = x[0];
  if (!HasFriction(c)) return;
  lambda[0] = x[1];
  lambda[1] = x[2];
  lambda[2] = x[0] / c.mu;
}

// x + a d of vectors.
template <typename T>
void AddTo(const std::vector<T>& d, double a, std::vector<T>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += a * d[i];
}

template <typename Direction>
void Scale(double a, Direction& d) {
  for (Vector3d& x : d.x) x *= a;
  for (Vector3d& s : d.s) s *= a;
  for (double& delta : d.delta) delta *= a;
  d.log_nu *= a;
}

}  // namespace

bool CentralPath::Solves(const Island& island) {
  return island.sparse == nullptr &&
         std::all_of(island.constraints.begin(), island.constraints.end(), [](const IslandConstraint& c) {
           return c.type == ConstraintType::kContact || c.type == ConstraintType::kUnilateral;
         });
}

void CentralPath::Start(const Island& island, const double* lambda, double residual) {
  const int count = island.num_constraints(), rows = island.num_rows(), n = island.num_dofs();
  hessian_.Assign(island);
  for (int i = 0; i < count; ++i) hessian_.set_active(i, true);
  cones_.resize(count);
  right_.resize(count);
  for (auto* by_row : {&g_, &lambda_, &finished_}) by_row->resize(rows);
  for (auto* by_dof : {&delta_, &imbalance_, &reached_}) by_dof->resize(n);
  for (Direction* d : {&tangent_, &next_, &newton_step_, &along_}) {
    d->x.resize(count);
    d->s.resize(count);
    d->delta.resize(n);
  }
  island.MapImpulses(lambda, delta_.data());
  island.MapVelocities(delta_.data(), g_.data());
  const double speed = std::max(kLeastSpeed, kSpeedShare * residual);
  double sum = 0.0;
  for (int i = 0; i < count; ++i) {
    const IslandConstraint& c = island.constraints[i];
    Cone& cone = cones_[i];
    const int row = NormalRow(c);
    const bool slides = HasFriction(c);
    cone.x = slides ? Vector3d(c.mu * lambda[row], lambda[c.row], lambda[c.row + 1])
                    : Vector3d(lambda[row], 0.0, 0.0);
    cone.s = slides ? Vector3d(0.0, g_[c.row], g_[c.row + 1]) : Vector3d(g_[row], 0.0, 0.0);
    if (slides) cone.s[0] = g_[row] / c.mu + cone.s.tail<2>().norm();
    cone.x[0] = std::max(cone.x[0], cone.x.tail<2>().norm() + speed / c.scale);
    cone.s[0] = std::max(cone.s[0], cone.s.tail<2>().norm() + speed);
    sum += cone.x.dot(cone.s);
  }
  log_nu_ = first_log_nu_ = std::log(sum / count);
  factorizations_ = 0;
  step_ = kFirstStep;
  next_try_ = kFirstTry;
}

// share: ν/ν0.
void CentralPath::EvaluateCone(const IslandConstraint& c, double share, double nu, Cone& cone) {
  Vector3d s(g_[NormalRow(c)], 0.0, 0.0);
  cone.compliance = kFirstCompliance * share * c.scale;
  cone.change = 0.0;
  if (HasFriction(c)) {
    const double coupling = std::max(0.0, 1.0 - share);
    const Eigen::Vector2d g_t(g_[c.row], g_[c.row + 1]);
    const double epsilon = kSmoothing * std::sqrt(nu * c.scale);
    const double root = std::sqrt(g_t.squaredNorm() + epsilon * epsilon);
    s = {g_[c.row + 2] / c.mu + coupling * (root - epsilon), g_t[0], g_t[1]};
    for (int r = 0; r < 2; ++r) cone.slope[r] = coupling * g_t[r] / root;
    cone.change = 0.5 * coupling * (epsilon * epsilon / root - epsilon) - share * (root - epsilon);
  }
  cone.error = cone.s - s - cone.compliance * cone.x;

  const double det_x = CalcDeterminant(cone.x), det_s = CalcDeterminant(cone.s);
  const Vector3d x = cone.x / std::sqrt(det_x), z = cone.s / std::sqrt(det_s);
  Vector3d w(x[0] + z[0], x[1] - z[1], x[2] - z[2]);
  w /= std::sqrt(2.0 * (1.0 + x.dot(z)));
  const Eigen::Vector2d t = w.tail<2>();
  const Eigen::Matrix2d T = Eigen::Matrix2d::Identity() + t * t.transpose() / (1.0 + w[0]);
  cone.W << w[0], t.transpose(), t, T;
  cone.W_inverse << w[0], -t.transpose(), -t, T;
  const double eta = std::pow(det_x / det_s, 0.25);
  cone.W *= eta;
  cone.W_inverse /= eta;
  cone.W_squared = cone.W * cone.W;
  cone.v = cone.W * cone.s;
  cone.B = Matrix3d(Matrix3d::Identity() + cone.compliance * cone.W_squared).inverse();
}

void CentralPath::Evaluate(const Island& island) {
  const double nu = std::exp(log_nu_), share = std::exp(log_nu_ - first_log_nu_);
  island.MapVelocities(delta_.data(), g_.data());
  off_centre_ = 0.0;
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    Cone& cone = cones_[i];
    EvaluateCone(c, share, nu, cone);
    ReadImpulses(c, cone.x, lambda_.data() + c.row);
    const Vector3d product = CalcJordanProduct(cone.v, cone.v) / nu - Vector3d::UnitX();
    const double error = std::max(product.norm(), (cone.W * cone.error).norm() / std::sqrt(nu));
    if (!(error <= off_centre_)) off_centre_ = error;  // NaN, too
    if (!std::isfinite(off_centre_)) return;
  }
  island.MapImpulses(lambda_.data(), reached_.data());
  for (std::size_t k = 0; k < delta_.size(); ++k) imbalance_[k] = delta_[k] - reached_[k];
}

bool CentralPath::Factor(const Island& island) {
  ++factorizations_;
  island.Tick();
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    const Cone& cone = cones_[i];
    const Matrix3d S = cone.W_squared * cone.B;
    double* weight = hessian_.weight(static_cast<int>(i));
    std::fill_n(weight, c.dim() * c.dim(), 0.0);
    if (!HasFriction(c)) {
      weight[c.dim() * c.dim() - 1] = S(0, 0);
      continue;
    }
    // By (g_t, g_n): M; and the rows of λ_t, and then that of λ_n.
    for (int r = 0; r < 3; ++r) {
      const int from = (r + 1) % 3;  // row of S
      const double factor = r < 2 ? 1.0 : 1.0 / c.mu;
      for (int k = 0; k < 2; ++k) weight[3 * r + k] = factor * (S(from, 0) * cone.slope[k] + S(from, k + 1));
      weight[3 * r + 2] = factor * S(from, 0) / c.mu;
    }
  }
  return hessian_.Factor(island, false);
}

void CentralPath::CalcNewton(const Island& island, Direction& d) {
  const double nu = std::exp(log_nu_);
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const Cone& cone = cones_[i];
    const Vector3d missing = nu * Vector3d::UnitX() - CalcJordanProduct(cone.v, cone.v);
    right_[i] = cone.W * DivideJordan(cone.v, missing);
  }
  for (std::size_t k = 0; k < imbalance_.size(); ++k) d.delta[k] = -imbalance_[k];
  d.log_nu = 0.0;
  SolveDirection(island, d);
}

void CentralPath::CalcTangent(const Island& island, Direction& d) {
  const double nu = std::exp(log_nu_);
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    Cone& cone = cones_[i];
    right_[i] = cone.W * DivideJordan(cone.v, nu * Vector3d::UnitX());
    cone.error = -cone.change * Vector3d::UnitX() - cone.compliance * cone.x;
  }
  std::fill(d.delta.begin(), d.delta.end(), 0.0);
  d.log_nu = 1.0;
  SolveDirection(island, d);
}

void CentralPath::SolveDirection(const Island& island, Direction& d) {
  double change[3];
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    const Cone& cone = cones_[i];
    const Vector3d error = cone.error - cone.compliance * right_[i];
    ReadImpulses(c, right_[i] + cone.W_squared * (cone.B * error), change);
    island.AddImpulse(c, change, d.delta.data());
  }
  hessian_.Solve(d.delta.data());
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    const Cone& cone = cones_[i];
    std::fill_n(change, 3, 0.0);
    island.ReadChange(c, d.delta.data(), change);
    Vector3d s(change[c.dim() - 1], 0.0, 0.0);
    if (HasFriction(c)) {
      const double first = change[2] / c.mu + cone.slope[0] * change[0] + cone.slope[1] * change[1];
      s = {first, change[0], change[1]};
    }
    d.s[i] = cone.B * (s - cone.error + cone.compliance * right_[i]);
    d.x[i] = right_[i] - cone.W_squared * d.s[i];
  }
}

double CentralPath::CalcProduct(const Direction& a, const Direction& b) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const Cone& cone = cones_[i];
    sum += (cone.W_inverse * a.x[i]).dot(cone.W_inverse * b.x[i]) + (cone.W * a.s[i]).dot(cone.W * b.s[i]);
  }
  return sum / std::exp(log_nu_) + a.log_nu * b.log_nu;
}

bool CentralPath::CalcUnitTangent(const Island& island, Direction& d) {
  if (!Factor(island)) return false;
  CalcTangent(island, d);
  Scale(-hessian_.CalcDeterminantSign() / std::sqrt(CalcProduct(d, d)), d);
  return std::isfinite(d.log_nu);
}

double CentralPath::CalcReach(const Direction& d) const {
  double reach = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < cones_.size(); ++i)
    reach = std::min({reach, FindBoundary(cones_[i].x, d.x[i]), FindBoundary(cones_[i].s, d.s[i])});
  return reach;
}

void CentralPath::Go(const Direction& d, double length) {
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    cones_[i].x += length * d.x[i];
    cones_[i].s += length * d.s[i];
  }
  AddTo(d.delta, length, delta_);
  log_nu_ += length * d.log_nu;
}

void CentralPath::Keep() {
  kept_.x.resize(cones_.size());
  kept_.s.resize(cones_.size());
  for (std::size_t i = 0; i < cones_.size(); ++i) kept_.x[i] = cones_[i].x, kept_.s[i] = cones_[i].s;
  kept_.delta = delta_;
  kept_.log_nu = log_nu_;
}

void CentralPath::Return() {
  for (std::size_t i = 0; i < cones_.size(); ++i) cones_[i].x = kept_.x[i], cones_[i].s = kept_.s[i];
  delta_ = kept_.delta;
  log_nu_ = kept_.log_nu;
}

bool CentralPath::Centre(const Island& island) {
  for (int step = 0; step < kMaxCentring; ++step) {
    Evaluate(island);
    if (off_centre_ < kOnPathAtStart) return true;
    if (!std::isfinite(off_centre_) || island.is_over() || !Factor(island)) return false;
    CalcNewton(island, newton_step_);
    double largest = 0.0;  // in the scaling, ν being 1
    for (std::size_t i = 0; i < cones_.size(); ++i) {
      largest = std::max(largest, (cones_[i].W_inverse * newton_step_.x[i]).squaredNorm() +
                                      (cones_[i].W * newton_step_.s[i]).squaredNorm());
    }
    const double damping = std::sqrt(std::exp(log_nu_) / largest);
    Go(newton_step_, std::min({1.0, 0.9 * CalcReach(newton_step_), damping}));
  }
  return false;
}

bool CentralPath::Correct(const Island& island, int& steps) {
  double before = std::numeric_limits<double>::infinity();
  for (steps = 0; steps < kMaxCorrections; ++steps) {
    Evaluate(island);
    if (!std::isfinite(off_centre_)) return false;
    if (off_centre_ < kOnPath) return true;
    if (steps > kFirstCorrections && off_centre_ > kCorrectionGain * before) return false;
    before = off_centre_;
    if (!Factor(island)) return false;
    CalcNewton(island, newton_step_);
    CalcTangent(island, along_);
    const double share = -CalcProduct(tangent_, newton_step_) / CalcProduct(tangent_, along_);
    AddTo(along_.x, share, newton_step_.x);
    AddTo(along_.s, share, newton_step_.s);
    AddTo(along_.delta, share, newton_step_.delta);
    newton_step_.log_nu += share;
    const double reach = CalcReach(newton_step_);
    if (!(reach >= kLeastReach)) return false;
    Go(newton_step_, std::min(1.0, 0.95 * reach));
  }
  return false;
}

bool CentralPath::Advance(const Island& island) {
  Keep();
  step_ = std::min({step_, kStepShare * CalcReach(tangent_), kMostLogNu / std::abs(tangent_.log_nu)});
  Go(tangent_, step_);
  int corrections = 0;
  double cosine = 0.0;
  const bool is_on_path = Correct(island, corrections) && CalcUnitTangent(island, next_);
  if (is_on_path) cosine = CalcProduct(tangent_, next_) / std::sqrt(CalcProduct(tangent_, tangent_));
  if (!is_on_path || (cosine < kLeastCosine && step_ > kSharpStep)) {
    Return();
    step_ *= kShorter;
    return false;
  }
  std::swap(tangent_, next_);
  if (corrections <= kFewCorrections && cosine > kStraight) {
    step_ *= kLonger;
  } else if (corrections >= kManyCorrections || cosine < kBent) {
    step_ *= kSomeShorter;
  }
  return true;
}

void CentralPath::TryToFinish(const Island& island, const CentralPathOptions& options, Incumbent& best,
                              SolveReport& report) {
  double residual = island.CalcResidual(lambda_.data(), reached_.data());
  best.Offer(lambda_.data(), residual);
  if (!(residual < next_try_) || residual <= options.acceptance) return;
  next_try_ = kTryShare * residual;
  finished_ = lambda_;
  PrimalDualOptions full;
  full.tolerance = options.tolerance;
  full.acceptance = options.acceptance;
  report.Merge(newton_.Run(island, full, finished_.data(), residual));
  if (residual > options.acceptance && !island.is_over()) {
    DampedPrimalDualOptions damped;
    damped.tolerance = options.acceptance;
    report.Merge(newton_.RunDamped(island, damped, finished_.data(), residual));
  }
  best.Offer(finished_.data(), residual);
}

SolveReport CentralPath::Run(const Island& island, const CentralPathOptions& options, double* lambda,
                             double& residual) {
  SolveReport report;
  Incumbent best(lambda, island.num_rows(), residual);
  Start(island, lambda, residual);
  if (Centre(island) && CalcUnitTangent(island, tangent_)) {
    while (best.residual() > options.acceptance && factorizations_ < options.max_factorizations &&
           step_ > kLeastStep && !island.is_over()) {
      if (Advance(island)) TryToFinish(island, options, best, report);
    }
  }
  residual = best.residual();
  report.newton_steps += factorizations_;
  report.factorizations += factorizations_;
  report.status = residual <= options.acceptance ? SolveStatus::kConverged : SolveStatus::kMaxIterations;
  return report;
}

}  // namespace stiction
