#include "stiction/dynamics/center_of_mass.h"

#include "math/assert.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// Calls visit(b, mass of b) for the bodies of the subtree that count. Bodies stand depth first, so that a
// subtree is one run of indices that ends at the first body whose parent lies before it.
template <typename Visit>
void ForEachMass(const Model& model, int root, Visit visit) {
  for (int b = root; b < model.num_bodies(); ++b) {
    if (b > root && model.bodies[b].parent < root) break;
    if (root == 0 && model.bodies[b].tree < 0) continue;
    visit(b, model.bodies[b].inertia.mass);
  }
}

}  // namespace

double CalcMass(const Model& model, int root) {
  double total = 0.0;
  ForEachMass(model, root, [&](int, double mass) { total += mass; });
  return total;
}

Vector3d CalcCenterOfMass(const Model& model, const Kinematics& kin, int root) {
  Vector3d moment = Vector3d::Zero();
  ForEachMass(model, root, [&](int b, double mass) { moment += mass * kin.p_WBcm[b]; });
  return moment / CalcMass(model, root);
}

void CalcCenterOfMassJacobian(const Model& model, const Kinematics& kin, Matrix3Xd& J, int root) {
  J.setZero(3, model.nv());
  const double total = CalcMass(model, root);
  STICTION_ASSERT(total > 0.0);
  ForEachMass(model, root, [&](int b, double mass) {
    if (model.bodies[b].tree < 0) return;
    const Vector3d p_TBcm_W = kin.p_WBcm[b] - kin.p_WT[model.bodies[b].tree];
    for (int k = model.bodies[b].last_dof; k >= 0; k = model.dof_parent[k]) {
      J.col(k) += (mass / total) * (kin.S.col(k).tail<3>() + kin.S.col(k).head<3>().cross(p_TBcm_W));
    }
  });
}

}  // namespace stiction
