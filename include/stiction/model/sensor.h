// Sensors: numbers computed from the state and the last step, named as in MJCF's common set.
#pragma once

#include <optional>
#include <string>

#include "stiction/model/body.h"

namespace stiction {

enum class SensorType {
  // Of a joint.
  kJointPosition,
  kJointVelocity,
  kJointActuatorForce,
  kBallQuaternion,
  kBallAngularVelocity,
  kJointLimitPosition,
  kJointLimitVelocity,
  kJointLimitForce,
  // Of a tendon.
  kTendonPosition,
  kTendonVelocity,
  kTendonActuatorForce,
  kTendonLimitPosition,
  kTendonLimitVelocity,
  kTendonLimitForce,
  // Of an actuator.
  kActuatorPosition,
  kActuatorVelocity,
  kActuatorForce,
  // Of a frame, seen from the world or from a reference frame.
  kFramePosition,
  kFrameQuaternion,
  kFrameXAxis,
  kFrameYAxis,
  kFrameZAxis,
  kFrameLinearVelocity,
  kFrameAngularVelocity,
  kFrameLinearAcceleration,
  kFrameAngularAcceleration,
  // Of a site, in its own axes.
  kAccelerometer,
  kVelocimeter,
  kGyro,
  kMagnetometer,
  kForce,
  kTorque,
  kTouch,
  kRangefinder,
  // Of a body and all below it.
  kSubtreeCenterOfMass,
  kSubtreeLinearVelocity,
  kSubtreeAngularMomentum,
  // Of the contacts of two geoms or bodies.
  kContactCount,
  kContactForce,
  // Of the model.
  kPotentialEnergy,
  kKineticEnergy,
  kClock,
};

struct Sensor {
  std::string name{};
  SensorType type = SensorType::kClock;
  int index = -1;                    // joint, tendon, actuator, or body of a subtree
  Frame frame{};                     // its name does not count
  std::optional<Frame> reference{};  // none: the world
  // Touch: the region in the frame's axes, half extents; contacts outside do not count. Zero: all of the
  // body.
  Vector3d region = Vector3d::Zero();
  int body_a = -1, body_b = -1;  // of contacts; -1: any
  double cutoff = 0.0;           // > 0: numbers are clamped to ± it; positive ones to [0, it]

  // Filled by ModelBuilder.
  int first = -1;  // into the values of all sensors
  int size = 0;
};

// Numbers of a sensor: 1, 3 or 4.
int NumValues(SensorType type);
// What Sensor::index counts.
bool IsOfJoint(SensorType type);
bool IsOfTendon(SensorType type);
bool IsOfActuator(SensorType type);
bool IsOfSubtree(SensorType type);

}  // namespace stiction
