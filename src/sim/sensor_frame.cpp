// Sensors of frames, sites, subtrees and cameras.
#include "math/spatial_algebra.h"
#include "sim/sensor_values.h"
#include "stiction/collision/scene_query.h"
#include "stiction/dynamics/center_of_mass.h"

namespace stiction {
namespace {

RigidTransform CalcPose(const Kinematics& kin, const Frame& frame) {
  return kin.X_WB[frame.body] * frame.X_BF;
}

RigidTransform CalcReferencePose(const SensorContext& in, const Sensor& sensor) {
  return sensor.reference ? CalcPose(in.kin, *sensor.reference) : RigidTransform{};
}

// Acceleration of the frame's origin minus gravity, in the middle of the step, world axes. The velocity of
// the material point is v_T + ω × p_TF with T fixed in the world; its rate has ω × v_F from the motion of F.
Vector3d CalcProperAcceleration(const SensorContext& in, const Frame& frame) {
  const Vector3d minus_g = -in.model.options.gravity;
  const int tree = in.model.bodies[frame.body].tree;
  if (tree < 0) return minus_g;
  const Kinematics& kin = in.ws.middle;
  const Vector6d& A = in.ws.A[frame.body];
  const Vector3d p_WF = CalcPose(kin, frame).p;
  const Vector3d v_F = CalcPointVelocity(in.model, kin, frame.body, p_WF);
  return minus_g + A.tail<3>() + A.head<3>().cross(p_WF - kin.p_WT[tree]) +
         CalcAngularVelocity(kin, frame.body).cross(v_F);
}

// Velocity as seen from the reference frame: against the point of its body that F's origin stands at.
Vector3d CalcLinearVelocity(const SensorContext& in, const Sensor& sensor) {
  const Vector3d p_WF = CalcPose(in.kin, sensor.frame).p;
  Vector3d v_W = CalcPointVelocity(in.model, in.kin, sensor.frame.body, p_WF);
  if (sensor.reference) v_W -= CalcPointVelocity(in.model, in.kin, sensor.reference->body, p_WF);
  return CalcReferencePose(in, sensor).R.transpose() * v_W;
}

Vector3d CalcRelativeSpin(const SensorContext& in, const Sensor& sensor) {
  Vector3d w_W = CalcAngularVelocity(in.kin, sensor.frame.body);
  if (sensor.reference) w_W -= CalcAngularVelocity(in.kin, sensor.reference->body);
  return CalcReferencePose(in, sensor).R.transpose() * w_W;
}

// The force (and with it the moment about F's origin) that the parent exerts on the frame's body.
Vector3d CalcParentForce(const SensorContext& in, const Sensor& sensor) {
  const RigidTransform X_WF = CalcPose(in.ws.middle, sensor.frame);
  const Vector6d& F = in.ws.F[sensor.frame.body];
  if (sensor.type == SensorType::kForce) return X_WF.R.transpose() * F.tail<3>();
  const Vector3d arm = in.ws.middle.p_WBcm[sensor.frame.body] - X_WF.p;
  return X_WF.R.transpose() * (F.head<3>() + arm.cross(F.tail<3>()));
}

// Calls visit(b) for the bodies of the subtree that can move: one run of indices, as bodies stand depth
// first.
template <typename Visit>
void ForEachMoving(const Model& model, int root, Visit visit) {
  for (int b = root; b < model.num_bodies(); ++b) {
    if (b > root && model.bodies[b].parent < root) break;
    if (model.bodies[b].tree >= 0) visit(b);
  }
}

Vector3d CalcSubtreeVelocity(const SensorContext& in, int root) {
  Vector3d momentum = Vector3d::Zero();
  ForEachMoving(in.model, root, [&](int b) {
    momentum += in.model.bodies[b].inertia.mass * CalcPointVelocity(in.model, in.kin, b, in.kin.p_WBcm[b]);
  });
  return momentum / CalcMass(in.model, root);
}

// About the mass centre C: the momenta at the trees' reference points, shifted to C. Velocities need not be
// those relative to C, as Σ m p_CBcm = 0 where all of the subtree moves; what is fixed has no momentum.
Vector3d CalcSubtreeAngularMomentum(const SensorContext& in, int root) {
  const Vector3d p_WC = CalcCenterOfMass(in.model, in.kin, root);
  Vector3d momentum = Vector3d::Zero();
  ForEachMoving(in.model, root, [&](int b) {
    const Vector6d h = in.kin.M_B_W[b] * in.kin.V_WB[b];
    momentum += h.head<3>() + (in.kin.p_WT[in.model.bodies[b].tree] - p_WC).cross(h.tail<3>());
  });
  return momentum;
}

}  // namespace

void CalcFrameQuaternion(const SensorContext& in, const Sensor& sensor, double* out) {
  Quaterniond quat(CalcReferencePose(in, sensor).R.transpose() * CalcPose(in.kin, sensor.frame).R);
  quat.normalize();
  if (quat.w() < 0.0) quat.coeffs() *= -1.0;
  QuaternionToWxyz(quat, out);
}

Vector3d CalcFrameVector(const SensorContext& in, const Sensor& sensor) {
  const auto axis = [&](int i) -> Vector3d {
    return CalcReferencePose(in, sensor).R.transpose() * CalcPose(in.kin, sensor.frame).R.col(i);
  };
  switch (sensor.type) {
    case SensorType::kFramePosition: {
      const RigidTransform X_WR = CalcReferencePose(in, sensor);
      return X_WR.R.transpose() * (CalcPose(in.kin, sensor.frame).p - X_WR.p);
    }
    case SensorType::kFrameXAxis:
      return axis(0);
    case SensorType::kFrameYAxis:
      return axis(1);
    case SensorType::kFrameZAxis:
      return axis(2);
    case SensorType::kFrameLinearVelocity:
      return CalcLinearVelocity(in, sensor);
    case SensorType::kFrameAngularVelocity:
      return CalcRelativeSpin(in, sensor);
    case SensorType::kFrameLinearAcceleration:
      return CalcProperAcceleration(in, sensor.frame);
    default:
      return in.ws.A[sensor.frame.body].head<3>();
  }
}

Vector3d CalcSiteVector(const SensorContext& in, const Sensor& sensor) {
  const RigidTransform X_WF = CalcPose(in.kin, sensor.frame);
  switch (sensor.type) {
    case SensorType::kAccelerometer:
      return CalcPose(in.ws.middle, sensor.frame).R.transpose() * CalcProperAcceleration(in, sensor.frame);
    case SensorType::kVelocimeter:
      return X_WF.R.transpose() * CalcPointVelocity(in.model, in.kin, sensor.frame.body, X_WF.p);
    case SensorType::kGyro:
      return X_WF.R.transpose() * CalcAngularVelocity(in.kin, sensor.frame.body);
    case SensorType::kMagnetometer:
      return X_WF.R.transpose() * in.model.options.magnetic_field;
    default:
      return CalcParentForce(in, sensor);
  }
}

double CalcRange(const SensorContext& in, const Sensor& sensor) {
  const RigidTransform X_WF = CalcPose(in.kin, sensor.frame);
  RayFilter filter;
  filter.excluded_body = sensor.frame.body;
  const auto hit = CastRay(in.model, in.kin.X_WG, X_WF.p, X_WF.R.col(2), filter);
  return hit ? hit->distance : -1.0;
}

Vector2d CalcCameraProjection(const SensorContext& in, const Sensor& sensor) {
  const ModelCamera& camera = in.model.cameras[sensor.index];
  const RigidTransform X_WC = CalcCameraPose(in.model, in.kin.X_WB, camera);
  return CalcPixel(camera, X_WC.R.transpose() * (CalcPose(in.kin, sensor.frame).p - X_WC.p));
}

Vector3d CalcSubtreeVector(const SensorContext& in, const Sensor& sensor) {
  if (sensor.type == SensorType::kSubtreeCenterOfMass)
    return CalcCenterOfMass(in.model, in.kin, sensor.index);
  if (sensor.type == SensorType::kSubtreeLinearVelocity) return CalcSubtreeVelocity(in, sensor.index);
  return CalcSubtreeAngularMomentum(in, sensor.index);
}

}  // namespace stiction
