#include "contact/local_contact.h"

#include <array>
#include <cmath>
#include <limits>

#include "stiction/math/cone.h"

namespace stiction {
namespace {

constexpr int kGrid = 32;  // cells of the circle: at most four roots, rarely two in one cell

// f(θ) = a0 + a1 cos θ + b1 sin θ + a2 cos 2θ + b2 sin 2θ.
struct TrigPolynomial {
  double a0, a1, b1, a2, b2;
  double Value(double c, double s) const {
    return a0 + a1 * c + b1 * s + a2 * (c * c - s * s) + b2 * 2.0 * s * c;
  }
  double Slope(double c, double s) const {
    return -a1 * s + b1 * c - 4.0 * a2 * s * c + 2.0 * b2 * (c * c - s * s);
  }
};

struct Grid {
  std::array<double, kGrid + 1> angle, c, s;
  Grid() {
    for (int k = 0; k <= kGrid; ++k) {
      angle[k] = -M_PI + k * (2.0 * M_PI / kGrid);
      c[k] = std::cos(angle[k]);
      s[k] = std::sin(angle[k]);
    }
    // Bit for bit the same point, or a root at ±π falls between the ends.
    c[kGrid] = c[0], s[kGrid] = s[0];
  }
};
const Grid kAngles;

TrigPolynomial MakeSlidingEquation(const Matrix3d& D, const Vector3d& v, double mu) {
  const double cx = D(0, 2), cy = D(1, 2), rx = D(2, 0), ry = D(2, 1), vn = v[2];
  TrigPolynomial f;
  f.a0 = 0.5 * mu * (rx * v[1] - ry * v[0]) - 0.5 * vn * mu * (D(1, 0) - D(0, 1));
  f.a1 = D(2, 2) * v[1] - vn * cy;
  f.b1 = -D(2, 2) * v[0] + vn * cx;
  f.a2 = 0.5 * mu * (rx * v[1] + ry * v[0]) - 0.5 * vn * mu * (D(1, 0) + D(0, 1));
  f.b2 = 0.5 * mu * (ry * v[1] - rx * v[0]) - 0.5 * vn * mu * (D(1, 1) - D(0, 0));
  return f;
}

// The impulse on the sliding circle at an angle; false where q ≤ 0.
bool EvaluateSlide(const Matrix3d& D, const Vector3d& v, double mu, double c, double s, Vector3d& lambda) {
  const double q = D(2, 2) + mu * (D(2, 0) * c + D(2, 1) * s);
  if (!(q > 0.0)) return false;
  const double n = -v[2] / q;
  lambda = {mu * n * c, mu * n * s, n};
  return true;
}

// The impulse at a root, and whether it satisfies the law there: q > 0 and friction opposed to sliding.
bool EvaluateRoot(const Matrix3d& D, const Vector3d& v, double mu, double c, double s, Vector3d& lambda) {
  if (!EvaluateSlide(D, v, mu, c, s, lambda)) return false;
  const double ux = D.row(0).dot(lambda) + v[0], uy = D.row(1).dot(lambda) + v[1];
  return ux * c + uy * s <= 1e-12 * std::sqrt(ux * ux + uy * uy);
}

// Newton from the direction of an impulse. Returns false unless it converges to a valid root at once.
//   last_step  after which no other is taken: what is left is about its square [rad]
bool PolishDirection(const TrigPolynomial& f, const Matrix3d& D, const Vector3d& v, double mu,
                     const Vector3d& guess, double last_step, Vector3d& lambda) {
  const double t = std::sqrt(guess[0] * guess[0] + guess[1] * guess[1]);
  if (!(t > 0.0)) return false;
  double c = guess[0] / t, s = guess[1] / t;
  for (int i = 0; i < 8; ++i) {
    const double slope = f.Slope(c, s);
    const double step = -f.Value(c, s) / slope;
    if (!(std::abs(step) < 0.5)) return false;
    // Rotate by the step: a Cayley rotation keeps (c, s) on the circle without trigonometric functions.
    const double h = 0.5 * step, k = 1.0 / (1.0 + h * h);
    const double cr = (1.0 - h * h) * k, sr = 2.0 * h * k;
    const double rotated = c * cr - s * sr;
    s = s * cr + c * sr;
    c = rotated;
    if (std::abs(step) < last_step) break;
    if (i == 7) return false;
  }
  const double length = std::sqrt(c * c + s * s);
  return EvaluateRoot(D, v, mu, c / length, s / length, lambda);
}

double RefineRoot(const TrigPolynomial& f, double low, double high, double f_low) {
  double angle = 0.5 * (low + high);
  for (int i = 0; i < 60; ++i) {
    const double c = std::cos(angle), s = std::sin(angle), value = f.Value(c, s);
    if (value * f_low > 0.0) {
      low = angle;
    } else {
      high = angle;
    }
    double next = angle - value / f.Slope(c, s);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - angle) < 1e-15) return next;
    angle = next;
  }
  return angle;
}

