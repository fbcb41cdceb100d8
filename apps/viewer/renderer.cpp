#include "renderer.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>

#include "gl_driver.h"
#include "gl_program.h"
#include "gl_texture.h"
#include "gl_vertices.h"
#include "live/closed_mesh.h"
#include "live/coarse_mesh.h"
#include "primitives.h"
#include "shaders.h"

namespace stiction::viewer {
namespace {

constexpr int kLowSegments = 14, kPlainSegments = 32, kFineSegments = 64;
// Shapes: beyond, software draws one map.
constexpr int kMostForTwoShadows = 4000, kMostForTwoCoarseShadows = 200;
constexpr double kCoarse = 0.6;  // pixels that are drawn where RenderOptions::coarse says so, each way

Eigen::Vector3f ToVector3(const DrawColor& c) {
  return {c.r, c.g, c.b};
}

// Leaves out what faces away from the eye, while it lives.
class CullFace {
 public:
  explicit CullFace(bool is_on) : is_on_(is_on) {
    if (is_on_) glEnable(GL_CULL_FACE);
  }
  ~CullFace() {
    if (is_on_) glDisable(GL_CULL_FACE);
  }
  CullFace(const CullFace&) = delete;
  CullFace& operator=(const CullFace&) = delete;

 private:
  bool is_on_;
};

}  // namespace

Renderer::Renderer(bool is_low) : is_software_(IsSoftwareRenderer()) {
  // The rest when it is first drawn with. What a driver refuses, it refuses here.
  for (const bool ground : {false, true}) ShapeProgram({is_low ? kLow : kPlain, ground});
  shadow_program_ = LinkProgram(kShadowVertex, kShadowFragment);
  mask_program_ = LinkProgram(kShadowVertex, kMaskFragment);
  edge_program_ = LinkProgram(kEdgeVertex, kEdgeFragment);
  mask_instances_ = MakeBuffer();
  line_program_ = LinkProgram(kLineVertex, kLineFragment);
  sky_program_ = LinkProgram(kSkyVertex, kSkyFragment);
  MakePrimitives(is_low ? kLowSegments : kPlainSegments);
  const Texture plane{.width = 1, .height = 1, .pixels = std::vector<std::uint8_t>(4, 255)};
  const Texture cube{
      .kind = Texture::Kind::kCube, .width = 1, .height = 1, .pixels = std::vector<std::uint8_t>(24, 255)};
  no_plane_ = {MakePlanePicture(plane), false};
  no_cube_ = {MakeCubePicture(cube), true};
  glGenVertexArrays(1, &empty_array_);
  glGenVertexArrays(1, &line_array_);
  line_vertices_ = MakeBuffer();
  glBindVertexArray(line_array_);
  glBindBuffer(GL_ARRAY_BUFFER, line_vertices_);
  constexpr GLsizei stride = 7 * sizeof(float);
  glEnableVertexAttribArray(0);
  SetFloatAttribute(0, 3, stride, 0);
  glEnableVertexAttribArray(1);
  SetFloatAttribute(1, 4, stride, 3 * sizeof(float));
  glBindVertexArray(0);
}

Renderer::~Renderer() {
  for (Levels& levels : primitives_)
    for (Mesh& mesh : levels) DeleteMesh(mesh);
  for (Levels& levels : meshes_)
    for (Mesh& mesh : levels) DeleteMesh(mesh);
  for (const auto& [kind, program] : shape_programs_) glDeleteProgram(program);
  for (GLuint program : {shadow_program_, line_program_, sky_program_, mask_program_, edge_program_})
    glDeleteProgram(program);
  SetTextures({});
  for (const Picture& picture : {no_plane_, no_cube_}) glDeleteTextures(1, &picture.texture);
  glDeleteFramebuffers(1, &shadow_buffer_);
  glDeleteTextures(1, &shadow_texture_);
  glDeleteFramebuffers(1, &coarse_buffer_);
  glDeleteTextures(1, &coarse_color_);
  glDeleteRenderbuffers(1, &coarse_depth_);
  ForgetKept();
  glDeleteFramebuffers(1, &mask_buffer_);
  glDeleteTextures(1, &mask_texture_);
  for (const GLuint buffer : {line_vertices_, mask_instances_}) glDeleteBuffers(1, &buffer);
  glDeleteVertexArrays(1, &line_array_);
  for (SmallMesh* mesh : {&small_, &casters_}) Delete(*mesh);
  glDeleteVertexArrays(1, &empty_array_);
}

GLuint Renderer::ShapeProgram(const ShapeKind& kind) {
  const auto [entry, is_new] = shape_programs_.try_emplace(kind, 0);
  if (!is_new) return entry->second;
  std::string head = kVersion;
  if (kind.detail == kFine) head += "#define FINE\n";
  if (kind.detail == kLow) head += "#define LOW\n";
  if (kind.detail == kQuick) head += "#define QUICK\n";
  if (is_software_ && kind.detail != kFine) head += "#define FEW\n";
  if (kind.is_ground) head += "#define GROUND\n";
  if (kind.has_picture) head += "#define PICTURE\n";
  if (kind.is_sunny) head += "#define SUNNY\n";
  if (HasOcclusion(kind.detail)) head += "#define OCCLUDED\n";
  head += kShapeCommon;
  const std::string light = head + kShapeLight;
  return entry->second = kind.is_small
                             ? LinkProgram(light + kSmallVertex, kVersion + std::string(kSmallFragment))
                             : LinkProgram(head + kShapeVertex, light + kShapeFragment);
}

void Renderer::MakePrimitives(int finest) {
  if (finest == finest_) return;
  finest_ = finest;
  for (int k = 0; k < kNumDrawPrimitives; ++k) {
    const DrawPrimitive primitive = static_cast<DrawPrimitive>(k);
    if (primitive == DrawPrimitive::kMesh) continue;
    const bool is_round = primitive != DrawPrimitive::kBox && primitive != DrawPrimitive::kGround;
    for (int level = 0; level < (is_round ? kNumLevels : 1); ++level) {
      Mesh& mesh = primitives_[k][level];
      DeleteMesh(mesh);
      mesh = MakeMesh(MakePrimitive(primitive, level == kNumLevels - 1 ? 6 : std::max(8, finest >> level)));
    }
  }
}

Renderer::Mesh Renderer::MakeMesh(const DrawMesh& from) const {
  std::vector<PackedVertex> vertices;
  std::vector<GLuint> indices;
  PackVertices(from, vertices, indices);
  Mesh mesh;
  mesh.num_indices = static_cast<int>(indices.size());
  for (const Eigen::Vector3f& p : from.positions) mesh.radius = std::max(mesh.radius, p.norm());
  glGenVertexArrays(1, &mesh.array);
  glBindVertexArray(mesh.array);
  mesh.vertices = MakeBuffer();
  glBindBuffer(GL_ARRAY_BUFFER, mesh.vertices);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(PackedVertex)),
               vertices.data(), GL_STATIC_DRAW);
  mesh.indices = MakeBuffer();
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh.indices);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size() * sizeof(GLuint)),
               indices.data(), GL_STATIC_DRAW);
  const int sizes[] = {3, 3, 2};
  std::size_t offset = 0;
  for (int k = 0; k < kFirstInstanceAttribute; ++k) {
    glEnableVertexAttribArray(static_cast<GLuint>(k));
    SetFloatAttribute(k, sizes[k], sizeof(PackedVertex), offset);
    offset += static_cast<std::size_t>(sizes[k]) * sizeof(float);
  }
  mesh.instances = MakeBuffer();
  glBindBuffer(GL_ARRAY_BUFFER, mesh.instances);
  for (int k = 0; k < kNumInstanceAttributes; ++k) {
    glEnableVertexAttribArray(static_cast<GLuint>(kFirstInstanceAttribute + k));
    glVertexAttribDivisor(static_cast<GLuint>(kFirstInstanceAttribute + k), 1);
  }
  PointAtInstances(0);
  glBindVertexArray(0);
  return mesh;
}

