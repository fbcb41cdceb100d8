#include "geometry/field_mass_properties.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "geometry/field_leaf_mass.h"
#include "geometry/field_program.h"
#include "geometry/field_surface.h"
#include "geometry/sign_grid.h"

namespace stiction {
namespace {

[[noreturn]] void ThrowEndless() {
  throw std::invalid_argument("mass of a distance field: the solid has no end; intersect it with a box");
}

MassProperties OfShape(const Shape& shape) {
  return CalcSolidMassProperties(shape, CalcVolume(shape));
}

// Of a leaf in its own frame; none where only the surface can tell.
struct LeafMass {
  using Result = std::optional<MassProperties>;

  Result operator()(const SphereField& s) const { return OfShape(Sphere{s.radius}); }
  Result operator()(const BoxField& s) const { return OfShape(Box{s.half_extents}); }
  Result operator()(const CapsuleField& s) const { return OfShape(Capsule{s.radius, s.half_length}); }
  Result operator()(const CylinderField& s) const { return OfShape(Cylinder{s.radius, s.half_length}); }
  Result operator()(const EllipsoidField& s) const { return OfShape(Ellipsoid{s.radii}); }
  Result operator()(const TorusField& s) const { return CalcTorusMassProperties(s); }
  Result operator()(const HexagonField& s) const { return CalcHexagonMassProperties(s); }
  Result operator()(const RevolvedField& s) const { return ToMassProperties(CalcVolumeMoments(s)); }
  Result operator()(const HalfSpaceField&) const { ThrowEndless(); }
  Result operator()(const ThreadField& s) const {
    if (!std::isfinite(s.half_length)) ThrowEndless();
    return ToMassProperties(CalcVolumeMoments(s));
  }
  Result operator()(const NutField& s) const { return ToMassProperties(CalcVolumeMoments(s)); }
  Result operator()(const SampledLeaf&) const { return std::nullopt; }
  Result operator()(const UniteNode&) const { return std::nullopt; }
  Result operator()(const IntersectNode&) const { return std::nullopt; }
  Result operator()(const SubtractNode&) const { return std::nullopt; }
  Result operator()(const OffsetNode&) const { return std::nullopt; }
  Result operator()(const ShellNode&) const { return std::nullopt; }
  Result operator()(const EnterFrame&) const { return std::nullopt; }
  Result operator()(const LeaveFrame&) const { return std::nullopt; }
};

MassProperties ScaleAndMove(const EnterFrame& frame, MassProperties solid) {
  const double s = frame.scale;
  solid.mass *= s * s * s;
  solid.p_BBcm *= s;
  solid.I_BBcm_B *= s * s * s * s * s;
  return Transform(frame.X_GF, solid);
}

// A program of one leaf within frames: n times enter, the leaf, n times leave.
std::optional<MassProperties> FindLeafMass(const FieldProgram& program) {
  const std::size_t middle = program.nodes.size() / 2;
  for (std::size_t i = 0; i < middle; ++i) {
    if (!std::holds_alternative<EnterFrame>(program.nodes[i])) return std::nullopt;
  }
  std::optional<MassProperties> solid = std::visit(LeafMass{}, program.nodes[middle]);
  if (!solid || program.nodes.size() % 2 == 0) return std::nullopt;
  for (std::size_t i = middle; i-- > 0;) {
    solid = ScaleAndMove(std::get<EnterFrame>(program.nodes[i]), *solid);
  }
  return solid;
}

VolumeMoments CalcSurfaceMoments(const DistanceField& field, double spacing, const Vector3d& origin) {
  TriangleMesh mesh = CalcSurface(field, spacing);
  VolumeMoments moments;
  for (const auto& t : mesh.triangles) {
    // The tetrahedron to the origin.
    const Vector3d a = mesh.vertices[t[0]] - origin, b = mesh.vertices[t[1]] - origin,
                   c = mesh.vertices[t[2]] - origin, sum = a + b + c;
    const double volume = a.dot(b.cross(c)) / 6.0;
    moments.volume += volume;
    moments.first += volume / 4.0 * sum;
    moments.second +=
        volume / 20.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  return moments;
}

// The limit of what falls with the squared spacing, from spacings h and h/2.
VolumeMoments Extrapolate(const VolumeMoments& coarse, const VolumeMoments& fine) {
  return {(4.0 * fine.volume - coarse.volume) / 3.0, (4.0 * fine.first - coarse.first) / 3.0,
          (4.0 * fine.second - coarse.second) / 3.0};
}

bool Agree(const VolumeMoments& a, const VolumeMoments& b, double size, double tolerance) {
  return std::abs(a.volume - b.volume) <= tolerance * std::abs(b.volume) &&
         (a.first - b.first).norm() <= tolerance * size * std::abs(b.volume) &&
         (a.second - b.second).norm() <= tolerance * b.second.norm();
}

// The spacing that fills the bounds with about that many nodes, margins included.
double FindSpacing(const Vector3d& sizes, double nodes) {
  double spacing = sizes.maxCoeff();
  while (CountGridNodes(sizes, 0.99 * spacing) <= nodes) spacing *= 0.99;
  return spacing;
}

VolumeMoments ExtrapolateSurfaces(const DistanceField& field, const Vector3d& origin) {
  const Vector3d sizes = field.bounds().sizes();
  double spacing = FindSpacing(sizes, 1 << 13);
  VolumeMoments coarse = CalcSurfaceMoments(field, spacing, origin), previous;
  for (int level = 1; level <= 3; ++level) {
    spacing *= 0.5;
    const VolumeMoments fine = CalcSurfaceMoments(field, spacing, origin);
    const VolumeMoments limit = Extrapolate(coarse, fine);
    if (level > 1 && limit.volume > 0.0 && Agree(previous, limit, sizes.norm(), 1e-6)) return limit;
    coarse = fine;
    previous = limit;
  }
  return previous;
}

}  // namespace

MassProperties CalcSolidMassProperties(const DistanceField& field) {
  if (const std::optional<MassProperties> leaf = FindLeafMass(field.program())) return *leaf;
  if (!field.bounds().isEmpty() && !field.bounds().sizes().allFinite()) ThrowEndless();
  VolumeMoments moments;
  // About the middle of the bounds, so that a solid far from the origin does not cancel.
  const Vector3d origin = field.bounds().isEmpty() ? Vector3d::Zero() : Vector3d(field.bounds().center());
  if (!field.bounds().isEmpty()) moments = ExtrapolateSurfaces(field, origin);
  if (!(moments.volume > 0.0)) {
    throw std::invalid_argument(
        "mass of a distance field: the solid is empty, or finer than 1/160 of its bounds");
  }
  return Transform({Matrix3d::Identity(), origin}, ToMassProperties(moments));
}

}  // namespace stiction
