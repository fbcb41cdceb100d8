// Keyframes of a model that becomes part of another: first placed in the other's world, then, once that is
// built, spread over its vectors.
#pragma once

#include <vector>

#include "stiction/model/model.h"

namespace stiction {

// The keyframe of a model that is placed at X_WM: q and v of the joints that stay, ctrl, mocap.
//   joints  one per joint of the model; negative: left out
//
//   free joint  X_WB = X_WM X_MB,  v_WB = R_WM v_MB,  ω in body axes stays;   mocap  X_WB = X_WM X_MB
Keyframe PlaceKeyframe(const Model& model, const Keyframe& keyframe, const RigidTransform& X_WM,
                       const std::vector<int>& joints);

// A keyframe of `model` whose vectors hold `values` at these joints, actuators and mocap bodies, in this
// order, and the model's defaults elsewhere.
Keyframe SpreadKeyframe(const Model& model, const Keyframe& values, const std::vector<int>& joints,
                        const std::vector<int>& actuators, const std::vector<int>& mocap_bodies);

}  // namespace stiction