void Renderer::DeleteMesh(Mesh& mesh) {
  for (const GLuint buffer : {mesh.vertices, mesh.indices, mesh.instances}) glDeleteBuffers(1, &buffer);
  glDeleteVertexArrays(1, &mesh.array);
  mesh = {};
}

// Software pays for each triangle: what has many gets coarser levels, for while something moves.
Renderer::Levels Renderer::MakeMeshLevels(const DrawMesh& from) const {
  constexpr std::size_t kMany = 3 * 500;                           // corners
  constexpr float kCells[kNumLevels - 1] = {40.0f, 24.0f, 14.0f};  // along the diagonal of what holds it
  Levels levels{MakeMesh(from)};
  levels[0].is_closed = is_software_ && IsClosed(from);
  if (!is_software_ || from.positions.size() < kMany) return levels;
  Eigen::AlignedBox3f box;
  for (const Eigen::Vector3f& p : from.positions) box.extend(p);
  std::size_t last = from.positions.size();
  int level = 1;
  for (const float cells : kCells) {
    const float cell = box.diagonal().norm() / cells;
    const DrawMesh coarse = CoarsenMesh(from, cell);
    if (2 * coarse.positions.size() > last) continue;
    last = coarse.positions.size();
    levels[level] = MakeMesh(coarse);
    levels[level].is_closed = levels[0].is_closed;
    levels[level++].cell = cell;
  }
  return levels;
}