// Two roots in one cell leave no sign change, but a dip of |f| through zero: finds a point in the dip.
// Cutting planes on |f|, which is convex there; gives up once the tangents at the ends meet above zero, which
// most cells do at once.
bool FindDip(const TrigPolynomial& f, int cell, double& angle) {
  double low = kAngles.angle[cell], high = kAngles.angle[cell + 1];
  const double f_low = f.Value(kAngles.c[cell], kAngles.s[cell]);
  const double sign = f_low > 0.0 ? 1.0 : -1.0;
  double left = sign * f_low, right = sign * f.Value(kAngles.c[cell + 1], kAngles.s[cell + 1]);
  double left_slope = sign * f.Slope(kAngles.c[cell], kAngles.s[cell]);
  double right_slope = sign * f.Slope(kAngles.c[cell + 1], kAngles.s[cell + 1]);
  if (!(left_slope < 0.0 && right_slope > 0.0)) return false;
  for (int i = 0; i < 60; ++i) {
    const double width = high - low;
    double x = (left - right + right_slope * width) / (right_slope - left_slope);  // where the tangents meet
    if (left + left_slope * x > 0.0) return false;
    if (!(x > 0.01 * width && x < 0.99 * width)) x = 0.5 * width;
    angle = low + x;
    const double c = std::cos(angle), s = std::sin(angle);
    const double value = sign * f.Value(c, s), slope = sign * f.Slope(c, s);
    if (value <= 0.0) return true;
    if (slope < 0.0) {
      low = angle, left = value, left_slope = slope;
    } else {
      high = angle, right = value, right_slope = slope;
    }
  }
  return false;
}

// Calls consider(angle) for every root of f, at most four.
template <typename Consider>
void FindRoots(const TrigPolynomial& f, const Consider& consider) {
  double before = f.Value(kAngles.c[0], kAngles.s[0]), dip = 0.0;
  for (int k = 1; k <= kGrid; ++k) {
    const double value = f.Value(kAngles.c[k], kAngles.s[k]);
    if (before * value <= 0.0) {
      consider(RefineRoot(f, kAngles.angle[k - 1], kAngles.angle[k], before));
    } else if (FindDip(f, k - 1, dip)) {
      consider(RefineRoot(f, kAngles.angle[k - 1], dip, before));
      consider(RefineRoot(f, dip, kAngles.angle[k], -before));
    }
    before = value;
  }
}

// ½ λᵀDλ + λᵀv.
double CalcEnergy(const Matrix3d& D, const Vector3d& v, const Vector3d& lambda) {
  return lambda.dot(0.5 * (D * lambda) + v);
}

// All valid roots; of several the one of least energy.
bool SearchSlidingAngle(const TrigPolynomial& f, const Matrix3d& D, const Vector3d& v, double mu,
                        Vector3d& lambda) {
  double least = std::numeric_limits<double>::infinity();
  FindRoots(f, [&](double angle) {
    Vector3d candidate;
    if (!EvaluateRoot(D, v, mu, std::cos(angle), std::sin(angle), candidate)) return;
    const double energy = CalcEnergy(D, v, candidate);
    if (energy < least) least = energy, lambda = candidate;
  });
  return std::isfinite(least);
}

