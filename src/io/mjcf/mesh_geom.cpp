// Geoms that are meshes, and the assets that they refer to.
#include "io/mesh/note.h"
#include "io/mjcf/reader.h"

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

}  // namespace

void Reader::ReadAssets(xml::Element& element) {
  for (const auto& child : element.children()) {
    if (child->name() == "material") ReadMaterialAsset(*child);
    if (child->name() == "mesh") ReadMeshAsset(*child);
    if (child->name() == "hfield") ReadHeightField(*child);
    if (child->name() == "model") ReadModelAsset(*child);
  }
}

void Reader::ReadMeshAsset(xml::Element& element) {
  const std::string name = AssetName(element);
  const MeshSpec& defaults = classes_[ClassOf(element, 0)].mesh;
  if (!meshes_.emplace(name, MeshAsset(element, defaults, folder_, compiler_)).second) {
    element.Fail("the name \"" + name + "\" is taken by another mesh; rename one");
  }
}

void Reader::ReadMeshGeom(xml::Element& element, const GeomSpec& spec, const std::string& name,
                          const Scope& scope) {
  if (spec.mesh.empty()) element.Fail("a geom of type " + spec.type + " names no asset");
  const auto found = meshes_.find(spec.mesh);
  if (found == meshes_.end()) {
    element.Fail("mesh", "unknown asset \"" + spec.mesh + "\"; define it in <asset>");
  }
  MeshAsset& asset = found->second;
  const RigidTransform X_BM = scope.X_BF * spec.X_BG;
  if (spec.type != "mesh") {
    element.Note("mesh", ImportStatus::kApproximated,
                 "the primitive is not fitted to the mesh: the mesh's convex hull takes its place");
  }
  const bool collides = flags_.contact && (spec.contype != 0 || spec.conaffinity != 0);
  // First of all, as only a surface has a limit on its size.
  if (collides && spec.concave) asset.Surface();
  AddMeshMass(element, spec, asset, scope);
  const bool is_shown = AddMeshVisual(element, spec, name, asset, scope);
  if (!collides && is_shown) {
    return element.Note(ImportStatus::kHonoured, "does not collide: counts for appearance and mass only");
  }
  if (!collides) {
    for (const char* attribute : {"rgba", "material"})
      element.Note(attribute, ImportStatus::kIgnored, "appearance only");
    return element.Note(ImportStatus::kHonoured, "does not collide: counts for mass only");
  }
  AddMeshShape(element, spec, {.name = name, .body = scope.body, .X_BG = X_BM, .is_seen = !is_shown}, asset);
}

// The geom comes in standing where the mesh does.
void Reader::AddMeshShape(xml::Element& element, const GeomSpec& spec, Geom geom, MeshAsset& asset) {
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
  AddGeom(element, spec, geom, {});
}

// Whether the body that holds the geom says its mass itself, so that no mesh need be read for it.
bool Reader::MassIsWritten(const xml::Element& geom) const {
  if (compiler_.inertia_from_geom == Compiler::InertiaFromGeom::kTrue) return false;
  const xml::Element* body = geom.parent();
  while (body && body->name() != "body") body = body->parent();
  if (!body) return true;  // the world weighs nothing
  for (const auto& child : body->children()) {
    if (child->name() == "inertial") return true;
  }
  return false;
}

void Reader::AddMeshMass(xml::Element& element, const GeomSpec& spec, MeshAsset& asset, const Scope& scope) {
  if (!CountsForMass(spec) || MassIsWritten(element)) return;
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
    builder_.AddMass(scope.body, Transform(scope.X_BF * spec.X_BG,
                                           CalcSolidMassProperties(*solid.mesh, solid.rule, mass)));
    if (solid.is_estimate) {
      element.Note("mesh", ImportStatus::kApproximated,
                   "the mesh is open: its mass is an estimate by MJCF's legacy rule; write an <inertial>, or "
                   "inertia=\"shell\" on the mesh");
    }
    body_mass_[scope.body].has_geom_mass = true;
  } catch (const std::invalid_argument& error) {
    element.Fail("mesh", error.what());
  }
}

}  // namespace stiction::mjcf
