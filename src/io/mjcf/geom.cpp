#include "io/mjcf/geom.h"

#include <algorithm>

#include "geometry/shell_mass_properties.h"
#include "io/mjcf/fit_mesh.h"
#include "io/mjcf/inertia.h"
#include "io/mjcf/orientation.h"

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

// What a primitive weighs. A mass, be it a default's, beats a density. Of a shell nothing: the builder has
// its mass then.
GeomMass FindMass(Context& context, const GeomSpec& spec, const Geom& geom) {
  if (!CountsForMass(context.compiler, spec)) return {};
  if (spec.type != "plane" && (spec.mass ? *spec.mass : spec.density) > 0.0)
    context.masses[geom.body].has_geom_mass = true;
  if (!spec.is_shell)
    return {.mass = spec.mass, .density = spec.mass ? std::nullopt : std::optional(spec.density)};
  const double mass = spec.mass ? *spec.mass : spec.density * CalcArea(geom.shape);
  context.builder.AddMass(geom.body, Transform(geom.X_BG, CalcShellMassProperties(geom.shape, mass)),
                          geom.X_BG.R);
  return {};
}

// What a geom's words about softness come to.
Hydroelastic MakeHydroelastic(xml::Element& element, const GeomSpec& spec, const Shape& shape) {
  Hydroelastic out;
  if (spec.hydroelastic == "rigid") {
    for (const char* attribute : {"modulus", "dissipation", "polygons"})
      element.Note(attribute, ImportStatus::kIgnored, "only a compliant geom has one");
    return out;
  }
  if (const std::string why(WhyNotCompliant(shape)); !why.empty()) {
    element.Fail("hydroelastic", "a " + std::string(ShapeName(shape)) + " cannot be compliant: " + why +
                                     "; make what touches it compliant instead");
  }
  if (!spec.modulus) element.Fail("hydroelastic", "a compliant geom needs a modulus, in pascals");
  out.modulus = *spec.modulus;
  out.dissipation_time = spec.dissipation;
  out.max_polygons = spec.polygons;
  return out;
}

}  // namespace

void ReadGeom(Context& context, xml::Element& element, const Scope& scope) {
  GeomSpec spec = context.defaults.Of(element, scope.default_class).geom;
  ReadGeomSpec(element, context.compiler, spec);
  const std::string name = ReadName(element, scope);
  const bool is_mesh = spec.type == "mesh";
  if (!is_mesh) {
    element.Note("concave", ImportStatus::kIgnored, "only a geom of type mesh can be concave",
                 ImportLoss::kHarmless);
    spec.concave = false;
  }
  if (spec.type != "sdf") {
    for (const char* attribute : {"field", "resolution"})
      element.Note(attribute, ImportStatus::kIgnored, "only a geom of type sdf has one",
                   ImportLoss::kHarmless);
  }
  if (IsFitted(spec)) {
    MeshAsset* const asset = FindMesh(context, element, spec);
    if (!asset) return;
    FitToMesh(context.compiler, element, *asset, spec);
  }
  if (spec.from_to && IsFromTo(spec.type)) ApplyFromTo(element, spec);
  if (!name.empty())
    context.names.geom_frames.AddIfNew(name, {{.body = scope.body, .X_BF = scope.X_BF * spec.X_BG},
                                              is_mesh,
                                              is_mesh ? context.assets.meshes.Find(spec.mesh) : nullptr});
  const bool has_axes = !is_mesh && spec.type != "plane" && spec.type != "hfield" && spec.type != "sdf";
  if (spec.is_shell && !has_axes) {
    element.Note("shellinertia", ImportStatus::kIgnored,
                 "only primitives; a <mesh> says inertia=\"shell\" itself");
  }
  if (spec.type == "plane" || spec.type == "hfield")
    element.Note("mesh", ImportStatus::kIgnored, "a " + spec.type + " cannot be fitted to a mesh");
  if (spec.is_fluid_ellipsoid && !has_axes) {
    spec.is_fluid_ellipsoid = false;
    element.Note(
        "fluidshape", ImportStatus::kIgnored,
        "only spheres, capsules, ellipsoids, cylinders and boxes; the inertia box of the body has the drag");
  }
  if (spec.type == "hfield") return ReadHeightFieldGeom(context, element, spec, name, scope);
  if (spec.type == "sdf") return ReadFieldGeom(context, element, spec, name, scope);
  if (is_mesh) return ReadMeshGeom(context, element, spec, name, scope);
  if (spec.from_to && !IsFromTo(spec.type)) ApplyFromTo(element, spec);
  AddPiece(context, element, spec, name, scope);
}

void AddPiece(Context& context, xml::Element& element, const GeomSpec& spec, const std::string& name,
              const Scope& scope) {
  CheckSizes(element, spec);
  const Geom geom{.name = name, .body = scope.body, .shape = MakeShape(spec), .X_BG = scope.X_BF * spec.X_BG};
  AddGeom(context, element, spec, geom, FindMass(context, spec, geom));
}

void AddGeom(Context& context, xml::Element& element, const GeomSpec& spec, Geom geom, const GeomMass& mass) {
  geom.friction = spec.friction;
  geom.torsional_friction = spec.torsional_friction;
  geom.rolling_friction = spec.rolling_friction;
  geom.restitution = spec.restitution;
  geom.softness = spec.softness;
  geom.softness_weight = spec.softness_weight;
  if (spec.stiffness) geom.stiffness = *spec.stiffness;
  geom.dissipation_time = spec.dissipation_time;
  geom.hydroelastic = MakeHydroelastic(element, spec, geom.shape);
  geom.condim = spec.condim;
  geom.priority = spec.priority;
  geom.margin = spec.margin;
  geom.gap = spec.gap;
  geom.contype = context.flags.contact ? spec.contype : 0;
  geom.conaffinity = context.flags.contact ? spec.conaffinity : 0;
  geom.color = FindColor(context, element, spec.rgba, spec.material);
  geom.material = FindMaterial(context, spec.material);
  geom.group = spec.group;
  if (spec.type == "plane") geom.seen_half_size = {std::max(spec.size[0], 0.0), std::max(spec.size[1], 0.0)};
  if (context.options.visuals) geom.is_seen = geom.is_seen && IsSeen(context.compiler, spec);
  if (spec.is_fluid_ellipsoid) {
    geom.fluid = {.blunt = spec.fluid[0],
                  .slender = spec.fluid[1],
                  .angular = spec.fluid[2],
                  .kutta = spec.fluid[3],
                  .magnus = spec.fluid[4]};
  }
  context.table.current = &element;
  const int index = context.builder.AddGeom(geom, mass);
  context.table.geoms.push_back(&element);
  context.friction_note.Look(element, geom.friction);
  if (!geom.name.empty()) context.names.geoms.Add(element, geom.name, {geom, index});
}

void AddGround(Context& context) {
  Geom ground{.name = context.names.geoms.Has("ground") ? "" : "ground", .body = 0, .shape = Plane{}};
  ground.X_BG.p.z() = *context.options.ground;
  context.builder.AddGeom(ground);
  context.table.geoms.push_back(nullptr);
}

void CheckPlanes(const Context& context, const Model& model) {
  for (size_t g = 0; g < context.table.geoms.size(); ++g) {
    const Geom& geom = model.geoms[context.builder.geom_index(static_cast<int>(g))];
    if (context.table.geoms[g] && std::holds_alternative<Plane>(geom.shape) &&
        model.bodies[geom.body].last_dof >= 0) {
      context.table.geoms[g]->Fail("a plane is infinite and cannot be part of a body that moves; use a box");
    }
  }
}

}  // namespace stiction::mjcf
