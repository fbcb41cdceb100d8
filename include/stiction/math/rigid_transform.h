// A pose X_AB: the rotation R_AB and the position p_AB of frame B in frame A.
#pragma once

#include "stiction/math/types.h"

namespace stiction {

// Products are written out, in the order of Eigen's own sums (two rows at once, the third from its end): of
// its expressions every file that includes this would make the templates anew.
struct RigidTransform {
  Matrix3d R = Matrix3d::Identity();  // R_AB
  Vector3d p = Vector3d::Zero();      // p_AB [m]

  // X_AC = X_AB * X_BC.
  RigidTransform operator*(const RigidTransform& X_BC) const {
    RigidTransform X_AC{{}, *this * X_BC.p};
    for (int k = 0; k < 9; k += 3) Multiply(X_BC.R.data() + k, X_AC.R.data() + k);
    return X_AC;
  }
  // p_AQ = X_AB * p_BQ.
  Vector3d operator*(const Vector3d& p_BQ) const {
    double x[3];
    Multiply(p_BQ.data(), x);
    return {x[0] + p.data()[0], x[1] + p.data()[1], x[2] + p.data()[2]};
  }
  // X_BA.
  RigidTransform Inverse() const {
    const double *r = R.data(), *x = p.data();
    RigidTransform X_BA{{}, {}};
    for (int i = 0; i < 9; ++i) X_BA.R.data()[i] = r[i % 3 * 3 + i / 3];
    for (int i = 0; i < 3; ++i)
      X_BA.p.data()[i] = -(r[3 * i] * x[0] + r[3 * i + 1] * x[1] + r[3 * i + 2] * x[2]);
    return X_BA;
  }

 private:
  // R x.
  void Multiply(const double* x, double* out) const {
    const double* r = R.data();
    out[0] = r[0] * x[0] + r[3] * x[1] + r[6] * x[2];
    out[1] = r[1] * x[0] + r[4] * x[1] + r[7] * x[2];
    out[2] = r[2] * x[0] + (r[5] * x[1] + r[8] * x[2]);
  }
};

}  // namespace stiction
