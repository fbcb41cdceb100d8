#include "sim/effort_limits.h"

#include <algorithm>
#include <cmath>

#include "sim/free_motion.h"

namespace stiction {
namespace {

constexpr int kPatience = 4;
constexpr double kRounding = 1e-12;  // of the forces concerned

double CalcRate(const JointForces& forces, const LimitedForce& limited, const VectorXd& v) {
  if (limited.dof >= 0) return limited.gear * v[limited.dof];
  return CalcSlopeRate(forces, limited.first_block, limited.num_blocks, v);
}

// tau += Jᵀ f.
void AddAlong(const JointForces& forces, const LimitedForce& limited, double f, VectorXd& tau) {
  if (limited.dof >= 0) tau[limited.dof] += limited.gear * f;
  for (int b = limited.first_block; limited.dof < 0 && b < limited.first_block + limited.num_blocks; ++b) {
    const TendonWorkspace::Block& block = forces.slope_blocks[b];
    for (int k = block.first; k < block.first + block.num_dofs; ++k)
      tau[forces.slope_dofs[k]] += f * forces.slope_values[k];
  }
}

// f⁺ without its range.
double CalcForceAtEnd(const JointForces& forces, const LimitedForce& limited, const EffortEnd& end) {
  const double rate = CalcRate(forces, limited, end.v), change = end.is_change ? rate : rate - limited.rate;
  return limited.force - end.damping * limited.damping * change - end.stiffness * limited.stiffness * rate;
}

std::size_t PlaceOf(const Model& model, const LimitedForce& limited) {
  if (limited.actuator >= 0) return static_cast<std::size_t>(limited.actuator);
  if (limited.joint >= 0) return static_cast<std::size_t>(model.nu() + limited.joint);
  return static_cast<std::size_t>(model.nu() + model.num_joints() + limited.tendon);
}

Saturation SideOf(const LimitedForce& limited, double force) {
  if (force > limited.upper) return Saturation::kUpper;
  return force < limited.lower ? Saturation::kLower : Saturation::kNone;
}

// Whether the force at the end contradicts the side by more than rounding.
bool IsWrong(const LimitedForce& limited, Saturation side, double force) {
  const double lower = std::isfinite(limited.lower) ? std::abs(limited.lower) : 0.0;
  const double upper = std::isfinite(limited.upper) ? std::abs(limited.upper) : 0.0;
  const double slack = kRounding * (std::abs(limited.force) + std::abs(force) + std::max(lower, upper));
  switch (side) {
    case Saturation::kUpper:
      return force < limited.upper - slack;
    case Saturation::kLower:
      return force > limited.lower + slack;
    case Saturation::kNone:
      return force > limited.upper + slack || force < limited.lower - slack;
    case Saturation::kOpen:
      return false;
  }
  return false;
}

double HeldForce(const LimitedForce& limited, Saturation side, double linear) {
  if (side == Saturation::kNone) return linear;
  return side == Saturation::kUpper ? limited.upper : limited.lower;
}

bool HasBound(double lower, double upper) {
  return std::isfinite(lower) || std::isfinite(upper);
}

// Whether the force is a sum of forces with ranges, or part of a sum with one.
bool IsNested(const Model& model, const LimitedForce& limited) {
  if (limited.actuator < 0) {
    return std::any_of(model.actuators.begin(), model.actuators.end(), [&](const Actuator& actuator) {
      const bool is_part =
          limited.joint >= 0 ? actuator.joint == limited.joint : actuator.tendon == limited.tendon;
      return is_part && HasBound(actuator.force_lower, actuator.force_upper);
    });
  }
  const Actuator& actuator = model.actuators[limited.actuator];
  if (actuator.tendon >= 0) {
    const Tendon& tendon = model.tendons[actuator.tendon];
    return HasBound(tendon.actuator_force_lower, tendon.actuator_force_upper);
  }
  if (actuator.joint < 0) return false;
  const Joint& joint = model.joints[actuator.joint];
  return HasBound(joint.actuator_force_lower, joint.actuator_force_upper);
}

// The force that a solve has found, in all that was without it.
void SetForce(const Model& model, const LimitedForce& limited, double force, JointForces& forces) {
  AddAlong(forces, limited, limited.share * force, forces.actuation);
  if (limited.actuator >= 0) forces.actuator_force[limited.actuator] = force;
  for (int a = 0; a < model.nu() && limited.tendon >= 0 && limited.force != 0.0; ++a)
    if (model.actuators[a].tendon == limited.tendon) forces.actuator_force[a] *= force / limited.force;
}

}  // namespace

bool UpdateSides(const Model& model, const EffortEnd& end, int round, bool has_rows, JointForces& forces) {
  if (forces.limited.empty()) return false;
  if (!forces.has_sides) {
    forces.sides.assign(static_cast<std::size_t>(model.nu() + model.num_joints() + model.num_tendons()),
                        Saturation::kNone);
    for (const LimitedForce& limited : forces.limited)
      forces.sides[PlaceOf(model, limited)] = SideOf(limited, limited.force);
  }
  bool has_changed = false;
  for (const LimitedForce& limited : forces.limited) {
    Saturation& side = forces.sides[PlaceOf(model, limited)];
    const double force = CalcForceAtEnd(forces, limited, end);
    if (!IsWrong(limited, side, force)) continue;
    has_changed = true;
    if (has_rows && round >= kPatience && limited.share > 0.0 && !IsNested(model, limited)) {
      side = Saturation::kOpen;
      forces.has_open = true;
      continue;
    }
    // What leaves a bound goes with its slopes first: held on the other one it would swing back and forth.
    side = side == Saturation::kNone ? SideOf(limited, force) : Saturation::kNone;
    if (round >= kPatience) break;
  }
  forces.has_sides = forces.has_sides || has_changed;
  return has_changed;
}

bool IsOpen(const Model& model, const JointForces& forces, const LimitedForce& limited) {
  return forces.has_open && forces.sides[PlaceOf(model, limited)] == Saturation::kOpen;
}

void CloseSides(const Model& model, const StepRows& rows, const GrowingVector& lambda, JointForces& forces) {
  for (std::size_t i = 0; forces.has_open && i < rows.sources.size(); ++i) {
    if (rows.sources[i].effort < 0) continue;
    const LimitedForce& limited = forces.limited[rows.sources[i].effort];
    const Constraint& c = rows.problem.constraints[i];
    Saturation& side = forces.sides[PlaceOf(model, limited)];
    side = lambda[c.row] >= c.upper   ? Saturation::kUpper
           : lambda[c.row] <= c.lower ? Saturation::kLower
                                      : Saturation::kNone;
    SetForce(model, limited, HeldForce(limited, side, limited.force), forces);
  }
  forces.has_open = false;
}

double CalcEffortResidual(const Model& model, const JointForces& forces, const BranchSparseFactor& factor,
                          const EffortEnd& end, double dt, VectorXd& response) {
  double largest = 0.0;
  for (const LimitedForce& limited : forces.limited) {
    const double linear = CalcForceAtEnd(forces, limited, end);
    const Saturation side =
        forces.has_sides ? forces.sides[PlaceOf(model, limited)] : SideOf(limited, limited.force);
    if (!IsWrong(limited, side, linear)) continue;
    const double error = HeldForce(limited, side, linear) - std::clamp(linear, limited.lower, limited.upper);
    response.setZero(model.nv());
    AddAlong(forces, limited, limited.share, response);
    factor.Solve(response.data());
    largest = std::max(largest, std::abs(error) * dt * CalcRate(forces, limited, response));
  }
  return largest;
}

void RecordEfforts(const Model& model, JointForces& forces) {
  for (const LimitedForce& limited : forces.limited) {
    if (limited.actuator < 0) continue;
    double& force = forces.actuator_force[limited.actuator];
    const double clamped = std::clamp(force, limited.lower, limited.upper);
    AddAlong(forces, limited, clamped - force, forces.actuation);
    force = clamped;
    if (limited.dof < 0) continue;
    const Joint& joint = model.joints[model.actuators[limited.actuator].joint];
    double& sum = forces.actuation[limited.dof];
    sum = std::clamp(sum, joint.actuator_force_lower, joint.actuator_force_upper);
  }
}

}  // namespace stiction
