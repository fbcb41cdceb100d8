// Nearest points of two polytopes, from their signed distance.
#pragma once

#include "collision/narrowphase/polytope.h"

namespace stiction::narrowphase {

// What holds the nearest point of each shape: a vertex (twice the same number), or an edge by its vertices,
// ascending. A point within a face counts as one of its vertices.
struct NearestFeatures {
  int a[2], b[2];
  bool are_edges;  // one of each shape, distinct in the sense of CalcEdgeSeparation
  std::uint32_t Name() const;
};

NearestFeatures FindNearestFeatures(const Polytope& a, const Polytope& b, const RigidTransform& X_AB,
                                    const geometry::CoreDistance& nearest, double size);

// The separation of the best axis across an edge of each shape, of the edges around their nearest features:
// what a pair of edges has to offer against a face. Minus infinity if there is none but those within 0.01 rad
// of a face normal, or of edges parallel within 1e-3, which are a face's matter (manifold_policy.h, rule 2).
double CalcEdgeSeparation(const Polytope& a, const Polytope& b, const RigidTransform& X_AB,
                          const geometry::CoreDistance& nearest, const NearestFeatures& features);

struct HullNearestPoint {
  Vector3d p_A;           // midway, in A's frame
  Vector3d n_A;           // unit, from A to B
  double distance;        // [m]
  std::uint32_t feature;  // 28 bits
};

// More than one where an edge of B runs along an edge or a face of A (facing_span.h): the ends of that
// stretch, and the nearest point in between if the ends miss its distance.
struct HullNearestPoints {
  int size = 0;
  std::array<HullNearestPoint, 3> points;
};

//   nearest  of shapes that are apart
void FindNearestPoints(const Polytope& a, const Polytope& b, const RigidTransform& X_AB,
                       const geometry::CoreDistance& nearest, const NearestFeatures& features, double size,
                       HullNearestPoints& out);

}  // namespace stiction::narrowphase
