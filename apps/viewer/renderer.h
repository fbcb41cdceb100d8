// Draws a DrawList with OpenGL 3.3 core: instanced lit shapes, a shadow map, sky, lines.
#pragma once

#include <array>
#include <vector>

#include "gl.h"
#include "live/camera.h"
#include "stiction/viz/draw_list.h"

namespace stiction::viewer {

struct RenderOptions {
  bool low = false;  // coarser shapes, no shadows: for software rendering
  bool wireframe = false;
};

// A part of the framebuffer, from its lower left corner [pixels].
struct Viewport {
  int x = 0, y = 0, width = 1, height = 1;
  double aspect() const { return static_cast<double>(width) / height; }
};

class Renderer {
 public:
  // Needs a current OpenGL 3.3 context. Throws std::runtime_error with the driver's message if a shader does
  // not compile.
  explicit Renderer(bool is_low);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  // Static triangles of DrawList::mesh_instances.
  void SetMeshes(const std::vector<DrawMesh>& meshes);
  // Into a part of the bound framebuffer, which it clears; the rest is left alone.
  void Draw(const DrawList& list, const Camera& camera, double scene_size, const Viewport& viewport,
            const RenderOptions& options);

 private:
  struct Mesh {
    GLuint array = 0, vertices = 0, instances = 0;
    int num_vertices = 0;
  };

  // In the order in which they are drawn, and stand in a mesh's buffer of instances.
  enum Pass { kOpaque, kGlass, kOverlay, kOverlayGlass };
  static constexpr int kNumPasses = 4;
  struct Batch {
    Mesh* mesh = nullptr;
    int count[kNumPasses] = {};  // by pass
    bool is_ground = false;
  };

  Mesh MakeMesh(const DrawMesh& mesh);
  void DeleteMesh(Mesh& mesh);
  void AddBatch(Mesh& mesh, const std::vector<DrawInstance>& solid, const std::vector<DrawInstance>& overlay,
                bool is_ground);
  void UploadAll(const DrawList& list);
  void DrawBatch(const Batch& batch, Pass pass);
  void DrawShapes(bool is_low, Pass pass);
  void MakeShadowMap();
  void DrawShadows(const Eigen::Matrix4f& light);
  void SetUniforms(const Camera& camera, double scene_size, const Eigen::Matrix4f& view_projection,
                   const Eigen::Matrix4f& light, bool has_shadows, bool is_low);
  void DrawSky();
  void DrawLines(const std::vector<DrawLine>& lines, const Eigen::Matrix4f& view_projection);

  std::array<Mesh, kNumDrawPrimitives> primitives_;  // kMesh: unused
  std::vector<Mesh> meshes_;
  std::vector<Batch> batches_;
  std::vector<DrawInstance> instances_;
  GLuint shape_programs_[2][2] = {};  // [is low][is ground]
  GLuint shadow_program_ = 0, line_program_ = 0, sky_program_ = 0;
  GLuint shadow_texture_ = 0, shadow_buffer_ = 0;
  GLuint line_array_ = 0, line_vertices_ = 0, empty_array_ = 0;
  std::vector<float> line_data_;
};

}  // namespace stiction::viewer
