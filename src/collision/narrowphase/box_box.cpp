#include "collision/narrowphase/box_box.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/narrowphase/box_clip.h"
#include "collision/narrowphase/box_features.h"
#include "collision/narrowphase/box_nearest.h"
#include "collision/narrowphase/contact_point.h"
#include "collision/narrowphase/gatherer.h"

namespace stiction::narrowphase {
namespace {

struct BoxPair {
  Vector3d h_A, h_B;  // half extents
  RigidTransform X_WA, X_AB;
  double size;  // smallest extent of both [m]
};

// The cross product of two edges that separates best.
struct EdgeAxis {
  int axis_a = 0, axis_b = 0;
  double scale = 0.0;  // that makes the cross product the unit normal from A to B
  double separation = -std::numeric_limits<double>::infinity();
};

// Of all nine, and of those that differ clearly from every face normal: only such an axis may win over a
// face, but whether the boxes overlap at all is for all of them to say.
struct EdgeAxes {
  EdgeAxis any, distinct;
};

// Over the faces of the box h, with the other box at X; numbered as a BoxFace says.
FaceAxis FindFaceAxis(const Vector3d& h, const Vector3d& other_h, const RigidTransform& X, double size) {
  FaceAxis best;
  for (int i = 0; i < 3; ++i) {
    const double separation = std::abs(X.p[i]) - h[i] - X.R.row(i).cwiseAbs().dot(other_h.transpose());
    best.Offer(2 * i + (X.p[i] < 0.0 ? 0 : 1), separation, size);
  }
  return best;
}

// With R = R_AB, axis i of A and the others i1, i2 in cyclic order, and j, j1, j2 likewise of B,
//   e_i × b_j = (R(i1,j) e_i2 - R(i2,j) e_i1) = (R(i,j1) b_j2 - R(i,j2) b_j1)
// so that extents along it and its components need no vectors.
EdgeAxes FindEdgeAxes(const BoxPair& pair) {
  constexpr double kKnownSine = 1e-6;  // below it the direction itself is round-off
  const Matrix3d& R = pair.X_AB.R;
  const Matrix3d abs_R = R.cwiseAbs();
  const Vector3d &p = pair.X_AB.p, &h_A = pair.h_A, &h_B = pair.h_B;
  EdgeAxes best;
  for (int j = 0; j < 3; ++j) {
    const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      const double squared_sine = R(i1, j) * R(i1, j) + R(i2, j) * R(i2, j);
      if (squared_sine < kKnownSine * kKnownSine) continue;
      const double sine = std::sqrt(squared_sine);
      const double along = p[i2] * R(i1, j) - p[i1] * R(i2, j);
      const double reach_A = h_A[i2] * abs_R(i1, j) + h_A[i1] * abs_R(i2, j);
      const double reach_B = h_B[j2] * abs_R(i, j1) + h_B[j1] * abs_R(i, j2);
      const EdgeAxis axis{i, j, Sign(along) / sine, (std::abs(along) - reach_A - reach_B) / sine};
      if (axis.separation > best.any.separation) best.any = axis;
      const double largest_component =
          std::max({abs_R(i1, j), abs_R(i2, j), abs_R(i, j1), abs_R(i, j2)}) / sine;
      const bool distinct = sine > kDistinctEdgesSine && largest_component < kNearFaceNormalCosine;
      if (distinct && axis.separation > best.distinct.separation) best.distinct = axis;
    }
  }
  return best;
}

// Seen from the box of the reference face: what clipping and the deepest vertex need.
struct ReferenceView {
  BoxFace face;
  bool is_a;
  Vector3d h, incident_h;
  RigidTransform X_RI, X_WR;
  Vector3d outward_R, n_R;  // n from A to B

  ReferenceView(const BoxPair& pair, const Reference& reference)
      : face(reference.face),
        is_a(!reference.is_second),
        h(is_a ? pair.h_A : pair.h_B),
        incident_h(is_a ? pair.h_B : pair.h_A),
        X_RI(is_a ? pair.X_AB : pair.X_AB.Inverse()),
        X_WR(is_a ? pair.X_WA : pair.X_WA * pair.X_AB),
        outward_R(face.sign * Vector3d::Unit(face.axis)),
        n_R(is_a ? outward_R : Vector3d(-outward_R)) {}

