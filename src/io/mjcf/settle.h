// Numbers that a file gives back as it got them.
//
// The reader makes a rotation matrix of a quaternion, and a unit vector of an axis. What the writer makes of
// these again may differ in the last bit, so that a model that is written, read and written would not give
// the same text. Here the writer goes the reader's way, round after round, until nothing changes any more
// (math/settle.h). A rotation is then within 1e-14 of what it was.
#pragma once

#include <array>

#include "stiction/math/rigid_transform.h"

namespace stiction::mjcf {

using Wxyz = std::array<double, 4>;

// The quaternion of a rotation, read as ReadPose does: normalised, then a matrix. {1, 0, 0, 0} for none.
Wxyz SettleRotation(const Matrix3d& R);
// The matrix that is read from it.
Matrix3d RotationAsRead(const Wxyz& wxyz);
// A quaternion that the reader normalises.
Wxyz SettleQuaternion(const double* wxyz);
// An axis that the builder normalises.
Vector3d SettleAxis(const Vector3d& axis);
// The moments along axes as read from a quaternion, of an inertia whose principal axes these are.
Vector3d SettleMoments(const Wxyz& axes, const Matrix3d& I);
// An angle in degrees that is read as this one in radians, as near as there is one.
double SettleDegrees(double radians);
// d with d + b = a, as near as there is one.
double SettleDifference(double a, double b);
// The position p_BF of a frame F on B, rotated by R_BF, that puts F's point p_FG at p_BG when it is read.
Vector3d SettleOrigin(const Matrix3d& R_BF, const Vector3d& p_FG, const Vector3d& p_BG);

// A pose as it stands in a file.
struct WrittenPose {
  Vector3d p = Vector3d::Zero();
  Wxyz wxyz{1.0, 0.0, 0.0, 0.0};

  WrittenPose() = default;
  explicit WrittenPose(const RigidTransform& X) : p(X.p), wxyz(SettleRotation(X.R)) {}
  bool operator==(const WrittenPose& other) const { return p == other.p && wxyz == other.wxyz; }
  bool is_turned() const { return wxyz != Wxyz{1.0, 0.0, 0.0, 0.0}; }
  bool is_identity() const { return p.isZero(0.0) && !is_turned(); }
};

}  // namespace stiction::mjcf
