// How soft a geom is that presses by pressure over an area instead of in points.
//
// A compliant geom carries a pressure field (src/collision/patch/pressure_field.h): zero on its surface,
// `modulus` on its middle. Where it meets another geom, both share the surface on which their pressures are
// the same, or the other one's own surface if that is rigid: the patch. The patch becomes up to
// `max_polygons` contacts, each with the force, the place and the stiffness of its piece.
#pragma once

#include <limits>
#include <string_view>

#include "stiction/geometry/shape.h"

namespace stiction {

inline constexpr int kMaxPatchPolygons = 1024;

struct Hydroelastic {
  double modulus = std::numeric_limits<double>::infinity();  // pressure in the middle [Pa]; infinite: rigid
  double dissipation_time = 0.0;  // τ_d: pressure p + τ_d ṗ, where that presses [s]
  // Of a patch, per side of it that faces another way; of two soft geoms the larger. More resist torsion more
  // nearly as the whole area does, 16 to 4 %, 256 to 0.3 %, and cost more. In [1, kMaxPatchPolygons].
  int max_polygons = 16;

  bool is_compliant() const { return modulus < std::numeric_limits<double>::infinity(); }
};

// Of two geoms, of which one is compliant: the mean weighted by how much each gives way [s].
double CalcPairDissipation(const Hydroelastic& a, const Hydroelastic& b);
int CalcPairPolygons(const Hydroelastic& a, const Hydroelastic& b);

// Why no pressure field can be laid into the shape; empty if one can.
std::string_view WhyNotCompliant(const Shape& shape);

}  // namespace stiction