  void Add(const Vector3d& p_R, double height, std::uint32_t feature, Gatherer& out) const {
    AddPoint(X_WR, p_R - (0.5 * height) * outward_R, n_R, height, feature, out);
  }
};

void AddFacePoints(const ReferenceView& view, double size, Gatherer& out) {
  const ClippedPolygon polygon = ClipIncidentFace(view.h, view.face, view.incident_h, view.X_RI, size);
  const std::uint32_t reference = (view.is_a ? 0u : 8u) | static_cast<std::uint32_t>(view.face.number);
  for (int k = 0; k < polygon.size; ++k) {
    const ClippedPoint& point = polygon.points[k];
    view.Add(point.p_R, point.height, MakeFeature(FeatureKind::kFace, reference << 10 | point.feature), out);
  }
}

// Overlapping boxes that meet with an edge of each: one point, between the edges.
void AddEdgePoint(const BoxPair& pair, const EdgeAxis& axis, Gatherer& out) {
  const Vector3d n_A = axis.scale * Vector3d::Unit(axis.axis_a).cross(pair.X_AB.R.col(axis.axis_b));
  const unsigned vertex_a = SupportVertex(n_A);
  const unsigned vertex_b = SupportVertex(pair.X_AB.R.transpose() * -n_A);
  const Segment edge_a = BoxEdge(pair.h_A, {}, vertex_a, axis.axis_a);
  const Segment edge_b = BoxEdge(pair.h_B, pair.X_AB, vertex_b, axis.axis_b);
  const SegmentPair at = FindNearest(edge_a, edge_b);
  const std::uint32_t edges = EdgeFeature(vertex_a, vertex_a ^ 1u << axis.axis_a) << 6 |
                              EdgeFeature(vertex_b, vertex_b ^ 1u << axis.axis_b);
  AddPoint(pair.X_WA, 0.5 * (edge_a.At(at.s) + edge_b.At(at.t)), n_A, axis.separation,
           MakeFeature(FeatureKind::kEdges, edges), out);
}

// False if the boxes touch, so that there is no direction between nearest points.
bool AddNearestPoints(const BoxPair& pair, Gatherer& out) {
  const NearestPoints nearest = FindNearestPoints(pair.h_A, pair.h_B, pair.X_AB);
  for (int k = 0; k < nearest.size; ++k) {
    const NearestPoint& point = nearest.points[k];
    AddPoint(pair.X_WA, point.p_A, point.n_A, point.distance,
             MakeFeature(FeatureKind::kNearest, point.feature), out);
  }
  return nearest.size > 0;
}

// The deepest vertex below a face whose clipped polygon is empty although the boxes overlap or touch.
void AddDeepestVertex(const ReferenceView& view, double separation, Gatherer& out) {
  const unsigned vertex = SupportVertex(view.X_RI.R.transpose() * -view.outward_R);
  view.Add(view.X_RI * BoxVertex(view.incident_h, vertex), separation,
           MakeFeature(FeatureKind::kCorner, vertex), out);
}

}  // namespace

void Collide(const Box& box, const RigidTransform& X_WA, const Box& other, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const BoxPair pair{box.half_extents, other.half_extents, X_WA, RelativePose(X_WA, X_WB),
                     2.0 * std::min(box.half_extents.minCoeff(), other.half_extents.minCoeff())};
  // Separation along any axis is a lower bound of the distance.
  const FaceAxis face_a = FindFaceAxis(pair.h_A, pair.h_B, pair.X_AB, pair.size);
  if (face_a.separation >= margin) return;
  const FaceAxis face_b = FindFaceAxis(pair.h_B, pair.h_A, pair.X_AB.Inverse(), pair.size);
  if (face_b.separation >= margin) return;
  const EdgeAxes edges = FindEdgeAxes(pair);
  if (edges.any.separation >= margin) return;
  const double separation = std::max({face_a.separation, face_b.separation, edges.any.separation});

  const Reference reference = ChooseReference(face_a, face_b, pair.size);
  const ReferenceView view(pair, reference);
  Gatherer gatherer(margin, pair.size);
  if (!reference.YieldsTo(edges.distinct.separation, pair.size)) AddFacePoints(view, pair.size, gatherer);
  if (Leads(gatherer.CalcSmallestGap(), separation, kEdges, pair.size) &&
      !(separation > 0.0 && AddNearestPoints(pair, gatherer)) && gatherer.count() == 0) {
    if (edges.any.separation > reference.separation) {
      AddEdgePoint(pair, edges.any, gatherer);
    } else {
      AddDeepestVertex(view, reference.separation, gatherer);
    }
  }
  gatherer.Finish(out);
}

}  // namespace stiction::narrowphase
