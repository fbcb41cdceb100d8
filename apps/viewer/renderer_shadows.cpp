// Shadow maps of the key light, and what the light from around does not reach.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

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

namespace {

// Half lengths of what the maps show [m]: one about what the camera looks at, and a wider one.
std::pair<double, double> CalcMapRadii(const Camera& camera, double scene_size) {
  const double wide = 2.0 * std::max(scene_size, 0.45 * camera.distance);
  return {std::min(0.4 * camera.distance, 0.4 * wide), wide};
}

}  // namespace

// In the finest map that there may be.
float Renderer::CalcSmallCaster(const Camera& camera, double scene_size) const {
  constexpr double kTexels = 4.0;
  const auto [narrow, wide] = CalcMapRadii(camera, scene_size);
  // What is drawn roughly for the time that it moves has no narrow map where there is much of it.
  const double radius = detail_ == kQuick ? wide : narrow;
  return static_cast<float>(kTexels * 2.0 * radius / CalcShadowSize(false));
}

Renderer::Shadows Renderer::FitShadows(const DrawList& list, const Camera& camera, double scene_size,
                                       bool is_fine) const {
  Shadows shadows;
  if (!list.lighting.has_shadows) return shadows;
  constexpr long long kMostCorners = 3 * 20000;  // for a second map while software has to be quick
  int num_instances = casters_.shapes.num_shapes();
  long long num_corners = 0;
  for (const Batch& batch : batches_) {
    for (const Run& run : batch.runs) {
      if (batch.is_ground || (run.pass != kOpaque && run.pass != kHidden)) continue;
      num_instances += run.count;
      num_corners += static_cast<long long>(run.count) * batch.mesh->num_indices;
    }
  }
  if (num_instances == 0) return shadows;
  const int size = CalcShadowSize(is_fine);
  const auto [narrow, wide] = CalcMapRadii(camera, scene_size);
  const bool is_much = detail_ == kQuick && num_corners > kMostCorners;
  const bool has_two = is_fine || !is_software_ || (num_instances <= most_for_two_shadows_ && !is_much);
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
      (batch.is_closed ? glEnable : glDisable)(GL_CULL_FACE);
      for (const Run& run : batch.runs)
        if (run.pass == kOpaque || run.pass == kHidden) DrawRun(batch, run, false);
    }
    glDisable(GL_CULL_FACE);
    DrawAll(casters_);
  }
  glDisable(GL_CULL_FACE);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DEPTH_CLAMP);
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
}

// Not worth its time where software draws and has to be quick.
bool Renderer::HasOcclusion(Detail detail) const {
  return detail == kFine || (detail == kPlain && !is_software_);
}

// Grounds take part: what stands on them is seen to touch them.
void Renderer::DrawOcclusion(const Camera& camera, const Viewport& viewport) {
  constexpr double kReach = 0.1;  // of the camera's distance: some part of the picture from near and far
  // Windows have a quarter of the pixels of it: it is smooth, and small graphics cards have large screens.
  const int size = detail_ == kFine ? 1 : 2;
  GLint bound = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
  if (!occlusion_) occlusion_.emplace();
  occlusion_->BeginDepths(std::max(1, viewport.width / size), std::max(1, viewport.height / size));
  glUseProgram(shadow_program_);
  SetMatrix(shadow_program_, "view_projection", view_.projection);
  for (const Batch& batch : batches_) {
    (batch.is_closed ? glEnable : glDisable)(GL_CULL_FACE);
    for (const Run& run : batch.runs)
      if (run.pass == kOpaque || run.pass == kTiny) DrawRun(batch, run, false);
  }
  glDisable(GL_CULL_FACE);
  occlusion_->Calc(camera.Projection(viewport.aspect()), view_.shift,
                   static_cast<float>(kReach * camera.distance), empty_array_);
  glEnable(GL_DEPTH_TEST);
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(bound));
}

void Renderer::BindOcclusion(bool is_on) {
  glActiveTexture(GL_TEXTURE0 + kOcclusionUnit);
  glBindTexture(GL_TEXTURE_2D, is_on ? occlusion_->texture() : no_plane_.texture);
}

