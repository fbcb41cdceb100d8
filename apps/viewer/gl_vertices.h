// Vertices and instances in buffers of the graphics card: their layout, as the shaders' attributes read it.
#pragma once

#include <cstddef>
#include <vector>

#include "gl.h"
#include "stiction/viz/draw_list.h"

namespace stiction::viewer {

constexpr int kFirstInstanceAttribute = 3;  // after position, normal and corner
constexpr int kNumInstanceAttributes = 8;

struct PackedVertex {
  float data[8];  // position, normal, corner
  bool operator==(const PackedVertex&) const = default;
};

// Equal vertices become one. Appends; three indices per triangle.
void PackVertices(const DrawMesh& mesh, std::vector<PackedVertex>& vertices, std::vector<GLuint>& indices);

GLuint MakeBuffer();

// An attribute of `size` floats in the bound buffer, `stride` and `offset` in bytes.
void SetFloatAttribute(int index, int size, GLsizei stride, std::size_t offset);

// Attributes of the bound array, in the bound buffer of DrawInstance, from the first one of a run.
void PointAtInstances(int first);

}  // namespace stiction::viewer
