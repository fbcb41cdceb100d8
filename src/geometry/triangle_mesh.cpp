#include "stiction/geometry/triangle_mesh.h"

#include <Eigen/Geometry>
#include <cmath>

#include "stiction/geometry/convex_hull.h"

namespace stiction {
namespace {

struct Triangle {
  Vector3d a, b, c;
};

Triangle TriangleOf(const TriangleMesh& mesh, const std::array<int, 3>& t, const Vector3d& origin) {
  return {mesh.vertices[t[0]] - origin, mesh.vertices[t[1]] - origin, mesh.vertices[t[2]] - origin};
}

double CalcArea(const Triangle& t) {
  return 0.5 * (t.b - t.a).cross(t.c - t.a).norm();
}

// Signed volume of the tetrahedron between the origin and the triangle.
double CalcVolume(const Triangle& t) {
  return t.a.dot(t.b.cross(t.c)) / 6.0;
}

// ∫ x xᵀ over a simplex with these vertices, and the origin as a further one for a tetrahedron, divided by
// its measure. Over a triangle the divisor is 12, over a tetrahedron 20: the vertices' second moments and
// that of their sum.
Matrix3d CalcMeanSecondMoment(const Triangle& t, double divisor) {
  const Vector3d sum = t.a + t.b + t.c;
  return (t.a * t.a.transpose() + t.b * t.b.transpose() + t.c * t.c.transpose() + sum * sum.transpose()) /
         divisor;
}

Vector3d CalcAreaCentroid(const TriangleMesh& mesh) {
  Vector3d moment = Vector3d::Zero();
  double area = 0.0;
  for (const auto& t : mesh.triangles) {
    const Triangle triangle = TriangleOf(mesh, t, Vector3d::Zero());
    const double part = CalcArea(triangle);
    area += part;
    moment += part / 3.0 * (triangle.a + triangle.b + triangle.c);
  }
  return area > 0.0 ? Vector3d(moment / area) : Vector3d::Zero();
}

// What one triangle weighs: its tetrahedron to the origin, or itself.
double CalcWeight(const Triangle& triangle, MeshSolid solid) {
  switch (solid) {
    case MeshSolid::kLegacy:
      return std::abs(CalcVolume(triangle));
    case MeshSolid::kShell:
      return CalcArea(triangle);
    case MeshSolid::kExact:
    case MeshSolid::kConvex:  // has its own way, through the hull
      return CalcVolume(triangle);
  }
  return 0.0;
}

double SumWeights(const TriangleMesh& mesh, MeshSolid solid, const Vector3d& origin) {
  double measure = 0.0;
  for (const auto& t : mesh.triangles) measure += CalcWeight(TriangleOf(mesh, t, origin), solid);
  return measure;
}

// Centre of mass, from tetrahedra that stand on the area's centroid. The area's centroid itself if they weigh
// nothing.
Vector3d CalcCenter(const TriangleMesh& mesh, MeshSolid solid) {
  const Vector3d origin = CalcAreaCentroid(mesh);
  const double tip = solid == MeshSolid::kShell ? 3.0 : 4.0;  // vertices of the simplex, the origin included
  double measure = 0.0;
  Vector3d moment = Vector3d::Zero();
  for (const auto& t : mesh.triangles) {
    const Triangle triangle = TriangleOf(mesh, t, origin);
    const double weight = CalcWeight(triangle, solid);
    measure += weight;
    moment += weight / tip * (triangle.a + triangle.b + triangle.c);
  }
  return measure > 0.0 ? Vector3d(origin + moment / measure) : origin;
}

}  // namespace

double CalcSignedVolume(const TriangleMesh& mesh) {
  // About a point of the mesh's own, so that a mesh far from the origin does not cancel.
  const Vector3d origin = CalcAreaCentroid(mesh);
  double volume = 0.0;
  for (const auto& t : mesh.triangles) volume += CalcVolume(TriangleOf(mesh, t, origin));
  return volume;
}

double CalcArea(const TriangleMesh& mesh) {
  double area = 0.0;
  for (const auto& t : mesh.triangles) area += CalcArea(TriangleOf(mesh, t, Vector3d::Zero()));
  return area;
}

double CalcSolidMeasure(const TriangleMesh& mesh, MeshSolid solid) {
  if (solid == MeshSolid::kConvex) return MakeConvexHull(mesh.vertices).unit_density.mass;
  // With absolute volumes the sum depends on the point that they stand on: MJCF's is the centre of mass.
  return SumWeights(mesh, solid, CalcCenter(mesh, solid));
}

MassProperties CalcSolidMassProperties(const TriangleMesh& mesh, MeshSolid solid, double mass) {
  if (solid == MeshSolid::kConvex) {
    MassProperties hull = MakeConvexHull(mesh.vertices).unit_density;
    hull.I_BBcm_B *= mass / hull.mass;
    hull.mass = mass;
    return hull;
  }
  MassProperties properties;
  properties.p_BBcm = CalcCenter(mesh, solid);
  const double measure = SumWeights(mesh, solid, properties.p_BBcm);
  if (!(measure > 0.0)) return {};
  properties.mass = mass;
  Matrix3d second = Matrix3d::Zero();
  for (const auto& t : mesh.triangles) {
    const Triangle triangle = TriangleOf(mesh, t, properties.p_BBcm);
    second += CalcWeight(triangle, solid) *
              CalcMeanSecondMoment(triangle, solid == MeshSolid::kShell ? 12.0 : 20.0);
  }
  second *= mass / measure;
  properties.I_BBcm_B = second.trace() * Matrix3d::Identity() - second;
  return properties;
}

}  // namespace stiction
