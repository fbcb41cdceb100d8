#include "stiction/collision/swept_contact.h"

#include <algorithm>
#include <cmath>
#include <functional>

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
constexpr int kMostLooks = 512, kHalvings = 10;
constexpr double kSameSide = 0.7;      // cosine between normals of what is one overlap
constexpr double kDeep = 0.25;         // in thicknesses: no overlap that a step is allowed to end with
constexpr double kLeastStride = 1e-3;  // of two sheets [m]
constexpr double kOverlap = 1e-6;      // what counts as one [m]
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

// Where the point p of the shape's surface at the pose X_WS is at the start. What is round touches with what
// points there, however it turns about its axis; and of what has turned by a radian or more the point itself
// is anywhere at the start, and its velocity there says nothing.
Vector3d MoveToStart(const ShapeMotion& motion, const RigidTransform& X_WS, const Vector3d& p) {
  constexpr double kMostCosine = 0.54;  // of a radian
  const Vector3d arm = p - X_WS.p;
  if (std::holds_alternative<Sphere>(*motion.shape)) return motion.X_WG.p + arm;
  Matrix3d turn = motion.X_WG.R * X_WS.R.transpose();
  if (std::holds_alternative<Capsule>(*motion.shape) || std::holds_alternative<Cylinder>(*motion.shape))
    turn = Quaterniond::FromTwoVectors(X_WS.R.col(2), motion.X_WG.R.col(2)).toRotationMatrix();
  const double cosine = 0.5 * (turn.trace() - 1.0);
  return motion.X_WG.p + (cosine > kMostCosine ? Vector3d(turn * arm) : arm);
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

// Writes where the points of a moment lie at the start.
void MovePointsToStart(const ShapeMotion& a, const ShapeMotion& b, const RigidTransform& X_WA,
                       const RigidTransform& X_WB, Manifold& out) {
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
}

}  // namespace

double CalcStride(const Shape& a, const Shape& b) {
  const double radius_a = CalcSmallestRadius(a), radius_b = CalcSmallestRadius(b);
  const double stride =
      radius_a > 0.0 && radius_b > 0.0 ? std::min(radius_a, radius_b) : std::max(radius_a, radius_b);
  if (!(stride > 0.0)) return kLeastStride;
  return IsConvex(a) && IsConvex(b) ? stride : 0.5 * stride;
}

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
  MovePointsToStart(a, b, X_WA, X_WB, out);
  return out.num_points > 0;
}

bool CalcNextManifold(const ShapeMotion& a, const ShapeMotion& b, double dt,
                      std::span<const Vector3d> normals, Manifold& out) {
  STICTION_ASSERT(a.shape != nullptr && b.shape != nullptr && dt > 0.0);
  const double stride = CalcStride(*a.shape, *b.shape);
  const auto is_new = [&](const ManifoldPoint& point) {
    const auto is_same = [&](const Vector3d& n) { return point.n_W.dot(n) > kSameSide; };
    return -point.gap > kOverlap &&
           (-point.gap > 4.0 * kDeep * stride || std::none_of(normals.begin(), normals.end(), is_same));
  };
  // Keeps what is new at time t.
  const auto look = [&](double t) {
    CalcManifold(*a.shape, a.At(t), *b.shape, b.At(t), 0.0, out);
    const auto begin = out.points.begin();
    const auto end = std::remove_if(begin, begin + out.num_points, std::not_fn(is_new));
    out.num_points = static_cast<int>(end - begin);
    return out.num_points > 0;
  };
  const double way = dt * ((a.v_W - b.v_W).norm() + CalcSpin(a) + CalcSpin(b));
  const int count = static_cast<int>(std::min<double>(kMostLooks, std::ceil(way / stride)));
  for (int k = 1; k <= count; ++k) {
    if (!look(dt * k / count)) continue;
    double clear = dt * (k - 1) / count, met = dt * k / count;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (clear + met);
      (look(middle) ? met : clear) = middle;
    }
    if (!look(met)) return false;
    MovePointsToStart(a, b, a.At(met), b.At(met), out);
    return true;
  }
  out.num_points = 0;
  return false;
}

}  // namespace stiction
