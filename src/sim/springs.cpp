#include "stiction/sim/springs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "dynamics/force_polynomial.h"
#include "dynamics/transmission.h"
#include "stiction/dynamics/crba.h"
#include "stiction/model/joint/joint_sampler.h"

namespace stiction {
namespace {

constexpr double kVaries = std::numeric_limits<double>::infinity();  // the angle of a stiffness that changes
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
    const bool varies = !IsZero(model.joints[j].stiffness_polynomial);
    if (varies || model.joints[j].stiffness > 0.0)
      springs.push_back(
          {.kind = Spring::Kind::kJoint, .index = j, .angle = varies ? kVaries : 0.0, .is_implicit = varies});
  }
  for (int t = 0; t < model.num_tendons(); ++t) {
    const bool varies = !IsZero(model.tendons[t].stiffness_polynomial);
    if (varies || model.tendons[t].stiffness > 0.0)
      springs.push_back({.kind = Spring::Kind::kTendon,
                         .index = t,
                         .angle = varies ? kVaries : 0.0,
                         .is_implicit = varies});
  }
  for (int a = 0; a < model.nu(); ++a) {
    const Actuator& actuator = model.actuators[a];
    if (actuator.body >= 0) continue;
    const bool varies = actuator.muscle_gain || actuator.muscle_bias || actuator.gain[1] != 0.0;
    if (!varies && CalcConstantStiffness(actuator) == 0.0) continue;
    springs.push_back({.kind = Spring::Kind::kActuator,
                       .index = a,
                       .angle = varies ? kVaries : 0.0,
                       .is_implicit = varies});
  }
  return springs;
}

std::vector<VectorXd> ListConfigurations(const Model& model) {
  std::vector<VectorXd> list{model.q0};
  for (const Keyframe& keyframe : model.keyframes) list.push_back(keyframe.q);
  JointSampler sampler(1);
  for (int i = 0; i < kNumSamples; ++i) SampleConfiguration(model, sampler, list.emplace_back(model.q0));
  return list;
}

// Springs on trees that springs tie together, none of which moves with those of another cluster.
struct Cluster {
  std::vector<int> rows;
  std::vector<int> trees;
  int num_dofs = 0;  // of the trees
  MatrixXd X;        // column i: √k L⁻ᵀ Jᵀ of row i, with M = LᵀL
  MatrixXd G;        // largest |XᵀX| so far [1/s²]
};

class Judge {
 public:
  Judge(const Model& model, std::vector<Spring>& springs)
      : model_(model), springs_(springs), pattern_(MakeMassMatrixPattern(model)), M_(pattern_) {
    kin_.Resize(model);
    forces_.Resize(model);
    if (model.num_tendons() > 0) forces_.tendons.Resize(model);
    mocap_ = Input::Default(model).mocap;
    scaled_.setZero(model.nv());
  }

  // Raises the Gram matrices to what they are at q.
  void See(const VectorXd& q) {
    CalcPositionKinematics(model_, q, mocap_, kin_);
    ListRows(q);
    if (clusters_.empty()) FindClusters();
    CalcMassMatrix(model_, kin_, crba_, M_);
    if (factor_.Factor(M_) >= 0) return;  // singular: the step will say so
    for (Cluster& cluster : clusters_) {
      for (std::size_t i = 0; i < cluster.rows.size(); ++i)
        ScaleRow(cluster, rows_[cluster.rows[i]], cluster.X.col(static_cast<Eigen::Index>(i)));
      cluster.G = cluster.G.cwiseMax((cluster.X.transpose() * cluster.X).cwiseAbs());
    }
  }

  // Fills angle and is_implicit of all whose stiffness is constant.
  void Decide(double dt) {
    for (const Cluster& cluster : clusters_) Decide(cluster, dt);
  }

 private:
  void Decide(const Cluster& cluster, double dt) {
    const MatrixXd& G = cluster.G;
    const double limit = kMaxSpringAngle * kMaxSpringAngle / (dt * dt);
    const auto spring = [&](Eigen::Index i) -> Spring& { return springs_[rows_[cluster.rows[i]].spring]; };
    const auto raise = [&](Eigen::Index i, double omega2, bool is_implicit) {
      spring(i).angle = std::max(spring(i).angle, dt * std::sqrt(omega2));
      spring(i).is_implicit = is_implicit;
    };
    for (Eigen::Index i = 0; i < G.rows(); ++i) {
      if (!(G(i, i) <= limit)) raise(i, G(i, i), true);
    }
    VectorXd sums(G.rows());
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      sums.setZero();
      for (Eigen::Index j = 0; j < G.cols(); ++j) {
        if (!spring(j).is_implicit) sums += G.col(j);
      }
      for (Eigen::Index i = 0; i < G.rows(); ++i) {
        if (spring(i).is_implicit || sums[i] <= limit) continue;
        raise(i, sums[i], true);
        has_changed = true;
      }
    }
    for (Eigen::Index i = 0; i < G.rows(); ++i) {
      if (!spring(i).is_implicit) raise(i, sums[i], false);
    }
  }

  void ScaleRow(const Cluster& cluster, const Row& row, Eigen::Ref<VectorXd> out) {
    for (const Entry& entry : row.J) scaled_[entry.dof] = std::sqrt(row.stiffness) * entry.value;
    int offset = 0;
    for (const int t : cluster.trees) {
      const Tree& tree = model_.trees[t];
      factor_.SolveTransposed(scaled_.data(), tree.first_dof, tree.first_dof + tree.num_dofs);
      out.segment(offset, tree.num_dofs) = scaled_.segment(tree.first_dof, tree.num_dofs);
      scaled_.segment(tree.first_dof, tree.num_dofs).setZero();
      offset += tree.num_dofs;
    }
  }

  void FindClusters() {
    std::vector<int> parent(model_.trees.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto find = [&](int tree) {
      while (parent[tree] != tree) tree = parent[tree] = parent[parent[tree]];
      return tree;
    };
    for (const Row& row : rows_) {
      for (const Entry& entry : row.J)
        parent[find(model_.dof_tree[entry.dof])] = find(model_.dof_tree[row.J.front().dof]);
    }
    std::vector<int> cluster_of(model_.trees.size(), -1);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r].J.empty()) continue;
      int& cluster = cluster_of[find(model_.dof_tree[rows_[r].J.front().dof])];
      if (cluster < 0) cluster = static_cast<int>(clusters_.size()), clusters_.emplace_back();
      clusters_[cluster].rows.push_back(static_cast<int>(r));
    }
    for (int t = 0; t < model_.num_trees(); ++t) {
      if (cluster_of[find(t)] < 0) continue;
      Cluster& cluster = clusters_[cluster_of[find(t)]];
      cluster.trees.push_back(t);
      cluster.num_dofs += model_.trees[t].num_dofs;
    }
    for (Cluster& cluster : clusters_) {
      const auto n = static_cast<Eigen::Index>(cluster.rows.size());
      cluster.X.setZero(cluster.num_dofs, n);
      cluster.G.setZero(n, n);
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
  VectorXd mocap_, scaled_;  // scaled_: size nv, zero between calls
  std::vector<Row> rows_;    // at the configuration seen last
  std::vector<Cluster> clusters_;
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
