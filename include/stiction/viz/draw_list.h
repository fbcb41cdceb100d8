// What a renderer draws: a flat list of instances of a few primitives, lines and labels, in world axes and
// single precision. A renderer needs to know nothing else about the engine.
#pragma once

#include <string>
#include <vector>

#include "stiction/math/rigid_transform.h"

namespace stiction {

struct DrawColor {
  float r = 0.7f, g = 0.7f, b = 0.7f, a = 1.0f;
};

// Unit shapes, which an instance's pose scales:
//   kBox       [-1, 1]³
//   kSphere    radius 1
//   kCylinder  radius 1, z in [-1, 1], capped
//   kCone      apex at z = 1, base of radius 1 at z = -1
//   kGround    the square [-1, 1]² at z = 0, drawn as a checker of 1 m and a finer one of 0.1 m
//   kMesh      the triangles of DrawInstance::mesh
enum class DrawPrimitive : unsigned char { kBox, kSphere, kCylinder, kCone, kGround, kMesh };
constexpr int kNumDrawPrimitives = 6;

struct DrawInstance {
  float pose[12];  // 3 x 4, column-major: the images of x, y, z, then the origin
  DrawColor color;
};

struct DrawLine {
  Eigen::Vector3f a, b;
  DrawColor color;
};

struct DrawLabel {
  Eigen::Vector3f p;
  std::string text;
};

// Triangles with flat normals: three vertices each.
struct DrawMesh {
  std::vector<Eigen::Vector3f> positions;
  std::vector<Eigen::Vector3f> normals;
};

struct DrawLayer {
  std::vector<DrawInstance> instances[kNumDrawPrimitives];  // kMesh: in DrawList::mesh_instances
  std::vector<DrawLine> lines;

  // X: pose; scale: half extents along its axes.
  void Add(DrawPrimitive primitive, const RigidTransform& X, const Vector3d& scale, const DrawColor& color);
  void AddLine(const Vector3d& a, const Vector3d& b, const DrawColor& color);
  // From p along `vector`, with a shaft of the given radius; nothing if shorter than its radius.
  void AddArrow(const Vector3d& p, const Vector3d& vector, double radius, const DrawColor& color);
  // A straight piece with round ends from a to b; nothing if they coincide.
  void AddRod(const Vector3d& a, const Vector3d& b, double radius, const DrawColor& color);
  // Three lines: x red, y green, z blue.
  void AddFrame(const RigidTransform& X, double length);
};

struct DrawList {
  DrawLayer solid;
  DrawLayer overlay;  // drawn over all that is solid, as marks inside of bodies have to be
  std::vector<std::vector<DrawInstance>> mesh_instances;  // solid, by mesh
  std::vector<DrawLabel> labels;

  // Empties the list and keeps its memory.
  void Clear(int num_meshes);

  void AddMesh(int mesh, const RigidTransform& X, const DrawColor& color);
};

}  // namespace stiction
