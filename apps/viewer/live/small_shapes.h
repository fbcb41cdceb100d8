// Shapes that are small in a picture or a shadow map, as triangles in the world: software pays for each
// instance, for each triangle, hidden ones too, and most for each pixel that a triangle touches. What faces
// away is left out, and light is computed at vertices.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "stiction/viz/draw_list.h"

namespace stiction::viewer {

class SmallShapes {
 public:
  struct Vertex {
    std::array<float, 3> position, normal;
    std::array<std::uint8_t, 4> color, surface;  // 255: 1; surface: roughness, metallic, specular, emission
  };

  void Clear();
  bool is_empty() const { return indices_.empty(); }
  int num_shapes() const { return num_shapes_; }
  const std::vector<Vertex>& vertices() const { return vertices_; }
  const std::vector<std::uint32_t>& indices() const { return indices_; }  // three a triangle

  // The outline of a block as it is seen from far away, which stands for whatever is tiny.
  //   share   of the instance's extent that the block takes, along each axis
  //   to_eye  from the instance; any length
  void AddOutline(const DrawInstance& instance, float share, const Eigen::Vector3f& to_eye);

  // What is seen of a box, sphere or cylinder; false, and nothing is added, for others.
  bool AddShape(DrawPrimitive primitive, const DrawInstance& instance, const Eigen::Vector3f& to_eye);

 private:
  void Begin(const DrawInstance& instance);
  void AddVertex(const Eigen::Vector3f& p, const Eigen::Vector3f& n);
  void AddFan(int first, int count, bool is_closed);
  void AddBox(const Eigen::Vector3f& to_eye);
  void AddSphere(const Eigen::Vector3f& to_eye);
  void AddCylinder(const Eigen::Vector3f& to_eye);

  std::vector<Vertex> vertices_;
  std::vector<std::uint32_t> indices_;
  int num_shapes_ = 0;
  // Of the instance that is being added.
  Eigen::Matrix3f axes_, normal_axes_;  // of the unit shape into the world, and of its normals
  Eigen::Vector3f center_;
  Vertex look_{};
};

}  // namespace stiction::viewer
