// Leaves by packs: the formulas of field_primitives.cpp and field_revolved.cpp, with what is chosen there by
// branches selected.
#include <limits>

#include "geometry/field_leaves.h"

namespace stiction {
namespace {

struct PlanePack {
  Pack value, x, y;  // and its unit gradient
};

PlanePack SelectPlane(const PackMask& which, const PlanePack& where, const PlanePack& elsewhere) {
  return {Select(which, where.value, elsewhere.value), Select(which, where.x, elsewhere.x),
          Select(which, where.y, elsewhere.y)};
}

// |v|, and v/|v| where that is not zero.
PlanePack CalcLengthPack(const Pack& x, const Pack& y) {
  constexpr double kTiny = 1e-290;
  const Pack length = Sqrt(x * x + y * y + kTiny);
  const Pack inverse = 1.0 / length;
  return {length, inverse * x, inverse * y};
}

FieldSamplePack ExtrudePack(const PlanePack& base, const Pack& z, double half_length) {
  const Pack zero = FillPack(0.0);
  const Pack cap = Abs(z) - half_length, up = Select(z < 0.0, FillPack(-1.0), FillPack(1.0));
  const PlanePack edge = CalcLengthPack(base.value, cap);
  const PlanePack nearest = SelectPlane(
      (base.value > 0.0) & (cap > 0.0), edge,
      SelectPlane(cap > base.value, {cap, zero, FillPack(1.0)}, {base.value, FillPack(1.0), zero}));
  return {nearest.value, {nearest.x * base.x, nearest.x * base.y, nearest.y * up}};
}

PlanePack EvaluateHexagonPack(const Pack& qx, const Pack& qy, double apothem) {
  const Pack one = FillPack(1.0), zero = FillPack(0.0);
  const Pack toward_x = Select(qx < 0.0, -one, one), toward_y = Select(qy < 0.0, -one, one);
  const PackMask is_along_x = Abs(qx) >= std::numbers::sqrt3 * Abs(qy);
  const Pack c = toward_x * Select(is_along_x, one, FillPack(0.5));
  const Pack s = Select(is_along_x, zero, 0.5 * std::numbers::sqrt3 * toward_y);
  const Pack x = c * qx + s * qy, y = c * qy - s * qx;
  const Pack beyond = x - apothem, past_side = Abs(y) - apothem * std::numbers::inv_sqrt3;
  const PlanePack corner = CalcLengthPack(beyond, past_side);
  const PlanePack nearest =
      SelectPlane((beyond > 0.0) & (past_side > 0.0),
                  {corner.value, corner.x, Select(y < 0.0, -corner.y, corner.y)}, {beyond, one, zero});
  return {nearest.value, c * nearest.x - s * nearest.y, s * nearest.x + c * nearest.y};
}

// Unsigned, as EvaluateSegment. A segment's length is not zero.
PlanePack EvaluateSegmentPack(const Pack& qx, const Pack& qy, const Vector2d& a, const Vector2d& b) {
  const Vector2d ab = b - a;
  const double length2 = ab.squaredNorm(), length = std::sqrt(length2);
  const Pack ax = qx - a.x(), ay = qy - a.y();
  const Pack along = ax * ab.x() + ay * ab.y(), height = (ab.y() * ax - ab.x() * ay) / length;
  const PackMask is_before = along<0.0, is_past = along> length2;
  const PlanePack to_end =
      CalcLengthPack(Select(is_before, ax, qx - b.x()), Select(is_before, ay, qy - b.y()));
  const Pack side = Select(height < 0.0, FillPack(-1.0), FillPack(1.0));
  return SelectPlane(is_before | is_past, to_end,
                     {side * height, side * (ab.y() / length), side * (-ab.x() / length)});
}

}  // namespace

FieldSamplePack SphereField::EvaluatePack(const VectorPack& p) const {
  constexpr double kTiny = 1e-290;
  const Pack length = Sqrt(p.x * p.x + p.y * p.y + p.z * p.z + kTiny), inverse = 1.0 / length;
  const Pack z = Select(length < 2.0 * std::sqrt(kTiny), FillPack(1.0), inverse * p.z);
  return {length - radius, {inverse * p.x, inverse * p.y, z}};
}

FieldSamplePack CylinderField::EvaluatePack(const VectorPack& p) const {
  const RadialPack radial = CalcRadial(p);
  return ExtrudePack({radial.rho - radius, radial.cos, radial.sin}, p.z, half_length);
}

FieldSamplePack HexagonField::EvaluatePack(const VectorPack& p) const {
  return ExtrudePack(EvaluateHexagonPack(p.x, p.y, apothem), p.z, half_length);
}

FieldSamplePack RevolvedField::EvaluatePack(const VectorPack& p) const {
  const RadialPack radial = CalcRadial(p);
  PlanePack nearest{FillPack(std::numeric_limits<double>::infinity()), FillPack(1.0), FillPack(0.0)};
  for (std::size_t i = 0; i + 1 < polyline.size(); ++i) {
    const PlanePack one = EvaluateSegmentPack(radial.rho, p.z, polyline[i], polyline[i + 1]);
    nearest = SelectPlane(one.value < nearest.value, one, nearest);
  }
  return {nearest.value - padding, {nearest.x * radial.cos, nearest.x * radial.sin, nearest.y}};
}

}  // namespace stiction