void Renderer::SetMeshes(const std::vector<DrawMesh>& meshes, const std::vector<SharedTexture>& textures) {
  for (Levels& levels : meshes_)
    for (Mesh& mesh : levels) DeleteMesh(mesh);
  meshes_.clear();
  for (const DrawMesh& mesh : meshes) meshes_.push_back(MakeMeshLevels(mesh));
  SetTextures(textures);
  ForgetKept();
}

void Renderer::SetTextures(const std::vector<SharedTexture>& textures) {
  for (const Picture& picture : pictures_) glDeleteTextures(1, &picture.texture);
  pictures_.clear();
  glActiveTexture(GL_TEXTURE0 + kPlaneUnit);
  for (const SharedTexture& texture : textures) {
    const bool is_cube = texture->kind != Texture::Kind::kPlane;
    pictures_.push_back({is_cube ? MakeCubePicture(*texture) : MakePlanePicture(*texture), is_cube});
  }
  glActiveTexture(GL_TEXTURE0);
}

Renderer::View Renderer::MakeView(const Camera& camera, const Viewport& viewport,
                                  const Eigen::Vector2f& shift) {
  View view;
  view.projection = camera.Projection(viewport.aspect()) * camera.View();
  view.shift = shift.cwiseProduct(
      Eigen::Vector2f(2.0f / static_cast<float>(viewport.width), 2.0f / static_cast<float>(viewport.height)));
  view.projection.topRows<2>() += view.shift * view.projection.row(3);
  view.eye = camera.eye().cast<float>();
  view.pixels = static_cast<float>(0.5 * viewport.height / std::tan(0.5 * camera.field_of_view));
  const Eigen::RowVector4f w = view.projection.row(3);
  view.planes = {w + view.projection.row(0), w - view.projection.row(0), w + view.projection.row(1),
                 w - view.projection.row(1), w + view.projection.row(2)};
  for (Eigen::Vector4f& plane : view.planes) plane /= plane.head<3>().norm();
  return view;
}

// Where an instance is drawn, how large it is there, and how far away.
Renderer::Pass Renderer::Sort(const DrawInstance& instance, const Mesh& mesh, bool is_overlay,
                              float& size_in_pixels, float& away) const {
  const Eigen::Map<const Eigen::Matrix<float, 3, 4>> pose(instance.pose);
  const float scale = std::sqrt(pose.leftCols<3>().colwise().squaredNorm().maxCoeff());
  const float radius = mesh.radius * scale;
  const Eigen::Vector3f p = pose.col(3);
  away = (p - view_.eye).norm();
  size_in_pixels = view_.pixels * scale / std::max(away, 1e-6f);
  const bool is_glass = instance.color.a < 1.0f;
  if (is_overlay) return is_glass ? kOverlayGlass : kOverlay;
  if (is_glass) return kGlass;
  for (const Eigen::Vector4f& plane : view_.planes)
    if (plane.head<3>().dot(p) + plane.w() < -radius) return kHidden;
  return kOpaque;
}

