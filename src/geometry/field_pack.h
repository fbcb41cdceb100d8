// A distance field at a few points at once, at a fraction of the time a point. Private to the library.
#pragma once

#include "math/pack.h"
#include "stiction/geometry/distance_field.h"

namespace stiction {

struct VectorPack {
  Pack x, y, z;
  Vector3d operator[](int k) const { return {x[k], y[k], z[k]}; }
};

inline VectorPack FillPack(const Vector3d& p) {
  return {FillPack(p.x()), FillPack(p.y()), FillPack(p.z())};
}

struct FieldSamplePack {
  Pack value;  // φ [m]
  VectorPack gradient;
  FieldSample operator[](int k) const { return {value[k], gradient[k]}; }
};

// As DistanceField::Evaluate for each of them, to 1e-13 of its place [m]. Does not allocate.
FieldSamplePack EvaluatePack(const DistanceField& field, const VectorPack& p);

inline VectorPack Shift(const VectorPack& p, const Vector3d& origin) {
  return {p.x - origin.x(), p.y - origin.y(), p.z - origin.z()};
}
// R v.
inline VectorPack Rotate(const Matrix3d& R, const VectorPack& v) {
  return {R(0, 0) * v.x + R(0, 1) * v.y + R(0, 2) * v.z, R(1, 0) * v.x + R(1, 1) * v.y + R(1, 2) * v.z,
          R(2, 0) * v.x + R(2, 1) * v.y + R(2, 2) * v.z};
}

}  // namespace stiction
