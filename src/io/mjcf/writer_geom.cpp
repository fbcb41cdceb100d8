// <geom>: what collides, and what is looked at.
#include <Eigen/Geometry>
#include <algorithm>

#include "io/mesh/mesh_file.h"
#include "io/mjcf/specs.h"
#include "io/mjcf/writer_class.h"
#include "stiction/geometry/field_solid.h"

namespace stiction::mjcf {
namespace {

void SetColor(Output& element, const std::optional<Color>& color) {
  if (!color) return;
  std::string text;
  for (const float part : {color->r, color->g, color->b, color->a})
    text += (text.empty() ? "" : " ") + ToText(part);
  Set(element, "rgba", text);
}

// With the colour that the reader takes from the material where there is none.
std::optional<Color> WrittenColor(const std::optional<Color>& color, const SharedMaterial& material) {
  constexpr Color kWhite{1.0f, 1.0f, 1.0f, 1.0f};
  if (color || !material) return color;
  return material->texture && material->color == kWhite ? std::nullopt : std::optional(material->color);
}

bool IsMesh(const Shape& shape) {
  return std::holds_alternative<Hull>(shape) || std::holds_alternative<Mesh>(shape);
}

// Sizes of the shapes that have a word and numbers; false for the others.
struct PrimitiveSizes {
  Output& element;
  std::array<double, 2> seen_half_size{};  // of a plane

  bool operator()(const Plane&) const {
    return Say({seen_half_size[0], seen_half_size[1], 1.0});
  }  // 0: endless
  bool operator()(const Sphere& s) const { return Say({s.radius}); }
  bool operator()(const Capsule& s) const { return Say({s.radius, s.half_length}); }
  bool operator()(const Ellipsoid& s) const { return Say({s.radii[0], s.radii[1], s.radii[2]}); }
  bool operator()(const Cylinder& s) const { return Say({s.radius, s.half_length}); }
  bool operator()(const Box& s) const {
    return Say({s.half_extents[0], s.half_extents[1], s.half_extents[2]});
  }
  bool operator()(const Hull&) const { return false; }
  bool operator()(const Mesh&) const { return false; }
  bool operator()(const Field&) const { return false; }

