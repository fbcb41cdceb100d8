#include "primitives.h"

#include <cmath>

namespace stiction::viewer {
namespace {

using Eigen::Vector3f;

void AddTriangle(DrawMesh& mesh, const Vector3f (&p)[3], const Vector3f (&n)[3]) {
  for (int k = 0; k < 3; ++k) mesh.positions.push_back(p[k]), mesh.normals.push_back(n[k]);
}

// Counter-clockwise seen from outside.
void AddQuad(DrawMesh& mesh, const Vector3f (&p)[4], const Vector3f (&n)[4]) {
  AddTriangle(mesh, {p[0], p[1], p[2]}, {n[0], n[1], n[2]});
  AddTriangle(mesh, {p[0], p[2], p[3]}, {n[0], n[2], n[3]});
}

Vector3f OnCircle(int k, int segments, float radius, float z) {
  const float angle = 2.0f * static_cast<float>(M_PI) * static_cast<float>(k) / static_cast<float>(segments);
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

DrawMesh MakeBox() {
  DrawMesh mesh;
  for (int axis = 0; axis < 3; ++axis) {
    for (float side : {-1.0f, 1.0f}) {
      Vector3f n = Vector3f::Zero(), u = n, v = n;
      n[axis] = side, u[(axis + 1) % 3] = 1.0f, v[(axis + 2) % 3] = side;
      AddQuad(mesh, {n - u - v, n + u - v, n + u + v, n - u + v}, {n, n, n, n});
    }
  }
  return mesh;
}

DrawMesh MakeSphere(int segments) {
  DrawMesh mesh;
  const int rings = segments / 2;
  const auto point = [&](int ring, int k) {
    const float polar = static_cast<float>(M_PI) * static_cast<float>(ring) / static_cast<float>(rings);
    return OnCircle(k, segments, std::sin(polar), std::cos(polar));
  };
  for (int ring = 0; ring < rings; ++ring) {
    for (int k = 0; k < segments; ++k) {
      const Vector3f a = point(ring, k), b = point(ring + 1, k), c = point(ring + 1, k + 1),
                     d = point(ring, k + 1);
      AddTriangle(mesh, {a, b, c}, {a, b, c});
      if (ring > 0) AddTriangle(mesh, {a, c, d}, {a, c, d});
    }
  }
  return mesh;
}

void AddDisc(DrawMesh& mesh, int segments, float z) {
  const Vector3f n(0, 0, z > 0 ? 1.0f : -1.0f), center(0, 0, z);
  for (int k = 0; k < segments; ++k) {
    const Vector3f a = OnCircle(k, segments, 1, z), b = OnCircle(k + 1, segments, 1, z);
    if (z > 0) {
      AddTriangle(mesh, {center, a, b}, {n, n, n});
    } else {
      AddTriangle(mesh, {center, b, a}, {n, n, n});
    }
  }
}

DrawMesh MakeCylinder(int segments) {
  DrawMesh mesh;
  for (int k = 0; k < segments; ++k) {
    const Vector3f m = OnCircle(k, segments, 1, 0), n = OnCircle(k + 1, segments, 1, 0), z(0, 0, 1);
    AddQuad(mesh, {m - z, n - z, n + z, m + z}, {m, n, n, m});
  }
  AddDisc(mesh, segments, 1);
  AddDisc(mesh, segments, -1);
  return mesh;
}

DrawMesh MakeCone(int segments) {
  DrawMesh mesh;
  const Vector3f apex(0, 0, 1);
  for (int k = 0; k < segments; ++k) {
    const Vector3f a = OnCircle(k, segments, 1, -1), b = OnCircle(k + 1, segments, 1, -1);
    const Vector3f na = Vector3f(a.x(), a.y(), 0.5f).normalized(),
                   nb = Vector3f(b.x(), b.y(), 0.5f).normalized();
    AddTriangle(mesh, {a, b, apex}, {na, nb, (na + nb).normalized()});
  }
  AddDisc(mesh, segments, -1);
  return mesh;
}

DrawMesh MakeGround() {
  DrawMesh mesh;
  const Vector3f n(0, 0, 1);
  AddQuad(mesh, {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {n, n, n, n});
  return mesh;
}

}  // namespace

DrawMesh MakePrimitive(DrawPrimitive primitive, int segments) {
  switch (primitive) {
    case DrawPrimitive::kBox:
      return MakeBox();
    case DrawPrimitive::kSphere:
      return MakeSphere(segments);
    case DrawPrimitive::kCylinder:
      return MakeCylinder(segments);
    case DrawPrimitive::kCone:
      return MakeCone(segments);
    case DrawPrimitive::kGround:
      return MakeGround();
    case DrawPrimitive::kMesh:
      break;
  }
  return {};
}

}  // namespace stiction::viewer
