// Named views of a scene.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "live/camera.h"
#include "stiction/model/model.h"

namespace stiction::viewer {

// "file" where an MJCF file says from where it wants to be looked at (<global azimuth elevation fovy>,
// <statistic center extent>), "corner", "front", ..., then the model's own cameras, every name once. A camera
// without a name is "camera<index>"; where it has the name of a view, the name is the camera's, and the view
// is "view:front".
std::vector<std::string> ListViews(const Model& model);

// Index of the model's camera that is listed under that name, -1 if there is none.
int FindModelCamera(const Model& model, const std::string& name);

// A view by its name in the list (empty: the first; "view:front" is there without being listed, too), or
// three numbers "azimuth,elevation,distance" [deg, deg, m] about the middle of the bounds, or six with the
// point that it looks at, "...,x,y,z" [m]. A model's camera is where its body is. Throws UsageError.
Camera MakeView(const Model& model, const std::vector<RigidTransform>& X_WB, const std::string& name,
                const std::pair<Vector3d, Vector3d>& bounds);

}  // namespace stiction::viewer
