#include "stiction/sim/sensors.h"

#include <algorithm>

#include "math/assert.h"
#include "sim/sensor_values.h"
#include "stiction/dynamics/energy.h"

namespace stiction {
namespace {

bool NeedsForce(SensorType type) {
  return type == SensorType::kForce || type == SensorType::kTorque;
}
bool NeedsLength(SensorType type) {
  return FamilyOf(type) == SensorFamily::kTendon || FamilyOf(type) == SensorFamily::kActuator ||
         type == SensorType::kPotentialEnergy;
}
bool NeedsAcceleration(SensorType type) {
  return NeedsForce(type) || type == SensorType::kAccelerometer ||
         type == SensorType::kFrameLinearAcceleration || type == SensorType::kFrameAngularAcceleration;
}

template <typename Predicate>
bool AnySensor(const Model& model, Predicate predicate) {
  return std::any_of(model.sensors.begin(), model.sensors.end(),
                     [&](const Sensor& sensor) { return predicate(sensor.type); });
}

void Write(const Vector3d& vector, double* out) {
  std::copy_n(vector.data(), 3, out);
}

// Of the model as a whole, where that is one number.
double CalcModelValue(const SensorContext& in, SensorType type) {
  if (type == SensorType::kClock) return in.state.time;
  const Energy energy = CalcEnergy(in.model, in.kin, in.state.q, in.state.v);
  if (type == SensorType::kKineticEnergy) return energy.kinetic;
  const bool has_tendons = in.model.num_tendons() > 0;
  return energy.potential + (has_tendons ? CalcTendonEnergy(in.model, in.ws.forces.tendons) : 0.0);
}

void CalcValues(const SensorContext& in, const Sensor& sensor, double* out) {
  switch (FamilyOf(sensor.type)) {
    case SensorFamily::kJoint:
      *out = CalcJointValue(in, sensor);
      return;
    case SensorFamily::kBall:
      return CalcBallValues(in, sensor, out);
    case SensorFamily::kTendon:
      *out = CalcTendonValue(in, sensor);
      return;
    case SensorFamily::kActuator:
      *out = CalcActuatorValue(in, sensor);
      return;
    case SensorFamily::kFrame:
      if (sensor.type == SensorType::kFrameQuaternion) return CalcFrameQuaternion(in, sensor, out);
      if (sensor.type == SensorType::kInsideRegion) {
        *out = IsInsideRegion(in, sensor) ? 1.0 : 0.0;
        return;
      }
      return Write(CalcFrameVector(in, sensor), out);
    case SensorFamily::kSite:
      if (sensor.size == 3) return Write(CalcSiteVector(in, sensor), out);
      *out = sensor.type == SensorType::kTouch ? CalcTouch(in, sensor) : CalcRange(in, sensor);
      return;
    case SensorFamily::kSubtree:
      return Write(CalcSubtreeVector(in, sensor), out);
    case SensorFamily::kContact:
      if (sensor.type == SensorType::kContactSlots) return CalcContactSlots(in, sensor, out);
      if (sensor.type == SensorType::kContactForce) return Write(CalcSensedForce(in, sensor), out);
      *out = CountSensedContacts(in, sensor);
      return;
    case SensorFamily::kNearest:
      return CalcNearest(in, sensor, out);
    case SensorFamily::kCamera: {
      const Vector2d pixel = CalcCameraProjection(in, sensor);
      std::copy_n(pixel.data(), 2, out);
      return;
    }
    case SensorFamily::kModel:
      if (sensor.type == SensorType::kUser) {
        std::fill_n(out, sensor.size, 0.0);
      } else {
        *out = CalcModelValue(in, sensor.type);
      }
      return;
  }
}

// Directions and counts have no range to be cut off; distances have seen to it themselves.
bool HasCutoff(const Sensor& sensor) {
  const bool is_axis = sensor.type == SensorType::kFrameXAxis || sensor.type == SensorType::kFrameYAxis ||
                       sensor.type == SensorType::kFrameZAxis;
  const SensorFamily family = FamilyOf(sensor.type);
  return !is_axis && sensor.size != 4 && sensor.type != SensorType::kInsideRegion &&
         sensor.type != SensorType::kUser && family != SensorFamily::kContact &&
         family != SensorFamily::kNearest;
}

void CutOff(const Sensor& sensor, double* values) {
  if (!(sensor.cutoff > 0.0) || !HasCutoff(sensor)) return;
  // The -1 of a rangefinder that meets nothing is no distance and stays.
  const bool is_positive = sensor.type == SensorType::kTouch || sensor.type == SensorType::kRangefinder;
  for (int i = 0; i < sensor.size; ++i) {
    values[i] = std::min(values[i], sensor.cutoff);
    if (!is_positive) values[i] = std::max(values[i], -sensor.cutoff);
  }
}

constexpr const char* kVector[] = {".x", ".y", ".z"};

// "mine.0".
void AddNumberedNames(const std::string& name, int size, std::vector<std::string>& names) {
  for (int i = 0; i < size; ++i) names.push_back(size == 1 ? name : name + '.' + std::to_string(i));
}

// "hand.0.force.x".
void AddSlotNames(const std::string& name, const ContactSlots& slots, std::vector<std::string>& names) {
  for (int slot = 0; slot < slots.count; ++slot) {
    for (int f = 0; f < ContactSlots::kNumFields; ++f) {
      if (!slots.fields[f]) continue;
      const auto field = static_cast<ContactSlots::Field>(f);
      const std::string stem = name + '.' + std::to_string(slot) + '.' + ToString(field);
      const int size = NumValues(field);
      for (int i = 0; i < size; ++i) names.push_back(size == 1 ? stem : stem + kVector[i]);
    }
  }
}

// Tendons that pull at bodies, beside their joints.
bool HasPaths(const Model& model) {
  return std::any_of(model.tendons.begin(), model.tendons.end(),
                     [](const Tendon& tendon) { return std::holds_alternative<SpatialTendon>(tendon.path); });
}

}  // namespace

SensorWorkspace::SensorWorkspace(const Model& model)
    : has_acceleration(AnySensor(model, NeedsAcceleration)),
      has_force(AnySensor(model, NeedsForce)),
      has_length(AnySensor(model, NeedsLength) || (has_force && HasPaths(model))),
      input(Input::Default(model)),
      q(model.nq()),
      v(model.nv()),
      vdot(model.nv()),
      A(model.num_bodies(), Vector6d::Zero()),
      F(model.num_bodies(), Vector6d::Zero()) {
  middle.Resize(model);
}

void CalcSensors(const Model& model, const State& state, const Kinematics& kin, const VectorXd& mocap,
                 const SensedStep* step, SensorWorkspace& ws, VectorXd& values) {
  STICTION_ASSERT(kin.X_WB.size() == model.bodies.size() && mocap.size() == 7 * model.num_mocap);
  values.resize(model.num_sensor_values);
  if (ws.has_acceleration) CalcStepMotion(model, state, mocap, step, ws);
  if (ws.has_length) CalcJointForces(model, kin, state.q, state.v, state.activation, ws.input, ws.forces);
  if (ws.has_force) CalcParentForces(model, state, step, ws);
  const SensorContext context{model, state, kin, step, ws};
  for (const Sensor& sensor : model.sensors) {
    CalcValues(context, sensor, values.data() + sensor.first);
    CutOff(sensor, values.data() + sensor.first);
  }
}

std::string SensorDisplayName(const Model& model, int sensor) {
  const std::string& name = model.sensors[sensor].name;
  return name.empty() ? "sensor" + std::to_string(sensor) : name;
}

std::vector<std::string> SensorValueNames(const Model& model) {
  constexpr const char* kQuaternion[] = {".qw", ".qx", ".qy", ".qz"};
  constexpr const char* kPoints[] = {".ax", ".ay", ".az", ".bx", ".by", ".bz"};
  std::vector<std::string> names;
  for (std::size_t s = 0; s < model.sensors.size(); ++s) {
    const std::string name = SensorDisplayName(model, static_cast<int>(s));
    const int size = model.sensors[s].size;
    if (model.sensors[s].type == SensorType::kContactSlots) {
      AddSlotNames(name, model.sensors[s].slots, names);
      continue;
    }
    if (model.sensors[s].type == SensorType::kUser) {
      AddNumberedNames(name, size, names);
      continue;
    }
    if (size == 1) names.push_back(name);
    const char* const* endings = size == 6 ? kPoints : size == 4 ? kQuaternion : kVector;
    for (int i = 0; size > 1 && i < size; ++i) names.push_back(name + endings[i]);
  }
  return names;
}

}  // namespace stiction
