#include "views.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "command.h"
#include "stiction/geometry/shape.h"

namespace stiction::viewer {
namespace {

struct View {
  const char* name;
  double azimuth, elevation;  // [rad]
};
constexpr View kViews[] = {{"corner", 0.9, 0.38}, {"front", 0.0, 0.12},       {"left", M_PI / 2, 0.12},
                           {"back", M_PI, 0.12},  {"right", -M_PI / 2, 0.12}, {"top", -M_PI / 2, 1.55}};

constexpr std::string_view kPrefix = "view:";
constexpr const char* kFileView = "file";

bool HasFileView(const Model& model) {
  const Surroundings& around = model.surroundings;
  return around.azimuth || around.elevation || around.field_of_view || around.extent || around.center;
}

// As MuJoCo stands at first: 1.5 extents from the centre, 45 degrees high. What the file leaves open is that
// of `corner`, which shows all of the scene.
Camera MakeFileView(const Surroundings& around, Camera corner) {
  constexpr double kUsualAngle = M_PI / 4.0, kDistance = 1.5;
  Camera camera = corner;
  camera.field_of_view = around.field_of_view.value_or(kUsualAngle);
  camera.distance *= std::sin(0.5 * corner.field_of_view) / std::sin(0.5 * camera.field_of_view);
  if (around.extent) camera.distance = kDistance * *around.extent;
  if (around.center) camera.target = *around.center;
  if (around.azimuth) camera.azimuth = std::remainder(*around.azimuth + M_PI, 2.0 * M_PI);
  if (around.elevation)
    camera.elevation = std::clamp(-*around.elevation, -Camera::kSteepest, Camera::kSteepest);
  return camera;
}

// Where walls are in front of what moves, as a kitchen's are, the corner on the other side of them; else
// `corner`'s own. Walls stand still and reach above the middle of what moves; those of a box, which are all
// around it, hide it from everywhere.
double ChooseCorner(const Model& model, const std::vector<RigidTransform>& X_WB) {
  constexpr double kOneSided = 0.3;  // how far the walls' directions agree; 1: one wall
  const auto is_still = [&](const Geom& geom) {
    return model.bodies[static_cast<std::size_t>(geom.body)].tree < 0;
  };
  const auto pose = [&](const Geom& geom) { return X_WB[static_cast<std::size_t>(geom.body)] * geom.X_BG; };
  Vector3d middle = Vector3d::Zero();
  double count = 0.0;
  for (const Geom& geom : model.geoms) {
    if (is_still(geom)) continue;
    middle += pose(geom).p;
    ++count;
  }
  if (count > 0.0) middle /= count;
  Vector3d towards = Vector3d::Zero();  // the walls: unit vectors times how large they are seen from aside
  double area = 0.0;
  for (const Geom& geom : model.geoms) {
    if (!is_still(geom) || std::holds_alternative<Plane>(geom.shape)) continue;
    const RigidTransform X_WG = pose(geom);
    const Vector3d half = CalcBoundingHalfExtents(geom.shape, X_WG.R);
    if (X_WG.p.z() + half.z() < middle.z()) continue;
    Vector3d direction = X_WG.p - middle;
    direction.z() = 0.0;
    const double seen = half.z() * (half.x() + half.y());
    towards += seen * direction.normalized();
    area += seen;
  }
  const double usual = kViews[0].azimuth;
  const auto faces = [&](double azimuth) {
    return -towards.x() * std::cos(azimuth) - towards.y() * std::sin(azimuth);
  };
  if (!(count > 0.0) || !(towards.norm() > kOneSided * area) || faces(usual) >= 0.0) return usual;
  double best = usual;
  for (int quarter = 1; quarter < 4; ++quarter) {
    const double azimuth = usual - 0.5 * M_PI * quarter;
    if (faces(azimuth) > faces(best)) best = azimuth;
  }
  return best;
}

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
  const auto add = [&](const char* name) {
    const bool is_free = !taken.contains(name);
    names.push_back(Claim(is_free ? name : std::string(kPrefix) + name, taken));
  };
  if (HasFileView(model)) add(kFileView);
  for (const View& view : kViews) add(view.name);
  names.insert(names.end(), cameras.begin(), cameras.end());
  return names;
}

int FindModelCamera(const Model& model, const std::string& name) {
  const std::vector<std::string> names = ListViews(model);
  const auto first = names.end() - static_cast<std::ptrdiff_t>(model.cameras.size());
  const auto found = std::find(first, names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - first);
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
  const auto is_named = [&](std::size_t place, const char* view) {
    return (name.empty() && place == 0) || name == listed[place] || name == std::string(kPrefix) + view;
  };
  const std::size_t first = HasFileView(model) ? 1 : 0;
  if (first == 1 && is_named(0, kFileView)) return MakeFileView(model.surroundings, camera);
  for (std::size_t i = 0; i < std::size(kViews); ++i) {
    if (!is_named(first + i, kViews[i].name)) continue;
    camera.azimuth = i == 0 ? ChooseCorner(model, X_WB) : kViews[i].azimuth;
    camera.elevation = kViews[i].elevation;
    return camera;
  }
  if (name.find(',') == std::string::npos) {
    std::string known;
    for (const std::string& view : listed) known += view + ", ";
    throw runner::UsageError("--camera: there is no view '" + name + "'; known: " + known +
                             "or azimuth,elevation,distance[,x,y,z] in degrees and metres");
  }
  const auto num_commas = std::count(name.begin(), name.end(), ',');
  if (num_commas != 2 && num_commas != 5)
    throw runner::UsageError("--camera: " + std::to_string(num_commas + 1) +
                             " values; azimuth,elevation,distance[,x,y,z] are 3 or 6");
  const bool has_target = num_commas > 2;
  const VectorXd numbers = runner::ParseNumbers("--camera", name, has_target ? 6 : 3);
  if (!(numbers[2] > 0.0)) throw runner::UsageError("--camera: the distance must be positive");
  camera.azimuth = numbers[0] * M_PI / 180.0;
  camera.elevation = std::clamp(numbers[1] * M_PI / 180.0, -Camera::kSteepest, Camera::kSteepest);
  camera.distance = numbers[2];
  if (has_target) camera.target = numbers.tail<3>();
  return camera;
}

}  // namespace stiction::viewer
