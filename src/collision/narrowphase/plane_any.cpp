#include "collision/narrowphase/plane_any.h"

#include <cmath>

#include "collision/narrowphase/contact_point.h"

namespace stiction::narrowphase {
namespace {

// Adds the surface point of B whose height above the plane is its gap.
void AddSurfacePoint(const RigidTransform& X_WA, const Vector3d& p_W, double margin, std::uint32_t feature,
                     Manifold& out) {
  const Vector3d n_W = X_WA.R.col(2);
  const double gap = n_W.dot(p_W - X_WA.p);
  if (gap < margin) out.Add({p_W - (0.5 * gap) * n_W, n_W, gap, feature});
}

}  // namespace

void Collide(const Plane&, const RigidTransform& X_WA, const Sphere& sphere, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  AddSurfacePoint(X_WA, X_WB.p - sphere.radius * X_WA.R.col(2), margin, 0, out);
}

void Collide(const Plane&, const RigidTransform& X_WA, const Capsule& capsule, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const Vector3d half_axis_W = capsule.half_length * X_WB.R.col(2);
  const Vector3d lowest_W = X_WB.p - capsule.radius * X_WA.R.col(2);
  AddSurfacePoint(X_WA, lowest_W + half_axis_W, margin, 0, out);
  AddSurfacePoint(X_WA, lowest_W - half_axis_W, margin, 1, out);
}

void Collide(const Plane&, const RigidTransform& X_WA, const Ellipsoid& ellipsoid, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  // The surface x = D y, |y| = 1, with D the radii, is lowest along n at y = -D n / |D n|.
  const Vector3d scaled_n_B = ellipsoid.radii.cwiseProduct(X_WB.R.transpose() * X_WA.R.col(2));
  const Vector3d lowest_B = -ellipsoid.radii.cwiseProduct(scaled_n_B) / scaled_n_B.norm();
  AddSurfacePoint(X_WA, X_WB * lowest_B, margin, 0, out);
}

void Collide(const Plane&, const RigidTransform& X_WA, const Cylinder& cylinder, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const Vector3d n_B = X_WB.R.transpose() * X_WA.R.col(2);
  const double tilt_sine = n_B.head<2>().norm();
  const int lower_cap = n_B.z() > 0.0 ? 1 : 0;
  for (int cap = 0; cap < 2; ++cap) {
    const std::uint32_t first_feature = 8 * cap;
    const double z = cap == 0 ? cylinder.half_length : -cylinder.half_length;
    const auto add_rim_point = [&](const Vector2d& direction, std::uint32_t feature) {
      const Vector3d p_B(cylinder.radius * direction.x(), cylinder.radius * direction.y(), z);
      AddSurfacePoint(X_WA, X_WB * p_B, margin, first_feature + feature, out);
    };
    if (cap == lower_cap && tilt_sine < kFixedRimSine) {
      add_rim_point({1, 0}, 0);
      add_rim_point({0, 1}, 1);
      add_rim_point({-1, 0}, 2);
      add_rim_point({0, -1}, 3);
    }
    if (tilt_sine > kUprightSine) add_rim_point(-n_B.head<2>() / tilt_sine, 4);
  }
}

void Collide(const Plane&, const RigidTransform& X_WA, const Box& box, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  for (std::uint32_t vertex = 0; vertex < 8; ++vertex) {
    const Vector3d signs(vertex & 1 ? 1 : -1, vertex & 2 ? 1 : -1, vertex & 4 ? 1 : -1);
    AddSurfacePoint(X_WA, X_WB * signs.cwiseProduct(box.half_extents), margin, vertex, out);
  }
}

}  // namespace stiction::narrowphase
