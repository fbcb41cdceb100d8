#include <algorithm>

#include "io/mjcf/orientation.h"
#include "io/mjcf/reader.h"

namespace stiction::mjcf {
namespace {

bool IsFromTo(const std::string& type) {
  return type == "capsule" || type == "cylinder" || type == "ellipsoid" || type == "box";
}

// The segment fixes pose and length: z points from its end to its start, and what `size` gives is the
// thickness.
void ApplyFromTo(const xml::Element& element, GeomSpec& spec) {
  if (!IsFromTo(spec.type)) {
    element.Fail("fromto", "fromto is for a capsule, cylinder, ellipsoid or box, not a " + spec.type);
  }
  const Vector3d start(spec.from_to->data()), end(spec.from_to->data() + 3);
  const Vector3d axis = start - end;
  const double length = axis.norm();
  if (length < 1e-14) element.Fail("fromto", "the two ends of fromto coincide");
  spec.X_BG = {RotationFromZ(axis / length), 0.5 * (start + end)};
  if (spec.type == "capsule" || spec.type == "cylinder") {
    spec.size[1] = 0.5 * length;
  } else {
    spec.size[1] = spec.size[0];
    spec.size[2] = 0.5 * length;
  }
}

int NumSizes(const std::string& type) {
  if (type == "plane") return 0;
  if (type == "sphere") return 1;
  return type == "capsule" || type == "cylinder" ? 2 : 3;
}

void CheckSizes(const xml::Element& element, const GeomSpec& spec) {
  int given = 0;
  while (given < 3 && spec.size[given] > 0.0) ++given;
  const int needed = NumSizes(spec.type);
  if (given >= needed) return;
  const int written = spec.from_to ? 1 : needed;
  element.Fail("size", "a " + spec.type + " needs " + std::to_string(written) + " positive size" +
                           (written == 1 ? "" : "s") + ", got " + std::to_string(std::min(given, written)));
}

Shape MakeShape(const GeomSpec& spec) {
  const double* size = spec.size;
  if (spec.type == "plane") return Plane{};
  if (spec.type == "sphere") return Sphere{size[0]};
  if (spec.type == "capsule") return Capsule{size[0], size[1]};
  if (spec.type == "cylinder") return Cylinder{size[0], size[1]};
  if (spec.type == "ellipsoid") return Ellipsoid{Vector3d(size)};
  return Box{Vector3d(size)};
}

}  // namespace

void Reader::ReadGeomElement(xml::Element& element, const Scope& scope) {
  GeomSpec spec = classes_[ClassOf(element, scope.default_class)].geom;
  ReadGeom(element, compiler_, spec);
  const std::string name = ReadName(element, scope);
  const bool is_mesh = spec.type == "mesh";
  if (!is_mesh) {
    element.Note("concave", ImportStatus::kIgnored, "only a geom of type mesh can be concave");
    spec.concave = false;
  }
  if (spec.type != "sdf") {
    for (const char* attribute : {"field", "resolution"})
      element.Note(attribute, ImportStatus::kIgnored, "only a geom of type sdf has one");
  }
  if (spec.from_to && IsFromTo(spec.type) && spec.mesh.empty()) ApplyFromTo(element, spec);
  geom_frames_.try_emplace(name, SensedGeom{{.body = scope.body, .X_BF = scope.X_BF * spec.X_BG}, is_mesh});
  if (spec.type == "hfield") return ReadHeightFieldGeom(element, spec, name, scope);
  if (spec.type == "sdf") return ReadFieldGeom(element, spec, name, scope);
  if (is_mesh || !spec.mesh.empty()) return ReadMeshGeom(element, spec, name, scope);
  if (spec.from_to && !IsFromTo(spec.type)) ApplyFromTo(element, spec);
  CheckSizes(element, spec);
  GeomMass mass;
  if (CountsForMass(spec)) {
    // A mass, be it a default's, beats a density.
    mass.mass = spec.mass;
    if (!spec.mass) mass.density = spec.density;
    const bool weighs = spec.type != "plane" && (spec.mass ? *spec.mass : spec.density) > 0.0;
    if (weighs) body_mass_[scope.body].has_geom_mass = true;
  }
  AddGeom(element, spec,
          {.name = name, .body = scope.body, .shape = MakeShape(spec), .X_BG = scope.X_BF * spec.X_BG}, mass);
}

// Adds the geom with the contact rules of the spec.
void Reader::AddGeom(xml::Element& element, const GeomSpec& spec, Geom geom, const GeomMass& mass) {
  geom.friction = spec.friction;
  geom.torsional_friction = spec.torsional_friction;
  geom.rolling_friction = spec.rolling_friction;
  geom.restitution = spec.restitution;
  geom.softness = spec.softness;
  geom.softness_weight = spec.softness_weight;
  if (spec.stiffness) geom.stiffness = *spec.stiffness;
  geom.dissipation_time = spec.dissipation_time;
  geom.condim = spec.condim;
  geom.priority = spec.priority;
  geom.margin = spec.margin;
  geom.gap = spec.gap;
  geom.contype = flags_.contact ? spec.contype : 0;
  geom.conaffinity = flags_.contact ? spec.conaffinity : 0;
  geom.color = FindColor(element, spec);
  if (load_options_.visuals) geom.is_seen = geom.is_seen && IsSeen(spec);
  table_.current = &element;
  const int index = builder_.AddGeom(geom, mass);
  table_.geoms.push_back(&element);
  if (!geom.name.empty()) geom_index_.emplace(geom.name, index);
  if (!geom.name.empty() && !named_geoms_.emplace(geom.name, geom).second) {
    element.Fail("the name \"" + geom.name + "\" is taken by another geom; rename one");
  }
}

void Reader::AddGround() {
  Geom ground{.name = named_geoms_.contains("ground") ? "" : "ground", .body = 0, .shape = Plane{}};
  ground.X_BG.p.z() = *load_options_.ground;
  builder_.AddGeom(ground);
  table_.geoms.push_back(nullptr);
}

void Reader::CheckPlanes(const Model& model) const {
  for (size_t g = 0; g < table_.geoms.size(); ++g) {
    const Geom& geom = model.geoms[builder_.geom_index(static_cast<int>(g))];
    if (table_.geoms[g] && std::holds_alternative<Plane>(geom.shape) &&
        model.bodies[geom.body].last_dof >= 0) {
      table_.geoms[g]->Fail("a plane is infinite and cannot be part of a body that moves; use a box");
    }
  }
}

}  // namespace stiction::mjcf
