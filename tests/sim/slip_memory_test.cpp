// The slip memory alone: what contacts carry from step to step.
#include "sim/slip_memory.h"

#include <gtest/gtest.h>

#include "sim/row_assembler.h"
#include "tests/support/scenes.h"
#include "tests/support/step_start.h"

namespace stiction::testing {
namespace {

// A cube on the floor, or several on top of one another, whose four contacts each stuck, with 10 N each.
struct StuckCube {
  explicit StuckCube(int count = 1) : start(MakeBoxStack(count)), assembler(start.model, start.pattern) {
    Assemble();
    impulses.setZero(12 * count);
    for (int i = 0; i < 4 * count; ++i) impulses[3 * i + 2] = 10.0 * start.dt;
  }
  void Assemble() { start.Assemble(slip, assembler); }
  // As if the step had ended with the present velocity and `impulses`.
  //   pushed   by the position stage
  //   closing  by loops
  void Remember(const VectorXd& pushed = {}, const VectorXd& closing = {}) {
    const Solution solution{start.state.v, impulses, {}};
    slip.Remember(start.frame(), assembler.rows(), solution, pushed, closing, start.state.contacts);
  }

  StepStart start;
  RowAssembler assembler;
  SlipMemory slip;
  VectorXd impulses;
};

TEST(SlipMemory, StuckContactsHaveToUndoWhatTheyMoved) {
  constexpr double kWay = 3e-6;  // three of which are within the slop
  StuckCube cube;
  for (int step = 1; step <= 3; ++step) {
    cube.Remember();
    cube.start.state.q[0] += kWay;
    cube.Assemble();
    for (int i = 0; i < 4; ++i)
      EXPECT_LT((cube.slip.slip_W(i) - Vector3d(kWay * step, 0, 0)).norm(), 1e-12) << step;
  }
  // The rows ask for it within the step.
  const ContactProblem& problem = cube.assembler.rows().problem;
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(Eigen::Map<const Vector3d>(&problem.e[3 * i]).norm(), 3.0 * kWay / cube.start.dt, 1e-9);
}

// To undo what the removal of overlap moved would be to give the bodies its length over the timestep: no more
// of it counts than is little beside their own way. What they move themselves counts as ever.
TEST(SlipMemory, PushesAreNoSlipWhereBodiesHardlyMove) {
  constexpr double kPush = 2e-6, kOwn = 1e-6;
  for (const double way : {0.0, 2e-4, 1e-3}) {
    const double counted = std::min(kPush, 0.005 * way);
    StuckCube cube;
    cube.start.state.v[0] = way / cube.start.dt;
    cube.Assemble();
    VectorXd pushed = VectorXd::Zero(cube.start.model.nv());
    pushed[0] = kPush;
    cube.Remember(pushed);
    cube.start.state.q[0] += kPush + kOwn;
    cube.Assemble();
    for (int i = 0; i < 4; ++i)
      EXPECT_LT((cube.slip.slip_W(i) - Vector3d(counted + kOwn, 0, 0)).norm(), 1e-12) << way;
    cube.Remember();
    cube.start.state.q[0] += kOwn;
    cube.Assemble();
    for (int i = 0; i < 4; ++i)
      EXPECT_LT((cube.slip.slip_W(i) - Vector3d(counted + 2.0 * kOwn, 0, 0)).norm(), 1e-12) << way;
  }
}

// A loop that is drawn together moves bodies by what it likes, however fast they turn: all of it would be
// slip that the turn may have missed, and friction would give it back as a velocity. What little it does in
// each step of a mechanism that moves is that: slip.
TEST(SlipMemory, WhatLoopsMoveFarIsNoSlip) {
  constexpr double kWay = 1e-3,
                   kMost = 1e-5 + 0.005 * kWay;  // the slop, and a share of the way but for the turn
  for (const double share : {0.9, 10.0, 1e3}) {
    StuckCube cube;
    cube.start.state.v[0] = kWay / cube.start.dt;
    cube.start.state.v[5] = 50.0;  // may miss 1e-4 m, and more by its lever
    cube.Assemble();
    VectorXd closing = VectorXd::Zero(cube.start.model.nv());
    closing[0] = share * kMost;
    cube.Remember({}, closing);
    cube.start.state.q[0] += 0.9 * kMost;
    cube.Assemble();
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(cube.slip.undo_W(i).norm(), share < 1.0 ? 0.9 * kMost : 0.0, 1e-12) << share;
    // What it moves itself from then on counts, as far as it agrees.
    cube.Remember();
    cube.start.state.q[0] += 1e-6;
    cube.Assemble();
    cube.slip.Agree(cube.start.frame(), cube.assembler.rows());
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(cube.slip.undo_W(i).norm(), share < 1.0 ? 0.9 * kMost + 1e-6 : 1e-6, 1e-12) << share;
  }
}

// Without friction nothing sticks: of what such a contact moves the others must not hear.
TEST(SlipMemory, FrictionlessContactsHaveNone) {
  StuckCube cube;
  for (Geom& geom : cube.start.model.geoms) geom.friction = 0.0;
  cube.Assemble();
  cube.Remember();
  cube.start.state.q[0] += 3e-6;
  cube.Assemble();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(cube.slip.slip_W(i), Vector3d::Zero());
}

// Less than 5e-9 m/s would undo is kept, and undone once it is more.
TEST(SlipMemory, LittleSlipWaitsAndIsNotForgotten) {
  StuckCube cube;
  const double part = 2e-9 * cube.start.dt;
  for (int step = 1; step <= 4; ++step) {
    cube.Remember();
    cube.start.state.q[0] += part;
    cube.Assemble();
    const ContactProblem& problem = cube.assembler.rows().problem;
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(cube.slip.slip_W(i).norm(), step * part, 1e-15) << step;
      const double asked = Eigen::Map<const Vector3d>(&problem.e[3 * i]).norm();
      EXPECT_NEAR(asked, step < 3 ? 0.0 : 2e-9 * step, 1e-12) << step;
    }
  }
}

// In an island too large for its slips to be made to agree, slip waits until it is a tenth of what the
// fastest body goes in the step, or the slop, and is undone once all stands still. Small islands undo it at
// once.
TEST(SlipMemory, InLargeIslandsLittleSlipWaitsForTheMotionToEnd) {
  constexpr double kWay = 8e-6, kSlop = 1e-5;
  for (const int count : {6, 7}) {  // 36 and 42 dofs
    StuckCube stack(count);
    const double dt = stack.start.dt, needed = kWay / (0.1 * dt);
    stack.Remember();
    for (int body = 0; body < count; ++body) stack.start.state.q[7 * body] += kWay;
    for (const double speed : {0.0, 0.9 * needed, 1.1 * needed, 1e3 * needed, 0.0}) {
      stack.start.state.v[6 * (count - 1) + 2] = speed;  // of the topmost: the floor's contacts do not see it
      stack.Assemble();
      const StepRows& rows = stack.assembler.rows();
      stack.slip.Agree(stack.start.frame(), stack.assembler.rows());
      const bool waits = count == 7 && speed > needed;
      for (int i = 0; i < 4; ++i) {
        const double* e = &rows.problem.e[rows.problem.constraints[rows.contact_constraint[i]].row];
        EXPECT_NEAR(std::hypot(e[0], e[1]) * dt, waits ? 0.0 : kWay, 1e-12) << count << " at " << speed;
        EXPECT_LT((stack.slip.slip_W(i) - Vector3d(kWay, 0, 0)).norm(), 1e-12) << "nothing is forgotten";
      }
    }
  }
  // More than the slop never waits: a body that turns may have missed it.
  StuckCube stack(7);
  stack.start.state.v[5] = 50.0;
  stack.Assemble();
  stack.Remember();
  for (int body = 0; body < 7; ++body) stack.start.state.q[7 * body] += 2.0 * kSlop;
  stack.start.state.v[6 * 6 + 2] = 1.0;
  stack.Assemble();
  stack.slip.Agree(stack.start.frame(), stack.assembler.rows());
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(stack.slip.undo_W(i).norm(), 2.0 * kSlop, 1e-12);
}

// Two points of a face that are to part undo nothing, whatever the island. A large one that lies still
// forgets it: else it would be fitted again in every step.
TEST(SlipMemory, LargeIslandsAtRestForgetWhatNoMotionUndoes) {
  constexpr double kWay = 2e-6;
  for (const int count : {2, 6, 7, 12}) {
    StuckCube stack(count);
    stack.Remember();
    for (int step = 0; step < 3; ++step) {
      for (int i = 0; i < 4 && step == 0; ++i) {
        const double side = stack.start.contacts[i].tracked.point.p_W.x();
        stack.start.state.contacts[i].slip_A = {std::copysign(kWay, side), 0, 0};
      }
      stack.Assemble();
      stack.slip.Agree(stack.start.frame(), stack.assembler.rows());
      for (int i = 0; i < 4; ++i) {
        const double kept = count > 6 ? 0.0 : kWay;
        EXPECT_LT(stack.slip.undo_W(i).norm(), 1e-3 * kWay) << count << " at " << step;
        EXPECT_NEAR(stack.slip.slip_W(i).norm(), kept, 1e-12) << count << " at " << step;
      }
      stack.Remember();
    }
  }
}

// A cube that stands still and was moved was not moved by the integration; one that turns may have been, by
// as much as its turn times its way.
TEST(SlipMemory, WhatTheMotionCannotHaveMissedIsForgotten) {
  constexpr double kMoved = 2e-4;  // 20 times the slop
  for (const double spin : {0.0, 5.0, 50.0}) {
    StuckCube cube;
    cube.start.state.v[5] = spin;
    cube.Assemble();
    cube.Remember();
    cube.start.state.q[0] += kMoved;
    cube.Assemble();
    const double turn = spin * cube.start.dt, lever = 0.05 * std::sqrt(3.0);
    const bool counts = turn * turn * lever > kMoved;
    EXPECT_EQ(counts, spin == 50.0);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(cube.slip.slip_W(i).norm(), counts ? kMoved : 0.0, 1e-12) << spin;
  }
}

TEST(SlipMemory, OpenContactsMoveFreely) {
  StuckCube cube;
  cube.impulses.setZero();
  cube.Remember();
  cube.start.state.q[0] += 1e-5;
  cube.Assemble();
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(cube.slip.slip_W(i).isZero(0.0));
}

// At the friction limit the allowed slide is forgotten, what it was missed by is not.
TEST(SlipMemory, SlidingContactsRememberTheErrorAlone) {
  StuckCube cube;
  cube.start.state.v[0] = 0.5;
  cube.Assemble();
  for (int i = 0; i < 4; ++i) {
    // Friction 1 in the direction of the contact frame's axes that opposes the slide.
    const Matrix3d R_WC = cube.start.R_WC[i];
    cube.impulses.segment<3>(3 * i) = R_WC.transpose() * Vector3d(-0.02, 0, 0.02);
  }
  cube.Remember();
  EXPECT_FALSE(cube.start.state.contacts[0].stuck);
  cube.start.state.q[0] += 0.5 * cube.start.dt;
  cube.Assemble();
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(cube.slip.slip_W(i).isZero(0.0));
}

// Points that touch without load have no friction to undo anything with: they ask for ten times what they
// have, all together, and keep what they moved in mind. Loaded ones ask for all.
TEST(SlipMemory, NoMoreIsUndoneThanTheFrictionOfTheLoadCan) {
  constexpr double kWay = 3e-6;
  for (const double load : {1e-9, 1e-2}) {
    StuckCube cube;
    for (int i = 0; i < 4; ++i) cube.impulses[3 * i + 2] = load;
    cube.Remember();
    cube.start.state.q[0] += kWay;
    cube.Assemble();
    cube.slip.Agree(cube.start.frame(), cube.assembler.rows());
    const ContactProblem& problem = cube.assembler.rows().problem;
    const MatrixXd J = problem.DenseJ();
    const MatrixXd W = J * problem.A.ToDense().inverse() * J.transpose();
    const double all = kWay / cube.start.dt;
    for (int i = 0; i < 4; ++i) {
      const Eigen::Vector2d asked(problem.e[3 * i], problem.e[3 * i + 1]), along = asked.normalized();
      const double mobility = along.dot(W.block<2, 2>(3 * i, 3 * i) * along);  // the same of all four
      const double most = 10.0 * cube.start.contacts[i].friction.sliding * 4.0 * load * mobility;
      EXPECT_NEAR(asked.norm(), std::min(all, most), 1e-9 * all) << load;
      EXPECT_LT((cube.slip.slip_W(i) - Vector3d(kWay, 0, 0)).norm(), 1e-12);
    }
  }
}

// With v⁺ = v* + A⁻¹ Jᵀ λ, what undoing does is worth λ_t a/dt to the bodies, and the impulses take
// ½ ‖v⁺ − v*‖²_A. What is left of it is little beside their energy where the load is that of a body on its
// path, and is not where it is that of an impact. Slip within the slop is not asked.
TEST(SlipMemory, SlipThatWouldDriveBodiesIsForgotten) {
  for (const double slip : {5e-6, 8e-4}) {
    for (const double impulse : {1e-3, 0.05}) {  // [N·s] a contact; the cube spins with 2.1 J
      StuckCube cube;
      cube.start.state.v[5] = 50.0;
      cube.Assemble();
      cube.Remember();
      cube.start.state.q[0] += slip;
      cube.Assemble();
      StepRows& rows = cube.assembler.rows();
      const ContactProblem& problem = rows.problem;
      for (int i = 0; i < 4; ++i)
        cube.impulses.segment<3>(3 * i) = cube.start.R_WC[i].transpose() * Vector3d(-impulse, 0.0, impulse);
      VectorXd push = VectorXd::Zero(problem.nv());
      problem.AddJTransposed(cube.impulses.data(), push.data());
      Solution solution{problem.v_star + problem.A.ToDense().ldlt().solve(push), cube.impulses, {}};
      const VectorXd change = solution.v - problem.v_star;
      const double gain = 4.0 * impulse * slip / cube.start.dt - 0.5 * change.dot(push);
      const double energy = 0.5 * problem.v_star.dot(problem.A.ToDense() * problem.v_star);
      const bool drives = slip > 1e-5 && gain > 1e-3 * energy;
      EXPECT_EQ(drives, slip == 8e-4 && impulse == 0.05) << gain << " of " << energy;
      IslandPartition partition;
      partition.Assign(problem);
      EXPECT_EQ(cube.slip.ForgetDriving(cube.start.frame(), partition, solution, rows), drives);
      for (int i = 0; i < 4; ++i) {
        const double undone = drives ? 0.0 : slip;
        EXPECT_NEAR(cube.slip.slip_W(i).norm(), undone, 1e-12);
        EXPECT_NEAR(cube.start.dt * Eigen::Map<const Eigen::Vector2d>(&problem.e[3 * i]).norm(), undone,
                    1e-12);
      }
    }
  }
}

// The law holds points that lie halfway between the surfaces, which deep overlaps turn about: what the
// surfaces move by is no slip. Undone, it gave bodies that are pushed out up to 347 times the energy they
// began with.
TEST(SlipMemory, DeepOverlapsThatTurnGainNoEnergy) {
  for (const Shape& shape :
       {Shape(Box{Vector3d::Constant(0.1)}), Shape(Capsule{0.1, 0.02}), Shape(Cylinder{0.1, 0.05})}) {
    for (int seed = 0; seed < 20; ++seed) {
      const Vector3d axis = Vector3d(std::cos(seed), std::sin(2.0 * seed), std::cos(3.0 * seed)).normalized();
      ModelBuilder builder;
      builder.options().gravity.setZero();
      AddFloor(builder);
      AddFreeBody(builder, shape, 1.0, Turn(0.7 * seed, axis, {0, 0, -0.05 - 0.05 * seed}));
      World world(builder.Build());
      State state = world.state();
      for (int i = 0; i < 6; ++i) state.v[i] = (i < 3 ? 1e-5 : 1e-3) * std::sin(1.0 + i + 5.0 * seed);
      world.set_state(state);
      const double start = world.CalcEnergy().kinetic;
      for (int step = 0; step < 500; ++step) {
        (void)world.Step();
        ASSERT_LE(world.CalcEnergy().kinetic, (1.0 + 1e-3) * start) << seed << ", step " << step;
      }
    }
  }
}

// A cube whose contacts have slipped by 2 µm a step, and whose law cannot be met.
struct MissingCube : StuckCube {
  static constexpr double kWay = 2e-6;
  MissingCube() : warm_start(VectorXd::Constant(12, 0.5)) { Slip(); }
  void Slip() {
    Remember();
    start.state.q[0] += kWay;
    Assemble();
    slip.Agree(start.frame(), assembler.rows());
  }
  bool Pause(double residual) {
    StepRows& rows = assembler.rows();
    IslandPartition partition;
    partition.Assign(rows.problem);
    lambda = GrowingVector(impulses);
    return slip.Pause(start.frame(), partition, std::vector<double>(4, residual), 1e-8, warm_start, rows,
                      lambda);
  }
  // What the rows ask for [m].
  double CalcUndone() {
    return start.dt * Eigen::Map<const Vector2d>(assembler.rows().problem.e.data()).norm();
  }

