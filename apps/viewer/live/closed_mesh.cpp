#include "live/closed_mesh.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stiction::viewer {
namespace {

using CornerPlace = std::array<float, 3>;

struct CornerPlaceHash {
  std::size_t operator()(const CornerPlace& place) const {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(place.data()), sizeof place});
  }
};

// One number for all corners at one place; -0 is 0.
std::vector<std::uint32_t> NumberCorners(const DrawMesh& mesh) {
  std::unordered_map<CornerPlace, std::uint32_t, CornerPlaceHash> known;
  std::vector<std::uint32_t> numbers;
  for (const Eigen::Vector3f& p : mesh.positions) {
    const CornerPlace place{p.x() + 0.0f, p.y() + 0.0f, p.z() + 0.0f};
    numbers.push_back(known.try_emplace(place, static_cast<std::uint32_t>(known.size())).first->second);
  }
  return numbers;
}

}  // namespace

bool IsClosed(const DrawMesh& mesh) {
  const std::vector<std::uint32_t> corners = NumberCorners(mesh);
  std::unordered_map<std::uint64_t, int> edges;  // how often more in one direction than in the other
  double volume = 0.0;
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
    const Eigen::Vector3d a = mesh.positions[i].cast<double>(), b = mesh.positions[i + 1].cast<double>(),
                          c = mesh.positions[i + 2].cast<double>();
    volume += a.dot(b.cross(c));
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t from = corners[i + k], to = corners[i + (k + 1) % 3];
      if (from == to) continue;
      const std::uint64_t low = std::min(from, to), high = std::max(from, to);
      edges[low << 32 | high] += from < to ? 1 : -1;
    }
  }
  if (!(volume > 0.0)) return false;
  for (const auto& [edge, balance] : edges)
    if (balance != 0) return false;
  return true;
}

}  // namespace stiction::viewer
