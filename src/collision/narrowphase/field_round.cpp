// Spheres and capsules at signed distance fields: a core, a point or a segment, with a radius.
#include <algorithm>
#include <cmath>
#include <optional>

#include "collision/narrowphase/contact_point.h"
#include "collision/narrowphase/field.h"
#include "collision/narrowphase/field_search.h"
#include "collision/narrowphase/gatherer.h"
#include "collision/narrowphase/mesh.h"

namespace stiction::narrowphase {
namespace {

constexpr int kOnCore = 2;  // beside the names of triangles
// Of the samples' spacing: a step along the core where the field says less. Thinner walls are not sampled.
constexpr double kCoreStep = 0.25;

struct RoundCore {
  Vector3d middle, half;  // from the middle to one end, zero for a ball

  double length() const { return 2.0 * half.norm(); }
  // 0 at one end, 1 at the other.
  Vector3d At(double s) const { return middle + (2.0 * s - 1.0) * half; }
  Vector3d FindNearest(const Vector3d& p) const {
    const double square = half.squaredNorm();
    return square > 0.0 ? Vector3d(middle + std::clamp(half.dot(p - middle) / square, -1.0, 1.0) * half)
                        : middle;
  }
};

// A core's end that is below the surface where the core goes in, and maybe out of the solid again.
struct Entrance {
  Vector3d p, n;  // of the surface, where the core goes in
  Vector3d end;
  double depth;  // of the end below the tangent plane
  int feature;
};

// From one end of the core, which lies outside, to the other.
std::optional<Entrance> FindEntrance(const FieldSolid& solid, const RoundCore& core, bool from_first) {
  const double length = core.length();
  for (double s = 0.0; s < length;) {
    const Vector3d c = core.At(from_first ? s / length : 1.0 - s / length);
    const FieldSample at = solid.field.Evaluate(c);  // which changes by no more than the way
    if (at.value < 0.0) {
      Entrance in{c - at.value * at.gradient, at.gradient, core.At(from_first ? 1.0 : 0.0), 0.0, from_first};
      in.depth = in.n.dot(in.p - in.end);
      return in.depth > 0.0 ? std::optional(in) : std::nullopt;
    }
    s += std::max(at.value, kCoreStep * solid.spacing);
  }
  return std::nullopt;
}

// Of a core that runs through a wall the end that is the less far through; none where the core is outside, or
// within.
//   first, second  what the field says at the ends
std::optional<Entrance> FindShallowEntrance(const FieldSolid& solid, const RoundCore& core, double first,
                                            double second) {
  if (first + second >= core.length()) return std::nullopt;
  const auto one = first > 0.0 ? FindEntrance(solid, core, true) : std::nullopt;
  const auto other = second > 0.0 ? FindEntrance(solid, core, false) : std::nullopt;
  if (one && other) return one->depth <= other->depth ? one : other;
  return one ? one : other;
}

// Whether a point of the surface with the core's point c at depth `value` behind it lies on the far side of a
// wall: c is not in the solid, or less deep.
bool IsThroughWall(const FieldSolid& solid, const Vector3d& c, double value) {
  constexpr double kDeeper = 1.5;  // than c is: fields that are put together give less than the distance
  const double rounding = 1e-3 * solid.spacing;
  return value < -rounding && value < kDeeper * std::min(solid.field.CalcValue(c), 0.0) - rounding;
}

// Gathers the contacts of one pair, in the field's frame.
class RoundContacts {
 public:
  RoundContacts(const Field& field, const RoundCore& core, double radius, double margin)
      : solid_(*field.solid),
        core_(core),
        radius_(radius),
        gatherer_(margin, std::min(solid_.surface.surface->thickness, 2.0 * radius), kSamePlaceOnMesh) {}

  // What is nearest to the core there, from a point of the field's triangles.
  void AddFromTriangle(const Vector3d& on_field, std::uint32_t feature) {
    const Vector3d c = core_.FindNearest(on_field);
    if (!Add(c, on_field, feature)) AddBelow(c, 0.0, feature);
  }