// The derivative of the energy with s λ_n along the sliding circle, times q²: of degree two, so that five
// samples give its coefficients exactly.
TrigPolynomial MakeEnergyEquation(const Matrix3d& D, const Vector3d& v, double mu, double s) {
  const Vector2d d = D.block<2, 1>(0, 2), d_perp(-d[1], d[0]);
  TrigPolynomial f{};
  for (int k = 0; k < 5; ++k) {
    const double angle = 2.0 * M_PI * k / 5.0, cos = std::cos(angle), sin = std::sin(angle);
    const Vector2d e(cos, sin), e_perp(-sin, cos);
    const double q = D(2, 2) + mu * d.dot(e);
    const Vector2d sliding = q * v.head<2>() - v[2] * (mu * (D.block<2, 2>(0, 0) * e) + d);
    const double value = sliding.dot(D(2, 2) * e_perp + mu * d_perp) - s * q * d.dot(e_perp);
    f.a0 += value / 5.0;
    f.a1 += 0.4 * value * cos;
    f.b1 += 0.4 * value * sin;
    f.a2 += 0.4 * value * (cos * cos - sin * sin);
    f.b2 += 0.4 * value * 2.0 * sin * cos;
  }
  return f;
}

// v_n = 0 on the plane: λ = 0, unless the plane cuts the cone in two rays (μ‖d‖ > D_nn).
Vector3d SolveOnRays(const Matrix3d& D, const Vector3d& v, double mu) {
  const double d = std::hypot(D(0, 2), D(1, 2));
  Vector3d best = Vector3d::Zero();
  if (mu * d < D(2, 2)) return best;
  const double middle = std::atan2(D(1, 2), D(0, 2)), half = std::acos(-D(2, 2) / (mu * d));
  double least = 0.0;
  for (const double angle : {middle + half, middle - half}) {
    const Vector3d ray(mu * std::cos(angle), mu * std::sin(angle), 1.0);
    const Vector3d lambda = std::max(0.0, -ray.dot(v) / ray.dot(D * ray)) * ray;
    const double energy = CalcEnergy(D, v, lambda);
    if (energy < least) least = energy, best = lambda;
  }
  return best;
}

// From the direction of the sticking impulse downhill in steps that grow by 1.3, and shrink by half where q
// would not be positive, until f changes its sign; then bisection [Hwangbo 2018].
Vector3d SlideByBisection(const TrigPolynomial& f, const Matrix3d& D, const Vector3d& v, double mu,
                          const Vector3d& stick) {
  constexpr double kFirstStep = 1e-2, kGrow = 1.3, kShrink = 0.5;
  const auto q = [&](double angle) {
    return D(2, 2) + mu * (D(0, 2) * std::cos(angle) + D(1, 2) * std::sin(angle));
  };
  const auto value = [&](double angle) { return f.Value(std::cos(angle), std::sin(angle)); };
  double low = std::atan2(stick[1], stick[0]);
  if (!(q(low) > 0.0)) low = std::atan2(D(1, 2), D(0, 2));
  const double start = value(low);
  double step = start > 0.0 ? -kFirstStep : kFirstStep, high = low;
  for (int i = 0; i < 200 && start != 0.0; ++i) {
    high = low + step;
    if (!(q(high) > 0.0)) {
      step *= kShrink;
    } else if (value(high) * start > 0.0) {
      low = high;
      step *= kGrow;
    } else {
      break;
    }
  }
  for (int i = 0; i < 55 && start != 0.0; ++i) {
    const double middle = 0.5 * (low + high);
    (value(middle) * start > 0.0 ? low : high) = middle;
  }
  const double angle = 0.5 * (low + high);
  Vector3d lambda;
  return EvaluateSlide(D, v, mu, std::cos(angle), std::sin(angle), lambda) ? lambda : ProjectCone(stick, mu);
}

}  // namespace

