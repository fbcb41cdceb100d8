// <tendon>: fixed ones over joints, spatial ones over sites, around geoms and pulleys.
#include "io/mjcf/reader.h"
#include "io/mjcf/softness.h"

namespace stiction::mjcf {

void ReadTendonAttributes(xml::Element& element, const Compiler& compiler, TendonSpec& spec) {
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

void Reader::ReadTendons(xml::Element& element) {
  for (const auto& child : element.children()) {
    if (child->name() == "fixed" || child->name() == "spatial") ReadTendonElement(*child);
  }
}

void Reader::ReadTendonElement(xml::Element& element) {
  TendonSpec spec = classes_[ClassOf(element, 0)].tendon;
  ReadTendonAttributes(element, compiler_, spec);
  Tendon tendon;
  element.Read("name", tendon.name);
  tendon.stiffness = flags_.spring ? spec.stiffness : 0.0;
  tendon.damping = flags_.damper ? spec.damping : 0.0;
  tendon.friction_loss = spec.friction_loss;
  if (compiler_.contacts_are_soft) tendon.limit_softness = spec.limit_softness;
  if (spec.spring_length[0] != -1.0 || spec.spring_length[1] != -1.0) {
    tendon.rest_range = {spec.spring_length[0], spec.spring_length[1]};
  }
  if (DecideLimited(element, compiler_, spec.limited, spec.range, "range") && flags_.limit) {
    tendon.lower = spec.range[0];
    tendon.upper = spec.range[1];
  }
  bool is_here = false;
  if (element.name() == "fixed") {
    is_here = ReadFixedPath(element, tendon.path.emplace<FixedTendon>());
  } else {
    is_here = ReadSpatialPath(element, tendon.path.emplace<SpatialTendon>());
  }
  if (!is_here) return element.Note(ImportStatus::kHonoured, "not part of the body that is attached");
  table_.current = &element;
  const int index = builder_.AddTendon(tendon);
  table_.tendons.push_back(&element);
  if (!tendon.name.empty() && !tendon_index_.emplace(tendon.name, index).second) {
    element.Fail("the name \"" + tendon.name + "\" is taken by another tendon; rename one");
  }
}

// Both return false if the path names what an attached body leaves behind.
bool Reader::ReadFixedPath(xml::Element& element, FixedTendon& path) const {
  if (element.children().empty()) element.Fail("moves no joint; give it <joint joint=... coef=.../>");
  bool is_here = true;
  for (const auto& term : element.children()) {
    if (term->name() != "joint") term->Fail("a fixed tendon consists of <joint joint=... coef=.../>");
    term->Visit();
    const std::string name = term->RequireString("joint");
    const double coefficient = term->RequireNumber("coef");
    const auto found = joint_index_.find(name);
    if (found != joint_index_.end()) {
      if (builder_.joint(found->second).nv() != 1)
        term->Fail("joint", "joint \"" + name + "\" is no hinge or slide, and has no one position to add");
      path.terms.push_back({found->second, coefficient});
    } else if (only_body_.empty()) {
      term->Fail("joint", "unknown joint \"" + name + "\"");
    } else {
      is_here = false;
    }
  }
  return is_here;
}

bool Reader::ReadSpatialPath(xml::Element& element, SpatialTendon& path) const {
  if (element.children().size() < 2) {
    element.Fail("has no path; a spatial tendon needs at least two sites");
  }
  bool is_here = true;
  for (const auto& child : element.children()) {
    child->Visit();
    if (child->name() == "site") {
      const Frame* site = FindSiteHere(*child, "site");
      is_here = is_here && site != nullptr;
      if (site != nullptr) path.path.emplace_back(SpatialTendon::Site{site->body, site->X_BF.p});
    } else if (child->name() == "geom") {
      SpatialTendon::Wrap wrap;
      is_here = ReadWrap(*child, wrap) && is_here;
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

bool Reader::ReadWrap(xml::Element& element, SpatialTendon::Wrap& wrap) const {
  const std::string name = element.RequireString("geom");
  bool is_here = true;
  if (element.Has("sidesite")) {
    const Frame* side = FindSiteHere(element, "sidesite");
    is_here = side != nullptr;
    if (is_here) wrap.side = SpatialTendon::Site{side->body, side->X_BF.p};
  }
  const auto found = named_geoms_.find(name);
  if (found == named_geoms_.end()) {
    if (only_body_.empty()) element.Fail("geom", "unknown geom \"" + name + "\"");
    return false;
  }
  const Geom& geom = found->second;
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

// Null if it is not part of the body that is attached.
const Frame* Reader::FindSiteHere(xml::Element& element, std::string_view attribute) const {
  const std::string name = element.RequireString(attribute);
  const auto found = sites_.find(name);
  if (found != sites_.end()) return &found->second;
  if (only_body_.empty()) element.Fail(attribute, "unknown site \"" + name + "\"");
  return nullptr;
}

}  // namespace stiction::mjcf
