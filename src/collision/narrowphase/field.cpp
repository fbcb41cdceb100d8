#include "collision/narrowphase/field.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "collision/narrowphase/contact_point.h"
#include "collision/narrowphase/field_pair.h"
#include "collision/narrowphase/field_search.h"
#include "collision/narrowphase/mesh.h"
#include "collision/narrowphase/mesh_corners.h"
#include "collision/narrowphase/polytope.h"

namespace stiction::narrowphase {
namespace {

using Kind = Gatherer::Kind;

// Whose triangle it is, or vertex.
enum FieldSide { kOnOther, kOnField, kVertexOfOther };

// Patches of a surface that are no longer than this part of the smaller shape give one point each.
constexpr double kPatch = 1.0 / 5.0;
// A triangle that faces the way the field pushes is on the far side of its shape.
constexpr double kFarCosine = 0.5;

double CalcPairSize(const Field& field, double thickness) {
  const double own = field.solid->surface.surface->thickness;
  return thickness > 0.0 ? std::min(own, thickness) : own;
}

// The triangle of another shape, in the field's frame, with its outward normal n. snap(p) moves a point of
// the facet onto the shape's surface.
template <typename Snap>
void AddTriangle(const DistanceField& field, const Vector3d& a, const Vector3d& b, const Vector3d& c,
                 int name, const Snap& snap, Gatherer& out) {
  FieldPoint least = FindLeastOnTriangle(field, a, b, c);
  if (!(least.value < out.margin())) return;
  if (const auto moved = snap(least.p)) {
    const FieldSample at = field.Evaluate(*moved);
    least = {*moved, at.value, at.gradient};
  }
  if (least.n.dot((b - a).cross(c - a)) > kFarCosine * (b - a).cross(c - a).norm()) return;
  out.AddUnseen(least.p - least.value * least.n, least.n, least.value, HashNames({kOnOther, name}));
}

constexpr auto kNoSnap = [](const Vector3d&) { return std::optional<Vector3d>(); };

double CalcPatch(const FieldSolid& field, const MeshSurface& other) {
  return kPatch * std::min(field.surface.surface->radius, other.radius);
}

//   snap  moves a point of a triangle, in the field's frame, onto the other shape's surface
template <typename Snap>
void AddSurface(const FieldSolid& field, const MeshSurface& other, const RigidTransform& X_FM,
                const Snap& snap, Gatherer& out) {
  PatchSearch(field.field, other, X_FM, out.margin(), CalcPatch(field, other)).ForEach([&](int t) {
    AddTriangle(field.field, X_FM * other.vertex(t, 0), X_FM * other.vertex(t, 1), X_FM * other.vertex(t, 2),
                t, snap, out);
  });
}

// Whether some point of the triangle can be within the margin: φ changes by no more than the way.
bool MayTouch(const DistanceField& field, const Vector3d& a, const Vector3d& b, const Vector3d& c,
              double margin) {
  const Vector3d middle = (a + b + c) / 3.0;
  const double reach = std::sqrt(
      std::max({(a - middle).squaredNorm(), (b - middle).squaredNorm(), (c - middle).squaredNorm()}));
  return field.CalcValue(middle) < margin + reach;
}

// The vertices of a face too, beside its least points: it turns about these as soon as anything presses
// beside them, by as much as a step makes of that.
void AddVertices(const DistanceField& field, const Polytope& shape, const RigidTransform& X_FC,
                 Gatherer& out) {
  for (int v = 0; v < static_cast<int>(shape.vertices.size()); ++v) {
    const Vector3d p = X_FC * shape.vertices[v];
    if (!(field.CalcValue(p) < out.margin())) continue;
    const FieldSample at = field.Evaluate(p);
    const Vector3d n_C = X_FC.R.transpose() * at.gradient;
    const auto faces = shape.FacesOf(v);
    const bool is_far = std::any_of(faces.begin(), faces.end(),
                                    [&](int f) { return shape.faces[f].normal.dot(n_C) > kFarCosine; });
    if (!is_far)
      out.AddUnseen(p - at.value * at.gradient, at.gradient, at.value, HashNames({kVertexOfOther, v}));
  }
}

void AddPolytope(const DistanceField& field, const Polytope& shape, const RigidTransform& X_FC,
                 Gatherer& out) {
  AddVertices(field, shape, X_FC, out);
  for (std::size_t f = 0; f < shape.faces.size(); ++f) {
    const auto loop = shape.VerticesOf(shape.faces[f]);
    for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
      const Vector3d a = X_FC * shape.vertices[loop[0]], b = X_FC * shape.vertices[loop[k]],
                     c = X_FC * shape.vertices[loop[k + 1]];
      if (MayTouch(field, a, b, c, out.margin()))
        AddTriangle(field, a, b, c, static_cast<int>(64 * f + k), kNoSnap, out);
    }
  }
}

// Facets of the ball or the cylinder of radius and half length 1, to be stretched.
struct Facets {
  std::vector<std::array<Vector3d, 3>> triangles;

