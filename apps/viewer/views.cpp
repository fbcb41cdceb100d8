#include "views.h"

#include <algorithm>

#include "command.h"

namespace stiction::viewer {
namespace {

struct View {
  const char* name;
  double azimuth, elevation;  // [rad]
};
constexpr View kViews[] = {{"corner", 0.9, 0.38}, {"front", 0.0, 0.12},       {"left", M_PI / 2, 0.12},
                           {"back", M_PI, 0.12},  {"right", -M_PI / 2, 0.12}, {"top", -M_PI / 2, 1.55}};

std::string NameOf(const Model& model, std::size_t i) {
  const std::string& name = model.cameras[i].name;
  return name.empty() ? "camera" + std::to_string(i) : name;
}

}  // namespace

std::vector<std::string> ListViews(const Model& model) {
  std::vector<std::string> names;
  for (const View& view : kViews) names.emplace_back(view.name);
  for (std::size_t i = 0; i < model.cameras.size(); ++i) names.push_back(NameOf(model, i));
  return names;
}

int FindModelCamera(const Model& model, const std::string& name) {
  for (std::size_t i = 0; i < model.cameras.size(); ++i)
    if (NameOf(model, i) == name) return static_cast<int>(i);
  return -1;
}

Camera MakeView(const Model& model, const std::vector<RigidTransform>& X_WB, const std::string& name,
                const std::pair<Vector3d, Vector3d>& bounds) {
  Camera camera;
  camera.Frame(bounds.first, bounds.second);
  if (const int i = FindModelCamera(model, name); i >= 0) {
    const ModelCamera& place = model.cameras[static_cast<std::size_t>(i)];
    const RigidTransform X_WC = X_WB[static_cast<std::size_t>(place.body)] * place.X_BC;
    camera.Place(X_WC, place.field_of_view, std::max((X_WC.p - camera.target).norm(), 0.1));
    return camera;
  }
  for (const View& view : kViews) {
    if (view.name != (name.empty() ? kViews[0].name : name)) continue;
    camera.azimuth = view.azimuth, camera.elevation = view.elevation;
    return camera;
  }
  if (name.find(',') == std::string::npos) {
    std::string known;
    for (const std::string& view : ListViews(model)) known += view + ", ";
    throw runner::UsageError("--camera: there is no view '" + name + "'; known: " + known +
                             "or azimuth,elevation,distance in degrees and metres");
  }
  const VectorXd numbers = runner::ParseNumbers("--camera", name, 3);
  if (!(numbers[2] > 0.0)) throw runner::UsageError("--camera: the distance must be positive");
  camera.azimuth = numbers[0] * M_PI / 180.0;
  camera.elevation = std::clamp(numbers[1] * M_PI / 180.0, -1.55, 1.55);
  camera.distance = numbers[2];
  return camera;
}

}  // namespace stiction::viewer
