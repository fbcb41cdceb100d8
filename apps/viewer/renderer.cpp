#include "renderer.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "primitives.h"
#include "shaders.h"

namespace stiction::viewer {
namespace {

constexpr int kShadowSize = 2048;
const Vector3d kSun = Vector3d(0.35, -0.45, 0.82).normalized();  // towards the light
constexpr int kSegments = 32, kLowSegments = 14;

GLuint Compile(GLenum kind, const std::string& source) {
  const GLuint shader = glCreateShader(kind);
  const char* text = source.c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint is_good = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &is_good);
  if (is_good) return shader;
  char message[1024] = "";
  glGetShaderInfoLog(shader, sizeof message, nullptr, message);
  throw std::runtime_error(std::string("a shader does not compile: ") + message);
}

GLuint Link(const std::string& vertex, const std::string& fragment) {
  const GLuint program = glCreateProgram();
  for (const auto& [kind, source] :
       {std::pair(GL_VERTEX_SHADER, vertex), std::pair(GL_FRAGMENT_SHADER, fragment)}) {
    const GLuint shader = Compile(kind, source);
    glAttachShader(program, shader);
    glDeleteShader(shader);
  }
  glLinkProgram(program);
  GLint is_good = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &is_good);
  if (is_good) return program;
  char message[1024] = "";
  glGetProgramInfoLog(program, sizeof message, nullptr, message);
  throw std::runtime_error(std::string("a shader does not link: ") + message);
}

void SetMatrix(GLuint program, const char* name, const Eigen::Matrix4f& value) {
  glUniformMatrix4fv(glGetUniformLocation(program, name), 1, GL_FALSE, value.data());
}
void SetVector(GLuint program, const char* name, const Vector3d& value) {
  const Eigen::Vector3f v = value.cast<float>();
  glUniform3f(glGetUniformLocation(program, name), v.x(), v.y(), v.z());
}
void SetInt(GLuint program, const char* name, int value) {
  glUniform1i(glGetUniformLocation(program, name), value);
}

GLuint MakeBuffer() {
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  return buffer;
}

// The sun's view of a ball around the target.
Eigen::Matrix4f MakeLight(const Vector3d& target, double radius) {
  Eigen::Matrix4d view = Eigen::Matrix4d::Identity();
  Matrix3d R;
  R.col(2) = kSun;
  R.col(0) = kSun.unitOrthogonal();
  R.col(1) = R.col(2).cross(R.col(0));
  view.topLeftCorner<3, 3>() = R.transpose() / radius;
  view.row(2) *= -1.0;
  view.topRightCorner<3, 1>() = -view.topLeftCorner<3, 3>() * target;
  return view.cast<float>();
}

}  // namespace

Renderer::Renderer(bool is_low) {
  for (const bool low : {false, true}) {
    for (const bool ground : {false, true}) {
      const std::string head =
          std::string(kVersion) + (low ? "#define LOW\n" : "") + (ground ? "#define GROUND\n" : "");
      shape_programs_[low][ground] = Link(head + kShapeVertex, head + kShapeFragment);
    }
  }
  shadow_program_ = Link(kShadowVertex, kShadowFragment);
  line_program_ = Link(kLineVertex, kLineFragment);
  sky_program_ = Link(kSkyVertex, kSkyFragment);
  const int segments = is_low ? kLowSegments : kSegments;
  for (int k = 0; k < kNumDrawPrimitives; ++k) {
    const DrawPrimitive primitive = static_cast<DrawPrimitive>(k);
    if (primitive != DrawPrimitive::kMesh) primitives_[k] = MakeMesh(MakePrimitive(primitive, segments));
  }
  glGenVertexArrays(1, &empty_array_);
  glGenVertexArrays(1, &line_array_);
  line_vertices_ = MakeBuffer();
  glBindVertexArray(line_array_);
  glBindBuffer(GL_ARRAY_BUFFER, line_vertices_);
  constexpr GLsizei stride = 7 * sizeof(float);
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, nullptr);
  glEnableVertexAttribArray(1);
  glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, stride, reinterpret_cast<void*>(3 * sizeof(float)));
}

