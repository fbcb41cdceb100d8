// Leaves with checked sizes.
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "geometry/field_program.h"

namespace stiction {
namespace {

[[noreturn]] void Throw(const char* field, const char* size, const char* rule, double value) {
  std::ostringstream message;
  message << field << ": " << size << " must be " << rule << ", got " << value;
  throw std::invalid_argument(message.str());
}

void CheckSize(const char* field, const char* size, double value) {
  if (!(value > 0.0 && std::isfinite(value))) Throw(field, size, "positive and finite", value);
}

template <typename Leaf>
DistanceField MakeLeaf(Leaf leaf) {
  const Eigen::AlignedBox3d bounds = leaf.CalcBounds();
  return MakeField(std::move(leaf), bounds);
}

ThreadField MakeThread(const char* field, double major_diameter, double pitch, double length) {
  CheckSize(field, "major diameter", major_diameter);
  CheckSize(field, "pitch", pitch);
  const ThreadProfile profile = MakeThreadProfile(major_diameter, pitch);
  // Below this the root would reach the axis, and λ, which the distance divides by, would be large.
  if (!(profile[3].x() > 0.25 * major_diameter)) {
    Throw(field, "pitch", "less than 0.46 of the major diameter", pitch);
  }
  const Vector2d flank = profile[2] - profile[1];
  return {profile, pitch, 0.5 * length, flank.normalized(), flank.norm()};
}

}  // namespace

DistanceField MakeSphereField(double radius) {
  CheckSize("sphere", "radius", radius);
  return MakeLeaf(SphereField{radius});
}

DistanceField MakeBoxField(const Vector3d& half_extents) {
  for (const double half : half_extents) CheckSize("box", "half extent", half);
  return MakeLeaf(BoxField{half_extents});
}

DistanceField MakeCapsuleField(double radius, double half_length) {
  CheckSize("capsule", "radius", radius);
  CheckSize("capsule", "half length", half_length);
  return MakeLeaf(CapsuleField{radius, half_length});
}

DistanceField MakeCylinderField(double radius, double half_length) {
  CheckSize("cylinder", "radius", radius);
  CheckSize("cylinder", "half length", half_length);
  return MakeLeaf(CylinderField{radius, half_length});
}

DistanceField MakeEllipsoidField(const Vector3d& radii) {
  for (const double radius : radii) CheckSize("ellipsoid", "radius", radius);
  return MakeLeaf(EllipsoidField{radii});
}

DistanceField MakeTorusField(double major_radius, double minor_radius) {
  CheckSize("torus", "major radius", major_radius);
  CheckSize("torus", "minor radius", minor_radius);
  if (minor_radius > major_radius) {
    Throw("torus", "minor radius", "at most the major radius", minor_radius);
  }
  return MakeLeaf(TorusField{major_radius, minor_radius});
}

DistanceField MakeHalfSpaceField() {
  return MakeLeaf(HalfSpaceField{});
}

DistanceField MakeHexagonField(double across_flats, double half_length) {
  CheckSize("hexagon", "width across flats", across_flats);
  CheckSize("hexagon", "half length", half_length);
  return MakeLeaf(HexagonField{0.5 * across_flats, half_length});
}

DistanceField MakeRevolvedField(const std::vector<Vector2d>& polyline, double padding) {
  CheckSize("profile", "padding", padding);
  if (polyline.size() < 2) {
    Throw("profile", "the number of points", "2 or more", static_cast<double>(polyline.size()));
  }
  for (std::size_t i = 0; i < polyline.size(); ++i) {
    const Vector2d& point = polyline[i];
    if (!point.allFinite()) Throw("profile", "every coordinate", "finite", point.sum());
    if (point.x() < 0.0) Throw("profile", "the distance of a point from the axis", ">= 0", point.x());
    if (i > 0 && point == polyline[i - 1]) {
      Throw("profile", "the length of each segment", "positive, as points differ", 0.0);
    }
  }
  return MakeLeaf(RevolvedField{polyline, padding});
}

DistanceField MakeDishField(double base_radius, double rim_radius, double rim_height, double padding) {
  CheckSize("dish", "base radius", base_radius);
  CheckSize("dish", "rim radius", rim_radius);
  CheckSize("dish", "rim height", rim_height);
  CheckSize("dish", "padding", padding);
  return MakeRevolvedField({{0.0, 0.0}, {base_radius, 0.0}, {rim_radius, rim_height}}, padding);
}

DistanceField MakeThreadField(double major_diameter, double pitch, double length) {
  if (!(length > 0.0)) Throw("thread", "length", "positive", length);
  return MakeLeaf(MakeThread("thread", major_diameter, pitch, length));
}

DistanceField MakeNutField(double major_diameter, double pitch, double height, double across_flats,
                           double clearance) {
  CheckSize("nut", "height", height);
  CheckSize("nut", "width across flats", across_flats);
  if (!(clearance >= 0.0 && std::isfinite(clearance))) {
    Throw("nut", "clearance", "finite and >= 0", clearance);
  }
  if (!(across_flats > major_diameter + 2.0 * clearance)) {
    Throw("nut", "width across flats", "larger than the hole", across_flats);
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return MakeLeaf(NutField{
      {0.5 * across_flats, 0.5 * height}, MakeThread("nut", major_diameter, pitch, kInfinity), clearance});
}

}  // namespace stiction
