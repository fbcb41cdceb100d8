#include "stiction/sim/springs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "dynamics/transmission.h"
#include "stiction/dynamics/crba.h"

namespace stiction {
namespace {

constexpr int kNumSamples = 8;  // configurations beyond q0 and the keyframes

// One entry of a spring's Jacobian.
struct Entry {
  int dof;
  double value;
};

// ℓ = J v of one direction of a spring; those of ball joints have three, of free joints six.
struct Row {
  int spring = 0;
  double stiffness = 0.0;
  std::vector<Entry> J;
};

double CalcConstantStiffness(const Actuator& actuator) {
  return std::max(0.0, -actuator.bias[1]);
}

// What has a stiffness; of actuators also where it changes with the control.
std::vector<Spring> ListSprings(const Model& model) {
  std::vector<Spring> springs;
  for (int j = 0; j < model.num_joints(); ++j) {
    if (model.joints[j].stiffness > 0.0) springs.push_back({.kind = Spring::Kind::kJoint, .index = j});
  }
  for (int t = 0; t < model.num_tendons(); ++t) {
    if (model.tendons[t].stiffness > 0.0) springs.push_back({.kind = Spring::Kind::kTendon, .index = t});
  }
  for (int a = 0; a < model.nu(); ++a) {
    const Actuator& actuator = model.actuators[a];
    if (actuator.body >= 0) continue;
    const bool varies = actuator.muscle_gain || actuator.muscle_bias || actuator.gain[1] != 0.0;
    if (!varies && CalcConstantStiffness(actuator) == 0.0) continue;
    const double angle = varies ? std::numeric_limits<double>::infinity() : 0.0;
    springs.push_back({.kind = Spring::Kind::kActuator, .index = a, .angle = angle, .is_implicit = varies});
  }
  return springs;
}

// Hinges anywhere in their range, or all around; slides in their range, or where they are; balls any way.
struct Sample {
  const Joint& joint;
  std::mt19937& random;
  double* q;

  double Draw() const { return static_cast<double>(random()) / 4294967296.0; }  // in [0, 1)
  bool HasRange() const { return std::isfinite(joint.lower) && std::isfinite(joint.upper); }
  void DrawInRange() const { *q = joint.lower + Draw() * (joint.upper - joint.lower); }
  void DrawTurn(double* wxyz) const {
    const Vector3d axis(2.0 * Draw() - 1.0, 2.0 * Draw() - 1.0, 2.0 * Draw() - 1.0);
    QuaternionToWxyz(QuaternionExp(std::numbers::pi * axis), wxyz);
  }

  void operator()(const FreeJoint&) const { DrawTurn(q + 3); }
  void operator()(const BallJoint&) const { DrawTurn(q); }
  void operator()(const SlideJoint&) const {
    if (HasRange()) DrawInRange();
  }
  void operator()(const HingeJoint&) const {
    if (HasRange()) return DrawInRange();
    *q = std::numbers::pi * (2.0 * Draw() - 1.0);
  }
};

std::vector<VectorXd> ListConfigurations(const Model& model) {
  std::vector<VectorXd> list{model.q0};
  for (const Keyframe& keyframe : model.keyframes) list.push_back(keyframe.q);
  std::mt19937 random(1);
  for (int i = 0; i < kNumSamples; ++i) {
    list.push_back(model.q0);
    for (const Joint& joint : model.joints)
      std::visit(Sample{joint, random, list.back().data() + joint.q_address}, joint.kind);
  }
  return list;
}

class Judge {
 public:
  Judge(const Model& model, std::vector<Spring>& springs)
      : model_(model), springs_(springs), pattern_(MakeMassMatrixPattern(model)), M_(pattern_) {
    kin_.Resize(model);
    forces_.Resize(model);
    if (model.num_tendons() > 0) forces_.tendons.Resize(model);
    mocap_ = Input::Default(model).mocap;
  }

  // Raises G_ to what it is at q.
  void See(const VectorXd& q) {
    CalcPositionKinematics(model_, q, mocap_, kin_);
    ListRows(q);
    const auto n = static_cast<Eigen::Index>(rows_.size());
    if (G_.size() == 0) G_.setZero(n, n);
    CalcMassMatrix(model_, kin_, crba_, M_);
    if (factor_.Factor(M_) >= 0) return;  // no motion at all: the step will say so
    for (Eigen::Index i = 0; i < n; ++i) {
      solved_.setZero(model_.nv());
      for (const Entry& entry : rows_[i].J) solved_[entry.dof] = entry.value;
      factor_.Solve(solved_.data());
      for (Eigen::Index j = 0; j < n; ++j) {
        double mobility = 0.0;
        for (const Entry& entry : rows_[j].J) mobility += entry.value * solved_[entry.dof];
        const double size = std::abs(mobility) * std::sqrt(rows_[i].stiffness * rows_[j].stiffness);
        G_(i, j) = std::max(G_(i, j), size);
      }
    }
  }