void Renderer::MakeShadowMap() {
  glGenTextures(1, &shadow_texture_);
  glBindTexture(GL_TEXTURE_2D, shadow_texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, kShadowSize, kShadowSize, 0, GL_DEPTH_COMPONENT,
               GL_FLOAT, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glGenFramebuffers(1, &shadow_buffer_);
  GLint bound = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  glBindFramebuffer(GL_FRAMEBUFFER, shadow_buffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shadow_texture_, 0);
  glDrawBuffer(GL_NONE);
  glBindFramebuffer(GL_FRAMEBUFFER, bound);
}

Renderer::~Renderer() {
  for (Mesh& mesh : primitives_) DeleteMesh(mesh);
  for (Mesh& mesh : meshes_) DeleteMesh(mesh);
  for (const auto& programs : shape_programs_)
    for (GLuint program : programs) glDeleteProgram(program);
  for (GLuint program : {shadow_program_, line_program_, sky_program_}) glDeleteProgram(program);
  glDeleteFramebuffers(1, &shadow_buffer_);
  glDeleteTextures(1, &shadow_texture_);
  glDeleteBuffers(1, &line_vertices_);
  glDeleteVertexArrays(1, &line_array_);
  glDeleteVertexArrays(1, &empty_array_);
}

Renderer::Mesh Renderer::MakeMesh(const DrawMesh& from) {
  Mesh mesh;
  mesh.num_vertices = static_cast<int>(from.positions.size());
  std::vector<float> data;
  for (std::size_t k = 0; k < from.positions.size(); ++k) {
    for (const Eigen::Vector3f& v : {from.positions[k], from.normals[k]})
      data.insert(data.end(), v.begin(), v.end());
  }
  glGenVertexArrays(1, &mesh.array);
  glBindVertexArray(mesh.array);
  mesh.vertices = MakeBuffer();
  glBindBuffer(GL_ARRAY_BUFFER, mesh.vertices);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(data.size() * sizeof(float)), data.data(),
               GL_STATIC_DRAW);
  for (int k = 0; k < 2; ++k) {
    glEnableVertexAttribArray(k);
    glVertexAttribPointer(k, 3, GL_FLOAT, GL_FALSE, 6 * sizeof(float),
                          reinterpret_cast<void*>(k * 3 * sizeof(float)));
  }
  mesh.instances = MakeBuffer();
  glBindBuffer(GL_ARRAY_BUFFER, mesh.instances);
  for (int k = 0; k < 5; ++k) {
    glEnableVertexAttribArray(2 + k);
    glVertexAttribPointer(2 + k, k < 4 ? 3 : 4, GL_FLOAT, GL_FALSE, sizeof(DrawInstance),
                          reinterpret_cast<void*>(k * 3 * sizeof(float)));
    glVertexAttribDivisor(2 + k, 1);
  }
  return mesh;
}

void Renderer::DeleteMesh(Mesh& mesh) {
  glDeleteBuffers(1, &mesh.vertices);
  glDeleteBuffers(1, &mesh.instances);
  glDeleteVertexArrays(1, &mesh.array);
  mesh = {};
}

void Renderer::SetMeshes(const std::vector<DrawMesh>& meshes) {
  for (Mesh& mesh : meshes_) DeleteMesh(mesh);
  meshes_.clear();
  for (const DrawMesh& mesh : meshes) meshes_.push_back(MakeMesh(mesh));
}

void Renderer::UploadAll(const DrawList& list) {
  static const std::vector<DrawInstance> none;
  batches_.clear();
  for (int k = 0; k < kNumDrawPrimitives; ++k) {
    AddBatch(primitives_[k], list.solid.instances[k], list.overlay.instances[k],
             k == static_cast<int>(DrawPrimitive::kGround));
  }
  for (std::size_t m = 0; m < meshes_.size() && m < list.mesh_instances.size(); ++m)
    AddBatch(meshes_[m], list.mesh_instances[m], none, false);
}

void Renderer::AddBatch(Mesh& mesh, const std::vector<DrawInstance>& solid,
                        const std::vector<DrawInstance>& overlay, bool is_ground) {
  if (solid.empty() && overlay.empty()) return;
  Batch batch;
  batch.mesh = &mesh;
  batch.is_ground = is_ground;
  instances_.clear();
  const auto add = [&](const std::vector<DrawInstance>& from, bool is_glass, Pass pass) {
    const std::size_t before = instances_.size();
    for (const DrawInstance& instance : from)
      if ((instance.color.a < 1.0f) == is_glass) instances_.push_back(instance);
    batch.count[pass] = static_cast<int>(instances_.size() - before);
  };
  add(solid, false, kOpaque);
  add(solid, true, kGlass);
  add(overlay, false, kOverlay);
  add(overlay, true, kOverlayGlass);
  glBindBuffer(GL_ARRAY_BUFFER, mesh.instances);
  // A new store each frame: the driver need not wait for the last one.
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances_.size() * sizeof(DrawInstance)),
               instances_.data(), GL_STREAM_DRAW);
  batches_.push_back(batch);
}

