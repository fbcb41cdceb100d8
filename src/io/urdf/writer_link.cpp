// <link>: inertia, what it looks like, what of it collides.
#include <cmath>

#include "io/urdf/writer_class.h"
#include "math/settle.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/geometry/mesh_surface.h"
#include "stiction/math/rotation.h"

namespace stiction::urdf {
namespace {

using mjcf::Set;

// As ReadOrigin does.
Matrix3d RotationAsRead(const Vector3d& rpy) {
  const Quaterniond quat = QuaternionExp(rpy[2] * Vector3d::UnitZ()) *
                           QuaternionExp(rpy[1] * Vector3d::UnitY()) *
                           QuaternionExp(rpy[0] * Vector3d::UnitX());
  return quat.normalized().toRotationMatrix();
}

// Angles up to π come back through a rotation matrix with errors of about 1e-15: on a finer grid they would
// drift on with every round.
double RoundAngle(double x) {
  return std::round(1e14 * x) / 1e14;
}

// The three one after another, each of what those before it leave of R = Rz(yaw) Ry(pitch) Rx(roll), so that
// R comes out whole where pitch is near ±90° and yaw is arbitrary: there R's first column says yaw to the
// error ε/cos(pitch) only, and it is taken from a grid so coarse.
std::array<double, 3> FindRollPitchYaw(const Matrix3d& R) {
  constexpr double kRoundOff = 1e-15;
  const double cos_pitch = std::hypot(R(0, 0), R(1, 0));
  double yaw = 0.0;
  if (cos_pitch > 4.0 * kRoundOff) {
    const double grid = std::pow(10.0, std::ceil(std::log10(kRoundOff / cos_pitch)));
    yaw = std::round(std::atan2(R(1, 0), R(0, 0)) / grid) * grid;
  }
  const double s = std::sin(yaw), c = std::cos(yaw);
  const double pitch = std::atan2(-R(2, 0), c * R(0, 0) + s * R(1, 0));
  const double roll = std::atan2(s * R(0, 2) - c * R(1, 2), c * R(1, 1) - s * R(0, 1));
  return {RoundAngle(roll), RoundAngle(pitch), RoundAngle(yaw)};
}

// The place that comes back where the reader weighs it with the mass, once for each link that it fuses.
Vector3d SettleCentre(double mass, const Vector3d& p) {
  if (mass == 0.0) return p;
  return p.unaryExpr([mass](double x) { return Settle(x, [mass](double y) { return mass * y / mass; }); });
}

}  // namespace

Vector3d SettleRollPitchYaw(const Matrix3d& R) {
  if (R.isIdentity(0.0)) return Vector3d::Zero();
  const std::array<double, 3> settled = Settle(FindRollPitchYaw(R), [](const std::array<double, 3>& rpy) {
    return FindRollPitchYaw(RotationAsRead(Vector3d(rpy.data())));
  });
  return Vector3d(settled.data());
}

// In front of what is there.
void SetOrigin(const RigidTransform& X, Output& parent) {
  const Vector3d rpy = SettleRollPitchYaw(X.R);
  if (X.p.isZero(0.0) && rpy.isZero(0.0)) return;
  Output& origin = *parent.GetDocument()->NewElement("origin");
  parent.InsertFirstChild(&origin);
  Set(origin, "xyz", X.p);
  if (!rpy.isZero(0.0)) Set(origin, "rpy", rpy);
}

Output& Writer::AddLink(const std::string& name) {
  Output& link = *root_->InsertNewChildElement("link");
  Set(link, "name", name);
  return link;
}

void Writer::WriteInertial(const MassProperties& inertia, const Vector3d& p_BL, Output& link) {
  const Matrix3d& I = inertia.I_BBcm_B;
  if (inertia.mass == 0.0 && I.isZero(0.0)) return;
  Output& element = *link.InsertNewChildElement("inertial");
  SetOrigin({Matrix3d::Identity(), SettleCentre(inertia.mass, inertia.p_BBcm - p_BL)}, element);
  Set(*element.InsertNewChildElement("mass"), "value", inertia.mass);
  Output& moments = *element.InsertNewChildElement("inertia");
  constexpr std::array<const char*, 3> kAxes{"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j)
      Set(moments, (std::string("i") + kAxes[i] + kAxes[j]).c_str(), 0.5 * (I(i, j) + I(j, i)));
  }
}

// Where a link has a <visual>, none of its collision shapes is looked at: those that should be get one, too.
void Writer::WriteShapes(int body, Output& link) {
  const Vector3d& p_BL = p_BL_[body];
  bool has_visuals = !visuals_of_[body].empty(), shows = false, hides = false;
  for (const int g : geoms_of_[body]) {
    const Geom& geom = model_.geoms[g];
    has_visuals |= geom.is_seen && (geom.color || !geom.collides());
    shows |= geom.is_seen;
    hides |= !geom.is_seen && geom.collides();
  }
  has_visuals |= shows && hides;
  if (hides && !has_visuals) ++num_hidden_;
  for (const int v : visuals_of_[body]) WriteVisual(model_.visuals[v], p_BL, link);
  for (const int g : geoms_of_[body]) {
    const Geom& geom = model_.geoms[g];
    if (!has_visuals || !geom.is_seen) continue;
    WriteVisual({.body = body, .shape = geom.shape, .X_BV = geom.X_BG, .color = geom.color}, p_BL, link);
  }
  for (const int g : geoms_of_[body]) {
    if (model_.geoms[g].collides()) WriteCollision(model_.geoms[g], p_BL, link);
  }
  if (const Geom* geom = FindSurface(body)) WriteSurface(*geom, link);
}

// A link has one surface, that of its first shape.
const Geom* Writer::FindSurface(int body) const {
  for (const int g : geoms_of_[body]) {
    const Geom& geom = model_.geoms[g];
    if (geom.collides() && !std::holds_alternative<Plane>(geom.shape)) return &geom;
  }
  return nullptr;
}

void Writer::WriteSurface(const Geom& geom, Output& link) {
  const Geom usual;
  if (geom.friction == usual.friction && geom.restitution == usual.restitution) return;
  Output& contact = *link.InsertNewChildElement("contact");
  const auto set = [&](const char* word, double value, double unless) {
    if (value != unless) Set(*contact.InsertNewChildElement(word), "value", value);
  };
  set("lateral_friction", geom.friction, usual.friction);
  set("restitution", geom.restitution, usual.restitution);
  extensions_.insert("contact");
}

void Writer::SetMesh(const mjcf::WrittenMesh& mesh, Output& parent) {
  Set(*parent.InsertNewChildElement("geometry")->InsertNewChildElement("mesh"), "filename",
      assets_.FileOf(mesh.name));
}

namespace {

// Shapes that have a word; false for the others.
struct WriteWord {
  Output& parent;
  std::set<std::string>& extensions;

