// Ball joint: three rotations about an anchor fixed in the body.
//   q = quaternion (w,x,y,z) of the body relative to its parent-fixed frame;  v = angular velocity relative
//   to the parent, in body axes (3).
#pragma once

#include "stiction/math/rigid_transform.h"
#include "stiction/math/rotation.h"

namespace stiction {

struct BallJoint {
  static constexpr int kNq = 4;
  static constexpr int kNv = 3;
  static constexpr const char* kName = "ball";

  static void Integrate(const double* v, double dt, double* q) {
    const Quaterniond quat = QuaternionFromWxyz(q) * QuaternionExp(dt * Vector3d(v[0], v[1], v[2]));
    QuaternionToWxyz(quat.normalized(), q);
  }
};

}  // namespace stiction
