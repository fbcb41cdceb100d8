#include "sim/inverse_weights.h"

#include <algorithm>

#include "stiction/dynamics/crba.h"
#include "stiction/dynamics/tendon.h"
#include "stiction/math/branch_sparse.h"
#include "stiction/model/input.h"

namespace stiction {
namespace {

bool GivesWay(const Model& model) {
  const auto is_soft = [](const auto& limited) { return limited.limit_softness.has_value(); };
  return model.options.contact_model == ContactModel::kSoft ||
         std::any_of(model.joints.begin(), model.joints.end(), is_soft) ||
         std::any_of(model.tendons.begin(), model.tendons.end(), is_soft) ||
         std::any_of(model.equalities.begin(), model.equalities.end(),
                     [](const Equality& equality) { return equality.softness.has_value(); });
}

// r M⁻¹ rᵀ of rows r that are zero but in some trees.
class RowWeight {
 public:
  RowWeight(const Model& model, const BranchSparseFactor& factor)
      : model_(model), factor_(factor), row_(VectorXd::Zero(model.nv())) {}

  double& operator[](int dof) { return row_[dof]; }

  // Of the part in one tree, which becomes zero.
  double Take(int tree) {
    const int first = model_.trees[tree].first_dof, num = model_.trees[tree].num_dofs;
    factor_.SolveTransposed(row_.data(), first, first + num);
    const double weight = row_.segment(first, num).squaredNorm();
    row_.segment(first, num).setZero();
    return weight;
  }

 private:
  const Model& model_;
  const BranchSparseFactor& factor_;
  VectorXd row_;
};

// A body alone that slides along axes of its own, centred and principal: MuJoCo takes its mass.
bool IsPlainSlider(const Model& model, int b) {
  const Body& body = model.bodies[b];
  if (body.tree < 0 || body.num_dofs != model.trees[body.tree].num_dofs) return false;
  const bool is_alone = std::none_of(model.bodies.begin() + b + 1, model.bodies.end(),
                                     [&](const Body& other) { return other.tree == body.tree; });
  const Matrix3d& I = body.inertia.I_BBcm_B;
  if (!is_alone || !body.inertia.p_BBcm.isZero(0.0) || !I.isDiagonal(0.0)) return false;
  for (int j = body.first_joint; j < body.first_joint + body.num_joints; ++j) {
    const auto* slide = std::get_if<SlideJoint>(&model.joints[j].kind);
    if (slide == nullptr || (slide->axis_B.array() != 0.0).count() != 1) return false;
  }
  return true;
}

}  // namespace

InverseWeights::InverseWeights(const Model& model) {
  if (!GivesWay(model)) return;
  Kinematics kin;
  kin.Resize(model);
  CalcPositionKinematics(model, model.q0, Input::Default(model).mocap, kin);
  const BranchPattern pattern = MakeMassMatrixPattern(model);
  BranchSparseMatrix M(pattern);
  CrbaWorkspace crba;
  CalcMassMatrix(model, kin, crba, M);
  BranchSparseFactor factor;
  if (factor.Factor(M) >= 0) return;
  RowWeight row(model, factor);

  translation_.resize(model.bodies.size());
  rotation_.resize(model.bodies.size());
  for (int b = 1; b < model.num_bodies(); ++b) {
    const Body& body = model.bodies[b];
    if (body.tree < 0) continue;
    const Vector3d p_T = kin.p_WBcm[b] - kin.p_WT[body.tree];
    for (int axis = 0; axis < 3; ++axis) {
      for (int k = body.last_dof; k >= 0; k = model.dof_parent[k])
        row[k] = kin.S(3 + axis, k) + kin.S.col(k).head<3>().cross(p_T)[axis];
      translation_[b] += row.Take(body.tree) / 3.0;
      for (int k = body.last_dof; k >= 0; k = model.dof_parent[k]) row[k] = kin.S(axis, k);
      rotation_[b] += row.Take(body.tree) / 3.0;
    }
    if (IsPlainSlider(model, b)) translation_[b] = 1.0 / body.inertia.mass;
  }

  joints_.resize(model.joints.size());
  for (int k = 0; k < model.nv(); ++k) {
    const Joint& joint = model.joints[model.dof_joint[k]];
    if (std::holds_alternative<FreeJoint>(joint.kind)) continue;
    row[k] = 1.0;
    joints_[model.dof_joint[k]] +=
        row.Take(model.dof_tree[k]) / (std::holds_alternative<BallJoint>(joint.kind) ? 3.0 : 1.0);
  }

  tendons_.resize(model.tendons.size());
  if (tendons_.empty()) return;
  TendonWorkspace tendons;
  tendons.Resize(model);
  CalcTendons(model, kin, model.q0, tendons);
  for (std::size_t t = 0; t < tendons_.size(); ++t) {
    for (int i = tendons.first_block[t]; i < tendons.first_block[t + 1]; ++i) {
      const TendonWorkspace::Block& block = tendons.blocks[i];
      for (int k = block.first; k < block.first + block.num_dofs; ++k)
        row[tendons.dofs[k]] = tendons.values[k];
      tendons_[t] += row.Take(block.tree);
    }
  }
}

}  // namespace stiction
