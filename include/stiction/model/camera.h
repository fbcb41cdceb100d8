// A place on a body to look from, of no effect on the simulation.
#pragma once

#include <array>
#include <numbers>
#include <string>
#include <vector>

#include "stiction/math/rigid_transform.h"

namespace stiction {

// Looks along -z of its own frame C, in which x points to the right of the picture and y up (MJCF's
// convention). The view is that of a pinhole, as wide as the picture's shape makes it:
//
//   X_WC = CalcCameraPose(model, kinematics.X_WB, camera)
//
// which is X_WB[camera.body] * camera.X_BC of a camera that is fixed to its body. The others stand so where
// the file has the bodies, and then
//
//   kTrack      keeps its place beside the body's origin and its direction, both as seen from the world
//   kTrackCom   the same beside the mass centre of the body and all below it
//   kTarget     moves with its body, and looks at the target's origin with the world's z upwards
//   kTargetCom  the same at the mass centre of the target and all below it
//
// Not the viewer's own camera (viewer::Camera), which may stand at one of these. Lights go along in the same
// ways, and shine along their own -z (model/light.h).
enum class CameraMode { kFixed, kTrack, kTrackCom, kTarget, kTargetCom };

struct ModelCamera {
  std::string name{};  // unique; may be empty
  int body = 0;
  RigidTransform X_BC{};
  double field_of_view = std::numbers::pi / 4.0;  // vertical angle, from edge to edge, in (0, π) [rad]
  CameraMode mode = CameraMode::kFixed;
  int target = -1;                      // body that kTarget and kTargetCom look at
  std::array<int, 2> resolution{1, 1};  // of the picture, for sensors alone [pixels along x, y]
  // Focal lengths along x and y, in widths and heights of the picture, of which ModelBuilder makes the field
  // of view. Zero: as the field of view and square pixels have them.
  Vector2d focal = Vector2d::Zero();

  // Filled by ModelBuilder, of those that track: where they stand, and the point that they keep beside, while
  // the bodies are where the file has them.
  RigidTransform X_WC_file{};
  Vector3d p_W_file = Vector3d::Zero();
};

// Whether it is one of those that look at a body.
bool HasTarget(CameraMode mode);

class Model;

// Where the camera stands while the bodies stand at X_WB. Of a target at its own place, as if it were fixed.
// Does not allocate.
RigidTransform CalcCameraPose(const Model& model, const std::vector<RigidTransform>& X_WB,
                              const ModelCamera& camera);

// The pixel, counted from the left upper corner to the right and down, at which a point stands in the
// picture:
//
//   u = w/2 + f_x x/(−z),   v = h/2 − f_y y/(−z)      (x, y, z) = p_C,   f_y = h/2 / tan(field_of_view/2)
//
// with f_x = f_y where pixels are square, and f_x = w focal[0], f_y = h focal[1] else. Also of what is behind
// the camera. In its plane, where there is none, the depth −z counts as no less than 1e-15 m.
//   p_C  in axes of the camera [m]
Vector2d CalcPixel(const ModelCamera& camera, const Vector3d& p_C);

}  // namespace stiction