  bool Say(std::initializer_list<double> sizes) const {
    Set(element, "size", std::span<const double>(sizes.begin(), sizes.size()));
    return true;
  }
};

void SetPrimitive(Output& element, const Shape& shape, const RigidTransform& X_BG,
                  const std::array<double, 2>& seen_half_size = {}) {
  if (!std::holds_alternative<Sphere>(shape)) Set(element, "type", std::string(ShapeName(shape)));
  std::visit(PrimitiveSizes{element, seen_half_size}, shape);
  SetPose(element, WrittenPose(X_BG));
}

void SetMasks(Output& element, std::uint32_t contype, std::uint32_t conaffinity) {
  if (contype != 1) Set(element, "contype", static_cast<std::int32_t>(contype));
  if (conaffinity != 1) Set(element, "conaffinity", static_cast<std::int32_t>(conaffinity));
}

}  // namespace

// A mesh that touches nothing is no geom when it is read.
bool Writer::IsWritten(int geom) const {
  return !IsMesh(model_.geoms[geom].shape) || model_.geoms[geom].collides();
}

// Geoms first, then shapes, then meshes that are only looked at, those of geoms last: the order in which they
// are read again, and in which meshes get their names.
void Writer::WriteGeoms(int body, Output& element) {
  std::vector<Look> looks, looks_of_geoms;
  for (const int geom : geoms_of_[body]) WriteGeom(geom, element, looks_of_geoms);
  for (const Geom& geom : wrap_geoms_of_[body]) {
    Output& out = *element.InsertNewChildElement("geom");
    SetName(out, geom.name);
    SetPrimitive(out, geom.shape, geom.X_BG);
    SetMasks(out, 0, 0);
    Set(out, "group", kHiddenGroup);
  }
  for (const int visual : visuals_of_[body]) WriteVisualShape(model_.visuals[visual], element);
  for (const int visual : visuals_of_[body]) {
    for (Look& look : MakeLooks(model_.visuals[visual])) looks.push_back(std::move(look));
  }
  looks.insert(looks.end(), looks_of_geoms.begin(), looks_of_geoms.end());
  for (const Look& look : looks) {
    Output& out = *element.InsertNewChildElement("geom");
    SetName(out, look.name);
    Set(out, "type", "mesh");
    Set(out, "mesh", look.mesh);
    SetPose(out, look.pose);
    SetMasks(out, 0, 0);
    SetColor(out, look.color);
    if (!look.material.empty()) Set(out, "material", look.material);
  }
}

// What is not seen stands in a hidden group.
void Writer::SetLook(Output& element, const std::optional<Color>& color, const SharedMaterial& material,
                     int group) {
  SetColor(element, WrittenColor(color, material));
  if (const std::string name = assets_.AddMaterial(material); !name.empty()) Set(element, "material", name);
  if (group != 0) Set(element, "group", group);
}

void Writer::WriteGeom(int index, Output& body, std::vector<Look>& looks) {
  const Geom& geom = model_.geoms[index];
  if (IsMesh(geom.shape)) return WriteMeshGeom(index, geom.shape, body, looks);
  if (const Field* field = std::get_if<Field>(&geom.shape)) return WriteField(index, *field, body, looks);
  Output& element = *body.InsertNewChildElement("geom");
  SetName(element, geoms_.Peek(index));
  SetPrimitive(element, geom.shape, geom.X_BG, geom.seen_half_size);
  if (geom.fluid) {
    const FluidEllipsoid &f = *geom.fluid, plain;
    const std::array coefficients{f.blunt, f.slender, f.angular, f.kutta, f.magnus};
    Set(element, "fluidshape", "ellipsoid");
    if (coefficients != std::array{plain.blunt, plain.slender, plain.angular, plain.kutta, plain.magnus})
      Set(element, "fluidcoef", coefficients);
  }
  WriteContactRules(geom, element);
  SetLook(element, geom.color, geom.material, geom.is_seen ? geom.group : std::max(geom.group, kHiddenGroup));
}

// As the reader has it: what collides is not looked at, and what is looked at is no geom.
void Writer::WriteMeshGeom(int index, const Shape& shape, Output& body, std::vector<Look>& looks) {
  const Geom& geom = model_.geoms[index];
  const std::string of_body = model_.DisplayName(geom.body);
  const std::string label = geom.name.empty() ? "" : "\"" + geom.name + "\" ";
  if (!IsWritten(index) && !geom.is_seen) {
    return Note(ImportStatus::kIgnored, "geom",
                label + "on body \"" + of_body + "\": a mesh that touches nothing and is not looked at");
  }
  const Hull* hull = std::get_if<Hull>(&shape);
  const WrittenMesh mesh = hull ? assets_.AddHull(*hull->polytope, of_body + "_hull")
                                : assets_.AddSurface(*std::get<Mesh>(shape).surface, of_body + "_surface");
  if (mesh.num_dropped > 0 && noted_hulls_.insert(mesh.name).second) {
    Note(ImportStatus::kApproximated, "mesh",
         "\"" + mesh.name +
             "\" is without vertices of the hull that lie in its faces, to 1e-6 of its size: " +
             std::to_string(mesh.num_dropped) + " of " + std::to_string(hull->polytope->vertices.size()));
  }
  RigidTransform X_BM = geom.X_BG;
  X_BM.p = geom.X_BG * mesh.p_GM;
  const WrittenPose pose(X_BM);
  if (geom.is_seen)
    looks.push_back(
        {"", mesh.name, pose, WrittenColor(geom.color, geom.material), assets_.AddMaterial(geom.material)});
  if (!IsWritten(index)) {
    return Note(
        ImportStatus::kApproximated, "geom",
        label + "on body \"" + of_body + "\": a mesh that touches nothing is there to be looked at alone");
  }
  Output& element = *body.InsertNewChildElement("geom");
  SetName(element, geoms_.Peek(index));
  Set(element, "type", "mesh");
  Set(element, "mesh", mesh.name);
  if (!hull) {
    Set(element, "concave", "true");
    Extend("geom[@concave]");
  }
  SetPose(element, pose);
  WriteContactRules(geom, element);
  SetLook(element, geom.color, geom.material, std::max(geom.group, kHiddenGroup));
}

void Writer::WriteField(int index, const Field& field, Output& body, std::vector<Look>& looks) {
  const Geom& geom = model_.geoms[index];
  const FieldSolid& solid = *field.solid;
  const std::optional<FieldSource> source = FindFieldSource(solid);
  if (!source || (source->mesh && source->sample_spacing != solid.spacing)) {
    Note(ImportStatus::kApproximated, "geom",
         "a distance field on body \"" + model_.DisplayName(geom.body) +
             "\" that has no words is written as the triangles on its surface");
    return WriteMeshGeom(index, Shape(solid.surface), body, looks);
  }
  Output& element = *body.InsertNewChildElement("geom");
  SetName(element, geoms_.Peek(index));
  Set(element, "type", "sdf");
  if (source->mesh) {
    Set(element, "mesh", assets_.AddMesh(*source->mesh, model_.DisplayName(geom.body) + "_solid").name);
  } else {
    Set(element, "field", source->text);
    Extend("geom[@field]");
  }
  Set(element, "resolution", solid.spacing);
  Extend("geom[@resolution]");
  WrittenPose pose(geom.X_BG);
  pose.p = SettleOrigin(RotationAsRead(pose.wxyz), source->p_FG, geom.X_BG.p);
  SetPose(element, pose);
  WriteContactRules(geom, element);
  SetLook(element, geom.color, geom.material, geom.is_seen ? geom.group : std::max(geom.group, kHiddenGroup));
}

void Writer::WriteContactRules(const Geom& geom, Output& element) {
  const Geom usual;
  const std::array friction{geom.friction, geom.torsional_friction, geom.rolling_friction};
  if (friction != std::array{usual.friction, usual.torsional_friction, usual.rolling_friction})
    Set(element, "friction", friction);
  if (geom.condim != usual.condim) Set(element, "condim", geom.condim);
  if (geom.priority != usual.priority) Set(element, "priority", geom.priority);
  SetUnless(element, "margin", geom.margin, 0.0);
  SetUnless(element, "gap", geom.gap, 0.0);
  SetMasks(element, geom.contype, geom.conaffinity);
  SetSoftness(element, "solref", "solimp", geom.softness);
  SetUnless(element, "solmix", geom.softness_weight, usual.softness_weight);
  const auto extend = [&](const char* attribute, double number, double unless) {
    if (number == unless) return;
    Set(element, attribute, number);
    Extend(std::string("geom[@") + attribute + "]");
  };
  extend("restitution", geom.restitution, usual.restitution);
  extend("stiffness", geom.stiffness, usual.stiffness);
  extend("dissipation_time", geom.dissipation_time, usual.dissipation_time);
  if (!geom.hydroelastic.is_compliant()) return;
  Set(element, "hydroelastic", "compliant");
  Extend("geom[@hydroelastic]");
  const Hydroelastic &soft = geom.hydroelastic, &hard = usual.hydroelastic;
  extend("modulus", soft.modulus, hard.modulus);
  extend("dissipation", soft.dissipation_time, hard.dissipation_time);
  extend("polygons", soft.max_polygons, hard.max_polygons);
}

// Geoms have names of their own; those of what is only looked at need not be.
std::string Writer::ClaimLookName(const std::string& name) {
  if (name.empty()) return name;
  return geoms_.Claim(geoms_.IsTaken(name) ? name + "_visual" : name);
}

// None for a shape that has a word, and for a mesh without triangles. A mesh with materials of its own is one
// for each of them.
std::vector<Writer::Look> Writer::MakeLooks(const Visual& visual) {
  if (visual.is_site) return {};
  const std::string of_body = model_.DisplayName(visual.body) + "_visual";
  RigidTransform X_BM = visual.X_BV;
  WrittenMesh mesh;
  if (const SharedMesh* triangles = std::get_if<SharedMesh>(&visual.shape)) {
    const TriangleMesh& whole = **triangles;
    if (!whole.materials.empty() && !visual.material && whole.material_of.size() == whole.triangles.size())
      return MakePartLooks(visual, whole);
    mesh = assets_.AddMesh(whole, of_body);
  } else {
    const Shape& shape = std::get<Shape>(visual.shape);
    if (const Hull* hull = std::get_if<Hull>(&shape)) mesh = assets_.AddHull(*hull->polytope, of_body);
    if (const Mesh* surface = std::get_if<Mesh>(&shape))
      mesh = assets_.AddMesh(surface->surface->mesh, of_body);
    if (const Field* field = std::get_if<Field>(&shape))
      mesh = assets_.AddMesh(field->solid->surface.surface->mesh, of_body);
    X_BM.p = visual.X_BV * mesh.p_GM;
  }
  if (mesh.name.empty()) return {};
  return {Look{ClaimLookName(visual.name), mesh.name, WrittenPose(X_BM),
               WrittenColor(visual.color, visual.material), assets_.AddMaterial(visual.material)}};
}

// As they are drawn: a colour from outside replaces the mesh's own, but tints its picture.
std::vector<Writer::Look> Writer::MakePartLooks(const Visual& visual, const TriangleMesh& mesh) {
  const std::string of_body = model_.DisplayName(visual.body) + "_visual";
  std::vector<Look> looks;
  for (int m = -1; m < static_cast<int>(mesh.materials.size()); ++m) {
    const WrittenMesh part = assets_.AddMeshPart(mesh, m, of_body);
    if (part.name.empty()) continue;
    const SharedMaterial own = m >= 0 ? mesh.materials[m] : nullptr;
    const bool is_replaced = visual.color && !(own && own->texture);
    const SharedMaterial material = is_replaced ? nullptr : own;
    looks.push_back({looks.empty() ? ClaimLookName(visual.name) : "", part.name, WrittenPose(visual.X_BV),
                     WrittenColor(visual.color, material), assets_.AddMaterial(material)});
  }
  return looks;
}

void Writer::WriteVisualShape(const Visual& visual, Output& body) {
  const Shape* shape = std::get_if<Shape>(&visual.shape);
  if (!shape || visual.is_site || IsMesh(*shape) || std::holds_alternative<Field>(*shape)) return;
  if (std::holds_alternative<Plane>(*shape) && model_.bodies[visual.body].last_dof >= 0) {
    return Note(ImportStatus::kIgnored, "geom",
                "a plane to be looked at on body \"" + model_.DisplayName(visual.body) +
                    "\", which moves: planes stand still");
  }
  Output& element = *body.InsertNewChildElement("geom");
  SetName(element, ClaimLookName(visual.name));
  SetPrimitive(element, *shape, visual.X_BV);
  SetMasks(element, 0, 0);
  SetLook(element, visual.color, visual.material, visual.group);
  ++num_visual_shapes_;
}

void Writer::WriteSiteLook(const Visual& site, bool has_size, Output& element) {
  const Shape& shape = std::get<Shape>(site.shape);
  const Sphere* sphere = std::get_if<Sphere>(&shape);
  const bool is_usual = sphere && sphere->radius == SiteSpec{}.size[0];
  if (is_usual) SetPose(element, WrittenPose(site.X_BV));
  if (!has_size && !is_usual) SetPrimitive(element, shape, site.X_BV);
  SetLook(element, site.color == kDefaultColor ? std::nullopt : site.color, site.material, site.group);
}

}  // namespace stiction::mjcf
