#include "model/fluid_ellipsoid.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

// As MuJoCo has them: of a capsule its whole half length, of a box its half extents. Shapes of other kinds
// have none: zero.
struct SemiAxes {
  Vector3d operator()(const Sphere& s) const { return Vector3d::Constant(s.radius); }
  Vector3d operator()(const Capsule& s) const { return {s.radius, s.radius, s.half_length + s.radius}; }
  Vector3d operator()(const Ellipsoid& s) const { return s.radii; }
  Vector3d operator()(const Cylinder& s) const { return {s.radius, s.radius, s.half_length}; }
  Vector3d operator()(const Box& s) const { return s.half_extents; }
  Vector3d operator()(const Plane&) const { return Vector3d::Zero(); }
  Vector3d operator()(const Hull&) const { return Vector3d::Zero(); }
  Vector3d operator()(const Mesh&) const { return Vector3d::Zero(); }
  Vector3d operator()(const Field&) const { return Vector3d::Zero(); }
};

// Per unit of the fluid's density [Tuckerman 1925, as in MuJoCo's documentation, "Fluid forces"].
//   κ_i = ∫₀^∞ r_i r_j r_k / √((r_i²+λ)³ (r_j²+λ) (r_k²+λ)) dλ
//   m_i = V κ_i / (2 − κ_i)
//   I_i = V/5 d² (κ_k − κ_j) / (2 d + s (κ_j − κ_k)),   d = r_j² − r_k²,  s = r_j² + r_k²
void FillVirtualInertia(FluidEllipsoid& fluid) {
  const Vector3d& r = fluid.radii;
  const Vector3d squares = r.cwiseProduct(r);
  const double volume = 4.0 / 3.0 * std::numbers::pi * r.prod();
  Vector3d kappa;
  for (int i = 0; i < 3; ++i)
    kappa[i] = 2.0 / 3.0 * r.prod() * CarlsonRd(squares[(i + 1) % 3], squares[(i + 2) % 3], squares[i]);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    fluid.virtual_mass[i] = volume * kappa[i] / (2.0 - kappa[i]);
    const double d = squares[j] - squares[k], s = squares[j] + squares[k];
    const double below = 2.0 * d + s * (kappa[j] - kappa[k]);
    // Of revolution about i: the fluid is not moved. Near to that both go to 0, I_i with d².
    const bool is_round = std::abs(d) <= 1e-9 * s || below == 0.0;
    fluid.virtual_moment[i] = is_round ? 0.0 : 0.2 * volume * d * d * (kappa[k] - kappa[j]) / below;
  }
}

}  // namespace

double CarlsonRd(double x, double y, double z) {
  constexpr double kTolerance = 1e-3;  // the series' error is of its sixth power
  double sum = 0.0, power = 1.0;
  for (int i = 0; i < 100; ++i) {
    const double mean = (x + y + 3.0 * z) / 5.0;
    const double X = 1.0 - x / mean, Y = 1.0 - y / mean, Z = 1.0 - z / mean;
    if (std::max({std::abs(X), std::abs(Y), std::abs(Z)}) < kTolerance) {
      const double ea = X * Y, eb = Z * Z, ec = ea - eb, ed = ea - 6.0 * eb, ee = ed + ec + ec;
      const double series = 1.0 + ed * (-3.0 / 14.0 + 9.0 / 88.0 * ed - 4.5 / 26.0 * Z * ee) +
                            Z * (ee / 6.0 + Z * (-9.0 / 22.0 * ec + Z * 3.0 / 26.0 * ea));
      return 3.0 * sum + power * series / (mean * std::sqrt(mean));
    }
    const double root_z = std::sqrt(z);
    const double shift = std::sqrt(x) * (std::sqrt(y) + root_z) + std::sqrt(y) * root_z;
    sum += power / (root_z * (z + shift));
    power *= 0.25;
    x = 0.25 * (x + shift), y = 0.25 * (y + shift), z = 0.25 * (z + shift);
  }
  return 3.0 * sum;
}

void FillFluidEllipsoids(Model& model) {
  for (Geom& geom : model.geoms) {
    if (!geom.fluid) continue;
    geom.fluid->radii = std::visit(SemiAxes{}, geom.shape);
    if (geom.fluid->radii.isZero(0.0)) {
      geom.fluid.reset();
      continue;
    }
    FillVirtualInertia(*geom.fluid);
    model.bodies[geom.body].drags_by_geoms = true;
  }
}

}  // namespace stiction
