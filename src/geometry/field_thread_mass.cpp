#include <cmath>
#include <numbers>

#include "geometry/field_leaf_mass.h"
#include "geometry/quadrature.h"

namespace stiction {
namespace {

using std::numbers::pi;

// Moments of a section at z = 0 of a solid bounded by ρ < r(u), u = z - P θ / 2π, r even and of period P.
struct ScrewSection {
  double area;   // A = k ∫ r² du, with k = 2π/P and u over [0, P/2]
  double first;  // m1 = 2k/3 ∫ r³ cos ku du
  double mean;   // J = k/4 ∫ r⁴ du
  double skew;   // m2 = k/4 ∫ r⁴ cos 2ku du
};

template <typename Radius>
ScrewSection IntegrateSection(const Radius& radius, const ThreadProfile& profile, double pitch) {
  const double k = 2.0 * pi / pitch;
  const auto integrand = [&](double u) {
    const double r = radius(u), r2 = r * r;
    return Eigen::Vector4d(k * r2, 2.0 / 3.0 * k * r2 * r * std::cos(k * u), 0.25 * k * r2 * r2,
                           0.25 * k * r2 * r2 * std::cos(2.0 * k * u));
  };
  const double R = profile[0].x(), R2 = R * R;
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  for (int i = 0; i < 3; ++i) {
    sum += Integrate<4>(integrand, profile[i].y(), profile[i + 1].y(),
                        1e-13 * Eigen::Vector4d(R2, R2 * R, R2 * R2, R2 * R2));
  }
  return {sum[0], sum[1], sum[2], sum[3]};
}

// The section at height z is that at z = 0 turned by k z: its first moment is m1 (cos kz, sin kz), its second
// moments are J ± m2 cos 2kz and m2 sin 2kz. Integrated over |z| <= h.
VolumeMoments Extrude(const ScrewSection& section, double pitch, double h) {
  const double k = 2.0 * pi / pitch, m1 = section.first;
  VolumeMoments moments;
  moments.volume = 2.0 * h * section.area;
  moments.first.x() = 2.0 * m1 * std::sin(k * h) / k;
  const double uneven = section.skew * std::sin(2.0 * k * h) / k;
  moments.second(0, 0) = 2.0 * h * section.mean + uneven;
  moments.second(1, 1) = 2.0 * h * section.mean - uneven;
  moments.second(2, 2) = 2.0 / 3.0 * h * h * h * section.area;
  moments.second(1, 2) = moments.second(2, 1) = 2.0 * m1 * (std::sin(k * h) / k - h * std::cos(k * h)) / k;
  return moments;
}

// Where the enlarged thread ends in the axial section at u, by bisection to round-off.
double FindBoreRadius(const NutField& nut, double u) {
  double low = nut.thread.profile[3].x(), high = nut.thread.profile[0].x() + 2.0 * nut.clearance;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (nut.thread.Evaluate({middle, 0.0, u}).value < nut.clearance ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

VolumeMoments CalcVolumeMoments(const ThreadField& thread) {
  const auto radius = [&](double u) {
    for (int i = 0; i < 3; ++i) {
      const Vector2d &a = thread.profile[i], &b = thread.profile[i + 1];
      if (u <= b.y()) return a.x() + (u - a.y()) / (b.y() - a.y()) * (b.x() - a.x());
    }
    return thread.profile[3].x();
  };
  return Extrude(IntegrateSection(radius, thread.profile, thread.pitch), thread.pitch, thread.half_length);
}

VolumeMoments CalcVolumeMoments(const NutField& nut) {
  const auto radius = [&](double u) { return FindBoreRadius(nut, u); };
  const VolumeMoments bore = Extrude(IntegrateSection(radius, nut.thread.profile, nut.thread.pitch),
                                     nut.thread.pitch, nut.body.half_length);
  const MassProperties body = CalcHexagonMassProperties(nut.body);
  const Matrix3d& I = body.I_BBcm_B;
  const Matrix3d second = 0.5 * I.trace() * Matrix3d::Identity() - I;
  return {body.mass - bore.volume, -bore.first, second - bore.second};
}

}  // namespace stiction
