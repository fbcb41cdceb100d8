#include "collision/patch/pressure_field.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/assert.h"
#include "stiction/geometry/convex_hull.h"

namespace stiction::patch {
namespace {

constexpr double kFlat = 1e-12;  // volume over the product of three edges, below which a cell has none

struct FieldSampler {
  double modulus;
  const Vector3d& x;

  PressureSample operator()(const Sphere& s) const { return FromPoint(x, s.radius); }
  PressureSample operator()(const Ellipsoid& s) const {
    const Vector3d y = x.cwiseQuotient(s.radii);
    const double size = y.norm();
    const Vector3d slope = size > 0.0 ? Vector3d(y.cwiseQuotient(s.radii) / size) : Vector3d::Zero();
    return {modulus * (1.0 - size), -modulus * slope};
  }
  PressureSample operator()(const Capsule& s) const {
    const double z = std::clamp(x.z(), -s.half_length, s.half_length);
    return FromPoint(x - Vector3d(0.0, 0.0, z), s.radius);
  }
  PressureSample operator()(const Cylinder& s) const {
    const double below_side = s.radius - x.head<2>().norm(), below_end = s.half_length - std::abs(x.z());
    if (below_side < below_end) return BelowSide(s);
    const double slope = modulus / std::min(s.radius, s.half_length);
    return {slope * below_end, {0.0, 0.0, x.z() < 0.0 ? slope : -slope}};
  }
  PressureSample BelowSide(const Cylinder& s) const {
    const double slope = modulus / std::min(s.radius, s.half_length), r = x.head<2>().norm();
    const Vector2d out = r > 0.0 ? Vector2d(x.head<2>() / r) : Vector2d::Zero();
    return {slope * (s.radius - r), {-slope * out.x(), -slope * out.y(), 0.0}};
  }
  template <typename Other>
  PressureSample operator()(const Other&) const {
    STICTION_ASSERT(false);  // not round
    return {};
  }

