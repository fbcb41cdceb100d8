// Cells of round shapes, about the direction in which something presses.
#include <algorithm>
#include <cmath>

#include "collision/patch/pressure_field.h"
#include "math/axes_about.h"
#include "math/constants.h"

namespace stiction::patch {
namespace {

// Around the axis of a cap. A chord's error in the force is of fourth order: pressure is zero where it cuts
// something off. 24 leave 2e-4; fewer miss 0.1 % (16: 8e-4).
constexpr int kSectors = 24;
constexpr double kRingAngle = 0.25 * kPi;  // of a cap at most: pressure is the field's, not the cells'
constexpr int kStrips = 8;                 // of a round side, an eighth of a turn to either side at most
constexpr int kAround = 32;                // of a cylinder that stands on its end

Vector3d OnAxis(double z) {
  return {0.0, 0.0, z};
}

// The half-angle of the cap that a plane cuts off a ball at this depth, 0 to π.
double CalcCapAngle(double depth, double radius) {
  return 2.0 * std::asin(std::sqrt(std::clamp(0.5 * depth / radius, 0.0, 1.0)));
}

class CellLayer {
 public:
  //   support  how far the shape reaches along the region's direction
  CellLayer(double modulus, const PressedRegion& pressed, double support, std::vector<PressureCell>& cells)
      : modulus_(modulus), pressed_(pressed), region_{pressed.n, support - pressed.depth}, cells_(cells) {}

  // The cap of an ellipsoid that reaches `depth` down from its furthest point along the region's direction;
  // of it what lies in the seam, if there is one.
  void AddCap(const Vector3d& center, const Vector3d& radii, double depth, const HalfSpace* seam);
  // The wedge between two triangles, counted alike; three vertices to each. Of pressures 0 and 1.
  void AddWedge(const std::array<Vector3d, 6>& vertex, const std::array<double, 6>& share, bool is_linear);
  void Add(const std::array<Vector3d, 4>& vertex, const std::array<double, 4>& share, bool is_linear,
           const HalfSpace* seam = nullptr);

 private:
  void ShrinkBox(PressureCell& cell) const;
  template <typename Point>
  double FindRim(double angle, const Point& point) const;