  // What the core's own points lie above or below. Of a core within a wall all triangles that are found may
  // be of the wall's other side, or of walls beyond.
  void AddFromCore() {
    is_held_ |= gatherer_.count() > 0;
    if (core_.length() == 0.0) {
      AddBelow(core_.middle, 0.0, 0);
      return;
    }
    // Both ends, however far apart: where one that turns fast meets a wall the other may be next.
    AddBelow(core_.At(0.0), gatherer_.margin() + radius_, 0);
    AddBelow(core_.At(1.0), gatherer_.margin() + radius_, 1);
    const double length = core_.length();
    for (double s = 0.0; s < length && !is_held_;)
      s += std::max(AddBelow(core_.At(s / length), 0.0, 2), kCoreStep * solid_.spacing);
  }

  // What is nearest to a core that runs through a wall may be the wall's far side, along all of the part that
  // is through, and would drive it on. It goes back to where it came from: by that end which has less far to
  // go, as between convex shapes.
  void FindEntrance() {
    if (core_.length() == 0.0) return;
    entrance_ = FindShallowEntrance(solid_, core_, solid_.field.CalcValue(core_.At(0.0)),
                                    solid_.field.CalcValue(core_.At(1.0)));
  }
  void AddEntrance() {
    if (!is_driven_on_) return;
    const Entrance& in = *entrance_;
    gatherer_.Add(Gatherer::Kind::kCorner, in.end + in.depth * in.n, in.n, -in.depth - radius_,
                  HashNames({kOnCore, in.feature}));
  }

  void Finish(const RigidTransform& X_WF, Manifold& out) {
    gatherer_.SortOut();
    gatherer_.Finish(X_WF, kMaxMeshPoints, out);
  }

 private:
  // False if `near` is on the far side of a wall.
  bool Add(const Vector3d& c, const Vector3d& near, std::uint32_t feature) {
    const FieldPoint nearest = FindNearestOnSurface(solid_.field, c, near, solid_.spacing);
    if (IsThroughWall(solid_, c, nearest.value)) return false;
    if (entrance_ && nearest.n.dot(entrance_->n) < 0.0 && entrance_->n.dot(entrance_->p - c) > 0.0) {
      is_driven_on_ = true;
      return true;
    }
    gatherer_.Add(Gatherer::Kind::kCorner, nearest.p, nearest.n, nearest.value - radius_, feature);
    return true;
  }

  // What lies below the core's point c itself, if c is nearer than `reach`. Returns φ at c.
  double AddBelow(const Vector3d& c, double reach, std::uint32_t feature) {
    const FieldSample at = solid_.field.Evaluate(c);
    if (at.value >= reach) return at.value;
    const bool is_added = Add(c, c - at.value * at.gradient, HashNames({kOnCore, static_cast<int>(feature)}));
    is_held_ |= is_added && at.value < 0.0;
    return at.value;
  }

  const FieldSolid& solid_;
  RoundCore core_;
  double radius_;
  Gatherer gatherer_;
  bool is_held_ = false;  // by what it is near, or within
  std::optional<Entrance> entrance_;
  bool is_driven_on_ = false;  // by what is nearest
};

template <typename Shape>
void CollideRound(const Field& field, const RigidTransform& X_WA, const Shape& shape,
                  const RigidTransform& X_FC, const RoundCore& core, double margin, Manifold& out) {
  RoundContacts contacts(field, core, shape.radius, margin);
  contacts.FindEntrance();
  Manifold rough;
  // Facets lie beside the surface by a little.
  Collide(field.solid->surface, {}, shape, X_FC, margin + 0.2 * field.solid->spacing, rough);
  for (int k = 0; k < rough.num_points; ++k) {
    const ManifoldPoint& point = rough.points[k];
    contacts.AddFromTriangle(point.p_W - 0.5 * point.gap * point.n_W, point.feature);
  }
  contacts.AddFromCore();
  contacts.AddEntrance();
  contacts.Finish(X_WA, out);
}

}  // namespace

void Collide(const Field& field, const RigidTransform& X_WA, const Sphere& sphere, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const RigidTransform X_FC = RelativePose(X_WA, X_WB);
  CollideRound(field, X_WA, sphere, X_FC, {X_FC.p, Vector3d::Zero()}, margin, out);
}

void Collide(const Field& field, const RigidTransform& X_WA, const Capsule& capsule,
             const RigidTransform& X_WB, double margin, Manifold& out) {
  const RigidTransform X_FC = RelativePose(X_WA, X_WB);
  CollideRound(field, X_WA, capsule, X_FC, {X_FC.p, capsule.half_length * X_FC.R.col(2)}, margin, out);
}

}  // namespace stiction::narrowphase
