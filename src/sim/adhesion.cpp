#include "sim/adhesion.h"

#include <algorithm>

#include "stiction/math/rotation.h"

namespace stiction {
namespace {

constexpr double kAdheringGap = 1e-6;  // as in sim/row_assembler.cpp [m]

bool IsHeld(const Model& model, const TrackedContact& contact, int body) {
  const Geom& a = model.geoms[contact.geom_a];
  const Geom& b = model.geoms[contact.geom_b];
  return (a.body == body || b.body == body) &&
         contact.point.gap <= std::max({kAdheringGap, a.margin, b.margin});
}

// τ += Jᵀ f_W of the dofs that move `body`, f_W at the point Q.
void AddPointForce(const Model& model, const Kinematics& kin, int body, const Vector3d& p_WQ,
                   const Vector3d& f_W, VectorXd& tau) {
  const Body& b = model.bodies[body];
  if (b.tree < 0) return;
  Vector6d F;
  F << (p_WQ - kin.p_WT[b.tree]).cross(f_W), f_W;
  for (int k = b.last_dof; k >= 0; k = model.dof_parent[k]) tau[k] += kin.S.col(k).dot(F);
}

}  // namespace

void AddAdhesion(const Model& model, const Kinematics& kin, const std::vector<DetectedContact>& contacts,
                 JointForces& forces) {
  for (int a = 0; a < model.nu(); ++a) {
    const int body = model.actuators[a].body;
    if (body < 0 || forces.actuator_force[a] == 0.0) continue;
    const auto is_held = [&](const DetectedContact& contact) { return IsHeld(model, contact.tracked, body); };
    const auto count = std::count_if(contacts.begin(), contacts.end(), is_held);
    for (const DetectedContact& contact : contacts) {
      if (!is_held(contact)) continue;
      const ManifoldPoint& point = contact.tracked.point;
      const Vector3d pull_W = forces.actuator_force[a] / static_cast<double>(count) * point.n_W;
      const int body_a = model.geoms[contact.tracked.geom_a].body;
      const int body_b = model.geoms[contact.tracked.geom_b].body;
      AddPointForce(model, kin, body_a, point.p_W, pull_W, forces.actuation);
      AddPointForce(model, kin, body_b, point.p_W, -pull_W, forces.actuation);
    }
  }
}

}  // namespace stiction
