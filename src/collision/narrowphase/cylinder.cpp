#include "collision/narrowphase/cylinder.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "collision/narrowphase/contact_point.h"
#include "collision/narrowphase/gatherer.h"
#include "collision/narrowphase/hull_clip.h"
#include "collision/narrowphase/rod.h"
#include "stiction/geometry/distance.h"

namespace stiction::narrowphase {
namespace {

// Sides that cross count as running along one another while their surfaces part by less than this, in sizes.
constexpr double kSkewLength = 1e-7;

enum PointName { kRim, kRimDeepest, kRimCrossing, kCorner, kSideEnd, kSideCrossing, kAlong, kNearestName };

// In A's frame, which is the rod's.
struct RodPoints {
  const RigidTransform& X_WA;
  Gatherer gatherer;
  // Between some point of A and one of B: no less than the distance of the shapes. [m]
  double reach = std::numeric_limits<double>::infinity();

  RodPoints(const RigidTransform& X, double margin, double thickness, double other_thickness)
      : X_WA(X), gatherer(margin, std::min(thickness, other_thickness)) {}
  double size() const { return gatherer.size(); }
  double beside() const { return kBeside * size(); }

  // A surface point of A and one of B, one above the other along n, the unit normal from A to B.
  void Add(const Vector3d& p_A, const Vector3d& p_B, const Vector3d& n, FeatureKind kind, ClippedKind place,
           std::initializer_list<int> names) {
    AddPoint(X_WA, 0.5 * (p_A + p_B), n, n.dot(p_B - p_A),
             MakeFeature(kind, static_cast<std::uint32_t>(place) << 28 | HashNames(names)), gatherer);
  }
  // Points of either shape themselves, where those that are added may be moved.
  void Reach(const Vector3d& p, const Vector3d& q) { reach = std::min(reach, (q - p).norm()); }
};

// A convex face that is the reference, or looks at it.
struct FlatFace {
  Vector3d normal;  // unit, outwards
  double offset = 0.0;
  LateralPolygon polygon;  // seen along `along`, counter-clockwise
  Vector3d along, u, w;    // u, w across it
  int name = 0;

