// A place on a body to look from, of no effect on the simulation.
#pragma once

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
  int target = -1;  // body that kTarget and kTargetCom look at
};

// Whether it is one of those that look at a body.
bool HasTarget(CameraMode mode);

class Model;

// Where the camera stands while the bodies stand at X_WB. Of a target at its own place, as if it were fixed.
RigidTransform CalcCameraPose(const Model& model, const std::vector<RigidTransform>& X_WB,
                              const ModelCamera& camera);

}  // namespace stiction
