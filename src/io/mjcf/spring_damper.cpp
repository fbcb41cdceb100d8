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

// The Jacobian of a point of it.
Matrix3Xd MovePoint(const CarriedBody& body, const Vector3d& p_W) {
  return body.S.bottomRows<3>() - Skew(p_W) * body.S.topRows<3>();
}

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

using Bodies = std::vector<CarriedBody>;

Bodies PlaceBodies(const Model& model) {
  Bodies bodies{{{}, Matrix6Xd::Zero(6, model.nv())}};
  for (int b = 1; b < model.num_bodies(); ++b) bodies.push_back(PlaceBody(model, b, bodies));
  return bodies;
}

// The gradient of a length: no tendon with an armature wraps around a geom.
VectorXd CalcGradient(const Model& model, const Bodies& bodies, const Tendon& tendon) {
  VectorXd gradient = VectorXd::Zero(model.nv());
  if (const auto* fixed = std::get_if<FixedTendon>(&tendon.path)) {
    for (const FixedTendon::Term& term : fixed->terms)
      gradient[model.joints[term.joint].v_address] += term.coefficient;
    return gradient;
  }
  const SpatialTendon::Site* last = nullptr;
  double weight = 1.0;
  for (const SpatialTendon::Element& element : std::get<SpatialTendon>(tendon.path).path) {
    const auto* site = std::get_if<SpatialTendon::Site>(&element);
    if (const auto* pulley = std::get_if<SpatialTendon::Pulley>(&element)) weight = 1.0 / pulley->divisor;
    if (site && last) {
      const CarriedBody &from = bodies[last->body], &to = bodies[site->body];
      const Vector3d p = from.X_WB * last->p_B, q = to.X_WB * site->p_B;
      const Vector3d pull = weight * (q - p).stableNormalized();
      gradient += (MovePoint(to, q) - MovePoint(from, p)).transpose() * pull;
    }
    last = site;
  }
  return gradient;
}

// M = Σ Jᵀ M_B J, by its definition: the engine's own lies beyond what reads files. Of tendons without
// products of dofs on different branches, as dynamics/tendon_inertia.h has it.
MatrixXd CalcMassMatrix(const Model& model) {
  MatrixXd M = MatrixXd::Zero(model.nv(), model.nv());
  const Bodies bodies = PlaceBodies(model);
  for (int b = 1; b < model.num_bodies(); ++b) {
    const MassProperties inertia = Transform(bodies[b].X_WB, model.bodies[b].inertia);
    const Matrix3Xd turns = bodies[b].S.topRows<3>(), moves = MovePoint(bodies[b], inertia.p_BBcm);
    M += inertia.mass * moves.transpose() * moves + turns.transpose() * inertia.I_BBcm_B * turns;
  }
  for (const Joint& joint : model.joints)
    M.diagonal().segment(joint.v_address, joint.nv()).array() += joint.armature;
  for (const Tendon& tendon : model.tendons) {
    if (tendon.armature == 0.0) continue;
    const VectorXd J = CalcGradient(model, bodies, tendon);
    for (int i = 0; i < model.nv(); ++i) {
      M(i, i) += tendon.armature * J[i] * J[i];
      for (int k = model.dof_parent[i]; k >= 0; k = model.dof_parent[k]) {
        M(i, k) += tendon.armature * J[i] * J[k];
        M(k, i) = M(i, k);
      }
    }
  }
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
