// Draws a DrawList with OpenGL 3.3 core: instanced lit shapes with pictures, shadow maps, sky, lines.
#pragma once

#include <array>
#include <compare>
#include <map>
#include <optional>
#include <vector>

#include "gl.h"
#include "live/camera.h"
#include "live/small_shapes.h"
#include "occlusion.h"
#include "stiction/model/material.h"
#include "stiction/viz/draw_list.h"

namespace stiction::viewer {

struct RenderOptions {
  bool low = false;  // coarser shapes, no shadows: for software rendering
  bool wireframe = false;
  // Fewer pixels than the viewport has, of which each is drawn larger: while things move and software draws.
  bool coarse = false;
  // Softer and sharper shadows and rounder shapes, also of software renderers: for pictures.
  bool fine = false;
  // No sky, and of grounds only the shadows on them: what is drawn has colours times their alpha.
  bool transparent = false;
  Eigen::Vector2f shift = Eigen::Vector2f::Zero();  // of the picture to the right and up [pixels]

  bool operator==(const RenderOptions&) const = default;
};

// A part of the framebuffer, from its lower left corner [pixels].
struct Viewport {
  int x = 0, y = 0, width = 1, height = 1;
  double aspect() const { return static_cast<double>(width) / height; }

  bool operator==(const Viewport&) const = default;
};

// What pictures are bound to while shapes are drawn.
enum TextureUnit { kShadowUnit, kPlaneUnit, kCubeUnit, kOcclusionUnit };

class Renderer {
 public:
  // Needs a current OpenGL 3.3 context. Throws std::runtime_error with the driver's message if a shader does
  // not compile.
  explicit Renderer(bool is_low);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  bool is_software() const { return is_software_; }

  // Static triangles of DrawList::mesh_instances, and pictures that DrawSurface::texture names.
  void SetMeshes(const std::vector<DrawMesh>& meshes, const std::vector<SharedTexture>& textures = {});
  // Into a part of the bound framebuffer, which it clears; the rest is left alone. What software drew into a
  // window is shown again where nothing has changed.
  void Draw(const DrawList& list, const Camera& camera, double scene_size, const Viewport& viewport,
            const RenderOptions& options);

 private:
  struct Mesh {
    GLuint array = 0, vertices = 0, indices = 0, instances = 0;
    int num_indices = 0;
    float radius = 0.0f;     // of a ball about the origin that holds it, before an instance's scale
    float cell = 0.0f;       // of a mesh that was made coarser: by how much [m]
    bool is_closed = false;  // of a mesh: its triangles that face away are hidden
  };
  // Of a primitive or mesh, from the finest; the last is used where nothing finer is needed and software
  // draws.
  static constexpr int kNumLevels = 4;
  using Levels = std::array<Mesh, kNumLevels>;  // those without an array: as the one before

  // In the order in which they are drawn, and stand in a mesh's buffer of instances.
  // kTiny: opaque, without a shadow of its own (kept in casters_, or too small); kHidden: opaque, but out of
  // the picture.
  enum Pass { kOpaque, kTiny, kHidden, kGlass, kOverlay, kOverlayGlass };
  static constexpr int kNumPasses = 6;
  // Instances that show one picture.
  struct Run {
    Pass pass = kOpaque;
    int first = 0, count = 0, texture = -1;
  };
  struct Batch {
    const Mesh* mesh = nullptr;
    std::vector<Run> runs;
    bool is_ground = false;
    bool is_closed = false;  // its triangles are seen from outside alone
  };
  // kQuick: while things move and software draws.
  enum Detail { kPlain, kFine, kLow, kQuick };
  // For which shapes a program is, and how they are drawn.
  struct ShapeKind {
    Detail detail = kPlain;
    bool is_ground = false, has_picture = false;
    bool is_sunny = false;  // a ground where no shadow can be
    bool is_small = false;  // SmallShapes
    auto operator<=>(const ShapeKind&) const = default;
  };
  struct Sorted {
    const DrawInstance* instance;
    float away;  // from the eye [m]
  };
  struct Shadows {
    int count = 0;
    std::array<Eigen::Matrix4f, 2> lights;
    std::array<float, 2> texels{};  // [m]
  };
  // What is seen of the world.
  struct View {
    Eigen::Matrix4f projection;             // of the world into the picture
    std::array<Eigen::Vector4f, 5> planes;  // inside: n·p + d >= 0; without the far one
    Eigen::Vector3f eye;
    float pixels = 1.0f;    // of a length that is seen from as far away
    Eigen::Vector2f shift;  // RenderOptions::shift [half pictures]
  };

  // SmallShapes in buffers of their own.
  struct SmallMesh {
    SmallShapes shapes;
    GLuint array = 0, vertices = 0, indices = 0;
  };

