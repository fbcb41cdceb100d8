// Geoms that are height fields.
#include "io/mjcf/reader.h"

namespace stiction::mjcf {

void Reader::ReadHeightField(xml::Element& element) {
  const std::string name = AssetName(element);
  if (!hfields_.emplace(name, HeightFieldAsset(element, folder_, compiler_)).second)
    element.Fail("the name \"" + name + "\" is taken by another height field; rename one");
}

// A height field has no mass, wherever it hangs: MJCF means it for bodies that do not move.
void Reader::ReadHeightFieldGeom(xml::Element& element, const GeomSpec& spec, const std::string& name,
                                 const Scope& scope) {
  if (spec.hfield.empty()) element.Fail("a geom of type hfield names no asset");
  const auto found = hfields_.find(spec.hfield);
  if (found == hfields_.end())
    element.Fail("hfield", "unknown asset \"" + spec.hfield + "\"; define it in <asset>");
  HeightFieldAsset& asset = found->second;
  const PlacedMesh& surface = asset.Surface();
  for (const char* attribute : {"size", "fromto"})
    element.Note(attribute, ImportStatus::kIgnored, "the asset's size decides");
  for (const char* attribute : {"mass", "density"})
    element.Note(attribute, ImportStatus::kIgnored, "a height field has no mass");
  element.Note(ImportStatus::kHonoured, "height field of " + std::to_string(asset.num_rows()) + " x " +
                                            std::to_string(asset.num_cols()) + " samples, " +
                                            std::to_string(surface.mesh.surface->faces.size()) +
                                            " triangles with its base; it has no mass");
  RigidTransform X_BG = scope.X_BF * spec.X_BG;
  X_BG.p = X_BG * surface.p_MG;
  AddGeom(element, spec, {.name = name, .body = scope.body, .shape = surface.mesh, .X_BG = X_BG}, {});
}

}  // namespace stiction::mjcf
