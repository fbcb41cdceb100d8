#include "geometry/refine_distance.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "geometry/triangle_point.h"

namespace stiction::geometry {
namespace {

constexpr double kKink = 2e-4;        // angle within which GJK's normal may miss a kink [rad]
constexpr double kLoss = 1e-8;        // what the distance may lose by an exact normal, in sizes
constexpr double kExcess = 1e-12;     // by which nearest points may lie outside of their cores, in sizes
constexpr double kLongestStep = 0.1;  // of n [rad]
constexpr int kMaxRefinements = 8;

// What of a core reaches furthest along n, in the core's frame.
struct Feature {
  enum class Kind { kPoint, kLine, kFace } kind = Kind::kPoint;
  Vector3d x = Vector3d::Zero();     // a point of it
  Matrix3d H = Matrix3d::Zero();     // second derivative of the support function
  Vector3d axis = Vector3d::Zero();  // kLine: its direction; kFace: its normal
};

Feature FindBoxFeature(const Core& core, const Vector3d& n) {
  Feature out;
  for (int i = 0; i < 3; ++i) {
    out.x[i] = n[i] < 0.0 ? -core.h[i] : core.h[i];
    if (std::abs(n[i]) < kKink) out.kind = Feature::Kind::kLine, out.axis = Vector3d::Unit(i);
  }
  for (int i = 0; i < 3; ++i) {
    if (1.0 - std::abs(n[i]) > 0.5 * kKink * kKink) continue;
    out.kind = Feature::Kind::kFace;
    out.axis = Vector3d(std::copysign(1.0, n[i]) * Vector3d::Unit(i));
  }
  return out;
}

Feature FindHullFeature(const Core& core, const Vector3d& n) {
  const ConvexHull& hull = *core.hull;
  Feature out;
  const int vertex = stiction::FindSupport(hull, n);
  out.x = hull.vertices[vertex];
  for (int k = hull.first_neighbor[vertex]; k < hull.first_neighbor[vertex + 1]; ++k) {
    const Vector3d edge = hull.vertices[hull.neighbors[k]] - out.x;
    if (-n.dot(edge) < kKink * edge.norm()) out.kind = Feature::Kind::kLine, out.axis = edge.normalized();
  }
  double best = 1.0 - 0.5 * kKink * kKink;
  for (int k = hull.first_face[vertex]; k < hull.first_face[vertex + 1]; ++k) {
    const Vector3d& normal = hull.faces[hull.vertex_faces[k]].normal;
    if (n.dot(normal) <= best) continue;
    best = n.dot(normal);
    out.kind = Feature::Kind::kFace;
    out.axis = normal;
  }
  return out;
}

Feature FindTriangleFeature(const Core& core, const Vector3d& n) {
  Feature out;
  int vertex = -1;
  out.x = core.FindSupport(n, vertex);
  const Vector3d one = *core.corner[(vertex + 1) % 3] - out.x, two = *core.corner[(vertex + 2) % 3] - out.x;
  const bool along_one = -n.dot(one) < kKink * one.norm(), along_two = -n.dot(two) < kKink * two.norm();
  if (along_one && along_two) {
    const Vector3d normal = one.cross(two).normalized();
    out.kind = Feature::Kind::kFace;
    out.axis = normal.dot(n) < 0.0 ? Vector3d(-normal) : normal;
  } else if (along_one || along_two) {
    out.kind = Feature::Kind::kLine;
    out.axis = (along_one ? one : two).normalized();
  }
  return out;
}

Feature FindCylinderFeature(const Core& core, const Vector3d& n) {
  Feature out;
  const double radius = core.h.x(), across = n.head<2>().norm();
  out.x = {0, 0, n.z() < 0.0 ? -core.h.z() : core.h.z()};
  if (across < kKink) {
    out.kind = Feature::Kind::kFace;
    out.axis = {0, 0, std::copysign(1.0, n.z())};
    return out;
  }
  const Vector3d out_direction(n.x() / across, n.y() / across, 0);
  out.x += radius * out_direction;
  out.H.topLeftCorner<2, 2>().setIdentity();
  out.H = radius / across * (out.H - out_direction * out_direction.transpose());
  if (std::abs(n.z()) < kKink) out.kind = Feature::Kind::kLine, out.axis = Vector3d::UnitZ();
  return out;
}

Feature FindFeature(const Core& core, const Vector3d& n) {
  Feature out;
  switch (core.kind) {
    case Core::Kind::kPoint:
      break;
    case Core::Kind::kSegment:
      out.x = {0, 0, n.z() < 0.0 ? -core.h.z() : core.h.z()};
      if (std::abs(n.z()) < kKink) out.kind = Feature::Kind::kLine, out.axis = Vector3d::UnitZ();
      break;
    case Core::Kind::kTriangle:
      return FindTriangleFeature(core, n);
    case Core::Kind::kBox:
      return FindBoxFeature(core, n);
    case Core::Kind::kHull:
      return FindHullFeature(core, n);
    case Core::Kind::kEllipsoid: {
      const Vector3d scaled = core.h.cwiseProduct(n);
      const double reach = scaled.norm();
      out.x = core.h.cwiseProduct(scaled) / reach;
      out.H = core.h.cwiseProduct(core.h).asDiagonal();
      out.H = (out.H - out.x * out.x.transpose()) / reach;
      break;
    }
    case Core::Kind::kCylinder:
      return FindCylinderFeature(core, n);
  }
  return out;
}

Feature Transformed(Feature f, const RigidTransform& X) {
  f.x = X * f.x;
  f.H = X.R * f.H * X.R.transpose();
  f.axis = X.R * f.axis;
  return f;
}

struct Contact {
  Feature a, b;  // in A's frame
  Vector3d n;
  double s() const { return n.dot(b.x - a.x); }
};

Contact Look(const Core& a, const Core& b, const RigidTransform& X_AB, const Vector3d& n) {
  return {FindFeature(a, n), Transformed(FindFeature(b, X_AB.R.transpose() * -n), X_AB), n};
}

// Puts n onto the kinks that it lies at. False where they leave no direction.
bool SnapToKinks(const Contact& at, Vector3d& n) {
  using Kind = Feature::Kind;
  if (at.a.kind == Kind::kFace || at.b.kind == Kind::kFace) {
    n = at.a.kind == Kind::kFace ? at.a.axis : Vector3d(-at.b.axis);
    return true;
  }
  const bool a_is_line = at.a.kind == Kind::kLine, b_is_line = at.b.kind == Kind::kLine;
  const Vector3d across = at.a.axis.cross(at.b.axis);
  if (a_is_line && b_is_line && across.norm() > 1e-3) {
    n = across.normalized() * (across.dot(n) < 0.0 ? -1.0 : 1.0);
  } else if (a_is_line || b_is_line) {
    const Vector3d& axis = a_is_line ? at.a.axis : at.b.axis;
    n = (n - axis.dot(n) * axis).normalized();
  }
  return n.allFinite();
}

// The directions in which n may still move, across itself and the lines: the first `count` columns, the
// others zero.
struct Freedom {
  int count = 0;
  Eigen::Matrix<double, 3, 2> T = Eigen::Matrix<double, 3, 2>::Zero();
};

Freedom FindFreedom(const Contact& at) {
  using Kind = Feature::Kind;
  Freedom out;
  if (at.a.kind == Kind::kFace || at.b.kind == Kind::kFace) return out;
  const bool a_is_line = at.a.kind == Kind::kLine, b_is_line = at.b.kind == Kind::kLine;
  if (a_is_line && b_is_line && at.a.axis.cross(at.b.axis).norm() > 1e-3) return out;
  out.count = a_is_line || b_is_line ? 1 : 2;
  out.T.col(0) = out.count == 2 ? Vector3d(at.n.unitOrthogonal())
                                : Vector3d(at.n.cross(a_is_line ? at.a.axis : at.b.axis));
  if (out.count == 2) out.T.col(1) = at.n.cross(out.T.col(0));
  return out;
}

// The core's point nearest to p, or nearly; p itself inside, and where a hull or an ellipsoid is concerned.
Vector3d Clamp(const Core& core, const Vector3d& p) {
  switch (core.kind) {
    case Core::Kind::kPoint:
    case Core::Kind::kSegment:
    case Core::Kind::kBox:
      return p.cwiseMax(-core.h).cwiseMin(core.h);
    case Core::Kind::kTriangle:
      return FindNearestOnTriangle(p, *core.corner[0], *core.corner[1], *core.corner[2]);
    case Core::Kind::kCylinder: {
      const double across = p.head<2>().norm(), share = across > core.h.x() ? core.h.x() / across : 1.0;
      return {share * p.x(), share * p.y(), std::clamp(p.z(), -core.h.z(), core.h.z())};
    }
    case Core::Kind::kHull:
    case Core::Kind::kEllipsoid:
      break;
  }
  return p;
}

// How far p lies outside of the core at most, to first order; not positive inside.
double CalcExcess(const Core& core, const Vector3d& p) {
  if (core.kind == Core::Kind::kEllipsoid) {
    const double level = p.cwiseQuotient(core.h).norm();
    return (level - 1.0) * core.h.maxCoeff();
  }
  if (core.kind != Core::Kind::kHull) return (p - Clamp(core, p)).norm();
  double excess = 0.0;
  for (const ConvexHull::Face& face : core.hull->faces)
    excess = std::max(excess, face.normal.dot(p) - face.offset);
  return excess;
}

// The nearest points along n; where features face each other on a stretch, those nearest to p_A.
void FindPoints(const Core& a, const Core& b, const RigidTransform& X_AB, const Contact& at,
                const Vector3d& p_A, CoreDistance& out) {
  using Kind = Feature::Kind;
  const Vector3d& n = at.n;
  out.n_A = n;
  out.distance = at.s();
  const Vector3d t = at.b.x - at.a.x - at.s() * n;
  const double cosine = at.a.axis.dot(at.b.axis);
  const bool are_crossed =
      at.a.kind == Kind::kLine && at.b.kind == Kind::kLine && 1.0 - cosine * cosine > 1e-6;
  if (at.b.kind == Kind::kPoint) {
    out.p_A = at.b.x - at.s() * n;
  } else if (at.a.kind == Kind::kPoint) {
    out.p_A = at.a.x;
  } else if (are_crossed) {  // a e_A − b e_B = t
    const double u = t.dot(at.a.axis), w = t.dot(at.b.axis);
    out.p_A = at.a.x + (u - cosine * w) / (1.0 - cosine * cosine) * at.a.axis;
  } else {
    out.p_A = p_A + n.dot(at.a.x - p_A) * n;
    for (int k = 0; k < 4; ++k) {
      out.p_A = Clamp(a, out.p_A);
      const Vector3d p_B = X_AB.Inverse() * Vector3d(out.p_A + at.s() * n);
      out.p_A = X_AB * Clamp(b, p_B) - at.s() * n;
    }
  }
  out.p_B = out.p_A + at.s() * n;
}

}  // namespace

void RefineDistance(const Core& a, const Core& b, const RigidTransform& X_AB, CoreDistance& nearest) {
  const auto is_curved = [](const Core& core) {
    return core.kind == Core::Kind::kEllipsoid || core.kind == Core::Kind::kCylinder;
  };
  if (!is_curved(a) && !is_curved(b)) return;
  const double size = a.CalcReach() + b.CalcReach();
  Vector3d n = nearest.n_A;
  Contact at = Look(a, b, X_AB, n);
  for (int iteration = 0; iteration < kMaxRefinements; ++iteration) {
    if (!SnapToKinks(at, n)) return;
    at = Look(a, b, X_AB, n);
    const auto [count, T] = FindFreedom(at);
    if (count == 0) break;
    const Vector2d residual = T.transpose() * (at.b.x - at.a.x);
    if (residual.norm() <= 1e-15 * size) break;
    Eigen::Matrix2d K = T.transpose() * (at.a.H + at.b.H) * T;
    K.diagonal().array() += at.s();
    if (count == 1) K(1, 1) = 1.0;
    if (!(K(0, 0) > 0.0 && K.determinant() > 0.0)) return;  // no local maximum
    const Vector2d step = K.inverse() * residual;
    if (!(step.norm() < kLongestStep)) return;
    n = (n + T * step).normalized();
    at = Look(a, b, X_AB, n);
  }
  CoreDistance refined;
  FindPoints(a, b, X_AB, at, nearest.p_A, refined);
  const double excess = std::max(CalcExcess(a, refined.p_A), CalcExcess(b, X_AB.Inverse() * refined.p_B));
  const bool is_good = refined.distance >= nearest.distance - kLoss * size && excess <= kExcess * size &&
                       (refined.p_A - nearest.p_A).norm() <= 0.05 * size;
  if (is_good) nearest = refined;
}

}  // namespace stiction::geometry
