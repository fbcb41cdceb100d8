#include "stiction/collision/swept_contact.h"

#include <algorithm>
#include <cmath>

#include "math/assert.h"
#include "stiction/collision/narrowphase.h"
#include "stiction/geometry/distance.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

constexpr int kMaxAdvances = 128;
constexpr double kNearTarget = 1e-4;  // [m]
constexpr double kNearRatio = 0.01;   // of the smaller thickness
constexpr double kManifoldRange =
    5;  // of `near`: a face that arrives slightly tilted still gives its corners
constexpr double kSlack = 1.0 + 1e-9;  // on what a pair may travel: round-off

// What rotation adds to the speed of any point.
double CalcSpin(const ShapeMotion& motion) {
  const double speed = motion.w_W.norm();
  return speed == 0.0 ? 0.0 : speed * CalcBoundingRadius(*motion.shape);
}

bool IsConvex(const Shape& shape) {
  return !std::holds_alternative<Mesh>(shape) && !std::holds_alternative<Field>(shape);
}

double CalcNear(const ShapeMotion& a, const ShapeMotion& b) {
  double near = kNearTarget;
  for (const ShapeMotion* motion : {&a, &b}) {
    const double thickness = 2.0 * CalcSmallestRadius(*motion->shape);
    if (thickness > 0.0) near = std::min(near, kNearRatio * thickness);
  }
  return near;
}

// Where the point p of the shape's surface at the pose X_WS is at the start. A ball touches with what points
// there, however it turns.
Vector3d MoveToStart(const ShapeMotion& motion, const RigidTransform& X_WS, const Vector3d& p) {
  if (std::holds_alternative<Sphere>(*motion.shape)) return p + (motion.X_WG.p - X_WS.p);
  return motion.X_WG * (X_WS.Inverse() * p);
}

// Whether the spheres about both shapes' origins stay more than `near` apart: turning does not move them, and
// along the line between their centres they come no nearer than they approach along it.
bool AreSpheresKeptApart(const ShapeMotion& a, const ShapeMotion& b, double dt, double near) {
  const Vector3d p_AB = b.X_WG.p - a.X_WG.p;
  const double distance = p_AB.norm();
  const double room = distance - CalcBoundingRadius(*a.shape) - CalcBoundingRadius(*b.shape);
  if (!(room > near)) return false;
  const double approach = p_AB.dot(a.v_W - b.v_W) / distance;
  return room > kSlack * (near + dt * std::max(approach, 0.0));
}

// Time of meeting; beyond dt if there is none. [s]
double FindMeeting(const ShapeMotion& a, const ShapeMotion& b, double dt, double near) {
  if (AreSpheresKeptApart(a, b, dt, near)) return 2.0 * dt;
  const double spin = CalcSpin(a) + CalcSpin(b);
  // Between convex shapes a plane separates, which they can only cross along its normal. A mesh may come from
  // any side.
  const bool are_convex = IsConvex(*a.shape) && IsConvex(*b.shape);
  const double fastest = (a.v_W - b.v_W).norm();
  // What is further away than this at time t does not arrive in what is left of the step.
  const auto calc_reach = [&](double t) {
    return std::max(near, kSlack * (0.5 * near + (dt - t) * (fastest + spin)));
  };
  double t = 0.0;
  for (int k = 0; k < kMaxAdvances; ++k) {
    const double reach = calc_reach(t);
    const Distance d = t == 0.0 ? CalcDistance(*a.shape, a.X_WG, *b.shape, b.X_WG, reach)
                                : CalcDistance(*a.shape, a.At(t), *b.shape, b.At(t), reach);
    if (d.distance >= reach) return 2.0 * dt;
    if (d.distance < near) return t;
    const double approach = (are_convex ? d.n_W.dot(a.v_W - b.v_W) : fastest) + spin;
    if (!(approach > 0.0)) return 2.0 * dt;
    t += (d.distance - 0.5 * near) / approach;
    if (t > dt) return t;
  }
  return t;
}

}  // namespace

RigidTransform ShapeMotion::At(double t) const {
  return {QuaternionExp(t * w_W).toRotationMatrix() * X_WG.R, X_WG.p + t * v_W};
}

bool CalcSweptManifold(const ShapeMotion& a, const ShapeMotion& b, double dt, Manifold& out) {
  STICTION_ASSERT(a.shape != nullptr && b.shape != nullptr && dt > 0.0);
  out.num_points = 0;
  const double near = CalcNear(a, b);
  const double t = FindMeeting(a, b, dt, near);
  if (t > dt) return false;
  const RigidTransform X_WA = a.At(t), X_WB = b.At(t);
  CalcManifold(*a.shape, X_WA, *b.shape, X_WB, kManifoldRange * near, out);
  const bool a_is_faster = a.v_W.squaredNorm() > b.v_W.squaredNorm();
  for (int k = 0; k < out.num_points; ++k) {
    ManifoldPoint& point = out.points[k];
    const Vector3d half = 0.5 * point.gap * point.n_W;
    const Vector3d on_a = MoveToStart(a, X_WA, point.p_W - half),
                   on_b = MoveToStart(b, X_WB, point.p_W + half);
    point.gap = point.n_W.dot(on_b - on_a);
    point.p_W = a_is_faster ? Vector3d(on_a + 0.5 * point.gap * point.n_W)
                            : Vector3d(on_b - 0.5 * point.gap * point.n_W);
  }
  return out.num_points > 0;
}

}  // namespace stiction
