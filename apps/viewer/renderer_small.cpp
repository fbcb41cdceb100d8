// What is small in the picture or in its shadows, where software draws.
#include <cstddef>

#include "gl_program.h"
#include "gl_vertices.h"
#include "renderer.h"

namespace stiction::viewer {

// Attributes as kSmallVertex has them; for shadows the pose of an instance is a constant.
void Renderer::MakeArray(SmallMesh& mesh) {
  using Vertex = SmallShapes::Vertex;
  glGenVertexArrays(1, &mesh.array);
  glBindVertexArray(mesh.array);
  mesh.vertices = MakeBuffer();
  glBindBuffer(GL_ARRAY_BUFFER, mesh.vertices);
  constexpr GLuint kColor = kFirstInstanceAttribute + 4;
  for (const GLuint index : {0u, 1u, kColor, kColor + 1}) glEnableVertexAttribArray(index);
  SetFloatAttribute(0, 3, sizeof(Vertex), offsetof(Vertex, position));
  SetFloatAttribute(1, 3, sizeof(Vertex), offsetof(Vertex, normal));
  glVertexAttribPointer(kColor, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Vertex),
                        reinterpret_cast<void*>(offsetof(Vertex, color)));
  glVertexAttribPointer(kColor + 1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Vertex),
                        reinterpret_cast<void*>(offsetof(Vertex, surface)));
  mesh.indices = MakeBuffer();
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh.indices);
}

void Renderer::Delete(SmallMesh& mesh) {
  for (const GLuint buffer : {mesh.vertices, mesh.indices}) glDeleteBuffers(1, &buffer);
  glDeleteVertexArrays(1, &mesh.array);
}

void Renderer::DrawAll(SmallMesh& mesh) {
  if (mesh.shapes.is_empty()) return;
  if (mesh.array == 0) MakeArray(mesh);
  const auto& vertices = mesh.shapes.vertices();
  const auto& indices = mesh.shapes.indices();
  glBindVertexArray(mesh.array);
  glBindBuffer(GL_ARRAY_BUFFER, mesh.vertices);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof vertices[0]),
               vertices.data(), GL_STREAM_DRAW);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size() * sizeof indices[0]),
               indices.data(), GL_STREAM_DRAW);
  constexpr GLuint kPose = kFirstInstanceAttribute;
  for (GLuint k = 0; k < 4; ++k)
    glVertexAttrib3f(kPose + k, k == 0 ? 1.0f : 0.0f, k == 1 ? 1.0f : 0.0f, k == 2 ? 1.0f : 0.0f);
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(indices.size()), GL_UNSIGNED_INT, nullptr);
}

void Renderer::DrawSmall() {
  if (small_.shapes.is_empty()) return;
  glPolygonMode(GL_FRONT_AND_BACK, is_wireframe_ ? GL_LINE : GL_FILL);
  glUseProgram(ShapeProgram({.detail = detail_, .is_small = true}));
  DrawAll(small_);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

// True: nothing is left to be done. Otherwise it is to be drawn as an instance, in the pass that is then
// told.
bool Renderer::AddSmall(DrawPrimitive primitive, const DrawInstance& instance, float size_in_pixels,
                        Pass& pass) {
  constexpr float kSmallPixels = 9.0f, kTinyPixels = 3.0f;
  if (pass != kOpaque && pass != kHidden) return false;
  const bool is_mesh = primitive == DrawPrimitive::kMesh;
  const Eigen::Map<const Eigen::Matrix<float, 3, 4>> pose(instance.pose);
  // Of a block that hides as much as the shape does, about.
  constexpr float kShares[kNumDrawPrimitives] = {1.0f, 0.8f, 0.85f, 0.6f, 0.0f, 0.0f};
  const float share = kShares[static_cast<int>(primitive)];
  const bool is_tiny = size_in_pixels < kTinyPixels;
  const float half_length = std::sqrt(pose.leftCols<3>().colwise().squaredNorm().maxCoeff());
  const bool is_small_caster = !is_mesh && half_length < small_caster_;
  if (is_small_caster && !is_tiny) casters_.shapes.AddOutline(instance, share, towards_key_);
  const bool casts = !is_tiny && !is_small_caster;  // as an instance
  if (pass == kHidden) return !casts;
  if (!casts) pass = kTiny;
  if (is_mesh || instance.surface.texture >= 0) return false;
  const Eigen::Vector3f to_eye = view_.eye - pose.col(3);
  if (is_tiny) {
    small_.shapes.AddOutline(instance, share, to_eye);
    return true;
  }
  // While things move: at rest, there is time for light at every pixel.
  if (detail_ != kQuick || size_in_pixels >= kSmallPixels) return false;
  if (!small_.shapes.AddShape(primitive, instance, to_eye)) return false;
  if (casts) pass = kHidden;  // for its shadow alone
  return !casts;
}

}  // namespace stiction::viewer
