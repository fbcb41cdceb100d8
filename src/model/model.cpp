#include "stiction/model/model.h"

#include <algorithm>
#include <cmath>

#include "stiction/math/rotation.h"
#include "stiction/model/integrator.h"

namespace stiction {
namespace {

template <typename Element>
int FindByName(const std::vector<Element>& elements, std::string_view name) {
  for (std::size_t i = 0; i < elements.size() && !name.empty(); ++i) {
    if (elements[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

bool ContainsPair(const std::vector<std::pair<int, int>>& sorted, int a, int b) {
  return std::binary_search(sorted.begin(), sorted.end(), std::pair(std::min(a, b), std::max(a, b)));
}

// Zero has no direction: it becomes the identity. One that is unit but for its rounding stays as it is:
// dividing again may turn its last bit, and a loaded state would continue as another.
void Normalize(double* wxyz) {
  constexpr double kRounding = 1e-15;
  Quaterniond quat = QuaternionFromWxyz(wxyz);
  if (std::abs(quat.squaredNorm() - 1.0) <= kRounding) return;
  const double largest = quat.coeffs().cwiseAbs().maxCoeff();
  const bool has_square = largest > 1e-100 && largest < 1e100;
  if (!has_square && largest > 0.0) quat.coeffs() /= largest;
  QuaternionToWxyz(quat.norm() > 0.0 ? quat.normalized() : Quaterniond::Identity(), wxyz);
}

}  // namespace

Model::Model() = default;
Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

const char* ToString(Integrator integrator) {
  switch (integrator) {
    case Integrator::kSymplecticEuler:
      return "euler";
    case Integrator::kExplicitEuler:
      return "explicit";
    case Integrator::kImplicitEuler:
      return "implicit";
    case Integrator::kMidpoint:
      return "midpoint";
    case Integrator::kRungeKutta4:
      return "rk4";
  }
  return "";
}

std::optional<Integrator> FindIntegrator(std::string_view name) {
  for (const Integrator integrator :
       {Integrator::kSymplecticEuler, Integrator::kExplicitEuler, Integrator::kImplicitEuler,
        Integrator::kMidpoint, Integrator::kRungeKutta4}) {
    if (name == ToString(integrator)) return integrator;
  }
  return std::nullopt;
}

int Model::FindBody(std::string_view body_name) const {
  return FindByName(bodies, body_name);
}

int Model::FindJoint(std::string_view joint_name) const {
  return FindByName(joints, joint_name);
}

int Model::FindActuator(std::string_view actuator_name) const {
  return FindByName(actuators, actuator_name);
}

int Model::FindTendon(std::string_view tendon_name) const {
  return FindByName(tendons, tendon_name);
}

int Model::FindEquality(std::string_view equality_name) const {
  return FindByName(equalities, equality_name);
}

int Model::FindSensor(std::string_view sensor_name) const {
  return FindByName(sensors, sensor_name);
}

int Model::FindGeom(std::string_view geom_name) const {
  return FindByName(geoms, geom_name);
}

int Model::FindFrame(std::string_view frame_name) const {
  return FindByName(frames, frame_name);
}

int Model::FindCamera(std::string_view camera_name) const {
  return FindByName(cameras, camera_name);
}

const Keyframe* Model::FindKeyframe(std::string_view keyframe_name) const {
  const int index = FindByName(keyframes, keyframe_name);
  return index < 0 ? nullptr : &keyframes[index];
}

Frame Model::FindBodyOrFrame(std::string_view frame_name) const {
  int body = FindBody(frame_name);
  const int frame = body < 0 ? FindFrame(frame_name) : -1;
  if (frame >= 0) return frames[frame];
  for (int b = 0; b < num_bodies() && body < 0; ++b) {
    if (bodies[b].name.empty() && DisplayName(b) == frame_name) body = b;
  }
  return {.name = std::string(body < 0 ? "" : frame_name), .body = body, .X_BF = {}};
}

std::string Model::DisplayName(int body) const {
  return bodies[body].name.empty() ? "body" + std::to_string(body) : bodies[body].name;
}

bool Model::PairCollides(int geom_a, int geom_b) const {
  const Geom& a = geoms[geom_a];
  const Geom& b = geoms[geom_b];
  // Bodies without a joint between them count as one; weld 0 is the world and all that is fixed to it. Mocap
  // bodies have no joints, but are not it: two of them, or one and the world, do not collide all the same.
  const Body &body_a = bodies[a.body], &body_b = bodies[b.body];
  const int weld_a = body_a.weld, weld_b = body_b.weld;
  if (weld_a == weld_b || (body_a.tree < 0 && body_b.tree < 0)) return false;
  if (!contact_pairs.empty() && FindContactPair(*this, geom_a, geom_b) != nullptr) return true;
  if (((a.contype & b.conaffinity) | (b.contype & a.conaffinity)) == 0) return false;
  if (std::holds_alternative<Plane>(a.shape) && std::holds_alternative<Plane>(b.shape)) return false;
  if (options.filter_parent && weld_a != 0 && weld_b != 0) {
    const int parent_a = bodies[bodies[weld_a].parent].weld, parent_b = bodies[bodies[weld_b].parent].weld;
    if (weld_a == parent_b || weld_b == parent_a) return false;
  }
  return !ContainsPair(excluded_bodies, a.body, b.body) && !ContainsPair(excluded_geoms, geom_a, geom_b);
}

void IntegrateConfiguration(const Model& model, const TreeSet& trees, const VectorXd& v, double dt,
                            VectorXd& q) {
  for (const IndexRange& range : trees.joints) {
    for (int j = range.begin; j < range.end; ++j) {
      const Joint& joint = model.joints[j];
      const double* joint_v = v.data() + joint.v_address;
      double* joint_q = q.data() + joint.q_address;
      std::visit([&](const auto& kind) { kind.Integrate(joint_v, dt, joint_q); }, joint.kind);
    }
  }
}

void IntegrateConfiguration(const Model& model, const VectorXd& v, double dt, VectorXd& q) {
  IntegrateConfiguration(model, model.all_trees, v, dt, q);
}

void NormalizeQuaternions(const Model& model, VectorXd& q) {
  for (const Joint& joint : model.joints) {
    if (joint.has_quaternion()) Normalize(q.data() + joint.quaternion_address());
  }
}

void SampleConfiguration(const Model& model, JointSampler& sampler, VectorXd& q) {
  for (const Joint& joint : model.joints) {
    double* joint_q = q.data() + joint.q_address;
    std::visit([&](const auto& kind) { kind.Sample(sampler, joint.lower, joint.upper, joint_q); },
               joint.kind);
  }
}

}  // namespace stiction