  Vector2d Lateral(const Vector3d& p) const { return {u.dot(p), w.dot(p)}; }
  // Where the line p + t along meets the plane.
  Vector3d Drop(const Vector3d& p) const { return p + (offset - normal.dot(p)) / normal.dot(along) * along; }
  bool Holds(const Vector3d& p, double slack) const { return IsInside(polygon, Lateral(p), -slack); }
  // Across `along`, to the outline's nearest point.
  Vector3d MoveInside(const Vector3d& p) const {
    const Vector2d x = Lateral(p), step = narrowphase::MoveInside(polygon, x) - x;
    return p + step[0] * u + step[1] * w;
  }
};

// The face of a polytope at X_AP as it is seen along a direction of A's frame.
void MakeFlatFace(const Polytope& shape, int face, const RigidTransform& X_AP, const Vector3d& along,
                  FlatFace& out) {
  const ConvexHull::Face& from = shape.faces[face];
  out.normal = X_AP.R * from.normal;
  out.offset = from.offset + out.normal.dot(X_AP.p);
  out.along = along;
  out.u = along.unitOrthogonal();
  out.w = along.cross(out.u);
  out.name = face;
  const bool is_reversed = out.normal.dot(along) < 0.0;
  const auto vertices = shape.VerticesOf(from);
  out.polygon.size = std::min(from.num_vertices, kMaxFaceVertices);
  for (int k = 0; k < out.polygon.size; ++k) {
    const int at = static_cast<int>(static_cast<long>(k) * from.num_vertices / out.polygon.size);
    const int slot = is_reversed ? out.polygon.size - 1 - k : k;
    out.polygon.name[slot] = vertices[at];
    out.polygon.p_R[slot] = X_AP * shape.vertices[vertices[at]];
    out.polygon.x[slot] = out.Lateral(out.polygon.p_R[slot]);
  }
  out.polygon.FindDirections();
}

// Points of the rim, four fixed ones and the deepest along -up, that Land() finds something below or above.
template <typename Land>
void AddRim(const Disc& disc, const Vector3d& up, const Land& land) {
  land(disc.At(1, 0), kRim, 0);
  land(disc.At(0, 1), kRim, 1);
  land(disc.At(-1, 0), kRim, 2);
  land(disc.At(0, -1), kRim, 3);
  const Vector3d down = -up + up.dot(disc.normal) * disc.normal;
  const double sine = down.norm();
  if (sine > kUprightSine) land(disc.center + disc.radius / sine * down, kRimDeepest, 0);
}

// A cap of the rod and a face that look at one another along n, the unit normal from the rod to the face.
void AddCapAndFace(const Disc& disc, const FlatFace& face, bool face_is_reference, const Vector3d& n,
                   RodPoints& out) {
  const double slack = out.beside();
  const ClippedKind of_rim = face_is_reference ? ClippedKind::kIncident : ClippedKind::kReference,
                    of_face = face_is_reference ? ClippedKind::kReference : ClippedKind::kIncident;
  AddRim(disc, -n, [&](const Vector3d& p, int name, int which) {
    if (!face.Holds(p, slack)) return;
    const Vector3d inside = face.MoveInside(p);
    out.Reach(p, face.Drop(inside));
    out.Add(disc.Drop(inside, n), face.Drop(inside), n, FeatureKind::kFace, of_rim,
            {name, disc.name, which, face.name});
  });
  const LateralPolygon& polygon = face.polygon;
  for (int k = 0; k < polygon.size; ++k) {
    const Vector3d& corner = polygon.p_R[k];
    const Vector3d dropped = disc.Drop(corner, n);
    if (disc.Holds(dropped, slack))
      out.Add(dropped, corner, n, FeatureKind::kFace, of_face,
              {kCorner, disc.name, polygon.name[k], face.name});
    const int next = polygon.Next(k);
    const Segment edge{0.5 * (corner + polygon.p_R[next]), (polygon.p_R[next] - corner).normalized(),
                       0.5 * (polygon.p_R[next] - corner).norm()};
    if (!(edge.half_length > 0.0)) continue;
    const auto span = ClipToDisc(edge, disc, n);
    if (!span) continue;
    for (const double s : {span->begin, span->end}) {
      if (std::abs(s) >= edge.half_length) continue;  // a corner
      const Vector3d p = edge.At(s);
      out.Add(disc.Drop(p, n), p, n, FeatureKind::kFace, ClippedKind::kCrossing,
              {kRimCrossing, disc.name, polygon.name[k], polygon.name[next], s == span->begin});
    }
  }
}

// The line of the rod's side that is nearest to a face below it, along n from the rod to the face.
void AddSideAndFace(const Rod& rod, const FlatFace& face, const Vector3d& n, RodPoints& out) {
  const Segment line = rod.FindSideLine(n);
  const Vector3d begin = line.At(-line.half_length), step = 2.0 * line.half_length * line.axis;
  const EdgeClip cut = ClipEdge(face.polygon, out.beside(), face.Lateral(begin),
                                face.Lateral(begin + step) - face.Lateral(begin));
  if (cut.enter > cut.leave) return;
  // The slack decides whether there is a point, not where it stands.
  const EdgeClip exact =
      ClipEdge(face.polygon, 0.0, face.Lateral(begin), face.Lateral(begin + step) - face.Lateral(begin));
  const bool is_over_face = exact.enter < exact.leave;
  const auto add = [&](double t, bool is_end, int which, int side) {
    const Vector3d p = begin + t * step;
    if (is_over_face) out.Reach(p, face.Drop(p));
    if (is_end)
      out.Add(p, face.Drop(p), n, FeatureKind::kFace, ClippedKind::kIncident, {kSideEnd, which, face.name});
    else
      out.Add(p, face.Drop(p), n, FeatureKind::kFace, ClippedKind::kCrossing,
              {kSideCrossing, which, face.polygon.name[side], face.name});
  };
  const EdgeClip& place = is_over_face ? exact : cut;
  add(std::max(place.enter, 0.0), cut.enter <= 0.0, 0, cut.enter_side);
  add(std::min(place.leave, 1.0), cut.leave >= 1.0, 1, cut.leave_side);
}

// Two lines that run along one another, each the nearest of its shape along n from A to B: the ends of the
// common stretch. Nothing where they part, or cross.
//   curvature  radius of the sphere whose side against a plane parts as these sides do [m]
void AddAlong(const Segment& a, const Segment& b, const Vector3d& n, double curvature, RodPoints& out) {
  const Vector3d cross = a.axis.cross(b.axis);
  if (cross.norm() > kParallelSine) return;
  const double reach = a.half_length + b.half_length, skew = reach * n.dot(cross);
  if (skew * skew > 2.0 * curvature * kSkewLength * out.size()) return;
  const double cosine = a.axis.dot(b.axis), middle = a.axis.dot(b.center - a.center);
  const double half = b.half_length * std::abs(cosine);
  const Span span{std::max(-a.half_length, middle - half), std::min(a.half_length, middle + half)};
  if (span.length() <= kStretch * out.size()) return;
  for (const double s : {span.begin, span.end}) {
    const Vector3d p = a.At(s);
    // The other line's point in the same plane across a.
    const Vector3d q = b.At((a.axis.dot(p - b.center)) / cosine);
    out.Add(p, q, n, FeatureKind::kEdges, ClippedKind::kCrossing, {kAlong, s == span.end});
  }
}

// A rod's caps: face 0 at the upper end, 1 at the lower.
template <typename Reach>
FaceAxis FindBestCap(const Rod& rod, double size, const Reach& calc_reach) {
  FaceAxis best;
  for (int face = 0; rod.has_caps && face < 2; ++face) {
    const Vector3d normal = CapEnd(face) * rod.axis.axis;
    best.Offer(face, -calc_reach(Vector3d(-normal)) - (normal.dot(rod.axis.center) + rod.axis.half_length),
               size);
  }
  return best;
}

// Where the rims of two caps cross, seen along n: points of the other's. As circles first, then by Newton's
// method on the angle along its rim, since a tilted rim is an ellipse.
template <typename Land>
void AddRimCrossings(const Disc& cap, const Disc& other, const Vector3d& n, const Land& land) {
  const Vector3d apart = cap.Drop(other.center, n) - cap.center;
  const double d = apart.norm();
  if (d <= 1e-9 * cap.radius || d >= cap.radius + other.radius || d <= std::abs(cap.radius - other.radius))
    return;
  const double x = (d * d + cap.radius * cap.radius - other.radius * other.radius) / (2.0 * d);
  const double y = std::sqrt(std::max(0.0, cap.radius * cap.radius - x * x));
  const Vector3d e = apart / d, f = cap.normal.cross(e);
  for (const int side : {1, -1}) {
    const Vector3d start = other.Drop(cap.center + x * e + side * y * f, n) - other.center;
    double angle = std::atan2(start.dot(other.y), start.dot(other.x));
    for (int iteration = 0; iteration < 6; ++iteration) {
      const double c = std::cos(angle), s = std::sin(angle);
      const Vector3d p = cap.Drop(other.At(c, s), n) - cap.center;
      const Vector3d rate = cap.Drop(other.At(-s, c), n) - cap.Drop(other.center, n);
      const double excess = p.squaredNorm() - cap.radius * cap.radius, slope = 2.0 * p.dot(rate);
      if (std::abs(excess) <= 1e-12 * cap.radius * cap.radius) {
        land(other.At(c, s), side);
        break;
      }
      if (!(std::abs(slope) > 1e-3 * cap.radius * other.radius)) break;  // they touch rather than cross
      angle -= std::clamp(excess / slope, -0.3, 0.3);
    }
  }
}

// What a rod is to a cap of the other rod that is the reference: its own cap, and its side.
//   n  unit normal from A to B
void AddCapAndRod(const Disc& cap, const Rod& rod, bool cap_is_of_b, const Vector3d& n, RodPoints& out) {
  const double slack = out.beside();
  const auto add = [&](const Vector3d& on_rod, const Vector3d& on_cap, ClippedKind place,
                       std::initializer_list<int> names) {
    out.Add(cap_is_of_b ? on_rod : on_cap, cap_is_of_b ? on_cap : on_rod, n, FeatureKind::kFace, place,
            names);
  };
  const double along = cap.normal.dot(rod.axis.axis);
  if (rod.has_caps && 1.0 - along * along < kFixedRimSine * kFixedRimSine) {
    const Disc other = MakeCap(rod, along > 0.0 ? -1 : 1);
    AddRim(other, cap.normal, [&](const Vector3d& p, int name, int which) {
      const Vector3d dropped = cap.Drop(p, n);
      if (cap.Holds(dropped, slack))
        add(p, dropped, ClippedKind::kIncident, {name, other.name, which, cap.name, cap_is_of_b});
    });
    AddRim(cap, other.normal, [&](const Vector3d& p, int name, int which) {
      const Vector3d dropped = other.Drop(p, n);
      if (other.Holds(dropped, slack))
        add(dropped, p, ClippedKind::kReference, {name, cap.name, which, other.name, !cap_is_of_b});
    });
    AddRimCrossings(cap, other, n, [&](const Vector3d& p, int side) {
      add(p, cap.Drop(p, n), ClippedKind::kCrossing, {kRimCrossing, cap.name, other.name, side});
    });
  }
  const Segment line = rod.FindSideLine(-cap.normal);
  const auto span = ClipToDisc(line, cap, n);
  if (!span) return;
  for (const double s : {span->begin, span->end}) {
    const Vector3d p = line.At(s);
    const bool is_end = std::abs(s) >= line.half_length;
    add(p, cap.Drop(p, n), is_end ? ClippedKind::kIncident : ClippedKind::kCrossing,
        {kSideEnd, s == span->end, cap.name, is_end});
  }
}

void AddNearest(const Distance& nearest, RodPoints& out) {
  if (Leads(out.gatherer.CalcSmallestGap(), nearest.distance, kEdges, out.size()))
    out.Add(nearest.p_WA, nearest.p_WB, nearest.n_W, FeatureKind::kNearest, ClippedKind::kIncident,
            {kNearestName});
}

// Both in A's frame. The nearest points' frame W is A's.
void CollideRods(const Rod& a, const Rod& b, const Distance& nearest, RodPoints& out) {
  const Reference reference = ChooseReference(
      FindBestCap(a, out.size(), [&](const Vector3d& n) { return b.CalcReach(n); }),
      FindBestCap(b, out.size(), [&](const Vector3d& n) { return a.CalcReach(n); }), out.size());
  if (!reference.YieldsTo(nearest.distance, out.size())) {
    const Disc cap = MakeCap(reference.is_second ? b : a, CapEnd(reference.face));
    const Vector3d n = reference.is_second ? Vector3d(-cap.normal) : cap.normal;
    AddCapAndRod(cap, reference.is_second ? a : b, reference.is_second, n, out);
  } else {
    const Vector3d& n = nearest.n_W;
    AddAlong(a.FindSideLine(n), b.FindSideLine(-n), n, a.radius * b.radius / (a.radius + b.radius), out);
  }
  AddNearest(nearest, out);
}

// Edges of the polytope at its point nearest to the rod that run along the rod's side.
void AddSideAndEdges(const Rod& rod, const Polytope& shape, const RigidTransform& X_AP, const Vector3d& n,
                     RodPoints& out) {
  const Segment line = rod.FindSideLine(n);
  const int vertex = shape.FindSupport(X_AP.R.transpose() * -n);
  for (const int neighbor : shape.NeighborsOf(vertex)) {
    const Vector3d from = X_AP * shape.vertices[vertex], to = X_AP * shape.vertices[neighbor];
    const double length = (to - from).norm();
    if (std::abs(n.dot(to - from)) > kParallelSine * length) continue;
    AddAlong(line, {0.5 * (from + to), (to - from) / length, 0.5 * length}, n, rod.radius, out);
  }
}

Reference FindReference(const Rod& rod, const Polytope& shape, const RigidTransform& X_AP, double size) {
  // The polytope's faces come first: most often the rod stands on them.
  FaceAxis shape_axis;
  for (int f = 0; f < static_cast<int>(shape.faces.size()); ++f) {
    const Vector3d normal = X_AP.R * shape.faces[f].normal;
    shape_axis.Offer(f, -rod.CalcReach(-normal) - (shape.faces[f].offset + normal.dot(X_AP.p)), size);
  }
  int start = 0;
  const FaceAxis cap_axis = FindBestCap(rod, size, [&](const Vector3d& n) {
    start = shape.FindSupport(X_AP.R.transpose() * n, start);
    return n.dot(X_AP * shape.vertices[start]);
  });
  return ChooseReference(shape_axis, cap_axis, size);
}

// What looks at the reference, clipped against it.
void AddFacePoints(const Rod& rod, const Polytope& shape, const RigidTransform& X_AP,
                   const Reference& reference, RodPoints& out) {
  FlatFace face;
  if (!reference.is_second) {
    const Vector3d normal = X_AP.R * shape.faces[reference.face].normal, n = -normal;
    MakeFlatFace(shape, reference.face, X_AP, normal, face);
    const double along = normal.dot(rod.axis.axis);
    if (1.0 - along * along < kFixedRimSine * kFixedRimSine)
      AddCapAndFace(MakeCap(rod, along > 0.0 ? -1 : 1), face, true, n, out);
    AddSideAndFace(rod, face, n, out);
  } else {
    const Disc cap = MakeCap(rod, CapEnd(reference.face));
    const Vector3d& n = cap.normal;
    const Vector3d down_P = X_AP.R.transpose() * -n;
    const int incident = shape.FindFaceAround(shape.FindSupport(down_P), down_P);
    MakeFlatFace(shape, incident, X_AP, n, face);
    if (-face.normal.dot(n) > 1e-3) AddCapAndFace(cap, face, false, n, out);
  }
}

// The distance in A's frame; nothing if it is not below the margin.
std::optional<Distance> FindNearest(const geometry::Core& a, const geometry::Core& b,
                                    const RigidTransform& X_AB, double margin) {
  const double inflation = a.inflation + b.inflation;
  const geometry::CoreDistance nearest = geometry::CalcCoreDistance(a, b, X_AB, margin + inflation);
  const double distance = nearest.distance - inflation;
  if (nearest.distance >= margin + inflation || distance >= margin) return std::nullopt;
  const Vector3d p_A = nearest.p_A + a.inflation * nearest.n_A;
  return Distance{distance, p_A, p_A + distance * nearest.n_A, nearest.n_A};
}

double CalcThickness(const Cylinder& cylinder) {
  return 2.0 * std::min(cylinder.radius, cylinder.half_length);
}

// The distance, which is dear, lies between the reference's separation and the reach of its points: it is
// asked for where the rules do not say the same for all distances between these two.
void CollideWithPolytope(const Cylinder& cylinder, const RigidTransform& X_WA, const Polytope& polytope,
                         const RigidTransform& X_WB, double margin, bool asks_faces, Manifold& out) {
  const RigidTransform X_AB = RelativePose(X_WA, X_WB);
  RodPoints points(X_WA, margin, CalcThickness(cylinder), polytope.thickness);
  const double size = points.size();
  const Rod rod = MakeRod(cylinder, {});
  const Reference reference = FindReference(rod, polytope, X_AB, size);
  if (asks_faces && reference.separation >= margin) return;
  AddFacePoints(rod, polytope, X_AB, reference, points);
  const bool is_certain = asks_faces && points.reach < margin && !reference.YieldsTo(points.reach, size) &&
                          !Leads(points.gatherer.CalcSmallestGap(), reference.separation, kEdges, size);
  if (!is_certain) {
    const auto nearest = FindNearest(geometry::MakeCore(cylinder), polytope.core, X_AB, margin);
    if (!nearest) return;
    if (reference.YieldsTo(nearest->distance, size)) {
      points.gatherer.Clear();
      AddSideAndEdges(rod, polytope, X_AB, nearest->n_W, points);
    }
    AddNearest(*nearest, points);
  }
  points.gatherer.Finish(out);
}

}  // namespace

void Collide(const Capsule& capsule, const RigidTransform& X_WA, const Cylinder& cylinder,
             const RigidTransform& X_WB, double margin, Manifold& out) {
  const auto nearest = FindNearest(geometry::MakeCore(capsule), geometry::MakeCore(cylinder),
                                   RelativePose(X_WA, X_WB), margin);
  if (nearest) CollideWithNearest(capsule, X_WA, cylinder, X_WB, margin, *nearest, out);
}

void CollideWithNearest(const Capsule& capsule, const RigidTransform& X_WA, const Cylinder& cylinder,
                        const RigidTransform& X_WB, double margin, const Distance& nearest, Manifold& out) {
  const RigidTransform X_AB = RelativePose(X_WA, X_WB);
  RodPoints points(X_WA, margin, 2.0 * capsule.radius, CalcThickness(cylinder));
  CollideRods(MakeRod(capsule, {}), MakeRod(cylinder, X_AB), nearest, points);
  points.gatherer.Finish(out);
}

void Collide(const Cylinder& cylinder, const RigidTransform& X_WA, const Cylinder& other,
             const RigidTransform& X_WB, double margin, Manifold& out) {
  const RigidTransform X_AB = RelativePose(X_WA, X_WB);
  const auto nearest = FindNearest(geometry::MakeCore(cylinder), geometry::MakeCore(other), X_AB, margin);
  if (!nearest) return;
  RodPoints points(X_WA, margin, CalcThickness(cylinder), CalcThickness(other));
  CollideRods(MakeRod(cylinder, {}), MakeRod(other, X_AB), *nearest, points);
  points.gatherer.Finish(out);
}

void Collide(const Cylinder& cylinder, const RigidTransform& X_WA, const Box& box, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const BoxPolytope storage(box);
  CollideWithPolytope(cylinder, X_WA, storage.View(), X_WB, margin, true, out);
}

void Collide(const Cylinder& cylinder, const RigidTransform& X_WA, const Hull& hull,
             const RigidTransform& X_WB, double margin, Manifold& out) {
  CollideWithPolytope(cylinder, X_WA, MakePolytope(*hull.polytope), X_WB, margin, true, out);
}

void CollideByDistance(const Cylinder& cylinder, const RigidTransform& X_WA, const Box& box,
                       const RigidTransform& X_WB, double margin, Manifold& out) {
  const BoxPolytope storage(box);
  CollideWithPolytope(cylinder, X_WA, storage.View(), X_WB, margin, false, out);
}

void CollideByDistance(const Cylinder& cylinder, const RigidTransform& X_WA, const Hull& hull,
                       const RigidTransform& X_WB, double margin, Manifold& out) {
  CollideWithPolytope(cylinder, X_WA, MakePolytope(*hull.polytope), X_WB, margin, false, out);
}

void CollideAtNearestPoint(const Shape& a, const RigidTransform& X_WA, const Shape& b,
                           const RigidTransform& X_WB, double margin, Manifold& out) {
  const Distance nearest = CalcDistance(a, X_WA, b, X_WB, margin);
  if (nearest.distance >= margin) return;
  AddPoint({}, 0.5 * (nearest.p_WA + nearest.p_WB), nearest.n_W, nearest.distance, margin, 0, out);
}

}  // namespace stiction::narrowphase
