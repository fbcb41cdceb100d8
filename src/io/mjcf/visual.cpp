// What an MJCF model looks like: which geoms are seen, and meshes as visuals.
#include "io/mjcf/geom.h"

namespace stiction::mjcf {

bool IsSeen(const Compiler& compiler, const GeomSpec& spec) {
  constexpr int kLastVisibleGroup = 2;  // as MuJoCo's own viewer starts
  const bool only_looks = spec.contype == 0 && spec.conaffinity == 0;
  return spec.group <= kLastVisibleGroup && !(only_looks && compiler.discard_visual);
}

bool AddMeshVisual(Context& context, xml::Element& element, const GeomSpec& spec, const std::string& name,
                   MeshAsset& asset, const Scope& scope) {
  if (!context.options.visuals || !IsSeen(context.compiler, spec)) return false;
  try {
    // The frame of the asset's vertices is that of the geom, wherever the hull's own frame stands.
    context.builder.AddVisual({.name = name,
                               .body = scope.body,
                               .shape = asset.Mesh(),
                               .X_BV = scope.X_BF * spec.X_BG,
                               .color = FindColor(context, element, spec.rgba, spec.material),
                               .material = FindMaterial(context, spec.material),
                               .group = spec.group});
  } catch (const LoadError& error) {
    element.Note("mesh", ImportStatus::kIgnored, "cannot be shown: " + error.message(),
                 ImportLoss::kHarmless);
    return false;
  }
  return true;
}

void ShowBareBodies(Model& model) {
  std::vector<bool> is_visible(model.num_bodies(), false);
  for (const Visual& visual : model.visuals) {
    if (!visual.is_site) is_visible[visual.body] = true;
  }
  for (const Geom& geom : model.geoms) {
    if (geom.is_seen) is_visible[geom.body] = true;
  }
  for (Geom& geom : model.geoms) {
    if (geom.collides() && !is_visible[geom.body]) geom.is_seen = true;
  }
}

}  // namespace stiction::mjcf
