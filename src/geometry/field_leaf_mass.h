// Volume integrals of solids, and those of the leaves of a distance field. Private to the library.
#pragma once

#include "geometry/field_leaves.h"
#include "stiction/geometry/mass_properties.h"

namespace stiction {

// ∫ 1, ∫ x and ∫ x xᵀ over a solid: additive, and linear in what extrapolation combines.
struct VolumeMoments {
  double volume = 0.0;                 // [m³]
  Vector3d first = Vector3d::Zero();   // [m⁴]
  Matrix3d second = Matrix3d::Zero();  // [m⁵]
};

// At unit density.
MassProperties ToMassProperties(const VolumeMoments& moments);

VolumeMoments CalcVolumeMoments(const ThreadField& thread);  // of finite length
VolumeMoments CalcVolumeMoments(const NutField& nut);
VolumeMoments CalcVolumeMoments(const RevolvedField& revolved);

MassProperties CalcTorusMassProperties(const TorusField& torus);
MassProperties CalcHexagonMassProperties(const HexagonField& hexagon);

}  // namespace stiction
