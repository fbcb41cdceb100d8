#include "collision/narrowphase/hull.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/narrowphase/box_box.h"
#include "collision/narrowphase/contact_point.h"
#include "collision/narrowphase/hull_clip.h"
#include "collision/narrowphase/hull_nearest.h"
#include "collision/narrowphase/spread.h"

namespace stiction::narrowphase {
namespace {

using geometry::CoreDistance;

// As in box_box.cpp: by this ratio, and this length in sizes, edges must be better to win over a face.
constexpr double kEdgeRatio = 0.05;
constexpr double kEdgeLength = 1e-3;
constexpr double kTolerance = 1e-3;  // of clipping, in sizes
// What clipped points of overlapping shapes may miss of the depth. Never reached by boxes, and far above what
// shapes overlap in a simulation.
constexpr double kMissedRatio = 0.2;
constexpr double kMissedLength = 5e-3;

struct HullPair {
  const Polytope &a, &b;
  RigidTransform X_WA, X_AB;
  double margin, size;
  CoreDistance nearest;  // signed
};

bool IsBetter(double separation, double than, double ratio, double length) {
  return separation > than + ratio * std::abs(than) + length;
}

double CalcSmallestGap(const Manifold& manifold) {
  double gap = std::numeric_limits<double>::infinity();
  for (int k = 0; k < manifold.num_points; ++k) gap = std::min(gap, manifold.points[k].gap);
  return gap;
}

struct FaceAxis {
  int face = -1;
  double separation = -std::numeric_limits<double>::infinity();
};

// The face of `shape` whose normal separates `other`, at X, best. Any point of the other shape bounds a
// face's separation by its height above the face, so that few faces need a support point.
//   p, n  a point of the other shape where the two are nearest, and the direction towards it; in the frame of
//         `shape`
FaceAxis FindFaceAxis(const Polytope& shape, const Polytope& other, const RigidTransform& X,
                      const Vector3d& p, const Vector3d& n, double tie) {
  FaceAxis best;
  int start = 0;
  const auto offer = [&](int f) {
    const ConvexHull::Face& face = shape.faces[f];
    if (face.normal.dot(p) - face.offset <= best.separation + tie) return;
    const Vector3d down = X.R.transpose() * -face.normal;
    start = other.FindSupport(down, start);
    const double separation = face.normal.dot(X * other.vertices[start]) - face.offset;
    if (separation > best.separation + tie) best = {f, separation};
  };
  offer(shape.FindFaceAround(shape.FindSupport(n), n));
  for (int f = 0; f < static_cast<int>(shape.faces.size()); ++f) offer(f);
  return best;
}

// Clips against the reference face and adds the points below the margin.
void AddFacePoints(const HullPair& pair, int face, bool reference_is_a, Manifold& out) {
  const Polytope &reference = reference_is_a ? pair.a : pair.b, &incident = reference_is_a ? pair.b : pair.a;
  const RigidTransform X_RI = reference_is_a ? pair.X_AB : pair.X_AB.Inverse();
  const RigidTransform X_WR = reference_is_a ? pair.X_WA : pair.X_WA * pair.X_AB;
  ClippedHullPolygon polygon;
  ClipIncidentFace(reference, face, incident, X_RI, kTolerance * pair.size, polygon);
  const Vector3d outward_W = X_WR.R * reference.faces[face].normal;
  const Vector3d n_W = reference_is_a ? outward_W : Vector3d(-outward_W);
  std::array<ManifoldPoint, 2 * kMaxFaceVertices> points;
  int count = 0;
  for (int k = 0; k < polygon.size; ++k) {
    const ClippedHullPoint& point = polygon.points[k];
    if (point.height >= pair.margin) continue;
    points[count++] = {X_WR * point.p_R - (0.5 * point.height) * outward_W, n_W, point.height,
                       MakeFeature(FeatureKind::kFace, point.feature ^ (reference_is_a ? 0u : 1u))};
  }
  const int chosen =
      ChooseSpread({points.data(), static_cast<std::size_t>(count)}, kTolerance * pair.size, pair.size);
  for (int k = 0; k < chosen; ++k) out.Add(points[k]);
}

void AddNearestPoints(const HullPair& pair, const NearestFeatures& features, Manifold& out) {
  HullNearestPoints points;
  FindNearestPoints(pair.a, pair.b, pair.X_AB, pair.nearest, features, pair.size, points);
  for (int k = 0; k < points.size; ++k) {
    const HullNearestPoint& point = points.points[k];
    AddPoint(pair.X_WA, point.p_A, point.n_A, point.distance, pair.margin,
             MakeFeature(FeatureKind::kNearest, point.feature), out);
  }
}

// The point of least translation of overlapping shapes: between the edges, if they meet with an edge of each.
void AddEdgePoint(const HullPair& pair, const NearestFeatures& features, Manifold& out) {
  AddPoint(pair.X_WA, 0.5 * (pair.nearest.p_A + pair.nearest.p_B), pair.nearest.n_A, pair.nearest.distance,
           pair.margin, MakeFeature(FeatureKind::kEdges, features.Name()), out);
}

// The deepest vertex below a face whose clipped polygon is empty although the shapes overlap or touch.
void AddDeepestVertex(const HullPair& pair, const FaceAxis& axis, bool reference_is_a, Manifold& out) {
  const Polytope &reference = reference_is_a ? pair.a : pair.b, &incident = reference_is_a ? pair.b : pair.a;
  const RigidTransform X_RI = reference_is_a ? pair.X_AB : pair.X_AB.Inverse();
  const RigidTransform X_WR = reference_is_a ? pair.X_WA : pair.X_WA * pair.X_AB;
  const Vector3d& outward_R = reference.faces[axis.face].normal;
  const int vertex = incident.FindSupport(X_RI.R.transpose() * -outward_R);
  const Vector3d p_R = X_RI * incident.vertices[vertex];
  AddPoint(X_WR, p_R - (0.5 * axis.separation) * outward_R, reference_is_a ? outward_R : Vector3d(-outward_R),
           axis.separation, pair.margin,
           MakeFeature(FeatureKind::kCorner, HashNames({vertex, reference_is_a})), out);
}

void CollidePolytopes(const Polytope& a, const RigidTransform& X_WA, const Polytope& b,
                      const RigidTransform& X_WB, double margin, Manifold& out) {
  const RigidTransform X_AB = RelativePose(X_WA, X_WB);
  const HullPair pair{a,
                      b,
                      X_WA,
                      X_AB,
                      margin,
                      std::min(a.thickness, b.thickness),
                      CalcCoreDistance(a.core, b.core, X_AB, margin)};
  const CoreDistance& nearest = pair.nearest;
  if (nearest.distance >= margin) return;
  const double tie = 1e-9 * pair.size;
  const FaceAxis face_a = FindFaceAxis(a, b, X_AB, nearest.p_B, nearest.n_A, tie);
  const RigidTransform X_BA = X_AB.Inverse();
  const FaceAxis face_b = FindFaceAxis(b, a, X_BA, X_BA * nearest.p_A, X_BA.R * -nearest.n_A, tie);

  const bool reference_is_a = !IsBetter(face_b.separation, face_a.separation, 0.02, 1e-4 * pair.size);
  const FaceAxis& face = reference_is_a ? face_a : face_b;
  // The signed distance bounds what edges can offer.
  const auto beats_face = [&](double separation) {
    return IsBetter(separation, face.separation, kEdgeRatio, kEdgeLength * pair.size);
  };
  NearestFeatures features;
  const bool edges_may_win = beats_face(nearest.distance);
  if (edges_may_win) features = FindNearestFeatures(a, b, X_AB, nearest, pair.size);
  const bool edge_wins = edges_may_win && beats_face(CalcEdgeSeparation(a, b, X_AB, nearest, features));
  if (!edge_wins) AddFacePoints(pair, face.face, reference_is_a, out);

  // Shapes that are apart may be nearest where the two faces do not overlap.
  const bool faces_suffice = out.num_points > 0 && !IsBetter(CalcSmallestGap(out), nearest.distance,
                                                             kEdgeRatio, kEdgeLength * pair.size);
  if (faces_suffice) return;
  if (!edges_may_win) features = FindNearestFeatures(a, b, X_AB, nearest, pair.size);
  if (nearest.distance > kDegenerateLength * pair.size) {
    if (out.num_points == Manifold::kMaxConvexPoints) --out.num_points;  // room for the nearest
    AddNearestPoints(pair, features, out);
    return;
  }
  // The deepest vertex may lie beside a small reference face: then the point of least translation joins.
  const bool misses_depth =
      IsBetter(CalcSmallestGap(out), nearest.distance, kMissedRatio, kMissedLength * pair.size);
  if (out.num_points > 0 && !misses_depth) return;
  if (out.num_points > 0 || nearest.distance > face.separation + tie) {
    if (out.num_points == Manifold::kMaxConvexPoints) --out.num_points;
    AddEdgePoint(pair, features, out);
  } else {
    AddDeepestVertex(pair, face, reference_is_a, out);
  }
}

}  // namespace

void Collide(const Hull& hull, const RigidTransform& X_WA, const Hull& other, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  CollidePolytopes(MakePolytope(*hull.polytope), X_WA, MakePolytope(*other.polytope), X_WB, margin, out);
}

void Collide(const Box& box, const RigidTransform& X_WA, const Hull& hull, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const BoxPolytope storage(box);
  CollidePolytopes(storage.View(), X_WA, MakePolytope(*hull.polytope), X_WB, margin, out);
}

}  // namespace stiction::narrowphase
