// Algorithms on a set of trees: what belongs to it comes out as of all trees, to the bit; the rest stays.
#include "stiction/model/tree_set.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/dynamics/moving_model.h"

namespace stiction::testing {
namespace {

// Every second tree of a random forest.
TreeSet MakeEverySecond(const Model& model) {
  std::vector<char> contains(model.trees.size());
  for (std::size_t t = 0; t < contains.size(); ++t) contains[t] = t % 2 == 0;
  TreeSet trees;
  trees.Assign(model, contains);
  return trees;
}

bool Has(const std::vector<IndexRange>& ranges, int i) {
  for (const IndexRange& range : ranges) {
    if (range.begin <= i && i < range.end) return true;
  }
  return false;
}

TEST(TreeSet, RangesHoldTheirTreesAndWhatIsFixed) {
  int num_left_out = 0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const Model model = MakeRandomModel(seed, kNumBodies, JointSet::kAll);
    const TreeSet trees = MakeEverySecond(model);
    const auto belongs = [&](int tree) { return tree < 0 || tree % 2 == 0; };
    for (int b = 1; b < model.num_bodies(); ++b) {
      EXPECT_EQ(Has(trees.bodies, b), belongs(model.bodies[b].tree));
      num_left_out += !belongs(model.bodies[b].tree);
    }
    for (int k = 0; k < model.nv(); ++k) EXPECT_EQ(Has(trees.dofs, k), belongs(model.dof_tree[k]));
    for (int j = 0; j < model.num_joints(); ++j)
      EXPECT_EQ(Has(trees.joints, j), belongs(model.bodies[model.joints[j].body].tree));
    for (const std::vector<IndexRange>* ranges : {&trees.bodies, &trees.joints, &trees.dofs, &trees.geoms}) {
      for (std::size_t i = 1; i < ranges->size(); ++i) EXPECT_GT((*ranges)[i].begin, (*ranges)[i - 1].end);
    }
    EXPECT_LE(model.all_trees.dofs.size(), 1u);
  }
  EXPECT_GT(num_left_out, 50);
}

TEST(TreeSet, KinematicsOfTheRestStay) {
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    MovingModel moving = MovingModel::MakeRandom(seed);
    const Model& model = moving.model;
    const TreeSet trees = MakeEverySecond(model);
    const Kinematics before = moving.kin;
    moving.q = MakeRandomConfiguration(model, seed + 1000);
    moving.v = MakeRandomVelocity(model, seed + 1000);
    CalcPositionKinematics(model, trees, moving.q, moving.input.mocap, moving.kin);
    CalcVelocityKinematics(model, trees, moving.v, moving.kin);
    MovingModel whole = moving;
    whole.Update();
    for (int b = 1; b < model.num_bodies(); ++b) {
      const Kinematics& expected = Has(trees.bodies, b) ? whole.kin : before;
      EXPECT_EQ(moving.kin.X_WB[b].p, expected.X_WB[b].p);
      EXPECT_EQ(moving.kin.X_WB[b].R, expected.X_WB[b].R);
      EXPECT_EQ(moving.kin.V_WB[b], expected.V_WB[b]);
    }
    for (int k = 0; k < model.nv(); ++k)
      EXPECT_EQ(moving.kin.dS.col(k), (Has(trees.dofs, k) ? whole.kin : before).dS.col(k));
  }
}

TEST(TreeSet, MassMatrixAndBiasOfTheRestStay) {
  constexpr double kPoison = 1e300;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MovingModel::MakeRandom(seed);
    const Model& model = moving.model;
    const TreeSet trees = MakeEverySecond(model);
    BranchSparseMatrix M(MakeMassMatrixPattern(model));
    VectorXd h = VectorXd::Constant(model.nv(), kPoison);
    for (int k = 0; k < model.nv(); ++k) M.diagonal(k) = kPoison;
    CrbaWorkspace crba;
    RneaWorkspace rnea;
    CalcMassMatrix(model, trees, moving.kin, crba, M);
    CalcBias(model, trees, moving.kin, moving.v, model.options.gravity, rnea, h);
    const MatrixXd whole_M = DenseMassMatrix(moving), dense = M.ToDense();
    const VectorXd whole_h = Bias(moving);
    for (int k = 0; k < model.nv(); ++k) {
      EXPECT_EQ(h[k], Has(trees.dofs, k) ? whole_h[k] : kPoison);
      for (int j = 0; j < k; ++j) EXPECT_EQ(dense(k, j), Has(trees.dofs, k) ? whole_M(k, j) : 0.0);
      EXPECT_EQ(dense(k, k), Has(trees.dofs, k) ? whole_M(k, k) : kPoison);
    }
  }
}

}  // namespace
}  // namespace stiction::testing
