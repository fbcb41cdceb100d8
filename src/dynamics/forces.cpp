#include "stiction/dynamics/forces.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "dynamics/actuation.h"
#include "dynamics/fluid_wrench.h"
#include "dynamics/force_polynomial.h"
#include "dynamics/spring_rest.h"
#include "math/assert.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// A nonlinear spring: that of a linear one with the stiffness that it has where it is.
void AddNonlinearSpring(const Joint& joint, bool is_explicit, const double* rest_q, const double* joint_q,
                        JointForces& forces) {
  double deflection[6];
  std::visit([&](const auto& kind) { kind.Difference(rest_q, joint_q, deflection); }, joint.kind);
  const auto add = [&](int begin, int end) {
    const Eigen::Map<const VectorXd> part(deflection + begin, end - begin);
    const double x = joint.is_scalar() ? deflection[0] : part.norm();
    const double secant = SecantOf(joint.stiffness, joint.stiffness_polynomial, x);
    const double slope = joint.is_scalar() ? SlopeOf(joint.stiffness, joint.stiffness_polynomial, x) : secant;
    double force[6] = {};
    std::visit([&](const auto& kind) { kind.AddSpring(secant, rest_q, joint_q, force); }, joint.kind);
    for (int i = begin; i < end; ++i) {
      forces.passive[joint.v_address + i] += force[i];
      if (!is_explicit) forces.stiffness[joint.v_address + i] += std::max(0.0, slope);
    }
  };
  if (!joint.is_free()) return add(0, joint.nv());
  add(0, 3), add(3, 6);
}

bool IsLinear(const Joint& joint) {
  return joint.is_scalar() && IsZero(joint.stiffness_polynomial) && IsZero(joint.damping_polynomial);
}

// Spring and damper of such a joint: those of most.
void AddLinear(const Joint& joint, bool is_explicit, double q, double v, JointForces& forces) {
  const int k = joint.v_address;
  if (joint.stiffness != 0.0) {
    forces.passive[k] -= joint.stiffness * (q - joint.spring_reference);
    forces.stiffness[k] += is_explicit ? 0.0 : joint.stiffness;
  }
  if (joint.damping == 0.0) return;
  forces.passive[k] -= joint.damping * v;
  forces.damping[k] += joint.damping;
}

void AddPassive(const Model& model, const VectorXd& q, const VectorXd& v, JointForces& forces) {
  for (const int j : forces.sources->passive_joints) {
    const Joint& joint = model.joints[j];
    const int k = joint.v_address;
    if (IsLinear(joint)) {
      AddLinear(joint, forces.explicit_springs.HasJoint(j), q[joint.q_address], v[k], forces);
      continue;
    }
    if (!IsZero(joint.stiffness_polynomial)) {
      const SpringRest rest(model, joint);
      AddNonlinearSpring(joint, forces.explicit_springs.HasJoint(j), rest.q(), q.data() + joint.q_address,
                         forces);
    } else if (joint.stiffness != 0.0) {
      const double slope = forces.explicit_springs.HasJoint(j) ? 0.0 : joint.stiffness;
      const SpringRest rest(model, joint);
      const double* joint_q = q.data() + joint.q_address;
      double* force = forces.passive.data() + k;
      std::visit([&](const auto& kind) { kind.AddSpring(joint.stiffness, rest.q(), joint_q, force); },
                 joint.kind);
      for (int i = k; i < k + joint.nv(); ++i) forces.stiffness[i] += slope;
    }
    if (!IsZero(joint.damping_polynomial)) {
      for (int i = k; i < k + joint.nv(); ++i) {
        const double speed = std::abs(v[i]);
        forces.passive[i] -= SecantOf(joint.damping, joint.damping_polynomial, speed) * v[i];
        forces.damping[i] += std::max(0.0, SlopeOf(joint.damping, joint.damping_polynomial, speed));
      }
      continue;
    }
    if (joint.damping == 0.0) continue;
    for (int i = k; i < k + joint.nv(); ++i) {
      forces.passive[i] -= joint.damping * v[i];
      forces.damping[i] += joint.damping;
    }
  }
}