Vector3d SolveSingleContact(const Matrix3d& D, const Matrix3d& D_inverse, const Vector3d& v, double mu,
                            const Vector3d& previous, double last_step) {
  if (v[2] > 0.0) return Vector3d::Zero();
  if (mu == 0.0) return {0.0, 0.0, -v[2] / D(2, 2)};
  const Vector3d stick = -(D_inverse * v);
  // The slack keeps a contact exactly at its friction limit from flickering between the cases.
  if (std::sqrt(stick[0] * stick[0] + stick[1] * stick[1]) <= mu * stick[2] * (1.0 + 1e-14)) return stick;
  if (v[2] == 0.0) return Vector3d::Zero();
  const TrigPolynomial f = MakeSlidingEquation(D, v, mu);
  Vector3d lambda;
  // Sliding directions hardly change from sweep to sweep; and a contact that begins to slide does so about
  // where sticking would have to push.
  if (PolishDirection(f, D, v, mu, previous, last_step, lambda)) return lambda;
  if (PolishDirection(f, D, v, mu, stick, last_step, lambda)) return lambda;
  if (SearchSlidingAngle(f, D, v, mu, lambda)) return lambda;
  // No root: a jam (μ‖d‖ > D_nn). The projected stick impulse keeps the sweep going; the certificate judges
  // the result.
  return ProjectCone(stick, mu);
}

Vector3d SolveContactByEnergy(const Matrix3d& D, const Matrix3d& D_inverse, const Vector3d& v, double mu,
                              double s, EnergySearch search) {
  if (v[2] > 0.0) return Vector3d::Zero();
  if (mu == 0.0) return {0.0, 0.0, std::max(0.0, -v[2] / D(2, 2))};
  const auto is_inside = [&](const Vector3d& x) {
    return std::hypot(x[0], x[1]) <= mu * x[2] * (1.0 + 1e-14);
  };
  if (s > 0.0) {  // the shifted problem's own sticking impulse, if it leaves the contact closed
    const Vector3d shifted = -(D_inverse * Vector3d(v[0], v[1], v[2] + s));
    if (is_inside(shifted) && D.row(2).dot(shifted) + v[2] >= 0.0) return shifted;
  }
  const Vector3d stick = -(D_inverse * v);
  if (is_inside(stick)) return stick;
  if (v[2] == 0.0) return SolveOnRays(D, v, mu);
  const TrigPolynomial f = MakeEnergyEquation(D, v, mu, s);
  if (search == EnergySearch::kBisection) return SlideByBisection(f, D, v, mu, stick);
  double least = std::numeric_limits<double>::infinity();
  Vector3d best;
  FindRoots(f, [&](double angle) {
    Vector3d candidate;
    if (!EvaluateSlide(D, v, mu, std::cos(angle), std::sin(angle), candidate)) return;
    const double energy = CalcEnergy(D, v, candidate) + s * candidate[2];
    if (energy < least) least = energy, best = candidate;
  });
  return std::isfinite(least) ? best : ProjectCone(stick, mu);
}

Vector3d StepContactByCone(const Vector3d& g, double mu, double step, const Vector3d& previous) {
  return ProjectCone(previous - step * g, mu);
}

Vector3d StepContactBySplit(const Matrix3d& D, const Vector3d& g, double mu, double tangential,
                            const Vector3d& previous) {
  const double n = std::max(0.0, previous[2] - g[2] / D(2, 2)), change = n - previous[2];
  Vector3d lambda(previous[0] - (g[0] + D(0, 2) * change) / tangential,
                  previous[1] - (g[1] + D(1, 2) * change) / tangential, n);
  const double t = std::hypot(lambda[0], lambda[1]), limit = mu * n;
  if (t > limit) lambda.head<2>() *= limit / t;
  return lambda;
}

}  // namespace stiction
