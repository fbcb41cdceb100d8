// Geoms that are meshes.
#include "geometry/principal_axes.h"
#include "io/mesh/note.h"
#include "io/mjcf/geom.h"
#include "io/mjcf/inertia.h"

namespace stiction::mjcf {

namespace {

// Whether a joint stands in the body, <frame>s and <replicate>s included.
bool HasJoint(const xml::Element& element) {
  for (const auto& child : element.children()) {
    const std::string& name = child->name();
    if (name == "joint" || name == "freejoint") return true;
    if ((name == "frame" || name == "replicate") && HasJoint(*child)) return true;
  }
  return false;
}

bool Moves(const xml::Element& geom) {
  for (const xml::Element* at = geom.parent(); at; at = at->parent()) {
    if (at->name() == "body" && HasJoint(*at)) return true;
  }
  return false;
}

// The geom comes in standing where the mesh does.
void AddMeshShape(Context& context, xml::Element& element, const GeomSpec& spec, Geom geom,
                  MeshAsset& asset) {
  const RigidTransform X_BM = geom.X_BG;
  if (spec.concave) {
    const PlacedMesh& placed = asset.Surface();
    NoteMeshSurface(*placed.mesh.surface, element);
    geom.shape = placed.mesh;
    geom.X_BG.p = X_BM * placed.p_MG;
  } else {
    const MeshShape& shape = asset.CollisionShape();
    NoteMeshShape(shape, "geom", element);
    geom.shape = shape.hull;
    geom.X_BG.p = X_BM * shape.p_MG;
  }
  AddGeom(context, element, spec, geom, {});
}

// Whether the body that holds the geom says its mass itself, so that no mesh need be read for it.
bool MassIsWritten(const Context& context, const xml::Element& geom) {
  if (context.compiler.inertia_from_geom == Compiler::InertiaFromGeom::kTrue) return false;
  const xml::Element* body = geom.parent();
  while (body && body->name() != "body") body = body->parent();
  if (!body) return !context.has_heavy_world;
  for (const auto& child : body->children()) {
    if (child->name() == "inertial") return true;
  }
  return false;
}

void AddMeshMass(Context& context, xml::Element& element, const GeomSpec& spec, MeshAsset& asset,
                 const Scope& scope) {
  if (!CountsForMass(context.compiler, spec) || MassIsWritten(context, element)) return;
  const MeshAsset::Solid solid = asset.FindSolid(spec.concave);
  try {
    const double measure = CalcSolidMeasure(*solid.mesh, solid.rule);
    const double mass = spec.mass ? *spec.mass : spec.density * measure;
    // A surface without volume has no inertia to give.
    if (!(measure > 0.0)) {
      if (spec.concave && !Moves(element)) {
        return element.Note("mesh", ImportStatus::kHonoured,
                            "encloses no volume: adds no mass to its body, which does not move");
      }
      element.Fail("mesh",
                   "the mesh encloses no volume, or its triangles wind inwards; write an <inertial>, or "
                   "inertia=\"shell\" on the mesh");
    }
    const MassProperties in_M = CalcSolidMassProperties(*solid.mesh, solid.rule, mass);
    const RigidTransform X_BM = scope.X_BF * spec.X_BG;
    context.builder.AddMass(scope.body, Transform(X_BM, in_M), X_BM.R * FindPrincipalAxes(in_M.I_BBcm_B));
    if (solid.is_estimate) {
      element.Note("mesh", ImportStatus::kApproximated,
                   "the mesh is open: its mass is an estimate by MJCF's legacy rule; write an <inertial>, or "
                   "inertia=\"shell\" on the mesh");
    }
    context.masses[scope.body].has_geom_mass = true;
  } catch (const std::invalid_argument& error) {
    element.Fail("mesh", error.what());
  }
}

// Whether a <pair> names the geom: by its name, or the one that its copies in a <replicate> share.
bool IsPaired(const Context& context, const xml::Element& element, const std::string& name) {
  const std::string* const shared = element.Peek("name");
  return context.paired_geoms.contains(name) || (shared && context.paired_geoms.contains(*shared));
}

}  // namespace

MeshAsset* FindMesh(Context& context, xml::Element& element, const GeomSpec& spec) {
  if (spec.mesh.empty()) element.Fail("a geom of type " + spec.type + " names no asset");
  MeshAsset& asset = RequireAsset(element, "mesh", context.assets.meshes, spec.mesh);
  if (!context.options.repairs.skip_missing_meshes) return &asset;
  try {
    asset.Mesh();
    return &asset;
  } catch (const LoadError& error) {
    element.Note(ImportStatus::kIgnored, "left out: " + error.message());
    return nullptr;
  }
}

void ReadMeshGeom(Context& context, xml::Element& element, const GeomSpec& spec, const std::string& name,
                  const Scope& scope) {
  MeshAsset* const found = FindMesh(context, element, spec);
  if (!found) return;
  MeshAsset& asset = *found;
  const RigidTransform X_BM = scope.X_BF * spec.X_BG;
  const bool collides = (context.flags.contact && (spec.contype != 0 || spec.conaffinity != 0)) ||
                        IsPaired(context, element, name);
  // First of all, as only a surface has a limit on its size.
  if (collides && spec.concave) asset.Surface();
  AddMeshMass(context, element, spec, asset, scope);
  const bool is_shown = AddMeshVisual(context, element, spec, name, asset, scope);
  if (!collides && is_shown) {
    return element.Note(ImportStatus::kHonoured, "does not collide: counts for appearance and mass only");
  }
  if (!collides) {
    for (const char* attribute : {"rgba", "material"})
      element.Note(attribute, ImportStatus::kIgnored, "appearance only", ImportLoss::kHarmless);
    return element.Note(ImportStatus::kHonoured, "does not collide: counts for mass only");
  }
  AddMeshShape(context, element, spec, {.name = name, .body = scope.body, .X_BG = X_BM, .is_seen = !is_shown},
               asset);
}

}  // namespace stiction::mjcf