// What the applied force has of q and v.
void AddAppliedSlopes(const Model& model, const VectorXd& q, const VectorXd& v, const Input& input,
                      JointForces& forces) {
  if (input.applied_stiffness.size() > 0) {
    for (const Joint& joint : model.joints) {
      for (int i = 0; i < joint.num_coordinates(); ++i) {
        const int k = joint.v_address + i;
        forces.applied[k] -= input.applied_stiffness[k] * q[joint.q_address + i];
        forces.stiffness[k] += input.applied_stiffness[k];
      }
    }
  }
  if (input.applied_damping.size() > 0) {
    forces.applied -= input.applied_damping.cwiseProduct(v);
    forces.damping += input.applied_damping;
  }
}

// Calls add(dof, τ) with Jᵀ times the moment and force at the body's centre of mass, along the dofs that move
// the body.
template <typename Add>
void ForEachDof(const Model& model, const Kinematics& kin, int b, const Vector6d& wrench, Add&& add) {
  if (wrench.isZero(0.0) || model.bodies[b].tree < 0) return;
  const Vector3d p_TBcm_W = kin.p_WBcm[b] - kin.p_WT[model.bodies[b].tree];
  Vector6d F = wrench;
  F.head<3>() += p_TBcm_W.cross(wrench.tail<3>());
  for (int k = model.bodies[b].last_dof; k >= 0; k = model.dof_parent[k]) add(k, kin.S.col(k).dot(F));
}

void AddWrench(const Model& model, const Kinematics& kin, int b, const Vector6d& wrench, VectorXd& applied) {
  ForEachDof(model, kin, b, wrench, [&](int k, double force) { applied[k] += force; });
}

// Jᵀ of a force along -gravity at the centre of mass of every body that is compensated.
void AddGravityCompensation(const Model& model, const Kinematics& kin, JointForces& forces) {
  const auto add = [&](int k, double force) {
    if (!model.joints[model.dof_joint[k]].actuators_compensate_gravity)
      forces.passive[k] += force;
    else if (model.nu() > 0)
      forces.actuation[k] += force;
  };
  for (const int b : forces.sources->compensated_bodies) {
    const Body& body = model.bodies[b];
    Vector6d wrench = Vector6d::Zero();
    wrench.tail<3>() = -body.gravity_compensation * body.inertia.mass * model.options.gravity;
    ForEachDof(model, kin, b, wrench, add);
  }
}

void AddFluidDrag(const Model& model, const Kinematics& kin, VectorXd& passive) {
  ForEachFluidWrench(model, kin,
                     [&](int b, const Vector6d& wrench) { AddWrench(model, kin, b, wrench, passive); });
}

void AddTendons(const Model& model, const Kinematics& kin, const VectorXd& q, const VectorXd& v,
                JointForces& forces) {
  if (model.num_tendons() == 0) return;
  if (forces.tendons.num_tendons() != model.num_tendons()) forces.tendons.Resize(model);
  CalcTendons(model, kin, q, forces.tendons);
  CalcTendonForces(model, forces.tendons, v, forces.tendon_forces);
  const TendonForces& f = forces.tendon_forces;
  for (int t = 0; t < model.num_tendons(); ++t) {
    AddTendonForce(forces.tendons, t, f.force[t], forces.passive);
    AddTendonSlope(model, t, forces.explicit_springs.HasTendon(t) ? 0.0 : f.stiffness[t], f.damping[t],
                   f.rate[t], forces);
  }
}

