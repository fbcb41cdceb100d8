// <tendon>.
#include "io/mjcf/writer_class.h"

namespace stiction::mjcf {

void Writer::WriteTendons(Output& section) {
  for (int t = 0; t < model_.num_tendons(); ++t) {
    const Tendon& tendon = model_.tendons[t];
    const FixedTendon* fixed = std::get_if<FixedTendon>(&tendon.path);
    Output& element = *section.InsertNewChildElement(fixed ? "fixed" : "spatial");
    WriteTendon(t, element);
    if (!fixed) {
      WritePath(std::get<SpatialTendon>(tendon.path), element);
      continue;
    }
    for (const FixedTendon::Term& term : fixed->terms) {
      Output& joint = *element.InsertNewChildElement("joint");
      Set(joint, "joint", joints_.Require(term.joint));
      Set(joint, "coef", term.coefficient);
    }
  }
}

void Writer::WriteTendon(int index, Output& element) {
  const Tendon& tendon = model_.tendons[index];
  SetName(element, tendons_.Peek(index));
  const std::string owner = "tendon \"" + tendon.name + "\"";
  SetPolynomial(element, "stiffness", tendon.stiffness, tendon.stiffness_polynomial);
  SetPolynomial(element, "damping", tendon.damping, tendon.damping_polynomial);
  SetUnless(element, "armature", tendon.armature, 0.0);
  SetUnless(element, "frictionloss", tendon.friction_loss, 0.0);
  if (tendon.rest_range) WriteRestRange(*tendon.rest_range, owner, element);
  SetRange(element, "range", tendon.lower, tendon.upper, owner);
  SetRange(element, "actuatorfrcrange", tendon.actuator_force_lower, tendon.actuator_force_upper, owner);
  if (std::isfinite(tendon.lower) || std::isfinite(tendon.upper))
    NoteSoftness(element, owner, tendon.limit_softness.has_value());
  if (tendon.limit_softness) SetSoftness(element, "solreflimit", "solimplimit", *tendon.limit_softness);
}

// Both ends at -1 stand for none.
void Writer::WriteRestRange(std::pair<double, double> range, const std::string& owner, Output& element) {
  if (range == std::pair(-1.0, -1.0)) {
    Note(ImportStatus::kApproximated, "spatial[@springlength]",
         owner + ": a rest length of -1, which means none, is written with the last bit apart");
    range.second = std::nextafter(-1.0, 0.0);
  }
  Set(element, "springlength", std::array{range.first, range.second});
}

void Writer::WritePath(const SpatialTendon& path, Output& tendon) {
  for (const SpatialTendon::Element& part : path.path) {
    if (const auto* site = std::get_if<SpatialTendon::Site>(&part)) {
      Set(*tendon.InsertNewChildElement("site"), "site", SiteAt(*site));
    } else if (const auto* wrap = std::get_if<SpatialTendon::Wrap>(&part)) {
      Output& element = *tendon.InsertNewChildElement("geom");
      Set(element, "geom", FindWrapGeom(*wrap));
      if (wrap->side) Set(element, "sidesite", SiteAt(*wrap->side));
    } else {
      Set(*tendon.InsertNewChildElement("pulley"), "divisor", std::get<SpatialTendon::Pulley>(part).divisor);
    }
  }
}

// The geom around which the path goes, or a new one that touches nothing.
std::string Writer::FindWrapGeom(const SpatialTendon::Wrap& wrap) {
  const WrittenPose pose(wrap.center.X_BF);
  const auto is_around = [&](const Geom& geom) {
    const Sphere* sphere = std::get_if<Sphere>(&geom.shape);
    const Cylinder* cylinder = std::get_if<Cylinder>(&geom.shape);
    const bool has_size = wrap.is_cylinder ? cylinder && cylinder->radius == wrap.radius
                                           : sphere && sphere->radius == wrap.radius;
    return has_size && WrittenPose(geom.X_BG) == pose;
  };
  for (const int g : geoms_of_[wrap.center.body]) {
    if (is_around(model_.geoms[g])) return geoms_.Require(g);
  }
  std::vector<Geom>& added = wrap_geoms_of_[wrap.center.body];
  for (const Geom& geom : added) {
    if (is_around(geom)) return geom.name;
  }
  Shape shape = Sphere{wrap.radius};
  if (wrap.is_cylinder) shape = Cylinder{wrap.radius, wrap.radius};
  added.push_back({.name = geoms_.Claim(model_.DisplayName(wrap.center.body) + "_wrap"),
                   .body = wrap.center.body,
                   .shape = shape,
                   .X_BG = wrap.center.X_BF});
  return added.back().name;
}

}  // namespace stiction::mjcf
