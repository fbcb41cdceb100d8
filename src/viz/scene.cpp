#include "stiction/viz/scene.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "stiction/dynamics/tendon.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/geometry/mesh_surface.h"
#include "stiction/geometry/ray_cast.h"
#include "viz/draw_mesh.h"

namespace stiction {
namespace {

template <typename... F>
struct Overloaded : F... {
  using F::operator()...;
};

constexpr int kLastGroup = 5, kLastSeenGroup = 2;  // as MuJoCo's viewer starts
// Part of a cone's friction limit from which a contact counts as sliding.
constexpr double kSlipShare = 1.0 - 1e-6;

// Well separated hues, by tree; bodies fixed to the world are grey.
DrawColor ChooseColor(const Model& model, int body) {
  static const DrawColor palette[] = {
      {0.27f, 0.47f, 0.70f, 1}, {0.90f, 0.55f, 0.20f, 1}, {0.35f, 0.63f, 0.33f, 1},
      {0.76f, 0.33f, 0.34f, 1}, {0.56f, 0.44f, 0.66f, 1}, {0.55f, 0.43f, 0.36f, 1},
      {0.83f, 0.54f, 0.74f, 1}, {0.72f, 0.68f, 0.28f, 1}, {0.32f, 0.66f, 0.72f, 1}};
  const int tree = model.bodies[body].tree;
  if (tree < 0) return {0.62f, 0.63f, 0.65f, 1};
  DrawColor color = palette[tree % std::size(palette)];
  // Links of one tree alternate in brightness.
  const float shade = (body - model.trees[tree].root_body) % 2 == 0 ? 1.0f : 0.82f;
  return {color.r * shade, color.g * shade, color.b * shade, 1};
}

// A tree is far off if the others together, with what is fixed, are this many times smaller without it.
constexpr double kFarTimes = 5.0;
constexpr std::size_t kMostTreesToOneFar = 4;

std::pair<Vector3d, Vector3d> BoundsOf(const Eigen::AlignedBox3d& box) {
  if (box.isEmpty() || !box.diagonal().allFinite()) return {-Vector3d::Ones(), Vector3d::Ones()};
  return {box.min(), box.max()};
}

Eigen::AlignedBox3d UniteExcept(Eigen::AlignedBox3d all, const std::vector<Eigen::AlignedBox3d>& boxes,
                                std::size_t except) {
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (i != except) all.extend(boxes[i]);
  return all;
}

// Drops the tree that stands out most, if it is far off; one of the six that the box of all ends at.
bool LeaveOutFarthest(const Eigen::AlignedBox3d& fixed, std::vector<Eigen::AlignedBox3d>& trees) {
  const Eigen::AlignedBox3d all = UniteExcept(fixed, trees, trees.size());
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const bool is_last =
        (trees[i].min().array() == all.min().array() || trees[i].max().array() == all.max().array()).any();
    if (!is_last) continue;
    const Eigen::AlignedBox3d rest = UniteExcept(fixed, trees, i);
    if (kFarTimes * rest.diagonal().norm() > all.diagonal().norm()) continue;
    trees.erase(trees.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

}  // namespace

ContactState ClassifyContact(const Model& model, const Contact& contact) {
  const double n = contact.impulse_W.dot(contact.n_W);
  if (!(n > 0.0)) return ContactState::kOpen;
  const double mu = CalcFriction(model, contact.geom_a, contact.geom_b).sliding;
  const double t = (contact.impulse_W - n * contact.n_W).norm();
  return t >= kSlipShare * mu * n ? ContactState::kSlip : ContactState::kStick;
}

SceneDrawing::SceneDrawing(const Model& model) : model_(&model) {
  AddParts();
  PrepareLighting();
  std::vector<RigidTransform> X_WB(model.num_bodies());
  for (int b = 1; b < model.num_bodies(); ++b) X_WB[b] = X_WB[model.bodies[b].parent] * model.bodies[b].X_PB;
  const auto [lower, upper] = CalcBounds(X_WB);
  size_ = std::max(0.5 * (upper - lower).norm(), 1e-3);
}

bool SceneDrawing::Part::is_drawn(const SceneOptions& options) const {
  if (is_site && !options.sites) return false;
  if (options.collision) return is_collision;
  if (!options.groups) return is_look;
  // Of a geom that is not seen although its group is: something else shows it.
  const bool is_replaced = !is_look && group <= kLastSeenGroup;
  return !is_replaced && (*options.groups >> group & 1u) != 0;
}

void SceneDrawing::AddParts() {
  for (int g = 0; g < model_->num_geoms(); ++g) AddGeomPart(g);
  for (const Visual& visual : model_->visuals) AddVisualParts(visual);
}

void SceneDrawing::AddGeomPart(int g) {
  const Geom& geom = model_->geoms[g];
  Part part{.body = geom.body, .geom = g, .X_BP = geom.X_BG, .shape = &geom.shape};
  part.draw_mesh = AddShapeMesh(geom.shape);
  part.is_look = geom.is_seen;
  part.is_collision = geom.collides();
  part.group = std::clamp(geom.group, 0, kLastGroup);
  AddPart(part, geom.color, geom.material);
}

// A mesh of several materials is several parts, of which the first stands for all to rays and bounds.
void SceneDrawing::AddVisualParts(const Visual& visual) {
  Part part{.body = visual.body, .X_BP = visual.X_BV};
  part.is_collision = false;
  part.group = std::clamp(visual.group, 0, kLastGroup);
  part.is_site = visual.is_site;
  part.is_look = !visual.is_site || part.group <= kLastSeenGroup;
  const SharedMesh* mesh = std::get_if<SharedMesh>(&visual.shape);
  if (!mesh) {
    part.shape = &std::get<Shape>(visual.shape);
    part.draw_mesh = AddShapeMesh(*part.shape);
    return AddPart(part, visual.color, visual.material);
  }
  const MeshParts& parts = AddMesh(mesh->get(), nullptr, mesh->get());
  for (std::size_t k = 0; k < parts.materials.size(); ++k) {
    part.mesh = k == 0 ? mesh->get() : nullptr;
    part.draw_mesh = parts.first + static_cast<int>(k);
    const int own = parts.materials[k];
    const SharedMaterial of_mesh = own >= 0 ? (*mesh)->materials[own] : nullptr;
    // A colour from outside replaces the mesh's own, but tints its picture.
    const bool is_tinted = visual.color && of_mesh && of_mesh->texture;
    const bool is_replaced = visual.material || (visual.color && !is_tinted);
    AddPart(part, visual.color, is_replaced ? visual.material : of_mesh);
  }
}

void SceneDrawing::AddPart(Part part, const std::optional<Color>& color, const SharedMaterial& material) {
  const std::optional<Color> own = color || !material ? color : material->color;
  const bool is_plane = part.shape != nullptr && std::holds_alternative<Plane>(*part.shape);
  constexpr DrawColor kFloor{0.76f, 0.77f, 0.79f, 1.0f};
  part.color = own        ? DrawColor{own->r, own->g, own->b, own->a}
               : is_plane ? kFloor
                          : ChooseColor(*model_, part.body);
  if (material) part.surface = MakeSurface(*material, part);
  if (is_plane && !material) part.surface.mapping = DrawMapping::kGrid, part.surface.roughness = 0.9f;
  parts_.push_back(part);
}

// -1: a primitive.
int SceneDrawing::AddShapeMesh(const Shape& shape) {
  if (const Hull* hull = std::get_if<Hull>(&shape))
    return AddMesh(hull->polytope.get(), hull->polytope.get(), nullptr).first;
  if (const Mesh* mesh = std::get_if<Mesh>(&shape))
    return AddMesh(mesh->surface.get(), nullptr, &mesh->surface->mesh).first;
  if (const Field* field = std::get_if<Field>(&shape))
    return AddMesh(field->solid.get(), nullptr, nullptr, field->solid.get()).first;
  return -1;
}

// Once for all that is made of the same asset.
const SceneDrawing::MeshParts& SceneDrawing::AddMesh(const void* key, const ConvexHull* hull,
                                                     const TriangleMesh* mesh, const FieldSolid* field) {
  const auto [entry, is_new] = meshes_of_.try_emplace(key);
  if (!is_new) return entry->second;
  MeshParts& parts = entry->second;
  parts.first = static_cast<int>(meshes_.size());
  Vector3d lower = Vector3d::Zero(), upper = lower;
  if (mesh != nullptr) {
    for (auto& [material, part] : SplitByMaterial(*mesh)) {
      meshes_.push_back(std::move(part));
      parts.materials.push_back(material);
    }
    for (std::size_t i = 0; i < mesh->vertices.size(); ++i) {
      lower = i == 0 ? mesh->vertices[i] : Vector3d(lower.cwiseMin(mesh->vertices[i]));
      upper = i == 0 ? mesh->vertices[i] : Vector3d(upper.cwiseMax(mesh->vertices[i]));
    }
  } else {
    meshes_.push_back(hull != nullptr ? MakeDrawMesh(*hull) : MakeDrawMesh(*field));
    parts.materials.push_back(-1);
  }
  mesh_bounds_.resize(meshes_.size(), {lower, upper});
  return parts;
}

std::optional<std::pair<Vector3d, Vector3d>> SceneDrawing::CalcPartBounds(const Part& part,
                                                                          const RigidTransform& X) const {
  if (part.is_site) return std::nullopt;
  if (part.shape != nullptr && !std::holds_alternative<Plane>(*part.shape)) {
    const Vector3d half = CalcBoundingHalfExtents(*part.shape, X.R);
    return std::pair(Vector3d(X.p - half), Vector3d(X.p + half));
  }
  if (part.mesh == nullptr) return std::nullopt;
  // The box of the mesh's own bounding box.
  const auto& [lower, upper] = mesh_bounds_[part.draw_mesh];
  const Vector3d center = X * Vector3d(0.5 * (lower + upper));
  const Vector3d half = X.R.cwiseAbs() * (0.5 * (upper - lower));
  return std::pair(Vector3d(center - half), Vector3d(center + half));
}

std::pair<Vector3d, Vector3d> SceneDrawing::CalcBounds(const std::vector<RigidTransform>& X_WB) const {
  Eigen::AlignedBox3d all;
  for (const Part& part : parts_)
    if (const auto box = CalcPartBounds(part, X_WB[part.body] * part.X_BP))
      all.extend(Eigen::AlignedBox3d(box->first, box->second));
  return BoundsOf(all);
}

std::pair<Vector3d, Vector3d> SceneDrawing::CalcMainBounds(const std::vector<RigidTransform>& X_WB) const {
  std::vector<Eigen::AlignedBox3d> trees(model_->num_trees());
  Eigen::AlignedBox3d fixed;
  for (const Part& part : parts_) {
    const int tree = model_->bodies[part.body].tree;
    if (const auto box = CalcPartBounds(part, X_WB[part.body] * part.X_BP))
      (tree < 0 ? fixed : trees[tree]).extend(Eigen::AlignedBox3d(box->first, box->second));
  }
  std::erase_if(trees, [](const Eigen::AlignedBox3d& box) { return box.isEmpty(); });
  for (std::size_t left_out = trees.size() / kMostTreesToOneFar; left_out > 0; --left_out)
    if (!LeaveOutFarthest(fixed, trees)) break;
  return BoundsOf(UniteExcept(fixed, trees, trees.size()));
}

void SceneDrawing::Draw(const std::vector<RigidTransform>& X_WB, const std::vector<Contact>& contacts,
                        double dt, int worst, const SceneOptions& options, DrawList& list) const {
  list.Clear(static_cast<int>(meshes_.size()));
  list.lighting = MakeLighting(X_WB);
  if (options.shapes) {
    DrawShapes(X_WB, options, list);
    DrawTendons(X_WB, options, list);
  }
  DrawContacts(contacts, dt, worst, options, list);
  DrawMarks(X_WB, options, list);
}

void SceneDrawing::DrawShapes(const std::vector<RigidTransform>& X_WB, const SceneOptions& options,
                              DrawList& list) const {
  for (const Part& part : parts_)
    if (part.is_drawn(options) && !options.is_hidden(part.body))
      DrawPart(part, X_WB[part.body] * part.X_BP, options, list);
}

void SceneDrawing::DrawBody(int body, const SceneOptions& options, DrawList& list) const {
  for (const Part& part : parts_)
    if (part.body == body && part.is_drawn(options)) DrawPart(part, part.X_BP, options, list);
}

void SceneDrawing::DrawPart(const Part& part, const RigidTransform& X, const SceneOptions& options,
                            DrawList& list) const {
  DrawColor color = part.color;
  const bool is_plane = part.shape != nullptr && std::holds_alternative<Plane>(*part.shape);
  const bool is_selected = part.body == options.selected_body && part.body > 0;
  if (is_selected) {
    color.r = 0.4f + 0.6f * color.r, color.g = 0.4f + 0.6f * color.g, color.b = 0.25f + 0.4f * color.b;
  }
  if (options.is_transparent && !is_plane) color.a = std::min(color.a, 0.35f);
  if (part.draw_mesh >= 0) {
    list.AddMesh(part.draw_mesh, X, color, part.surface);
    if (is_selected)
      list.outline.meshes.emplace_back(part.draw_mesh, list.mesh_instances[part.draw_mesh].back());
    return;
  }
  const auto add = [&](DrawPrimitive primitive, const RigidTransform& X_W, const Vector3d& scale) {
    list.solid.Add(primitive, X_W, scale, color, part.surface);
    const int k = static_cast<int>(primitive);
    if (is_selected) list.outline.instances[k].push_back(list.solid.instances[k].back());
  };
  const auto round = [&](double radius, double half_length) {
    add(DrawPrimitive::kCylinder, X, {radius, radius, half_length});
  };
  std::visit(
      Overloaded{[&](const Plane&) { add(DrawPrimitive::kGround, X, CalcSeenHalfSize(part)); },
                 [&](const Sphere& s) { add(DrawPrimitive::kSphere, X, Vector3d::Constant(s.radius)); },
                 [&](const Capsule& s) {
                   round(s.radius, s.half_length);
                   for (double end : {-s.half_length, s.half_length})
                     add(DrawPrimitive::kSphere, {X.R, X.p + end * X.R.col(2)}, Vector3d::Constant(s.radius));
                 },
                 [&](const Ellipsoid& s) { add(DrawPrimitive::kSphere, X, s.radii); },
                 [&](const Cylinder& s) { round(s.radius, s.half_length); },
                 [&](const Box& s) { add(DrawPrimitive::kBox, X, s.half_extents); },
                 [](const Hull&) { /* a mesh, above */ }, [](const Mesh&) { /* too */ },
                 [](const Field&) { /* too */ }},
      *part.shape);
}

double SceneDrawing::CalcImpulseScale(const std::vector<Contact>& contacts,
                                      const SceneOptions& options) const {
  double largest = 0.0;
  for (const Contact& contact : contacts) largest = std::max(largest, contact.impulse_W.norm());
  return largest > 0.0 ? 0.5 * options.force_scale * size_ / largest : 0.0;
}

void SceneDrawing::DrawTendons(const std::vector<RigidTransform>& X_WB, const SceneOptions& options,
                               DrawList& list) const {
  const DrawColor color{0.75f, 0.25f, 0.22f, options.is_transparent ? 0.35f : 1.0f};
  TendonSegments segments;
  for (const Tendon& tendon : model_->tendons) AppendTendonPath(tendon, X_WB, segments);
  for (const auto& [a, b] : segments) list.solid.AddRod(a, b, 0.003 * size_, color);
}

// Pieces of patches as squares of their area, from blue without pressure to red at the largest one; over all
// that is solid, for they lie inside of bodies.
void SceneDrawing::DrawPatches(const std::vector<Contact>& contacts, DrawList& list) const {
  const auto stress = [](const Contact& contact) {
    return contact.area > 0.0 ? contact.impulse_W.dot(contact.n_W) / contact.area : 0.0;
  };
  double largest = 0.0;
  for (const Contact& contact : contacts) largest = std::max(largest, stress(contact));
  for (const Contact& contact : contacts) {
    if (!(contact.area > 0.0)) continue;
    const double side = 0.5 * std::sqrt(contact.area);
    const auto share = largest > 0.0 ? static_cast<float>(stress(contact) / largest) : 0.0f;
    const DrawColor color{std::min(1.0f, 2.0f * share), 1.0f - std::abs(2.0f * share - 1.0f),
                          std::max(0.0f, 1.0f - 2.0f * share), 0.8f};
    list.overlay.Add(DrawPrimitive::kBox, {MakeContactFrame(contact.n_W), contact.p_W},
                     {side, side, 5e-4 * size_}, color);
  }
}

void SceneDrawing::DrawContacts(const std::vector<Contact>& contacts, double dt, int worst,
                                const SceneOptions& options, DrawList& list) const {
  const double thin = 0.003 * size_;
  const double per_impulse = CalcImpulseScale(contacts, options);
  if (options.contacts) DrawPatches(contacts, list);
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const Contact& contact = contacts[i];
    const ContactState state = ClassifyContact(*model_, contact);
    const DrawColor color = state == ContactState::kStick  ? DrawColor{0.15f, 0.75f, 0.25f, 1}
                            : state == ContactState::kSlip ? DrawColor{0.95f, 0.60f, 0.10f, 1}
                                                           : DrawColor{0.55f, 0.55f, 0.60f, 1};
    if (options.contacts && contact.area == 0.0) {
      const bool is_worst = i == worst;
      list.solid.Add(DrawPrimitive::kSphere, {Matrix3d::Identity(), contact.p_W},
                     Vector3d::Constant(is_worst ? 4.0 * thin : 2.0 * thin),
                     is_worst ? DrawColor{0.95f, 0.1f, 0.6f, 1} : color);
      list.solid.AddLine(contact.p_W, contact.p_W + 0.06 * size_ * contact.n_W, color);
    }
    if (options.forces && dt > 0.0) {
      list.solid.AddArrow(contact.p_W, per_impulse * contact.impulse_W, thin, {0.85f, 0.2f, 0.2f, 1});
    }
    if (options.cones && state != ContactState::kOpen) {
      const double mu = CalcFriction(*model_, contact.geom_a, contact.geom_b).sliding;
      const double height = 0.5 * 0.06 * size_;
      Matrix3d R;  // the apex at the contact, opening along the normal
      R.col(2) = -contact.n_W;
      R.col(0) = contact.n_W.unitOrthogonal();
      R.col(1) = R.col(2).cross(R.col(0));
      DrawColor glass = color;
      glass.a = 0.35f;
      list.solid.Add(DrawPrimitive::kCone, {R, contact.p_W + height * contact.n_W},
                     {2.0 * height * mu, 2.0 * height * mu, height}, glass);
    }
  }
}

void SceneDrawing::DrawMarks(const std::vector<RigidTransform>& X_WB, const SceneOptions& options,
                             DrawList& list) const {
  for (int b = 1; b < model_->num_bodies(); ++b) {
    const Body& body = model_->bodies[b];
    if (options.frames) list.overlay.AddFrame(X_WB[b], 0.1 * size_);
    if (options.labels) list.labels.push_back({X_WB[b].p.cast<float>(), model_->DisplayName(b)});
    const MassProperties& inertia = body.inertia;
    const Vector3d center = X_WB[b] * inertia.p_BBcm;
    if (options.centers && inertia.mass > 0.0) {
      list.overlay.Add(DrawPrimitive::kSphere, {Matrix3d::Identity(), center},
                       Vector3d::Constant(0.012 * size_), {0.95f, 0.85f, 0.1f, 1});
    }
    if (options.inertia && inertia.mass > 0.0) {
      // The box of the same mass: I_x = m (b² + c²) / 3 for half extents a, b, c.
      const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(inertia.I_BBcm_B);
      const Vector3d I = axes.eigenvalues() * 1.5 / inertia.mass;
      const Vector3d half(I[1] + I[2] - I[0], I[0] + I[2] - I[1], I[0] + I[1] - I[2]);
      Matrix3d R = X_WB[b].R * axes.eigenvectors();
      if (R.determinant() < 0.0) R.col(0) *= -1.0;
      list.overlay.Add(DrawPrimitive::kBox, {R, center}, half.cwiseMax(0.0).cwiseSqrt(),
                       {0.9f, 0.8f, 0.2f, 0.4f});
    }
  }
  if (!options.joint_axes) return;
  for (const Joint& joint : model_->joints) {
    const Body& body = model_->bodies[joint.body];
    const RigidTransform X_WF = X_WB[body.parent] * body.X_PB;
    const JointAxes axes =
        std::visit([&](const auto& kind) { return kind.CalcAxes(X_WB[joint.body], X_WF); }, joint.kind);
    for (int i = 0; i < axes.count; ++i) {
      const Vector3d half = 0.06 * size_ * axes.axis_W[i];
      list.overlay.AddArrow(axes.p_W - half, 2.0 * half, 0.003 * size_, {0.2f, 0.4f, 0.9f, 1});
    }
  }
}

std::optional<SceneDrawing::Hit> SceneDrawing::Pick(const std::vector<RigidTransform>& X_WB,
                                                    const Vector3d& p_W, const Vector3d& d_W,
                                                    const SceneOptions& options) const {
  std::optional<Hit> best;
  for (const Part& part : parts_) {
    if (!part.is_drawn(options) || !part.is_solid() || options.is_hidden(part.body)) continue;
    const RigidTransform X_PW = (X_WB[part.body] * part.X_BP).Inverse();
    const Vector3d p_P = X_PW * p_W, d_P = X_PW.R * d_W;
    const std::optional<ShapeHit> hit =
        part.shape != nullptr ? CastRay(*part.shape, p_P, d_P) : CastRay(*part.mesh, p_P, d_P);
    if (!hit || (best && hit->distance >= best->distance)) continue;
    best = Hit{part.body, part.geom, p_W + hit->distance * d_W, hit->distance};
  }
  return best;
}

}  // namespace stiction
