#include "peer_scene.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <limits>
#include <stdexcept>

#include "assets_folder.h"
#include "command.h"
#include "stiction/geometry/distance.h"
#include "stiction/math/rotation.h"

namespace stiction::runner {
namespace {

constexpr const char* kPeerStart = "start";  // keyframe of all scenes
constexpr int kPeerSamples = 200;

[[gnu::format(printf, 1, 2)]] std::string PrintSceneText(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

std::string PrintPose(const RigidTransform& X) {
  const Eigen::Quaterniond q(X.R);
  return PrintSceneText("%.17g %.17g %.17g %.17g %.17g %.17g %.17g", X.p.x(), X.p.y(), X.p.z(), q.w(), q.x(),
                        q.y(), q.z());
}

std::string PrintVector(const Vector3d& v) {
  return PrintSceneText("%.17g %.17g %.17g", v.x(), v.y(), v.z());
}

std::string PrintShape(const Geom& geom) {
  const std::string pose = " " + PrintPose(geom.X_BG) + "\n", mu = PrintSceneText(" %.17g", geom.friction);
  if (std::holds_alternative<Plane>(geom.shape)) return "plane" + mu + "\n";
  if (const auto* box = std::get_if<Box>(&geom.shape))
    return "box" + mu + " " + PrintVector(box->half_extents) + pose;
  if (const auto* ball = std::get_if<Sphere>(&geom.shape))
    return "sphere" + mu + PrintSceneText(" %.17g", ball->radius) + pose;
  if (const auto* capsule = std::get_if<Capsule>(&geom.shape))
    return "capsule" + mu + PrintSceneText(" %.17g %.17g", capsule->radius, capsule->half_length) + pose;
  throw std::logic_error("assets/peers: other engines are not given shapes of this type");
}

std::string PrintShapes(const Model& model, int body) {
  std::string text;
  for (const Geom& geom : model.geoms) {
    if (geom.body == body && geom.collides()) text += PrintShape(geom);
  }
  return text;
}

// Of a sample: where B stands, or the world.
RigidTransform PoseOf(const std::vector<PeerState>& states, int body) {
  return body < 0 ? RigidTransform{} : states[body].X_WB;
}

std::vector<PeerState> ReadStates(const World& world) {
  std::vector<PeerState> states;
  for (int body = 1; body < world.model().num_bodies(); ++body) {
    const RigidTransform& X_WB = world.body_poses()[body];
    const Vector6d V = world.CalcPointVelocity(body, X_WB.p);
    states.push_back({X_WB, V.head<3>(), V.tail<3>()});
  }
  return states;
}

void CheckBody(const Body& body) {
  const MassProperties& m = body.inertia;
  const Matrix3d off = m.I_BBcm_B - Matrix3d(m.I_BBcm_B.diagonal().asDiagonal());
  if (m.p_BBcm.norm() > 1e-12 || off.norm() > 1e-12 * m.I_BBcm_B.norm())
    throw std::logic_error("assets/peers: the frame of body '" + body.name +
                           "' is not that of its principal axes");
}

}  // namespace

const PeerQuantityTraits& TraitsOf(PeerQuantity quantity) {
  static const PeerQuantityTraits traits[kNumPeerQuantities] = {{"creep", "creep [m/s]", 1e-9},
                                                                {"penetration", "penetration [m]", 1e-6},
                                                                {"drift", "drift [m]", 1e-6},
                                                                {"height error", "height error [m]", 1e-6},
                                                                {"energy error", "energy error", 1e-12},
                                                                {"momentum error", "momentum error", 1e-12},
                                                                {"gap in a pin", "gap in a pin [m]", 1e-12},
                                                                {"steps/s", "steps/s", 0.0}};
  return traits[static_cast<int>(quantity)];
}

bool PeerTrajectory::is_finite() const {
  for (const std::vector<PeerState>& sample : states) {
    for (const PeerState& state : sample) {
      if (!state.X_WB.p.allFinite() || !state.X_WB.R.allFinite() || !state.v_W.allFinite() ||
          !state.w_W.allFinite())
        return false;
    }
  }
  return !states.empty();
}

PeerScene::PeerScene(const PeerStudy& study)
    : study_(study), file_(FindAsset(std::string("peers/") + study.name + ".xml")) {
  ModelArguments arguments;
  arguments.path = file_;
  ImportReport report;
  model_ = LoadReported(arguments, report);
  dt_ = model_.options.timestep;
  every_ = std::max(1, static_cast<int>(std::lround(study.duration / dt_ / kPeerSamples)));
  steps_ = every_ * static_cast<int>(std::lround(study.duration / dt_ / every_));
  watched_ = model_.FindBody(study.watched) - 1;
  if (watched_ < 0) throw std::logic_error(file_ + ": there is no body '" + study.watched + "'");
  World world = MakeWorld(std::nullopt);
  start_ = ReadStates(world);
  for (int body = 1; body < model_.num_bodies(); ++body) CheckBody(model_.bodies[body]);
  for (const Joint& joint : model_.joints) {
    const auto* hinge = std::get_if<HingeJoint>(&joint.kind);
    if (hinge == nullptr) continue;
    const int b = joint.body - 1, a = model_.bodies[joint.body].parent - 1;
    pins_.push_back({a, b, PoseOf(start_, a).Inverse() * (start_[b].X_WB * hinge->p_BJ), hinge->p_BJ});
  }
  for (const Equality& equality : model_.equalities) {
    if (const auto* lock = std::get_if<FrameLock>(&equality.kind))
      pins_.push_back({lock->a.body - 1, lock->b.body - 1, lock->a.X_BF.p, lock->b.X_BF.p});
  }
}

World PeerScene::MakeWorld(std::optional<Integrator> integrator) const {
  Model model = model_;
  if (integrator) model.options.integrator = *integrator;
  World world(std::move(model));
  world.SetKeyframe(*world.model().FindKeyframe(kPeerStart));
  return world;
}

std::string PeerScene::MakeEngineText() const {
  const World world = MakeWorld(std::nullopt);
  std::string text = "gravity " + PrintVector(model_.options.gravity) +
                     PrintSceneText("\ntimestep %.17g", dt_) +
                     PrintSceneText("\nsteps %d every %d\n", steps_, every_) + PrintShapes(model_, 0);
  // What the motors exert: all that is not gravity and Coriolis forces.
  const VectorXd motors =
      world.CalcMassMatrix() * world.CalcForwardDynamics() + world.CalcBias() - world.CalcPassive();
  std::string joints;
  for (int b = 1; b < model_.num_bodies(); ++b) {
    const Body& body = model_.bodies[b];
    const PeerState& start = start_[b - 1];
    text += PrintSceneText("body %.17g ", body.inertia.mass) + PrintVector(body.inertia.I_BBcm_B.diagonal()) +
            " " + PrintPose(start.X_WB) + " " + PrintVector(start.w_W) + " " + PrintVector(start.v_W) + "\n" +
            PrintShapes(model_, b);
    for (int j = body.first_joint; j < body.first_joint + body.num_joints; ++j) {
      const Joint& joint = model_.joints[j];
      if (const auto* slide = std::get_if<SlideJoint>(&joint.kind)) {
        const Vector3d axis = start.X_WB.R * slide->axis_B;
        text += "force " + PrintVector(motors[joint.v_address] * axis) + "\n";
        joints += PrintSceneText("slide %d ", b - 1) + PrintVector(axis) + "\n";
      } else if (const auto* hinge = std::get_if<HingeJoint>(&joint.kind)) {
        joints += PrintSceneText("hinge %d %d ", b - 1, body.parent - 1) +
                  PrintVector(start.X_WB * hinge->p_BJ) + " " + PrintVector(start.X_WB.R * hinge->axis_B) +
                  "\n";
      }
    }
  }
  for (const Equality& equality : model_.equalities) {
    if (const auto* lock = std::get_if<FrameLock>(&equality.kind))
      joints += PrintSceneText("ball %d %d ", lock->a.body - 1, lock->b.body - 1) +
                PrintVector(PoseOf(start_, lock->a.body - 1) * lock->a.X_BF.p) + "\n";
  }
  return text + joints;
}

PeerTrajectory PeerScene::Simulate(std::optional<Integrator> integrator) const {
  World world = MakeWorld(integrator);
  PeerTrajectory out{
      .dt = dt_, .version = "Stiction " STICTION_VERSION, .time = {0.0}, .states = {ReadStates(world)}};
  std::clock_t spent = 0;
  for (int done = 0; done < steps_; done += every_) {
    const std::clock_t start = std::clock();
    for (int i = 0; i < every_; ++i) world.Step();
    spent += std::clock() - start;
    out.time.push_back(world.time());
    out.states.push_back(ReadStates(world));
  }
  out.us = 1e6 * static_cast<double>(spent) / CLOCKS_PER_SEC / steps_;
  return out;
}

double PeerScene::CalcPenetration(const std::vector<PeerState>& states) const {
  double deepest = 0.0;
  for (int a = 0; a < model_.num_geoms(); ++a) {
    for (int b = a + 1; b < model_.num_geoms(); ++b) {
      const Geom &A = model_.geoms[a], &B = model_.geoms[b];
      if (!model_.PairCollides(a, b)) continue;
      const RigidTransform X_WA = PoseOf(states, A.body - 1) * A.X_BG,
                           X_WB = PoseOf(states, B.body - 1) * B.X_BG;
      deepest = std::max(deepest, -CalcDistance(A.shape, X_WA, B.shape, X_WB, 0.0).distance);
    }
  }
  return deepest;
}

double PeerScene::CalcEnergy(const std::vector<PeerState>& states, double& kinetic) const {
  double potential = 0.0;
  kinetic = 0.0;
  for (std::size_t b = 0; b < states.size(); ++b) {
    const MassProperties& m = model_.bodies[b + 1].inertia;
    const Vector3d w_B = states[b].X_WB.R.transpose() * states[b].w_W;
    kinetic += 0.5 * m.mass * states[b].v_W.squaredNorm() + 0.5 * w_B.dot(m.I_BBcm_B * w_B);
    potential -= m.mass * model_.options.gravity.dot(states[b].X_WB.p);
  }
  return kinetic + potential;
}

Vector3d PeerScene::CalcSpin(const PeerState& state) const {
  const Matrix3d& R = state.X_WB.R;
  return R * (model_.bodies[watched_ + 1].inertia.I_BBcm_B * (R.transpose() * state.w_W));
}

double PeerScene::CalcLoop(const std::vector<PeerState>& states) const {
  double largest = 0.0;
  for (const Pin& pin : pins_)
    largest = std::max(largest, (PoseOf(states, pin.a) * pin.p_A - PoseOf(states, pin.b) * pin.p_B).norm());
  return largest;
}

std::vector<double> PeerScene::Trace(PeerQuantity quantity, const PeerTrajectory& trajectory) const {
  std::vector<double> trace;
  double most_kinetic = 0.0, kinetic = 0.0;
  const double energy = CalcEnergy(start_, kinetic);
  for (const std::vector<PeerState>& states : trajectory.states) {
    double value = 0.0;
    if (quantity == PeerQuantity::kPenetration) value = CalcPenetration(states);
    if (quantity == PeerQuantity::kLoop) value = CalcLoop(states);
    if (quantity == PeerQuantity::kHeight) value = states[watched_].X_WB.p.z() - start_[watched_].X_WB.p.z();
    if (quantity == PeerQuantity::kEnergy) value = CalcEnergy(states, kinetic) - energy;
    if (quantity == PeerQuantity::kMomentum) {
      const Vector3d first = CalcSpin(start_[watched_]);
      value = (CalcSpin(states[watched_]) - first).norm() / first.norm();
    }
    if (quantity == PeerQuantity::kDrift) {
      for (std::size_t b = 0; b < states.size(); ++b)
        value = std::max(value, (states[b].X_WB.p - start_[b].X_WB.p).norm());
    }
    most_kinetic = std::max(most_kinetic, kinetic);
    trace.push_back(std::abs(value));
  }
  if (quantity == PeerQuantity::kEnergy) {
    for (double& value : trace) value /= most_kinetic;
  }
  return trace;
}

double PeerScene::Measure(PeerQuantity quantity, const PeerTrajectory& trajectory) const {
  if (!trajectory.is_finite()) return std::numeric_limits<double>::quiet_NaN();
  if (quantity == PeerQuantity::kSpeed) return trajectory.us > 0.0 ? 1e6 / trajectory.us : 0.0;
  const std::size_t last = trajectory.states.size() - 1, middle = last / 2;
  if (quantity == PeerQuantity::kCreep)
    return (trajectory.states[last][watched_].X_WB.p - trajectory.states[middle][watched_].X_WB.p).norm() /
           (trajectory.time[last] - trajectory.time[middle]);
  const std::vector<double> trace = Trace(quantity, trajectory);
  const bool is_at_end = quantity == PeerQuantity::kDrift || quantity == PeerQuantity::kHeight;
  return is_at_end ? trace.back() : *std::max_element(trace.begin(), trace.end());
}

}  // namespace stiction::runner
