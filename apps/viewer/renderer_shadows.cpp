// Shadow maps of the key light.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "gl_program.h"
#include "renderer.h"

namespace stiction::viewer {
namespace {

// The view of a far lamp onto a ball. Its map's middle stands on a whole texel, so that shadows do not swim
// with the camera.
Eigen::Matrix4f MakeLight(const Eigen::Vector3f& towards, Vector3d target, double radius, int size) {
  Matrix3d R;
  R.col(2) = towards.cast<double>();
  R.col(0) = R.col(2).unitOrthogonal();
  R.col(1) = R.col(2).cross(R.col(0));
  const double texel = 2.0 * radius / size;
  Vector3d p = R.transpose() * target;
  for (int k = 0; k < 2; ++k) p[k] = texel * std::round(p[k] / texel);
  target = R * p;
  // Depth reaches further than the ball: shadows come from afar.
  constexpr double kDepth = 4.0;
  Eigen::Matrix4d view = Eigen::Matrix4d::Identity();
  view.topLeftCorner<3, 3>() = R.transpose() / radius;
  view.row(2) *= -1.0 / kDepth;
  view.topRightCorner<3, 1>() = -view.topLeftCorner<3, 3>() * target;
  return view.cast<float>();
}

}  // namespace

int Renderer::CalcShadowSize(bool is_fine) const {
  return is_fine || !is_software_ ? 2048 : 1024;
}

// Two maps beside one another.
void Renderer::MakeShadowMap(int size) {
  if (size == shadow_size_) return;
  shadow_size_ = size;
  glDeleteFramebuffers(1, &shadow_buffer_);
  glDeleteTextures(1, &shadow_texture_);
  glGenTextures(1, &shadow_texture_);
  glBindTexture(GL_TEXTURE_2D, shadow_texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, 2 * size, size, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
               nullptr);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTexParameteri(GL_TEXTURE_2D, axis, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glGenFramebuffers(1, &shadow_buffer_);
  GLint bound = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  glBindFramebuffer(GL_FRAMEBUFFER, shadow_buffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shadow_texture_, 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
}

// One map about what the camera looks at, and a wider one.
Renderer::Shadows Renderer::FitShadows(const DrawList& list, const Camera& camera, double scene_size,
                                       bool is_fine) const {
  Shadows shadows;
  if (!list.lighting.has_shadows) return shadows;
  int num_instances = 0;
  for (const Batch& batch : batches_)
    for (const Run& run : batch.runs)
      num_instances += run.pass == kOpaque || run.pass == kHidden ? run.count : 0;
  const int size = CalcShadowSize(is_fine);
  const double wide = 2.0 * std::max(scene_size, 0.45 * camera.distance);
  const double narrow = std::min(0.4 * camera.distance, 0.4 * wide);
  const bool has_two = is_fine || !is_software_ || num_instances <= most_for_two_shadows_;
  const auto add = [&](double radius) {
    const int k = shadows.count++;
    shadows.lights[k] = MakeLight(list.lighting.key.towards, camera.target, radius, size);
    shadows.texels[k] = static_cast<float>(2.0 * radius / size);
  };
  if (has_two) add(narrow);
  add(wide);
  return shadows;
}

void Renderer::DrawShadows(const Shadows& shadows) {
  GLint bound = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  glBindFramebuffer(GL_FRAMEBUFFER, shadow_buffer_);
  glClear(GL_DEPTH_BUFFER_BIT);
  glEnable(GL_DEPTH_CLAMP);
  glUseProgram(shadow_program_);
  for (int map = 0; map < shadows.count; ++map) {
    glViewport(map * shadow_size_, 0, shadow_size_, shadow_size_);
    glScissor(map * shadow_size_, 0, shadow_size_, shadow_size_);
    glEnable(GL_SCISSOR_TEST);
    SetMatrix(shadow_program_, "view_projection", shadows.lights[map]);
    for (const Batch& batch : batches_) {
      if (batch.is_ground) continue;
      for (const Run& run : batch.runs)
        if (run.pass == kOpaque || run.pass == kHidden) DrawRun(batch, run, false);
    }
  }
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DEPTH_CLAMP);
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
}

}  // namespace stiction::viewer
