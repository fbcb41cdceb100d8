#include "stiction/dynamics/jacobian.h"

namespace stiction {

void CalcPointJacobian(const Model& model, const Kinematics& kin, int body, const Vector3d& p_WQ,
                       Matrix3Xd& J) {
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

}  // namespace stiction
