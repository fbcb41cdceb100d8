#include "dynamics/fluid_drag.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace stiction {

Vector6d CalcFluidDrag(const Model& model, const Kinematics& kin, int body) {
  const Body& b = model.bodies[body];
  Vector6d wrench = Vector6d::Zero();
  if (b.tree < 0 || b.inertia_box.isZero(0.0)) return wrench;
  const double density = model.options.density, viscosity = model.options.viscosity;
  const Matrix3d R_WI = kin.X_WB[body].R * b.R_BI;
  const Vector3d v =
      R_WI.transpose() * (CalcPointVelocity(model, kin, body, kin.p_WBcm[body]) - model.options.wind);
  const Vector3d w = R_WI.transpose() * CalcAngularVelocity(kin, body);
  const Vector3d& edge = b.inertia_box;
  const double d = edge.mean();
  Vector3d force = -3.0 * std::numbers::pi * viscosity * d * v;
  Vector3d torque = -std::numbers::pi * viscosity * d * d * d * w;
  for (int i = 0; i < 3; ++i) {
    const double b1 = edge[(i + 1) % 3], b2 = edge[(i + 2) % 3];
    force[i] -= 0.5 * density * b1 * b2 * std::abs(v[i]) * v[i];
    torque[i] -= density * edge[i] * (std::pow(b1, 4) + std::pow(b2, 4)) * std::abs(w[i]) * w[i] / 64.0;
  }
  wrench << R_WI * torque, R_WI * force;
  return wrench;
}

}  // namespace stiction
