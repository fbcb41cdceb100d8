// What a renderer draws: a flat list of instances of a few primitives, lines and labels, in world axes and
// single precision. A renderer needs to know nothing else about the engine.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stiction/math/rigid_transform.h"

namespace stiction {

struct DrawColor {
  float r = 0.7f, g = 0.7f, b = 0.7f, a = 1.0f;

  bool operator==(const DrawColor&) const = default;
};

// Unit shapes, which an instance's pose scales:
//   kBox       [-1, 1]³
//   kSphere    radius 1
//   kCylinder  radius 1, z in [-1, 1], capped
//   kCone      apex at z = 1, base of radius 1 at z = -1
//   kGround    the square [-1, 1]² at z = 0, which fades into the horizon
//   kMesh      the triangles of DrawInstance::mesh
enum class DrawPrimitive : unsigned char { kBox, kSphere, kCylinder, kCone, kGround, kMesh };
constexpr int kNumDrawPrimitives = 6;

// How a picture lies on a shape.
enum class DrawMapping : unsigned char {
  kNone,
  kCorners,      // as DrawMesh::texture_points say
  kPlane,        // along x and y of the unit shape: DrawSurface::repeat times from -1 to 1
  kPlaneMetres,  // the same, along x and y in metres
  kCube,         // a cube around the shape, seen from its middle
  kCubeUnit,     // a cube around the unit shape
  kGrid,         // no picture but lines that tell the scale: of grounds
};

// How a surface takes the light.
struct DrawSurface {
  float roughness = 0.5f;  // in [0, 1]
  float metallic = 0.0f;   // in [0, 1]
  float specular = 0.5f;   // strength of reflections that are not metallic; 0.5: of plastic, glass
  float emission = 0.0f;   // of its colour
  float repeat[2] = {1.0f, 1.0f};
  DrawMapping mapping = DrawMapping::kNone;
  int texture = -1;  // into SceneDrawing::textures(); -1: none

  bool operator==(const DrawSurface&) const = default;
};

struct DrawInstance {
  float pose[12];  // 3 x 4, column-major: the images of x, y, z, then the origin
  DrawColor color;
  DrawSurface surface;

  bool operator==(const DrawInstance&) const = default;
};

struct DrawLine {
  Eigen::Vector3f a, b;
  DrawColor color;

  bool operator==(const DrawLine&) const = default;
};

struct DrawLabel {
  Eigen::Vector3f p;
  std::string text;
};

// Triangles: three vertices each.
struct DrawMesh {
  std::vector<Eigen::Vector3f> positions;
  std::vector<Eigen::Vector3f> normals;
  std::vector<Eigen::Vector2f> texture_points{};  // in a picture, from its lower left corner; empty: none
};

// What lights the scene, and what is around it. Colours are as the eye sees them (sRGB); lights are far away.
struct DrawLighting {
  struct Lamp {
    Eigen::Vector3f towards{0.0f, 0.0f, 1.0f};  // from the scene; a unit vector
    Eigen::Vector3f color{1.0f, 1.0f, 1.0f};    // of light, 1: as bright as the key light

    bool operator==(const Lamp&) const = default;
  };
  Lamp key{};  // casts the shadows
  bool has_shadows = true;
  std::vector<Lamp> fills{};  // at most kMaxFills
  DrawColor zenith{0.40f, 0.53f, 0.70f, 1.0f}, horizon{0.84f, 0.87f, 0.90f, 1.0f},
      nadir{0.55f, 0.56f, 0.58f, 1.0f};
  int sky = -1;  // a cube in place of these three; the horizon is still that which grounds fade to
  std::optional<DrawColor> fog{};
  float fog_start = 0.0f, fog_end = 1.0f;  // [m]

  static constexpr std::size_t kMaxFills = 3;

  bool operator==(const DrawLighting&) const = default;
};

struct DrawLayer {
  std::vector<DrawInstance> instances[kNumDrawPrimitives];  // kMesh: in DrawList::mesh_instances
  std::vector<DrawLine> lines;

  // X: pose; scale: half extents along its axes.
  void Add(DrawPrimitive primitive, const RigidTransform& X, const Vector3d& scale, const DrawColor& color,
           const DrawSurface& surface = {});
  void AddLine(const Vector3d& a, const Vector3d& b, const DrawColor& color);
  // From p along `vector`, with a shaft of the given radius; nothing if shorter than its radius.
  void AddArrow(const Vector3d& p, const Vector3d& vector, double radius, const DrawColor& color);
  // A straight piece with round ends from a to b; nothing if they coincide.
  void AddRod(const Vector3d& a, const Vector3d& b, double radius, const DrawColor& color);
  // Three lines: x red, y green, z blue.
  void AddFrame(const RigidTransform& X, double length);

  bool operator==(const DrawLayer&) const = default;
};

// Shapes that get an edge in the picture, over whatever hides them.
struct DrawOutline {
  std::vector<DrawInstance> instances[kNumDrawPrimitives];  // kMesh: in `meshes`
  std::vector<std::pair<int, DrawInstance>> meshes;         // with which one of DrawList::mesh_instances

  bool operator==(const DrawOutline&) const = default;
};

struct DrawList {
  DrawOutline outline;
  DrawLayer solid;
  DrawLayer overlay;  // drawn over all that is solid, as marks inside of bodies have to be
  std::vector<std::vector<DrawInstance>> mesh_instances;  // solid, by mesh
  std::vector<DrawLabel> labels;
  DrawLighting lighting;

  // Empties the list and keeps its memory.
  void Clear(int num_meshes);

  void AddMesh(int mesh, const RigidTransform& X, const DrawColor& color, const DrawSurface& surface = {});

  // Whether it looks the same, but for the labels.
  bool IsDrawnAs(const DrawList& other) const;
};

}  // namespace stiction
