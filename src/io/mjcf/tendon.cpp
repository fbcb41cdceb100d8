// <tendon>: fixed ones over joints, spatial ones over sites, around geoms and pulleys.
#include "io/mjcf/sections.h"
#include "io/mjcf/softness.h"

namespace stiction::mjcf {

namespace {

SpatialTendon::Site PointOf(const NamedSite& site) {
  return {site.frame.body, site.frame.X_BF.p};
}

bool ReadWrap(const Names& names, xml::Element& element, SpatialTendon::Wrap& wrap) {
  const std::string name = element.RequireString("geom");
  bool is_here = true;
  if (element.Has("sidesite")) {
    const NamedSite* side = names.sites.Resolve(element, "sidesite");
    is_here = side != nullptr;
    if (side) wrap.side = PointOf(*side);
  }
  const NamedGeom* found = names.geoms.Resolve(element, "geom", name);
  if (!found) return false;
  const Geom& geom = found->geom;
  wrap.center = {.name = "", .body = geom.body, .X_BF = geom.X_BG};
  if (const auto* sphere = std::get_if<Sphere>(&geom.shape)) {
    wrap.radius = sphere->radius;
  } else if (const auto* cylinder = std::get_if<Cylinder>(&geom.shape)) {
    wrap.radius = cylinder->radius;
    wrap.is_cylinder = true;
  } else {
    element.Fail("geom", "geom \"" + name + "\" is no sphere or cylinder; tendons wrap around these alone");
  }
  return is_here;
}

// ReadFixedPath and ReadSpatialPath return false if the path names what an attached body leaves behind.
bool ReadFixedPath(const Context& context, xml::Element& element, FixedTendon& path) {
  if (element.children().empty()) element.Fail("moves no joint; give it <joint joint=... coef=.../>");
  bool is_here = true;
  for (const auto& term : element.children()) {
    if (term->name() != "joint") term->Fail("a fixed tendon consists of <joint joint=... coef=.../>");
    term->Visit();
    const std::string name = term->RequireString("joint");
    const double coefficient = term->RequireNumber("coef");
    const int* joint = context.names.joints.Resolve(*term, "joint", name);
    is_here = is_here && joint;
    if (!joint) continue;
    if (!context.builder.joint(*joint).is_scalar())
      term->Fail("joint", "joint \"" + name + "\" has more than one coordinate, and no one position to add");
    path.terms.push_back({*joint, coefficient});
  }
  return is_here;
}

bool ReadSpatialPath(const Names& names, xml::Element& element, SpatialTendon& path) {
  if (element.children().size() < 2) {
    element.Fail("has no path; a spatial tendon needs at least two sites");
  }
  bool is_here = true;
  for (const auto& child : element.children()) {
    child->Visit();
    if (child->name() == "site") {
      const NamedSite* site = names.sites.Resolve(*child, "site");
      is_here = is_here && site;
      if (site) path.path.emplace_back(PointOf(*site));
    } else if (child->name() == "geom") {
      SpatialTendon::Wrap wrap;
      is_here = ReadWrap(names, *child, wrap) && is_here;
      path.path.emplace_back(wrap);
    } else if (child->name() == "pulley") {
      SpatialTendon::Pulley pulley{child->RequireNumber("divisor")};
      if (!(pulley.divisor > 0.0)) child->Fail("divisor", "the divisor must be positive");
      path.path.emplace_back(pulley);
    } else {
      child->Fail("the path of a spatial tendon consists of <site>, <geom> and <pulley>");
    }
  }
  return is_here;
}

// The bodies on a path, as the builder has them.
std::vector<int> ListBodies(const ModelBuilder& builder, const Tendon& tendon) {
  std::vector<int> bodies;
  if (const auto* fixed = std::get_if<FixedTendon>(&tendon.path)) {
    for (const FixedTendon::Term& term : fixed->terms) bodies.push_back(builder.joint(term.joint).body);
  } else {
    for (const SpatialTendon::Element& element : std::get<SpatialTendon>(tendon.path).path) {
      const auto* site = std::get_if<SpatialTendon::Site>(&element);
      if (site) bodies.push_back(site->body);
    }
  }
  return bodies;
}

// Whether one of two bodies stands above the other, or holds none of its joints.
bool AreOnOneBranch(const ModelBuilder& builder, int a, int b) {
  const auto is_above = [&](int upper, int lower) {
    for (int k = lower; k > 0; k = builder.body(k).parent) {
      if (k == upper) return true;
    }
    return upper == 0;
  };
  return is_above(a, b) || is_above(b, a);
}

void SetArmature(const ModelBuilder& builder, xml::Element& element, double armature, Tendon& tendon) {
  if (armature == 0.0) return;
  if (const auto* spatial = std::get_if<SpatialTendon>(&tendon.path)) {
    for (const SpatialTendon::Element& part : spatial->path) {
      if (!std::holds_alternative<SpatialTendon::Wrap>(part)) continue;
      return element.Note("armature", ImportStatus::kIgnored,
                          "of a tendon that wraps around a geom the inertia is not simulated");
    }
  }
  tendon.armature = armature;
  const std::vector<int> bodies = ListBodies(builder, tendon);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (AreOnOneBranch(builder, bodies[i], bodies[j])) continue;
      return element.Note("armature", ImportStatus::kApproximated,
                          "without the inertia that it shares between joints of which none is above the "
                          "other, as in MuJoCo");
    }
  }
}

