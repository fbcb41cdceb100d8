// Rays, points and distances among all shapes of a model. Contact filters (contype, excludes) play no role:
// every geom is seen, decoration included.
//
// Poses come as X_WG, one per geom (Kinematics::X_WG). Nothing here keeps state, nor, but where said,
// allocates.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "stiction/geometry/distance.h"
#include "stiction/model/model.h"

namespace stiction {

struct RayFilter {
  int excluded_body = -1;  // its geoms are transparent; -1: none. For a sensor that sits inside its own body
  double max_distance = std::numeric_limits<double>::infinity();  // [m]
};

struct RayHit {
  int geom = -1;
  int body = -1;          // that carries the geom
  double distance = 0.0;  // along the ray [m], >= 0
  Vector3d p_W;           // where it hits, world axes [m]
  Vector3d n_W;           // outward unit normal of the surface there, world axes
};

// The first geom that the ray p_W + s d_W, s >= 0, enters; none if it meets nothing. Shapes in which the ray
// starts are transparent. Equal distances go to the smaller geom index. Linear in the number of geoms; those
// whose bounding sphere the ray misses are passed over.
//   d_W  need not be a unit vector; distances are in metres all the same. Zero: no hit
std::optional<RayHit> CastRay(const Model& model, const std::vector<RigidTransform>& X_WG,
                              const Vector3d& p_W, const Vector3d& d_W, const RayFilter& filter = {});

// The geoms that hold the point p_W, in ascending order: what a probe there would be in. Allocates the
// answer.
std::vector<int> FindGeomsAt(const Model& model, const std::vector<RigidTransform>& X_WG,
                             const Vector3d& p_W);

struct ClosestPoints {
  int geom_a = -1;  // of the closest pair
  int geom_b = -1;
  Distance points;  // signed distance, nearest points, direction from A to B (geometry/distance.h)
};

// The two geoms, whatever bodies they belong to.
ClosestPoints CalcGeomDistance(const Model& model, const std::vector<RigidTransform>& X_WG, int geom_a,
                               int geom_b);

// The closest pair of a geom of body_a and a geom of body_b; none if one of them has no geoms. Pairs whose
// bounding spheres are further apart than the best so far are passed over.
std::optional<ClosestPoints> CalcBodyDistance(const Model& model, const std::vector<RigidTransform>& X_WG,
                                              int body_a, int body_b);

}  // namespace stiction
