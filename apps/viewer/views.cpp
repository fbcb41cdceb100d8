#include "views.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "command.h"

namespace stiction::viewer {
namespace {

struct View {
  const char* name;
  double azimuth, elevation;  // [rad]
};
constexpr View kViews[] = {{"corner", 0.9, 0.38}, {"front", 0.0, 0.12},       {"left", M_PI / 2, 0.12},
                           {"back", M_PI, 0.12},  {"right", -M_PI / 2, 0.12}, {"top", -M_PI / 2, 1.55}};

constexpr std::string_view kPrefix = "view:";

// `wanted`, or with underscores behind it the first name that is not taken yet.
std::string Claim(std::string wanted, std::set<std::string>& taken) {
  while (!taken.insert(wanted).second) wanted += '_';
  return wanted;
}

// Names that the file gives come first: what is made up gives way to them.
std::vector<std::string> ListCameras(const Model& model, std::set<std::string>& taken) {
  std::vector<std::string> names;
  for (const ModelCamera& camera : model.cameras)
    names.push_back(camera.name.empty() ? "" : Claim(camera.name, taken));
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty()) names[i] = Claim("camera" + std::to_string(i), taken);
  return names;
}

}  // namespace

std::vector<std::string> ListViews(const Model& model) {
  std::set<std::string> taken;
  const std::vector<std::string> cameras = ListCameras(model, taken);
  std::vector<std::string> names;
  for (const View& view : kViews) {
    const bool is_free = !taken.contains(view.name);
    names.push_back(Claim(is_free ? view.name : std::string(kPrefix) + view.name, taken));
  }
  names.insert(names.end(), cameras.begin(), cameras.end());
  return names;
}

int FindModelCamera(const Model& model, const std::string& name) {
  const std::vector<std::string> names = ListViews(model);
  const auto found = std::find(names.begin() + std::size(kViews), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin()) - int{std::size(kViews)};
}

Camera MakeView(const Model& model, const std::vector<RigidTransform>& X_WB, const std::string& name,
                const std::pair<Vector3d, Vector3d>& bounds) {
  Camera camera;
  camera.Frame(bounds.first, bounds.second);
  if (const int i = FindModelCamera(model, name); i >= 0) {
    const ModelCamera& place = model.cameras[static_cast<std::size_t>(i)];
    const RigidTransform X_WC = CalcCameraPose(model, X_WB, place);
    camera.Place(X_WC, place.field_of_view, std::max((X_WC.p - camera.target).norm(), 0.1));
    return camera;
  }
  const std::vector<std::string> listed = ListViews(model);
  for (std::size_t i = 0; i < std::size(kViews); ++i) {
    const bool is_first = name.empty() && i == 0;
    if (!is_first && name != listed[i] && name != std::string(kPrefix) + kViews[i].name) continue;
    camera.azimuth = kViews[i].azimuth, camera.elevation = kViews[i].elevation;
    return camera;
  }
  if (name.find(',') == std::string::npos) {
    std::string known;
    for (const std::string& view : listed) known += view + ", ";
    throw runner::UsageError("--camera: there is no view '" + name + "'; known: " + known +
                             "or azimuth,elevation,distance[,x,y,z] in degrees and metres");
  }
  const bool has_target = std::count(name.begin(), name.end(), ',') > 2;
  const VectorXd numbers = runner::ParseNumbers("--camera", name, has_target ? 6 : 3);
  if (!(numbers[2] > 0.0)) throw runner::UsageError("--camera: the distance must be positive");
  camera.azimuth = numbers[0] * M_PI / 180.0;
  camera.elevation = std::clamp(numbers[1] * M_PI / 180.0, -1.55, 1.55);
  camera.distance = numbers[2];
  if (has_target) camera.target = numbers.tail<3>();
  return camera;
}

}  // namespace stiction::viewer
