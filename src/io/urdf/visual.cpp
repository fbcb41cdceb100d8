// <visual> and <material>: what the robot looks like.
//
// How a robot looks is no reason not to load it: what cannot be shown is noted as ignored, with the reason.
#include <unordered_map>

#include "io/urdf/robot.h"
#include "io/xml/color_attribute.h"

namespace stiction::urdf {
namespace {

// What a <material> holds; no colour where it is a texture alone.
struct VisualLook {
  std::optional<Color> color;
  SharedMaterial material;  // of a texture; null: it has none

  bool is_empty() const { return !color && !material; }
};
using Materials = std::unordered_map<std::string, VisualLook>;  // by name

VisualLook ReadOwnLook(xml::Element& element, MeshSource& meshes) {
  element.Visit();
  VisualLook look;
  if (xml::Element* color = element.FindChild("color")) look.color = ReadColor(*color, "rgba");
  xml::Element* file = element.FindChild("texture");
  const SharedTexture texture = file ? meshes.ReadTexture(*file) : nullptr;
  if (texture)
    look.material = std::make_shared<const Material>(Material{.name = texture->name, .texture = texture});
  return look;
}

void CollectMaterials(const xml::Element& parent, MeshSource& meshes, Materials& materials) {
  for (const auto& child : parent.children()) {
    const bool holds_xacro = child->fate().status.has_value();
    if (child->name() != "material" || holds_xacro) continue;
    if (child->children().empty()) continue;  // refers to another
    std::string name;
    child->Read("name", name);
    if (name.empty()) continue;  // nobody can refer to it
    VisualLook& look = materials[name];
    if (look.is_empty()) look = ReadOwnLook(*child, meshes);
  }
}

// Calls function(visual, link) for each <visual> but those known to hold xacro, which mean nothing yet.
template <typename Function>
void ForEachVisual(Robot& robot, Function&& function) {
  for (Link& link : robot.links) {
    if (!link.element) continue;
    for (const auto& child : link.element->children()) {
      if (child->name() == "visual" && !child->fate().status) function(*child, link);
    }
  }
}

// What is written at the visual itself goes before what its material's name means elsewhere.
VisualLook FindLook(const xml::Element& visual, MeshSource& meshes, const Materials& materials) {
  xml::Element* material = visual.FindChild("material");
  if (!material) return {};
  std::string name;
  material->Read("name", name);
  if (const VisualLook own = ReadOwnLook(*material, meshes); !own.is_empty()) return own;
  const auto found = materials.find(name);
  if (found != materials.end()) return found->second;
  if (material->children().empty())
    material->Note("name", ImportStatus::kIgnored, "there is no material of this name",
                   ImportLoss::kHarmless);
  return {};
}

void ReadVisual(xml::Element& visual, const Materials& materials, MeshSource& meshes, Link& link) {
  try {
    std::optional<LinkVisual> read = ReadVisualShape(visual, meshes);
    if (!read) {
      return visual.Note(ImportStatus::kIgnored,
                         "appearance only, and a shape that this engine does not have",
                         ImportLoss::kHarmless);
    }
    const VisualLook look = FindLook(visual, meshes, materials);
    read->color = look.color;
    read->material = look.material;
    visual.Visit();
    link.visuals.push_back(std::move(*read));
  } catch (const LoadError& error) {
    visual.Note(ImportStatus::kIgnored, "appearance only, and it cannot be shown: " + error.message(),
                ImportLoss::kHarmless);
  }
}

void CheckVisual(xml::Element& visual, const MeshSource& meshes) {
  for (const auto& geometry : visual.children()) {
    if (geometry->name() != "geometry") continue;
    for (const auto& mesh : geometry->children()) {
      const std::string problem = mesh->name() == "mesh" ? meshes.FindProblem(*mesh) : "";
      if (!problem.empty())
        visual.Note(ImportStatus::kIgnored, "appearance only, and it is missing: " + problem,
                    ImportLoss::kHarmless);
    }
  }
}

}  // namespace

std::optional<LinkVisual> ReadVisualShape(xml::Element& visual, MeshSource& meshes) {
  const xml::Element& geometry = RequireChild(visual, "geometry");
  LinkVisual read{.X_LV = ReadOrigin(visual)};
  visual.Read("name", read.name);
  if (const std::optional<Shape> primitive = ReadPrimitive(geometry)) {
    read.shape = *primitive;
  } else if (xml::Element* mesh = geometry.FindChild("mesh")) {
    read.shape = meshes.ReadVisualMesh(*mesh);
  } else {
    return std::nullopt;
  }
  return read;
}

void ReadVisuals(const xml::Element& root, MeshSource& meshes, Robot& robot) {
  // The robot's own go before those that its links define on the way; of one name the first counts.
  Materials materials;
  CollectMaterials(root, meshes, materials);
  ForEachVisual(robot, [&](xml::Element& visual, Link&) { CollectMaterials(visual, meshes, materials); });
  ForEachVisual(robot,
                [&](xml::Element& visual, Link& link) { ReadVisual(visual, materials, meshes, link); });
}

void CheckVisuals(const MeshSource& meshes, Robot& robot) {
  ForEachVisual(robot, [&](xml::Element& visual, Link&) { CheckVisual(visual, meshes); });
}

}  // namespace stiction::urdf
