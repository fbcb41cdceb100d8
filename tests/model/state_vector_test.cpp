#include "stiction/model/state_vector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "tests/support/random_model.h"
#include "tests/support/scenes.h"

// That a whole row continues a simulation with the same bits is tested in sim/batch_test.cpp.
namespace stiction::testing {
namespace {

using Row = std::vector<double>;

std::string MessageOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

// As a step leaves it: two boxes, one asleep on the floor, with contacts.
State MakeUsedState(const Model& model) {
  State state = State::Default(model);
  state.time = 0.25;
  state.v.setLinSpaced(1.0, 2.0);
  state.penalties.assign(model.trees.size(), 3.0);
  state.contacts = {{.geom_a = 0, .geom_b = 2, .feature = 4000000000u, .slip_pause = 2, .stuck = true}};
  state.contacts[0].slide_A = {1.0, -0.0, 3e-300};
  state.sleep.time_at_rest = {0.5, 0.0};
  state.sleep.island = {0, -1};
  state.sleep.ncp = {1e-9, 0.0};
  state.sleep.contacts = {{.geom_a = 0, .geom_b = 1, .feature = 1}, {.geom_a = 0, .geom_b = 1, .feature = 2}};
  state.sleep.q = state.q;
  state.sleep.input = Input::Default(model);
  return state;
}

TEST(StateLayout, PlainRowIsTimePositionVelocityActivation) {
  const Model model = MakeRandomModel(3, 12);
  const StateLayout layout(model);
  ASSERT_EQ(layout.size(), 1 + model.nq() + model.nv() + model.na());
  State state = State::FromKeyframe(
      model, {.time = 1.5, .q = MakeRandomConfiguration(model, 1), .v = MakeRandomVelocity(model, 1)});
  Row row(layout.size());
  EXPECT_TRUE(layout.Pack(state, row));
  EXPECT_EQ(row[0], 1.5);
  EXPECT_EQ(Eigen::Map<const VectorXd>(row.data() + layout.q(), model.nq()), state.q);
  EXPECT_EQ(Eigen::Map<const VectorXd>(row.data() + layout.v(), model.nv()), state.v);
  EXPECT_EQ(layout.activation() + model.na(), layout.size());
}

TEST(StateLayout, PlainRowHasNoPast) {
  const Model model = MakeBoxStack(2);
  const StateLayout layout(model);
  const State used = MakeUsedState(model);
  Row row(layout.size());
  EXPECT_TRUE(layout.Pack(used, row));
  State state = used;
  layout.Unpack(row, state);
  EXPECT_EQ(state.v, used.v);
  EXPECT_TRUE(state.contacts.empty() && state.sleep.island.empty());
  EXPECT_EQ(state.penalties, State::Default(model).penalties);
}

TEST(StateLayout, WholeRowKeepsEveryNumber) {
  const Model model = MakeBoxStack(2);
  const StateLayout layout(model, 5);
  const State used = MakeUsedState(model);
  Row row(layout.size()), again(layout.size());
  ASSERT_TRUE(layout.Pack(used, row));
  State state;  // sized by what is read
  layout.Unpack(row, state);
  ASSERT_TRUE(layout.Pack(state, again));
  EXPECT_EQ(row, again);
  EXPECT_EQ(Hash(state), Hash(used));
  ASSERT_EQ(state.contacts.size(), 1u);
  EXPECT_EQ(state.contacts[0].feature, 4000000000u);
  EXPECT_EQ(state.contacts[0].slide_A, used.contacts[0].slide_A);
  EXPECT_TRUE(std::signbit(state.contacts[0].slide_A.y()));
  EXPECT_EQ(state.contacts[0].slip_pause, 2);
  EXPECT_TRUE(state.contacts[0].stuck);
  ASSERT_EQ(state.sleep.contacts.size(), 2u);
  EXPECT_EQ(state.sleep.contacts[1].feature, 2u);
  EXPECT_EQ(state.sleep.island, used.sleep.island);
  EXPECT_EQ(state.sleep.time_at_rest, used.sleep.time_at_rest);
  EXPECT_EQ(state.sleep.input.applied_wrench, used.sleep.input.applied_wrench);
}

TEST(StateLayout, WholeRowBeginsAsAPlainOne) {
  const Model model = MakeBoxStack(2);
  const StateLayout plain(model), whole(model, 3);
  Row row(whole.size()), begin(plain.size());
  const State used = MakeUsedState(model);
  plain.Pack(used, begin);
  whole.Pack(used, row);
  EXPECT_TRUE(std::equal(begin.begin(), begin.end(), row.begin()));
}

TEST(StateLayout, TellsOfContactsWithoutRoom) {
  const Model model = MakeBoxStack(2);
  const StateLayout layout(model, 2);
  Row row(layout.size());
  EXPECT_FALSE(layout.Pack(MakeUsedState(model), row));
  State state;
  const std::string message = MessageOf([&] { layout.Unpack(row, state); });
  EXPECT_NE(message.find("3 contacts and its row room for 2"), std::string::npos) << message;
}

TEST(StateLayout, RefusesWhatIsNoRow) {
  const Model model = MakeBoxStack(2);
  const StateLayout layout(model, 5);
  const State used = MakeUsedState(model);
  Row row(layout.size());
  layout.Pack(used, row);
  State state;
  EXPECT_NE(MessageOf([&] { layout.Unpack({row.data(), 20}, state); }).find("20 numbers"), std::string::npos);
  const int first_contact = layout.size() - 5 * 32;
  for (const double wrong : {-1.0, 3.0, 0.5, std::nan(""), std::numeric_limits<double>::infinity()}) {
    Row bad = row;
    bad[first_contact + 1] = wrong;  // geom_b
    EXPECT_NE(MessageOf([&] { layout.Unpack(bad, state); }), "") << wrong;
    bad = row;
    bad[first_contact - 1] = wrong - 1.0;  // the number of contacts that sleep: 2
    const bool is_right = bad[first_contact - 1] == 2.0;
    EXPECT_EQ(MessageOf([&] { layout.Unpack(bad, state); }) == "", is_right) << wrong;
  }
  row[first_contact + 1] = 0.0;  // a geom that touches itself
  EXPECT_NE(MessageOf([&] { layout.Unpack(row, state); }).find("geom_a < geom_b"), std::string::npos);
  State other = used;
  other.limits.resize(7);
  EXPECT_NE(MessageOf([&] { layout.Pack(other, row); }).find("7 numbers"), std::string::npos);
  EXPECT_NE(MessageOf([&] { StateLayout(model, -1); }).find("-1"), std::string::npos);
  EXPECT_NE(MessageOf([&] { StateLayout(model, 1 << 30); }), "");
}

}  // namespace
}  // namespace stiction::testing
