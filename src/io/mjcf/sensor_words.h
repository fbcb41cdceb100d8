// The elements of <sensor>, for reading and for writing.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

#include "stiction/model/sensor.h"

namespace stiction::mjcf {

// What a sensor is about, and with it which attributes name it.
enum class Target {
  kJoint,
  kBall,
  kLimit,
  kTendon,
  kActuator,
  kFrame,
  kInside,
  kSite,
  kSubtree,
  kContact,
  kNearest,
  kCamera,
  kModel
};

struct Keyword {
  const char* name;
  SensorType type;
  Target target;
};

inline constexpr Keyword kKeywords[] = {
    {"jointpos", SensorType::kJointPosition, Target::kJoint},
    {"jointvel", SensorType::kJointVelocity, Target::kJoint},
    {"jointactuatorfrc", SensorType::kJointActuatorForce, Target::kJoint},
    {"ballquat", SensorType::kBallQuaternion, Target::kBall},
    {"ballangvel", SensorType::kBallAngularVelocity, Target::kBall},
    {"jointlimitpos", SensorType::kJointLimitPosition, Target::kLimit},
    {"jointlimitvel", SensorType::kJointLimitVelocity, Target::kLimit},
    {"jointlimitfrc", SensorType::kJointLimitForce, Target::kLimit},
    {"tendonpos", SensorType::kTendonPosition, Target::kTendon},
    {"tendonvel", SensorType::kTendonVelocity, Target::kTendon},
    {"tendonactuatorfrc", SensorType::kTendonActuatorForce, Target::kTendon},
    {"tendonlimitpos", SensorType::kTendonLimitPosition, Target::kTendon},
    {"tendonlimitvel", SensorType::kTendonLimitVelocity, Target::kTendon},
    {"tendonlimitfrc", SensorType::kTendonLimitForce, Target::kTendon},
    {"actuatorpos", SensorType::kActuatorPosition, Target::kActuator},
    {"actuatorvel", SensorType::kActuatorVelocity, Target::kActuator},
    {"actuatorfrc", SensorType::kActuatorForce, Target::kActuator},
    {"framepos", SensorType::kFramePosition, Target::kFrame},
    {"framequat", SensorType::kFrameQuaternion, Target::kFrame},
    {"framexaxis", SensorType::kFrameXAxis, Target::kFrame},
    {"frameyaxis", SensorType::kFrameYAxis, Target::kFrame},
    {"framezaxis", SensorType::kFrameZAxis, Target::kFrame},
    {"framelinvel", SensorType::kFrameLinearVelocity, Target::kFrame},
    {"frameangvel", SensorType::kFrameAngularVelocity, Target::kFrame},
    {"framelinacc", SensorType::kFrameLinearAcceleration, Target::kFrame},
    {"frameangacc", SensorType::kFrameAngularAcceleration, Target::kFrame},
    {"insidesite", SensorType::kInsideRegion, Target::kInside},
    {"accelerometer", SensorType::kAccelerometer, Target::kSite},
    {"velocimeter", SensorType::kVelocimeter, Target::kSite},
    {"gyro", SensorType::kGyro, Target::kSite},
    {"magnetometer", SensorType::kMagnetometer, Target::kSite},
    {"force", SensorType::kForce, Target::kSite},
    {"torque", SensorType::kTorque, Target::kSite},
    {"touch", SensorType::kTouch, Target::kSite},
    {"rangefinder", SensorType::kRangefinder, Target::kSite},
    {"subtreecom", SensorType::kSubtreeCenterOfMass, Target::kSubtree},
    {"subtreelinvel", SensorType::kSubtreeLinearVelocity, Target::kSubtree},
    {"subtreeangmom", SensorType::kSubtreeAngularMomentum, Target::kSubtree},
    {"contact", SensorType::kContactCount, Target::kContact},
    {"distance", SensorType::kNearestDistance, Target::kNearest},
    {"normal", SensorType::kNearestNormal, Target::kNearest},
    {"fromto", SensorType::kNearestPoints, Target::kNearest},
    {"camprojection", SensorType::kCameraProjection, Target::kCamera},
    {"e_potential", SensorType::kPotentialEnergy, Target::kModel},
    {"e_kinetic", SensorType::kKineticEnergy, Target::kModel},
    {"user", SensorType::kUser, Target::kModel},
    {"clock", SensorType::kClock, Target::kModel},
};

inline const Keyword* FindKeyword(std::string_view name) {
  const auto found = std::find_if(std::begin(kKeywords), std::end(kKeywords),
                                  [&](const Keyword& keyword) { return keyword.name == name; });
  return found == std::end(kKeywords) ? nullptr : found;
}

// Of <contact>: the words of reduce, in the order of ContactSlots::Order.
inline constexpr const char* kContactOrders[] = {"none", "mindist", "maxforce", "netforce"};

// "jointpos".
inline const char* WordOf(SensorType type) {
  if (type == SensorType::kContactForce || type == SensorType::kContactSlots)
    type = SensorType::kContactCount;
  return std::find_if(std::begin(kKeywords), std::end(kKeywords),
                      [&](const Keyword& keyword) { return keyword.type == type; })
      ->name;
}

}  // namespace stiction::mjcf
