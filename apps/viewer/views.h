// Named views of a scene.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "live/camera.h"
#include "stiction/model/model.h"

namespace stiction::viewer {

// "corner", "front", ..., then the model's own cameras; one without a name is "camera<index>".
std::vector<std::string> ListViews(const Model& model);

// Index of the model's camera of that name, -1 if it has none.
int FindModelCamera(const Model& model, const std::string& name);

// A view by name (empty: the first), or three numbers "azimuth,elevation,distance" [deg, deg, m], framing the
// bounds. A model's camera is where its body is. Throws UsageError.
Camera MakeView(const Model& model, const std::vector<RigidTransform>& X_WB, const std::string& name,
                const std::pair<Vector3d, Vector3d>& bounds);

}  // namespace stiction::viewer