  void AddQuad(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
    triangles.push_back({a, b, c});
    triangles.push_back({a, c, d});
  }
  static constexpr int kSides = 32;
  static Vector3d OnCircle(int k, double radius, double z) {
    const double angle = 2.0 * std::numbers::pi * k / kSides;
    return {radius * std::cos(angle), radius * std::sin(angle), z};
  }
};

const Facets& BallFacets() {
  static const Facets facets = [] {
    Facets out;
    constexpr int kRings = Facets::kSides / 2;
    for (int ring = 0; ring < kRings; ++ring) {
      const double low = std::numbers::pi * ring / kRings, high = std::numbers::pi * (ring + 1) / kRings;
      for (int k = 0; k < Facets::kSides; ++k) {
        const auto at = [&](int side, double polar) {
          return Facets::OnCircle(side, std::sin(polar), -std::cos(polar));
        };
        if (ring > 0) out.triangles.push_back({at(k, low), at(k + 1, low), at(k + 1, high)});
        if (ring + 1 < kRings) out.triangles.push_back({at(k, low), at(k + 1, high), at(k, high)});
        if (ring == 0) out.triangles.push_back({at(k, low), at(k + 1, high), at(k, high)});
      }
    }
    return out;
  }();
  return facets;
}

const Facets& CylinderFacets() {
  static const Facets facets = [] {
    Facets out;
    for (int k = 0; k < Facets::kSides; ++k) {
      const auto at = [&](int side, double z) { return Facets::OnCircle(side, 1.0, z); };
      out.AddQuad(at(k, -1), at(k + 1, -1), at(k + 1, 1), at(k, 1));
      out.triangles.push_back({Vector3d(0, 0, 1), at(k, 1), at(k + 1, 1)});
      out.triangles.push_back({Vector3d(0, 0, -1), at(k + 1, -1), at(k, -1)});
    }
    return out;
  }();
  return facets;
}

//   snap  moves a point of a stretched facet, in C's frame, onto C's surface
template <typename Snap>
void AddFacets(const DistanceField& field, const Facets& facets, const Vector3d& stretch,
               const RigidTransform& X_FC, const Snap& snap, Gatherer& out) {
  const RigidTransform X_CF = X_FC.Inverse();
  int name = 0;
  for (const auto& [p, q, r] : facets.triangles) {
    ++name;
    const Vector3d a = X_FC * stretch.cwiseProduct(p), b = X_FC * stretch.cwiseProduct(q),
                   c = X_FC * stretch.cwiseProduct(r);
    // A facet's middle lies below the surface by half of 1 - cos(π / 32) of the radius at most.
    if (!MayTouch(field, a, b, c, out.margin() + 0.01 * stretch.maxCoeff())) continue;
    AddTriangle(
        field, a, b, c, name,
        [&](const Vector3d& p_F) { return std::optional<Vector3d>(X_FC * snap(X_CF * p_F)); }, out);
  }
}

void AddShape(const DistanceField& field, const Ellipsoid& shape, const RigidTransform& X_FC, Gatherer& out) {
  AddFacets(
      field, BallFacets(), shape.radii, X_FC,
      [&](const Vector3d& p) { return Vector3d(p / p.cwiseQuotient(shape.radii).norm()); }, out);
}

void AddShape(const DistanceField& field, const Cylinder& shape, const RigidTransform& X_FC, Gatherer& out) {
  const auto snap = [&](const Vector3d& p) {
    const double rho = p.head<2>().norm();
    // Of a cap's facet, what is not on its outer edge stays.
    if (rho < shape.radius * std::cos(std::numbers::pi / Facets::kSides) * (1.0 - 1e-9)) return p;
    const double share = shape.radius / rho;
    return Vector3d(share * p.x(), share * p.y(), p.z());
  };
  AddFacets(field, CylinderFacets(), {shape.radius, shape.radius, shape.half_length}, X_FC, snap, out);
}

void AddShape(const DistanceField& field, const Box& shape, const RigidTransform& X_FC, Gatherer& out) {
  const BoxPolytope storage(shape);
  AddPolytope(field, storage.View(), X_FC, out);
}

void AddShape(const DistanceField& field, const Hull& shape, const RigidTransform& X_FC, Gatherer& out) {
  AddPolytope(field, MakePolytope(*shape.polytope), X_FC, out);
}

template <typename C>
void CollideConvex(const Field& field, const RigidTransform& X_WA, const C& shape, const RigidTransform& X_WB,
                   double margin, Manifold& out) {
  const FieldSolid& solid = *field.solid;
  const RigidTransform X_FC = RelativePose(X_WA, X_WB);
  Gatherer gatherer(margin, CalcPairSize(field, 2.0 * CalcSmallestRadius(shape)), kSamePlaceOnMesh);
  AddShape(solid.field, shape, X_FC, gatherer);
  GatherCorners(*solid.surface.surface, shape, X_FC, margin, gatherer);
  gatherer.SortOut();
  gatherer.Finish(X_WA, Manifold::kMaxPoints, out);
}

}  // namespace

