// Rigid-body spatial inertia in the ten-parameter form, and spatial cross products. Vectors are (angular,
// linear) and (moment, force).
#pragma once

#include "stiction/math/rotation.h"
#include "stiction/math/types.h"

namespace stiction {

struct SpatialInertia {
  double mass = 0.0;                          // [kg]
  Vector3d first_moment = Vector3d::Zero();   // mass times centre of mass, from the reference point [kg·m]
  Matrix3d second_moment = Matrix3d::Zero();  // rotational inertia about the reference point [kg·m²]

  // From the centre of mass p (relative to the reference point) and the inertia about it, in the same axes.
  static SpatialInertia FromCentral(double mass, const Vector3d& p, const Matrix3d& I_cm) {
    return {mass, mass * p, I_cm + mass * (p.squaredNorm() * Matrix3d::Identity() - p * p.transpose())};
  }
  SpatialInertia& operator+=(const SpatialInertia& other) {
    mass += other.mass;
    first_moment += other.first_moment;
    second_moment += other.second_moment;
    return *this;
  }
  // Momentum of the body moving with V, both at the reference point.
  Vector6d operator*(const Vector6d& V) const {
    const Vector3d w = V.head<3>(), v = V.tail<3>();
    Vector6d h;
    h.head<3>() = second_moment * w + first_moment.cross(v);
    h.tail<3>() = mass * v - first_moment.cross(w);
    return h;
  }
  // The same operator as a 6 x 6 matrix.
  Matrix6d ToMatrix() const {
    Matrix6d M;
    const Matrix3d C = Skew(first_moment);
    M << second_moment, C, -C, mass * Matrix3d::Identity();
    return M;
  }
};

// V × S for motion vectors: the rate of change of S carried along with V.
inline Vector6d CrossMotion(const Vector6d& V, const Vector6d& S) {
  Vector6d out;
  out.head<3>() = V.head<3>().cross(S.head<3>());
  out.tail<3>() = V.head<3>().cross(S.tail<3>()) + V.tail<3>().cross(S.head<3>());
  return out;
}

// V ×* F for force vectors.
inline Vector6d CrossForce(const Vector6d& V, const Vector6d& F) {
  Vector6d out;
  out.head<3>() = V.head<3>().cross(F.head<3>()) + V.tail<3>().cross(F.tail<3>());
  out.tail<3>() = V.head<3>().cross(F.tail<3>());
  return out;
}

}  // namespace stiction