// Round shapes have as many sides as their size in the picture needs.
void Renderer::AddLevels(const Levels& levels, DrawPrimitive primitive,
                         const std::vector<DrawInstance>& solid, const std::vector<DrawInstance>& overlay) {
  if (solid.empty() && overlay.empty()) return;
  // Sizes from and up to which.
  constexpr float kFinePixels = 60.0f, kCoarsePixels = 14.0f, kSmallPixels = 6.0f;
  // Of coarse meshes: larger cells are seen as edges; the finest of them is taken all the same up to the
  // second.
  constexpr float kCellPixels = 3.0f, kMostCellPixels = 8.0f;
  const bool is_ground = primitive == DrawPrimitive::kGround;
  const bool is_closed = !is_ground && primitive != DrawPrimitive::kMesh;
  const bool has_levels = levels[1].array != 0;
  for (auto& passes : sorted_)
    for (auto& instances : passes) instances.clear();
  const auto sort = [&](const std::vector<DrawInstance>& from, bool is_overlay) {
    for (const DrawInstance& instance : from) {
      float size = 0.0f, away = 0.0f;
      Pass pass = Sort(instance, levels[0], is_overlay, size, away);
      if (saves_ && !is_ground && AddSmall(primitive, instance, size, pass)) continue;
      const bool is_small = saves_ && size < kSmallPixels;
      if (primitive == DrawPrimitive::kMesh) {
        int chosen = 0;
        for (int k = 1; k < kNumLevels && detail_ == kQuick && levels[k].array != 0; ++k)
          if (size * levels[k].cell < (k == 1 ? kMostCellPixels : kCellPixels)) chosen = k;
        sorted_[chosen][pass].push_back({&instance, away});
        continue;
      }
      const int level = !has_levels || size > kFinePixels ? 0 : size > kCoarsePixels ? 1 : is_small ? 3 : 2;
      sorted_[level][pass].push_back({&instance, away});
    }
  };
  sort(solid, false);
  sort(overlay, true);
  for (int level = 0; level < kNumLevels; ++level) {
    if (levels[level].array == 0) continue;
    instances_.clear();
    Batch batch{&levels[level], {}, is_ground, is_closed || levels[level].is_closed};
    for (int pass = 0; pass < kNumPasses; ++pass) {
      std::vector<Sorted>& instances = sorted_[level][pass];
      // From near to far, so that less is drawn that is hidden later: software pays for each pixel.
      if (saves_ && (pass == kOpaque || pass == kTiny)) {
        std::sort(instances.begin(), instances.end(),
                  [](const Sorted& a, const Sorted& b) { return a.away < b.away; });
      }
      if (!pictures_.empty() && pass != kHidden) {
        std::stable_sort(instances.begin(), instances.end(), [](const Sorted& a, const Sorted& b) {
          return a.instance->surface.texture < b.instance->surface.texture;
        });
      }
      for (const auto& [instance, away] : instances) {
        const int texture = pass == kHidden ? -1 : instance->surface.texture;
        const bool is_new =
            batch.runs.empty() || batch.runs.back().pass != pass || batch.runs.back().texture != texture;
        if (is_new)
          batch.runs.push_back({static_cast<Pass>(pass), static_cast<int>(instances_.size()), 0, texture});
        ++batch.runs.back().count;
        instances_.push_back(*instance);
      }
    }
    if (batch.runs.empty()) continue;
    glBindBuffer(GL_ARRAY_BUFFER, levels[level].instances);
    // A new store each frame: the driver need not wait for the last one.
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances_.size() * sizeof(DrawInstance)),
                 instances_.data(), GL_STREAM_DRAW);
    batches_.push_back(std::move(batch));
  }
}

void Renderer::UploadAll(const DrawList& list) {
  static const std::vector<DrawInstance> none;
  batches_.clear();
  small_.shapes.Clear();
  casters_.shapes.Clear();
  for (int k = 0; k < kNumDrawPrimitives; ++k) {
    if (primitives_[k][0].array == 0) continue;
    AddLevels(primitives_[k], static_cast<DrawPrimitive>(k), list.solid.instances[k],
              list.overlay.instances[k]);
  }
  for (std::size_t m = 0; m < meshes_.size() && m < list.mesh_instances.size(); ++m)
    AddLevels(meshes_[m], DrawPrimitive::kMesh, list.mesh_instances[m], none);
}

bool Renderer::HasPicture(const Run& run) const {
  return run.texture >= 0 && run.texture < static_cast<int>(pictures_.size());
}

