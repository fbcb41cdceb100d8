#include "signals.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>

#include "stiction/math/rotation.h"
#include "stiction/sim/recorder.h"

namespace stiction::viewer {
namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
// Of kBody: a pose as logs have it, then velocities.
constexpr const char* kBodyComponents[] = {".x",  ".y",  ".z",  ".qw", ".qx", ".qy", ".qz",
                                           ".vx", ".vy", ".vz", ".wx", ".wy", ".wz"};
constexpr const char* kBodyUnits[] = {"m",   "m",   "m",   "",      "",      "",     "",
                                      "m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"};
constexpr const char* kForceComponents[] = {"", ".x", ".y", ".z"};

// Of a joint's entry, by its name there: ".qw", ".x", ".vx", ".wx"; one without such a name moves by the
// joint's own kind.
std::string UnitOfCoordinate(const Joint& joint, int entry, bool is_velocity) {
  const std::string_view end = is_velocity ? joint.traits().dofs[static_cast<std::size_t>(entry)]
                                           : joint.traits().coordinates[static_cast<std::size_t>(entry)];
  if (joint.has_quaternion() && end.starts_with(".q")) return "";
  const bool is_angle = joint.has_quaternion() ? end.starts_with(".w") : joint.traits().is_angular;
  return std::string(is_angle ? "rad" : "m") + (is_velocity ? "/s" : "");
}

template <typename Names>
void AddSignals(SignalKind kind, const char* prefix, const Names& names, std::vector<Signal>& out) {
  for (std::size_t i = 0; i < names.size(); ++i)
    out.push_back({.kind = kind, .index = static_cast<int>(i), .name = prefix + names[i]});
}

double ReadBody(const Signal& signal, const Model& model, const Kinematics& kin) {
  const RigidTransform& X_WB = kin.X_WB[static_cast<std::size_t>(signal.index)];
  const int c = signal.component;
  if (c < 3) return X_WB.p[c];
  if (c < 7) {
    Quaterniond quat(X_WB.R);
    if (quat.w() < 0.0) quat.coeffs() *= -1.0;
    return c == 3 ? quat.w() : quat.vec()[c - 4];
  }
  if (c < 10) return CalcPointVelocity(model, kin, signal.index, X_WB.p)[c - 7];
  return CalcAngularVelocity(kin, signal.index)[c - 10];
}

double ReadForce(const Signal& signal, const Model& model, const SignalSource& source) {
  if (!source.contacts || !(source.dt > 0.0)) return kNotKnown;
  Vector3d impulse_W = Vector3d::Zero();
  for (const Contact& contact : *source.contacts) {
    if (model.geoms[static_cast<std::size_t>(contact.geom_b)].body == signal.index)
      impulse_W += contact.impulse_W;
    if (model.geoms[static_cast<std::size_t>(contact.geom_a)].body == signal.index)
      impulse_W -= contact.impulse_W;
  }
  const Vector3d force_W = impulse_W / source.dt;
  return signal.component == 0 ? force_W.norm() : force_W[signal.component - 1];
}

}  // namespace

std::vector<Signal> ListSignals(const World& world) {
  const Model& model = world.model();
  const LogHeader header = MakeLogHeader(world, {.sensors = true});
  std::vector<Signal> signals;
  AddSignals(SignalKind::kPosition, "q:", header.coordinates, signals);
  AddSignals(SignalKind::kVelocity, "v:", header.dofs, signals);
  for (const Joint& joint : model.joints) {
    for (int i = 0; i < joint.nq(); ++i)
      signals[static_cast<std::size_t>(joint.q_address + i)].unit = UnitOfCoordinate(joint, i, false);
    for (int i = 0; i < joint.nv(); ++i)
      signals[static_cast<std::size_t>(header.nq() + joint.v_address + i)].unit =
          UnitOfCoordinate(joint, i, true);
  }
  AddSignals(SignalKind::kControl, "ctrl:", header.actuators, signals);
  AddSignals(SignalKind::kSensor, "sensor:", header.sensors, signals);
  for (int b = 1; b < model.num_bodies(); ++b)
    for (int c = 0; c < static_cast<int>(std::size(kBodyComponents)); ++c)
      signals.push_back({SignalKind::kBody, b, c,
                         "body:" + header.bodies[static_cast<std::size_t>(b)] + kBodyComponents[c],
                         kBodyUnits[c]});
  for (int b = 1; b < model.num_bodies(); ++b)
    for (int c = 0; c < static_cast<int>(std::size(kForceComponents)); ++c)
      signals.push_back({SignalKind::kForce, b, c,
                         "force:" + header.bodies[static_cast<std::size_t>(b)] + kForceComponents[c], "N"});
  return signals;
}

