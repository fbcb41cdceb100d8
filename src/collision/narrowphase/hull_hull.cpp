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
  CoreDistance nearest;  // signed; FindFacePoints knows the others alone
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

// The same without a distance: a first guess at the face and at the point. Where several faces separate
// equally well, or nearly, the rules say more than this does.
//   margin  [m]: once a face separates the shapes by that, no better one is sought
struct ClearFaceAxis {
  FaceAxis axis;
  bool is_clear = false;
};
ClearFaceAxis FindClearFaceAxis(const Polytope& shape, const Polytope& other, const RigidTransform& X,
                                double margin, double size) {
  ClearFaceAxis best;
  int start = 0;
  Vector3d down;  // in the other's frame
  const auto calc_separation = [&](int f) {
    const ConvexHull::Face& face = shape.faces[f];
    down = X.R.transpose() * -face.normal;
    start = other.FindSupport(down, start);
    return face.normal.dot(X * other.vertices[start]) - face.offset;
  };
  best.axis.face = shape.FindFaceBelow(X.p);
  best.axis.separation = calc_separation(best.axis.face);
  if (best.axis.separation >= margin) return best;

  // The middle of the face that looks at this one lies well below most others.
  const Vector3d p = X * other.CalcFaceCenter(other.FindFaceAround(start, down));
  const double tie = 2.0 * kTie * size;
  double second = -std::numeric_limits<double>::infinity();
  for (int f = 0; f < static_cast<int>(shape.faces.size()); ++f) {
    const double bound = shape.faces[f].normal.dot(p) - shape.faces[f].offset;
    if (f == best.axis.face || bound < best.axis.separation - tie) continue;
    const double separation = calc_separation(f);
    second = std::max(second, std::min(separation, best.axis.separation));
    if (separation <= best.axis.separation) continue;
    best.axis = {f, separation};
    if (separation >= margin) return best;
  }
  best.is_clear = second < best.axis.separation - tie;
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

// Returns an upper bound of the shapes' distance [m].
double AddFacePoints(const HullReferenceView& view, double size, Gatherer& out) {
  ClippedHullPolygon polygon;
  ClipIncidentFace(view.shape, view.face, view.incident, view.X_RI, size, polygon);
  const Vector3d outward_W = view.X_WR.R * view.outward_R;
  const Vector3d n_W = view.is_a ? outward_W : Vector3d(-outward_W);
  for (int k = 0; k < polygon.size; ++k) {
    const ClippedHullPoint& point = polygon.points[k];
    out.AddMidway(view.X_WR * point.p_R - (0.5 * point.height) * outward_W, n_W, point.height,
                  MakeFeature(FeatureKind::kFace, point.feature ^ (view.is_a ? 0u : 1u)));
  }
  return polygon.reach;
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

// Most shapes that touch do so with a face, and the rules need no distance to say so: it is no less than the
// best face's separation, and no more than the reach of the points clipped against that face. Where the rules
// give one answer for all distances between these two, that answer stands.
enum class FaceAnswer { kApart, kComplete, kUnclear };
FaceAnswer FindFacePoints(const HullPair& pair, Gatherer& out) {
  const double size = pair.size, margin = out.margin();
  const ClearFaceAxis of_a = FindClearFaceAxis(pair.a, pair.b, pair.X_AB, margin, size);
  if (of_a.axis.separation >= margin) return FaceAnswer::kApart;
  const ClearFaceAxis of_b = FindClearFaceAxis(pair.b, pair.a, pair.X_AB.Inverse(), margin, size);
  if (of_b.axis.separation >= margin) return FaceAnswer::kApart;
  if (!of_a.is_clear || !of_b.is_clear) return FaceAnswer::kUnclear;
  const Reference reference = ChooseReference(of_a.axis, of_b.axis, size);
  const double reach = AddFacePoints(HullReferenceView(pair, reference), size, out);
  const bool edges_may_win = reach >= margin || reference.YieldsTo(reach, size);
  const bool may_miss = Leads(out.CalcSmallestGap(), reference.separation, kEdges, size);
  return edges_may_win || may_miss ? FaceAnswer::kUnclear : FaceAnswer::kComplete;
}

// With the distance. `gatherer` is empty, and remains so where the shapes are apart.
void FindPoints(HullPair& pair, Gatherer& gatherer) {
  const Polytope &a = pair.a, &b = pair.b;
  const RigidTransform& X_AB = pair.X_AB;
  const double size = pair.size;
  pair.nearest = CalcCoreDistance(a.core, b.core, X_AB, gatherer.margin());
  const CoreDistance& nearest = pair.nearest;
  if (nearest.distance >= gatherer.margin()) return;
  const RigidTransform X_BA = X_AB.Inverse();
  const Reference reference =
      ChooseReference(FindFaceAxis(a, b, X_AB, nearest.p_B, nearest.n_A, size),
                      FindFaceAxis(b, a, X_BA, X_BA * nearest.p_A, X_BA.R * -nearest.n_A, size), size);
  const HullReferenceView view(pair, reference);

  // The signed distance bounds what edges can offer.
  const bool edges_may_win = reference.YieldsTo(nearest.distance, size);
  NearestFeatures features;
  if (edges_may_win) features = FindNearestFeatures(a, b, X_AB, nearest, size);
  if (!edges_may_win || !reference.YieldsTo(CalcEdgeSeparation(a, b, X_AB, nearest, features), size))
    AddFacePoints(view, size, gatherer);
  const double gap = gatherer.CalcSmallestGap();
  if (!Leads(gap, nearest.distance, kEdges, size)) return;
  if (!edges_may_win) features = FindNearestFeatures(a, b, X_AB, nearest, size);
  if (nearest.distance > kDegenerateLength * size) {
    AddNearestPoints(pair, features, gatherer);
  } else if (gatherer.count() == 0 && !(nearest.distance > reference.separation + kTie * size)) {
    AddDeepestVertex(view, reference.separation, gatherer);
  } else if (Leads(gap, nearest.distance, kOverlap, size)) {
    AddEdgePoint(pair, features, gatherer);
  }
}

void CollidePolytopes(const Polytope& a, const RigidTransform& X_WA, const Polytope& b,
                      const RigidTransform& X_WB, double margin, bool asks_faces, Manifold& out) {
  const double size = std::min(a.thickness, b.thickness);
  HullPair pair{a, b, X_WA, RelativePose(X_WA, X_WB), size, {}};
  Gatherer gatherer(margin, size);
  const FaceAnswer answer = asks_faces ? FindFacePoints(pair, gatherer) : FaceAnswer::kUnclear;
  if (answer == FaceAnswer::kApart) return;
  if (answer == FaceAnswer::kUnclear) {
    gatherer.Clear();
    FindPoints(pair, gatherer);
  }
  gatherer.Finish(out);
}

}  // namespace

void Collide(const Hull& hull, const RigidTransform& X_WA, const Hull& other, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  CollidePolytopes(MakePolytope(*hull.polytope), X_WA, MakePolytope(*other.polytope), X_WB, margin, true,
                   out);
}

void Collide(const Box& box, const RigidTransform& X_WA, const Hull& hull, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const BoxPolytope storage(box);
  CollidePolytopes(storage.View(), X_WA, MakePolytope(*hull.polytope), X_WB, margin, true, out);
}

void CollideByDistance(const Box& box, const RigidTransform& X_WA, const Hull& hull,
                       const RigidTransform& X_WB, double margin, Manifold& out) {
  const BoxPolytope storage(box);
  CollidePolytopes(storage.View(), X_WA, MakePolytope(*hull.polytope), X_WB, margin, false, out);
}

void CollideByDistance(const Hull& hull, const RigidTransform& X_WA, const Hull& other,
                       const RigidTransform& X_WB, double margin, Manifold& out) {
  CollidePolytopes(MakePolytope(*hull.polytope), X_WA, MakePolytope(*other.polytope), X_WB, margin, false,
                   out);
}

}  // namespace stiction::narrowphase
