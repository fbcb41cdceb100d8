// The edge around what is selected.
#include <Eigen/Geometry>
#include <algorithm>
#include <iterator>

#include "gl_program.h"
#include "gl_vertices.h"
#include "renderer.h"

namespace stiction::viewer {

void Renderer::MakeMask(int width, int height) {
  if (width == mask_width_ && height == mask_height_) return;
  mask_width_ = width, mask_height_ = height;
  glDeleteFramebuffers(1, &mask_buffer_);
  glDeleteTextures(1, &mask_texture_);
  glGenTextures(1, &mask_texture_);
  glActiveTexture(GL_TEXTURE0 + kPlaneUnit);
  glBindTexture(GL_TEXTURE_2D, mask_texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, nullptr);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTexParameteri(GL_TEXTURE_2D, axis, GL_CLAMP_TO_EDGE);
  glGenFramebuffers(1, &mask_buffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, mask_buffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, mask_texture_, 0);
}

void Renderer::DrawMask(const Mesh& mesh, const std::vector<DrawInstance>& instances,
                        const Viewport& viewport, std::array<float, 4>& seen) {
  if (instances.empty() || mesh.array == 0) return;
  for (const DrawInstance& instance : instances) {
    const Eigen::Map<const Eigen::Matrix<float, 3, 4>> pose(instance.pose);
    const float radius = mesh.radius * pose.leftCols<3>().colwise().norm().maxCoeff();
    const Eigen::Vector4f p = view_.projection * pose.col(3).homogeneous();
    const float away = (pose.col(3) - view_.eye).norm();
    // Inside of the ball, or beside the eye: it may be anywhere.
    if (p.w() <= radius || away <= 1.01f * radius) {
      seen = {0.0f, 0.0f, static_cast<float>(viewport.width), static_cast<float>(viewport.height)};
      break;
    }
    const float reach = view_.pixels * radius / (p.w() - radius);
    const float x = 0.5f * (1.0f + p.x() / p.w()) * static_cast<float>(viewport.width),
                y = 0.5f * (1.0f + p.y() / p.w()) * static_cast<float>(viewport.height);
    seen = {std::min(seen[0], x - reach), std::min(seen[1], y - reach), std::max(seen[2], x + reach),
            std::max(seen[3], y + reach)};
  }
  glBindVertexArray(mesh.array);
  glBindBuffer(GL_ARRAY_BUFFER, mask_instances_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances.size() * sizeof(DrawInstance)),
               instances.data(), GL_STREAM_DRAW);
  PointAtInstances(0);
  glDrawElementsInstanced(GL_TRIANGLES, mesh.num_indices, GL_UNSIGNED_INT, nullptr,
                          static_cast<GLsizei>(instances.size()));
}

// A mask of what is to have an edge, and then the edge, where the mask ends.
void Renderer::DrawOutlines(const DrawOutline& outline, const Viewport& viewport) {
  const bool is_empty =
      outline.meshes.empty() && std::all_of(std::begin(outline.instances), std::end(outline.instances),
                                            [](const auto& instances) { return instances.empty(); });
  if (is_empty) return;
  GLint bound = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  MakeMask(viewport.width, viewport.height);
  glBindFramebuffer(GL_FRAMEBUFFER, mask_buffer_);
  glViewport(0, 0, viewport.width, viewport.height);
  glScissor(0, 0, viewport.width, viewport.height);
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  glUseProgram(mask_program_);
  SetMatrix(mask_program_, "view_projection", view_.projection);
  std::array<float, 4> seen{1e9f, 1e9f, -1e9f, -1e9f};
  for (int k = 0; k < kNumDrawPrimitives; ++k)
    DrawMask(primitives_[k][0], outline.instances[k], viewport, seen);
  for (const auto& [mesh, instance] : outline.meshes)
    if (mesh < static_cast<int>(meshes_.size()))
      DrawMask(meshes_[static_cast<std::size_t>(mesh)][0], {instance}, viewport, seen);
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
  glViewport(viewport.x, viewport.y, viewport.width, viewport.height);
  const float thick = std::max(2.0f, static_cast<float>(viewport.height) / 400.0f);
  const int left = std::clamp(static_cast<int>(seen[0] - thick) - 1, 0, viewport.width),
            bottom = std::clamp(static_cast<int>(seen[1] - thick) - 1, 0, viewport.height),
            right = std::clamp(static_cast<int>(seen[2] + thick) + 2, left, viewport.width),
            top = std::clamp(static_cast<int>(seen[3] + thick) + 2, bottom, viewport.height);
  glScissor(viewport.x + left, viewport.y + bottom, right - left, top - bottom);
  glEnable(GL_BLEND);
  glUseProgram(edge_program_);
  glActiveTexture(GL_TEXTURE0 + kPlaneUnit);
  glBindTexture(GL_TEXTURE_2D, mask_texture_);
  SetInt(edge_program_, "mask", kPlaneUnit);
  glUniform2f(glGetUniformLocation(edge_program_, "corner"), static_cast<float>(viewport.x),
              static_cast<float>(viewport.y));
  SetFloat(edge_program_, "thick", thick);
  SetVector(edge_program_, "color", Eigen::Vector3f(1.0f, 0.62f, 0.05f));
  glBindVertexArray(empty_array_);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEnable(GL_DEPTH_TEST);
  glScissor(viewport.x, viewport.y, viewport.width, viewport.height);
}

}  // namespace stiction::viewer