  PressureSample FromPoint(const Vector3d& away, double radius) const {
    const double size = away.norm();
    const Vector3d out = size > 0.0 ? Vector3d(away / size) : Vector3d::Zero();
    return {modulus * (1.0 - size / radius), -modulus / radius * out};
  }
};

void AddCell(const std::array<Vector3d, 4>& vertex, const std::array<double, 4>& pressure,
             std::vector<PressureCell>& cells) {
  PressureCell cell;
  if (SetCell(vertex, pressure, cell)) cells.push_back(cell);
}

// The six truncated pyramids between the faces of a box and its middle, which is a point, a segment or a
// rectangle, each in six tetrahedra along a diagonal. Those that the middle leaves without volume go.
void AddBoxCells(const Box& box, double modulus, std::vector<PressureCell>& cells) {
  const Vector3d outer = box.half_extents, inner = outer.array() - outer.minCoeff();
  constexpr int kPaths[6][2] = {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};
  for (int face = 0; face < 6; ++face) {
    const int k = face / 2, u = (k + 1) % 3, v = (k + 2) % 3;
    const double side = face % 2 == 0 ? 1.0 : -1.0;
    // Corner (a, b, c): along u, along v, from the face to the middle.
    const auto corner = [&](const std::array<int, 3>& at) {
      const Vector3d& extents = at[2] == 0 ? outer : inner;
      Vector3d x;
      x[k] = side * extents[k];
      x[u] = at[0] == 0 ? -extents[u] : extents[u];
      x[v] = at[1] == 0 ? -extents[v] : extents[v];
      return x;
    };
    for (const auto& path : kPaths) {
      std::array<int, 3> at{0, 0, 0};
      std::array<Vector3d, 4> vertex;
      std::array<double, 4> pressure;
      for (int step = 0; step < 4; ++step) {
        if (step == 1) at[path[0]] = 1;
        if (step == 2) at[path[1]] = 1;
        if (step == 3) at = {1, 1, 1};
        vertex[step] = corner(at);
        pressure[step] = at[2] == 0 ? 0.0 : modulus;
      }
      AddCell(vertex, pressure, cells);
    }
  }
}

// Between the triangles of the faces and the centre of volume, at which the frame stands.
void AddHullCells(const ConvexHull& hull, double modulus, std::vector<PressureCell>& cells) {
  for (const ConvexHull::Face& face : hull.faces) {
    const auto around = hull.VerticesOf(face);
    for (std::size_t i = 1; i + 1 < around.size(); ++i) {
      AddCell({hull.vertices[around[0]], hull.vertices[around[i]], hull.vertices[around[i + 1]],
               Vector3d::Zero()},
              {0.0, 0.0, 0.0, modulus}, cells);
    }
  }
}

}  // namespace

bool SetCell(const std::array<Vector3d, 4>& vertex, const std::array<double, 4>& pressure,
             PressureCell& cell) {
  const Vector3d e1 = vertex[1] - vertex[0], e2 = vertex[2] - vertex[0], e3 = vertex[3] - vertex[0];
  const Vector3d across1 = e2.cross(e3), across2 = e3.cross(e1), across3 = e1.cross(e2);
  const double volume = e1.dot(across1);
  if (!(std::abs(volume) > kFlat * e1.norm() * e2.norm() * e3.norm())) return false;
  cell.vertex = vertex;
  cell.pressure = pressure;
  // Inward normals of the faces opposite to the vertices: the gradients of the four linear weights.
  const Vector3d weight[3] = {across1 / volume, across2 / volume, across3 / volume};
  cell.inside[0].n = -(weight[0] + weight[1] + weight[2]);
  cell.inside[0].offset = cell.inside[0].n.dot(vertex[1]);
  cell.gradient = pressure[0] * cell.inside[0].n;
  for (int k = 0; k < 3; ++k) {
    cell.inside[k + 1].n = weight[k];
    cell.inside[k + 1].offset = weight[k].dot(vertex[0]);
    cell.gradient += pressure[k + 1] * weight[k];
  }
  cell.num_faces = 4;
  cell.at_origin = pressure[0] - cell.gradient.dot(vertex[0]);
  cell.box = {vertex[0], vertex[0]};
  for (int k = 1; k < 4; ++k) {
    cell.box.lower = cell.box.lower.cwiseMin(vertex[k]);
    cell.box.upper = cell.box.upper.cwiseMax(vertex[k]);
  }
  return true;
}

void MoveCell(const RigidTransform& X_FG, PressureCell& cell) {
  for (Vector3d& vertex : cell.vertex) vertex = X_FG * vertex;
  for (int k = 0; k < cell.num_faces; ++k) {
    HalfSpace& face = cell.inside[k];
    face.n = X_FG.R * face.n;
    face.offset += face.n.dot(X_FG.p);
  }
  cell.gradient = X_FG.R * cell.gradient;
  cell.at_origin -= cell.gradient.dot(X_FG.p);
  const Vector3d middle = X_FG * Vector3d(0.5 * (cell.box.lower + cell.box.upper));
  const Vector3d half = X_FG.R.cwiseAbs() * (0.5 * (cell.box.upper - cell.box.lower));
  cell.box = {middle - half, middle + half};
}

bool IsRound(const Shape& shape) {
  return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Capsule>(shape) ||
         std::holds_alternative<Ellipsoid>(shape) || std::holds_alternative<Cylinder>(shape);
}

PressureSample SampleField(const Shape& shape, double modulus, const Vector3d& x_G) {
  return std::visit(FieldSampler{modulus, x_G}, shape);
}

PressureSample SampleSide(const Shape& shape, double modulus, const Vector3d& x_G) {
  if (const Cylinder* cylinder = std::get_if<Cylinder>(&shape))
    return FieldSampler{modulus, x_G}.BelowSide(*cylinder);
  return SampleField(shape, modulus, x_G);
}

CellTree MakeCellTree(const Shape& shape, double modulus) {
  CellTree out;
  if (const Box* box = std::get_if<Box>(&shape)) AddBoxCells(*box, modulus, out.cells);
  if (const Hull* hull = std::get_if<Hull>(&shape)) AddHullCells(*hull->polytope, modulus, out.cells);
  std::vector<AlignedBox> boxes;
  for (const PressureCell& cell : out.cells) boxes.push_back(cell.box);
  if (!boxes.empty()) out.tree.Build(boxes);
  return out;
}

}  // namespace stiction::patch
