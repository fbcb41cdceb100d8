#include "stiction/dynamics/frame.h"

#include "stiction/dynamics/jacobian.h"

namespace stiction {

RigidTransform CalcFramePose(const Model& model, const Kinematics& kin, int frame) {
  return kin.X_WB[model.frames[frame].body] * model.frames[frame].X_BF;
}

Vector6d CalcFrameVelocity(const Model& model, const Kinematics& kin, int frame) {
  return CalcSpatialVelocity(model, kin, model.frames[frame].body, CalcFramePose(model, kin, frame).p);
}

void CalcFrameJacobian(const Model& model, const Kinematics& kin, int frame, Matrix6Xd& J) {
  CalcSpatialJacobian(model, kin, model.frames[frame].body, CalcFramePose(model, kin, frame).p, J);
}

Vector6d CalcSpatialVelocity(const Model& model, const Kinematics& kin, int body, const Vector3d& p_WQ) {
  Vector6d V;
  V << CalcAngularVelocity(kin, body), CalcPointVelocity(model, kin, body, p_WQ);
  return V;
}

}  // namespace stiction