  double modulus_;
  const PressedRegion& pressed_;
  HalfSpace region_;  // cells that do not reach it are left out
  std::vector<PressureCell>& cells_;
};

void CellLayer::Add(const std::array<Vector3d, 4>& vertex, const std::array<double, 4>& share, bool is_linear,
                    const HalfSpace* seam) {
  const auto any_in = [&vertex](const HalfSpace& half_space) {
    return std::any_of(vertex.begin(), vertex.end(),
                       [&](const Vector3d& v) { return half_space.Height(v) >= 0.0; });
  };
  if (!any_in(region_) || (seam != nullptr && !any_in(*seam))) return;
  PressureCell& cell = cells_.emplace_back();
  std::array<double, 4> pressure;
  for (int k = 0; k < 4; ++k) pressure[k] = modulus_ * share[k];
  if (!SetCell(vertex, pressure, cell)) return cells_.pop_back();
  cell.is_linear = is_linear;
  if (seam != nullptr) cell.inside[cell.num_faces++] = *seam;
  ShrinkBox(cell);
}

// To what of the cell lies in the region: cells reach to the middle of the shape, patches do not.
void CellLayer::ShrinkBox(PressureCell& cell) const {
  if (!std::isfinite(region_.offset)) return;
  AlignedBox box{Vector3d::Constant(kInfinity), Vector3d::Constant(-kInfinity)};
  const auto extend = [&box](const Vector3d& x) {
    box.lower = box.lower.cwiseMin(x);
    box.upper = box.upper.cwiseMax(x);
  };
  std::array<double, 4> height;
  for (int k = 0; k < 4; ++k) {
    height[k] = region_.Height(cell.vertex[k]);
    if (height[k] >= 0.0) extend(cell.vertex[k]);
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      if (!(height[i] >= 0.0 && height[j] < 0.0)) continue;
      const double share = height[i] / (height[i] - height[j]);
      extend(cell.vertex[i] + share * (cell.vertex[j] - cell.vertex[i]));
    }
  }
  // Rounding: what presses lies on the region's border.
  cell.box = box.Grown(1e-9 * (cell.box.upper - cell.box.lower).maxCoeff());
}

void CellLayer::AddWedge(const std::array<Vector3d, 6>& v, const std::array<double, 6>& s, bool is_linear) {
  constexpr int kCorners[3][4] = {{0, 1, 2, 5}, {0, 1, 5, 4}, {0, 4, 5, 3}};
  for (const auto& [i, j, k, l] : kCorners)
    Add({v[i], v[j], v[k], v[l]}, {s[i], s[j], s[k], s[l]}, is_linear);
}

// The angle from the top of a cap, up to `angle`, at which its surface, point(angle), leaves the other shape.
template <typename Point>
double CellLayer::FindRim(double angle, const Point& point) const {
  if (pressed_.other == nullptr) return angle;
  const auto depth_at = [&](double square) {
    return SampleField(*pressed_.other, 1.0, pressed_.X_OG * point(std::sqrt(square))).pressure;
  };
  // Depth falls with the square of the angle, at first: by false position, either end weighed less when it
  // stays (Illinois).
  double lower = 0.0, upper = angle * angle, at_lower = depth_at(lower), at_upper = depth_at(upper);
  if (!(at_lower > 0.0) || !(at_upper < 0.0)) return angle;
  constexpr int kSteps = 8;
  int kept = 0;
  double square = upper;
  for (int step = 0; step < kSteps; ++step) {
    square = lower + (upper - lower) * at_lower / (at_lower - at_upper);
    const double depth = depth_at(square);
    if (depth > 0.0) {
      lower = square, at_lower = depth;
      if (kept == 1) at_upper *= 0.5;
      kept = 1;
    } else {
      upper = square, at_upper = depth;
      if (kept == -1) at_lower *= 0.5;
      kept = -1;
    }
  }
  return std::sqrt(square);
}

void CellLayer::AddCap(const Vector3d& center, const Vector3d& radii, double depth, const HalfSpace* seam) {
  // With y = D⁻¹ (x − center) the ellipsoid is the unit ball, and planes remain planes.
  const Vector3d scaled = radii.cwiseProduct(region_.n);
  const double support = scaled.norm(), angle = CalcCapAngle(depth, support);
  if (!(angle > 0.0)) return;
  const Matrix3d axes = MakeAxesAbout(scaled / support);
  const int num_rings = 1 + static_cast<int>(std::floor(angle / (kRingAngle * (1.0 + 1e-12))));
  const auto point = [&](double polar, const Vector3d& out) {
    const Vector3d y = std::sin(polar) * out + std::cos(polar) * axes.col(2);
    return Vector3d(center + radii.cwiseProduct(y));
  };
  std::array<Vector3d, kSectors> out, inner, outer;
  std::array<double, kSectors> rim;
  for (int j = 0; j < kSectors; ++j) {
    const double around = 2.0 * kPi * j / kSectors;
    out[j] = std::cos(around) * axes.col(0) + std::sin(around) * axes.col(1);
    rim[j] = FindRim(angle, [&](double polar) { return point(polar, out[j]); });
  }
  inner.fill(point(0.0, out[0]));
  for (int ring = 1; ring <= num_rings; ++ring) {
    for (int j = 0; j < kSectors; ++j) outer[j] = point(rim[j] * ring / num_rings, out[j]);
    for (int j = 0; j < kSectors; ++j) {
      const int next = (j + 1) % kSectors;
      // Diagonals in turns to either side, so that a cap has no handedness.
      const int first = j % 2 == 0 ? j : next, second = j % 2 == 0 ? next : j;
      Add({inner[first], outer[first], outer[second], center}, {0.0, 0.0, 0.0, 1.0}, false, seam);
      if (ring > 1)
        Add({inner[first], outer[second], inner[second], center}, {0.0, 0.0, 0.0, 1.0}, false, seam);
    }
    inner = outer;
  }
}

// The direction around z in which n leans, and how much.
struct Lean {
  double angle = 0.0;  // of n about z
  double size = 0.0;   // ‖(n_x, n_y)‖
};
Lean CalcLean(const Vector3d& n) {
  return {std::atan2(n.y(), n.x()), std::hypot(n.x(), n.y())};
}

int CountStrips(double half_angle) {
  return kStrips * (1 + static_cast<int>(half_angle / (0.25 * kPi)));
}

void LayCapsule(const Capsule& capsule, const PressedRegion& region, CellLayer& layer) {
  const double R = capsule.radius, L = capsule.half_length;
  const Vector3d& n = region.n;
  for (const double s : {-1.0, 1.0}) {
    const HalfSpace seam{OnAxis(s), L};
    layer.AddCap(OnAxis(s * L), Vector3d::Constant(R), region.depth - L * (std::abs(n.z()) - s * n.z()),
                 &seam);
  }
  const Lean lean = CalcLean(n);
  if (!(R - region.depth < R * lean.size)) return;
  const double half_angle = std::acos(std::max(-1.0, (R - region.depth) / (R * lean.size)));
  const int num_strips = CountStrips(half_angle);
  const auto at = [&](int i, double z) {
    const double around = lean.angle + half_angle * (2.0 * i / num_strips - 1.0);
    return Vector3d(R * std::cos(around), R * std::sin(around), z);
  };
  for (int i = 0; i < num_strips; ++i) {
    layer.AddWedge({at(i, -L), at(i + 1, -L), OnAxis(-L), at(i, L), at(i + 1, L), OnAxis(L)},
                   {0.0, 0.0, 1.0, 0.0, 0.0, 1.0}, false);
  }
}

// One sector of a cylinder, between two vectors from its axis to its side: ends and side.
//   is_linear  whether the field is to be that of the sector's own flat side; below the ends it is
void LaySector(const Cylinder& cylinder, const Vector3d& from, const Vector3d& to, bool is_linear,
               CellLayer& layer) {
  const double R = cylinder.radius, L = cylinder.half_length;
  const double inner = std::max(0.0, 1.0 - L / R), middle_z = std::max(0.0, L - R);
  for (const double s : {-1.0, 1.0}) {
    const Vector3d end = OnAxis(s * L), middle = OnAxis(s * middle_z);
    if (inner > 0.0) {
      layer.AddWedge({from + end, to + end, end, inner * from, inner * to, middle},
                     {0.0, 0.0, 0.0, 1.0, 1.0, 1.0}, true);
    } else {
      layer.Add({from + end, to + end, end, middle}, {0.0, 0.0, 0.0, 1.0}, true);
    }
  }
  if (inner > 0.0) {
    layer.AddWedge(
        {from + OnAxis(-L), from + OnAxis(L), inner * from, to + OnAxis(-L), to + OnAxis(L), inner * to},
        {0.0, 0.0, 1.0, 0.0, 0.0, 1.0}, is_linear);
  } else {
    layer.AddWedge({from + OnAxis(-L), to + OnAxis(-L), OnAxis(-middle_z), from + OnAxis(L), to + OnAxis(L),
                    OnAxis(middle_z)},
                   {0.0, 0.0, 1.0, 0.0, 0.0, 1.0}, is_linear);
  }
}

// A side that presses gets strips as narrow as the patch, as a cap its sectors. An end that presses needs all
// sectors; the polygon then has the circle's area, which is the first thing that its force depends on.
void LayCylinder(const Cylinder& cylinder, const PressedRegion& region, CellLayer& layer) {
  const double R = cylinder.radius;
  const Lean lean = CalcLean(region.n);
  const double half_angle = CalcCapAngle(region.depth, std::max(R * lean.size, 1e-300));
  const bool is_whole = half_angle > 0.5 * kPi;
  const int num_strips = is_whole ? kAround : CountStrips(half_angle);
  const double first = is_whole ? 0.0 : lean.angle - half_angle;
  const double sector = (is_whole ? 2.0 * kPi : 2.0 * half_angle) / num_strips;
  const double radius = is_whole ? R * std::sqrt(sector / std::sin(sector)) : R;
  const auto at = [&](int i) {
    const double around = first + i * sector;
    return Vector3d(radius * std::cos(around), radius * std::sin(around), 0.0);
  };
  for (int i = 0; i < num_strips; ++i) LaySector(cylinder, at(i), at(i + 1), is_whole, layer);
}

}  // namespace

