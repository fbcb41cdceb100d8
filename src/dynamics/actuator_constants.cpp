#include "dynamics/actuator_constants.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/transmission.h"
#include "math/spatial_algebra.h"
#include "stiction/dynamics/crba.h"

namespace stiction {
namespace {

constexpr int kRounds = 4;
constexpr int kGrid = 8;      // intervals between a joint's limits
constexpr int kRefined = 24;  // golden sections of the best two: to 1e-5 of the range

bool IsGiven(const Actuator& actuator) {
  return actuator.length_range[0] != actuator.length_range[1];
}

// ℓ as a function of the configuration.
class LengthSearch {
 public:
  LengthSearch(const Model& model, const Actuator& actuator)
      : model_(model), actuator_(actuator), input_(Input::Default(model)), v_(VectorXd::Zero(model.nv())) {
    kin_.Resize(model);
    forces_.Resize(model);
    if (model.num_tendons() > 0) forces_.tendons.Resize(model);
  }

  double At(const VectorXd& q) {
    CalcPositionKinematics(model_, q, input_.mocap, kin_);
    if (model_.num_tendons() > 0) CalcTendons(model_, kin_, q, forces_.tendons);
    const Transmission line = AddTransmission(model_, kin_, actuator_, q, v_, forces_);
    if (line.num_blocks > 0) DropBlocks(line.first_block, forces_);
    return line.length;
  }

  // The least of sign ℓ, over all coordinates that add.
  double FindLeast(double sign) {
    VectorXd q = model_.q0;
    for (const Joint& joint : model_.joints) {
      for (int i = joint.q_address; i < joint.q_address + joint.num_coordinates(); ++i)
        q[i] = std::clamp(q[i], joint.lower, joint.upper);
    }
    double best = sign * At(q);
    for (int round = 0; round < kRounds; ++round) {
      const double before = best;
      for (const Joint& joint : model_.joints) {
        for (int i = joint.q_address; i < joint.q_address + joint.num_coordinates(); ++i)
          best = std::min(best, SearchCoordinate(joint, i, sign, best, q));
      }
      if (before - best <= 1e-9 * std::abs(best)) break;
    }
    return sign * best;
  }

 private:
  // Moves q[k], a coordinate of the joint, to where sign ℓ is least; returns it.
  double SearchCoordinate(const Joint& joint, int k, double sign, double best, VectorXd& q) {
    double& x = q[k];
    const double start = x;
    double lower = joint.lower, upper = joint.upper;
    if (!std::isfinite(lower) || !std::isfinite(upper)) {
      if (joint.traits().travels) return best;
      lower = model_.q0[k] - std::numbers::pi;
      upper = lower + 2.0 * std::numbers::pi;
    }
    const auto value = [&](double at) {
      x = at;
      return sign * At(q);
    };
    double place = start;
    const double step = (upper - lower) / kGrid;
    for (int i = 0; i <= kGrid; ++i) {
      const double at = i == kGrid ? upper : lower + i * step, here = value(at);
      if (here < best) best = here, place = at;
    }
    if (place != start) {
      const double ratio = 0.5 * (std::sqrt(5.0) - 1.0);
      double a = std::max(lower, place - step), b = std::min(upper, place + step);
      for (int i = 0; i < kRefined; ++i) {
        const double c = b - ratio * (b - a), d = a + ratio * (b - a);
        const double at_c = value(c), at_d = value(d);
        if (at_c < best) best = at_c, place = c;
        if (at_d < best) best = at_d, place = d;
        (at_c < at_d ? b : a) = at_c < at_d ? d : c;
      }
    }
    x = place;
    return best;
  }

