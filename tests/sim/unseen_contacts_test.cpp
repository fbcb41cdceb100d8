// Contacts that a step's own answer brings about: what is found, where it stands, and what its rows ask for.
#include "sim/unseen_contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stiction/io/load.h"
#include "stiction/sim/world.h"
#include "tests/support/step_start.h"

namespace stiction::testing {
namespace {

// A ball of radius 2 cm over a block whose top is at z = 0, both distance fields. The ball's middle is 5 cm
// above the origin of its body.
constexpr double kRadius = 0.02, kLever = 0.05;

struct BallOverBlock {
  explicit BallOverBlock(double gap)
      : start(LoadModelText(R"xml(<mujoco><worldbody>
            <geom name="block" type="sdf" field="box(0.1, 0.1, 0.02)" resolution="0.005" pos="0 0 -0.02"/>
            <body name="ball"><freejoint/>
              <geom name="ball" type="sdf" field="sphere(0.02)" resolution="0.002" pos="0 0 0.05" density="1000"/>
            </body>
          </worldbody></mujoco>)xml")) {
    start.state.q[2] = kRadius - kLever + gap;
    start.Compute();
    rows.contact_constraint.assign(start.contacts.size(), -1);
  }
  const std::vector<LateContact>& Find(const Vector6d& v) {
    velocity = v;
    VectorXd q = start.state.q;
    IntegrateConfiguration(start.model, start.frame().sleep.awake(), velocity, start.dt, q);
    return unseen.Find(start.model, start.input, start.frame(), rows, velocity, q, memory);
  }
  // Of a contact, where `velocity` leads.
  double CalcEndGap(const DetectedContact& contact) const {
    return contact.tracked.point.gap - contact.bend +
           start.dt * CalcNormalVelocity(start.frame(), contact.tracked, velocity);
  }
  // Of those found last, the one that ends deepest.
  const LateContact& Deepest(const std::vector<LateContact>& found) const {
    return *std::min_element(found.begin(), found.end(), [this](const auto& one, const auto& other) {
      return CalcEndGap(one.contact) < CalcEndGap(other.contact);
    });
  }
  StepStart start;
  StepRows rows;  // none
  UnseenContacts unseen{start.model};
  FieldMemory memory{start.model};
  VectorXd velocity;
};

// Free bodies have the velocity of their origin first, then that of their turn.
Vector6d Falling(double speed) {
  return (Vector6d() << 0.0, 0.0, -speed, 0.0, 0.0, 0.0).finished();
}

TEST(UnseenContacts, AreWhatTheAnswerDrivesIn) {
  constexpr double kGap = 5e-4, kDepth = 2e-5;
  BallOverBlock scene(kGap);
  const int before = static_cast<int>(scene.start.contacts.size());
  ASSERT_GE(before, 1);
  EXPECT_TRUE(scene.Find(Falling(0.9 * kGap / scene.start.dt)).empty());
  const auto& found = scene.Find(Falling((kGap + kDepth) / scene.start.dt));
  ASSERT_FALSE(found.empty());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].place, before + static_cast<int>(k));  // behind those of their pair
    EXPECT_FALSE(found[k].contact.is_far);
    EXPECT_LT(scene.CalcEndGap(found[k].contact), -1e-6);
  }
  const DetectedContact& deepest = scene.Deepest(found).contact;
  EXPECT_NEAR(deepest.tracked.point.gap, kGap, 1e-6);
  EXPECT_NEAR(deepest.bend, 0.0, 1e-6);
  EXPECT_NEAR(scene.CalcEndGap(deepest), -kDepth, 1e-6);
}

// What a row near it says already is not unseen.
TEST(UnseenContacts, AreNotWhatRowsForesee) {
  BallOverBlock scene(5e-4);
  scene.rows.contact_constraint.assign(scene.start.contacts.size(), 0);
  EXPECT_TRUE(scene.Find(Falling(5.2e-4 / scene.start.dt)).empty());
}

// Turned about the body's origin, the ball's middle goes round a circle, of which its velocity is the level
// tangent: no row along that comes down by what the circle does.
TEST(UnseenContacts, AreThereWhereTheWayEnds) {
  constexpr double kGap = 5e-5, kTurn = 0.06;
  BallOverBlock scene(kGap);
  Vector6d v = Vector6d::Zero();
  v[4] = kTurn / scene.start.dt;
  const auto& found = scene.Find(v);
  ASSERT_FALSE(found.empty());
  const DetectedContact& contact = scene.Deepest(found).contact;
  EXPECT_NEAR(scene.CalcEndGap(contact), kGap - kLever * (1.0 - std::cos(kTurn)), 1e-6);
  EXPECT_NEAR(contact.tracked.point.gap, kGap + kRadius * (1.0 - std::cos(kTurn)), 2e-6);
  EXPECT_NEAR(contact.tracked.point.n_W.z(), 1.0, 1e-4);
}

TEST(UnseenContacts, AreNoneWhereContactsGiveWay) {
  BallOverBlock soft(5e-4);
  soft.start.model.options.contact_model = ContactModel::kCompliant;
  soft.unseen = UnseenContacts(soft.start.model);
  EXPECT_TRUE(soft.Find(Falling(5.2e-4 / soft.start.dt)).empty());
}

// Nobody looks less because the solver's work is limited: the ball turns into the block, as above.
TEST(UnseenContacts, AreLookedForUnderASolverBudget) {
  const auto step = [](const SolverBudget& budget) {
    const BallOverBlock scene(5e-5);
    World world(scene.start.model, {.solver_budget = budget, .timestep = scene.start.dt});
    State state = scene.start.state;
    state.v[4] = 0.06 / scene.start.dt;
    world.set_state(state);
    world.Step();
    return world.state();
  };
  const State free = step({});
  for (const SolverBudget& budget : {SolverBudget{.iterations = 1000}, SolverBudget{.seconds = 100.0}}) {
    const State limited = step(budget);
    EXPECT_EQ(limited.q, free.q);
    EXPECT_EQ(limited.v, free.v);
  }
}

TEST(StepRows, KeepTheirContactsWhereOneComesBetween) {
  StepRows rows;
  rows.contact_constraint = {0, -1, 1};
  rows.sources.resize(3);
  rows.sources[0].contact = 0;
  rows.sources[1].contact = 2;
  rows.sources[2].moment = 2;
  rows.acting = {0, 2};
  rows.MakePlace(1);
  EXPECT_EQ(rows.contact_constraint, (std::vector<int>{0, -1, -1, 1}));
  EXPECT_EQ(rows.sources[0].contact, 0);
  EXPECT_EQ(rows.sources[1].contact, 3);
  EXPECT_EQ(rows.sources[2].contact, -1);
  EXPECT_EQ(rows.sources[2].moment, 3);
  EXPECT_EQ(rows.acting, (std::vector<int>{0, 3}));
}

}  // namespace
}  // namespace stiction::testing
