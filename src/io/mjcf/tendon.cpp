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

void ReadTendon(Context& context, xml::Element& element) {
  TendonSpec spec = context.defaults.Of(element).tendon;
  ReadTendonSpec(element, context.compiler, spec);
  Tendon tendon;
  element.Read("name", tendon.name);
  tendon.stiffness = context.flags.spring ? spec.stiffness : 0.0;
  tendon.damping = context.flags.damper ? spec.damping : 0.0;
  tendon.friction_loss = context.flags.friction_loss ? spec.friction_loss : 0.0;
  if (context.compiler.contacts_are_soft) tendon.limit_softness = spec.limit_softness;
  if (spec.spring_length[0] != -1.0 || spec.spring_length[1] != -1.0) {
    tendon.rest_range = {spec.spring_length[0], spec.spring_length[1]};
  }
  if (DecideLimited(element, context.compiler, spec.limited, spec.range, "range") && context.flags.limit) {
    tendon.lower = spec.range[0];
    tendon.upper = spec.range[1];
  }
  bool is_here = false;
  if (element.name() == "fixed") {
    is_here = ReadFixedPath(context, element, tendon.path.emplace<FixedTendon>());
  } else {
    is_here = ReadSpatialPath(context.names, element, tendon.path.emplace<SpatialTendon>());
  }
  if (!is_here) return element.Note(ImportStatus::kHonoured, kNotAttached);
  context.table.current = &element;
  const int index = context.builder.AddTendon(tendon);
  context.table.tendons.push_back(&element);
  if (!tendon.name.empty()) context.names.tendons.Add(element, tendon.name, index);
}

}  // namespace

void ReadTendonSpec(xml::Element& element, const Compiler& compiler, TendonSpec& spec) {
  element.Visit();
  element.ReadNumbers("range", 2, 2, spec.range);
  ReadLimited(element, "limited", spec.limited);
  if (element.ReadNumbers("springlength", 1, 2, spec.spring_length) == 1)
    spec.spring_length[1] = spec.spring_length[0];
  if (spec.spring_length[0] > spec.spring_length[1]) {
    element.Fail("springlength", "the first of two spring lengths is the shorter one; swap them");
  }
  element.Read("stiffness", spec.stiffness);
  element.Read("damping", spec.damping);
  element.Read("frictionloss", spec.friction_loss);
  double value = 0.0;
  if (element.Read("margin", value) && value != 0.0) {
    element.Note("margin", ImportStatus::kIgnored, "a limit acts where it is reached");
  }
  value = 0.0;
  if (element.Read("armature", value) && value != 0.0) {
    element.Note("armature", ImportStatus::kIgnored, "tendons have no inertia of their own");
  }
  ReadSoftness(element, kLimitSoftness, compiler.contacts_are_soft, spec.limit_softness);
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