// OpenGL 3.3 has no base instance: the attributes move to where the pass has its instances.
void Renderer::DrawBatch(const Batch& batch, Pass pass) {
  const int count = batch.count[pass];
  if (count == 0) return;
  int first = 0;
  for (int before = 0; before < pass; ++before) first += batch.count[before];
  glBindVertexArray(batch.mesh->array);
  glBindBuffer(GL_ARRAY_BUFFER, batch.mesh->instances);
  for (int k = 0; k < 5; ++k) {
    glVertexAttribPointer(2 + k, k < 4 ? 3 : 4, GL_FLOAT, GL_FALSE, sizeof(DrawInstance),
                          reinterpret_cast<void*>(first * sizeof(DrawInstance) + k * 3 * sizeof(float)));
  }
  glDrawArraysInstanced(GL_TRIANGLES, 0, batch.mesh->num_vertices, count);
}

// The ground last: most of it is hidden by then.
void Renderer::DrawShapes(bool is_low, Pass pass) {
  for (const bool is_ground : {false, true}) {
    glUseProgram(shape_programs_[is_low][is_ground]);
    for (const Batch& batch : batches_)
      if (batch.is_ground == is_ground) DrawBatch(batch, pass);
  }
}

void Renderer::DrawShadows(const Eigen::Matrix4f& light) {
  if (shadow_buffer_ == 0) MakeShadowMap();
  GLint bound = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  glBindFramebuffer(GL_FRAMEBUFFER, shadow_buffer_);
  glViewport(0, 0, kShadowSize, kShadowSize);
  glClear(GL_DEPTH_BUFFER_BIT);
  glUseProgram(shadow_program_);
  SetMatrix(shadow_program_, "view_projection", light);
  for (const Batch& batch : batches_)
    if (!batch.is_ground) DrawBatch(batch, kOpaque);
  glBindFramebuffer(GL_FRAMEBUFFER, bound);
}

void Renderer::DrawSky() {
  glDepthFunc(GL_LEQUAL);
  glUseProgram(sky_program_);
  glBindVertexArray(empty_array_);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthFunc(GL_LESS);
}

void Renderer::DrawLines(const std::vector<DrawLine>& lines, const Eigen::Matrix4f& view_projection) {
  if (lines.empty()) return;
  line_data_.clear();
  for (const DrawLine& line : lines) {
    for (const Eigen::Vector3f& p : {line.a, line.b}) {
      line_data_.insert(line_data_.end(),
                        {p.x(), p.y(), p.z(), line.color.r, line.color.g, line.color.b, line.color.a});
    }
  }
  glUseProgram(line_program_);
  SetMatrix(line_program_, "view_projection", view_projection);
  glBindVertexArray(line_array_);
  glBindBuffer(GL_ARRAY_BUFFER, line_vertices_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(line_data_.size() * sizeof(float)), line_data_.data(),
               GL_STREAM_DRAW);
  glDrawArrays(GL_LINES, 0, static_cast<GLsizei>(2 * lines.size()));
}

void Renderer::SetUniforms(const Camera& camera, double scene_size, const Eigen::Matrix4f& view_projection,
                           const Eigen::Matrix4f& light, bool has_shadows, bool is_low) {
  for (GLuint program : shape_programs_[is_low]) {
    glUseProgram(program);
    SetMatrix(program, "view_projection", view_projection);
    SetMatrix(program, "light", light);
    SetVector(program, "eye", camera.eye());
    SetVector(program, "sun", kSun);
    glUniform1f(glGetUniformLocation(program, "fog"),
                static_cast<float>(0.1 / std::max(scene_size, camera.distance)));
    SetInt(program, "has_shadows", has_shadows);
    SetInt(program, "shadow_map", 0);
  }
}

void Renderer::Draw(const DrawList& list, const Camera& camera, double scene_size, const Viewport& viewport,
                    const RenderOptions& options) {
  const Eigen::Matrix4f light = MakeLight(camera.target, 2.0 * std::max(scene_size, 0.4 * camera.distance));
  const Eigen::Matrix4f view_projection = camera.Projection(viewport.aspect()) * camera.View();
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  UploadAll(list);
  if (!options.low) DrawShadows(light);
  glViewport(viewport.x, viewport.y, viewport.width, viewport.height);
  glScissor(viewport.x, viewport.y, viewport.width, viewport.height);
  glEnable(GL_SCISSOR_TEST);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  SetUniforms(camera, scene_size, view_projection, light, !options.low, options.low);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, shadow_texture_);
  const auto draw_shapes = [&](Pass pass) {
    glPolygonMode(GL_FRONT_AND_BACK, options.wireframe ? GL_LINE : GL_FILL);
    DrawShapes(options.low, pass);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  };
  draw_shapes(kOpaque);
  DrawLines(list.solid.lines, view_projection);
  DrawSky();
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  draw_shapes(kGlass);
  glDepthMask(GL_TRUE);
  glClear(GL_DEPTH_BUFFER_BIT);
  draw_shapes(kOverlay);
  DrawLines(list.overlay.lines, view_projection);
  glDepthMask(GL_FALSE);
  draw_shapes(kOverlayGlass);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
  glBindVertexArray(0);
}

}  // namespace stiction::viewer