  GrowingVector warm_start, lambda;
};

// What one motion undoes is as good to ask for in the next step.
TEST(SlipMemory, SlipThatAgreesWaitsWhereTheBudgetIsMissed) {
  MissingCube cube;
  EXPECT_NEAR(cube.CalcUndone(), cube.kWay, 1e-12);
  EXPECT_FALSE(cube.Pause(0.0));
  EXPECT_EQ(cube.lambda, cube.impulses);
  EXPECT_TRUE(cube.Pause(1.0));
  EXPECT_EQ(cube.lambda, cube.warm_start);
  EXPECT_NEAR(cube.CalcUndone(), 0.0, 1e-12);
  EXPECT_FALSE(cube.Pause(1.0));  // none is left to be undone
  for (int step = 2; step <= 4; ++step) {
    cube.Slip();
    EXPECT_NEAR(cube.slip.slip_W(0).norm(), step * cube.kWay, 1e-12) << step;
    EXPECT_NEAR(cube.CalcUndone(), step * cube.kWay, 1e-12) << step;
  }
}

// It has no solution, though a motion has it.
TEST(SlipMemory, SlipOfWhoMissesAgainIsForgottenForAHundredSteps) {
  MissingCube cube;
  EXPECT_TRUE(cube.Pause(1.0));
  cube.Slip();
  EXPECT_TRUE(cube.Pause(1.0));
  for (int step = 0; step < 100; ++step) {
    EXPECT_EQ(cube.slip.slip_W(0), Vector3d::Zero()) << step;
    EXPECT_NEAR(cube.CalcUndone(), 0.0, 1e-12) << step;
    cube.Slip();
  }
  EXPECT_NEAR(cube.CalcUndone(), cube.kWay, 1e-12);
}

}  // namespace
}  // namespace stiction::testing
