#include "io/mjcf/spring_damper.h"

#include <Eigen/Cholesky>

#include "stiction/math/rotation.h"

namespace stiction::mjcf {
namespace {

// Of one body: what each dof that carries it moves, about the world's origin, angular first.
struct CarriedBody {
  RigidTransform X_WB;
  Matrix6Xd S;
};

CarriedBody PlaceBody(const Model& model, int b, const std::vector<CarriedBody>& bodies) {
  const Body& body = model.bodies[b];
  CarriedBody placed = bodies[body.parent];
  placed.X_WB = placed.X_WB * body.X_PB;
  for (int j = body.first_joint; j < body.first_joint + body.num_joints; ++j) {
    const Joint& joint = model.joints[j];
    const MotionColumns S(placed.S.col(joint.v_address).data(), 6, joint.nv());
    std::visit(
        [&](const auto& kind) {
          kind.Move(model.q0.data() + joint.q_address, placed.X_WB, S);
          kind.ReferColumns(Vector3d::Zero(), S);
        },
        joint.kind);
  }
  return placed;
}

// M = Σ Jᵀ M_B J, by its definition: the engine's own lies beyond what reads files.
MatrixXd CalcMassMatrix(const Model& model) {
  MatrixXd M = MatrixXd::Zero(model.nv(), model.nv());
  std::vector<CarriedBody> bodies{{{}, Matrix6Xd::Zero(6, model.nv())}};
  for (int b = 1; b < model.num_bodies(); ++b) {
    const CarriedBody& placed = bodies.emplace_back(PlaceBody(model, b, bodies));
    const MassProperties inertia = Transform(placed.X_WB, model.bodies[b].inertia);
    const Matrix3Xd turns = placed.S.topRows<3>();
    const Matrix3Xd moves = placed.S.bottomRows<3>() - Skew(inertia.p_BBcm) * turns;
    M += inertia.mass * moves.transpose() * moves + turns.transpose() * inertia.I_BBcm_B * turns;
  }
  for (const Joint& joint : model.joints)
    M.diagonal().segment(joint.v_address, joint.nv()).array() += joint.armature;
  return M;
}

}  // namespace

void SetSpringDampers(const Context& context, Model& model) {
  if (context.spring_dampers.empty()) return;
  const Eigen::LLT<MatrixXd> factor(CalcMassMatrix(model));
  const MatrixXd inverse = factor.solve(MatrixXd::Identity(model.nv(), model.nv()));
  for (const SpringDamper& wanted : context.spring_dampers) {
    Joint& joint = model.joints[context.builder.joint_index(wanted.joint)];
    const double inertia = 1.0 / inverse.diagonal().segment(joint.v_address, joint.nv()).mean();
    const double T = wanted.time_constant, zeta = wanted.damping_ratio;
    if (context.flags.spring) joint.stiffness = inertia / (T * T * zeta * zeta);
    if (context.flags.damper) joint.damping = 2.0 * inertia / T + wanted.more_damping;
  }
}

}  // namespace stiction::mjcf