double ReadSignal(const Signal& signal, const Model& model, const SignalSource& source) {
  switch (signal.kind) {
    case SignalKind::kPosition:
      return source.q[signal.index];
    case SignalKind::kVelocity:
      return source.v[signal.index];
    case SignalKind::kControl:
      return signal.index < source.ctrl.size() ? source.ctrl[signal.index] : kNotKnown;
    case SignalKind::kSensor:
      return signal.index < source.sensors.size() ? source.sensors[signal.index] : kNotKnown;
    case SignalKind::kBody:
      return ReadBody(signal, model, source.kin);
    case SignalKind::kForce:
      return ReadForce(signal, model, source);
  }
  return kNotKnown;
}

void SignalRecorder::Watch(std::vector<Signal> signals, const Model& model, const History& history, double dt,
                           bool has_contacts) {
  std::vector<Entry> entries;
  const auto is_wanted = [&](const Entry& entry) {
    return std::any_of(signals.begin(), signals.end(),
                       [&](const Signal& signal) { return signal.name == entry.signal.name; });
  };
  for (Entry& entry : entries_)
    if (is_wanted(entry)) entries.push_back(std::move(entry));
  const std::size_t num_old = entries.size();
  for (Signal& signal : signals) {
    const bool is_known = std::any_of(entries.begin(), entries.end(),
                                      [&](const Entry& entry) { return entry.signal.name == signal.name; });
    if (is_known) continue;
    entries.push_back({std::move(signal), {}});
  }
  entries_ = std::move(entries);
  ReadHistory(entries_.data() + num_old, entries_.data() + entries_.size(), model, history, dt, has_contacts);
}

void SignalRecorder::ReadAgain(const Model& model, const History& history, double dt, bool has_contacts) {
  ReadHistory(entries_.data(), entries_.data() + entries_.size(), model, history, dt, has_contacts);
}

void SignalRecorder::ReadHistory(Entry* first, Entry* last, const Model& model, const History& history,
                                 double dt, bool has_contacts) {
  if (first == last) return;
  for (Entry* entry = first; entry != last; ++entry) entry->news = {.name = entry->signal.name};
  const bool needs_kinematics =
      std::any_of(first, last, [](const Entry& entry) { return entry.signal.kind == SignalKind::kBody; });
  kin_.Resize(model);
  for (int i = 0; i < history.size(); ++i) {
    const Moment& moment = history[i];
    if (needs_kinematics) {
      CalcPositionKinematics(model, moment.state.q, moment.mocap, kin_);
      CalcVelocityKinematics(model, moment.state.v, kin_);
    }
    // Before the first step nothing has acted: what the contacts carry then is not known.
    const bool knows_contacts = has_contacts && moment.counts.steps > 0;
    const SignalSource source{.q = moment.state.q,
                              .v = moment.state.v,
                              .ctrl = moment.ctrl,
                              .sensors = moment.sensors,
                              .kin = kin_,
                              .contacts = knows_contacts ? &moment.contacts : nullptr,
                              .dt = moment.timestep > 0.0 ? moment.timestep : dt};
    for (Entry* entry = first; entry != last; ++entry) {
      entry->news.times.push_back(moment.state.time);
      entry->news.values.push_back(ReadSignal(entry->signal, model, source));
    }
  }
}

void SignalRecorder::Record(const World& world) {
  if (entries_.empty()) return;
  static const VectorXd kNothing;
  const bool needs_sensors = std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
    return entry.signal.kind == SignalKind::kSensor;
  });
  const SignalSource source{.q = world.q(),
                            .v = world.v(),
                            .ctrl = world.input().ctrl,
                            .sensors = needs_sensors ? world.sensors() : kNothing,
                            .kin = world.kinematics(),
                            .contacts = &world.contacts(),
                            .dt = world.timestep()};
  for (Entry& entry : entries_) {
    entry.news.times.push_back(world.time());
    entry.news.values.push_back(ReadSignal(entry.signal, world.model(), source));
  }
}

void SignalRecorder::Take(std::vector<SignalNews>& news) {
  for (Entry& entry : entries_) {
    if (!entry.news.is_whole && entry.news.times.empty()) continue;
    news.push_back(std::move(entry.news));
    entry.news = {.name = entry.signal.name, .is_whole = false};
  }
}

}  // namespace stiction::viewer
