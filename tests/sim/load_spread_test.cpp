// Loads that no law tells apart: what is shared, and what of it decides whether a grip holds.
#include "sim/load_spread.h"

#include <gtest/gtest.h>

#include <random>

#include "sim/row_assembler.h"
#include "stiction/io/load.h"
#include "stiction/sim/world.h"
#include "tests/support/scenes.h"
#include "tests/support/step_start.h"

namespace stiction::testing {
namespace {

using Shares = Eigen::Matrix<double, 2, 4>;  // of what friction can bear along x and y, a corner a column

// A cube that stands on the floor, and ended a step with these loads and this friction on its corners.
struct PressedCube {
  // All friction along -y, as of one that is about to slide or not.
  PressedCube(const Eigen::Vector4d& loads, bool slides)
      : PressedCube(loads, Eigen::Vector2d(0.0, slides ? -1.0 : -0.5).replicate<1, 4>()) {}
  PressedCube(const Eigen::Vector4d& loads, const Shares& shares)
      : start(MakeBoxStack(1)), assembler(start.model, start.pattern) {
    Assemble();
    Solution solution{start.state.v, VectorXd::Zero(12), {}};
    for (int i = 0; i < 4; ++i) {
      const int contact = assembler.rows().sources[i].contact;
      const double limit = start.contacts[contact].friction.sliding * loads[i];
      solution.lambda.segment<3>(3 * i) =
          start.R_WC[contact].transpose() * Vector3d(limit * shares(0, i), limit * shares(1, i), loads[i]);
    }
    slip.Remember(start.frame(), assembler.rows(), solution, {}, {}, start.state.contacts);
    Assemble();
    before = Impulses();
    spread.Run(start.frame(), start.state.contacts, assembler.rows());
  }
  void Assemble() { start.Assemble(slip, assembler); }
  VectorXd Impulses() const {
    return Eigen::Map<const VectorXd>(assembler.rows().warm_start.data(),
                                      assembler.rows().problem.num_rows());
  }
  // Of the normal impulses alone: what they do to the cube.
  VectorXd PressOf(const VectorXd& impulses) const {
    VectorXd normal = impulses;
    for (int i = 0; i < 4; ++i) normal.segment<2>(3 * i).setZero();
    return assembler.rows().problem.DenseJ().transpose() * normal;
  }

  StepStart start;
  RowAssembler assembler;
  SlipMemory slip;
  LoadSpread spread;
  VectorXd before;
};

// Four corners have one way to share that presses on nothing: up on one diagonal and down on the other.
TEST(LoadSpread, SharesWhatSlidesAsOneMotionWouldPress) {
  const PressedCube cube(Eigen::Vector4d(0.030, 0.010, 0.012, 0.008), true);
  const VectorXd after = cube.Impulses();
  EXPECT_LT((cube.PressOf(after) - cube.PressOf(cube.before)).norm(), 1e-15);
  double square = 0.0, square_before = 0.0;
  for (int i = 0; i < 4; ++i) {
    square += std::pow(after[3 * i + 2], 2);
    square_before += std::pow(cube.before[3 * i + 2], 2);
    // Friction goes with the load.
    EXPECT_LT(
        (after.segment<2>(3 * i) / after[3 * i + 2] - cube.before.segment<2>(3 * i) / cube.before[3 * i + 2])
            .norm(),
        1e-14);
  }
  // What differs from the loads before is of that one way: d, -d, -d, d by the corners' order of x and y.
  const double change = std::abs(after[2] - cube.before[2]);
  EXPECT_GT(change, 1e-3);
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(std::abs(after[3 * i + 2] - cube.before[3 * i + 2]), change, 1e-15) << i;
  EXPECT_NEAR(square, square_before - 4.0 * change * change, 1e-15);
}

TEST(LoadSpread, NothingPullsAndWhatSticksStays) {
  // One motion would press three corners and pull the fourth.
  const PressedCube tipping(Eigen::Vector4d(0.05, 0.0, 0.0, 0.0), true);
  EXPECT_EQ(tipping.Impulses(), tipping.before);
  const PressedCube leaning(Eigen::Vector4d(0.05, 0.004, 0.004, 0.004), true);
  EXPECT_GE(leaning.Impulses().minCoeff(), -0.05);
  for (int i = 0; i < 4; ++i) EXPECT_GE(leaning.Impulses()[3 * i + 2], 0.0) << i;
  EXPECT_LT((leaning.PressOf(leaning.Impulses()) - leaning.PressOf(leaning.before)).norm(), 1e-15);
  const PressedCube resting(Eigen::Vector4d(0.030, 0.010, 0.012, 0.008), false);
  EXPECT_EQ(resting.Impulses(), resting.before);
}

// Three corners at their limit hold against the fourth. What they bear together takes less than 0.6 of it,
// shared as one translation and one turn would press.
TEST(LoadSpread, FrictionOfWhatStandsStillUsesUpTheLeast) {
  Shares shares;
  shares << 1.0, -1.0, 0.6, 0.2, 0.0, 0.0, 0.8, 0.0;
  const PressedCube cube(Eigen::Vector4d::Constant(0.01), shares);
  const MatrixXd J = cube.assembler.rows().problem.DenseJ();
  const VectorXd after = cube.Impulses();
  EXPECT_LT((J.transpose() * (after - cube.before)).norm(), 1e-15);
  // Where all bear the same load the least friction is that which J u can be, u any velocity of the cube.
  const auto friction_of = [](const VectorXd& impulses) {
    Eigen::Matrix<double, 8, 1> friction;
    for (int i = 0; i < 4; ++i) friction.segment<2>(2 * i) = impulses.segment<2>(3 * i);
    return friction;
  };
  Eigen::Matrix<double, 8, 6> J_t;
  for (int i = 0; i < 4; ++i) J_t.middleRows<2>(2 * i) = J.middleRows<2>(3 * i);
  const auto J_t_solved = J_t.completeOrthogonalDecomposition();
  const Eigen::Matrix<double, 8, 1> before = friction_of(cube.before), least = J_t * J_t_solved.solve(before);
  EXPECT_LT((friction_of(after) - least).norm(), 1e-15);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(after[3 * i + 2], cube.before[3 * i + 2]);
    EXPECT_LT(after.segment<2>(3 * i).norm(), 0.6 * after[3 * i + 2]) << i;  // the friction of the cube is 1
  }
}

// A bar that takes 95 % of what friction can carry, with any small velocity at the start: friction has 5 % of
// g left to stop it, and it stays in the grip. With its load at one corner of the pads it swings out of it.
TEST(LoadSpread, GripHoldsWhateverTheStart) {
  World world(LoadModel(STICTION_SOURCE_DIR "/assets/models/limit_grips.xml"));
  const int bar = world.model().FindBody("bar_95");
  for (unsigned seed = 0; seed < 30; ++seed) {
    world.SetKeyframe(*world.model().FindKeyframe("closed"));
    State state = world.state();
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> velocity(-0.02, 0.02);
    for (double& v : state.v) v = velocity(random);
    world.set_state(state);
    while (world.time() < 0.3) {
      EXPECT_EQ(world.Step().status, StepStatus::kOk);
    }
    EXPECT_LT(world.CalcPointVelocity(bar, world.body_poses()[bar].p).norm(), 1e-6) << seed;
    // 0.02 m/s down, stopped by 0.05 g, and what the disturbance turns.
    EXPECT_GT(world.body_poses()[bar].p.z(), -8e-4) << seed;
  }
}

}  // namespace
}  // namespace stiction::testing
