#include "stiction/viz/draw_list.h"

#include <algorithm>

#include "stiction/math/rotation.h"

namespace stiction {
namespace {

DrawInstance MakeInstance(const RigidTransform& X, const Vector3d& scale, const DrawColor& color,
                          const DrawSurface& surface) {
  DrawInstance out;
  Eigen::Map<Eigen::Matrix<float, 3, 4>> pose(out.pose);
  pose.leftCols<3>() = (X.R * scale.asDiagonal()).cast<float>();
  pose.col(3) = X.p.cast<float>();
  out.color = color;
  out.surface = surface;
  return out;
}

// A rotation whose z axis is the unit vector n.
Matrix3d RotationToZ(const Vector3d& n) {
  Matrix3d R;
  R.col(2) = n;
  R.col(0) = n.unitOrthogonal();
  R.col(1) = n.cross(R.col(0));
  return R;
}

}  // namespace

void DrawList::Clear(int num_meshes) {
  for (DrawLayer* layer : {&solid, &overlay}) {
    for (auto& list : layer->instances) list.clear();
    layer->lines.clear();
  }
  for (auto& list : outline.instances) list.clear();
  outline.meshes.clear();
  mesh_instances.resize(num_meshes);
  for (auto& list : mesh_instances) list.clear();
  labels.clear();
  lighting = {};
}

bool DrawList::IsDrawnAs(const DrawList& other) const {
  return outline == other.outline && solid == other.solid && overlay == other.overlay &&
         mesh_instances == other.mesh_instances && lighting == other.lighting;
}

void DrawLayer::Add(DrawPrimitive primitive, const RigidTransform& X, const Vector3d& scale,
                    const DrawColor& color, const DrawSurface& surface) {
  instances[static_cast<int>(primitive)].push_back(MakeInstance(X, scale, color, surface));
}

void DrawList::AddMesh(int mesh, const RigidTransform& X, const DrawColor& color,
                       const DrawSurface& surface) {
  mesh_instances[mesh].push_back(MakeInstance(X, Vector3d::Ones(), color, surface));
}

void DrawLayer::AddLine(const Vector3d& a, const Vector3d& b, const DrawColor& color) {
  lines.push_back({a.cast<float>(), b.cast<float>(), color});
}

void DrawLayer::AddArrow(const Vector3d& p, const Vector3d& vector, double radius, const DrawColor& color) {
  const double length = vector.norm();
  if (!(length > radius)) return;
  const Vector3d n = vector / length;
  const Matrix3d R = RotationToZ(n);
  const double head = std::min(5.0 * radius, 0.5 * length), shaft = length - head;
  Add(DrawPrimitive::kCylinder, {R, p + 0.5 * shaft * n}, {radius, radius, 0.5 * shaft}, color);
  Add(DrawPrimitive::kCone, {R, p + (shaft + 0.5 * head) * n}, {2.2 * radius, 2.2 * radius, 0.5 * head},
      color);
}

void DrawLayer::AddRod(const Vector3d& a, const Vector3d& b, double radius, const DrawColor& color) {
  const double length = (b - a).norm();
  if (!(length > 0.0)) return;
  const Matrix3d R = RotationToZ((b - a) / length);
  Add(DrawPrimitive::kCylinder, {R, 0.5 * (a + b)}, {radius, radius, 0.5 * length}, color);
  for (const Vector3d& end : {a, b}) Add(DrawPrimitive::kSphere, {R, end}, Vector3d::Constant(radius), color);
}

void DrawLayer::AddFrame(const RigidTransform& X, double length) {
  const DrawColor colors[3] = {{0.9f, 0.15f, 0.15f, 1}, {0.15f, 0.75f, 0.15f, 1}, {0.2f, 0.3f, 0.95f, 1}};
  for (int k = 0; k < 3; ++k) AddLine(X.p, X.p + length * X.R.col(k), colors[k]);
}

}  // namespace stiction