// OpenGL 3.3 has no base instance: the attributes move to where the run has its instances.
void Renderer::DrawRun(const Batch& batch, const Run& run, bool has_pictures) {
  if (has_pictures && HasPicture(run)) {
    const Picture& picture = pictures_[static_cast<std::size_t>(run.texture)];
    glActiveTexture(GL_TEXTURE0 + (picture.is_cube ? kCubeUnit : kPlaneUnit));
    glBindTexture(picture.is_cube ? GL_TEXTURE_CUBE_MAP : GL_TEXTURE_2D, picture.texture);
  }
  glBindVertexArray(batch.mesh->array);
  glBindBuffer(GL_ARRAY_BUFFER, batch.mesh->instances);
  PointAtInstances(run.first);
  glDrawElementsInstanced(GL_TRIANGLES, batch.mesh->num_indices, GL_UNSIGNED_INT, nullptr, run.count);
}

// Of what is closed and opaque, the far side is behind the near one.
void Renderer::DrawBatches(Pass pass, bool is_ground, bool is_sunny) {
  const bool is_opaque = !is_wireframe_ && (pass == kOpaque || pass == kTiny || pass == kOverlay);
  for (const Batch& batch : batches_) {
    if (batch.is_ground != is_ground) continue;
    const CullFace culls(batch.is_closed && is_opaque);
    for (const Run& run : batch.runs) {
      if (run.pass != pass) continue;
      glUseProgram(ShapeProgram({detail_, is_ground, HasPicture(run), is_sunny}));
      DrawRun(batch, run, true);
    }
  }
}

// The ground last: most of it is hidden by then. Where software draws, light is asked for only where shadows
// may be.
void Renderer::DrawShapes(Pass pass, const Viewport& viewport) {
  DrawBatches(pass, false, false);
  const bool is_split = saves_ && detail_ != kLow;
  const Viewport shaded = is_split ? shaded_ground_ : viewport;
  const auto draw_ground = [&](bool is_sunny, int left, int bottom, int right, int top) {
    if (right <= left || top <= bottom) return;
    glScissor(left, bottom, right - left, top - bottom);
    DrawBatches(pass, true, is_sunny);
  };
  const int left = shaded.x, bottom = shaded.y, right = left + shaded.width, top = bottom + shaded.height;
  draw_ground(false, left, bottom, right, top);
  if (is_split) {
    const int end = viewport.x + viewport.width, upper = viewport.y + viewport.height;
    draw_ground(true, viewport.x, viewport.y, end, bottom);
    draw_ground(true, viewport.x, bottom, left, top);
    draw_ground(true, right, bottom, end, top);
    draw_ground(true, viewport.x, top, end, upper);
  }
  glScissor(viewport.x, viewport.y, viewport.width, viewport.height);
}

void Renderer::DrawSky(const DrawList& list, const Camera& camera, double aspect) {
  const double t = std::tan(0.5 * camera.field_of_view);
  Matrix3d rays = camera.axes();
  rays.col(0) *= t * aspect;
  rays.col(1) *= t;
  rays.col(2) *= -1.0;
  rays.col(2) -= rays.leftCols<2>() * view_.shift.cast<double>();
  const DrawLighting& lighting = list.lighting;
  const bool has_picture = lighting.sky >= 0 && lighting.sky < static_cast<int>(pictures_.size());
  glDepthFunc(GL_LEQUAL);
  glUseProgram(sky_program_);
  SetMatrix(sky_program_, "rays", Eigen::Matrix3f(rays.cast<float>()));
  SetVector(sky_program_, "zenith", ToVector3(lighting.zenith));
  SetVector(sky_program_, "horizon", ToVector3(lighting.horizon));
  SetVector(sky_program_, "nadir", ToVector3(lighting.nadir));
  SetInt(sky_program_, "has_picture", has_picture);
  SetInt(sky_program_, "has_ground", !list.solid.instances[static_cast<int>(DrawPrimitive::kGround)].empty());
  SetInt(sky_program_, "cube_picture", kCubeUnit);
  glActiveTexture(GL_TEXTURE0 + kCubeUnit);
  glBindTexture(GL_TEXTURE_CUBE_MAP,
                has_picture ? pictures_[static_cast<std::size_t>(lighting.sky)].texture : no_cube_.texture);
  glBindVertexArray(empty_array_);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthFunc(GL_LESS);
}

