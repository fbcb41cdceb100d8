#include "stiction/model/camera.h"

#include <algorithm>
#include <cmath>

#include "model/topology.h"
#include "stiction/math/rotation.h"
#include "stiction/model/light.h"
#include "stiction/model/model.h"

namespace stiction {
namespace {

// Of a body and all below it, which stand depth first; the body's origin where they have no mass.
Vector3d CalcMassCentre(const Model& model, const std::vector<RigidTransform>& X_WB, int top) {
  double mass = 0.0;
  Vector3d moment = Vector3d::Zero();
  for (int b = top; b < model.num_bodies() && (b == top || model.bodies[b].parent >= top); ++b) {
    const MassProperties& inertia = model.bodies[b].inertia;
    mass += inertia.mass;
    moment += inertia.mass * (X_WB[b] * inertia.p_BBcm);
  }
  return mass > 0.0 ? Vector3d(moment / mass) : X_WB[top].p;
}

bool Tracks(CameraMode mode) {
  return mode == CameraMode::kTrack || mode == CameraMode::kTrackCom;
}

// The point that a camera which tracks keeps beside.
Vector3d CalcTrackedPoint(const Model& model, const std::vector<RigidTransform>& X_WB,
                          const ModelCamera& camera) {
  return camera.mode == CameraMode::kTrack ? X_WB[camera.body].p : CalcMassCentre(model, X_WB, camera.body);
}

// Where the file has the bodies.
std::vector<RigidTransform> CalcFilePoses(const Model& model) {
  std::vector<RigidTransform> X_WB(model.bodies.size());
  for (int b = 1; b < model.num_bodies(); ++b) X_WB[b] = X_WB[model.bodies[b].parent] * model.bodies[b].X_PB;
  return X_WB;
}

void FillFilePlace(const Model& model, const std::vector<RigidTransform>& X_WB_file, ModelCamera& camera) {
  camera.X_WC_file = X_WB_file[camera.body] * camera.X_BC;
  camera.p_W_file = CalcTrackedPoint(model, X_WB_file, camera);
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

void FillFilePlaces(Model& model) {
  const auto tracks = [](const ModelCamera& camera) { return Tracks(camera.mode); };
  if (std::none_of(model.cameras.begin(), model.cameras.end(), tracks)) return;
  const std::vector<RigidTransform> X_WB_file = CalcFilePoses(model);
  for (ModelCamera& camera : model.cameras) {
    if (tracks(camera)) FillFilePlace(model, X_WB_file, camera);
  }
}

bool HasTarget(CameraMode mode) {
  return mode == CameraMode::kTarget || mode == CameraMode::kTargetCom;
}

RigidTransform CalcCameraPose(const Model& model, const std::vector<RigidTransform>& X_WB,
                              const ModelCamera& camera) {
  if (Tracks(camera.mode)) {
    const Vector3d moved = CalcTrackedPoint(model, X_WB, camera) - camera.p_W_file;
    return {camera.X_WC_file.R, camera.X_WC_file.p + moved};
  }
  RigidTransform X_WC = X_WB[camera.body] * camera.X_BC;
  switch (camera.mode) {
    case CameraMode::kFixed:
    case CameraMode::kTrack:
    case CameraMode::kTrackCom:
      break;
    case CameraMode::kTarget:
      LookAt(X_WB[camera.target].p, X_WC);
      break;
    case CameraMode::kTargetCom:
      LookAt(CalcMassCentre(model, X_WB, camera.target), X_WC);
      break;
  }
  return X_WC;
}

Vector2d CalcPixel(const ModelCamera& camera, const Vector3d& p_C) {
  constexpr double kLeastDepth = 1e-15;  // as MuJoCo's [m]
  const Vector2d size(camera.resolution[0], camera.resolution[1]);
  const double square = 0.5 * size.y() / std::tan(0.5 * camera.field_of_view);
  const Vector2d focal =
      camera.focal.isZero(0.0) ? Vector2d(square, square) : Vector2d(camera.focal.cwiseProduct(size));
  const double depth = p_C.z() < 0.0 ? std::max(-p_C.z(), kLeastDepth) : std::min(-p_C.z(), -kLeastDepth);
  return 0.5 * size + Vector2d(focal.x() * p_C.x(), -focal.y() * p_C.y()) / depth;
}

LightPlace CalcLightPlace(const Model& model, const std::vector<RigidTransform>& X_WB, const Light& light) {
  if (light.mode == CameraMode::kFixed)
    return {X_WB[light.body] * light.p_BL, X_WB[light.body].R * light.direction_B};
  const Matrix3d R_BL = Quaterniond::FromTwoVectors(-Vector3d::UnitZ(), light.direction_B).toRotationMatrix();
  ModelCamera camera{
      .body = light.body, .X_BC = {R_BL, light.p_BL}, .mode = light.mode, .target = light.target};
  if (Tracks(light.mode)) FillFilePlace(model, CalcFilePoses(model), camera);
  const RigidTransform X_WL = CalcCameraPose(model, X_WB, camera);
  return {X_WL.p, -X_WL.R.col(2)};
}

}  // namespace stiction
