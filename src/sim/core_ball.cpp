#include "sim/core_ball.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/distance.h"

namespace stiction {
namespace {

constexpr double kCoreShare = 0.5;  // of the ball that is within the shape

double CalcInnerRadius(const ConvexHull& hull) {
  double radius = std::numeric_limits<double>::infinity();
  for (const ConvexHull::Face& face : hull.faces) radius = std::min(radius, face.offset);
  return std::max(radius, 0.0);
}

// Of a surface of triangles.
double CalcInnerRadius(const Shape& shape) {
  if (!Contains(shape, Vector3d::Zero())) return 0.0;
  const double probe = 1e-6 * CalcBoundingRadius(shape);
  return std::max(CalcDistance(Shape(Sphere{probe}), {}, shape, {}).distance, 0.0);
}

}  // namespace

double CalcCoreRadius(const Shape& shape) {
  if (std::holds_alternative<Plane>(shape) || std::holds_alternative<Sphere>(shape)) return 0.0;
  if (const auto* hull = std::get_if<Hull>(&shape)) return kCoreShare * CalcInnerRadius(*hull->polytope);
  if (std::holds_alternative<Mesh>(shape) || std::holds_alternative<Field>(shape))
    return kCoreShare * CalcInnerRadius(shape);
  return kCoreShare * CalcSmallestRadius(shape);
}

bool TurnsFar(const ShapeMotion& motion, double dt) {
  const bool is_round =
      std::holds_alternative<Capsule>(*motion.shape) || std::holds_alternative<Cylinder>(*motion.shape);
  const double turning = is_round ? motion.w_W.cross(motion.X_WG.R.col(2)).norm() : motion.w_W.norm();
  return dt * turning > kFarTurn;
}

}  // namespace stiction
