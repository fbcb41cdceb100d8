#include "dynamics/tendon_inertia.h"

#include <algorithm>

#include "stiction/dynamics/jacobian.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

using Site = SpatialTendon::Site;

// Calls segment(a, b, weight) for each straight piece of a path without wraps.
template <typename Function>
void ForSegments(const SpatialTendon& tendon, Function&& segment) {
  const Site* last = nullptr;
  double weight = 1.0;
  for (const SpatialTendon::Element& element : tendon.path) {
    if (const auto* pulley = std::get_if<SpatialTendon::Pulley>(&element)) {
      weight = 1.0 / pulley->divisor;
      last = nullptr;
    }
    const auto* site = std::get_if<Site>(&element);
    if (!site) continue;
    if (last) segment(*last, *site, weight);
    last = site;
  }
}

// The gradient of one tendon along the dofs of one of its blocks.
class BlockGradient {
 public:
  BlockGradient(const Model& model, const Kinematics& kin, const TendonInertia& inertia,
                const TendonInertia::Block& block, double* values)
      : model_(model), kin_(kin), dofs_(inertia.dofs.data() + block.first), block_(block), values_(values) {
    std::fill_n(values_, block.num_dofs, 0.0);
  }

  void operator()(const FixedTendon& tendon) {
    for (const FixedTendon::Term& term : tendon.terms) {
      const int dof = model_.joints[term.joint].v_address;
      if (model_.dof_tree[dof] == block_.tree) At(dof) += term.coefficient;
    }
  }
  void operator()(const SpatialTendon& tendon) {
    ForSegments(tendon, [&](const Site& a, const Site& b, double weight) {
      const Vector3d p_a = kin_.X_WB[a.body] * a.p_B, p_b = kin_.X_WB[b.body] * b.p_B;
      const double distance = (p_b - p_a).norm();
      if (a.body == b.body || !(distance > 0.0)) return;
      const Vector3d pull = weight / distance * (p_b - p_a);
      Add(a.body, p_a, -pull);
      Add(b.body, p_b, pull);
    });
  }

 private:
  double& At(int dof) { return values_[std::lower_bound(dofs_, dofs_ + block_.num_dofs, dof) - dofs_]; }
  void Add(int b, const Vector3d& p_W, const Vector3d& g_W) {
    const Body& body = model_.bodies[b];
    if (body.tree != block_.tree) return;
    Vector6d F;
    F << (p_W - kin_.p_WT[body.tree]).cross(g_W), g_W;
    for (int k = body.last_dof; k >= 0; k = model_.dof_parent[k]) At(k) += kin_.S.col(k).dot(F);
  }

  const Model& model_;
  const Kinematics& kin_;
  const int* dofs_;
  const TendonInertia::Block& block_;
  double* values_;
};

// J̇ v.
double CalcBiasRate(const Model& model, const Kinematics& kin, const VectorXd& v, const Tendon& tendon) {
  const auto* spatial = std::get_if<SpatialTendon>(&tendon.path);
  if (spatial == nullptr) return 0.0;
  double rate = 0.0;
  ForSegments(*spatial, [&](const Site& a, const Site& b, double weight) {
    const Vector3d p_a = kin.X_WB[a.body] * a.p_B, p_b = kin.X_WB[b.body] * b.p_B;
    const double distance = (p_b - p_a).norm();
    if (a.body == b.body || !(distance > 0.0)) return;
    const Vector3d u = (p_b - p_a) / distance;
    const Vector3d w =
        CalcPointVelocity(model, kin, b.body, p_b) - CalcPointVelocity(model, kin, a.body, p_a);
    const Vector3d bias = CalcBiasAcceleration(model, kin, v, b.body, p_b).tail<3>() -
                          CalcBiasAcceleration(model, kin, v, a.body, p_a).tail<3>();
    const double along = u.dot(w);
    rate += weight * (u.dot(bias) + (w.squaredNorm() - along * along) / distance);
  });
  return rate;
}

// Calls function(tendon, dofs, values, number of dofs) for each block in the trees.
template <typename Function>
void ForBlocks(const Model& model, const TreeSet& trees, const Kinematics& kin, std::vector<double>& values,
               Function&& function) {
  const TendonInertia& inertia = model.tendon_inertia;
  values.resize(inertia.dofs.size());
  for (const TendonInertia::Block& block : inertia.blocks) {
    if (!trees.contains[block.tree]) continue;
    const Tendon& tendon = model.tendons[block.tendon];
    double* value = values.data() + block.first;
    std::visit(BlockGradient(model, kin, inertia, block, value), tendon.path);
    function(tendon, inertia.dofs.data() + block.first, value, block.num_dofs);
  }
}

// Calls function(i, j) for every dof i of a block and every dof j of it at or above i; their places in the
// block.
template <typename Function>
void ForPairs(const Model& model, const int* dofs, int num_dofs, Function&& function) {
  for (int i = 0; i < num_dofs; ++i) {
    int j = i;
    for (int k = dofs[i]; k >= 0; k = model.dof_parent[k]) {
      while (dofs[j] != k) --j;  // with a dof a block has all above it
      function(i, j);
    }
  }
}

}  // namespace

void AddTendonInertia(const Model& model, const TreeSet& trees, const Kinematics& kin,
                      std::vector<double>& values, BranchSparseMatrix& M) {
  ForBlocks(model, trees, kin, values, [&](const Tendon& tendon, const int* dofs, double* J, int num_dofs) {
    for (int i = 0; i < num_dofs; ++i) {
      double* entry = M.row(dofs[i]) + M.pattern().row_length(dofs[i]);
      int j = i;
      for (int k = dofs[i]; k >= 0; k = model.dof_parent[k]) {
        while (dofs[j] != k) --j;
        *--entry += tendon.armature * J[i] * J[j];
      }
    }
  });
}

void AddTendonBias(const Model& model, const TreeSet& trees, const Kinematics& kin, const VectorXd& v,
                   const double* vdot, std::vector<double>& values, VectorXd& tau) {
  ForBlocks(model, trees, kin, values, [&](const Tendon& tendon, const int* dofs, double* J, int num_dofs) {
    const double force = tendon.armature * CalcBiasRate(model, kin, v, tendon);
    for (int i = 0; i < num_dofs; ++i) tau[dofs[i]] += force * J[i];
    if (vdot == nullptr) return;
    ForPairs(model, dofs, num_dofs, [&](int i, int j) {
      const double entry = tendon.armature * J[i] * J[j];
      tau[dofs[i]] += entry * vdot[dofs[j]];
      if (i != j) tau[dofs[j]] += entry * vdot[dofs[i]];
    });
  });
}

double CalcTendonKineticEnergy(const Model& model, const Kinematics& kin, const VectorXd& v) {
  double energy = 0.0;
  std::vector<double> values;
  ForBlocks(model, model.all_trees, kin, values,
            [&](const Tendon& tendon, const int* dofs, double* J, int num_dofs) {
              ForPairs(model, dofs, num_dofs, [&](int i, int j) {
                const double share = i == j ? 0.5 : 1.0;
                energy += share * tendon.armature * J[i] * J[j] * v[dofs[i]] * v[dofs[j]];
              });
            });
  return energy;
}

}  // namespace stiction
