#include "collision/narrowphase/hull.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "collision/narrowphase/contact_point.h"
#include "collision/narrowphase/gatherer.h"
#include "collision/narrowphase/hull_clip.h"
#include "collision/narrowphase/hull_nearest.h"

namespace stiction::narrowphase {
namespace {

using geometry::CoreDistance;

struct HullPair {
  const Polytope &a, &b;
  RigidTransform X_WA, X_AB;
  double size;
  CoreDistance nearest;  // signed
};

// The face of `shape` whose normal separates `other`, at X, best. Any point of the other shape bounds a
// face's separation by its height above the face, so that few faces need a support point.
//   p, n  a point of the other shape where the two are nearest, and the direction towards it; in the frame of
//         `shape`
FaceAxis FindFaceAxis(const Polytope& shape, const Polytope& other, const RigidTransform& X,
                      const Vector3d& p, const Vector3d& n, double size) {
  FaceAxis best;
  int start = 0;
  const auto offer = [&](int f) {
    const ConvexHull::Face& face = shape.faces[f];
    if (!best.Admits(face.normal.dot(p) - face.offset, size)) return;
    const Vector3d down = X.R.transpose() * -face.normal;
    start = other.FindSupport(down, start);
    best.Offer(f, face.normal.dot(X * other.vertices[start]) - face.offset, size);
  };
  offer(shape.FindFaceAround(shape.FindSupport(n), n));
  for (int f = 0; f < static_cast<int>(shape.faces.size()); ++f) offer(f);
  return best;
}

// Seen from the shape of the reference face: what clipping and the deepest vertex need.
struct HullReferenceView {
  const Polytope &shape, &incident;
  int face;
  bool is_a;
  RigidTransform X_RI, X_WR;
  Vector3d outward_R;

  HullReferenceView(const HullPair& pair, const Reference& reference)
      : shape(reference.is_second ? pair.b : pair.a),
        incident(reference.is_second ? pair.a : pair.b),
        face(reference.face),
        is_a(!reference.is_second),
        X_RI(is_a ? pair.X_AB : pair.X_AB.Inverse()),
        X_WR(is_a ? pair.X_WA : pair.X_WA * pair.X_AB),
        outward_R(shape.faces[face].normal) {}
};

void AddFacePoints(const HullReferenceView& view, double size, Gatherer& out) {
  ClippedHullPolygon polygon;
  ClipIncidentFace(view.shape, view.face, view.incident, view.X_RI, size, polygon);
  const Vector3d outward_W = view.X_WR.R * view.outward_R;
  const Vector3d n_W = view.is_a ? outward_W : Vector3d(-outward_W);
  for (int k = 0; k < polygon.size; ++k) {
    const ClippedHullPoint& point = polygon.points[k];
    out.AddMidway(view.X_WR * point.p_R - (0.5 * point.height) * outward_W, n_W, point.height,
                  MakeFeature(FeatureKind::kFace, point.feature ^ (view.is_a ? 0u : 1u)));
  }
}

void AddNearestPoints(const HullPair& pair, const NearestFeatures& features, Gatherer& out) {
  HullNearestPoints points;
  FindNearestPoints(pair.a, pair.b, pair.X_AB, pair.nearest, features, pair.size, points);
  for (int k = 0; k < points.size; ++k) {
    const HullNearestPoint& point = points.points[k];
    AddPoint(pair.X_WA, point.p_A, point.n_A, point.distance,
             MakeFeature(FeatureKind::kNearest, point.feature), out);
  }
}

// The point of least translation of overlapping shapes: between the edges, if they meet with an edge of each.
void AddEdgePoint(const HullPair& pair, const NearestFeatures& features, Gatherer& out) {
  AddPoint(pair.X_WA, 0.5 * (pair.nearest.p_A + pair.nearest.p_B), pair.nearest.n_A, pair.nearest.distance,
           MakeFeature(FeatureKind::kEdges, features.Name()), out);
}

// The deepest vertex below a face whose clipped polygon is empty although the shapes overlap or touch.
void AddDeepestVertex(const HullReferenceView& view, double separation, Gatherer& out) {
  const int vertex = view.incident.FindSupport(view.X_RI.R.transpose() * -view.outward_R);
  const Vector3d p_R = view.X_RI * view.incident.vertices[vertex];
  AddPoint(view.X_WR, p_R - (0.5 * separation) * view.outward_R,
           view.is_a ? view.outward_R : Vector3d(-view.outward_R), separation,
           MakeFeature(FeatureKind::kCorner, HashNames({vertex, view.is_a})), out);
}

void CollidePolytopes(const Polytope& a, const RigidTransform& X_WA, const Polytope& b,
                      const RigidTransform& X_WB, double margin, Manifold& out) {
  const RigidTransform X_AB = RelativePose(X_WA, X_WB);
  const double size = std::min(a.thickness, b.thickness);
  const HullPair pair{a, b, X_WA, X_AB, size, CalcCoreDistance(a.core, b.core, X_AB, margin)};
  const CoreDistance& nearest = pair.nearest;
  if (nearest.distance >= margin) return;
  const RigidTransform X_BA = X_AB.Inverse();
  const Reference reference =
      ChooseReference(FindFaceAxis(a, b, X_AB, nearest.p_B, nearest.n_A, size),
                      FindFaceAxis(b, a, X_BA, X_BA * nearest.p_A, X_BA.R * -nearest.n_A, size), size);
  const HullReferenceView view(pair, reference);

  // The signed distance bounds what edges can offer.
  const bool edges_may_win = reference.YieldsTo(nearest.distance, size);
  NearestFeatures features;
  if (edges_may_win) features = FindNearestFeatures(a, b, X_AB, nearest, size);
  Gatherer gatherer(margin, size);
  if (!edges_may_win || !reference.YieldsTo(CalcEdgeSeparation(a, b, X_AB, nearest, features), size))
    AddFacePoints(view, size, gatherer);
  const double gap = gatherer.CalcSmallestGap();
  if (Leads(gap, nearest.distance, kEdges, size)) {
    if (!edges_may_win) features = FindNearestFeatures(a, b, X_AB, nearest, size);
    if (nearest.distance > kDegenerateLength * size) {
      AddNearestPoints(pair, features, gatherer);
    } else if (gatherer.count() == 0 && !(nearest.distance > reference.separation + kTie * size)) {
      AddDeepestVertex(view, reference.separation, gatherer);
    } else if (Leads(gap, nearest.distance, kOverlap, size)) {
      AddEdgePoint(pair, features, gatherer);
    }
  }
  gatherer.Finish(out);
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
