#include "stiction/dynamics/energy.h"

namespace stiction {
namespace {

// Twice the energy of a joint's spring, over its stiffness: the square of the deflection.
struct SquaredDeflection {
  const Model& model;
  const Joint& joint;
  const double* q;

  double operator()(const FreeJoint&) const {
    const double* q0 = model.q0.data() + joint.q_address;
    const Vector3d p(q[0] - q0[0], q[1] - q0[1], q[2] - q0[2]);
    const Quaterniond relative = QuaternionFromWxyz(q0 + 3).conjugate() * QuaternionFromWxyz(q + 3);
    return p.squaredNorm() + QuaternionLog(relative).squaredNorm();
  }
  double operator()(const BallJoint&) const { return QuaternionLog(QuaternionFromWxyz(q)).squaredNorm(); }
  double operator()(const SlideJoint&) const { return Scalar(); }
  double operator()(const HingeJoint&) const { return Scalar(); }
  double Scalar() const { return (*q - joint.spring_reference) * (*q - joint.spring_reference); }
};

}  // namespace

Energy CalcEnergy(const Model& model, const Kinematics& kin, const VectorXd& q, const VectorXd& v) {
  Energy energy;
  for (int b = 1; b < model.num_bodies(); ++b) {
    if (model.bodies[b].tree < 0) continue;
    energy.kinetic += 0.5 * kin.V_WB[b].dot(kin.M_B_W[b] * kin.V_WB[b]);
    energy.potential -= model.bodies[b].inertia.mass * model.options.gravity.dot(kin.p_WBcm[b]);
  }
  for (int k = 0; k < model.nv(); ++k) {
    energy.kinetic += 0.5 * model.joints[model.dof_joint[k]].armature * v[k] * v[k];
  }
  for (const Joint& joint : model.joints) {
    if (joint.stiffness == 0.0) continue;
    const SquaredDeflection deflection{model, joint, q.data() + joint.q_address};
    energy.potential += 0.5 * joint.stiffness * std::visit(deflection, joint.kind);
  }
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