void LayCells(const Shape& shape, double modulus, const PressedRegion& region,
              std::vector<PressureCell>& cells) {
  const auto layer = [&](double support) { return CellLayer(modulus, region, support, cells); };
  const Vector3d& n = region.n;
  if (const Sphere* sphere = std::get_if<Sphere>(&shape)) {
    layer(sphere->radius).AddCap(Vector3d::Zero(), Vector3d::Constant(sphere->radius), region.depth, nullptr);
  } else if (const Ellipsoid* ellipsoid = std::get_if<Ellipsoid>(&shape)) {
    layer(ellipsoid->radii.cwiseProduct(n).norm())
        .AddCap(Vector3d::Zero(), ellipsoid->radii, region.depth, nullptr);
  } else if (const Capsule* capsule = std::get_if<Capsule>(&shape)) {
    CellLayer laid = layer(capsule->radius + capsule->half_length * std::abs(n.z()));
    LayCapsule(*capsule, region, laid);
  } else if (const Cylinder* cylinder = std::get_if<Cylinder>(&shape)) {
    CellLayer laid =
        layer(cylinder->radius * std::hypot(n.x(), n.y()) + cylinder->half_length * std::abs(n.z()));
    LayCylinder(*cylinder, region, laid);
  }
}

}  // namespace stiction::patch
