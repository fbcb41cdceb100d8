#include "stiction/model/model_builder.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "geometry/principal_axes.h"
#include "model/builder_checks.h"
#include "model/fluid_ellipsoid.h"
#include "model/mechanisms.h"
#include "model/topology.h"
#include "stiction/model/input.h"

namespace stiction {
namespace {

using Kind = ModelError::Kind;

// What the geom adds to its body, in the body's frame.
MassProperties CalcGeomInertia(const Geom& geom, const GeomMass& geom_mass) {
  const double mass = geom_mass.mass      ? *geom_mass.mass
                      : geom_mass.density ? *geom_mass.density * CalcVolume(geom.shape)
                                          : 0.0;
  if (mass == 0.0) return {};
  return Transform(geom.X_BG, CalcSolidMassProperties(geom.shape, mass));
}

// Whether these axes make a diagonal matrix of it, to rounding.
bool IsPrincipal(const Matrix3d& R_BI, const Matrix3d& I_B) {
  constexpr double kRounding = 1e-9;
  const Matrix3d I = R_BI.transpose() * I_B * R_BI;
  return std::max({std::abs(I(0, 1)), std::abs(I(0, 2)), std::abs(I(1, 2))}) <= kRounding * I.trace();
}

// Of a body that comes from a finished model, or with the axes of its inertia, R_BI is known; while it is
// known which geoms the others have their mass from, of equal moments the box that a fluid drags at stands
// along these (Body::R_BI).
void FindBoxAxes(const ModelBuilder& builder, std::vector<Body>& bodies) {
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const MassProperties inertia = builder.CalcInertia(static_cast<int>(b));
    if (!(inertia.mass > 0.0 && inertia.I_BBcm_B.allFinite())) continue;
    Matrix3d& R_BI = bodies[b].R_BI;
    const bool is_known = !R_BI.isIdentity(0.0) || builder.HasInertia(static_cast<int>(b));
    if (!is_known || !IsPrincipal(R_BI, inertia.I_BBcm_B))
      R_BI = builder.FindInertialAxes(static_cast<int>(b));
    if (!IsPrincipal(R_BI, inertia.I_BBcm_B)) R_BI = FindPrincipalAxes(inertia.I_BBcm_B);
  }
}

// Stable order of elements by their body's new index: order[i] is the new index of element i.
template <typename Element>
std::vector<int> CalcOrderByBody(const std::vector<Element>& elements, int num_bodies) {
  std::vector<int> next(num_bodies + 1, 0), order(elements.size());
  for (const Element& element : elements) ++next[element.body + 1];
  for (int b = 0; b < num_bodies; ++b) next[b + 1] += next[b];
  for (std::size_t i = 0; i < elements.size(); ++i) order[i] = next[elements[i].body]++;
  return order;
}

template <typename Element>
void Permute(const std::vector<int>& order, std::vector<Element>& elements) {
  std::vector<Element> permuted(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) permuted[order[i]] = std::move(elements[i]);
  elements = std::move(permuted);
}

// Renames the indices of the pairs, smaller first; sorts, and drops repetitions.
void RemapPairs(const std::vector<int>& order, std::vector<std::pair<int, int>>& pairs) {
  for (auto& [a, b] : pairs) {
    a = order[a], b = order[b];
    if (a > b) std::swap(a, b);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

// An empty vector takes the default; another size than the default's is an error.
void CompleteVector(const VectorXd& defaults, const std::string& element, int index, const char* what,
                    VectorXd& values) {
  if (values.size() == 0) values = defaults;
  if (values.size() != defaults.size()) {
    throw ModelError(Kind::kKeyframe, index,
                     element + ": " + what + " has " + std::to_string(values.size()) +
                         " numbers, but the model needs " + std::to_string(defaults.size()));
  }
  if (!values.allFinite())
    throw ModelError(Kind::kKeyframe, index, element + ": " + what + " must be finite");
}

void CompleteKeyframes(Model& model) {
  const Input defaults = Input::Default(model);
  for (std::size_t k = 0; k < model.keyframes.size(); ++k) {
    Keyframe& keyframe = model.keyframes[k];
    const int index = static_cast<int>(k);
    const std::string element = Quote("keyframe", keyframe.name, index);
    CompleteVector(model.q0, element, index, "qpos", keyframe.q);
    CompleteVector(VectorXd::Zero(model.nv()), element, index, "qvel", keyframe.v);
    CompleteVector(defaults.ctrl, element, index, "ctrl", keyframe.ctrl);
    CompleteVector(VectorXd::Zero(model.na()), element, index, "act", keyframe.activation);
    CompleteVector(defaults.mocap, element, index, "mocap", keyframe.mocap);
    NormalizeQuaternions(model, keyframe.q);
  }
}

}  // namespace

ModelBuilder::ModelBuilder(std::string name) {
  model_.name = std::move(name);
  Body world;
  world.name = "world";
  world.parent = -1;
  model_.bodies.push_back(world);
  explicit_inertia_.push_back(true);
}

int ModelBuilder::AddBody(const Body& body) {
  const int index = num_bodies();
  if (body.parent < 0 || body.parent >= index) {
    throw ModelError(Kind::kBody, index, Quote("body", body.name, index) + ": its parent does not exist");
  }
  Body& added = model_.bodies.emplace_back(body);
  added.num_joints = 0;
  // Mass properties that come with the body count as explicit.
  explicit_inertia_.push_back(body.inertia.mass != 0.0 || !body.inertia.I_BBcm_B.isZero(0.0));
  return index;
}

void ModelBuilder::SetInertia(int body, const MassProperties& inertia, const std::optional<Matrix3d>& axes) {
  model_.bodies.at(body).inertia = inertia;
  model_.bodies[body].R_BI = axes.value_or(Matrix3d::Identity());
  explicit_inertia_[body] = true;
}

Matrix3d ModelBuilder::FindInertialAxes(int body) const {
  std::optional<Matrix3d> only;
  int count = 0;
  if (!explicit_inertia_[body] && body < static_cast<int>(geoms_of_body_.size())) {
    for (const int g : geoms_of_body_[body]) {
      if (CalcGeomInertia(model_.geoms[g], geom_mass_[g]).mass == 0.0) continue;
      only = model_.geoms[g].X_BG.R;
      ++count;
    }
  }
  for (const AddedMass& added : added_mass_) {
    if (explicit_inertia_[body] || added.body != body) continue;
    only = added.axes;
    ++count;
  }
  return count == 1 ? *only : FindPrincipalAxes(CalcInertia(body).I_BBcm_B);
}

std::vector<RigidTransform> ModelBuilder::AlignWithInertia(const std::vector<int>& bodies,
                                                           const std::vector<std::optional<Matrix3d>>& axes) {
  std::vector<RigidTransform> X_BI(bodies.size());
  std::vector<std::optional<RigidTransform>> X_IB(num_bodies());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const int b = bodies[i];
    const MassProperties inertia = CalcInertia(b);
    if (!(inertia.mass > 0.0)) continue;
    X_BI[i] = {axes[i] ? *axes[i] : FindInertialAxes(b), inertia.p_BBcm};
    X_IB[b] = X_BI[i].Inverse();
    SetInertia(b, Transform(*X_IB[b], inertia));
    model_.bodies[b].X_PB = model_.bodies[b].X_PB * X_BI[i];
  }
  const auto move = [&](auto& elements, auto member) {
    for (auto& element : elements) {
      if (X_IB[element.body]) element.*member = *X_IB[element.body] * element.*member;
    }
  };
  move(model_.geoms, &Geom::X_BG);
  move(model_.visuals, &Visual::X_BV);
  move(model_.cameras, &ModelCamera::X_BC);
  move(model_.frames, &Frame::X_BF);
  for (Light& light : model_.lights) {
    if (!X_IB[light.body]) continue;
    light.p_BL = *X_IB[light.body] * light.p_BL;
    light.direction_B = X_IB[light.body]->R * light.direction_B;
  }
  return X_BI;
}

int ModelBuilder::AddJoint(int body, const Joint& joint) {
  CheckJoint(model_, body, joint);
  Joint& added = model_.joints.emplace_back(joint);
  added.body = body;
  std::visit([](auto& kind) { kind.Normalize(); }, added.kind);
  ++model_.bodies[body].num_joints;
  return model_.num_joints() - 1;
}

int ModelBuilder::AddGeom(const Geom& geom, const GeomMass& mass) {
  const int index = model_.num_geoms();
  if (geom.body < 0 || geom.body >= num_bodies()) {
    throw ModelError(Kind::kGeom, index, Quote("geom", geom.name, index) + ": its body does not exist");
  }
  CheckGeom(geom, mass, index);
  model_.geoms.push_back(geom);
  geom_mass_.push_back(mass);
  if (mass.mass || mass.density) {
    geoms_of_body_.resize(num_bodies());
    geoms_of_body_[geom.body].push_back(index);
  }
  return index;
}

void ModelBuilder::AddMass(int body, const MassProperties& part, const std::optional<Matrix3d>& axes) {
  if (body < 0 || body >= num_bodies()) throw ModelError(Kind::kBody, body, "the mass's body does not exist");
  added_mass_.push_back({body, part, axes ? *axes : FindPrincipalAxes(part.I_BBcm_B)});
}

int ModelBuilder::AddVisual(const Visual& visual) {
  const int index = static_cast<int>(model_.visuals.size());
  if (visual.body < 0 || visual.body >= num_bodies()) {
    throw ModelError(Kind::kModel, -1, Quote("visual", visual.name, index) + ": its body does not exist");
  }
  CheckVisual(visual, index);
  model_.visuals.push_back(visual);
  return index;
}

void ModelBuilder::CheckTarget(CameraMode mode, int target, const std::string& element) const {
  if (HasTarget(mode) && (target < 0 || target >= num_bodies()))
    throw ModelError(Kind::kModel, -1, element + ": its target does not exist");
}

int ModelBuilder::AddCamera(const ModelCamera& camera) {
  const int index = static_cast<int>(model_.cameras.size());
  if (camera.body < 0 || camera.body >= num_bodies()) {
    throw ModelError(Kind::kModel, -1, Quote("camera", camera.name, index) + ": its body does not exist");
  }
  CheckTarget(camera.mode, camera.target, Quote("camera", camera.name, index));
  ModelCamera added = camera;
  if (!camera.focal.isZero(0.0)) added.field_of_view = 2.0 * std::atan(0.5 / camera.focal.y());
  CheckCamera(added, index);
  model_.cameras.push_back(added);
  return index;
}

void ModelBuilder::AimCamera(int camera, CameraMode mode, int target) {
  if (camera < 0 || camera >= static_cast<int>(model_.cameras.size()))
    throw ModelError(Kind::kModel, -1, "there is no camera " + std::to_string(camera));
  ModelCamera& aimed = model_.cameras[camera];
  CheckTarget(mode, target, Quote("camera", aimed.name, camera));
  aimed.mode = mode;
  aimed.target = HasTarget(mode) ? target : -1;
}

void ModelBuilder::AimLight(int light, CameraMode mode, int target) {
  if (light < 0 || light >= static_cast<int>(model_.lights.size()))
    throw ModelError(Kind::kModel, -1, "there is no light " + std::to_string(light));
  Light& aimed = model_.lights[light];
  CheckTarget(mode, target, Quote("light", aimed.name, light));
  aimed.mode = mode;
  aimed.target = HasTarget(mode) ? target : -1;
}

int ModelBuilder::AddLight(const Light& light) {
  const int index = static_cast<int>(model_.lights.size());
  const std::string element = Quote("light", light.name, index);
  if (light.body < 0 || light.body >= num_bodies())
    throw ModelError(Kind::kModel, -1, element + ": its body does not exist");
  CheckTarget(light.mode, light.target, element);
  const double length = light.direction_B.norm();
  if (!(length > 0.0) || !std::isfinite(length) || !light.p_BL.allFinite() || !light.attenuation.allFinite())
    throw ModelError(Kind::kModel, -1, element + " needs finite numbers and a direction");
  Light& added = model_.lights.emplace_back(light);
  constexpr double kUnit = 1e-14;  // what is unit stays as it is, to the last bit
  if (std::abs(length - 1.0) > kUnit) added.direction_B /= length;
  return index;
}

int ModelBuilder::AddFrame(const Frame& frame) {
  if (frame.body < 0 || frame.body >= num_bodies()) {
    throw ModelError(Kind::kModel, -1, "frame '" + frame.name + "': its body does not exist");
  }
  model_.frames.push_back(frame);
  return static_cast<int>(model_.frames.size()) - 1;
}

int ModelBuilder::AddActuator(const Actuator& actuator) {
  model_.actuators.push_back(actuator);
  return model_.nu() - 1;
}

int ModelBuilder::num_activations() const {
  int count = 0;
  for (const Actuator& actuator : model_.actuators) count += NumStates(actuator);
  return count;
}

int ModelBuilder::AddTendon(const Tendon& tendon) {
  CheckTendon(model_, tendon);
  model_.tendons.push_back(tendon);
  return model_.num_tendons() - 1;
}

int ModelBuilder::AddEquality(const Equality& equality) {
  CheckEquality(model_, equality);
  model_.equalities.push_back(equality);
  return model_.num_equalities() - 1;
}

int ModelBuilder::AddSensor(const Sensor& sensor) {
  model_.sensors.push_back(sensor);
  return static_cast<int>(model_.sensors.size()) - 1;
}

int ModelBuilder::AddKeyframe(const Keyframe& keyframe) {
  model_.keyframes.push_back(keyframe);
  return static_cast<int>(model_.keyframes.size()) - 1;
}

void ModelBuilder::ExcludeBodies(int body_a, int body_b) {
  if (std::min(body_a, body_b) < 0 || std::max(body_a, body_b) >= num_bodies()) {
    throw ModelError(Kind::kModel, -1, "an excluded pair names a body that does not exist");
  }
  model_.excluded_bodies.emplace_back(body_a, body_b);
}

void ModelBuilder::ExcludeGeoms(int geom_a, int geom_b) {
  if (std::min(geom_a, geom_b) < 0 || std::max(geom_a, geom_b) >= model_.num_geoms()) {
    throw ModelError(Kind::kModel, -1, "an excluded pair names a geom that does not exist");
  }
  model_.excluded_geoms.emplace_back(geom_a, geom_b);
}

void ModelBuilder::AddContactPair(ContactPair pair) {
  if (std::min(pair.geom_a, pair.geom_b) < 0 || std::max(pair.geom_a, pair.geom_b) >= model_.num_geoms() ||
      pair.geom_a == pair.geom_b)
    throw ModelError(Kind::kModel, -1, "a contact pair needs two geoms of the model");
  const PairFriction& f = pair.friction;
  for (const double value : {f.sliding, f.torsional, f.rolling, pair.restitution}) {
    if (!(value >= 0.0)) throw ModelError(Kind::kModel, -1, "a contact pair has a negative coefficient");
  }
  model_.contact_pairs.push_back(pair);
}

void ModelBuilder::SortContactPairs() {
  std::vector<ContactPair>& pairs = model_.contact_pairs;
  const auto key = [](const ContactPair& pair) { return std::pair(pair.geom_a, pair.geom_b); };
  for (ContactPair& pair : pairs) {
    std::tie(pair.geom_a, pair.geom_b) = std::minmax({geom_order_[pair.geom_a], geom_order_[pair.geom_b]});
  }
  std::sort(pairs.begin(), pairs.end(),
            [&](const ContactPair& a, const ContactPair& b) { return key(a) < key(b); });
  const auto twice =
      std::adjacent_find(pairs.begin(), pairs.end(),
                         [&](const ContactPair& a, const ContactPair& b) { return key(a) == key(b); });
  if (twice == pairs.end()) return;
  throw ModelError(Kind::kModel, -1,
                   "two contact pairs name the geoms '" + model_.geoms[twice->geom_a].name + "' and '" +
                       model_.geoms[twice->geom_b].name + "'; keep one");
}

MassProperties ModelBuilder::CalcInertia(int body) const {
  return explicit_inertia_.at(body) ? model_.bodies[body].inertia : CalcInertiaOfParts(body);
}

MassProperties ModelBuilder::CalcInertiaOfParts(int body) const {
  MassProperties sum;
  if (body < static_cast<int>(geoms_of_body_.size())) {
    for (const int g : geoms_of_body_[body]) sum = Add(sum, CalcGeomInertia(model_.geoms[g], geom_mass_[g]));
  }
  for (const AddedMass& added : added_mass_) {
    if (added.body == body) sum = Add(sum, added.part);
  }
  return sum;
}

void ModelBuilder::SumGeomInertias() {
  for (int g = 0; g < model_.num_geoms(); ++g) {
    const Geom& geom = model_.geoms[g];
    if (explicit_inertia_[geom.body]) continue;
    MassProperties& sum = model_.bodies[geom.body].inertia;
    sum = Add(sum, CalcGeomInertia(geom, geom_mass_[g]));
  }
  for (const AddedMass& added : added_mass_) {
    if (explicit_inertia_[added.body]) continue;
    MassProperties& sum = model_.bodies[added.body].inertia;
    sum = Add(sum, added.part);
  }
}

void ModelBuilder::SortElements() {
  body_order_ = CalcDepthFirstOrder(model_.bodies);
  for (Body& body : model_.bodies) {
    if (body.parent >= 0) body.parent = body_order_[body.parent];
  }
  for (Joint& joint : model_.joints) joint.body = body_order_[joint.body];
  for (Geom& geom : model_.geoms) geom.body = body_order_[geom.body];
  for (Visual& visual : model_.visuals) visual.body = body_order_[visual.body];
  for (ModelCamera& camera : model_.cameras) {
    camera.body = body_order_[camera.body];
    if (camera.target >= 0) camera.target = body_order_[camera.target];
  }
  for (Light& light : model_.lights) {
    light.body = body_order_[light.body];
    if (light.target >= 0) light.target = body_order_[light.target];
  }
  for (Frame& frame : model_.frames) frame.body = body_order_[frame.body];
  Permute(body_order_, model_.bodies);

  joint_order_ = CalcOrderByBody(model_.joints, num_bodies());
  geom_order_ = CalcOrderByBody(model_.geoms, num_bodies());
  Permute(joint_order_, model_.joints);
  Permute(geom_order_, model_.geoms);
  Permute(CalcOrderByBody(model_.visuals, num_bodies()), model_.visuals);
  const std::vector<int> camera_order = CalcOrderByBody(model_.cameras, num_bodies());
  Permute(camera_order, model_.cameras);
  Permute(CalcOrderByBody(model_.lights, num_bodies()), model_.lights);
  int first_joint = 0;
  for (Body& body : model_.bodies) {
    body.first_joint = first_joint;
    first_joint += body.num_joints;
  }
  const ReferenceMap map{body_order_, joint_order_, geom_order_, camera_order};
  for (Actuator& actuator : model_.actuators) map.Rename(actuator);
  for (Tendon& tendon : model_.tendons) map.Rename(tendon);
  for (Equality& equality : model_.equalities) map.Rename(equality);
  for (Sensor& sensor : model_.sensors) map.Rename(sensor);
  RemapPairs(body_order_, model_.excluded_bodies);
  RemapPairs(geom_order_, model_.excluded_geoms);
  SortContactPairs();
}

Model ModelBuilder::Build() {
  if (model_.bodies.empty()) throw ModelError(Kind::kModel, -1, "the model was built already");
  CheckOptions(model_.options);
  CheckNames(model_);
  FindBoxAxes(*this, model_.bodies);
  SumGeomInertias();
  CheckBodies(model_);
  CheckJoints(model_);
  CheckGeoms(model_);
  CheckVisuals(model_);
  CheckActuators(model_);
  CheckSensors(model_);
  CheckJointsMoveMass(model_);
  SortElements();
  FillTopology(model_);
  FillFilePlaces(model_);
  model_.all_trees.Assign(model_, std::vector<char>(model_.trees.size(), 1));
  NumberMechanisms(model_);
  FillTendonInertia(model_);
  FillFluidEllipsoids(model_);
  if (model_.options.density != 0.0 || model_.options.viscosity != 0.0) FillInertiaBoxes(model_.bodies);
  CompleteKeyframes(model_);
  CompletePartialKeyframes();
  return std::move(model_);
}

}  // namespace stiction
