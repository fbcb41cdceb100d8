// The assembler alone: which rows a step has, their bias and their warm start.
#include "sim/row_assembler.h"

#include <gtest/gtest.h>

#include "sim/position_stage.h"
#include "tests/support/scenes.h"
#include "tests/support/step_start.h"

namespace stiction::testing {
namespace {

// A slide along x with dry friction and limits at ±1 m, and a cube on the floor.
StepStart MakeStart(double x, double gap) {
  ModelBuilder builder("rows");
  AddFloor(builder);
  const int body = builder.AddBody({.X_PB = Shift(0, 5, 5)});
  Joint slide{.kind = SlideJoint{.axis_B = Vector3d::UnitX()}, .lower = -1.0, .upper = 1.0};
  slide.friction_loss = 3.0;
  builder.AddJoint(body, slide);
  builder.SetInertia(body, CalcSolidMassProperties(Sphere{0.1}, 1.0));
  AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, 1.0, Shift(0, 0, 0.05 + gap));
  StepStart start(builder.Build());
  start.state.q[0] = x;
  return start;
}

RowAssembler Assemble(StepStart& start, const SolvedLaw& law = {}) {
  RowAssembler assembler(start.model, start.pattern);
  start.Compute();
  start.Move(assembler.rows().problem);
  SlipMemory slip;
  slip.Recall(start.model, start.frame(), start.state.contacts);
  assembler.Assemble(start.model, start.input, start.state, start.frame(), {start.forces, start.factor},
                     EqualityStage(), slip, law, false);
  return assembler;
}

TEST(RowAssembler, OrdersFrictionContactsAndLimits) {
  StepStart start = MakeStart(0.9, 0.0);
  const RowAssembler assembler = Assemble(start);
  const StepRows& rows = assembler.rows();
  ASSERT_EQ(rows.problem.num_constraints(), 1 + 4 + 1);
  ASSERT_EQ(rows.sources.size(), 6u);
  EXPECT_EQ(rows.sources[0].friction, 0);
  EXPECT_EQ(rows.problem.constraints[0].upper, 3.0 * start.dt);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(rows.sources[1 + i].contact, i);
    EXPECT_EQ(rows.contact_constraint[i], 1 + i);
  }
  EXPECT_EQ(rows.sources[5].limit, 0);
  EXPECT_EQ(rows.warm_start.size(), static_cast<std::size_t>(rows.problem.num_rows()));
}

TEST(RowAssembler, GapsAreBiasOnlyWhileOpen) {
  StepStart open = MakeStart(0.9, 1e-3), closed = MakeStart(1.1, -1e-3);
  const RowAssembler a = Assemble(open), b = Assemble(closed);
  const auto bias = [](const RowAssembler& assembler, int constraint) {
    const Constraint& c = assembler.rows().problem.constraints[constraint];
    return assembler.rows().problem.e[c.row + c.dim() - 1];
  };
  EXPECT_NEAR(bias(a, 1), 1e-3 / open.dt, 1e-9);
  EXPECT_NEAR(bias(a, 5), 0.1 / open.dt, 1e-9);
  EXPECT_EQ(bias(b, 1), 0.0);  // penetration is the position stage's affair
  EXPECT_EQ(bias(b, 5), 0.0);
}

// A bend that brings bodies nearer than their gap is no approach: no velocity makes up for it, but a
// displacement, in the same step and for all of it.
TEST(RowAssembler, NoVelocityPaysForABend) {
  constexpr double kGap = 1e-3, kMore = 2e-4;
  for (const double bend : {-kMore, kGap - kMore, kGap + kMore}) {
    StepStart start = MakeStart(0.0, kGap);
    RowAssembler assembler(start.model, start.pattern);
    start.Compute();
    for (DetectedContact& contact : start.contacts) contact.bend = bend;
    start.Move(assembler.rows().problem);
    SlipMemory slip;
    slip.Recall(start.model, start.frame(), start.state.contacts);
    assembler.Assemble(start.model, start.input, start.state, start.frame(), {start.forces, start.factor},
                       EqualityStage(), slip, {}, false);
    const StepRows& rows = assembler.rows();
    const Constraint& c = rows.problem.constraints[rows.contact_constraint[0]];
    EXPECT_NEAR(rows.problem.e[c.row + c.dim() - 1], std::max(0.0, kGap - bend) / start.dt, 1e-9);

    PositionStage stage;
    stage.set_pool(start.pool);
    const StageSolve solve =
        stage.Correct(start.frame(), rows, start.factor, VectorXd::Zero(start.model.nv()));
    EXPECT_EQ(solve.has_run, bend > kGap);
    EXPECT_NEAR(stage.displacement()[start.model.nv() - 4], std::max(0.0, bend - kGap), 1e-9);
  }
}

