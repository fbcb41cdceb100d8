// Materials, pictures and lights of a model in the words of draw lists.
#include <algorithm>
#include <cmath>

#include "stiction/viz/scene.h"

namespace stiction {
namespace {

// Of the highlight that MJCF's shininess means: Phong's exponent is 128 at 1, and a rough surface of
// Beckmann's kind has the same width where its roughness is (2 / (n + 2))^(1/4).
float RoughnessOf(const Material& material) {
  if (material.roughness >= 0.0f) return material.roughness;
  return static_cast<float>(std::pow(2.0 / (2.0 + 128.0 * material.shininess), 0.25));
}

// The colours of a sky at the top, at the horizon and at the bottom.
DrawColor MeanColor(const Texture& sky, int picture, int first_row, int num_rows) {
  double sum[3] = {0.0, 0.0, 0.0};
  const std::size_t row_bytes = std::size_t{4} * sky.width;
  const std::size_t begin = (std::size_t(picture) * sky.height + first_row) * row_bytes;
  const std::size_t end = begin + num_rows * row_bytes;
  for (std::size_t i = begin; i < end; i += 4)
    for (int k = 0; k < 3; ++k) sum[k] += sky.pixels[i + k];
  const double count = 255.0 * std::max<std::size_t>(1, (end - begin) / 4);
  return {static_cast<float>(sum[0] / count), static_cast<float>(sum[1] / count),
          static_cast<float>(sum[2] / count), 1.0f};
}

Eigen::Vector3f ToVector(const LightColor& color) {
  return {color[0], color[1], color[2]};
}

DrawColor ToDrawColor(const Color& color) {
  return {color.r, color.g, color.b, color.a};
}

// From behind, above and to the right of where the camera starts: what stands up throws a shadow that is
// seen.
const Eigen::Vector3f kUsualSun = Eigen::Vector3f(0.35f, -0.45f, 0.82f).normalized();

// A lamp right above gives shadows that are hidden: it is drawn as if it stood a little aside.
Eigen::Vector3f Tilt(const Eigen::Vector3f& towards) {
  constexpr float kSteepest = 0.9f;  // its sine
  if (towards.z() < kSteepest) return towards;
  const Eigen::Vector3f aside(kUsualSun.x(), kUsualSun.y(), 0.0f);
  return (towards + 0.8f * aside).normalized();
}

}  // namespace

int SceneDrawing::AddTexture(const SharedTexture& texture) {
  if (!texture || texture->pixels.empty()) return -1;
  const auto known = std::find(textures_.begin(), textures_.end(), texture);
  const int index = static_cast<int>(known - textures_.begin());
  if (known == textures_.end()) textures_.push_back(texture);
  return index;
}

DrawSurface SceneDrawing::MakeSurface(const Material& material, const Part& part) {
  DrawSurface out;
  out.roughness = RoughnessOf(material);
  out.metallic = std::max(material.metallic, 0.0f);
  // What reflects as a mirror would at least shines.
  out.specular = std::min(1.0f, material.specular) + 2.0f * material.reflectance;
  out.emission = material.emission;
  out.texture = AddTexture(material.texture);
  if (out.texture < 0) return out;
  if (material.texture->kind != Texture::Kind::kPlane) {
    out.mapping = material.is_uniform ? DrawMapping::kCube : DrawMapping::kCubeUnit;
    return out;
  }
  out.repeat[0] = material.repeat[0], out.repeat[1] = material.repeat[1];
  const bool has_corners = part.draw_mesh >= 0 && !meshes_[part.draw_mesh].texture_points.empty();
  const bool is_endless = part.shape != nullptr && std::holds_alternative<Plane>(*part.shape) &&
                          !(part.geom >= 0 && model_->geoms[part.geom].seen_half_size[0] > 0.0);
  out.mapping = has_corners                         ? DrawMapping::kCorners
                : material.is_uniform || is_endless ? DrawMapping::kPlaneMetres
                                                    : DrawMapping::kPlane;
  if (out.mapping == DrawMapping::kPlane && part.draw_mesh >= 0) {
    // A mesh is no unit shape: the picture lies over its bounds.
    const auto& [lower, upper] = mesh_bounds_[part.draw_mesh];
    for (int k = 0; k < 2; ++k) {
      const double half = 0.5 * (upper - lower)[k];
      if (half > 0.0) out.repeat[k] = static_cast<float>(out.repeat[k] / half);
    }
    out.mapping = DrawMapping::kPlaneMetres;
  }
  return out;
}

Vector3d SceneDrawing::CalcSeenHalfSize(const Part& part) const {
  const double far = std::max(100.0, 40.0 * size_);
  Vector3d half(far, far, 1.0);
  if (part.geom < 0) return half;
  const auto& seen = model_->geoms[part.geom].seen_half_size;
  for (int k = 0; k < 2; ++k)
    if (seen[k] > 0.0) half[k] = seen[k];
  return half;
}

void SceneDrawing::PrepareLighting() {
  const Surroundings& around = model_->surroundings;
  DrawLighting& out = surroundings_;
  out.sky = AddTexture(around.sky);
  if (out.sky >= 0) {
    const Texture& sky = *around.sky;
    const int middle = sky.height / 2;
    out.zenith = MeanColor(sky, 2, 0, sky.height);
    out.nadir = MeanColor(sky, 3, 0, sky.height);
    out.horizon = MeanColor(sky, 4, std::max(0, middle - 1), std::min(2, sky.height));
  }
  if (around.haze) out.horizon = ToDrawColor(*around.haze);
  if (around.fog) out.fog = ToDrawColor(*around.fog);
}

// The brightest lamp that casts shadows is the key light, whatever its brightness: pictures are exposed for
// it.
DrawLighting SceneDrawing::MakeLighting(const std::vector<RigidTransform>& X_WB) const {
  DrawLighting out = surroundings_;
  const double extent = model_->surroundings.extent.value_or(2.0 * size_);
  out.fog_start = static_cast<float>(extent) * model_->surroundings.fog_range[0];
  out.fog_end = static_cast<float>(extent) * model_->surroundings.fog_range[1];
  out.key.towards = kUsualSun;
  std::vector<std::pair<DrawLighting::Lamp, bool>> lamps;
  for (const Light& light : model_->lights) {
    const Eigen::Vector3f color = ToVector(light.diffuse);
    if (!light.is_on || !(color.maxCoeff() > 0.0f)) continue;
    const LightPlace lamp = CalcLightPlace(*model_, X_WB, light);
    const bool is_far = light.is_directional || !(lamp.p_WL.norm() > 1e-6);
    const Vector3d towards = is_far ? Vector3d(-lamp.direction_W) : Vector3d(lamp.p_WL.normalized());
    lamps.push_back({{Tilt(towards.cast<float>()), color}, light.casts_shadow});
  }
  if (lamps.empty()) return out;
  const auto rank = [](const auto& lamp) { return lamp.first.color.sum() + (lamp.second ? 1e3f : 0.0f); };
  std::stable_sort(lamps.begin(), lamps.end(),
                   [&](const auto& a, const auto& b) { return rank(a) > rank(b); });
  const float brightest = lamps.front().first.color.maxCoeff();
  out.has_shadows = lamps.front().second;
  for (std::size_t i = 0; i < lamps.size() && i <= DrawLighting::kMaxFills; ++i) {
    lamps[i].first.color /= brightest;
    if (i == 0) out.key = lamps[0].first;
    if (i > 0) out.fills.push_back(lamps[i].first);
  }
  return out;
}

}  // namespace stiction
