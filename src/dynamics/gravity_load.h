// What holds a mechanism at rest.
#pragma once

#include "stiction/dynamics/rnea.h"

namespace stiction {

// Generalised force g(q) that carries the weight of all bodies but for the share that
// Body::gravity_compensation carries: the bias at v = 0. Needs position kinematics.
//   gravity  [m/s²]
//   g        out, size nv [N or N·m]
void CalcGravityLoad(const Model& model, const Kinematics& kin, const Vector3d& gravity, RneaWorkspace& ws,
                     VectorXd& g);

}  // namespace stiction
