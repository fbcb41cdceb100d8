// Geoms that are signed distance fields: written as text, or sampled from a mesh.
#include <cstdio>

#include "io/mesh/field_cache.h"
#include "io/mjcf/geom.h"
#include "io/mjcf/inertia.h"
#include "stiction/geometry/field_text.h"

namespace stiction::mjcf {
namespace {

// Of a mesh's longest side: how far apart its distance is sampled unless the file says.
constexpr double kSamples = 48.0;

std::string Millimetres(double length) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g mm", 1e3 * length);
  return text;
}

// Geoms of the same text, or mesh, and resolution share one solid.
const PlacedField& FindField(Context& context, xml::Element& element, const GeomSpec& spec) {
  const bool is_text = !spec.field.empty();
  const auto key =
      std::make_pair((is_text ? "text " : "mesh ") + (is_text ? spec.field : spec.mesh), spec.resolution);
  if (const auto known = context.assets.fields.find(key); known != context.assets.fields.end())
    return known->second;
  try {
    if (is_text)
      return context.assets.fields.emplace(key, MakeField(ParseDistanceField(spec.field), spec.resolution))
          .first->second;
    const TriangleMesh& mesh = *RequireAsset(element, "mesh", context.assets.meshes, spec.mesh).Mesh();
    Eigen::AlignedBox3d box;
    for (const Vector3d& p : mesh.vertices) box.extend(p);
    const double spacing = spec.resolution > 0.0 ? spec.resolution : box.sizes().maxCoeff() / kSamples;
    return context.assets.fields.emplace(key, MakeField(LoadSampledField(mesh, spacing), spacing))
        .first->second;
  } catch (const std::invalid_argument& error) {
    element.Fail(is_text ? "field" : "mesh", error.what());
  }
}

}  // namespace

void ReadFieldGeom(Context& context, xml::Element& element, const GeomSpec& spec, const std::string& name,
                   const Scope& scope) {
  if (spec.field.empty() && spec.mesh.empty())
    element.Fail("a geom of type sdf needs a field, or a mesh to sample");
  if (!spec.field.empty() && !spec.mesh.empty())
    element.Fail("field", "a geom of type sdf has a field or a mesh, not both");
  if (element.FindChild("plugin"))
    element.Fail(
        "signed distances by plugin are not known; write field=\"...\", or leave the plugin out to "
        "sample the mesh");
  const PlacedField& placed = FindField(context, element, spec);
  const FieldSolid& solid = *placed.shape.solid;
  const std::string surface =
      std::to_string(solid.surface.surface->faces.size()) + " triangles on its surface";
  element.Note(spec.field.empty() ? ImportStatus::kApproximated : ImportStatus::kHonoured,
               spec.field.empty() ? "signed distance, sampled every " + Millimetres(solid.spacing) +
                                        ": edges are rounded by half of that; " + surface
                                  : "signed distance field, " + surface);
  GeomMass mass;
  if (CountsForMass(context.compiler, spec)) {
    mass.mass = spec.mass;
    if (!spec.mass) mass.density = spec.density;
    if ((spec.mass ? *spec.mass : spec.density) > 0.0) context.masses[scope.body].has_geom_mass = true;
  }
  RigidTransform X_BG = scope.X_BF * spec.X_BG;
  X_BG.p = X_BG * placed.p_FG;
  AddGeom(context, element, spec, {.name = name, .body = scope.body, .shape = placed.shape, .X_BG = X_BG},
          mass);
}

}  // namespace stiction::mjcf
