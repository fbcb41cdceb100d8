#include "collision/narrowphase/box_clip.h"

#include <algorithm>
#include <cmath>

#include "collision/narrowphase/box_features.h"
#include "collision/narrowphase/manifold_policy.h"

namespace stiction::narrowphase {
namespace {

// Working set of one clipping. Lateral coordinates are those along the axes u and v of the reference face.
struct Clipper {
  int i, u, v;                       // reference face's normal axis, and the two along it
  double sign;                       // of the normal
  double h_i;                        // height of the face above the box's centre
  Vector2d limit;                    // half extents of the rectangle
  double slack;                      // by which the side planes stand outside
  std::array<Vector3d, 4> vertices;  // of the incident face, in order around it
  std::array<unsigned, 4> names;
  Vector3d incident_normal;

  Vector2d Lateral(const Vector3d& p) const { return {p[u], p[v]}; }

  // The point of the incident plane above the lateral position x.
  Vector3d OnIncidentPlane(const Vector2d& x) const {
    const Vector3d& p0 = vertices[0];
    Vector3d p;
    p[u] = x[0], p[v] = x[1];
    // The incident face is the one that looks most directly at the reference, so this component is at least
    // 1/sqrt(3).
    p[i] = p0[i] -
           (incident_normal[u] * (p[u] - p0[u]) + incident_normal[v] * (p[v] - p0[v])) / incident_normal[i];
    return p;
  }

