// Sensors of joints, tendons and actuators.
#include <algorithm>
#include <limits>

#include "sim/sensor_values.h"

namespace stiction {
namespace {

// Gap and its rate at the limit that is passed or presses; without one both are 0.
struct LimitState {
  double gap = 0.0, rate = 0.0;
};

// What its limits did in the last step [N·s or N·m·s].
LimitMemory FindImpulses(const SensorContext& in, int joint) {
  const bool has_step = in.step && joint < static_cast<int>(in.state.limits.size());
  return has_step ? in.state.limits[joint] : LimitMemory{};
}

LimitState CalcLimitState(const SensorContext& in, int index) {
  const Joint& joint = in.model.joints[index];
  if (joint.is<FreeJoint>()) return {};
  const LimitMemory impulses = FindImpulses(in, index);
  const double* q = in.state.q.data() + joint.q_address;
  const auto v = in.state.v.segment(joint.v_address, joint.nv());
  double position = *q, velocity = v[0];
  if (joint.is<BallJoint>()) {
    const Vector3d turn = QuaternionLog(QuaternionFromWxyz(q));
    position = turn.norm();
    velocity = position > 0.0 ? v.dot(turn) / position : 0.0;
  } else if (position < joint.lower || impulses.lower_impulse > 0.0) {
    return {std::min(0.0, position - joint.lower), velocity};
  }
  if (position > joint.upper || impulses.upper_impulse > 0.0)
    return {std::min(0.0, joint.upper - position), -velocity};
  return {};
}

// ℓ or, of the rates, ℓ̇ of a transmission along a joint.
struct TransmissionLength {
  const std::array<double, 6>& gear;
  const double* q;

  double operator()(const FreeJoint&) const { return 0.0; }
  double operator()(const BallJoint&) const {
    return Vector3d(gear[0], gear[1], gear[2]).dot(QuaternionLog(QuaternionFromWxyz(q)));
  }
  double operator()(const SlideJoint&) const { return gear[0] * *q; }
  double operator()(const HingeJoint&) const { return gear[0] * *q; }
};

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
    default: {
      const LimitMemory impulses = FindImpulses(in, sensor.index);
      return in.step ? (impulses.lower_impulse + impulses.upper_impulse) / in.step->dt : 0.0;
    }
  }
}

void CalcBallValues(const SensorContext& in, const Sensor& sensor, double* out) {
  const Joint& joint = in.model.joints[sensor.index];
  if (sensor.type == SensorType::kBallQuaternion)
    std::copy_n(in.state.q.data() + joint.q_address, 4, out);
  else
    std::copy_n(in.state.v.data() + joint.v_address, 3, out);
}

// Tendons do not act in the step yet, so that there is nothing to measure: NaN, and never a number that
// could be taken for one.
double CalcTendonValue(const SensorContext&, const Sensor&) {
  return std::numeric_limits<double>::quiet_NaN();
}

double CalcActuatorValue(const SensorContext& in, const Sensor& sensor) {
  const Actuator& actuator = in.model.actuators[sensor.index];
  if (sensor.type == SensorType::kActuatorForce)
    return in.step ? in.step->forces.actuator_force[sensor.index] : 0.0;
  // As of tendons: other transmissions do not act yet.
  if (actuator.joint < 0) return std::numeric_limits<double>::quiet_NaN();
  const Joint& joint = in.model.joints[actuator.joint];
  if (sensor.type == SensorType::kActuatorPosition)
    return std::visit(TransmissionLength{actuator.gear, in.state.q.data() + joint.q_address}, joint.kind);
  double rate = 0.0;
  for (int i = 0; i < joint.nv(); ++i) rate += actuator.gear[i] * in.state.v[joint.v_address + i];
  return rate;
}

}  // namespace stiction
