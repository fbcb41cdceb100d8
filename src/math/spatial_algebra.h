// Spatial inertias at work, and spatial cross products. Vectors are (angular, linear) and (moment, force).
// Apart from the public spatial_inertia.h, whose users need not pay for the templates in here.
#pragma once

#include "stiction/math/rotation.h"
#include "stiction/math/spatial_inertia.h"

namespace stiction {

// From the centre of mass p (relative to the reference point) and the inertia about it, in the same axes.
inline SpatialInertia MakeSpatialInertia(double mass, const Vector3d& p, const Matrix3d& I_cm) {
  return {mass, mass * p, I_cm + mass * (p.squaredNorm() * Matrix3d::Identity() - p * p.transpose())};
}

inline SpatialInertia& operator+=(SpatialInertia& M, const SpatialInertia& other) {
  M.mass += other.mass;
  M.first_moment += other.first_moment;
  M.second_moment += other.second_moment;
  return M;
}

// Momentum of the body moving with V, both at the reference point.
inline Vector6d operator*(const SpatialInertia& M, const Vector6d& V) {
  const Vector3d w = V.head<3>(), v = V.tail<3>();
  Vector6d h;
  h.head<3>() = M.second_moment * w + M.first_moment.cross(v);
  h.tail<3>() = M.mass * v - M.first_moment.cross(w);
  return h;
}

// Kinetic energy of the body moving with V [J]: half of V · M V = w · J w + m v · v + 2 v · (w × h), h the
// first moment. Term by term: the momentum, written number by number and read in pairs, would cost a stall.
inline double CalcKineticEnergy(const SpatialInertia& M, const Vector6d& V) {
  const Vector3d w = V.head<3>(), v = V.tail<3>();
  const Matrix3d& J = M.second_moment;
  const double turning = w[0] * (J(0, 0) * w[0] + 2.0 * (J(1, 0) * w[1] + J(2, 0) * w[2])) +
                         w[1] * (J(1, 1) * w[1] + 2.0 * J(2, 1) * w[2]) + J(2, 2) * w[2] * w[2];
  return 0.5 * (turning + M.mass * v.squaredNorm()) + v.dot(w.cross(M.first_moment));
}

// The same operator as a 6 x 6 matrix.
inline Matrix6d ToMatrix(const SpatialInertia& inertia) {
  Matrix6d M;
  const Matrix3d C = Skew(inertia.first_moment);
  M << inertia.second_moment, C, -C, inertia.mass * Matrix3d::Identity();
  return M;
}

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
