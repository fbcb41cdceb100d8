#include "geometry/field_leaf_mass.h"

#include <numbers>

namespace stiction {

using std::numbers::pi;

MassProperties ToMassProperties(const VolumeMoments& moments) {
  MassProperties solid;
  solid.mass = moments.volume;
  solid.p_BBcm = moments.first / moments.volume;
  const Matrix3d about_center = moments.second - moments.first * solid.p_BBcm.transpose();
  solid.I_BBcm_B = about_center.trace() * Matrix3d::Identity() - about_center;
  return solid;
}

// I_zz = m (R² + 3/4 r²), I_xx = m (R²/2 + 5/8 r²).
MassProperties CalcTorusMassProperties(const TorusField& torus) {
  const double R2 = torus.major_radius * torus.major_radius, r2 = torus.minor_radius * torus.minor_radius;
  MassProperties solid;
  solid.mass = 2.0 * pi * pi * torus.major_radius * r2;
  const double xx = 0.5 * R2 + 0.625 * r2;
  solid.I_BBcm_B = (solid.mass * Vector3d(xx, xx, R2 + 0.75 * r2)).asDiagonal();
  return solid;
}

// Of apothem a: area 2√3 a², mean of x² and of y² 5/18 a².
MassProperties CalcHexagonMassProperties(const HexagonField& hexagon) {
  const double a2 = hexagon.apothem * hexagon.apothem, h = hexagon.half_length;
  MassProperties solid;
  solid.mass = 2.0 * std::numbers::sqrt3 * a2 * 2.0 * h;
  const double across = 5.0 / 18.0 * a2, xx = across + h * h / 3.0;
  solid.I_BBcm_B = (solid.mass * Vector3d(xx, xx, 2.0 * across)).asDiagonal();
  return solid;
}

}  // namespace stiction
