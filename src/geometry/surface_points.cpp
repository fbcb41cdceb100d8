#include "geometry/surface_points.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace stiction {
namespace {

constexpr int kMaxCorners = 12;
// Normals further apart are a feature (25°) [Kobbelt 2001].
constexpr double kFeatureCosine = 0.9;
// A third normal this far out of the plane of the first two makes the feature a corner [Kobbelt 2001].
constexpr double kCornerSine = 0.7;

enum class SurfaceFeature { kNone, kCrease, kCorner };

SurfaceFeature Classify(std::span<const SurfacePoint> points) {
  double smallest = 1.0;
  Vector3d along = Vector3d::Zero();  // the crease
  for (const SurfacePoint& a : points) {
    for (const SurfacePoint& b : points) {
      const double cosine = a.normal.dot(b.normal);
      if (cosine < smallest) smallest = cosine, along = a.normal.cross(b.normal);
    }
  }
  if (smallest > kFeatureCosine) return SurfaceFeature::kNone;
  along.normalize();
  for (const SurfacePoint& a : points) {
    if (std::abs(a.normal.dot(along)) > kCornerSine) return SurfaceFeature::kCorner;
  }
  return SurfaceFeature::kCrease;
}

Vector3d CalcMean(std::span<const SurfacePoint> points) {
  Vector3d sum = Vector3d::Zero();
  for (const SurfacePoint& point : points) sum += point.position;
  return sum / static_cast<double>(points.size());
}

// The point nearest to all tangent planes, min Σ (n_i · (x - p_i))², and of those the one nearest to `start`:
// the directions that the planes leave open, one for a crease, are kept.
Vector3d MinimizePlaneError(std::span<const SurfacePoint> planes, SurfaceFeature feature,
                            const Vector3d& start) {
  Matrix3d A = Matrix3d::Zero();
  Vector3d b = Vector3d::Zero();
  for (const SurfacePoint& plane : planes) {
    A += plane.normal * plane.normal.transpose();
    b += plane.normal * plane.normal.dot(plane.position - start);
  }
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(A);
  Vector3d step = Vector3d::Zero();
  for (int i = feature == SurfaceFeature::kCorner ? 0 : 1; i < 3; ++i) {
    const Vector3d direction = eigen.eigenvectors().col(i);
    // Round-off only: Classify has told the rank.
    if (eigen.eigenvalues()[i] > 1e-6) step += direction * (direction.dot(b) / eigen.eigenvalues()[i]);
  }
  return start + step;
}

// Tangent planes at a distance h from a crease of curvature κ put it wrong by κ h². Each round draws the
// points nearer to the crease by the factor below, each on its own side of it, where Newton's method leads to
// its own face. Eight rounds: κ h² shrinks by 2e-10.
std::optional<Vector3d> FindFeature(const DistanceField& field, std::span<const SurfacePoint> corners,
                                    double reach) {
  SurfaceFeature feature = Classify(corners);
  if (feature == SurfaceFeature::kNone) return std::nullopt;
  std::array<SurfacePoint, kMaxCorners> storage;
  std::copy(corners.begin(), corners.end(), storage.begin());
  const std::span<SurfacePoint> planes(storage.data(), corners.size());
  const Vector3d mean = CalcMean(corners);
  Vector3d x = MinimizePlaneError(planes, feature, mean);
  for (int round = 0; round < 8; ++round) {
    if (!((x - mean).norm() < reach)) return std::nullopt;
    for (SurfacePoint& plane : planes) {
      plane = ProjectOntoSurface(field, x + 0.25 * (plane.position - x));
    }
    // A bend that is gone from near was curvature; a corner can turn out to be a crease.
    feature = Classify(planes);
    if (feature == SurfaceFeature::kNone) return std::nullopt;
    x = MinimizePlaneError(planes, feature, x);
  }
  return x;
}

}  // namespace

// Illinois: false position, with a stale end's value halved so that both ends close in.
SurfacePoint FindCrossing(const DistanceField& field, const Vector3d& inside, const Vector3d& outside) {
  const Vector3d along = outside - inside;
  FieldSample at_high = field.Evaluate(inside + along);
  double low = 0.0, high = 1.0, f_low = field.CalcValue(inside), f_high = at_high.value;
  int last = 0;
  for (int i = 0; i < 60 && high - low > 1e-13; ++i) {
    // Every fourth step bisects: a jump of a sampled field has no slope to follow.
    const double s = i % 4 == 3 ? 0.5 * (low + high) : low - f_low * (high - low) / (f_high - f_low);
    const FieldSample at = field.Evaluate(inside + s * along);
    if (at.value < 0.0) {
      low = s, f_low = at.value;
      if (last == -1) f_high *= 0.5;
      last = -1;
    } else {
      high = s, f_high = at.value, at_high = at;
      if (last == 1) f_low *= 0.5;
      last = 1;
      if (at.value == 0.0) break;
    }
  }
  return {inside + high * along, at_high.gradient};
}

SurfacePoint ProjectOntoSurface(const DistanceField& field, const Vector3d& p) {
  SurfacePoint point{p, Vector3d::Zero()};
  double best = std::numeric_limits<double>::infinity();
  Vector3d next = p;
  // Quadratic for true distances; ends when round-off no longer falls.
  for (int i = 0; i < 20; ++i) {
    const FieldSample sample = field.Evaluate(next);
    if (!(std::abs(sample.value) < best)) break;
    best = std::abs(sample.value);
    point = {next, sample.gradient};
    if (best == 0.0) break;
    next -= sample.value * sample.gradient;
  }
  return point;
}

PolygonCenter FindPolygonCenter(const DistanceField& field, std::span<const SurfacePoint> corners,
                                double reach) {
  if (const std::optional<Vector3d> x = FindFeature(field, corners, reach)) {
    if (std::abs(field.CalcValue(*x)) < 1e-6 * reach) return {*x, true};
  }
  return {ProjectOntoSurface(field, CalcMean(corners)).position, false};
}

}  // namespace stiction
