// The values of single sensors, by family. Private to sim; see stiction/sim/sensors.h for what each is.
#pragma once

#include "stiction/sim/sensors.h"

namespace stiction {

// What CalcSensors hands on.
struct SensorContext {
  const Model& model;
  const State& state;
  const Kinematics& kin;
  const SensedStep* step;     // may be null
  const SensorWorkspace& ws;  // filled as far as its flags say
};

// sensor_motion.cpp
void CalcStepMotion(const Model& model, const State& state, const VectorXd& mocap, const SensedStep* step,
                    SensorWorkspace& ws);
void CalcParentForces(const Model& model, const State& state, const SensedStep* step, SensorWorkspace& ws);

// sensor_joint.cpp
double CalcJointValue(const SensorContext& in, const Sensor& sensor);
void CalcBallValues(const SensorContext& in, const Sensor& sensor, double* out);
double CalcTendonValue(const SensorContext& in, const Sensor& sensor);
double CalcActuatorValue(const SensorContext& in, const Sensor& sensor);

// sensor_frame.cpp
void CalcFrameQuaternion(const SensorContext& in, const Sensor& sensor, double* out);
Vector3d CalcFrameVector(const SensorContext& in, const Sensor& sensor);  // all other sensors of frames
Vector3d CalcSiteVector(const SensorContext& in, const Sensor& sensor);   // in the site's own axes
double CalcRange(const SensorContext& in, const Sensor& sensor);
Vector3d CalcSubtreeVector(const SensorContext& in, const Sensor& sensor);

Vector2d CalcCameraProjection(const SensorContext& in, const Sensor& sensor);

// sensor_contact.cpp
double CalcTouch(const SensorContext& in, const Sensor& sensor);
double CountSensedContacts(const SensorContext& in, const Sensor& sensor);
Vector3d CalcSensedForce(const SensorContext& in, const Sensor& sensor);
void CalcContactSlots(const SensorContext& in, const Sensor& sensor, double* out);
bool IsInsideRegion(const SensorContext& in, const Sensor& sensor);

// sensor_nearest.cpp
void CalcNearest(const SensorContext& in, const Sensor& sensor, double* out);

}  // namespace stiction