  const Model& model_;
  const Actuator& actuator_;
  Input input_;
  VectorXd v_;
  Kinematics kin_;
  JointForces forces_;
};

std::array<double, 2> Ordered(double a, double b) {
  return {std::min(a, b), std::max(a, b)};
}

std::array<double, 2> FindLengthRange(const Model& model, const Actuator& actuator) {
  if (IsGiven(actuator)) return actuator.length_range;
  const double gear = actuator.gear[0];
  if (actuator.joint >= 0) {
    const Joint& joint = model.joints[actuator.joint];
    return Ordered(gear * joint.lower, gear * joint.upper);
  }
  LengthSearch search(model, actuator);
  return {search.FindLeast(1.0), search.FindLeast(-1.0)};
}

MuscleScale CalcScale(const Muscle& muscle, const std::array<double, 2>& length_range, double a0) {
  MuscleScale scale;
  scale.fibre_length = (length_range[1] - length_range[0]) / (muscle.range[1] - muscle.range[0]);
  scale.start = length_range[0];
  scale.peak_force = muscle.force >= 0.0 ? muscle.force : a0 > 0.0 ? muscle.scale / a0 : 0.0;
  return scale;
}

bool NeedsConstants(const Actuator& actuator) {
  return actuator.damping_ratio > 0.0 || actuator.muscle_gain || actuator.muscle_bias;
}

// The gradient of ℓ at q0.
VectorXd CalcRow(const Model& model, const Kinematics& kin, const Actuator& actuator, JointForces& forces) {
  VectorXd row = VectorXd::Zero(model.nv());
  const Transmission line =
      AddTransmission(model, kin, actuator, model.q0, VectorXd::Zero(model.nv()), forces);
  const auto [begin, end] = FindEntries(forces, line.first_block, line.num_blocks);
  for (int k = begin; k < end; ++k) row[forces.slope_dofs[k]] += forces.slope_values[k];
  return row;
}

// What MuJoCo's damping ratios mean: Σ M_kk/row_k² over the dofs that move ℓ, without the armature of
// tendons. Along one dof that is the inertia behind the gear; along several it is no inertia that moves, but
// files have their numbers from it.
double CalcReflectedInertia(const Model& model, const Kinematics& kin, const CrbaWorkspace& crba,
                            const VectorXd& row) {
  constexpr double kLeast = 1e-15;  // MuJoCo's, of row²
  double inertia = 0.0;
  for (int k = 0; k < model.nv(); ++k) {
    const double square = row[k] * row[k];
    if (!(square > kLeast)) continue;
    const Joint& joint = model.joints[model.dof_joint[k]];
    const Vector6d S = kin.S.col(k);
    inertia += (S.dot(crba.composite[joint.body] * S) + joint.armature) / square;
  }
  return inertia;
}

}  // namespace

std::vector<ActuatorConstants> CalcActuatorConstants(const Model& model) {
  std::vector<ActuatorConstants> constants(model.actuators.size());
  if (std::none_of(model.actuators.begin(), model.actuators.end(), NeedsConstants)) return constants;
  Kinematics kin;
  kin.Resize(model);
  CalcPositionKinematics(model, model.q0, Input::Default(model).mocap, kin);
  JointForces forces;
  forces.Resize(model);
  if (model.num_tendons() > 0) {
    forces.tendons.Resize(model);
    CalcTendons(model, kin, model.q0, forces.tendons);
  }
  const BranchPattern pattern = MakeMassMatrixPattern(model);
  BranchSparseMatrix M(pattern);
  CrbaWorkspace crba;
  CalcMassMatrix(model, kin, crba, M);
  BranchSparseFactor factor;
  const bool is_regular = factor.Factor(M) < 0;
  for (std::size_t a = 0; a < constants.size(); ++a) {
    const Actuator& actuator = model.actuators[a];
    if (!NeedsConstants(actuator)) continue;
    VectorXd row = CalcRow(model, kin, actuator, forces);
    if (actuator.damping_ratio > 0.0) {
      const double inertia = CalcReflectedInertia(model, kin, crba, row);
      constants[a].damping = 2.0 * actuator.damping_ratio * std::sqrt(actuator.gain[0] * inertia);
    }
    if (!actuator.muscle_gain && !actuator.muscle_bias) continue;
    if (is_regular) factor.Solve(row.data());
    const std::array<double, 2> range = FindLengthRange(model, actuator);
    if (actuator.muscle_gain) constants[a].gain_scale = CalcScale(*actuator.muscle_gain, range, row.norm());
    if (actuator.muscle_bias) constants[a].bias_scale = CalcScale(*actuator.muscle_bias, range, row.norm());
  }
  return constants;
}

}  // namespace stiction
