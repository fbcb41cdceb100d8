// Slots of contact sensors against the contacts that World lists.
#include <gtest/gtest.h>

#include <algorithm>

#include "stiction/io/load.h"
#include "stiction/sim/world.h"
#include "tests/io/model_text.h"

namespace stiction::testing {
namespace {

// A lopsided box on a slope, a lighter one on it, both pressed sideways by gravity, with torsional friction.
std::string BoxesOnASlope(const std::string& sensors) {
  return "<mujoco><option gravity='1 .7 -9'/><default><geom friction='.6 .02 0' condim='4'/></default>"
         "<worldbody><geom name='floor' type='plane' size='0 0 1'/><site name='left' type='box' pos='-.2 0 0'"
         " size='.15 .3 .05'/>"
         "<body name='low' pos='0 0 .05'><freejoint/><geom name='low' type='box' size='.2 .1 .05' mass='2'/>"
         "<geom type='sphere' size='.02' pos='.15 .05 .02' mass='1' contype='0' conaffinity='0'/></body>"
         "<body name='high' pos='.05 0 .15'><freejoint/><geom type='box' size='.1 .05 .05' mass='.5'/></body>"
         "</worldbody><sensor>" +
         sensors + "</sensor></mujoco>";
}

World Settle(const std::string& sensors) {
  World world(LoadText(BoxesOnASlope(sensors)));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(world.Step().status, StepStatus::kOk);
  return world;
}

// What one slot of all fields says, put together again.
struct Slot {
  explicit Slot(const double* x)
      : found(x[0]), force_C(x + 1), torque_C(x + 4), gap(x[7]), p_W(x + 8), n_W(x + 11), t_W(x + 14) {}
  static constexpr int kSize = 17;
  Vector3d ToWorld(const Vector3d& v_C) const {
    return v_C[0] * n_W + v_C[1] * t_W + v_C[2] * n_W.cross(t_W);
  }
  double found;
  Vector3d force_C, torque_C;
  double gap;
  Vector3d p_W, n_W, t_W;
};
constexpr const char* kAll = " data='found force torque dist pos normal tangent' ";

std::vector<Slot> ReadSlots(const World& world, int sensor) {
  const auto values = world.sensor(sensor);
  std::vector<Slot> slots;
  for (int i = 0; i < values.size(); i += Slot::kSize) slots.emplace_back(values.data() + i);
  return slots;
}

TEST(ContactSlots, AreTheContactsOfTheStepSeenFromTheFirstSide) {
  const World world = Settle(std::string("<contact geom1='floor' num='6'") + kAll +
                             "/><contact geom2='floor' num='3'" + kAll + "/>");
  const std::vector<Contact> expected = FindContacts(world.model(), world.contacts(), 1, 0);
  ASSERT_EQ(expected.size(), 4u);
  const std::vector<Slot> slots = ReadSlots(world, 0), from_below = ReadSlots(world, 1);
  ASSERT_EQ(slots.size(), 6u);
  ASSERT_EQ(from_below.size(), 3u);
  double twist = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    const Slot& slot = slots[i];
    const Contact& contact = expected[i];  // with the box first: its impulse is on the floor
    EXPECT_EQ(slot.found, 4.0);
    EXPECT_LT((slot.n_W + contact.n_W).norm(), 1e-15) << "from the floor to the box";
    EXPECT_EQ(slot.p_W, contact.p_W);
    EXPECT_EQ(slot.gap, contact.gap);
    EXPECT_LT((slot.ToWorld(slot.force_C) + contact.impulse_W / world.timestep()).norm(), 1e-12);
    EXPECT_LT((slot.ToWorld(slot.torque_C) + contact.moment_W / world.timestep()).norm(), 1e-12);
    EXPECT_GT(slot.force_C[0], 0.0);
    EXPECT_NEAR(slot.n_W.dot(slot.t_W), 0.0, 1e-15);
    twist = std::max(twist, slot.torque_C.norm());
    if (i >= 3) continue;
    const Slot& other = from_below[i];
    EXPECT_EQ(other.n_W, -slot.n_W);
    EXPECT_LT((other.ToWorld(other.force_C) + slot.ToWorld(slot.force_C)).norm(), 1e-12);
    EXPECT_NEAR(other.force_C[0], slot.force_C[0], 1e-12);
  }
  EXPECT_GT(twist, 0.0) << "torsional friction carries some";
  for (int i = 4 * Slot::kSize; i < 6 * Slot::kSize; ++i) EXPECT_EQ(world.sensor(0)[i], 0.0);
}

TEST(ContactSlots, ComeInTheOrderThatIsAskedFor) {
  const World world = Settle(
      "<contact num='20' data='found dist' reduce='mindist'/>"
      "<contact num='20' data='force' reduce='maxforce'/>"
      "<contact num='2' data='force' reduce='maxforce'/>"
      "<contact site='left' geom1='floor' num='9' data='found pos'/>");
  const int count = static_cast<int>(world.sensor(0)[0]);
  ASSERT_EQ(count, 8) << "each box rests on four corners";
  for (int i = 1; i < count; ++i) {
    EXPECT_GE(world.sensor(0)[2 * i + 1], world.sensor(0)[2 * i - 1]);
    EXPECT_LE(world.sensor(1).segment<3>(3 * i).norm(), world.sensor(1).segment<3>(3 * i - 3).norm() + 1e-12);
  }
  double strongest = 0.0;
  for (const Contact& contact : world.contacts()) strongest = std::max(strongest, contact.impulse_W.norm());
  EXPECT_NEAR(world.sensor(1).head<3>().norm(), strongest / world.timestep(), 1e-12);
  EXPECT_EQ(world.sensor(2), world.sensor(1).head(6));
  EXPECT_TRUE(world.sensor(1).tail(36).isZero(0.0));
  EXPECT_EQ(world.sensor(3)[0], 2.0) << "the two corners within the site";
  EXPECT_NEAR(world.sensor(3)[1], -0.2, 1e-3);
}

// The net contact does what all contacts together do.
TEST(ContactSlots, NetForceHasTheWrenchOfAll) {
  const World world =
      Settle(std::string("<contact body2='low' reduce='netforce' num='2'") + kAll +
             "/><contact body2='low' reduce='netforce' data='force'/><contact body2='low' geom1='low'"
             " reduce='netforce' data='found pos'/>");
  const Slot net(world.sensor(0).data());
  EXPECT_EQ(net.found, 8.0);
  EXPECT_EQ(net.n_W, Vector3d::UnitX());
  EXPECT_EQ(net.t_W, Vector3d::UnitY());
  const Vector6d wrench = CalcContactWrench(world.model(), world.contacts(), world.timestep(), 1, net.p_W);
  EXPECT_LT((net.force_C - wrench.tail<3>()).norm(), 1e-11);
  EXPECT_LT((net.torque_C - wrench.head<3>()).norm(), 1e-11);
  EXPECT_LT((net.force_C - world.sensor(1)).norm(), 1e-9);
  EXPECT_GT(net.p_W.x(), 0.0) << "toward the heavier side";
  EXPECT_TRUE(world.sensor(0).tail(Slot::kSize).isZero(0.0));
  EXPECT_TRUE(world.sensor(2).isZero(0.0)) << "nothing touches itself";
}

TEST(ContactSlots, HaveANameForEachNumber) {
  const Model model = LoadText(BoxesOnASlope("<contact name='feet' num='2' data='found normal'/>"));
  const std::vector<std::string> expected{"feet.0.found",    "feet.0.normal.x", "feet.0.normal.y",
                                          "feet.0.normal.z", "feet.1.found",    "feet.1.normal.x",
                                          "feet.1.normal.y", "feet.1.normal.z"};
  EXPECT_EQ(SensorValueNames(model), expected);
}

TEST(ContactSlots, AreEmptyBeforeAStep) {
  const World world(LoadText(BoxesOnASlope(std::string("<contact num='2'") + kAll + "/>")));
  ASSERT_EQ(world.sensor(0).size(), 2 * Slot::kSize);
  EXPECT_TRUE(world.sensor(0).isZero(0.0));
}

}  // namespace
}  // namespace stiction::testing
