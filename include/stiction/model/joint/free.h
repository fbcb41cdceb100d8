// Free joint: six degrees of freedom, only on a body whose parent is the world.
//   q = p_WB (3), quaternion of R_WB (w,x,y,z);  v = velocity of the body origin in world axes (3),
//   angular velocity in body axes (3).
#pragma once

#include "stiction/math/rigid_transform.h"
#include "stiction/math/rotation.h"

namespace stiction {

struct FreeJoint {
  static constexpr int kNq = 7;
  static constexpr int kNv = 6;
  static constexpr const char* kName = "free";

  // Pose of the body, from q.
  static RigidTransform CalcPose(const double* q) {
    return {QuaternionFromWxyz(q + 3).normalized().toRotationMatrix(), Vector3d(q[0], q[1], q[2])};
  }
  // q <- q ⊕ dt v. The quaternion is normalised.
  static void Integrate(const double* v, double dt, double* q) {
    for (int i = 0; i < 3; ++i) q[i] += dt * v[i];
    const Quaterniond quat = QuaternionFromWxyz(q + 3) * QuaternionExp(dt * Vector3d(v[3], v[4], v[5]));
    QuaternionToWxyz(quat.normalized(), q + 3);
  }
};

}  // namespace stiction
