// Primal-dual steps that end where the first constraint leaves its set (primal_dual.h).
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "contact/island_loops.h"
#include "contact/solvers/primal_dual.h"
#include "contact/sums.h"

namespace stiction {
namespace {

// Further than by so many times what is there already, impulses do not grow in a step: where rows bound
// nothing but one another no kink ends it.
constexpr double kMostReach = 100.0;
constexpr double kBeyond = 1.0 + 1e-9;  // of the way to a kink: behind it sets are others
constexpr double kNever = std::numeric_limits<double>::infinity();

// The smallest t > 0 at which x + t dx is zero.
double FindZero(double x, double dx) {
  const double t = dx != 0.0 ? -x / dx : kNever;
  return t > 0.0 ? t : kNever;
}

// The smallest t > 0 at which x + t dx is on the double cone ‖x_t‖ = μ |x_n|.
double FindCone(const Vector3d& x, const Vector3d& dx, double mu) {
  const auto product = [mu](const Vector3d& a, const Vector3d& b) {
    return mu * mu * a[2] * b[2] - a.head<2>().dot(b.head<2>());
  };
  const double a = product(dx, dx), b = product(x, dx), c = product(x, x);
  const double discriminant = b * b - a * c;
  if (!(discriminant >= 0.0)) return kNever;
  const double sum = -(b + std::copysign(std::sqrt(discriminant), b));
  double nearest = kNever;
  if (a != 0.0 && sum / a > 0.0) nearest = sum / a;
  if (sum != 0.0 && c / sum > 0.0) nearest = std::min(nearest, c / sum);
  return nearest;
}

// The t at which ‖(1 − t) F + t F'‖ is least; infinite if all t are alike.
//   product  F·F'
double FindLeast(double product, double size_F, double size_F_end) {
  const double curvature = size_F * size_F - 2.0 * product + size_F_end * size_F_end;
  const double t = (size_F * size_F - product) / curvature;
  return curvature > 0.0 ? t : kNever;
}

}  // namespace

double PrimalDualNewton::FindKink(const Island& island, int i) const {
  const IslandConstraint& c = island.constraints[i];
  if (c.type == ConstraintType::kSoft) return kNever;
  const double beta = 1.0 / c.scale;
  double change[3] = {0.0, 0.0, 0.0};
  island.ReadChange(c, delta_step_.data(), change);
  if (c.dim() == 1) {
    const double x = lambda_[c.row] - beta * g_[c.row], dx = lambda_step_[c.row] - beta * change[0];
    return std::min(FindZero(x - c.lower, dx), FindZero(x - c.upper, dx));
  }
  Vector3d x, dx;
  for (int r = 0; r < 3; ++r) {
    x[r] = lambda_[c.row + r] - beta * g_[c.row + r];
    dx[r] = lambda_step_[c.row + r] - beta * change[r];
  }
  const double opens = FindZero(x[2], dx[2]);
  return sets_[i] == Set::kOpen ? opens : std::min(opens, FindCone(x, dx, c.mu));
}

void PrimalDualNewton::GoToKink(const Island& island) {
  Go(island, 1.0);
  const double merit = CalcMerit(island);
  if (merit <= kStallGain * merit_) return;
  ForConstraints(island,
                 [&](int i) { CalcError(island.constraints[i], F_.data() + island.constraints[i].row); });
  Go(island, -1.0);
  island.MapImpulses(lambda_step_.data(), delta_step_.data());
  ForConstraints(island, [&](int i) { error_[i] = FindKink(island, i); });
  for (const int i : group_) error_[i] = kNever;
  double length = kBeyond * *std::min_element(error_.begin(), error_.end());
  if (length > 1.0) {
    const double least = FindLeast(CalcProduct(island), merit_, merit);
    const double reach = kMostReach * CalcSize(island, lambda_) / CalcSize(island, lambda_step_);
    length = std::max(1.0, std::min({length, least, reach}));
  }
  Go(island, length);
}

// max w ‖λ‖ of impulses by row [m/s].
double PrimalDualNewton::CalcSize(const Island& island, const std::vector<double>& impulses) const {
  return FindLargest(island, [&](int i) {
    const IslandConstraint& c = island.constraints[i];
    const double* impulse = impulses.data() + c.row;
    return c.scale * std::sqrt(std::inner_product(impulse, impulse + c.dim(), impulse, 0.0));
  });
}

// Σ w² F·F', of F_ and what it is now.
double PrimalDualNewton::CalcProduct(const Island& island) {
  ForConstraints(island, [&](int i) {
    const IslandConstraint& c = island.constraints[i];
    double F[3];
    CalcError(c, F);
    error_[i] = c.scale * c.scale * std::inner_product(F, F + c.dim(), F_.data() + c.row, 0.0);
  });
  return std::accumulate(error_.begin(), error_.end(), 0.0);
}

}  // namespace stiction
