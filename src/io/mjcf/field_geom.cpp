// Geoms that are signed distance fields: written as text, or sampled from a mesh.
#include <cstdio>

#include "io/mesh/field_cache.h"
#include "io/mjcf/reader.h"
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

}  // namespace

// Geoms of the same text, or mesh, and resolution share one solid.
const PlacedField& Reader::FindField(xml::Element& element, const GeomSpec& spec) {
  const bool is_text = !spec.field.empty();
  const auto key =
      std::make_pair((is_text ? "text " : "mesh ") + (is_text ? spec.field : spec.mesh), spec.resolution);
  if (const auto known = fields_.find(key); known != fields_.end()) return known->second;
  try {
    if (is_text)
      return fields_.emplace(key, MakeField(ParseDistanceField(spec.field), spec.resolution)).first->second;
    const auto found = meshes_.find(spec.mesh);
    if (found == meshes_.end())
      element.Fail("mesh", "unknown asset \"" + spec.mesh + "\"; define it in <asset>");
    const TriangleMesh& mesh = *found->second.Mesh();
    Eigen::AlignedBox3d box;
    for (const Vector3d& p : mesh.vertices) box.extend(p);
    const double spacing = spec.resolution > 0.0 ? spec.resolution : box.sizes().maxCoeff() / kSamples;
    return fields_.emplace(key, MakeField(LoadSampledField(mesh, spacing), spacing)).first->second;
  } catch (const std::invalid_argument& error) {
    element.Fail(is_text ? "field" : "mesh", error.what());
  }
}

void Reader::ReadFieldGeom(xml::Element& element, const GeomSpec& spec, const std::string& name,
                           const Scope& scope) {
  if (spec.field.empty() && spec.mesh.empty())
    element.Fail("a geom of type sdf needs a field, or a mesh to sample");
  if (!spec.field.empty() && !spec.mesh.empty())
    element.Fail("field", "a geom of type sdf has a field or a mesh, not both");
  if (element.FindChild("plugin"))
    element.Fail(
        "signed distances by plugin are not known; write field=\"...\", or leave the plugin out to "
        "sample the mesh");
  const PlacedField& placed = FindField(element, spec);
  const FieldSolid& solid = *placed.shape.solid;
  const std::string surface =
      std::to_string(solid.surface.surface->faces.size()) + " triangles on its surface";
  element.Note(spec.field.empty() ? ImportStatus::kApproximated : ImportStatus::kHonoured,
               spec.field.empty() ? "signed distance, sampled every " + Millimetres(solid.spacing) +
                                        ": edges are rounded by half of that; " + surface
                                  : "signed distance field, " + surface);
  GeomMass mass;
  if (CountsForMass(spec)) {
    mass.mass = spec.mass;
    if (!spec.mass) mass.density = spec.density;
    if ((spec.mass ? *spec.mass : spec.density) > 0.0) body_mass_[scope.body].has_geom_mass = true;
  }
  RigidTransform X_BG = scope.X_BF * spec.X_BG;
  X_BG.p = X_BG * placed.p_FG;
  AddGeom(element, spec, {.name = name, .body = scope.body, .shape = placed.shape, .X_BG = X_BG}, mass);
}

}  // namespace stiction::mjcf
