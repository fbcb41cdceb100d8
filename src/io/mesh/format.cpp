#include "io/mesh/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace stiction::mesh_format {
namespace {

struct BitHash {
  size_t operator()(const std::array<double, 3>& p) const {
    size_t h = 0;
    for (const double x : p) h = (h ^ std::hash<double>()(x)) * 0x9E3779B97F4A7C15u, h ^= h >> 29;
    return h;
  }
};

TriangleMesh HullOf(const std::vector<Vector3d>& points) {
  try {
    const ConvexHull hull = MakeConvexHull(points);
    TriangleMesh mesh{.vertices = hull.vertices, .triangles = {}};
    for (const ConvexHull::Face& face : hull.faces) {
      const auto corners = hull.VerticesOf(face);
      for (size_t i = 2; i < corners.size(); ++i)
        mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
    }
    return mesh;
  } catch (const std::invalid_argument& error) {
    throw MeshError("holds points without faces, and " + std::string(error.what()));
  }
}

}  // namespace

TriangleMesh JoinVertices(const TriangleMesh& mesh) {
  if (mesh.triangles.empty() && mesh.vertices.size() >= 4) return JoinVertices(HullOf(mesh.vertices));
  TriangleMesh joined;
  std::unordered_map<std::array<double, 3>, int, BitHash> index_of;
  index_of.reserve(mesh.vertices.size());
  joined.triangles.reserve(mesh.triangles.size());
  constexpr int kUnknown = -1;
  std::size_t num_seen = 0;
  std::vector<int> first_of(mesh.vertices.size(), kUnknown);  // the joined vertex of each
  for (std::array<int, 3> triangle : mesh.triangles) {
    for (int& corner : triangle) {
      int& first = first_of[corner];
      if (first == kUnknown) {
        const Vector3d& p = mesh.vertices[corner];
        const auto [entry, is_new] =
            index_of.emplace(std::array{p.x(), p.y(), p.z()}, static_cast<int>(joined.vertices.size()));
        if (is_new) joined.vertices.push_back(p);
        first = entry->second;
      }
      corner = first;
    }
    const auto [a, b, c] = triangle;
    const std::size_t t = num_seen++;
    if (a == b || b == c || c == a) continue;
    joined.triangles.push_back(triangle);
    if (!mesh.texture_corners.empty()) joined.texture_corners.push_back(mesh.texture_corners[t]);
    if (!mesh.material_of.empty()) joined.material_of.push_back(mesh.material_of[t]);
  }
  joined.materials = mesh.materials;
  if (joined.triangles.empty()) throw MeshError("holds no triangles; export a surface, not points or lines");
  return joined;
}

double ParseCoordinate(std::string_view token, int line) {
  std::string_view digits = token;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0.0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc::invalid_argument || stop != end) FailAt(line, Quote(token) + " is not a number");
  if (error == std::errc::result_out_of_range) {
    const bool is_tiny = digits.find("e-") != digits.npos || digits.find("E-") != digits.npos;
    value = is_tiny ? 0.0 : std::numeric_limits<double>::infinity();
  }
  if (!std::isfinite(value)) FailAt(line, Quote(token) + " is not a finite number");
  return value;
}

std::string_view NextToken(std::string_view& text) {
  constexpr std::string_view kBlanks = " \t\r\f\v";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view token = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(token.size());
  return token;
}

void FailAt(int line, const std::string& message) {
  throw MeshError("line " + std::to_string(line) + ": " + message);
}

std::string Quote(std::string_view token) {
  std::string quoted = "\"";
  for (const char c : token.substr(0, 40)) quoted += c >= ' ' && c <= '~' ? c : '?';
  return quoted + (token.size() > 40 ? "...\"" : "\"");
}

std::string PackMesh(const TriangleMesh& mesh) {
  std::string bytes;
  bytes.reserve(24 * mesh.vertices.size() + 12 * mesh.triangles.size());
  for (const Vector3d& p : mesh.vertices) bytes.append(reinterpret_cast<const char*>(p.data()), 24);
  for (const auto& t : mesh.triangles) bytes.append(reinterpret_cast<const char*>(t.data()), 12);
  return bytes;
}

}  // namespace stiction::mesh_format
