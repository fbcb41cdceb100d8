// The shortest path around a sphere or an endless cylinder, between two points outside of it.
//
// All in the shape's axes, its centre at the origin, a cylinder's axis along z. The path lies in a plane for
// a sphere; around a cylinder its view along the axis is the shortest path around a circle, and it climbs at
// one slope, since the unrolled surface is flat. Both are the same planar problem:
//
//              · x₁                e₀ towards x₀, e₁ so that x₁ is at an angle δ in [0, π] from it
//             / δ
//     ( o )------· x₀ → e₀         βᵢ = acos(r/lᵢ), the angle at o from xᵢ to a point where its tangent
//     touches
//
// The straight line passes through the circle if δ > β₀ + β₁. The short way around then touches from β₀ to
// δ − β₁, the long way from −β₀ backwards to δ + β₁ − 2π.
#pragma once

#include <optional>

#include "stiction/math/types.h"

namespace stiction {

struct WrapShape {
  double radius = 0.0;  // > 0 [m]
  bool is_cylinder = false;
};

// Where the path touches the shape: a piece of circle or helix, or a single point.
struct WrapArc {
  Vector3d e0, e1;            // axes of its circle, unit, orthogonal
  double radius = 0.0;        // [m]
  double start = 0.0;         // angle from e0 to e1 where it begins [rad]
  double sweep = 0.0;         // angle to its end, negative for the long way around [rad]
  double z0 = 0.0, z1 = 0.0;  // of begin and end, along the cylinder's axis [m]

  // At a share s in [0, 1] of the arc.
  Vector3d Point(double s) const;
  double Length() const;
};

// None: the path is straight. That is, one of the points is inside of the circle, or the straight line passes
// beside it; and
//   no side site            the short way around is taken, where the line passes through
//   side site outside       the way around that has the side site on its side of the straight line; where the
//                           line passes beside the shape and on the other side of it, it is led around too
//   side site inside        the path has to meet the shape: if the line passes beside it, it is bent to touch
//                           it from inside, at one point
// Inside is less than a radius from the centre, for a cylinder as well, as in MuJoCo.
//   side_S  null: none
std::optional<WrapArc> FindWrapArc(const WrapShape& shape, const Vector3d& p_SQ0, const Vector3d& p_SQ1,
                                   const Vector3d* side_S);

}  // namespace stiction
