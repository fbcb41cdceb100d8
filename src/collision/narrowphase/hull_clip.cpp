#include "collision/narrowphase/hull_clip.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/narrowphase/manifold_policy.h"

namespace stiction::narrowphase {
namespace {

std::uint32_t MakeName(ClippedKind kind, std::initializer_list<int> names) {
  return static_cast<std::uint32_t>(kind) << 28 | HashNames(names);
}

// Working set of one clipping.
struct Clipper {
  Clipper(const Polytope& incident_shape, const RigidTransform& X) : incident(incident_shape), X_RI(X) {}

  const Polytope& incident;
  const RigidTransform& X_RI;
  Vector3d normal, u, w;  // of the reference face, and along it
  double offset;
  LateralPolygon reference_face, incident_face;
  // Vertices of the incident shape near its face's plane that are no corners of incident_face.
  int num_extra = 0;
  std::array<int, kMaxFaceVertices> extra;
  Vector3d incident_normal;  // in R
  double beside, slack;

  Vector2d Lateral(const Vector3d& p) const { return {u.dot(p), w.dot(p)}; }

  // The point of the incident surface that faces the reference at the lateral position x: on the incident
  // face's plane, or where that face was extended, on the surface itself.
  Vector3d OnIncidentSurface(const Vector2d& x) const {
    const Vector3d base = offset * normal + x[0] * u + x[1] * w;
    if (num_extra == 0) {
      return base + incident_normal.dot(incident_face.p_R[0] - base) / incident_normal.dot(normal) * normal;
    }
    const Vector3d base_I = X_RI.R.transpose() * (base - X_RI.p), up_I = X_RI.R.transpose() * normal;
    double height = -std::numeric_limits<double>::infinity();
    for (const ConvexHull::Face& face : incident.faces) {
      const double rate = face.normal.dot(up_I);
      // The polytope lies above the faces that look down.
      if (rate < -1e-3) height = std::max(height, (face.offset - face.normal.dot(base_I)) / rate);
    }
    return base + height * normal;
  }