ForceSources FindSources(const Model& model) {
  ForceSources sources;
  const auto has_range = [](double lower, double upper) {
    return std::isfinite(lower) || std::isfinite(upper);
  };
  sources.any = model.nu() > 0 || model.num_tendons() > 0 || model.options.density != 0.0 ||
                model.options.viscosity != 0.0;
  for (int j = 0; j < model.num_joints(); ++j) {
    const Joint& joint = model.joints[j];
    sources.any = sources.any || has_range(joint.actuator_force_lower, joint.actuator_force_upper);
    if (joint.stiffness != 0.0 || !IsZero(joint.stiffness_polynomial) || joint.damping != 0.0 ||
        !IsZero(joint.damping_polynomial))
      sources.passive_joints.push_back(j);
  }
  for (int b = 1; b < model.num_bodies(); ++b) {
    if (model.bodies[b].gravity_compensation != 0.0) sources.compensated_bodies.push_back(b);
  }
  sources.any = sources.any || !sources.passive_joints.empty() || !sources.compensated_bodies.empty();
  return sources;
}

// Of the bits, but for signs: many numbers at once. What is not a number is not zero.
bool AreAllZero(const double* x, Eigen::Index count) {
  std::uint64_t any = 0;
  for (Eigen::Index i = 0; i < count; ++i) any |= std::bit_cast<std::uint64_t>(x[i]) << 1;
  return any == 0;
}

// All but what the input applies.
void CalcOwnForces(const Model& model, const Kinematics& kin, const VectorXd& q, const VectorXd& v,
                   const VectorXd& activation, const Input& input, JointForces& forces) {
  forces.Resize(model);
  AddPassive(model, q, v, forces);
  AddGravityCompensation(model, kin, forces);
  AddFluidDrag(model, kin, forces.passive);
  AddTendons(model, kin, q, v, forces);
  forces.passive_stiffness = forces.stiffness;
  forces.passive_damping = forces.damping;
  AddActuators(model, kin, q, v, activation, input, forces);
  LimitTendons(model, forces);
  LimitActuation(model, v, forces);
}

}  // namespace

void JointForces::Resize(const Model& model) {
  for (VectorXd* forces : {&passive, &actuation, &applied, &stiffness, &damping}) forces->setZero(model.nv());
  for (VectorXd* values : {&actuator_force, &actuator_length, &actuator_rate}) values->setZero(model.nu());
  limited.clear();
  tendon_servos.assign(static_cast<std::size_t>(model.num_tendons()), {});
  slope_rows.clear();
  slope_blocks.clear();
  slope_dofs.clear();
  slope_values.clear();
}

void CalcJointForces(const Model& model, const Kinematics& kin, const VectorXd& q, const VectorXd& v,
                     const VectorXd& activation, const Input& input, JointForces& forces) {
  STICTION_ASSERT(q.size() == model.nq() && v.size() == model.nv());
  STICTION_ASSERT(input.ctrl.size() == model.nu());
  STICTION_ASSERT(input.applied_generalized.size() == model.nv() &&
                  input.applied_wrench.cols() == model.num_bodies());
  if (!forces.sources) forces.sources = FindSources(model);
  const bool has_slopes = input.applied_stiffness.size() > 0 || input.applied_damping.size() > 0;
  const bool writes = forces.sources->any || has_slopes;
  // What nothing writes stays as it is: zero.
  if (writes || forces.is_written) CalcOwnForces(model, kin, q, v, activation, input, forces);
  forces.is_written = writes;
  forces.applied = input.applied_generalized;
  AddAppliedSlopes(model, q, v, input, forces);
  if (AreAllZero(input.applied_wrench.data(), input.applied_wrench.size())) return;
  for (int b = 1; b < model.num_bodies(); ++b)
    AddWrench(model, kin, b, input.applied_wrench.col(b), forces.applied);
}

void AddForceAtPoint(const Kinematics& kin, int body, const Vector3d& p_WQ, const Vector3d& f_W,
                     Input& input) {
  input.applied_wrench.col(body).head<3>() += (p_WQ - kin.p_WBcm[body]).cross(f_W);
  input.applied_wrench.col(body).tail<3>() += f_W;
}

}  // namespace stiction
