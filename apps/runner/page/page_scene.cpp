#include "page_scene.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>

#include "base64.h"
#include "page_textures.h"

namespace stiction::runner {
namespace {

constexpr std::size_t kMostTriangles = 250'000;  // some 5 MB

using PackedVertex = std::tuple<std::uint16_t, std::uint16_t, std::uint16_t, std::int8_t, std::int8_t,
                                std::int8_t, float, float>;

Json ToJsonArray(const Eigen::Vector3f& v) {
  return Json::array({v.x(), v.y(), v.z()});
}

// A vertex once for all triangles that have it: 65535 steps a side, and normals to a degree.
Json PackMesh(const DrawMesh& mesh) {
  Eigen::Vector3f lower = Eigen::Vector3f::Zero(), upper = lower;
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    lower = i == 0 ? mesh.positions[i] : Eigen::Vector3f(lower.cwiseMin(mesh.positions[i]));
    upper = i == 0 ? mesh.positions[i] : Eigen::Vector3f(upper.cwiseMax(mesh.positions[i]));
  }
  const Eigen::Vector3f extent = (upper - lower).cwiseMax(1e-9f);
  std::map<PackedVertex, std::uint32_t> known;
  std::vector<std::uint16_t> positions;
  std::vector<std::int8_t> normals;
  std::vector<std::uint32_t> indices;
  std::vector<float> corners;
  const bool has_corners = !mesh.texture_points.empty();
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const Eigen::Vector3f place = (mesh.positions[i] - lower).cwiseQuotient(extent) * 65535.0f;
    const Eigen::Vector3f normal = mesh.normals[i] * 127.0f;
    const auto u16 = [](float x) { return static_cast<std::uint16_t>(std::lround(x)); };
    const auto i8 = [](float x) {
      return static_cast<std::int8_t>(std::lround(std::clamp(x, -127.0f, 127.0f)));
    };
    const Eigen::Vector2f corner = has_corners ? mesh.texture_points[i] : Eigen::Vector2f(0.0f, 0.0f);
    const PackedVertex vertex{u16(place.x()), u16(place.y()), u16(place.z()), i8(normal.x()),
                              i8(normal.y()), i8(normal.z()), corner.x(),     corner.y()};
    const auto [found, is_new] = known.try_emplace(vertex, static_cast<std::uint32_t>(known.size()));
    indices.push_back(found->second);
    if (!is_new) continue;
    positions.insert(positions.end(), {std::get<0>(vertex), std::get<1>(vertex), std::get<2>(vertex)});
    normals.insert(normals.end(), {std::get<3>(vertex), std::get<4>(vertex), std::get<5>(vertex)});
    corners.insert(corners.end(), {corner.x(), corner.y()});
  }
  Json out = {{"count", known.size()},           {"lower", ToJsonArray(lower)},
              {"extent", ToJsonArray(extent)},   {"position", EncodeBase64(positions)},
              {"normal", EncodeBase64(normals)}, {"index", EncodeBase64(indices)}};
  if (has_corners) out["corner"] = EncodeBase64(corners);
  return out;
}

// Ground needs no more than a hundredth of what it is given; six digits are a micrometre in a metre.
float Rounded(float x) {
  return std::abs(x) < 1e-12f ? 0.0f : std::round(x * 1e6f) / 1e6f;
}

Json MakePart(int body, int shape, int mesh, const DrawInstance& instance) {
  Json pose = Json::array();
  for (const float x : instance.pose) pose.push_back(Rounded(x));
  const DrawColor& c = instance.color;
  Json part = {{"body", body},
               {"shape", shape},
               {"mesh", mesh},
               {"pose", std::move(pose)},
               {"color", {Rounded(c.r), Rounded(c.g), Rounded(c.b), Rounded(c.a)}}};
  const DrawSurface& surface = instance.surface;
  if (surface.texture >= 0) {
    part["texture"] = surface.texture;
    part["mapping"] = static_cast<int>(surface.mapping);
    part["repeat"] = {surface.repeat[0], surface.repeat[1]};
  }
  return part;
}

std::vector<bool> FindUsedTextures(const Json& parts, std::size_t count) {
  std::vector<bool> is_used(count, false);
  for (const Json& part : parts)
    if (part.contains("texture")) is_used[part["texture"].get<std::size_t>()] = true;
  return is_used;
}

Json ListParts(const Model& model, const SceneDrawing& drawing, const SceneOptions& options,
               std::vector<bool>& uses_mesh) {
  Json parts = Json::array();
  DrawList list;
  for (int body = 0; body < model.num_bodies(); ++body) {
    list.Clear(static_cast<int>(drawing.meshes().size()));
    drawing.DrawBody(body, options, list);
    for (int shape = 0; shape < kNumDrawPrimitives; ++shape)
      for (const DrawInstance& instance : list.solid.instances[shape])
        parts.push_back(MakePart(body, shape, -1, instance));
    for (std::size_t mesh = 0; mesh < list.mesh_instances.size(); ++mesh)
      for (const DrawInstance& instance : list.mesh_instances[mesh]) {
        uses_mesh[mesh] = true;
        parts.push_back(
            MakePart(body, static_cast<int>(DrawPrimitive::kMesh), static_cast<int>(mesh), instance));
      }
  }
  return parts;
}

std::size_t CountTriangles(const SceneDrawing& drawing, const std::vector<bool>& uses_mesh) {
  std::size_t count = 0;
  for (std::size_t mesh = 0; mesh < uses_mesh.size(); ++mesh)
    if (uses_mesh[mesh]) count += drawing.meshes()[mesh].positions.size() / 3;
  return count;
}

}  // namespace

Json MakePageScene(const Model& model, const SceneDrawing& drawing, std::string& note) {
  SceneOptions options;
  std::vector<bool> uses_mesh(drawing.meshes().size(), false);
  Json parts = ListParts(model, drawing, options, uses_mesh);
  if (const std::size_t triangles = CountTriangles(drawing, uses_mesh); triangles > kMostTriangles) {
    note = "shapes that collide are shown: the detailed ones have " + std::to_string(triangles) +
           " triangles, too many for a page";
    options.collision = true;
    uses_mesh.assign(uses_mesh.size(), false);
    parts = ListParts(model, drawing, options, uses_mesh);
  }
  Json meshes = Json::array();
  for (std::size_t mesh = 0; mesh < uses_mesh.size(); ++mesh)
    meshes.push_back(uses_mesh[mesh] ? PackMesh(drawing.meshes()[mesh]) : Json(nullptr));
  Json textures = PackTextures(drawing.textures(), FindUsedTextures(parts, drawing.textures().size()), note);
  Json bodies = Json::array({"world"});
  for (int body = 1; body < model.num_bodies(); ++body) bodies.push_back(model.DisplayName(body));
  return {{"meshes", std::move(meshes)},
          {"textures", std::move(textures)},
          {"parts", std::move(parts)},
          {"bodies", std::move(bodies)},
          {"size", drawing.size()}};
}

}  // namespace stiction::runner