// What actuators of the file add.
Reflected FindReflectedOf(const Context& context, const xml::Element& element) {
  const std::string* name = element.Peek("name");
  const auto& parts = context.reflected.of_tendons;
  const auto found = name ? parts.find(*name) : parts.end();
  return found == parts.end() ? Reflected{} : found->second;
}

void ReadTendon(Context& context, xml::Element& element) {
  TendonSpec spec = context.defaults.Of(element).tendon;
  ReadTendonSpec(element, context.compiler, spec);
  Tendon tendon;
  element.Read("name", tendon.name);
  if (context.flags.spring) {
    tendon.stiffness = spec.stiffness[0];
    tendon.stiffness_polynomial = {spec.stiffness[1], spec.stiffness[2]};
  }
  if (context.flags.damper) {
    tendon.damping = spec.damping[0];
    tendon.damping_polynomial = {spec.damping[1], spec.damping[2]};
  }
  const Reflected reflected = FindReflectedOf(context, element);
  spec.armature += reflected.armature;
  if (context.flags.damper) AddDamping(reflected, tendon);
  tendon.friction_loss = context.flags.friction_loss ? spec.friction_loss : 0.0;
  if (context.compiler.contacts_are_soft) tendon.limit_softness = spec.limit_softness;
  if (spec.spring_length[0] != -1.0 || spec.spring_length[1] != -1.0) {
    tendon.rest_range = {spec.spring_length[0], spec.spring_length[1]};
  }
  if (DecideLimited(element, context.compiler, spec.limited, spec.range, "range") && context.flags.limit) {
    tendon.lower = spec.range[0];
    tendon.upper = spec.range[1];
  }
  if (DecideLimited(element, context.compiler, spec.actuator_force_limited, spec.actuator_force_range,
                    "actuatorfrcrange")) {
    tendon.actuator_force_lower = spec.actuator_force_range[0];
    tendon.actuator_force_upper = spec.actuator_force_range[1];
  }
  bool is_here = false;
  if (element.name() == "fixed") {
    is_here = ReadFixedPath(context, element, tendon.path.emplace<FixedTendon>());
  } else {
    is_here = ReadSpatialPath(context.names, element, tendon.path.emplace<SpatialTendon>());
  }
  if (!is_here) return element.NoteWhole(ImportStatus::kHonoured, kNotAttached);
  SetArmature(context.builder, element, spec.armature, tendon);
  context.table.current = &element;
  const int index = context.builder.AddTendon(tendon);
  context.table.tendons.push_back(&element);
  if (reflected.is_given()) context.reflected.tendons.insert(index);
  if (!tendon.name.empty()) context.names.tendons.Add(element, tendon.name, index);
}

}  // namespace

void ReadTendonSpec(xml::Element& element, const Compiler& compiler, TendonSpec& spec) {
  element.Visit();
  element.ReadNumbers("range", 2, 2, spec.range);
  ReadLimited(element, "limited", spec.limited);
  element.ReadNumbers("actuatorfrcrange", 2, 2, spec.actuator_force_range);
  ReadLimited(element, "actuatorfrclimited", spec.actuator_force_limited);
  if (element.ReadNumbers("springlength", 1, 2, spec.spring_length) == 1)
    spec.spring_length[1] = spec.spring_length[0];
  if (spec.spring_length[0] > spec.spring_length[1]) {
    element.Fail("springlength", "the first of two spring lengths is the shorter one; swap them");
  }
  element.ReadNumbers("stiffness", 1, 3, spec.stiffness);
  element.ReadNumbers("damping", 1, 3, spec.damping);
  element.Read("frictionloss", spec.friction_loss);
  double value = 0.0;
  if (element.Read("margin", value) && value != 0.0) {
    element.Note("margin", ImportStatus::kIgnored, "a limit acts where it is reached");
  }
  if (element.Read("armature", spec.armature) && spec.armature < 0.0)
    element.Fail("armature", "the armature of a tendon must not be negative");
  ReadSoftness(element, kLimitSoftness, compiler, spec.limit_softness);
  for (const std::string_view attribute : {"solreffriction", "solimpfriction"}) {
    element.Note(attribute, ImportStatus::kApproximated, "dry friction is exact: no softness to tune");
  }
}

void ReadTendons(Context& context, xml::Element& element) {
  for (const auto& child : element.children()) {
    if (child->name() == "fixed" || child->name() == "spatial") ReadTendon(context, *child);
  }
}

}  // namespace stiction::mjcf
