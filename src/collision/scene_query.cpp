#include "stiction/collision/scene_query.h"

#include <cmath>

#include "stiction/geometry/ray_cast.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// Whether the ray comes within `radius` of the point p_WG, no further along than `reach`. Infinite radii do.
bool MeetsSphere(const Vector3d& p_W, const Vector3d& d_W, double reach, const Vector3d& p_WG,
                 double radius) {
  const Vector3d p = p_WG - p_W;
  const double along = p.dot(d_W);
  if (along < -radius || along > reach + radius) return false;
  return p.cross(d_W).squaredNorm() <= radius * radius;
}

}  // namespace

std::optional<RayHit> CastRay(const Model& model, const std::vector<RigidTransform>& X_WG,
                              const Vector3d& p_W, const Vector3d& d_W, const RayFilter& filter) {
  const double length = d_W.stableNorm();  // of any size, without its square
  if (!(length > 0.0)) return std::nullopt;
  const Vector3d unit_W = (d_W / length).normalized();
  std::optional<RayHit> best;
  double reach = filter.max_distance;
  for (int g = 0; g < model.num_geoms(); ++g) {
    const Geom& geom = model.geoms[g];
    if (geom.body == filter.excluded_body) continue;
    if (!MeetsSphere(p_W, unit_W, reach, X_WG[g].p, CalcBoundingRadius(geom.shape))) continue;
    const Matrix3d R_GW = X_WG[g].R.transpose();
    const auto hit = CastRay(geom.shape, R_GW * (p_W - X_WG[g].p), R_GW * unit_W);
    if (!hit || hit->distance > reach || (best && hit->distance >= best->distance)) continue;
    reach = hit->distance;
    best = RayHit{g, geom.body, hit->distance, p_W + hit->distance * unit_W, X_WG[g].R * hit->n_G};
  }
  return best;
}

std::vector<int> FindGeomsAt(const Model& model, const std::vector<RigidTransform>& X_WG,
                             const Vector3d& p_W) {
  std::vector<int> found;
  for (int g = 0; g < model.num_geoms(); ++g) {
    const Shape& shape = model.geoms[g].shape;
    const Vector3d p_G = X_WG[g].R.transpose() * (p_W - X_WG[g].p);
    if (p_G.norm() <= CalcBoundingRadius(shape) && Contains(shape, p_G)) found.push_back(g);
  }
  return found;
}

ClosestPoints CalcGeomDistance(const Model& model, const std::vector<RigidTransform>& X_WG, int geom_a,
                               int geom_b) {
  return {geom_a, geom_b,
          CalcDistance(model.geoms[geom_a].shape, X_WG[geom_a], model.geoms[geom_b].shape, X_WG[geom_b])};
}

std::optional<ClosestPoints> CalcBodyDistance(const Model& model, const std::vector<RigidTransform>& X_WG,
                                              int body_a, int body_b) {
  std::optional<ClosestPoints> best;
  for (int a = 0; a < model.num_geoms(); ++a) {
    if (model.geoms[a].body != body_a) continue;
    const double radius_a = CalcBoundingRadius(model.geoms[a].shape);
    for (int b = 0; b < model.num_geoms(); ++b) {
      if (model.geoms[b].body != body_b || a == b) continue;
      const double radius_b = CalcBoundingRadius(model.geoms[b].shape);
      const double bound = (X_WG[b].p - X_WG[a].p).norm() - radius_a - radius_b;
      if (best && bound > best->points.distance) continue;
      const ClosestPoints pair = CalcGeomDistance(model, X_WG, a, b);
      if (!best || pair.points.distance < best->points.distance) best = pair;
    }
  }
  return best;
}

}  // namespace stiction
