#include "io/mjcf/body.h"
#include "io/mjcf/geom.h"
#include "io/mjcf/orientation.h"
#include "io/xml/color_attribute.h"

namespace stiction::mjcf {

void ReadSiteSpec(xml::Element& element, const Compiler& compiler, SiteSpec& spec) {
  element.Visit();
  ReadPose(element, compiler, spec.X_BS);
  element.ReadWord("type", {"sphere", "capsule", "ellipsoid", "cylinder", "box"}, spec.type);
  const int count = element.ReadNumbers("size", 1, 3, spec.size);
  for (int i = 0; i < count; ++i)
    if (spec.size[i] < 0.0) element.Fail("size", "size must not be negative");
  element.Read("group", spec.group);
  if (const std::optional<Color> rgba = ReadColor(element, "rgba")) spec.rgba = rgba;
  element.Read("material", spec.material);
  double ends[6];
  if (!element.ReadNumbers("fromto", 6, 6, ends)) return;
  const Vector3d start(ends), end(ends + 3), axis = start - end;
  const double length = axis.norm();
  if (length < 1e-14) element.Fail("fromto", "the two ends of fromto coincide");
  spec.X_BS = {RotationFromZ(axis / length), 0.5 * (start + end)};
  spec.half_length = 0.5 * length;
}

Vector3d HalfExtents(const SiteSpec& spec) {
  const double* size = spec.size;
  if (spec.type == "sphere") return Vector3d::Constant(size[0]);
  const bool is_round = spec.type == "capsule" || spec.type == "cylinder";
  Vector3d half(size[0], is_round ? size[0] : size[1], is_round ? size[1] : size[2]);
  // fromto leaves the thickness to `size`.
  if (spec.half_length) half = Vector3d(size[0], size[0], *spec.half_length);
  if (spec.type == "capsule") half.z() += size[0];
  return half;
}

namespace {

Shape MakeShape(const SiteSpec& spec) {
  const Vector3d half = HalfExtents(spec);
  if (spec.type == "sphere") return Sphere{half.x()};
  if (spec.type == "capsule") return Capsule{half.x(), spec.half_length.value_or(spec.size[1])};
  if (spec.type == "cylinder") return Cylinder{half.x(), half.z()};
  if (spec.type == "ellipsoid") return Ellipsoid{half};
  return Box{half};
}

}  // namespace

void AddSite(Context& context, xml::Element& element, const SiteSpec& spec, const std::string& name, int body,
             const RigidTransform& X_BS) {
  if (!name.empty()) {
    const Frame site{.name = name, .body = body, .X_BF = X_BS};
    context.names.sites.Add(element, name, {.frame = site, .spec = spec});
    context.builder.AddFrame(site);
  }
  const bool has_size = (HalfExtents(spec).array() > 0.0).all();
  if (!has_size) return;
  context.builder.AddVisual(
      {.name = name,
       .body = body,
       .shape = MakeShape(spec),
       .X_BV = X_BS,
       .color = FindColor(context, element, spec.rgba.value_or(kDefaultColor), spec.material),
       .material = FindMaterial(context, spec.material),
       .group = spec.group,
       .is_site = true});
}

// A frame on the body, to which equalities, tendons and sensors refer.
void ReadSite(Context& context, xml::Element& element, const Scope& scope) {
  SiteSpec spec = context.defaults.Of(element, scope.default_class).site;
  ReadSiteSpec(element, context.compiler, spec);
  AddSite(context, element, spec, ReadName(element, scope), scope.body, scope.X_BF * spec.X_BS);
}

}  // namespace stiction::mjcf
