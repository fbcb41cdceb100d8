#include "dynamics/gravity_load.h"

#include "math/spatial_algebra.h"

namespace stiction {

void CalcGravityLoad(const Model& model, const Kinematics& kin, const Vector3d& gravity, RneaWorkspace& ws,
                     VectorXd& g) {
  ws.force.resize(model.num_bodies());
  g.resize(model.nv());
  Vector6d A_up;  // at rest under gravity is as accelerated upwards without
  A_up << Vector3d::Zero(), -gravity;
  for (int b = 1; b < model.num_bodies(); ++b)
    ws.force[b] = (1.0 - model.bodies[b].gravity_compensation) * (kin.M_B_W[b] * A_up);
  for (int b = model.num_bodies() - 1; b > 0; --b) {
    const Body& body = model.bodies[b];
    if (body.tree < 0) continue;
    for (int k = body.first_dof; k < body.first_dof + body.num_dofs; ++k)
      g[k] = kin.S.col(k).dot(ws.force[b]);
    if (model.bodies[body.parent].tree == body.tree) ws.force[body.parent] += ws.force[b];
  }
}

}  // namespace stiction