// A face that lay on another, if only on an edge, and stands over it by a micrometre, parallel to it but for
// less, comes down at all four points at once; one that is tilted by more, or did not lie there, comes down
// on its edge.
TEST(RowAssembler, PointsOfAFaceThatMeetFlatCloseTogether) {
  enum class Loaded { kNone, kFar, kAll };
  struct Case {
    bool is_flat;
    Loaded loaded;
  };
  for (const auto& [is_flat, loaded] : {Case{true, Loaded::kAll}, Case{true, Loaded::kFar},
                                        Case{false, Loaded::kAll}, Case{true, Loaded::kNone}}) {
    StepStart start = MakeStart(0.0, 0.0);
    const double tilt = is_flat ? 5e-6 : 5e-5;  // over 0.1 m: 0.5 and 5 micrometres
    const int q = static_cast<int>(start.model.nq()) - 7;
    start.state.q[q + 2] = 0.05 + 1.2e-6 + 0.05 * tilt;
    start.state.q[q + 4] = std::sin(0.5 * tilt);  // about x
    start.state.q[q + 3] = std::cos(0.5 * tilt);
    Assemble(start);
    for (const DetectedContact& contact : start.frame().contacts) {
      if (loaded == Loaded::kNone) break;
      const ManifoldPoint& point = contact.tracked.point;
      const bool is_loaded = loaded == Loaded::kAll || point.gap > 1.3e-6;
      const RigidTransform& X_WB = start.frame().kin.X_WG[contact.tracked.geom_b];
      start.state.contacts.push_back(
          {.geom_a = contact.tracked.geom_a,
           .geom_b = contact.tracked.geom_b,
           .feature = point.feature,
           .p_A = point.p_W,  // the floor's frame is the world's
           .p_B = X_WB.Inverse() * point.p_W,
           .n_A = point.n_W,
           .impulse_W = is_loaded ? Vector3d(0.01 * point.n_W) : Vector3d::Zero()});
    }
    const RowAssembler assembler = Assemble(start);
    const StepRows& rows = assembler.rows();
    double least = 1.0, most = 0.0;
    int num_contacts = 0;
    for (std::size_t i = 0; i < rows.sources.size(); ++i) {
      if (rows.sources[i].contact < 0) continue;
      const double e = rows.problem.e[rows.problem.constraints[i].row + 2];
      least = std::min(least, e), most = std::max(most, e);
      ++num_contacts;
    }
    ASSERT_EQ(num_contacts, 4);
    EXPECT_NEAR(least, 1.2e-6 / start.dt, 1e-7);
    EXPECT_NEAR(most, (!is_flat ? 6.2e-6 : loaded != Loaded::kNone ? 1.2e-6 : 1.7e-6) / start.dt, 1e-7);
  }
}

// Contacts that give way would sink for ever if penetration were not part of their law.
TEST(RowAssembler, PenetrationIsBiasWhereTheLawGivesWay) {
  StepStart closed = MakeStart(1.1, -1e-3);
  const RowAssembler assembler = Assemble(closed, {.regularization_n = 0.025});
  const ContactProblem& problem = assembler.rows().problem;
  EXPECT_EQ(assembler.rows().penetration_time, 2.0 * closed.dt);
  EXPECT_NEAR(problem.e[problem.constraints[1].row + 2], -1e-3 / (2.0 * closed.dt), 1e-9);
  EXPECT_NEAR(problem.e[problem.constraints[5].row], -0.1 / (2.0 * closed.dt), 1e-9);
  VectorXd advance = VectorXd::Zero(closed.model.nv());
  EXPECT_FALSE(PositionStage().Correct(closed.frame(), assembler.rows(), closed.factor, advance).has_run);
}

TEST(RowAssembler, WarmStartIsWhatWasRemembered) {
  StepStart start = MakeStart(0.9, 0.0);
  const RowAssembler first = Assemble(start);
  VectorXd lambda(first.rows().problem.num_rows());
  lambda[0] = -0.5 * 3.0 * start.dt;
  for (int i = 0; i < 4; ++i) lambda.segment<3>(1 + 3 * i) = Vector3d(0.01 * i, -0.02, 1.0 + i);
  lambda[13] = 0.7;
  const Solution solution{VectorXd::Zero(start.model.nv()), lambda, {}};
  SlipMemory slip;
  slip.Recall(start.model, start.frame(), start.state.contacts);
  slip.Remember(start.frame(), first.rows(), solution, {}, {}, start.state.contacts);
  RememberJointImpulses(start.model, start.frame(), first.rows(), lambda, start.state);
  const RowAssembler second = Assemble(start);
  const VectorXd warm = Eigen::Map<const VectorXd>(second.rows().warm_start.data(), 14);
  EXPECT_LT((warm - lambda).norm(), 1e-15);
}

TEST(RowAssembler, FarContactsWaitUntilTheyAreAdmitted) {
  StepStart start = MakeStart(0.0, 0.01);
  start.state.v[1 + 2] = -8.0;
  RowAssembler assembler = Assemble(start);
  ASSERT_EQ(start.contacts.size(), 4u);
  EXPECT_EQ(assembler.rows().problem.num_constraints(), 1);
  SlipMemory slip;
  slip.Recall(start.model, start.frame(), {});
  assembler.AddContacts(start.model, start.state, start.frame(), {start.forces, start.factor}, slip, {1, 3});
  EXPECT_EQ(assembler.rows().problem.num_constraints(), 3);
  EXPECT_EQ(assembler.rows().contact_constraint, (std::vector<int>{-1, 1, -1, 2}));
}

}  // namespace
}  // namespace stiction::testing
