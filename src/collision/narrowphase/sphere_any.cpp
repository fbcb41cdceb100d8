#include "collision/narrowphase/sphere_any.h"

#include <algorithm>
#include <cmath>

#include "collision/narrowphase/contact_point.h"

namespace stiction::narrowphase {
namespace {

// Adds the point of a sphere whose centre lies `distance` (negative inside) from B's surface.
//   m_B  unit direction from B's surface to the centre, outwards
void AddSpherePoint(const RigidTransform& X_WB, const Vector3d& p_center_B, const Vector3d& m_B,
                    double distance, double radius, double margin, Manifold& out) {
  const double gap = distance - radius;
  AddPoint(X_WB, p_center_B - (distance - 0.5 * gap) * m_B, -m_B, gap, margin, 0, out);
}

}  // namespace

void Collide(const Sphere& sphere, const RigidTransform& X_WA, const Sphere& other,
             const RigidTransform& X_WB, double margin, Manifold& out) {
  const Vector3d p_AB_W = X_WB.p - X_WA.p;
  const double distance = p_AB_W.norm();
  const bool coincide = distance <= kDegenerateLength * (sphere.radius + other.radius);
  const Vector3d n_W = coincide ? Vector3d(X_WA.R.col(2)) : Vector3d(p_AB_W / distance);
  const double gap = distance - sphere.radius - other.radius;
  AddPoint({}, X_WA.p + (sphere.radius + 0.5 * gap) * n_W, n_W, gap, margin, 0, out);
}

void Collide(const Sphere& sphere, const RigidTransform& X_WA, const Capsule& capsule,
             const RigidTransform& X_WB, double margin, Manifold& out) {
  const Vector3d c = X_WB.Inverse() * X_WA.p;
  const Vector3d q(0, 0, std::clamp(c.z(), -capsule.half_length, capsule.half_length));
  const double distance = (c - q).norm();
  // On the axis every direction across it is equally short; beyond the segment's ends the centre is never at
  // zero distance.
  const bool on_axis = distance <= kDegenerateLength * (sphere.radius + capsule.radius);
  const Vector3d m_B = on_axis ? Vector3d::UnitX() : Vector3d((c - q) / distance);
  AddSpherePoint(X_WB, c, m_B, distance - capsule.radius, sphere.radius, margin, out);
}

void Collide(const Sphere& sphere, const RigidTransform& X_WA, const Cylinder& cylinder,
             const RigidTransform& X_WB, double margin, Manifold& out) {
  // In the half-plane through the axis and the centre the cylinder is the rectangle rho <= radius, |z| <=
  // half_length.
  const Vector3d c = X_WB.Inverse() * X_WA.p;
  const double rho = c.head<2>().norm();
  const Vector3d radial =
      rho <= kDegenerateLength * cylinder.radius ? Vector3d::UnitX() : Vector3d(c.x() / rho, c.y() / rho, 0);
  const Vector3d axial(0, 0, Sign(c.z()));
  const double side = rho - cylinder.radius, cap = std::abs(c.z()) - cylinder.half_length;
  if (side > 0 && cap > 0) {
    const double distance = std::hypot(side, cap);
    AddSpherePoint(X_WB, c, (side * radial + cap * axial) / distance, distance, sphere.radius, margin, out);
  } else if (side > cap) {
    AddSpherePoint(X_WB, c, radial, side, sphere.radius, margin, out);
  } else {
    AddSpherePoint(X_WB, c, axial, cap, sphere.radius, margin, out);
  }
}

void Collide(const Sphere& sphere, const RigidTransform& X_WA, const Box& box, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const Vector3d c = X_WB.Inverse() * X_WA.p;
  const Vector3d& h = box.half_extents;
  const Vector3d excess = c - c.cwiseMax(-h).cwiseMin(h);
  const double distance = excess.norm();
  if (distance > kDegenerateLength * h.minCoeff()) {
    AddSpherePoint(X_WB, c, excess / distance, distance, sphere.radius, margin, out);
    return;
  }
  // Inside: leave by the nearest face; of equally near ones by the first, unless a later one is nearer beyond
  // round-off.
  int face = 0;
  for (int i = 1; i < 3; ++i) {
    if (std::abs(c[i]) - h[i] > std::abs(c[face]) - h[face] + kDegenerateLength * h.minCoeff()) face = i;
  }
  const Vector3d m_B = Sign(c[face]) * Vector3d::Unit(face);
  AddSpherePoint(X_WB, c, m_B, std::abs(c[face]) - h[face], sphere.radius, margin, out);
}

}  // namespace stiction::narrowphase
