#include "stiction/model/hydroelastic.h"

#include <algorithm>

namespace stiction {
namespace {

struct SoftFault {
  std::string_view operator()(const Plane&) const { return "a half-space has no middle"; }
  std::string_view operator()(const Sphere&) const { return ""; }
  std::string_view operator()(const Capsule&) const { return ""; }
  std::string_view operator()(const Ellipsoid&) const { return ""; }
  std::string_view operator()(const Cylinder&) const { return ""; }
  std::string_view operator()(const Box&) const { return ""; }
  std::string_view operator()(const Hull&) const { return ""; }
  std::string_view operator()(const Mesh&) const {
    return "the middle of a surface that may be hollow is not known";
  }
  std::string_view operator()(const Field&) const {
    return "a field of distances has no pressure in its middle";
  }
};

}  // namespace

double CalcPairDissipation(const Hydroelastic& a, const Hydroelastic& b) {
  const double from_a = 1.0 / a.modulus, from_b = 1.0 / b.modulus;
  return (from_a * a.dissipation_time + from_b * b.dissipation_time) / (from_a + from_b);
}

int CalcPairPolygons(const Hydroelastic& a, const Hydroelastic& b) {
  if (!a.is_compliant()) return b.max_polygons;
  return b.is_compliant() ? std::max(a.max_polygons, b.max_polygons) : a.max_polygons;
}

std::string_view WhyNotCompliant(const Shape& shape) {
  return std::visit(SoftFault{}, shape);
}

}  // namespace stiction