  bool operator()(const Sphere& s) const { return Say("sphere", "radius", s.radius); }
  bool operator()(const Box& s) const {
    Output& box = *parent.InsertNewChildElement("geometry")->InsertNewChildElement("box");
    Set(box, "size", Vector3d(2.0 * s.half_extents));
    return true;
  }
  bool operator()(const Cylinder& s) const {
    return Say("cylinder", "radius", s.radius, 2.0 * s.half_length);
  }
  bool operator()(const Capsule& s) const {
    extensions.insert("capsule");
    return Say("capsule", "radius", s.radius, 2.0 * s.half_length);
  }
  bool operator()(const Plane&) const { return false; }
  bool operator()(const Ellipsoid&) const { return false; }
  bool operator()(const Hull&) const { return false; }
  bool operator()(const Mesh&) const { return false; }
  bool operator()(const Field&) const { return false; }

  bool Say(const char* word, const char* attribute, double size, double length = 0.0) const {
    Output& element = *parent.InsertNewChildElement("geometry")->InsertNewChildElement(word);
    Set(element, attribute, size);
    if (length > 0.0) Set(element, "length", length);
    return true;
  }
};

}  // namespace

// Writes the <geometry> where there is a word or a mesh for it: nothing, and nothing is written, where there
// is none. Else where the shape's frame stands in what is written.
std::optional<mjcf::WrittenMesh> Writer::WriteShape(const Shape& shape, const std::string& name,
                                                    Output& parent) {
  if (std::visit(WriteWord{parent, extensions_}, shape)) return mjcf::WrittenMesh{};
  std::optional<mjcf::WrittenMesh> mesh;
  if (const Hull* hull = std::get_if<Hull>(&shape)) mesh = assets_.AddHull(*hull->polytope, name + "_hull");
  if (const Mesh* surface = std::get_if<Mesh>(&shape))
    mesh = assets_.AddSurface(*surface->surface, name + "_surface");
  if (const Field* field = std::get_if<Field>(&shape))
    mesh = assets_.AddSurface(*field->solid->surface.surface, name + "_surface");
  if (mesh) SetMesh(*mesh, parent);
  return mesh;
}

void Writer::SetMaterial(const std::optional<Color>& color, Output& visual) {
  if (!color) return;
  const auto [entry, is_new] = materials_.try_emplace({color->r, color->g, color->b, color->a});
  if (is_new) {
    entry->second = "color" + std::to_string(materials_.size());
    material_list_.emplace_back(entry->second, *color);
  }
  Set(*visual.InsertNewChildElement("material"), "name", entry->second);
}

void Writer::WriteVisual(const Visual& visual, const Vector3d& p_BL, Output& link) {
  Output& element = *link.InsertNewChildElement("visual");
  mjcf::SetName(element, visual.name);
  const std::string name = link_names_[visual.body] + "_visual";
  std::optional<mjcf::WrittenMesh> mesh;
  if (const SharedMesh* triangles = std::get_if<SharedMesh>(&visual.shape)) {
    mesh = assets_.AddMesh(**triangles, name);
    if (mesh->name.empty()) return link.DeleteChild(&element);  // no triangles
    SetMesh(*mesh, element);
  } else {
    mesh = WriteShape(std::get<Shape>(visual.shape), name, element);
  }
  if (!mesh) {
    link.DeleteChild(&element);
    return Note(ImportStatus::kIgnored, "geom",
                "what \"" + link_names_[visual.body] + "\" looks like: no word for this shape",
                ImportLoss::kHarmless);
  }
  SetOrigin({visual.X_BV.R, visual.X_BV * mesh->p_GM - p_BL}, element);
  SetMaterial(visual.color, element);
}

void Writer::WriteCollision(const Geom& geom, const Vector3d& p_BL, Output& link) {
  Output& element = *link.InsertNewChildElement("collision");
  const auto mesh = WriteShape(geom.shape, link_names_[geom.body], element);
  if (!mesh) {
    link.DeleteChild(&element);
    const std::string hint = std::holds_alternative<Plane>(geom.shape) && geom.body == 0
                                 ? "; --ground Z adds one when the file is read"
                                 : "";
    return Note(ImportStatus::kIgnored, "geom",
                "on \"" + link_names_[geom.body] + "\": no word for a shape of the type " +
                    std::string(ShapeName(geom.shape)) + hint);
  }
  SetOrigin({geom.X_BG.R, geom.X_BG * mesh->p_GM - p_BL}, element);
  if (!std::holds_alternative<Mesh>(geom.shape) && !std::holds_alternative<Field>(geom.shape)) return;
  Set(element, "concave", "yes");
  extensions_.insert("collision[@concave]");
}

}  // namespace stiction::urdf