  // Adds p, moved into the rectangle.
  void Add(Vector3d p, ClippedKind kind, unsigned name, ClippedPolygon& polygon) const {
    const Vector2d inside = Lateral(p).cwiseMax(-limit).cwiseMin(limit);
    if (inside != Lateral(p)) p = OnIncidentPlane(inside);
    polygon.points[polygon.size++] = {p, sign * p[i] - h_i, static_cast<unsigned>(kind) << 8 | name};
  }
};

Clipper MakeClipper(const Vector3d& reference_h, const BoxFace& reference, const Vector3d& incident_h,
                    const RigidTransform& X_RI, double size) {
  Clipper clip;
  clip.i = reference.axis, clip.u = (reference.axis + 1) % 3, clip.v = (reference.axis + 2) % 3;
  clip.sign = reference.sign;
  clip.h_i = reference_h[clip.i];
  clip.limit = {reference_h[clip.u], reference_h[clip.v]};

  int axis = 0;
  X_RI.R.row(reference.axis).cwiseAbs().maxCoeff(&axis);
  const bool positive = reference.sign * X_RI.R(reference.axis, axis) < 0.0;
  clip.incident_normal = (positive ? 1.0 : -1.0) * X_RI.R.col(axis);
  clip.slack = CalcSlack(std::abs(clip.incident_normal[clip.i]), size);
  const unsigned bit_u = 1u << (axis + 1) % 3, bit_v = 1u << (axis + 2) % 3;
  const unsigned side = positive ? 1u << axis : 0u;
  clip.names = {side, side | bit_u, side | bit_u | bit_v, side | bit_v};
  for (int k = 0; k < 4; ++k) clip.vertices[k] = X_RI * BoxVertex(incident_h, clip.names[k]);
  return clip;
}

// Distances of the rectangle's corners inside of the incident edge that starts at vertex k; negative outside.
std::array<double, 4> CalcCornerDistances(const Clipper& clip, int k, double orientation) {
  const Vector2d start = clip.Lateral(clip.vertices[k]);
  const Vector2d along = (clip.Lateral(clip.vertices[(k + 1) % 4]) - start).normalized();
  std::array<double, 4> distances;
  for (int corner = 0; corner < 4; ++corner) {
    const Vector2d to_corner =
        Vector2d(corner & 1 ? clip.limit[0] : -clip.limit[0], corner & 2 ? clip.limit[1] : -clip.limit[1]) -
        start;
    distances[corner] = orientation * (along[0] * to_corner[1] - along[1] * to_corner[0]);
  }
  return distances;
}

// Which corners of the rectangle lie beneath the incident face, by more than the slack (nearer ones are
// found as crossings). False if some side of either face has the other face entirely beyond it.
bool FindCoveredCorners(const Clipper& clip, std::array<bool, 4>& covered) {
  for (int d = 0; d < 2; ++d) {
    double lower = clip.Lateral(clip.vertices[0])[d], upper = lower;
    for (int k = 1; k < 4; ++k) {
      lower = std::min(lower, clip.Lateral(clip.vertices[k])[d]);
      upper = std::max(upper, clip.Lateral(clip.vertices[k])[d]);
    }
    if (lower >= clip.limit[d] || upper <= -clip.limit[d]) return false;
  }
  const Vector2d first = clip.Lateral(clip.vertices[1]) - clip.Lateral(clip.vertices[0]);
  const Vector2d second = clip.Lateral(clip.vertices[2]) - clip.Lateral(clip.vertices[1]);
  const double orientation = first[0] * second[1] - first[1] * second[0] < 0.0 ? -1.0 : 1.0;
  covered.fill(true);
  for (int k = 0; k < 4; ++k) {
    const std::array<double, 4> distances = CalcCornerDistances(clip, k, orientation);
    if (*std::max_element(distances.begin(), distances.end()) <= 0.0) return false;
    for (int corner = 0; corner < 4; ++corner) covered[corner] &= distances[corner] > clip.slack;
  }
  return true;
}

// Part of an incident edge within the rectangle grown by the slack: parameters in [0, 1], and the side
// planes (0-3) that cut it.
struct EdgeOnFace {
  double enter = 0.0, leave = 1.0;
  unsigned enter_plane = 0, leave_plane = 0;
};
EdgeOnFace ClipEdge(const Clipper& clip, const Vector2d& start, const Vector2d& step) {
  EdgeOnFace cut;
  for (unsigned plane = 0; plane < 4; ++plane) {
    const int d = plane >> 1;
    const double side = plane & 1 ? 1.0 : -1.0;
    const double room =
        clip.limit[d] + clip.slack - side * start[d];  // from the start to the plane, along its normal
    const double rate = side * step[d];
    if (rate > 0.0 && room < cut.leave * rate) cut.leave = room / rate, cut.leave_plane = plane;
    if (rate < 0.0 && room < cut.enter * rate) cut.enter = room / rate, cut.enter_plane = plane;
    if (rate == 0.0 && room < 0.0) cut.leave = -1.0;
  }
  return cut;
}

}  // namespace

ClippedPolygon ClipIncidentFace(const Vector3d& reference_h, const BoxFace& reference,
                                const Vector3d& incident_h, const RigidTransform& X_RI, double size) {
  ClippedPolygon polygon;
  const Clipper clip = MakeClipper(reference_h, reference, incident_h, X_RI, size);
  std::array<bool, 4> covered;
  if (!FindCoveredCorners(clip, covered)) return polygon;

  std::array<EdgeOnFace, 4> cuts;
  for (int k = 0; k < 4; ++k) {
    const Vector2d start = clip.Lateral(clip.vertices[k]);
    cuts[k] = ClipEdge(clip, start, clip.Lateral(clip.vertices[(k + 1) % 4]) - start);
    if (cuts[k].enter == 0.0 && cuts[k].leave >= 0.0)
      clip.Add(clip.vertices[k], ClippedKind::kIncident, clip.names[k], polygon);
  }
  for (int k = 0; k < 4; ++k) {
    const EdgeOnFace& cut = cuts[k];
    if (cut.enter > cut.leave) continue;
    const int next = (k + 1) % 4;
    const unsigned edge = EdgeFeature(clip.names[k], clip.names[next]);
    const auto at = [&](double t) -> Vector3d {
      return clip.vertices[k] + t * (clip.vertices[next] - clip.vertices[k]);
    };
    if (cut.enter > 0.0)
      clip.Add(at(cut.enter), ClippedKind::kCrossing, cut.enter_plane << 6 | edge, polygon);
    if (cut.leave < 1.0)
      clip.Add(at(cut.leave), ClippedKind::kCrossing, cut.leave_plane << 6 | edge, polygon);
  }
  for (unsigned corner = 0; corner < 4; ++corner) {
    if (!covered[corner]) continue;
    const Vector2d x(corner & 1 ? clip.limit[0] : -clip.limit[0],
                     corner & 2 ? clip.limit[1] : -clip.limit[1]);
    clip.Add(clip.OnIncidentPlane(x), ClippedKind::kReference, corner, polygon);
  }
  return polygon;
}

}  // namespace stiction::narrowphase