void Renderer::DrawLines(const std::vector<DrawLine>& lines) {
  if (lines.empty()) return;
  line_data_.clear();
  for (const DrawLine& line : lines) {
    for (const Eigen::Vector3f& p : {line.a, line.b}) {
      line_data_.insert(line_data_.end(),
                        {p.x(), p.y(), p.z(), line.color.r, line.color.g, line.color.b, line.color.a});
    }
  }
  glUseProgram(line_program_);
  SetMatrix(line_program_, "view_projection", view_.projection);
  glBindVertexArray(line_array_);
  glBindBuffer(GL_ARRAY_BUFFER, line_vertices_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(line_data_.size() * sizeof(float)), line_data_.data(),
               GL_STREAM_DRAW);
  glDrawArrays(GL_LINES, 0, static_cast<GLsizei>(2 * lines.size()));
}

// Blue first, as windows have it: software copies and enlarges that by a quicker way.
void Renderer::MakeColorTexture(GLuint texture, GLuint buffer, int width, int height) {
  glBindFramebuffer(GL_FRAMEBUFFER, buffer);
  glActiveTexture(GL_TEXTURE0 + kPlaneUnit);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  glActiveTexture(GL_TEXTURE0);
}

void Renderer::MakeCoarse(int width, int height) {
  if (width == coarse_width_ && height == coarse_height_) return;
  coarse_width_ = width, coarse_height_ = height;
  glDeleteFramebuffers(1, &coarse_buffer_);
  glDeleteTextures(1, &coarse_color_);
  glDeleteRenderbuffers(1, &coarse_depth_);
  glGenFramebuffers(1, &coarse_buffer_);
  glGenTextures(1, &coarse_color_);
  MakeColorTexture(coarse_color_, coarse_buffer_, width, height);
  glGenRenderbuffers(1, &coarse_depth_);
  glBindRenderbuffer(GL_RENDERBUFFER, coarse_depth_);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, coarse_depth_);
}

