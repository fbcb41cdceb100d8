// Where a signed distance field is least.
#pragma once

#include "stiction/geometry/field_solid.h"

namespace stiction::narrowphase {

struct FieldPoint {
  Vector3d p;
  double value;  // φ [m]
  Vector3d n;    // ∇φ, unit
};

// On the triangle: Frank and Wolfe's steps from its best vertex or its middle, each with a search along the
// step. A local minimum, to about 1e-3 of what φ varies by over the triangle.
FieldPoint FindLeastOnTriangle(const DistanceField& field, const Vector3d& a, const Vector3d& b,
                               const Vector3d& c);

// The point of the surface φ = 0 nearest to c, searched from near p: alternately onto the surface and along
// it towards c. `n` is the gradient there, `value` the signed distance of c along n.
FieldPoint FindNearestOnSurface(const DistanceField& field, const Vector3d& c, const Vector3d& p);

// Calls visit(triangle) for those in leaves that may come within `reach` of the field.
//   X_FM  pose of the triangles' frame in the field's
template <typename Visit>
void ForEachTriangleNear(const DistanceField& field, const TriangleTree& tree, const RigidTransform& X_FM,
                         double reach, const Visit& visit) {
  const auto may_touch = [&](const TriangleTree::Node& node) {
    const Vector3d middle = 0.5 * (node.lower + node.upper);
    return field.CalcValue(X_FM * middle) < reach + 0.5 * (node.upper - node.lower).norm();
  };
  tree.ForEach(may_touch, visit);
}

}  // namespace stiction::narrowphase
