// How bodies accelerated in the last step, and what holds them to their parents.
#include <Eigen/Geometry>
#include <variant>

#include "dynamics/fluid_wrench.h"
#include "dynamics/tendon_wrench.h"
#include "dynamics/transmission.h"
#include "sim/sensor_values.h"

namespace stiction {
namespace {

// A of every body, from the root outwards: A = A_parent + Σ S v̇ + dS v over the body's own dofs.
void CalcAccelerations(const Model& model, SensorWorkspace& ws) {
  for (int b = 1; b < model.num_bodies(); ++b) {
    const Body& body = model.bodies[b];
    ws.A[b] = body.tree >= 0 && model.bodies[body.parent].tree == body.tree ? ws.A[body.parent]
                                                                            : Vector6d(Vector6d::Zero());
    for (int k = body.first_dof; k < body.first_dof + body.num_dofs; ++k)
      ws.A[b] += ws.middle.S.col(k) * ws.vdot[k] + ws.middle.dS.col(k) * ws.v[k];
  }
}

// What the body needs for its motion, at its mass centre: m (a_cm − g), and I α + ω × I ω.
Vector6d CalcNeededForce(const Model& model, const SensorWorkspace& ws, int b) {
  const Body& body = model.bodies[b];
  Vector6d F = Vector6d::Zero();
  F.tail<3>() = -(1.0 - body.gravity_compensation) * body.inertia.mass * model.options.gravity;
  if (body.tree < 0) return F;
  const Vector3d w = CalcAngularVelocity(ws.middle, b), alpha = ws.A[b].head<3>();
  const Vector3d p_TBcm = ws.middle.p_WBcm[b] - ws.middle.p_WT[body.tree];
  const Vector3d a_cm = ws.A[b].tail<3>() + alpha.cross(p_TBcm) +
                        w.cross(CalcPointVelocity(model, ws.middle, b, ws.middle.p_WBcm[b]));
  const Matrix3d& R_WB = ws.middle.X_WB[b].R;
  const Matrix3d I_W = R_WB * body.inertia.I_BBcm_B * R_WB.transpose();
  F.head<3>() = I_W * alpha + w.cross(I_W * w);
  F.tail<3>() += body.inertia.mass * a_cm;
  return F;
}

// Contact points stand where they were at the start of the step: half a step of the body's motion takes them
// to its middle.
void SubtractContact(const Model& model, const SensedStep& step, const Contact& contact,
                     SensorWorkspace& ws) {
  const double dt = step.dt;
  for (const auto& [geom, sign] : {std::pair{contact.geom_a, -1.0}, std::pair{contact.geom_b, 1.0}}) {
    const int b = model.geoms[geom].body;
    const Vector3d force = sign / dt * contact.impulse_W;
    const Vector3d p_W =
        contact.p_W + 0.5 * step.duration * CalcPointVelocity(model, ws.middle, b, contact.p_W);
    ws.F[b].head<3>() -= (p_W - ws.middle.p_WBcm[b]).cross(force) + sign / dt * contact.moment_W;
    ws.F[b].tail<3>() -= force;
  }
}

// The pair of wrenches that the rows of an equality exert: on B at the point of G, the opposite on A at the
// same point, in the directions of sim/equality_rows.h. Couplings of joints act through the joints.
struct SubtractEquality {
  SensorWorkspace& ws;
  const double* impulse;  // one per row [N·s or N·m·s]
  double dt;

  void operator()(const FrameLock& lock) const {
    const RigidTransform X_WF = ws.middle.X_WB[lock.a.body] * lock.a.X_BF;
    const RigidTransform X_WG = ws.middle.X_WB[lock.b.body] * lock.b.X_BF;
    const auto is_free = [&](int i) { return !lock.locked[i]; };
    const int num_free = is_free(0) + is_free(1) + is_free(2);
    const double* next = impulse;
    Vector3d moment = Vector3d::Zero(), force = Vector3d::Zero();
    if (num_free == 2) {
      const int first = is_free(0) ? 0 : 1, second = is_free(2) ? 2 : 1;
      moment = *next++ * X_WF.R.col(first).cross(X_WG.R.col(second));
    }
    for (int i = 0; i < 3 && num_free < 2; ++i) {
      if (lock.locked[i]) moment += *next++ * X_WF.R.col(i);
    }
    for (int i = 0; i < 3; ++i) {
      if (lock.locked[3 + i]) force += *next++ * X_WF.R.col(i);
    }
    Subtract(lock.a.body, lock.b.body, X_WG.p, moment, force);
  }
  void operator()(const PointDistance& points) const {
    const Vector3d p_WF = ws.middle.X_WB[points.a.body] * points.a.X_BF.p;
    const Vector3d p_WG = ws.middle.X_WB[points.b.body] * points.b.X_BF.p;
    Subtract(points.a.body, points.b.body, p_WG, Vector3d::Zero(), *impulse * (p_WG - p_WF).normalized());
  }
  void operator()(const JointPolynomial&) const {}
  void operator()(const TendonPolynomial&) const {}

