// Sensors of joints, tendons and actuators.
#include <algorithm>

#include "sim/sensor_values.h"

namespace stiction {
namespace {

// Gap and its rate at the limit that is passed or presses; without one both are 0.
struct LimitState {
  double gap = 0.0, rate = 0.0;
};

// What limits did in the last step [N·s or N·m·s].
//   memory  into State::limits
LimitMemory FindImpulses(const SensorContext& in, int memory) {
  const bool has_step = in.step && memory < static_cast<int>(in.state.limits.size());
  return has_step ? in.state.limits[memory] : LimitMemory{};
}

// Of the first limit that is passed or presses.
LimitState CalcLimitState(const SensorContext& in, int index) {
  const Joint& joint = in.model.joints[index];
  const double *q = in.state.q.data() + joint.q_address, *v = in.state.v.data() + joint.v_address;
  const JointLimits limits = std::visit(
      [&](const auto& kind) { return kind.FindLimits(q, v, joint.lower, joint.upper); }, joint.kind);
  for (const JointLimit& limit : limits) {
    const LimitMemory impulses = FindImpulses(in, joint.limit_address + limit.memory);
    const double impulse = limit.is_upper ? impulses.upper_impulse : impulses.lower_impulse;
    if (limit.gap < 0.0 || impulse > 0.0) return {std::min(0.0, limit.gap), limit.rate};
  }
  return {};
}

double CalcLimitForce(const SensorContext& in, int index) {
  const Joint& joint = in.model.joints[index];
  double sum = 0.0;
  for (int i = joint.limit_address; i < joint.limit_address + joint.num_limits(); ++i) {
    const LimitMemory impulses = FindImpulses(in, i);
    sum += impulses.lower_impulse + impulses.upper_impulse;
  }
  return in.step ? sum / in.step->dt : 0.0;
}

LimitState CalcTendonLimit(const SensorContext& in, int index) {
  const Tendon& tendon = in.model.tendons[index];
  const LimitMemory impulses = FindImpulses(in, in.model.num_joint_limits + index);
  const double length = in.ws.forces.tendons.length[index], rate = in.ws.forces.tendon_forces.rate[index];
  if (length < tendon.lower || impulses.lower_impulse > 0.0)
    return {std::min(0.0, length - tendon.lower), rate};
  if (length > tendon.upper || impulses.upper_impulse > 0.0)
    return {std::min(0.0, tendon.upper - length), -rate};
  return {};
}

}  // namespace

double CalcJointValue(const SensorContext& in, const Sensor& sensor) {
  const Joint& joint = in.model.joints[sensor.index];
  switch (sensor.type) {
    case SensorType::kJointPosition:
      return in.state.q[joint.q_address];
    case SensorType::kJointVelocity:
      return in.state.v[joint.v_address];
    case SensorType::kJointActuatorForce:
      return in.step ? in.step->forces.actuation[joint.v_address] : 0.0;
    case SensorType::kJointLimitPosition:
      return CalcLimitState(in, sensor.index).gap;
    case SensorType::kJointLimitVelocity:
      return CalcLimitState(in, sensor.index).rate;
    default:
      return CalcLimitForce(in, sensor.index);
  }
}

void CalcBallValues(const SensorContext& in, const Sensor& sensor, double* out) {
  const Joint& joint = in.model.joints[sensor.index];
  if (sensor.type == SensorType::kBallQuaternion)
    std::copy_n(in.state.q.data() + joint.q_address, 4, out);
  else
    std::copy_n(in.state.v.data() + joint.v_address, 3, out);
}

double CalcTendonValue(const SensorContext& in, const Sensor& sensor) {
  switch (sensor.type) {
    case SensorType::kTendonPosition:
      return in.ws.forces.tendons.length[sensor.index];
    case SensorType::kTendonVelocity:
      return in.ws.forces.tendon_forces.rate[sensor.index];
    case SensorType::kTendonLimitPosition:
      return CalcTendonLimit(in, sensor.index).gap;
    case SensorType::kTendonLimitVelocity:
      return CalcTendonLimit(in, sensor.index).rate;
    case SensorType::kTendonLimitForce: {
      const LimitMemory impulses = FindImpulses(in, in.model.num_joint_limits + sensor.index);
      return in.step ? (impulses.lower_impulse + impulses.upper_impulse) / in.step->dt : 0.0;
    }
    default: {
      double sum = 0.0;
      for (int a = 0; a < in.model.nu() && in.step; ++a) {
        if (in.model.actuators[a].tendon == sensor.index) sum += in.step->forces.actuator_force[a];
      }
      return sum;
    }
  }
}

double CalcActuatorValue(const SensorContext& in, const Sensor& sensor) {
  if (sensor.type == SensorType::kActuatorForce)
    return in.step ? in.step->forces.actuator_force[sensor.index] : 0.0;
  return sensor.type == SensorType::kActuatorPosition ? in.ws.forces.actuator_length[sensor.index]
                                                      : in.ws.forces.actuator_rate[sensor.index];
}

}  // namespace stiction