  // Fills angle and is_implicit of all whose stiffness is constant.
  void Decide(double dt) {
    const double limit = kMaxSpringAngle * kMaxSpringAngle / (dt * dt);
    for (Eigen::Index i = 0; i < G_.rows(); ++i) {
      if (!(G_(i, i) <= limit)) Raise(i, G_(i, i), dt, true);
    }
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      CalcRowSums();
      for (Eigen::Index i = 0; i < G_.rows(); ++i) {
        if (SpringOf(i).is_implicit || sums_[i] <= limit) continue;
        Raise(i, sums_[i], dt, true);
        has_changed = true;
      }
    }
    for (Eigen::Index i = 0; i < G_.rows(); ++i) {
      if (!SpringOf(i).is_implicit) Raise(i, sums_[i], dt, false);
    }
  }

 private:
  Spring& SpringOf(Eigen::Index row) { return springs_[rows_[row].spring]; }

  void Raise(Eigen::Index row, double omega2, double dt, bool is_implicit) {
    Spring& spring = SpringOf(row);
    spring.angle = std::max(spring.angle, dt * std::sqrt(omega2));
    spring.is_implicit = is_implicit;
  }

  // Over the springs that are explicit so far.
  void CalcRowSums() {
    sums_.setZero(G_.rows());
    for (Eigen::Index j = 0; j < G_.cols(); ++j) {
      if (!SpringOf(j).is_implicit) sums_ += G_.col(j);
    }
  }

  void ListRows(const VectorXd& q) {
    rows_.clear();
    forces_.Resize(model_);
    if (model_.num_tendons() > 0) CalcTendons(model_, kin_, q, forces_.tendons);
    const VectorXd v = VectorXd::Zero(model_.nv());
    for (std::size_t s = 0; s < springs_.size(); ++s) {
      const Spring& spring = springs_[s];
      if (std::isinf(spring.angle)) continue;
      if (spring.kind == Spring::Kind::kJoint) {
        const Joint& joint = model_.joints[spring.index];
        for (int k = 0; k < joint.nv(); ++k)
          rows_.push_back({static_cast<int>(s), joint.stiffness, {{joint.v_address + k, 1.0}}});
        continue;
      }
      const bool is_tendon = spring.kind == Spring::Kind::kTendon;
      const Transmission line =
          is_tendon ? AddTendonTransmission(spring.index, 1.0, forces_)
                    : AddTransmission(model_, kin_, model_.actuators[spring.index], q, v, forces_);
      Row& row = rows_.emplace_back();
      row.spring = static_cast<int>(s);
      row.stiffness = is_tendon ? model_.tendons[spring.index].stiffness
                                : CalcConstantStiffness(model_.actuators[spring.index]);
      if (line.num_blocks == 0) continue;
      const auto [begin, end] = FindEntries(forces_, line.first_block, line.num_blocks);
      for (int k = begin; k < end; ++k) row.J.push_back({forces_.slope_dofs[k], forces_.slope_values[k]});
    }
  }

  const Model& model_;
  std::vector<Spring>& springs_;
  BranchPattern pattern_;
  BranchSparseMatrix M_;
  BranchSparseFactor factor_;
  CrbaWorkspace crba_;
  Kinematics kin_;
  JointForces forces_;
  VectorXd mocap_, solved_, sums_;
  std::vector<Row> rows_;
  MatrixXd G_;  // largest |√(kᵢ kⱼ) Jᵢ M⁻¹ Jⱼᵀ| so far [1/s²]
};

}  // namespace

std::vector<Spring> FindSprings(const Model& model, double dt) {
  std::vector<Spring> springs = ListSprings(model);
  if (springs.empty()) return springs;
  Judge judge(model, springs);
  for (const VectorXd& q : ListConfigurations(model)) judge.See(q);
  judge.Decide(dt);
  std::erase_if(springs, [](const Spring& spring) { return spring.angle == 0.0; });
  return springs;
}

ExplicitSprings FindExplicitSprings(const Model& model, Integrator integrator, double dt) {
  ExplicitSprings flags;
  if (integrator != Integrator::kSymplecticEuler) return flags;
  flags.joints.assign(model.joints.size(), 0);
  flags.tendons.assign(model.tendons.size(), 0);
  flags.actuators.assign(model.actuators.size(), 0);
  for (const Spring& spring : FindSprings(model, dt)) {
    if (spring.is_implicit) continue;
    std::vector<char>& list = spring.kind == Spring::Kind::kJoint    ? flags.joints
                              : spring.kind == Spring::Kind::kTendon ? flags.tendons
                                                                     : flags.actuators;
    list[spring.index] = 1;
  }
  return flags;
}

std::string DisplayName(const Model& model, const Spring& spring) {
  const auto name = [&](const char* kind, const std::string& given) {
    return std::string(kind) + ' ' + (given.empty() ? std::to_string(spring.index) : "'" + given + "'");
  };
  switch (spring.kind) {
    case Spring::Kind::kJoint:
      return name("joint", model.joints[spring.index].name);
    case Spring::Kind::kTendon:
      return name("tendon", model.tendons[spring.index].name);
    case Spring::Kind::kActuator:
      return name("actuator", model.actuators[spring.index].name);
  }
  return "";
}

}  // namespace stiction
