// Sensors: numbers computed from the state and the last step, named as in MJCF's common set.
#pragma once

#include <array>
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
  kInsideRegion,
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
  kContactSlots,
  // Of the least distance of two geoms or bodies, whether they may touch or not.
  kNearestDistance,
  kNearestNormal,
  kNearestPoints,
  // Of a camera's picture.
  kCameraProjection,
  // Of the model.
  kPotentialEnergy,
  kKineticEnergy,
  kUser,
  kClock,
};

// What a sensor is of, as in the list above.
enum class SensorFamily {
  kJoint,
  kBall,
  kTendon,
  kActuator,
  kFrame,
  kSite,
  kSubtree,
  kContact,
  kNearest,
  kCamera,
  kModel
};

// Shapes of Sensor::region.
enum class RegionShape { kBox, kEllipsoid, kCapsule, kCylinder };

// One side of the contacts that a sensor counts, or of the distance that it measures: one geom, or the geoms
// of one body, or of it and all bodies below it; nothing set: any.
struct ContactSide {
  int geom = -1;
  int body = -1;
  bool is_subtree = false;
};

// What a sensor of type kContactSlots says of how many contacts. A slot has what is asked for, in the order
// below; slots without a contact are zero.
struct ContactSlots {
  // Which contacts come first. kNet: one contact in place of all, where their forces have their mean, with
  // the world's axes for its frame.
  enum class Order { kAsFound, kDeepest, kStrongest, kNet };
  // Numbers of a field: kFound 1, the number of all contacts that match; kForce and kTorque 3, on side b in
  // the contact's frame: along the normal, the tangent, normal x tangent; kDistance 1, negative where they
  // overlap; kPosition 3, kNormal 3 (from side a to side b) and kTangent 3, world axes.
  enum Field { kFound, kForce, kTorque, kDistance, kPosition, kNormal, kTangent, kNumFields };

  Order order = Order::kAsFound;
  int count = 1;  // slots
  std::array<bool, kNumFields> fields{};
};

struct Sensor {
  std::string name{};
  SensorType type = SensorType::kClock;
  int index = -1;                    // joint, tendon, actuator, camera, or body of a subtree
  Frame frame{};                     // its name does not count
  std::optional<Frame> reference{};  // none: the world
  // Touch and contacts: the region in the frame's axes, half extents; contacts outside do not count. Zero:
  // all of the body of touch, everywhere for contacts. Of kInsideRegion in the axes of `reference`. Capsules
  // and cylinders are round about z: the extents along x and y are their radius, that along z has a capsule's
  // caps in it.
  Vector3d region = Vector3d::Zero();
  RegionShape region_shape = RegionShape::kBox;
  ContactSide side_a{}, side_b{};  // of contacts and distances
  ContactSlots slots{};            // of kContactSlots
  int count = 1;                   // of kUser: how many numbers
  // > 0: numbers are clamped to ± it; positive ones to [0, it]. Of distances the largest that is looked for.
  double cutoff = 0.0;
  // Standard deviation, for programs that add noise: values here are exact, as in MuJoCo since 3.1.4.
  double noise = 0.0;

  // Filled by ModelBuilder.
  int first = -1;  // into the values of all sensors
  int size = 0;
};

// Numbers of a sensor: 1, 2, 3, 4 or 6; of kContactSlots and kUser any.
int NumValues(const Sensor& sensor);
int NumValues(ContactSlots::Field field);
// MJCF's word: "found", "force", "torque", "dist", "pos", "normal", "tangent".
const char* ToString(ContactSlots::Field field);
// The one list of what each type is of. Sensor::index counts joints for kJoint and kBall, tendons, actuators,
// cameras, and bodies for kSubtree; others have none.
SensorFamily FamilyOf(SensorType type);

}  // namespace stiction
