#include "stiction/contact/local_contact.h"

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
  const double dx = D(0, 2), dy = D(1, 2), vn = v[2];
  TrigPolynomial f;
  f.a0 = 0.5 * mu * (dx * v[1] - dy * v[0]);
  f.a1 = D(2, 2) * v[1] - vn * dy;
  f.b1 = -D(2, 2) * v[0] + vn * dx;
  f.a2 = 0.5 * mu * (dx * v[1] + dy * v[0]) - vn * mu * D(0, 1);
  f.b2 = 0.5 * mu * (dy * v[1] - dx * v[0]) - 0.5 * vn * mu * (D(1, 1) - D(0, 0));
  return f;
}

// The impulse at a root, and whether it satisfies the law there: q > 0 and friction opposed to sliding.
bool EvaluateRoot(const Matrix3d& D, const Vector3d& v, double mu, double c, double s, Vector3d& lambda) {
  const double q = D(2, 2) + mu * (D(0, 2) * c + D(1, 2) * s);
  if (!(q > 0.0)) return false;
  const double n = -v[2] / q;
  lambda = {mu * n * c, mu * n * s, n};
  const double ux = D.row(0).dot(lambda) + v[0], uy = D.row(1).dot(lambda) + v[1];
  return ux * c + uy * s <= 1e-12 * std::sqrt(ux * ux + uy * uy);
}

// Newton from the previous direction: sliding directions hardly change from sweep to sweep. Returns false
// unless it converges to a valid root at once.
bool PolishPrevious(const TrigPolynomial& f, const Matrix3d& D, const Vector3d& v, double mu,
                    const Vector3d& previous, Vector3d& lambda) {
  const double t = std::sqrt(previous[0] * previous[0] + previous[1] * previous[1]);
  if (!(t > 0.0)) return false;
  double c = previous[0] / t, s = previous[1] / t;
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
    if (std::abs(step) < 1e-14) break;
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

// All valid roots; of several the one of least energy ½ λᵀDλ + λᵀv.
bool SearchSlidingAngle(const TrigPolynomial& f, const Matrix3d& D, const Vector3d& v, double mu,
                        Vector3d& lambda) {
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](double low, double high, double f_low) {
    const double angle = RefineRoot(f, low, high, f_low);
    Vector3d candidate;
    if (!EvaluateRoot(D, v, mu, std::cos(angle), std::sin(angle), candidate)) return;
    const double energy = candidate.dot(0.5 * (D * candidate) + v);
    if (energy < least) least = energy, lambda = candidate;
  };
  double before = f.Value(kAngles.c[0], kAngles.s[0]), dip = 0.0;
  for (int k = 1; k <= kGrid; ++k) {
    const double value = f.Value(kAngles.c[k], kAngles.s[k]);
    if (before * value <= 0.0) {
      consider(kAngles.angle[k - 1], kAngles.angle[k], before);
    } else if (FindDip(f, k - 1, dip)) {
      consider(kAngles.angle[k - 1], dip, before);
      consider(dip, kAngles.angle[k], -before);
    }
    before = value;
  }
  return std::isfinite(least);
}

}  // namespace

Vector3d SolveSingleContact(const Matrix3d& D, const Matrix3d& D_inverse, const Vector3d& v, double mu,
                            const Vector3d& previous) {
  if (v[2] > 0.0) return Vector3d::Zero();
  if (mu == 0.0) return {0.0, 0.0, -v[2] / D(2, 2)};
  const Vector3d stick = -(D_inverse * v);
  // The slack keeps a contact exactly at its friction limit from flickering between the cases.
  if (std::sqrt(stick[0] * stick[0] + stick[1] * stick[1]) <= mu * stick[2] * (1.0 + 1e-14)) return stick;
  if (v[2] == 0.0) return Vector3d::Zero();
  const TrigPolynomial f = MakeSlidingEquation(D, v, mu);
  Vector3d lambda;
  if (PolishPrevious(f, D, v, mu, previous, lambda)) return lambda;
  if (SearchSlidingAngle(f, D, v, mu, lambda)) return lambda;
  // No root: a jam (μ‖d‖ > D_nn). The projected stick impulse keeps the sweep going; the certificate judges
  // the result.
  return ProjectCone(stick, mu);
}

}  // namespace stiction