  // Adds p, moved into the reference face.
  void Add(Vector3d p, std::uint32_t feature, ClippedHullPolygon& out) const {
    const Vector2d x = Lateral(p), inside = MoveInside(reference_face, x);
    const double height = normal.dot(p) - offset;
    out.reach = std::min(out.reach, std::sqrt(height * height + (inside - x).squaredNorm()));
    if (inside != x) p = OnIncidentSurface(inside);
    out.points[out.size++] = {p, normal.dot(p) - offset, feature};
  }
};

// Every face vertex, or, of large faces, evenly chosen ones.
void CopyFace(const Clipper& clip, const Polytope& shape, const ConvexHull::Face& face,
              const RigidTransform& X, bool reversed, LateralPolygon& polygon) {
  const auto vertices = shape.VerticesOf(face);
  const int count = face.num_vertices;
  polygon.size = std::min(count, kMaxFaceVertices);
  for (int k = 0; k < polygon.size; ++k) {
    const int at = static_cast<int>(static_cast<long>(k) * count / polygon.size);
    const int slot = reversed ? polygon.size - 1 - k : k;
    polygon.name[slot] = vertices[at];
    polygon.p_R[slot] = X * shape.vertices[vertices[at]];
    polygon.x[slot] = clip.Lateral(polygon.p_R[slot]);
  }
  polygon.FindDirections();
}

// The vertices around the incident face that lie within the tolerance of its plane join it: its outline
// becomes their convex hull (Andrew's monotone chain), and the others count as vertices within.
void ExtendIncidentFace(Clipper& clip, const ConvexHull::Face& face) {
  std::array<int, kMaxFaceVertices> gathered;
  int count = 0;
  const auto add = [&](int vertex) {
    const bool is_full = count == kMaxFaceVertices;
    if (is_full ||
        std::find(gathered.begin(), gathered.begin() + count, vertex) != gathered.begin() + count) {
      return;
    }
    gathered[count++] = vertex;
  };
  for (const int vertex : clip.incident.VerticesOf(face)) add(vertex);
  const int corners = count;
  for (int k = 0; k < count; ++k) {
    for (const int neighbor : clip.incident.NeighborsOf(gathered[k])) {
      if (face.normal.dot(clip.incident.vertices[neighbor]) >= face.offset - clip.beside) add(neighbor);
    }
  }
  if (count == corners) return;

  std::sort(gathered.begin(), gathered.begin() + count);
  std::array<Vector2d, kMaxFaceVertices> x;
  std::array<int, kMaxFaceVertices> order;
  for (int k = 0; k < count; ++k) {
    x[k] = clip.Lateral(clip.X_RI * clip.incident.vertices[gathered[k]]);
    order[k] = k;
  }
  std::sort(order.begin(), order.begin() + count,
            [&](int i, int j) { return x[i].x() != x[j].x() ? x[i].x() < x[j].x() : x[i].y() < x[j].y(); });
  std::array<int, 2 * kMaxFaceVertices> chain;
  int size = 0;
  const auto turns_left = [&](int i, int j, int k) {
    const Vector2d a = x[j] - x[i], b = x[k] - x[i];
    return a.x() * b.y() - a.y() * b.x() > 0.0;
  };
  const auto extend = [&](int k, int least) {
    while (size > least && !turns_left(chain[size - 2], chain[size - 1], k)) --size;
    chain[size++] = k;
  };
  for (int k = 0; k < count; ++k) extend(order[k], 1);
  const int lower = size;
  for (int k = count - 2; k >= 0; --k) extend(order[k], lower);
  --size;  // the first comes back

  std::array<bool, kMaxFaceVertices> is_corner{};
  clip.incident_face.size = size;
  for (int k = 0; k < size; ++k) {
    is_corner[chain[k]] = true;
    clip.incident_face.name[k] = gathered[chain[k]];
    clip.incident_face.p_R[k] = clip.X_RI * clip.incident.vertices[gathered[chain[k]]];
    clip.incident_face.x[k] = x[chain[k]];
  }
  clip.incident_face.FindDirections();
  for (int k = 0; k < count; ++k) {
    if (!is_corner[k]) clip.extra[clip.num_extra++] = gathered[k];
  }
}

void AddVertices(const Clipper& clip, ClippedHullPolygon& out) {
  const LateralPolygon& face = clip.incident_face;
  for (int k = 0; k < face.size; ++k) {
    if (!IsInside(clip.reference_face, face.x[k], -clip.slack)) continue;
    clip.Add(face.p_R[k], MakeName(ClippedKind::kIncident, {face.name[k]}), out);
  }
  for (int k = 0; k < clip.num_extra; ++k) {
    const Vector3d p_R = clip.X_RI * clip.incident.vertices[clip.extra[k]];
    if (!IsInside(clip.reference_face, clip.Lateral(p_R), -clip.slack)) continue;
    clip.Add(p_R, MakeName(ClippedKind::kIncident, {clip.extra[k]}), out);
  }
}

void AddCrossings(const Clipper& clip, ClippedHullPolygon& out) {
  const LateralPolygon &face = clip.incident_face, &sides = clip.reference_face;
  for (int k = 0; k < face.size; ++k) {
    const int next = face.Next(k);
    const EdgeClip cut = ClipEdge(sides, clip.slack, face.x[k], face.x[next] - face.x[k]);
    if (cut.enter > cut.leave) continue;
    const auto add = [&](double t, int side) {
      const Vector3d p = face.p_R[k] + t * (face.p_R[next] - face.p_R[k]);
      const std::uint32_t feature =
          MakeName(ClippedKind::kCrossing,
                   {std::min(face.name[k], face.name[next]), std::max(face.name[k], face.name[next]),
                    sides.name[side], sides.name[sides.Next(side)]});
      clip.Add(clip.num_extra == 0 ? p : clip.OnIncidentSurface(clip.Lateral(p)), feature, out);
    };
    if (cut.enter > 0.0) add(cut.enter, cut.enter_side);
    if (cut.leave < 1.0) add(cut.leave, cut.leave_side);
  }
}

void AddCorners(const Clipper& clip, ClippedHullPolygon& out) {
  const LateralPolygon& face = clip.reference_face;
  for (int k = 0; k < face.size; ++k) {
    if (!IsInside(clip.incident_face, face.x[k], clip.slack)) continue;
    clip.Add(clip.OnIncidentSurface(face.x[k]), MakeName(ClippedKind::kReference, {face.name[k]}), out);
  }
}

}  // namespace

void ClipIncidentFace(const Polytope& reference, int face, const Polytope& incident,
                      const RigidTransform& X_RI, double size, ClippedHullPolygon& out) {
  out.size = 0;
  out.reach = std::numeric_limits<double>::infinity();
  const ConvexHull::Face& reference_face = reference.faces[face];
  const Vector3d down_I = X_RI.R.transpose() * -reference_face.normal;
  const int lowest = incident.FindSupport(down_I);
  const ConvexHull::Face& incident_face = incident.faces[incident.FindFaceAround(lowest, down_I)];
  const double cosine = incident_face.normal.dot(down_I);
  if (cosine < 1e-3) return;  // a needle's tip: no face looks at the reference

  Clipper clip(incident, X_RI);
  clip.normal = reference_face.normal;
  clip.offset = reference_face.offset;
  clip.u = clip.normal.unitOrthogonal();
  clip.w = clip.normal.cross(clip.u);
  clip.incident_normal = X_RI.R * incident_face.normal;
  clip.beside = kBeside * size;
  clip.slack = CalcSlack(cosine, size);
  CopyFace(clip, reference, reference_face, {}, false, clip.reference_face);
  CopyFace(clip, incident, incident_face, X_RI, true, clip.incident_face);
  ExtendIncidentFace(clip, incident_face);
  if (HasSeparatingSide(clip.reference_face, clip.incident_face) ||
      HasSeparatingSide(clip.incident_face, clip.reference_face)) {
    return;
  }
  AddVertices(clip, out);
  AddCrossings(clip, out);
  AddCorners(clip, out);
}

}  // namespace stiction::narrowphase
