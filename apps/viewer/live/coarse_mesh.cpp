#include "live/coarse_mesh.h"

#include <array>
#include <cmath>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stiction::viewer {
namespace {

constexpr float kPictureCells = 64.0f;  // each way

// All corners in a cell are at one place, so that clusters leave no cracks.
struct Place {
  Eigen::Vector3f sum = Eigen::Vector3f::Zero();
  int count = 0;
};
struct Cluster {
  int place = 0;
  Eigen::Vector3f normal = Eigen::Vector3f::Zero();  // sum
  Eigen::Vector2f corner = Eigen::Vector2f::Zero();  // sum
  int count = 0;
};

// Where the corner is in the grid, along which axis its normal points, and where it is in the picture.
using Key = std::array<int, 6>;

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(key.data()), sizeof key});
  }
};

Key FindKey(const DrawMesh& mesh, std::size_t i, float cell) {
  const auto floor = [](float x) { return static_cast<int>(std::floor(x)); };
  const Eigen::Vector3f &p = mesh.positions[i], &n = mesh.normals[i];
  int axis = 0;
  n.cwiseAbs().maxCoeff(&axis);
  Key key{floor(p.x() / cell), floor(p.y() / cell), floor(p.z() / cell), 2 * axis + (n[axis] < 0.0f)};
  if (!mesh.texture_points.empty()) {
    const Eigen::Vector2f& corner = mesh.texture_points[i];
    key[4] = floor(kPictureCells * corner.x()), key[5] = floor(kPictureCells * corner.y());
  }
  return key;
}

}  // namespace

DrawMesh CoarsenMesh(const DrawMesh& mesh, float cell) {
  std::unordered_map<Key, int, KeyHash> known, places;
  std::vector<Cluster> clusters;
  std::vector<Place> centers;
  std::vector<int> cluster_of(mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const Key key = FindKey(mesh, i, cell);
    const auto [entry, is_new] = known.try_emplace(key, static_cast<int>(clusters.size()));
    if (is_new) {
      const Key place_key{key[0], key[1], key[2]};
      const auto [place, is_first] = places.try_emplace(place_key, static_cast<int>(centers.size()));
      if (is_first) centers.emplace_back();
      clusters.emplace_back().place = place->second;
    }
    cluster_of[i] = entry->second;
    Cluster& cluster = clusters[static_cast<std::size_t>(entry->second)];
    cluster.normal += mesh.normals[i];
    if (!mesh.texture_points.empty()) cluster.corner += mesh.texture_points[i];
    ++cluster.count;
    Place& place = centers[static_cast<std::size_t>(cluster.place)];
    place.sum += mesh.positions[i];
    ++place.count;
  }
  for (Cluster& cluster : clusters) {
    cluster.normal.normalize();
    cluster.corner /= static_cast<float>(cluster.count);
  }
  DrawMesh coarse;
  for (std::size_t i = 0; i + 2 < mesh.positions.size(); i += 3) {
    const auto at = [&](std::size_t k) -> const Cluster& {
      return clusters[static_cast<std::size_t>(cluster_of[i + k])];
    };
    const int a = at(0).place, b = at(1).place, c = at(2).place;
    if (a == b || b == c || c == a) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const Place& place = centers[static_cast<std::size_t>(at(k).place)];
      coarse.positions.push_back(place.sum / static_cast<float>(place.count));
      coarse.normals.push_back(at(k).normal);
      if (!mesh.texture_points.empty()) coarse.texture_points.push_back(at(k).corner);
    }
  }
  return coarse;
}

}  // namespace stiction::viewer