  void Subtract(int a, int b, const Vector3d& p_W, const Vector3d& moment, const Vector3d& force) const {
    for (const auto& [body, sign] : {std::pair{a, -1.0}, std::pair{b, 1.0}}) {
      const Vector3d arm = p_W - ws.middle.p_WBcm[body];
      ws.F[body].head<3>() -= sign / dt * (moment + arm.cross(force));
      ws.F[body].tail<3>() -= sign / dt * force;
    }
  }
};

void SubtractEqualities(const Model& model, const State& state, double dt, SensorWorkspace& ws) {
  if (state.equality_impulses.size() != model.num_equality_rows) return;
  for (const Equality& equality : model.equalities) {
    if (!equality.is_active) continue;
    const SubtractEquality subtract{ws, state.equality_impulses.data() + equality.first_row, dt};
    std::visit(subtract, equality.kind);
  }
}

// Actuators on frames: the wrench on the frame, and against it on what it is measured from.
void SubtractThrusters(const Model& model, const SensedStep& step, SensorWorkspace& ws) {
  for (int a = 0; a < model.nu(); ++a) {
    const Actuator& actuator = model.actuators[a];
    if (!actuator.frame) continue;
    const FrameWrench unit = CalcFrameWrench(ws.middle, actuator);
    const auto subtract = [&](int body, const Vector3d& p_W, const Vector6d& wrench) {
      const Vector6d F = step.forces.actuator_force[a] * wrench;
      ws.F[body].head<3>() -= F.head<3>() + (p_W - ws.middle.p_WBcm[body]).cross(F.tail<3>());
      ws.F[body].tail<3>() -= F.tail<3>();
    };
    subtract(actuator.frame->body, unit.p_WF, unit.on_frame);
    if (actuator.reference) subtract(actuator.reference->body, unit.p_WR, unit.on_reference);
  }
}

// Of the equalities that couple the tendon to another one, or hold it [N·s].
double CalcCouplingImpulse(const Model& model, const State& state, const SensorWorkspace& ws, int t) {
  double sum = 0.0;
  for (const Equality& equality : model.equalities) {
    const auto* couple = std::get_if<TendonPolynomial>(&equality.kind);
    if (couple == nullptr || !equality.is_active) continue;
    const double impulse = state.equality_impulses[equality.first_row];
    if (couple->tendon == t) sum += impulse;
    if (couple->of_tendon != t) continue;
    const double x = ws.forces.tendons.length[t] - ws.forces.tendons.length0[t];
    double slope = 0.0;
    for (int k = 4; k > 0; --k) slope = slope * x + k * couple->coefficients[k];
    sum -= slope * impulse;
  }
  return sum;
}

// Along the tendon, > 0 lengthens it: spring and damper at the end of the step, actuators, and what limits,
// dry friction, couplings and the tendon's own inertia did in it [N].
double CalcTendonForce(const Model& model, const State& state, const SensedStep& step,
                       const SensorWorkspace& ws, int t) {
  const Tendon& tendon = model.tendons[t];
  double force = ws.forces.tendon_forces.force[t];
  for (int a = 0; a < model.nu(); ++a) {
    const Actuator& actuator = model.actuators[a];
    if (actuator.tendon == t) force += actuator.gear[0] * step.forces.actuator_force[a];
  }
  const auto rate_change = ws.forces.tendon_forces.rate[t] - step.forces.tendon_forces.rate[t];
  if (tendon.armature != 0.0) force -= tendon.armature * rate_change / step.duration;
  double impulse = 0.0;
  if (const int limit = model.num_joint_limits + t; limit < static_cast<int>(state.limits.size()))
    impulse += state.limits[limit].lower_impulse - state.limits[limit].upper_impulse;
  if (const int row = model.nv() + t; row < state.friction_impulses.size())
    impulse += state.friction_impulses[row];
  if (state.equality_impulses.size() == model.num_equality_rows)
    impulse += CalcCouplingImpulse(model, state, ws, t);
  return force + impulse / step.dt;
}

void SubtractTendons(const Model& model, const State& state, const SensedStep& step, SensorWorkspace& ws) {
  for (int t = 0; t < model.num_tendons(); ++t) {
    if (std::holds_alternative<SpatialTendon>(model.tendons[t].path))
      AddTendonWrenches(model, ws.middle, t, -CalcTendonForce(model, state, step, ws, t), ws.F);
  }
}

// Forces from outside of the tree of joints: what they carry, no parent has to.
void SubtractExternalForces(const Model& model, const State& state, const SensedStep& step,
                            SensorWorkspace& ws) {
  for (int b = 0; b < model.num_bodies(); ++b) ws.F[b] -= step.applied_wrench.col(b);
  ForEachFluidWrench(model, ws.middle, [&](int b, const Vector6d& wrench) { ws.F[b] -= wrench; });
  SubtractThrusters(model, step, ws);
  SubtractTendons(model, state, step, ws);
  SubtractEqualities(model, state, step.dt, ws);
  for (const Contact& contact : step.contacts) SubtractContact(model, step, contact, ws);
}

}  // namespace

void CalcStepMotion(const Model& model, const State& state, const VectorXd& mocap, const SensedStep* step,
                    SensorWorkspace& ws) {
  ws.q = state.q;
  ws.v = state.v;
  ws.vdot.setZero();
  if (step) {
    ws.q = step->q_start;
    ws.v = 0.5 * (step->v_start + state.v);
    ws.vdot = (state.v - step->v_start) / step->duration;
    IntegrateConfiguration(model, ws.v, 0.5 * step->duration, ws.q);
  }
  CalcPositionKinematics(model, ws.q, mocap, ws.middle);
  CalcVelocityKinematics(model, ws.v, ws.middle);
  CalcAccelerations(model, ws);
}

void CalcParentForces(const Model& model, const State& state, const SensedStep* step, SensorWorkspace& ws) {
  for (int b = 0; b < model.num_bodies(); ++b) ws.F[b] = CalcNeededForce(model, ws, b);
  if (step) SubtractExternalForces(model, state, *step, ws);
  for (int b = model.num_bodies() - 1; b > 0; --b) {
    const int parent = model.bodies[b].parent;
    const Vector3d arm = ws.middle.p_WBcm[b] - ws.middle.p_WBcm[parent];
    ws.F[parent].head<3>() += ws.F[b].head<3>() + arm.cross(ws.F[b].tail<3>());
    ws.F[parent].tail<3>() += ws.F[b].tail<3>();
  }
}

}  // namespace stiction
