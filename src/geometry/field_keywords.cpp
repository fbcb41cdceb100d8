#include "geometry/field_keywords.h"

#include <numbers>
#include <stdexcept>

namespace stiction {
namespace {

using Numbers = std::span<const double>;
using Fields = std::span<const DistanceField>;

template <DistanceField (*operation)(const DistanceField&, const DistanceField&)>
DistanceField Fold(Numbers, Fields f) {
  DistanceField all = f[0];
  for (const DistanceField& next : f.subspan(1)) all = operation(all, next);
  return all;
}

DistanceField MakeProfile(Numbers x, Fields) {
  if (x.size() % 2 == 0) throw std::invalid_argument("profile: a point lacks its second coordinate");
  std::vector<Vector2d> polyline;
  for (std::size_t i = 1; i < x.size(); i += 2) polyline.emplace_back(x[i], x[i + 1]);
  return MakeRevolvedField(polyline, x[0]);
}

DistanceField Round(Numbers x, Fields f) {
  if (!(x[0] > 0.0)) throw std::invalid_argument("round: the radius must be positive");
  return Offset(f[0], x[0]);
}

DistanceField Rotate(Numbers x, Fields f) {
  const Vector3d axis(x[0], x[1], x[2]);
  const double length = axis.stableNorm();
  if (!(length > 0.0)) throw std::invalid_argument("rotate: the axis must not be zero");
  const Eigen::AngleAxisd turn(x[3] * std::numbers::pi / 180.0, axis / length);
  return Transform({turn.toRotationMatrix(), Vector3d::Zero()}, f[0]);
}

constexpr FieldKeyword kKeywords[] = {
    {"sphere", "sphere(r)", 1, 1, 0, 0, [](Numbers x, Fields) { return MakeSphereField(x[0]); }},
    {"box", "box(hx, hy, hz)", 3, 3, 0, 0,
     [](Numbers x, Fields) {
       return MakeBoxField({x[0], x[1], x[2]});
     }},
    {"capsule", "capsule(r, h)", 2, 2, 0, 0, [](Numbers x, Fields) { return MakeCapsuleField(x[0], x[1]); }},
    {"cylinder", "cylinder(r, h)", 2, 2, 0, 0,
     [](Numbers x, Fields) { return MakeCylinderField(x[0], x[1]); }},
    {"ellipsoid", "ellipsoid(a, b, c)", 3, 3, 0, 0,
     [](Numbers x, Fields) {
       return MakeEllipsoidField({x[0], x[1], x[2]});
     }},
    {"torus", "torus(R, r)", 2, 2, 0, 0, [](Numbers x, Fields) { return MakeTorusField(x[0], x[1]); }},
    {"halfspace", "halfspace()", 0, 0, 0, 0, [](Numbers, Fields) { return MakeHalfSpaceField(); }},
    {"hexagon", "hexagon(across_flats, h)", 2, 2, 0, 0,
     [](Numbers x, Fields) { return MakeHexagonField(x[0], x[1]); }},
    {"dish", "dish(base_radius, rim_radius, rim_height, padding)", 4, 4, 0, 0,
     [](Numbers x, Fields) { return MakeDishField(x[0], x[1], x[2], x[3]); }},
    {"profile", "profile(padding, rho0, z0, rho1, z1, ...)", 5, kAnyCount, 0, 0, MakeProfile},
    {"thread", "thread(major_diameter, pitch, length)", 3, 3, 0, 0,
     [](Numbers x, Fields) { return MakeThreadField(x[0], x[1], x[2]); }},
    {"nut", "nut(major_diameter, pitch, height, across_flats, clearance)", 5, 5, 0, 0,
     [](Numbers x, Fields) { return MakeNutField(x[0], x[1], x[2], x[3], x[4]); }},
    {"union", "union(f, g, ...)", 0, 0, 1, kAnyCount, Fold<Unite>},
    {"intersection", "intersection(f, g, ...)", 0, 0, 1, kAnyCount, Fold<Intersect>},
    {"difference", "difference(f, g, ...)", 0, 0, 2, kAnyCount, Fold<Subtract>},
    {"round", "round(r, f)", 1, 1, 1, 1, Round},
    {"shell", "shell(t, f)", 1, 1, 1, 1, [](Numbers x, Fields f) { return MakeShellField(f[0], x[0]); }},
    {"move", "move(x, y, z, f)", 3, 3, 1, 1,
     [](Numbers x, Fields f) {
       return Transform({Matrix3d::Identity(), Vector3d(x[0], x[1], x[2])}, f[0]);
     }},
    {"rotate", "rotate(ux, uy, uz, degrees, f)", 4, 4, 1, 1, Rotate},
    {"scale", "scale(s, f)", 1, 1, 1, 1, [](Numbers x, Fields f) { return Scale(f[0], x[0]); }},
};

}  // namespace

std::span<const FieldKeyword> GetFieldKeywords() {
  return kKeywords;
}

}  // namespace stiction