  Mesh MakeMesh(const DrawMesh& mesh) const;
  Levels MakeMeshLevels(const DrawMesh& from) const;
  static void MakeArray(SmallMesh& mesh);
  static void DrawAll(SmallMesh& mesh);
  static void Delete(SmallMesh& mesh);
  bool AddSmall(DrawPrimitive primitive, const DrawInstance& instance, float size_in_pixels, Pass& pass);
  void DrawSmall();
  GLuint ShapeProgram(const ShapeKind& kind);
  bool HasPicture(const Run& run) const;
  void MakePrimitives(int finest);
  static void DeleteMesh(Mesh& mesh);
  void SetTextures(const std::vector<SharedTexture>& textures);
  static View MakeView(const Camera& camera, const Viewport& viewport, const Eigen::Vector2f& shift);
  Pass Sort(const DrawInstance& instance, const Mesh& mesh, bool is_overlay, float& size_in_pixels,
            float& away) const;
  void AddLevels(const Levels& levels, DrawPrimitive primitive, const std::vector<DrawInstance>& solid,
                 const std::vector<DrawInstance>& overlay);
  void UploadAll(const DrawList& list);
  void DrawRun(const Batch& batch, const Run& run, bool has_pictures);
  void DrawBatches(Pass pass, bool is_ground, bool is_sunny);
  void DrawShapes(Pass pass, const Viewport& viewport);
  // The part of the picture in which shadows may lie on grounds; without width where there are none.
  Viewport FindShadedGround(const DrawList& list, const Shadows& shadows, const Viewport& viewport) const;
  int CalcShadowSize(bool is_fine) const;  // of one map [pixels]
  void MakeShadowMap(int size);
  float CalcSmallCaster(const Camera& camera, double scene_size) const;
  Shadows FitShadows(const DrawList& list, const Camera& camera, double scene_size, bool is_fine) const;
  void DrawShadows(const Shadows& shadows);
  void SetUniforms(const DrawList& list, const Camera& camera, double scene_size, const Shadows& shadows,
                   const Viewport& viewport, const RenderOptions& options);
  bool HasOcclusion(Detail detail) const;
  void DrawOcclusion(const Camera& camera, const Viewport& viewport);
  void BindOcclusion(bool is_on);
  void DrawSky(const DrawList& list, const Camera& camera, double aspect);
  void DrawLines(const std::vector<DrawLine>& lines);
  void DrawScene(const DrawList& list, const Camera& camera, double scene_size, const Viewport& viewport,
                 const RenderOptions& options);
  void DrawCoarse(const DrawList& list, const Camera& camera, double scene_size, const Viewport& viewport,
                  const RenderOptions& options, GLuint bound);
  // What a part of the window shows.
  struct Kept {
    Viewport viewport;
    DrawList list;
    Eigen::Matrix4f projection = Eigen::Matrix4f::Zero();
    double scene_size = 0.0;
    RenderOptions options;
    GLuint buffer = 0, texture = 0;
  };
  static bool IsKept(const Kept& kept, const DrawList& list, const Eigen::Matrix4f& projection,
                     double scene_size, const Viewport& viewport, const RenderOptions& options);
  void SetKept(Kept& kept, const DrawList& list, double scene_size, const Viewport& viewport,
               const RenderOptions& options) const;
  bool ShowKept(const DrawList& list, const Eigen::Matrix4f& projection, double scene_size,
                const Viewport& viewport, const RenderOptions& options) const;
  void Keep(const DrawList& list, double scene_size, const Viewport& viewport, const RenderOptions& options);
  void ForgetKept();
  static void MakeColorTexture(GLuint texture, GLuint buffer, int width, int height);
  void MakeCoarse(int width, int height);
  void MakeMask(int width, int height);
  // Grows by the rectangle [left, bottom, right, top] in which the instances are seen; draws them into the
  // mask.
  void DrawMask(const Mesh& mesh, const std::vector<DrawInstance>& instances, const Viewport& viewport,
                std::array<float, 4>& seen);
  void DrawOutlines(const DrawOutline& outline, const Viewport& viewport);

  bool is_software_ = false;
  int most_for_two_shadows_ = 0;  // shapes: beyond, software draws one map
  bool saves_ = false;            // detail that only what draws in software need save
  View view_;
  std::array<Levels, kNumDrawPrimitives> primitives_;  // kMesh: unused
  int finest_ = 0;                                     // segments of the finest primitives
  std::vector<Levels> meshes_;
  std::vector<Batch> batches_;
  std::array<std::array<std::vector<Sorted>, kNumPasses>, kNumLevels> sorted_;
  std::vector<DrawInstance> instances_;
  SmallMesh small_;            // that are seen
  SmallMesh casters_;          // that cast shadows
  float small_caster_ = 0.0f;  // up to which half length they are as good as blocks [m]; 0: no shadows
  Eigen::Vector3f towards_key_;
  std::map<ShapeKind, GLuint> shape_programs_;  // those that were drawn with
  Detail detail_ = kPlain;                      // of what is drawn
  bool is_wireframe_ = false;
  Viewport shaded_ground_;
  std::vector<Kept> kept_;  // of parts of the window
  Kept coarse_kept_;        // what the coarse buffer shows; it has no buffer of its own
  int coarse_width_ = 0, coarse_height_ = 0;
  GLuint coarse_buffer_ = 0, coarse_color_ = 0, coarse_depth_ = 0;
  GLuint mask_program_ = 0, edge_program_ = 0;
  int mask_width_ = 0, mask_height_ = 0;
  GLuint mask_texture_ = 0, mask_buffer_ = 0, mask_instances_ = 0;
  GLuint shadow_program_ = 0, line_program_ = 0, sky_program_ = 0;
  int shadow_size_ = 0;
  GLuint shadow_texture_ = 0, shadow_buffer_ = 0;
  std::optional<Occlusion> occlusion_;  // since it was first needed
  struct Picture {
    GLuint texture = 0;
    bool is_cube = false;
  };
  std::vector<Picture> pictures_;
  Picture no_plane_, no_cube_;  // what programs have where nothing is shown
  GLuint line_array_ = 0, line_vertices_ = 0, empty_array_ = 0;
  std::vector<float> line_data_;
};

}  // namespace stiction::viewer
