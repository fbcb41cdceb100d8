// Slide (prismatic) joint: translation along an axis fixed in the body. q [m], v [m/s].
#pragma once

namespace stiction {

struct SlideJoint {
  static constexpr int kNq = 1;
  static constexpr int kNv = 1;
  static constexpr const char* kName = "slide";

  static void Integrate(const double* v, double dt, double* q) { q[0] += dt * v[0]; }
};

}  // namespace stiction
