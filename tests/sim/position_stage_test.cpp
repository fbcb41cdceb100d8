// The position stage alone: what it removes, and how fast.
#include "sim/position_stage.h"

#include <gtest/gtest.h>

#include "sim/row_assembler.h"
#include "tests/support/scenes.h"
#include "tests/support/step_start.h"

namespace stiction::testing {
namespace {

constexpr double kSide = 0.1;      // of the cube [m]
constexpr double kSlop = 1e-5;     // 1e-4 of its thickness [m]
constexpr double kShare = 0.2;     // of the penetration, per step
constexpr double kMaxPush = 4e-4;  // 0.2 of the smallest margin, 2 % of the thickness [m]

// A cube in the floor.
struct Cube {
  explicit Cube(double depth) : start(MakeBoxStack(1)), assembler(start.model, start.pattern) {
    start.state.q[2] = 0.5 * kSide - depth;
    start.Compute();
    start.Move(assembler.rows().problem);
    SlipMemory slip;
    slip.Recall(start.model, start.frame(), {});
    assembler.Assemble(start.model, start.input, start.state, start.frame(), {start.forces, start.factor},
                       EqualityStage(), slip, {}, false);
  }
  StageSolve Correct(double advance_z = 0.0) {
    VectorXd advance = VectorXd::Zero(6);
    advance[2] = advance_z;
    return stage.Correct(start.frame(), assembler.rows(), start.factor, advance);
  }
  StepStart start;
  RowAssembler assembler;
  PositionStage stage;
};

TEST(PositionStage, RemovesAShareOfThePenetration) {
  Cube cube(1e-3);
  const StageSolve solve = cube.Correct();
  EXPECT_TRUE(solve.has_run);
  EXPECT_FALSE(solve.missed()) << solve.residual;
  VectorXd expected = VectorXd::Zero(6);
  expected[2] = kShare * (1e-3 - kSlop);
  EXPECT_LT((cube.stage.displacement() - expected).norm(), 1e-8);
}

TEST(PositionStage, PushesNoFurtherThanAShareOfTheMargin) {
  Cube cube(1e-2);
  EXPECT_FALSE(cube.Correct().missed());
  EXPECT_NEAR(cube.stage.displacement()[2], kMaxPush, 1e-8);
}

TEST(PositionStage, GoesByWhereTheStepLeads) {
  Cube leaving(1e-3), entering(0.0);
  EXPECT_FALSE(leaving.Correct(1e-3).has_run);
  EXPECT_TRUE(leaving.stage.displacement().isZero(0.0));
  EXPECT_TRUE(entering.Correct(-1e-3).has_run);
  EXPECT_NEAR(entering.stage.displacement()[2], kShare * (1e-3 - kSlop), 1e-8);
}

TEST(PositionStage, LeavesWhatIsWithinTheSlop) {
  Cube cube(0.5 * kSlop);
  EXPECT_FALSE(cube.Correct().has_run);
  EXPECT_EQ(cube.stage.newton_steps(), 0);
  EXPECT_TRUE(cube.stage.displacement().isZero(0.0));
}

// A wedge between two walls that hardly open along it: what would free it is far away, or nowhere. It goes no
// further along the walls than a few times what it may be pushed across them.
TEST(PositionStage, GoesNoLongWayToComeFree) {
  for (const double opening : {1e-2, 1e-4, 1e-6}) {
    Cube wedge(0.0);
    ContactProblem& problem = wedge.assembler.rows().problem;
    problem.ClearConstraints();
    std::vector<GapRow> rows;
    for (const double side : {1.0, -1.0}) {
      const int contact = problem.AddConstraint(ConstraintType::kContact);
      rows.push_back({.constraint = contact, .gap = -1e-3, .slop = kSlop, .max_push = kMaxPush});
      const int dofs[2] = {0, 1};
      double* J = problem.AddBlock(0, dofs, 2);
      std::fill(J, J + 6, 0.0);
      J[2] = side;     // normal, of x
      J[3] = 1.0;      // along, of y
      J[5] = opening;  // normal, of y
    }
    const StageSolve solve = wedge.stage.Run(problem, wedge.start.factor, rows, VectorXd::Zero(6));
    EXPECT_EQ(solve.missed(), opening < 1e-5) << opening << " " << solve.residual;
    EXPECT_LT(wedge.stage.newton_steps(), 1500) << "no last resort finds what is not there";
    const double most = solve.missed() ? kMaxPush : 10.0 * kMaxPush;
    EXPECT_NEAR(wedge.stage.displacement()[1], most, 1e-12) << opening;
    EXPECT_LT(std::abs(wedge.stage.displacement()[0]), 1e-12) << opening;
  }
}

// The only row of its problem: an overlap of 1 mm that one turn of the body alone changes, by so much along
// the contact and across it [m].
GapRow OverlapThatTurns(Cube& link, double along, double across) {
  ContactProblem& problem = link.assembler.rows().problem;
  problem.ClearConstraints();
  const GapRow row{.constraint = problem.AddConstraint(ConstraintType::kContact),
                   .gap = -1e-3,
                   .slop = kSlop,
                   .max_push = kMaxPush};
  const int dof = 4;
  double* J = problem.AddBlock(0, &dof, 1);
  J[0] = 0.0, J[1] = along, J[2] = across;
  return row;
}

// A small link comes free by its turns alone, of which a step makes no large one, but where it turns it itself.
TEST(PositionStage, TurnsNothingFarToComeFree) {
  for (const double turn : {0.0, 0.3}) {
    Cube link(0.0);
    link.stage.Initialize(link.start.model);
    const GapRow row = OverlapThatTurns(link, 0.005, 1e-4);
    VectorXd advance = VectorXd::Zero(6);
    advance[4] = -turn;
    const StageSolve solve = link.stage.Run(link.assembler.rows().problem, link.start.factor, {row}, advance);
    EXPECT_FALSE(solve.missed()) << solve.residual;
    EXPECT_NEAR(link.stage.displacement()[4], std::max(turn, 0.1), 1e-12);
  }
}

// Two links that overlap along the axis of the joint between them, by construction or within rounding of it:
// whatever turns the joint takes them no further apart.
TEST(PositionStage, LeavesWhatNoDofTakesApart) {
  for (const double across : {0.0, 1e-17, -1e-9, 1e-4}) {
    Cube link(0.0);
    const GapRow row = OverlapThatTurns(link, 0.05, across);
    const StageSolve solve =
        link.stage.Run(link.assembler.rows().problem, link.start.factor, {row}, VectorXd::Zero(6));
    EXPECT_EQ(solve.has_run, across == 1e-4) << across;
    EXPECT_FALSE(solve.missed()) << solve.residual;
    EXPECT_EQ(link.stage.displacement().isZero(0.0), across != 1e-4) << across;
  }
}

// A rope of 16 links with a kilogram at its end, which swings from a link that is fixed to the world and
// overlaps the first one's end: folded back by more than a right angle, that one's overlap tells of its turn,
// a little.
TEST(PositionStage, WhipsNoRopeAboutTheLinkThatItHangsFrom) {
  constexpr double kLength = 0.06, kRadius = 0.012;
  const auto add_link = [&](ModelBuilder& builder, int body, double from, double mass) {
    const double half = 0.5 * 0.95 * kLength;
    builder.AddGeom({.body = body,
                     .shape = Capsule{kRadius, half},
                     .X_BG = Turn(0.5 * kPi, Vector3d::UnitY(), {from + half, 0, 0})},
                    mass > 0.0 ? GeomMass{.mass = mass} : GeomMass{});
  };
  ModelBuilder builder("rope");
  add_link(builder, 0, -kLength, 0.0);
  for (int i = 0, parent = 0; i < 16; ++i) {
    parent = builder.AddBody({.parent = parent, .X_PB = Shift(i == 0 ? 0.0 : kLength, 0, 0)});
    builder.AddJoint(parent, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
    add_link(builder, parent, 0.0, i == 15 ? 1.0 : 0.01);
  }
  World world = MakeWorld(builder.Build(), 0.001);
  const auto energy = [&] { return world.CalcEnergy().kinetic + world.CalcEnergy().potential; };
  const double start = energy();
  for (int i = 0; i < 2000; ++i) {
    ASSERT_EQ(world.Step().status, StepStatus::kOk) << i;
    ASSERT_LT(energy(), start + 0.2) << i << ": of 10 J";
  }
}

}  // namespace
}  // namespace stiction::testing
