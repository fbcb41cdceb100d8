#include "stiction/model/camera.h"

#include "stiction/math/rotation.h"
#include "stiction/model/light.h"
#include "stiction/model/model.h"

namespace stiction {
namespace {

bool IsBelow(const Model& model, int body, int top) {
  while (body > top) body = model.bodies[body].parent;  // parents stand first
  return body == top;
}

// Of a body and all below it; the body's origin where they have no mass.
Vector3d CalcMassCentre(const Model& model, const std::vector<RigidTransform>& X_WB, int top) {
  double mass = 0.0;
  Vector3d moment = Vector3d::Zero();
  for (int b = top; b < model.num_bodies(); ++b) {
    if (!IsBelow(model, b, top)) continue;
    const MassProperties& inertia = model.bodies[b].inertia;
    mass += inertia.mass;
    moment += inertia.mass * (X_WB[b] * inertia.p_BBcm);
  }
  return mass > 0.0 ? Vector3d(moment / mass) : X_WB[top].p;
}

// Where the file has the bodies.
std::vector<RigidTransform> CalcFilePoses(const Model& model) {
  std::vector<RigidTransform> X_WB(model.bodies.size());
  for (int b = 1; b < model.num_bodies(); ++b) X_WB[b] = X_WB[model.bodies[b].parent] * model.bodies[b].X_PB;
  return X_WB;
}

RigidTransform CalcTrackingPose(const Model& model, const std::vector<RigidTransform>& X_WB,
                                const ModelCamera& camera) {
  const std::vector<RigidTransform> in_file = CalcFilePoses(model);
  RigidTransform X_WC = in_file[camera.body] * camera.X_BC;
  if (camera.mode == CameraMode::kTrack) {
    X_WC.p += X_WB[camera.body].p - in_file[camera.body].p;
  } else {
    X_WC.p += CalcMassCentre(model, X_WB, camera.body) - CalcMassCentre(model, in_file, camera.body);
  }
  return X_WC;
}

// The picture's right is level; straight up and down it is what it is without a target.
void LookAt(const Vector3d& p_WT, RigidTransform& X_WC) {
  const Vector3d back = X_WC.p - p_WT;
  if (!(back.norm() > 1e-10)) return;
  const Vector3d z = back.normalized();
  Vector3d x = Vector3d::UnitZ().cross(z);
  if (!(x.norm() > 1e-10)) x = (X_WC.R.col(0) - z * z.dot(X_WC.R.col(0)));
  if (!(x.norm() > 1e-10)) return;
  x.normalize();
  X_WC.R.col(0) = x;
  X_WC.R.col(1) = z.cross(x);
  X_WC.R.col(2) = z;
}

}  // namespace

bool HasTarget(CameraMode mode) {
  return mode == CameraMode::kTarget || mode == CameraMode::kTargetCom;
}

RigidTransform CalcCameraPose(const Model& model, const std::vector<RigidTransform>& X_WB,
                              const ModelCamera& camera) {
  RigidTransform X_WC = X_WB[camera.body] * camera.X_BC;
  switch (camera.mode) {
    case CameraMode::kFixed:
      break;
    case CameraMode::kTrack:
    case CameraMode::kTrackCom:
      return CalcTrackingPose(model, X_WB, camera);
    case CameraMode::kTarget:
      LookAt(X_WB[camera.target].p, X_WC);
      break;
    case CameraMode::kTargetCom:
      LookAt(CalcMassCentre(model, X_WB, camera.target), X_WC);
      break;
  }
  return X_WC;
}

LightPlace CalcLightPlace(const Model& model, const std::vector<RigidTransform>& X_WB, const Light& light) {
  if (light.mode == CameraMode::kFixed)
    return {X_WB[light.body] * light.p_BL, X_WB[light.body].R * light.direction_B};
  const Matrix3d R_BL = Quaterniond::FromTwoVectors(-Vector3d::UnitZ(), light.direction_B).toRotationMatrix();
  const RigidTransform X_WL = CalcCameraPose(
      model, X_WB,
      {.body = light.body, .X_BC = {R_BL, light.p_BL}, .mode = light.mode, .target = light.target});
  return {X_WL.p, -X_WL.R.col(2)};
}

}  // namespace stiction