// Casters are taken as balls. Along the light their outline goes on to the plane of each ground, and its
// corners into the picture; where one is behind the eye, all of the picture it is.
Viewport Renderer::FindShadedGround(const DrawList& list, const Shadows& shadows,
                                    const Viewport& viewport) const {
  if (shadows.count == 0) return {viewport.x, viewport.y, 0, 0};
  const Eigen::Matrix4f& light = shadows.lights[static_cast<std::size_t>(shadows.count) - 1];
  const float scale = light.row(0).head<3>().norm();
  Eigen::Array2f lower = Eigen::Array2f::Constant(1.0f), upper = -lower;
  const auto add = [&](const std::vector<DrawInstance>& instances, float unit_radius) {
    for (const DrawInstance& instance : instances) {
      const Eigen::Map<const Eigen::Matrix<float, 3, 4>> pose(instance.pose);
      const float reach = scale * unit_radius * pose.leftCols<3>().colwise().norm().maxCoeff();
      const Eigen::Array2f p =
          (light.topLeftCorner<2, 3>() * pose.col(3) + light.topRightCorner<2, 1>()).array();
      lower = lower.min(p - reach), upper = upper.max(p + reach);
    }
  };
  for (int k = 0; k < kNumDrawPrimitives; ++k)
    if (k != static_cast<int>(DrawPrimitive::kGround)) add(list.solid.instances[k], primitives_[k][0].radius);
  for (std::size_t m = 0; m < meshes_.size() && m < list.mesh_instances.size(); ++m)
    add(list.mesh_instances[m], meshes_[m][0].radius);
  // Some texels more: where they are fetched is moved by the surface's normal, and they are smoothed.
  const float rim = 6.0f * 2.0f / static_cast<float>(shadow_size_);
  lower = (lower - rim).max(-1.0f), upper = (upper + rim).min(1.0f);
  const Eigen::Matrix3f back = light.topLeftCorner<3, 3>().inverse();
  const Eigen::Array2f half(0.5f * static_cast<float>(viewport.width),
                            0.5f * static_cast<float>(viewport.height));
  Eigen::Array2f from = Eigen::Array2f::Constant(1e9f), to = -from;
  for (const DrawInstance& ground : list.solid.instances[static_cast<int>(DrawPrimitive::kGround)]) {
    const Eigen::Map<const Eigen::Matrix<float, 3, 4>> pose(ground.pose);
    const Eigen::Vector3f n = pose.col(2).normalized(), along = back.col(2);
    for (int corner = 0; corner < 4; ++corner) {
      const Eigen::Vector3f in_light(corner & 1 ? upper.x() : lower.x(), corner & 2 ? upper.y() : lower.y(),
                                     0.0f);
      const Eigen::Vector3f start = back * (in_light - light.topRightCorner<3, 1>());
      const float slope = n.dot(along);
      const Eigen::Vector3f p = start + along * (n.dot(pose.col(3) - start) / slope);
      const Eigen::Vector4f seen = view_.projection * Eigen::Vector4f(p.x(), p.y(), p.z(), 1.0f);
      if (!(std::abs(slope) > 1e-3f * along.norm()) || !(seen.w() > 1e-3f * p.norm())) return viewport;
      const Eigen::Array2f pixel = half * (1.0f + seen.head<2>().array() / seen.w());
      from = from.min(pixel), to = to.max(pixel);
    }
  }
  const auto clamp = [](float value, int most) {
    return static_cast<int>(std::clamp(value, 0.0f, static_cast<float>(most)));
  };
  const int left = clamp(from.x() - 1.0f, viewport.width), bottom = clamp(from.y() - 1.0f, viewport.height),
            right = clamp(to.x() + 2.0f, viewport.width), top = clamp(to.y() + 2.0f, viewport.height);
  return {viewport.x + left, viewport.y + bottom, std::max(0, right - left), std::max(0, top - bottom)};
}

}  // namespace stiction::viewer