void Collide(const Plane& plane, const RigidTransform& X_WA, const Field& field, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  Collide(plane, X_WA, field.solid->surface, X_WB, margin, out);
}

void Collide(const Field& field, const RigidTransform& X_WA, const Ellipsoid& ellipsoid,
             const RigidTransform& X_WB, double margin, Manifold& out) {
  CollideConvex(field, X_WA, ellipsoid, X_WB, margin, out);
}

void Collide(const Field& field, const RigidTransform& X_WA, const Cylinder& cylinder,
             const RigidTransform& X_WB, double margin, Manifold& out) {
  CollideConvex(field, X_WA, cylinder, X_WB, margin, out);
}

void Collide(const Field& field, const RigidTransform& X_WA, const Box& box, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  CollideConvex(field, X_WA, box, X_WB, margin, out);
}

void Collide(const Field& field, const RigidTransform& X_WA, const Hull& hull, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  CollideConvex(field, X_WA, hull, X_WB, margin, out);
}

void Collide(const Field& field, const RigidTransform& X_WA, const Mesh& mesh, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  const FieldSolid& solid = *field.solid;
  const RigidTransform X_FM = RelativePose(X_WA, X_WB);
  Gatherer gatherer(margin, CalcPairSize(field, mesh.surface->thickness), kSamePlaceOnMesh);
  AddSurface(solid, *mesh.surface, X_FM, kNoSnap, gatherer);
  GatherCorners(*solid.surface.surface, *mesh.surface, X_FM, margin, gatherer);
  gatherer.SortOut();
  gatherer.Finish(X_WA, Manifold::kMaxPoints, out);
}

void Collide(const Field& field, const RigidTransform& X_WA, const Field& other, const RigidTransform& X_WB,
             double margin, Manifold& out) {
  CollideFields(field, X_WA, other, X_WB, margin, nullptr, out);
}

void FindDeepOverlap(const Field& field, const RigidTransform& X_WA, const Field& other,
                     const RigidTransform& X_WB, double depth, Manifold& out) {
  out.num_points = 0;
  CollideFields(field, X_WA, other, X_WB, -depth, nullptr, out);
}

}  // namespace stiction::narrowphase
