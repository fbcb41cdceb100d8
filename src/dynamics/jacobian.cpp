#include "stiction/dynamics/jacobian.h"

#include "math/assert.h"
#include "stiction/math/rotation.h"

namespace stiction {

void CalcPointJacobian(const Model& model, const Kinematics& kin, int body, const Vector3d& p_WQ,
                       Matrix3Xd& J) {
  STICTION_ASSERT(body >= 0 && body < model.num_bodies());
  J.setZero(3, model.nv());
  const int last_dof = model.bodies[body].last_dof;
  if (last_dof < 0) return;
  const Vector3d p_TQ_W = p_WQ - kin.p_WT[model.bodies[body].tree];
  for (int k = last_dof; k >= 0; k = model.dof_parent[k]) {
    J.col(k) = kin.S.col(k).tail<3>() + kin.S.col(k).head<3>().cross(p_TQ_W);
  }
}

void CalcAngularJacobian(const Model& model, const Kinematics& kin, int body, Matrix3Xd& J) {
  J.setZero(3, model.nv());
  for (int k = model.bodies[body].last_dof; k >= 0; k = model.dof_parent[k])
    J.col(k) = kin.S.col(k).head<3>();
}

void CalcSpatialJacobian(const Model& model, const Kinematics& kin, int body, const Vector3d& p_WQ,
                         Matrix6Xd& J) {
  STICTION_ASSERT(body >= 0 && body < model.num_bodies());
  J.setZero(6, model.nv());
  const int last_dof = model.bodies[body].last_dof;
  if (last_dof < 0) return;
  const Vector3d p_TQ_W = p_WQ - kin.p_WT[model.bodies[body].tree];
  for (int k = last_dof; k >= 0; k = model.dof_parent[k]) {
    J.col(k) = kin.S.col(k);
    J.col(k).tail<3>() += kin.S.col(k).head<3>().cross(p_TQ_W);
  }
}

// The velocity of the material point is v_T + ω × p_TQ with T fixed in the world. Its rate has, beside the
// spatial acceleration, ω × v_Q from the motion of Q itself.
Vector6d CalcBiasAcceleration(const Model& model, const Kinematics& kin, const VectorXd& v, int body,
                              const Vector3d& p_WQ) {
  STICTION_ASSERT(v.size() == model.nv());
  Vector6d A = Vector6d::Zero();
  const int last_dof = model.bodies[body].last_dof;
  if (last_dof < 0) return A;
  for (int k = last_dof; k >= 0; k = model.dof_parent[k]) A += kin.dS.col(k) * v[k];
  const Vector3d p_TQ_W = p_WQ - kin.p_WT[model.bodies[body].tree];
  A.tail<3>() += A.head<3>().cross(p_TQ_W) +
                 CalcAngularVelocity(kin, body).cross(CalcPointVelocity(model, kin, body, p_WQ));
  return A;
}

}  // namespace stiction
