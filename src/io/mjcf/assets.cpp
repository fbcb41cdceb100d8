#include "io/mjcf/assets.h"

#include "io/mjcf/geom.h"
#include "io/mjcf/sections.h"
#include "io/mjcf/texture.h"
#include "io/model_path.h"
#include "io/xml/reader.h"

namespace stiction::mjcf {
namespace {

void ReadMesh(Context& context, xml::Element& element) {
  const std::string name = AssetName(element);
  const MeshSpec& defaults = context.defaults.Of(element).mesh;
  context.assets.meshes.Add(element, name,
                            MeshAsset(element, defaults, context.folder, context.compiler,
                                      context.assets.memory, context.options.repairs.skip_missing_meshes));
}

void ReadHeightField(Context& context, xml::Element& element) {
  const std::string name = AssetName(element);
  context.assets.hfields.Add(element, name, HeightFieldAsset(element, context.folder, context.compiler));
}

void ReadMaterial(Context& context, xml::Element& element) {
  MaterialSpec spec = context.defaults.Of(element).material;
  ReadMaterialSpec(element, spec);
  std::string name;
  element.Read("name", name);
  if (!context.assets.materials.AddIfNew(name, spec)) {
    return element.Note(ImportStatus::kIgnored, "the name \"" + name + "\" is taken by another material",
                        ImportLoss::kHarmless);
  }
  context.assets.material_elements.emplace_back(name, &element);
}

// What <attach> reads, once it is asked for. Without a name of its own it goes by that of the model in the
// file, and by the file's.
void ReadModelFile(Context& context, xml::Element& element) {
  element.Visit();
  const std::string file = element.RequireString("file");
  const std::filesystem::path path = ResolveModelPath(context.folder, file, element);
  std::string name;
  if (element.Read("name", name)) return context.assets.models.Add(element, name, path);
  const std::unique_ptr<xml::Element> root = xml::ReadFile(path.string());
  if (const std::string* model = root->Peek("model")) {
    name = *model;
    context.assets.models.Add(element, name, path);
  }
  const std::string stem = path.stem().string();
  if (name.empty()) {
    context.assets.models.Add(element, stem, path);
  } else {
    context.assets.models.AddIfNew(stem, path);
  }
}

}  // namespace

void ReadAssets(Context& context, xml::Element& element) {
  for (const auto& child : element.children()) {
    if (child->name() == "texture" && context.options.visuals) ReadTexture(context, *child);
    if (child->name() == "material") ReadMaterial(context, *child);
    if (child->name() == "mesh") ReadMesh(context, *child);
    if (child->name() == "hfield") ReadHeightField(context, *child);
    if (child->name() == "model") ReadModelFile(context, *child);
  }
}

// Materials may stand before the textures that they show.
void FinishMaterials(Context& context) {
  for (const auto& [name, element] : context.assets.material_elements)
    FinishMaterial(context, name, *context.assets.materials.Find(name), *element);
}

}  // namespace stiction::mjcf
