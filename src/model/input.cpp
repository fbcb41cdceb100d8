#include "stiction/model/input.h"

#include "stiction/math/rotation.h"

namespace stiction {

Input Input::Default(const Model& model) {
  Input input;
  input.ctrl = VectorXd::Zero(model.nu());
  input.applied_generalized = VectorXd::Zero(model.nv());
  input.applied_wrench = Matrix6Xd::Zero(6, model.num_bodies());
  input.equality_target = VectorXd::Zero(model.num_equalities());
  input.mocap.resize(7 * model.num_mocap);
  double* mocap = input.mocap.data();
  for (const Body& body : model.bodies) {
    if (!body.is_mocap) continue;
    Eigen::Map<Vector3d>{mocap} = body.X_PB.p;
    QuaternionToWxyz(Quaterniond(body.X_PB.R), mocap + 3);
    mocap += 7;
  }
  return input;
}

}  // namespace stiction
