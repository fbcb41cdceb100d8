// Nearest points of two boxes that are apart.
//
// The nearest pair joins an edge of B with any feature of A, or a vertex of A with a face of B: the twelve
// edges of B against the box A, exactly, and the eight vertices of A against the box B.
#pragma once

#include <array>
#include <cstdint>

#include "stiction/math/rigid_transform.h"

namespace stiction::narrowphase {

struct NearestPoint {
  Vector3d p_A;           // midway, in A's frame
  Vector3d n_A;           // unit, from A to B
  double distance;        // [m]
  std::uint32_t feature;  // edge of B in bits 3-8, place on it in 0-1; or bit 9 and vertex of A
};

struct NearestPoints {
  // More than one for an edge of B along an edge or a face of A; zero for boxes that touch or overlap.
  int size = 0;
  std::array<NearestPoint, 3> points;
};

//   h_A, h_B  half extents
NearestPoints FindNearestPoints(const Vector3d& h_A, const Vector3d& h_B, const RigidTransform& X_AB);

}  // namespace stiction::narrowphase