void Renderer::SetUniforms(const DrawList& list, const Camera& camera, double scene_size,
                           const Shadows& shadows, const Viewport& viewport, const RenderOptions& options) {
  constexpr float kKeyStrength = 0.95f, kFillStrength = 0.22f;
  const DrawLighting& lighting = list.lighting;
  const float reach = static_cast<float>(std::max(scene_size, camera.distance));
  // Squares of which some ten cover the scene.
  const float cell =
      std::pow(10.0f, std::round(std::log10(static_cast<float>(std::max(scene_size, 1e-6)) * 0.25f)));
  for (int bits = 0; bits < 9; ++bits) {
    const ShapeKind kind{detail_, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
    const bool is_drawn = (!kind.has_picture || !pictures_.empty()) && (!kind.is_sunny || saves_) &&
                          (!kind.is_small || !small_.shapes.is_empty());
    if (!is_drawn || (kind.is_sunny && !kind.is_ground)) continue;
    const GLuint program = ShapeProgram(kind);
    glUseProgram(program);
    SetInt(program, "is_only_shadow", options.transparent);
    SetMatrix(program, "view_projection", view_.projection);
    SetVector(program, "eye", view_.eye);
    SetVector(program, "key_towards", lighting.key.towards);
    SetVector(program, "key_color",
              kKeyStrength * lighting.key.color.cwiseProduct(Eigen::Vector3f(1.0f, 0.97f, 0.92f)));
    const int num_fills = static_cast<int>(std::min(lighting.fills.size(), DrawLighting::kMaxFills));
    SetInt(program, "num_fills", num_fills);
    for (int i = 0; i < num_fills; ++i) {
      const std::string index = "[" + std::to_string(i) + "]";
      SetVector(program, ("fill_towards" + index).c_str(), lighting.fills[i].towards);
      SetVector(program, ("fill_color" + index).c_str(), kFillStrength * lighting.fills[i].color);
    }
    SetVector(program, "ambient_above", Eigen::Vector3f(0.36f, 0.385f, 0.42f));
    SetVector(program, "ambient_below", Eigen::Vector3f(0.22f, 0.21f, 0.20f));
    SetFloat(program, "cell", cell);
    SetFloat(program, "far", 24.0f * reach);
    SetVector(program, "horizon", ToVector3(lighting.horizon));
    SetVector(program, "fog", ToVector3(lighting.fog.value_or(DrawColor{})));
    const float fog_length = std::max(lighting.fog_end - lighting.fog_start, 1e-6f);
    glUniform2f(glGetUniformLocation(program, "fog_range"), lighting.fog ? lighting.fog_start : 0.0f,
                lighting.fog ? 1.0f / fog_length : 0.0f);
    SetInt(program, "num_shadows", shadows.count);
    for (int k = 0; k < shadows.count; ++k) {
      const std::string index = "[" + std::to_string(k) + "]";
      SetMatrix(program, ("lights" + index).c_str(), shadows.lights[k]);
      SetFloat(program, ("texels" + index).c_str(), shadows.texels[k]);
    }
    SetInt(program, "shadow_map", kShadowUnit);
    SetInt(program, "plane_picture", kPlaneUnit);
    SetInt(program, "cube_picture", kCubeUnit);
    SetInt(program, "occlusion", kOcclusionUnit);
    glUniform4f(glGetUniformLocation(program, "occlusion_part"), static_cast<float>(viewport.x),
                static_cast<float>(viewport.y), 1.0f / static_cast<float>(viewport.width),
                1.0f / static_cast<float>(viewport.height));
  }
  glActiveTexture(GL_TEXTURE0 + kPlaneUnit);
  glBindTexture(GL_TEXTURE_2D, no_plane_.texture);
  glActiveTexture(GL_TEXTURE0 + kCubeUnit);
  glBindTexture(GL_TEXTURE_CUBE_MAP, no_cube_.texture);
  glActiveTexture(GL_TEXTURE0 + kShadowUnit);
  glBindTexture(GL_TEXTURE_2D, shadow_texture_);
}

void Renderer::Draw(const DrawList& list, const Camera& camera, double scene_size, const Viewport& viewport,
                    const RenderOptions& options) {
  GLint bound = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  if (options.coarse)
    return DrawCoarse(list, camera, scene_size, viewport, options, static_cast<GLuint>(bound));
  const bool is_window = is_software_ && bound == 0;
  const View view = MakeView(camera, viewport, options.shift);
  if (is_window && ShowKept(list, view.projection, scene_size, viewport, options)) return;
  DrawScene(list, camera, scene_size, viewport, options);
  if (is_window) Keep(list, scene_size, viewport, options);
}

void Renderer::DrawCoarse(const DrawList& list, const Camera& camera, double scene_size,
                          const Viewport& viewport, const RenderOptions& options, GLuint bound) {
  const int width = std::max(1, static_cast<int>(kCoarse * viewport.width)),
            height = std::max(1, static_cast<int>(kCoarse * viewport.height));
  const Viewport whole{0, 0, width, height};
  const Eigen::Matrix4f projection = MakeView(camera, whole, options.shift).projection;
  // Steps may take longer than frames.
  if (!IsKept(coarse_kept_, list, projection, scene_size, whole, options)) {
    MakeCoarse(width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, coarse_buffer_);
    DrawScene(list, camera, scene_size, whole, options);
    SetKept(coarse_kept_, list, scene_size, whole, options);
  }
  glBindFramebuffer(GL_READ_FRAMEBUFFER, coarse_buffer_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, bound);
  glBlitFramebuffer(0, 0, width, height, viewport.x, viewport.y, viewport.x + viewport.width,
                    viewport.y + viewport.height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, bound);
  glViewport(viewport.x, viewport.y, viewport.width, viewport.height);
}

bool Renderer::IsKept(const Kept& kept, const DrawList& list, const Eigen::Matrix4f& projection,
                      double scene_size, const Viewport& viewport, const RenderOptions& options) {
  return kept.viewport == viewport && kept.projection == projection && kept.scene_size == scene_size &&
         kept.options == options && kept.list.IsDrawnAs(list);
}

// As what was drawn last.
void Renderer::SetKept(Kept& kept, const DrawList& list, double scene_size, const Viewport& viewport,
                       const RenderOptions& options) const {
  kept.viewport = viewport;
  kept.list = list;
  kept.list.labels.clear();
  kept.projection = view_.projection;
  kept.scene_size = scene_size;
  kept.options = options;
}

bool Renderer::ShowKept(const DrawList& list, const Eigen::Matrix4f& projection, double scene_size,
                        const Viewport& viewport, const RenderOptions& options) const {
  for (const Kept& kept : kept_) {
    if (!IsKept(kept, list, projection, scene_size, viewport, options)) continue;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, kept.buffer);
    glBlitFramebuffer(0, 0, viewport.width, viewport.height, viewport.x, viewport.y,
                      viewport.x + viewport.width, viewport.y + viewport.height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    return true;
  }
  return false;
}

// Parts of the window lie beside one another: what a new one covers is gone.
void Renderer::Keep(const DrawList& list, double scene_size, const Viewport& viewport,
                    const RenderOptions& options) {
  constexpr std::size_t kMost = 2;
  auto kept =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& other) { return other.viewport == viewport; });
  if (kept == kept_.end()) {
    if (kept_.size() >= kMost) ForgetKept();
    kept = kept_.insert(kept_.end(), Kept{});
  }
  SetKept(*kept, list, scene_size, viewport, options);
  if (kept->texture == 0) {
    glGenTextures(1, &kept->texture);
    glGenFramebuffers(1, &kept->buffer);
    MakeColorTexture(kept->texture, kept->buffer, viewport.width, viewport.height);
  }
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, kept->buffer);
  glBlitFramebuffer(viewport.x, viewport.y, viewport.x + viewport.width, viewport.y + viewport.height, 0, 0,
                    viewport.width, viewport.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void Renderer::ForgetKept() {
  coarse_kept_ = {};
  for (const Kept& kept : kept_) {
    glDeleteFramebuffers(1, &kept.buffer);
    glDeleteTextures(1, &kept.texture);
  }
  kept_.clear();
}

void Renderer::DrawScene(const DrawList& list, const Camera& camera, double scene_size,
                         const Viewport& viewport, const RenderOptions& options) {
  most_for_two_shadows_ = options.coarse ? kMostForTwoCoarseShadows : kMostForTwoShadows;
  const bool is_fine = !options.low && options.fine;
  detail_ = options.low ? kLow : is_fine ? kFine : options.coarse && is_software_ ? kQuick : kPlain;
  if (is_fine) MakePrimitives(kFineSegments);
  is_wireframe_ = options.wireframe;
  view_ = MakeView(camera, viewport, options.shift);
  // Grounds that are only shadows are of pictures.
  saves_ = is_software_ && !is_fine && !options.transparent;
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_TEXTURE_CUBE_MAP_SEAMLESS);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  const bool has_shadows = !options.low && list.lighting.has_shadows;
  small_caster_ = saves_ && has_shadows ? CalcSmallCaster(camera, scene_size) : 0.0f;
  towards_key_ = list.lighting.key.towards;
  UploadAll(list);
  Shadows shadows;
  if (!options.low) {
    glActiveTexture(GL_TEXTURE0 + kShadowUnit);
    MakeShadowMap(CalcShadowSize(is_fine));
    shadows = FitShadows(list, camera, scene_size, is_fine);
    if (shadows.count > 0) DrawShadows(shadows);
  }
  if (saves_) shaded_ground_ = FindShadedGround(list, shadows, viewport);
  const bool has_occlusion = HasOcclusion(detail_) && !options.wireframe;
  if (has_occlusion) DrawOcclusion(camera, viewport);
  glViewport(viewport.x, viewport.y, viewport.width, viewport.height);
  glScissor(viewport.x, viewport.y, viewport.width, viewport.height);
  glEnable(GL_SCISSOR_TEST);
  if (options.transparent) glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  SetUniforms(list, camera, scene_size, shadows, viewport, options);
  const auto draw_shapes = [&](Pass pass) {
    glPolygonMode(GL_FRONT_AND_BACK, options.wireframe ? GL_LINE : GL_FILL);
    DrawShapes(pass, viewport);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  };
  BindOcclusion(has_occlusion);
  draw_shapes(kOpaque);
  draw_shapes(kTiny);
  BindOcclusion(false);  // it is of what is opaque
  DrawSmall();
  DrawLines(list.solid.lines);
  if (!options.transparent) DrawSky(list, camera, viewport.aspect());
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  draw_shapes(kGlass);
  glDepthMask(GL_TRUE);
  DrawOutlines(list.outline, viewport);
  glClear(GL_DEPTH_BUFFER_BIT);
  draw_shapes(kOverlay);
  DrawLines(list.overlay.lines);
  glDepthMask(GL_FALSE);
  draw_shapes(kOverlayGlass);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
  glBindVertexArray(0);
  glActiveTexture(GL_TEXTURE0);
}

}  // namespace stiction::viewer
