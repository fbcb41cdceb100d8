#include "io/mjcf/builtin_mesh.h"

#include <cmath>
#include <map>
#include <numbers>

namespace stiction::mjcf {
namespace {

constexpr double kPi = std::numbers::pi;

// The numbers of `params`, each with its name and range.
class Parameters {
 public:
  Parameters(xml::Element& element, std::size_t count)
      : element_(element), numbers_(element.ReadList("params")) {
    if (numbers_.size() != count)
      element.Fail("params", "this mesh needs " + std::to_string(count) + " numbers, got " +
                                 std::to_string(numbers_.size()));
  }
  double Number(std::size_t i, const char* name, double lowest, double highest) const {
    if (numbers_[i] >= lowest && numbers_[i] <= highest) return numbers_[i];
    element_.Fail("params", std::string(name) + " must lie between " + Short(lowest) + " and " +
                                Short(highest) + ", got " + Short(numbers_[i]));
  }
  int Count(std::size_t i, const char* name, int lowest, int highest) const {
    const double number = Number(i, name, lowest, highest);
    if (number != std::floor(number)) element_.Fail("params", std::string(name) + " must be a whole number");
    return static_cast<int>(number);
  }

 private:
  static std::string Short(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", number);
    return text;
  }
  xml::Element& element_;
  std::vector<double> numbers_;
};

constexpr int kMaxResolution = 1000;

// cos and sin with an exponent that keeps their sign.
double PowerOf(double x, double exponent) {
  return std::copysign(std::pow(std::abs(x), exponent), x);
}

TriangleMesh MakeIcosahedron() {
  const double t = 0.5 * (1.0 + std::sqrt(5.0));
  TriangleMesh mesh;
  mesh.vertices = {{-1, t, 0},  {1, t, 0},  {-1, -t, 0}, {1, -t, 0}, {0, -1, t},  {0, 1, t},
                   {0, -1, -t}, {0, 1, -t}, {t, 0, -1},  {t, 0, 1},  {-t, 0, -1}, {-t, 0, 1}};
  mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  for (Vector3d& p : mesh.vertices) p.normalize();
  return mesh;
}

TriangleMesh MakeSphere(int subdivision) {
  TriangleMesh mesh = MakeIcosahedron();
  for (int i = 0; i < subdivision; ++i) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [found, is_new] =
          middles.try_emplace(std::minmax(a, b), static_cast<int>(mesh.vertices.size()));
      if (is_new) mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]).normalized());
      return found->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    mesh.triangles = std::move(finer);
  }
  return mesh;
}

// Rings of vertices, each closed, joined by triangles; with one vertex less each at both ends than a pole
// has.
//   pole_top, pole_bottom  where the fans at the ends meet
TriangleMesh JoinRings(const std::vector<std::vector<Vector3d>>& rings, const Vector3d& pole_bottom,
                       const Vector3d& pole_top) {
  TriangleMesh mesh;
  const int n = static_cast<int>(rings.front().size()), count = static_cast<int>(rings.size());
  for (const auto& ring : rings) mesh.vertices.insert(mesh.vertices.end(), ring.begin(), ring.end());
  const int bottom = static_cast<int>(mesh.vertices.size()), top = bottom + 1;
  mesh.vertices.push_back(pole_bottom);
  mesh.vertices.push_back(pole_top);
  for (int j = 0; j < n; ++j) {
    const int k = (j + 1) % n, last = (count - 1) * n;
    mesh.triangles.push_back({bottom, k, j});
    mesh.triangles.push_back({top, last + j, last + k});
    for (int i = 0; i + 1 < count; ++i) {
      const int a = i * n + j, b = i * n + k, c = a + n, d = b + n;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({b, d, c});
    }
  }
  return mesh;
}

std::vector<Vector3d> MakeRing(int count, double radius, double z, double exponent = 1.0) {
  std::vector<Vector3d> ring;
  for (int j = 0; j < count; ++j) {
    const double angle = 2.0 * kPi * j / count;
    ring.emplace_back(radius * PowerOf(std::cos(angle), exponent),
                      radius * PowerOf(std::sin(angle), exponent), z);
  }
  return ring;
}

// The upper half of an octahedron on the unit sphere, its faces in n² triangles, and a fan below. Ring i from
// the pole has i points in each quadrant k.
TriangleMesh MakeHemisphere(int resolution) {
  const int n = resolution + 1;
  const Eigen::Vector2d corners[5] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
  const auto at = [](int i, int k, int j) {
    return i == 0 ? 0 : 1 + 2 * i * (i - 1) + (i * k + j) % (4 * i);
  };
  TriangleMesh mesh;
  mesh.vertices.push_back(Vector3d::UnitZ());
  for (int i = 1; i <= n; ++i) {
    for (int k = 0; k < 4; ++k) {
      for (int j = 0; j < i; ++j) {
        const Eigen::Vector2d p = (i - j) * corners[k] + j * corners[k + 1];
        mesh.vertices.push_back(Vector3d(p.x(), p.y(), n - i).normalized());
      }
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 4; ++k) {
      for (int j = 0; j <= i; ++j) {
        mesh.triangles.push_back({at(i, k, j), at(i + 1, k, j), at(i + 1, k, j + 1)});
        if (j < i) mesh.triangles.push_back({at(i, k, j), at(i + 1, k, j + 1), at(i, k, j + 1)});
      }
    }
  }
  const int centre = static_cast<int>(mesh.vertices.size());
  mesh.vertices.push_back(Vector3d::Zero());
  for (int j = 0; j < 4 * n; ++j) mesh.triangles.push_back({centre, at(n, 0, j + 1), at(n, 0, j)});
  return mesh;
}

