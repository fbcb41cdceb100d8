#include "collision/patch/patch_finder.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/assert.h"
#include "math/constants.h"
#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/distance.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/geometry/mesh_surface.h"

namespace stiction::patch {
namespace {

// A polygon that faces away from the pressure by more than this is the far side of what is thin [Drake].
const double kFacingAway = std::cos(0.625 * kPi);
// Of the gradient, that counts as slope at least: pressure on a side that hardly meets more of it by
// approaching is a force without stiffness, and no row can be that.
constexpr double kLeastSlope = 0.1;
const double kSameSheet = std::cos(kPi / 6.0);
// Less than this between two sheets is rounding: a polygon midway, as of a round bar between two jaws, stays
// with the first, and does not change from step to step.
constexpr double kSameShare = 1e-6;
constexpr std::size_t kMaxSheets = 8;
constexpr double kLeastView = 0.3;    // of a polygon that c sees, else too much of it is on the side
constexpr double kLeastShare = 1e-9;  // of the patch's force, below which a bin is empty

// along > share ‖v‖, without the root: this is asked at every point of the quadrature.
bool IsMoreThan(double along, double share, const Vector3d& v) {
  return along > 0.0 && along * along > share * share * v.squaredNorm();
}

const Mesh* FindTriangles(const Shape& shape) {
  if (const Field* field = std::get_if<Field>(&shape)) return &field->solid->surface;
  return std::get_if<Mesh>(&shape);
}

// The triangle of a cell's surface; false for cells that have none: they do not have three vertices without
// pressure.
bool FindSurface(const PressureCell& cell, ConvexPolygon& polygon, Vector3d& n) {
  int inner = -1, num_inner = 0;
  polygon.size = 0;
  for (int k = 0; k < 4; ++k) {
    if (cell.pressure[k] > 0.0) {
      inner = k;
      ++num_inner;
    } else {
      polygon.Add(cell.vertex[k]);
    }
  }
  if (num_inner != 1) return false;
  n = -cell.inside[inner].n.normalized();
  if (cell.num_faces > 4) polygon.Clip(cell.inside[4]);
  return polygon.size > 0;
}

// Where a plane, value · ≥ 0 on one side, cuts a tetrahedron: a triangle or a quadrilateral.
ConvexPolygon CutTetrahedron(const std::array<Vector3d, 4>& vertex, const std::array<double, 4>& value) {
  std::array<int, 4> above, below;
  int num_above = 0, num_below = 0;
  for (int k = 0; k < 4; ++k) (value[k] >= 0.0 ? above[num_above++] : below[num_below++]) = k;
  ConvexPolygon out;
  const auto cross = [&](int i, int j) {
    const double share = value[i] / (value[i] - value[j]);
    out.Add(vertex[i] + share * (vertex[j] - vertex[i]));
  };
  if (num_above == 0 || num_below == 0) return out;
  if (num_above == 2) {
    cross(above[0], below[0]);
    cross(above[0], below[1]);
    cross(above[1], below[1]);
    cross(above[1], below[0]);
    return out;
  }
  for (int i = 0; i < num_above; ++i)
    for (int j = 0; j < num_below; ++j) cross(above[i], below[j]);
  return out;
}

// Columns t1, t2, n. Unlike MakeAxesAbout's, they do not jump where n is along an axis of the world, as on
// level ground or between upright jaws: there rounding would turn the grid by a quarter, and set the impulses
// and slips that bins remember upon others. They do where n has an angle of acos(0.9) to x.
Matrix3d MakeGridAxes(const Vector3d& n) {
  const Vector3d along = std::abs(n.x()) <= 0.9 ? Vector3d::UnitX() : Vector3d::UnitY();
  Matrix3d R;
  R.col(0) = (along - along.dot(n) * n).normalized();
  R.col(1) = n.cross(R.col(0));
  R.col(2) = n;
  return R;
}

// Faces that just touch are cut by cells, or not, as rounding has it: a part of the face, with stiffness all
// the same, would tip the body. So what has no more pressure than rounding makes is nothing yet.
//   size  of the coordinates that the polygon comes from [m]
bool HasPressure(const PressureCell& cell, const ConvexPolygon& polygon, double size) {
  constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();
  double most = 0.0;
  for (int k = 0; k < polygon.size; ++k) most = std::max(most, cell.CalcPressure(polygon.p[k]));
  return most > kRounding * size * cell.gradient.norm();
}

// Calls visit(x, weight) so that Σ weight f(x) is the integral of f: exactly up to second order of a polygon
// on which the pressure is linear, so that the moment is of second order; else up to fourth order [Dunavant
// 1985], so that the moment of a round cap does not depend on how it was cut. A ball would roll away by it.
template <typename Visit>
void ForQuadrature(const ConvexPolygon& polygon, bool is_linear, const Visit& visit) {
  for (int i = 1; i + 1 < polygon.size; ++i) {
    const Vector3d &a = polygon.p[0], &b = polygon.p[i], &c = polygon.p[i + 1];
    const double area = 0.5 * (b - a).cross(c - a).norm();
    const auto three = [&](double share, double weight) {
      const double rest = 1.0 - 2.0 * share;
      visit(Vector3d(rest * a + share * (b + c)), weight * area);
      visit(Vector3d(rest * b + share * (c + a)), weight * area);
      visit(Vector3d(rest * c + share * (a + b)), weight * area);
    };
    if (is_linear) {
      three(0.5, 1.0 / 3.0);
    } else {
      three(0.44594849091596489, 0.22338158967801147);
      three(0.091576213509770743, 0.10995174365532187);
    }
  }
}

}  // namespace

const std::vector<PatchContact>& PatchFinder::Find(const PatchShape& a, const PatchShape& b,
                                                   int max_polygons) {
  STICTION_ASSERT((a.is_compliant() || b.is_compliant()) && max_polygons >= 1);
  is_turned_ = !a.is_compliant();
  soft_ = is_turned_ ? b : a;
  other_ = is_turned_ ? a : b;
  X_SO_ = {soft_.X_WG.R.transpose() * other_.X_WG.R,
           soft_.X_WG.R.transpose() * (other_.X_WG.p - soft_.X_WG.p)};
  X_OS_ = X_SO_.Inverse();
  contacts_.clear();
  fine_.clear();
  sheets_.clear();
  PressedRegion on_soft, on_other;
  if (!FindRegions(on_soft, on_other)) return contacts_;
  column_ = on_soft.depth < kInfinity ? on_soft.n : Vector3d::Zero();

  const Vector3d half = CalcBoundingHalfExtents(*soft_.shape, Matrix3d::Identity());
  AlignedBox reach{-half, half};
  if (IsRound(*soft_.shape)) {
    laid_.clear();
    LayCells(*soft_.shape, soft_.modulus, on_soft, laid_);
    soft_cells_ = &laid_;
    if (laid_.empty()) return contacts_;
    reach = laid_[0].box;
    for (const PressureCell& cell : laid_) reach = Merge(reach, cell.box);
  } else {
    soft_cells_ = &soft_.cells->cells;
  }
  if (other_.is_compliant()) {
    CollectOther(on_other, reach);
    CutCells();
  } else {
    CollectFacets(on_other, reach);
    CutFacets();
  }
  const int grid = static_cast<int>(std::sqrt(static_cast<double>(max_polygons)));
  Integrate(grid);
  MakeContacts();
  return contacts_;
}

// Where each may press on the other; false if they are apart. Known only of convex shapes, and needed only
// where cells have to be laid.
bool PatchFinder::FindRegions(PressedRegion& on_soft, PressedRegion& on_other) const {
  on_soft = on_other = {Vector3d::UnitZ(), kInfinity};
  if (!IsRound(*soft_.shape) && !IsRound(*other_.shape)) return true;
  if (FindTriangles(*other_.shape) != nullptr) return true;
  const Distance apart = CalcDistance(*soft_.shape, {}, *other_.shape, X_SO_, 0.0);
  if (!(apart.distance < 0.0)) return false;
  on_soft = {apart.n_W, -apart.distance};
  on_other = {-(X_OS_.R * apart.n_W), -apart.distance};
  if (IsRound(*other_.shape)) on_soft.other = other_.shape, on_soft.X_OG = X_OS_;
  if (IsRound(*soft_.shape)) on_other.other = soft_.shape, on_other.X_OG = X_SO_;
  return true;
}

void PatchFinder::CollectOther(const PressedRegion& region, const AlignedBox& reach) {
  other_cells_.clear();
  if (IsRound(*other_.shape)) {
    LayCells(*other_.shape, other_.modulus, region, other_cells_);
    for (PressureCell& cell : other_cells_) MoveCell(X_SO_, cell);
    return;
  }
  const Vector3d middle = X_OS_ * Vector3d(0.5 * (reach.lower + reach.upper));
  const Vector3d half = X_OS_.R.cwiseAbs() * (0.5 * (reach.upper - reach.lower));
  other_.cells->tree.FindOverlaps({middle - half, middle + half}, [&](int cell) {
    MoveCell(X_SO_, other_cells_.emplace_back(other_.cells->cells[cell]));
  });
}

void PatchFinder::AddFacet(const ConvexPolygon& polygon_O, const Vector3d& n_O, const AlignedBox& reach,
                           int cell) {
  Facet& facet = facets_.emplace_back();
  facet.polygon.size = polygon_O.size;
  for (int k = 0; k < polygon_O.size; ++k) facet.polygon.p[k] = X_SO_ * polygon_O.p[k];
  facet.n = -(X_SO_.R * n_O);
  facet.cell = cell;
  facet.box = facet.polygon.CalcBox();
  if (!Overlap(facet.box, reach)) facets_.pop_back();
}

void PatchFinder::CollectFacets(const PressedRegion& region, const AlignedBox& reach) {
  facets_.clear();
  ConvexPolygon polygon;
  const Vector3d middle = X_OS_ * Vector3d(0.5 * (reach.lower + reach.upper));
  const Vector3d half = X_OS_.R.cwiseAbs() * (0.5 * (reach.upper - reach.lower));
  if (std::holds_alternative<Plane>(*other_.shape)) {
    for (const auto& [u, v] : {std::pair(-1.0, -1.0), {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}})
      polygon.Add({middle.x() + 1.01 * u * half.x(), middle.y() + 1.01 * v * half.y(), 0.0});
    AddFacet(polygon, Vector3d::UnitZ(), reach);
  } else if (const Box* box = std::get_if<Box>(other_.shape)) {
    for (int face = 0; face < 6; ++face) {
      const int k = face / 2, u = (k + 1) % 3, v = (k + 2) % 3;
      const double side = face % 2 == 0 ? 1.0 : -1.0;
      polygon.size = 0;
      for (const auto& [s, t] : {std::pair(-1.0, -1.0), {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}) {
        Vector3d x;
        x[k] = side * box->half_extents[k];
        x[u] = s * box->half_extents[u];
        x[v] = t * box->half_extents[v];
        polygon.Add(x);
      }
      AddFacet(polygon, side * Vector3d::Unit(k), reach);
    }
  } else if (const Hull* hull = std::get_if<Hull>(other_.shape)) {
    for (const ConvexHull::Face& face : hull->polytope->faces) {
      const auto around = hull->polytope->VerticesOf(face);
      const std::vector<Vector3d>& vertices = hull->polytope->vertices;
      for (std::size_t i = 1; i + 1 < around.size(); ++i) {
        polygon.size = 0;
        for (const std::size_t k : {std::size_t{0}, i, i + 1}) polygon.Add(vertices[around[k]]);
        AddFacet(polygon, face.normal, reach);
      }
    }
  } else if (const Mesh* mesh = FindTriangles(*other_.shape)) {
    const MeshSurface& surface = *mesh->surface;
    surface.tree.ForEachInBox(middle - half, middle + half, [&](int face) {
      polygon.size = 0;
      for (int k = 0; k < 3; ++k) polygon.Add(surface.vertex(face, k));
      AddFacet(polygon, surface.faces[face].normal, reach);
    });
  } else {
    other_cells_.clear();
    LayCells(*other_.shape, 1.0, region, other_cells_);
    Vector3d n;
    for (std::size_t k = 0; k < other_cells_.size(); ++k) {
      if (FindSurface(other_cells_[k], polygon, n)) AddFacet(polygon, n, reach, static_cast<int>(k));
      MoveCell(X_SO_, other_cells_[k]);
    }
  }
}

template <typename Visit>
void PatchFinder::ForSoftCells(const AlignedBox& box, const Visit& visit) const {
  if (soft_cells_ != &laid_) return soft_.cells->tree.FindOverlaps(box, visit);
  for (std::size_t k = 0; k < laid_.size(); ++k) {
    if (Overlap(laid_[k].box, box)) visit(static_cast<int>(k));
  }
}

void PatchFinder::CutFacets() {
  for (const Facet& facet : facets_) {
    ForSoftCells(facet.box, [&](int k) {
      const PressureCell& cell = (*soft_cells_)[k];
      if (facet.n.dot(-cell.gradient) <= kFacingAway * cell.gradient.norm()) return;
      ConvexPolygon polygon = facet.polygon;
      for (int f = 0; f < cell.num_faces && polygon.size > 0; ++f) polygon.Clip(cell.inside[f]);
      if (polygon.size > 0) Keep(polygon, facet.n, k, facet.cell);
    });
  }
}

void PatchFinder::CutCells() {
  for (std::size_t j = 0; j < other_cells_.size(); ++j) {
    const PressureCell& other = other_cells_[j];
    ForSoftCells(other.box, [&](int k) {
      const PressureCell& cell = (*soft_cells_)[k];
      const Vector3d across = other.gradient - cell.gradient;
      const double size = across.norm();
      if (!(size > 0.0)) return;
      const Vector3d n = across / size;
      if (n.dot(-cell.gradient) <= kFacingAway * cell.gradient.norm() ||
          n.dot(other.gradient) <= kFacingAway * other.gradient.norm())
        return;
      std::array<double, 4> more;  // pressure of O than of S
      for (int i = 0; i < 4; ++i) more[i] = other.CalcPressure(cell.vertex[i]) - cell.pressure[i];
      ConvexPolygon polygon = CutTetrahedron(cell.vertex, more);
      if (cell.num_faces > 4 && polygon.size > 0) polygon.Clip(cell.inside[4]);
      for (int f = 0; f < other.num_faces && polygon.size > 0; ++f) polygon.Clip(other.inside[f]);
      if (polygon.size > 0) Keep(polygon, n, k, static_cast<int>(j));
    });
  }
}

int PatchFinder::FindSheet(const Vector3d& n) {
  int best = -1;
  double most = -2.0;
  for (std::size_t i = 0; i < sheets_.size(); ++i) {
    const double same = sheets_[i].R.col(2).dot(n);
    if (same > most + kSameShare) most = same, best = static_cast<int>(i);
  }
  if (most > kSameSheet || sheets_.size() == kMaxSheets) return best;
  Sheet& sheet = sheets_.emplace_back();
  // Axes of the world: bodies that turn take no polygon along.
  sheet.R = soft_.X_WG.R.transpose() * MakeGridAxes((soft_.X_WG.R * n).normalized());
  sheet.lower.setConstant(kInfinity);
  sheet.upper.setConstant(-kInfinity);
  return static_cast<int>(sheets_.size()) - 1;
}

void PatchFinder::Keep(const ConvexPolygon& polygon, const Vector3d& n, int soft, int other) {
  const Fine fine{polygon, n, soft, other};
  const double size = polygon.p[0].norm() + soft_.X_WG.p.norm() + other_.X_WG.p.norm();
  if (IsFlat(fine) && !HasPressure((*soft_cells_)[soft], polygon, size)) return;
  const int index = FindSheet(n);
  fine_.push_back(fine);
  fine_.back().sheet = index;
  Sheet& sheet = sheets_[index];
  for (int k = 0; k < polygon.size; ++k) {
    const Vector2d at = sheet.R.leftCols<2>().transpose() * polygon.p[k];
    sheet.lower = sheet.lower.cwiseMin(at);
    sheet.upper = sheet.upper.cwiseMax(at);
  }
}

// Cuts every polygon along the lines of its sheet's grid.
void PatchFinder::Integrate(int grid) {
  bins_.assign(sheets_.size() * grid * grid, Bin{});
  for (std::size_t i = 0; i < sheets_.size(); ++i) sheets_[i].first_bin = static_cast<int>(i) * grid * grid;
  for (const Fine& fine : fine_) {
    const Sheet& sheet = sheets_[fine.sheet];
    const Vector2d step = (sheet.upper - sheet.lower) / grid;
    int first[2], last[2];
    for (int axis = 0; axis < 2; ++axis) {
      double lower = kInfinity, upper = -kInfinity;
      for (int k = 0; k < fine.polygon.size; ++k) {
        const double at = sheet.R.col(axis).dot(fine.polygon.p[k]);
        lower = std::min(lower, at);
        upper = std::max(upper, at);
      }
      const auto bin_of = [&](double at) {
        const double share = (at - sheet.lower[axis]) / step[axis];
        return share > 0.0 ? static_cast<int>(std::min(share, grid - 1.0)) : 0;  // 0 where it is no number
      };
      first[axis] = bin_of(lower);
      last[axis] = bin_of(upper);
    }
    const auto between = [&](ConvexPolygon& polygon, int axis, int bin) {
      const Vector3d t = sheet.R.col(axis);
      const double lower = sheet.lower[axis] + bin * step[axis];
      if (bin > first[axis]) polygon.Clip({t, lower});
      if (bin < last[axis]) polygon.Clip({-t, -(lower + step[axis])});
    };
    for (int i = first[0]; i <= last[0]; ++i) {
      ConvexPolygon column = fine.polygon;
      between(column, 0, i);
      for (int j = first[1]; j <= last[1] && column.size > 0; ++j) {
        ConvexPolygon piece = column;
        between(piece, 1, j);
        if (piece.size > 0) AddPiece(piece, fine, bins_[sheet.first_bin + i * grid + j]);
      }
    }
  }
}

PressureSample PatchFinder::SampleOther(int index, const Vector3d& x) const {
  const PressureCell& cell = other_cells_[index];
  if (cell.is_linear) return {cell.CalcPressure(x), cell.gradient};
  PressureSample sample = SampleSide(*other_.shape, other_.is_compliant() ? other_.modulus : 1.0, X_OS_ * x);
  sample.gradient = X_SO_.R * sample.gradient;
  return sample;
}

// Whether the pressure is linear on the polygon.
bool PatchFinder::IsFlat(const Fine& fine) const {
  return (*soft_cells_)[fine.soft].is_linear && (fine.other < 0 || other_cells_[fine.other].is_linear);
}

PatchFinder::View PatchFinder::CalcView(const Fine& fine) const {
  const double share = column_.dot(fine.n);
  const bool has_column = fine.other >= 0 && !IsFlat(fine) && share > kLeastView;
  return {has_column, share, has_column ? column_ : fine.n};
}

PatchFinder::Pressing PatchFinder::CalcPressing(const Fine& fine, const View& view, const Vector3d& x) const {
  const PressureCell& cell = (*soft_cells_)[fine.soft];
  PressureSample soft{cell.CalcPressure(x), cell.gradient};
  if (!cell.is_linear) soft = SampleSide(*soft_.shape, soft_.modulus, x);
  const Vector3d& c = view.c;
  const auto slope_of = [](double along, const Vector3d& gradient) {
    return IsMoreThan(along, kLeastSlope, gradient) ? along : kLeastSlope * gradient.norm();
  };
  const double g_S = slope_of(-soft.gradient.dot(c), soft.gradient);
  if (fine.other < 0) {
    const double pressure = std::max(0.0, soft.pressure);
    return {pressure, pressure * fine.n, g_S};
  }
  const PressureSample other = SampleOther(fine.other, x);
  const double g_O = slope_of(other.gradient.dot(c), other.gradient), sum = g_S + g_O;
  if (!(g_S > 0.0 && g_O > 0.0)) return {0.0, Vector3d::Zero(), 0.0};  // in the very middle
  const bool is_rigid = !other_.is_compliant();
  const double slope = is_rigid ? g_S : g_S * g_O / sum;
  const double pressure = std::max(0.0, is_rigid ? soft.pressure + g_S * other.pressure / g_O
                                                 : (soft.pressure * g_O + other.pressure * g_S) / sum);
  const Vector3d across = is_rigid ? other.gradient : Vector3d(other.gradient - soft.gradient);
  const double along = across.dot(c);
  if (!view.has_column || !IsMoreThan(along, kLeastView, across)) return {pressure, pressure * fine.n, slope};
  return {pressure, pressure * view.share / along * across, slope * view.share};
}

void PatchFinder::AddPiece(const ConvexPolygon& piece, const Fine& fine, Bin& bin) const {
  const View view = CalcView(fine);
  ForQuadrature(piece, IsFlat(fine), [&](const Vector3d& x, double weight) {
    const Pressing pressing = CalcPressing(fine, view, x);
    bin.pressing += weight * pressing.pressure;
    bin.weighted += weight * pressing.pressure * x;
    bin.force += weight * pressing.force;
    bin.moment += weight * x.cross(pressing.force);
    bin.stiffness += weight * pressing.slope;
    bin.area += weight;
  });
}

void PatchFinder::MakeContacts() {
  double total = 0.0;
  for (const Bin& bin : bins_) total += bin.pressing;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    const Bin& bin = bins_[i];
    const double size = bin.force.norm();
    if (!(size > kLeastShare * total) || !(bin.stiffness > 0.0)) continue;
    const Vector3d middle = bin.weighted / bin.pressing;
    // Of the points on the line that has the moment, the one next to the middle.
    const Vector3d rest = bin.moment - middle.cross(bin.force);
    const Vector3d x = middle + bin.force.cross(rest) / (size * size);
    PatchContact& contact = contacts_.emplace_back();
    contact.p_W = soft_.X_WG * x;
    contact.n_W = soft_.X_WG.R * (bin.force / size) * (is_turned_ ? -1.0 : 1.0);
    contact.n_W.normalize();
    contact.force = size;
    contact.stiffness = bin.stiffness;
    contact.area = bin.area;
    contact.feature = static_cast<std::uint32_t>(i);
  }
}

}  // namespace stiction::patch
