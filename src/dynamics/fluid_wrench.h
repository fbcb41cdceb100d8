// What a fluid exerts on all bodies: by their inertia boxes, or by the geoms that have a drag of their own.
#pragma once

#include <Eigen/Geometry>

#include "dynamics/fluid_drag.h"
#include "dynamics/fluid_ellipsoid.h"

namespace stiction {

// Calls add(body, wrench) with each moment and force at a body's mass centre, world axes [N·m, N]; a body may
// have several. Needs position and velocity kinematics.
template <typename Add>
void ForEachFluidWrench(const Model& model, const Kinematics& kin, Add&& add) {
  if (model.options.density == 0.0 && model.options.viscosity == 0.0) return;
  for (int b = 1; b < model.num_bodies(); ++b) {
    if (!model.bodies[b].drags_by_geoms) add(b, CalcFluidDrag(model, kin, b));
  }
  for (const Geom& geom : model.geoms) {
    if (!geom.fluid || model.bodies[geom.body].tree < 0) continue;
    Vector6d wrench = CalcEllipsoidDrag(model, kin, geom);
    const Vector3d p_BcmG_W = kin.X_WB[geom.body] * geom.X_BG.p - kin.p_WBcm[geom.body];
    const Vector3d force = wrench.tail<3>();
    wrench.head<3>() += p_BcmG_W.cross(force);
    add(geom.body, wrench);
  }
}

}  // namespace stiction
