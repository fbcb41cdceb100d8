// Geoms that are height fields.
#include "io/mjcf/geom.h"

namespace stiction::mjcf {

// A height field has no mass, wherever it hangs: MJCF means it for bodies that do not move.
void ReadHeightFieldGeom(Context& context, xml::Element& element, const GeomSpec& spec,
                         const std::string& name, const Scope& scope) {
  if (spec.hfield.empty()) element.Fail("a geom of type hfield names no asset");
  HeightFieldAsset& asset = RequireAsset(element, "hfield", context.assets.hfields, spec.hfield);
  const PlacedMesh& surface = asset.Surface();
  for (const char* attribute : {"size", "fromto"})
    element.Note(attribute, ImportStatus::kIgnored, "the asset's size decides", ImportLoss::kHarmless);
  for (const char* attribute : {"mass", "density"})
    element.Note(attribute, ImportStatus::kIgnored, "a height field has no mass", ImportLoss::kHarmless);
  element.Note(ImportStatus::kHonoured, "height field of " + std::to_string(asset.num_rows()) + " x " +
                                            std::to_string(asset.num_cols()) + " samples, " +
                                            std::to_string(surface.mesh.surface->faces.size()) +
                                            " triangles with its base; it has no mass");
  RigidTransform X_BG = scope.X_BF * spec.X_BG;
  X_BG.p = X_BG * surface.p_MG;
  AddGeom(context, element, spec, {.name = name, .body = scope.body, .shape = surface.mesh, .X_BG = X_BG},
          {});
}

}  // namespace stiction::mjcf
