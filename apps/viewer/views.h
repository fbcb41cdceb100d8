// Named views of a scene.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "camera.h"
#include "stiction/model/model.h"

namespace stiction::viewer {

std::vector<std::string> ListViews(const Model& model);

// A view by name (empty: the first), or three numbers "azimuth,elevation,distance" [deg, deg, m], framing the
// bounds. Throws UsageError.
Camera MakeView(const Model& model, const std::string& name, const std::pair<Vector3d, Vector3d>& bounds);

}  // namespace stiction::viewer