TriangleMesh MakeCone(int count, double radius) {
  std::vector<std::vector<Vector3d>> rings{MakeRing(count, 1.0, -1.0)};
  if (radius > 0.0) rings.push_back(MakeRing(count, radius, 1.0));
  return JoinRings(rings, -Vector3d::UnitZ(), Vector3d::UnitZ());
}

TriangleMesh MakeSupersphere(int resolution, double around, double along) {
  std::vector<std::vector<Vector3d>> rings;
  for (int i = 1; i < resolution; ++i) {
    const double latitude = kPi * (static_cast<double>(i) / resolution - 0.5);
    rings.push_back(
        MakeRing(resolution, PowerOf(std::cos(latitude), along), PowerOf(std::sin(latitude), along), around));
  }
  return JoinRings(rings, -Vector3d::UnitZ(), Vector3d::UnitZ());
}

TriangleMesh MakeSupertorus(int resolution, double radius, double minor, double major) {
  TriangleMesh mesh;
  const int n = resolution;
  for (int i = 0; i < n; ++i) {
    const double u = 2.0 * kPi * i / n;
    for (int j = 0; j < n; ++j) {
      const double v = 2.0 * kPi * j / n;
      const double out = 1.0 + radius * PowerOf(std::cos(v), minor);
      mesh.vertices.emplace_back(out * PowerOf(std::cos(u), major), out * PowerOf(std::sin(u), major),
                                 radius * PowerOf(std::sin(v), minor));
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int a = i * n + j, b = i * n + (j + 1) % n;
      const int c = (i + 1) % n * n + j, d = (i + 1) % n * n + (j + 1) % n;
      mesh.triangles.push_back({a, c, b});
      mesh.triangles.push_back({b, c, d});
    }
  }
  return mesh;
}

// The middles of n cells of [-1, 1]; foveal, with gamma up to 1: the cells shrink towards the middle.
std::vector<double> MakeCells(int n, double gamma = 0.0) {
  const auto edge = [&](int i) {
    const double x = 2.0 * i / n - 1.0;
    return (1.0 - gamma) * x + gamma * std::pow(x, 5);
  };
  std::vector<double> cells;
  for (int i = 0; i < n; ++i) cells.push_back(0.5 * (edge(i) + edge(i + 1)));
  return cells;
}

TriangleMesh MakePlate(int columns, int rows) {
  TriangleMesh mesh;
  for (const double x : MakeCells(columns)) {
    for (const double y : MakeCells(rows)) mesh.vertices.emplace_back(x, y, 0.0);
  }
  for (int i = 0; i + 1 < columns; ++i) {
    for (int j = 0; j + 1 < rows; ++j) {
      const int a = i * rows + j, c = a + rows;
      mesh.triangles.push_back({a, c, a + 1});
      mesh.triangles.push_back({a + 1, c, c + 1});
    }
  }
  return mesh;
}

// Points alone, which count as their hull.
TriangleMesh MakeWedge(xml::Element& element) {
  const Parameters p(element, 5);
  const int around = p.Count(0, "res_phi", 1, kMaxResolution),
            up = p.Count(1, "res_theta", 1, kMaxResolution);
  const double phi = p.Number(2, "fov_phi", 1e-9, 180.0) * kPi / 180.0;
  const double theta = p.Number(3, "fov_theta", 1e-9, 90.0) * kPi / 180.0;
  const double gamma = p.Number(4, "gamma", 0.0, 1.0);
  TriangleMesh mesh;
  for (const double x : MakeCells(around, gamma)) {
    for (const double y : MakeCells(up, gamma)) {
      const double a = phi * x, b = theta * y;
      mesh.vertices.emplace_back(std::cos(b) * std::sin(a), std::sin(b), -std::cos(b) * std::cos(a));
    }
  }
  return mesh;
}

}  // namespace

TriangleMesh MakeBuiltinMesh(xml::Element& element) {
  std::string kind;
  element.ReadWord("builtin", {"sphere", "hemisphere", "cone", "supersphere", "supertorus", "wedge", "plate"},
                   kind);
  if (kind == "sphere") return MakeSphere(Parameters(element, 1).Count(0, "subdivision", 0, 4));
  if (kind == "hemisphere") return MakeHemisphere(Parameters(element, 1).Count(0, "resolution", 0, 10));
  if (kind == "cone") {
    const Parameters p(element, 2);
    return MakeCone(p.Count(0, "nvert", 3, kMaxResolution), p.Number(1, "radius", 0.0, 1.0));
  }
  if (kind == "supersphere") {
    const Parameters p(element, 3);
    return MakeSupersphere(p.Count(0, "resolution", 3, kMaxResolution), p.Number(1, "e", 0.0, 100.0),
                           p.Number(2, "n", 0.0, 100.0));
  }
  if (kind == "supertorus") {
    const Parameters p(element, 4);
    return MakeSupertorus(p.Count(0, "resolution", 3, kMaxResolution), p.Number(1, "radius", 1e-9, 1.0),
                          p.Number(2, "s", 1e-9, 100.0), p.Number(3, "t", 1e-9, 100.0));
  }
  if (kind == "wedge") return MakeWedge(element);
  const Parameters p(element, 2);
  return MakePlate(p.Count(0, "res_x", 2, kMaxResolution), p.Count(1, "res_y", 2, kMaxResolution));
}

}  // namespace stiction::mjcf
