// Hinge (revolute) joint: rotation about an axis through an anchor, both fixed in the body. q [rad], v
// [rad/s].
#pragma once

namespace stiction {

struct HingeJoint {
  static constexpr int kNq = 1;
  static constexpr int kNv = 1;
  static constexpr const char* kName = "hinge";

  static void Integrate(const double* v, double dt, double* q) { q[0] += dt * v[0]; }
};

}  // namespace stiction
