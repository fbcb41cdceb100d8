#include "stiction/dynamics/energy.h"

#include "dynamics/force_polynomial.h"
#include "dynamics/spring_rest.h"
#include "dynamics/tendon_inertia.h"
#include "math/assert.h"
#include "math/spatial_algebra.h"

namespace stiction {
namespace {

// What the polynomial of a joint's spring adds.
double CalcNonlinearEnergy(const Joint& joint, const double* deflection) {
  const auto part = [&](int begin, int end) {
    double square = 0.0;
    for (int i = begin; i < end; ++i) square += deflection[i] * deflection[i];
    const double x = joint.is_scalar() ? deflection[0] : std::sqrt(square);
    return EnergyOf(0.0, joint.stiffness_polynomial, x);
  };
  return joint.is_free() ? part(0, 3) + part(3, 6) : part(0, joint.nv());
}

}  // namespace

Energy CalcEnergy(const Model& model, const Kinematics& kin, const VectorXd& q, const VectorXd& v) {
  STICTION_ASSERT(q.size() == model.nq() && v.size() == model.nv());
  Energy energy;
  // Those that never move have no mass here.
  for (int b = 1; b < model.num_bodies(); ++b) {
    const SpatialInertia& M_B_W = kin.M_B_W[b];
    energy.kinetic += CalcKineticEnergy(M_B_W, kin.V_WB[b]);
    energy.potential -= M_B_W.mass * model.options.gravity.dot(kin.p_WBcm[b]);
  }
  for (const Joint& joint : model.joints) {
    for (int k = joint.v_address; k < joint.v_address + joint.nv() && joint.armature != 0.0; ++k)
      energy.kinetic += 0.5 * joint.armature * v[k] * v[k];
    if (joint.stiffness == 0.0 && IsZero(joint.stiffness_polynomial)) continue;
    const SpringRest rest(model, joint);
    const double* joint_q = q.data() + joint.q_address;
    double deflection[6];
    std::visit([&](const auto& kind) { kind.Difference(rest.q(), joint_q, deflection); }, joint.kind);
    double square = 0.0;
    for (int i = 0; i < joint.nv(); ++i) square += deflection[i] * deflection[i];
    energy.potential += 0.5 * joint.stiffness * square;
    if (!IsZero(joint.stiffness_polynomial)) energy.potential += CalcNonlinearEnergy(joint, deflection);
  }
  energy.kinetic += CalcTendonKineticEnergy(model, kin, v);
  return energy;
}

void CalcMomentum(const Model& model, const Kinematics& kin, Vector3d& linear, Vector3d& angular) {
  linear.setZero();
  angular.setZero();
  for (int b = 1; b < model.num_bodies(); ++b) {
    const int tree = model.bodies[b].tree;
    if (tree < 0) continue;
    const Vector6d momentum = kin.M_B_W[b] * kin.V_WB[b];
    linear += momentum.tail<3>();
    angular += momentum.head<3>() + kin.p_WT[tree].cross(momentum.tail<3>());
  }
}

}  // namespace stiction
