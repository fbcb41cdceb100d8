#include "stiction/sim/recorder.h"

#include <stdexcept>

#include "model/unique_names.h"
#include "stiction/dynamics/energy.h"
#include "stiction/io/log.h"
#include "stiction/math/rotation.h"
#include "stiction/sim/sensors.h"

namespace stiction {
namespace {

template <typename T>
std::vector<std::string> NamesOf(const std::vector<T>& things, const char* kind) {
  UniqueNames unique(kind, things);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < things.size(); ++i) names.push_back(unique.Require(static_cast<int>(i)));
  return names;
}

// A joint without a name goes by its body, if it is the only one there.
std::vector<std::string> JointNames(const Model& model, const std::vector<std::string>& body_names) {
  UniqueNames unique("joint", model.joints);
  std::vector<std::string> names;
  for (int i = 0; i < model.num_joints(); ++i) {
    const Joint& joint = model.joints[i];
    const bool is_of_body = joint.name.empty() && model.bodies[joint.body].num_joints == 1;
    names.push_back(is_of_body ? unique.Claim(body_names[joint.body]) : unique.Require(i));
  }
  return names;
}

// Joint name, and what each entry is where there are several.
void AppendEntryNames(const std::string& name, const Joint& joint, LogHeader& header) {
  for (int i = 0; i < joint.nq(); ++i) header.coordinates.push_back(name + joint.traits().coordinates[i]);
  for (int i = 0; i < joint.nv(); ++i) header.dofs.push_back(name + joint.traits().dofs[i]);
}

[[noreturn]] void FailUnknownBody(const Model& model, const std::string& name) {
  std::string known;
  for (int i = 1; i < model.num_bodies(); ++i) known += (known.empty() ? "" : ", ") + model.DisplayName(i);
  throw std::invalid_argument("cannot record '" + name +
                              "': there is no such body or frame; bodies: " + known);
}

}  // namespace

LogHeader MakeLogHeader(const World& world, const RecordOptions& options) {
  if (options.every < 1)
    throw std::invalid_argument("cannot record every " + std::to_string(options.every) +
                                " steps: it has to be 1 or more");
  const Model& model = world.model();
  LogHeader header;
  header.model = model.name;
  header.solver = world.options().solver;
  header.timestep = world.timestep();
  header.source = options.source;
  header.budget = world.budget();
  header.bodies = NamesOf(model.bodies, "body");
  header.joints = JointNames(model, header.bodies);
  header.geoms = NamesOf(model.geoms, "geom");
  header.actuators = NamesOf(model.actuators, "actuator");
  for (const Geom& geom : model.geoms) header.geom_body.push_back(geom.body);
  for (std::size_t i = 0; i < model.joints.size(); ++i)
    AppendEntryNames(header.joints[i], model.joints[i], header);
  for (const StepPhase& phase : kStepPhases) header.phases.push_back(phase.name);
  header.phases.push_back("total");
  for (int i = 0; i <= static_cast<int>(StepStatus::kInvalidInput); ++i)
    header.step_statuses.push_back(ToString(static_cast<StepStatus>(i)));
  header.recorded_bodies = options.bodies;
  if (options.all_bodies) header.recorded_bodies.assign(header.bodies.begin() + 1, header.bodies.end());
  header.contacts = options.contacts;
  header.energy = options.energy;
  header.pulls = options.pulls;
  if (options.sensors) header.sensors = SensorValueNames(model);
  return header;
}

Recorder::Recorder(const std::string& path, const World& world, const RecordOptions& options)
    : options_(options) {
  const Model& model = world.model();
  const LogHeader header = MakeLogHeader(world, options);
  for (int b = 1; b < model.num_bodies() && options.all_bodies; ++b)
    frames_.push_back({.body = b, .X_BF = {}});
  for (std::size_t i = frames_.size(); i < header.recorded_bodies.size(); ++i) {
    const std::string& name = header.recorded_bodies[i];
    const Frame frame = model.FindBodyOrFrame(name);
    if (frame.body < 0) FailUnknownBody(model, name);
    frames_.push_back({.body = frame.body, .X_BF = frame.X_BF});
  }
  row_.phases.resize(header.phases.size());
  row_.bodies.resize(frames_.size());
  writer_ = LogWriter::Open(path, header);
}

Recorder::~Recorder() = default;
Recorder::Recorder(Recorder&&) noexcept = default;
Recorder& Recorder::operator=(Recorder&&) noexcept = default;

void Recorder::Flush() {
  writer_->Flush();
}

void Recorder::Close() {
  writer_->Close();
}

void Recorder::Record(const World& world, const LogPull& pull) {
  if (++num_steps_ % options_.every != 0) return;
  const StepReport& report = world.report();
  row_.time = world.time();
  row_.q = world.q();
  row_.v = world.v();
  row_.ctrl = world.input().ctrl;
  row_.certificate = report.certificate;
  row_.solve = report.solve;
  row_.step_status = static_cast<int>(report.status);
  row_.num_contacts = report.num_contacts;
  row_.num_limits = report.num_limits;
  row_.num_islands = report.num_islands;
  row_.num_parts = report.num_parts;
  row_.penetration = report.penetration;
  row_.loop = report.loop;
  row_.correction = report.correction;
  for (int i = 0; i < kNumStepPhases; ++i) row_.phases[i] = report.phases.*kStepPhases[i].time;
  row_.phases[kNumStepPhases] = report.phases.total;
  if (options_.energy || !frames_.empty()) FillMotion(world);
  if (options_.sensors) row_.sensors = world.sensors();
  if (options_.contacts) {
    row_.contacts.clear();
    for (const Contact& c : world.contacts())
      row_.contacts.push_back({c.geom_a, c.geom_b, c.p_W, c.n_W, c.gap, c.impulse_W, c.moment_W, c.area});
  }
  row_.pull = pull;
  writer_->Append(row_);
}

void Recorder::FillMotion(const World& world) {
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const RigidTransform X_WF = world.body_poses()[frames_[i].body] * frames_[i].X_BF;
    row_.bodies[i].p_WB = X_WF.p;
    QuaternionToWxyz(Quaterniond(X_WF.R), row_.bodies[i].quat_WB.data());
  }
  if (!options_.energy) return;
  const Energy energy = world.CalcEnergy();
  row_.kinetic = energy.kinetic;
  row_.potential = energy.potential;
}

}  // namespace stiction
