#include <cmath>
#include <cstdint>
#include <limits>

#include "io/mjcf/orientation.h"
#include "io/mjcf/softness.h"
#include "io/mjcf/specs.h"
#include "io/xml/color_attribute.h"

namespace stiction::mjcf {
namespace {

// A bit mask: 32 bits, written signed or unsigned.
void ReadMask(xml::Element& element, std::string_view attribute, std::uint32_t& mask) {
  double value = 0.0;
  if (!element.Read(attribute, value)) return;
  if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::uint32_t>::max() ||
      value != std::floor(value)) {
    element.Fail(attribute, std::string(attribute) + " must be a whole number of at most 32 bits");
  }
  mask = static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
}

void ReadFriction(xml::Element& element, GeomSpec& spec) {
  double friction[3] = {spec.friction, spec.torsional_friction, spec.rolling_friction};
  if (!element.ReadNumbers("friction", 1, 3, friction)) return;
  for (const double coefficient : friction) {
    if (coefficient < 0.0) element.Fail("friction", "friction must not be negative");
  }
  spec.friction = friction[0];
  spec.torsional_friction = friction[1];
  spec.rolling_friction = friction[2];
}

void ReadContactRules(xml::Element& element, const Compiler& compiler, GeomSpec& spec) {
  ReadFriction(element, spec);
  ReadCondim(element, spec.condim);
  ReadMask(element, "contype", spec.contype);
  ReadMask(element, "conaffinity", spec.conaffinity);
  element.Read("priority", spec.priority);
  element.Read("margin", spec.margin);
  element.Read("gap", spec.gap);
  ReadSoftness(element, kContactSoftness, compiler, spec.softness);
  if (element.Read("solmix", spec.softness_weight) && !(spec.softness_weight >= 0.0))
    element.Fail("solmix", "solmix must not be negative");
  if (!compiler.contacts_are_soft)
    element.Note("solmix", ImportStatus::kApproximated, "contacts are hard: no softness to mix");
}

// What contact has beyond MJCF's own words.
void ReadImpactRules(xml::Element& element, GeomSpec& spec) {
  if (element.Read("restitution", spec.restitution) && !(spec.restitution >= 0.0 && spec.restitution <= 1.0))
    element.Fail("restitution", "restitution must lie between 0 and 1");
  double stiffness = 0.0;
  if (element.Read("stiffness", stiffness)) spec.stiffness = stiffness;
  if (spec.stiffness && !(*spec.stiffness > 0.0)) element.Fail("stiffness", "stiffness must be positive");
  if (element.Read("dissipation_time", spec.dissipation_time) && spec.dissipation_time < 0.0)
    element.Fail("dissipation_time", "dissipation_time must not be negative");
}

// Patches of pressure (model/hydroelastic.h). A default may say how soft without saying that: what is missing
// is looked for where a geom takes it.
void ReadHydroelastic(xml::Element& element, GeomSpec& spec) {
  element.ReadWord("hydroelastic", {"rigid", "compliant"}, spec.hydroelastic);
  double modulus = 0.0;
  if (element.Read("modulus", modulus)) {
    if (!(modulus > 0.0)) element.Fail("modulus", "modulus must be positive");
    spec.modulus = modulus;
  }
  if (element.Read("dissipation", spec.dissipation) && spec.dissipation < 0.0)
    element.Fail("dissipation", "dissipation must not be negative");
  if (element.Read("polygons", spec.polygons) && !(spec.polygons >= 1 && spec.polygons <= kMaxPatchPolygons))
    element.Fail("polygons", "polygons must lie between 1 and " + std::to_string(kMaxPatchPolygons));
}

}  // namespace

void ReadGeomSpec(xml::Element& element, const Compiler& compiler, GeomSpec& spec) {
  element.Visit();
  element.ReadWord("type",
                   {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"},
                   spec.type);
  // As in MuJoCo, fewer numbers than the shape needs leave the others as the default has them.
  element.ReadNumbers("size", 1, 3, spec.size);
  for (const double size : spec.size) {
    if (size < 0.0) element.Fail("size", "size must not be negative");
  }
  ReadPose(element, compiler, spec.X_BG);
  std::array<double, 6> from_to;
  if (element.ReadNumbers("fromto", 6, 6, from_to.data())) spec.from_to = from_to;
  double mass = 0.0;
  if (element.Read("mass", mass)) spec.mass = mass;
  if (mass < 0.0) element.Fail("mass", "mass must not be negative");
  if (element.Read("density", spec.density) && spec.density < 0.0) {
    element.Fail("density", "density must not be negative");
  }
  element.Read("group", spec.group);
  element.Read("mesh", spec.mesh);
  if (element.Read("fitscale", spec.fit_scale) && !(spec.fit_scale > 0.0))
    element.Fail("fitscale", "fitscale must be positive");
  element.Read("hfield", spec.hfield);
  element.Read("concave", spec.concave);
  element.Read("field", spec.field);
  if (element.Read("resolution", spec.resolution) && spec.resolution < 0.0)
    element.Fail("resolution", "the resolution must not be negative");
  if (const std::optional<Color> rgba = ReadColor(element, "rgba")) spec.rgba = rgba;
  element.Read("material", spec.material);
  std::string word;
  if (element.ReadWord("fluidshape", {"none", "ellipsoid"}, word))
    spec.is_fluid_ellipsoid = word == "ellipsoid";
  element.ReadNumbers("fluidcoef", 1, 5, spec.fluid);
  for (const double coefficient : spec.fluid) {
    if (coefficient < 0.0) element.Fail("fluidcoef", "coefficients of a fluid's forces must not be negative");
  }
  ReadContactRules(element, compiler, spec);
  ReadImpactRules(element, spec);
  ReadHydroelastic(element, spec);
  element.Read("shellinertia", spec.is_shell);
}

}  // namespace stiction::mjcf
