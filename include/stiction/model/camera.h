// A place on a body to look from, of no effect on the simulation.
#pragma once

#include <numbers>
#include <string>

#include "stiction/math/rigid_transform.h"

namespace stiction {

// Looks along -z of its own frame C, in which x points to the right of the picture and y up (MJCF's
// convention). The view is that of a pinhole, as wide as the picture's shape makes it:
//
//   X_WC = kinematics.X_WB[camera.body] * camera.X_BC
//
// Not the viewer's own camera (viewer::Camera), which may stand at one of these.
struct ModelCamera {
  std::string name{};  // unique; may be empty
  int body = 0;
  RigidTransform X_BC{};
  double field_of_view = std::numbers::pi / 4.0;  // vertical angle, from edge to edge, in (0, π) [rad]
};

}  // namespace stiction
