#include "stiction/model/state.h"

#include <gtest/gtest.h>

#include "stiction/model/input.h"
#include "tests/support/random_model.h"

namespace stiction::testing {
namespace {

TEST(State, StartsAtRestInTheFilesConfiguration) {
  const Model model = MakeRandomModel(3, 12);
  const State state = State::Default(model);
  EXPECT_EQ(state.time, 0.0);
  EXPECT_EQ(state.q, model.q0);
  EXPECT_EQ(state.v, VectorXd::Zero(model.nv()));
  EXPECT_EQ(static_cast<int>(state.limits.size()), model.num_limits());
  EXPECT_TRUE(state.contacts.empty());
}

TEST(State, KeyframeSetsTimePositionAndVelocity) {
  const Model model = MakeRandomModel(3, 12);
  const VectorXd q = MakeRandomConfiguration(model, 1), v = MakeRandomVelocity(model, 1);
  const State state = State::FromKeyframe(model, {.time = 1.5, .q = q, .v = v});
  EXPECT_EQ(state.time, 1.5);
  EXPECT_EQ(state.q, q);
  EXPECT_EQ(state.v, v);
}

TEST(State, HashChangesWithTheLastBitOfAnyNumber) {
  const Model model = MakeRandomModel(3, 12);
  const State state = State::Default(model);
  State other = state;
  EXPECT_EQ(Hash(state), Hash(other));
  other.v[0] = std::numeric_limits<double>::denorm_min();
  EXPECT_NE(Hash(state), Hash(other));
  other = state;
  other.q[0] = std::nextafter(other.q[0], 1.0);
  EXPECT_NE(Hash(state), Hash(other));
}

TEST(State, HashIsFnv1a) {
  // The published value for no bytes, continued by the eight zero bytes of time: each multiplies by the
  // prime.
  std::uint64_t expected = 0xcbf29ce484222325;
  for (int i = 0; i < 8; ++i) expected *= 0x100000001b3;
  EXPECT_EQ(Hash(State{}), expected);
}

TEST(Input, DefaultsToNothingApplied) {
  const Model model = MakeRandomModel(3, 12);
  const Input input = Input::Default(model);
  EXPECT_EQ(input.ctrl.size(), 0);
  EXPECT_EQ(input.applied_generalized, VectorXd::Zero(model.nv()));
  EXPECT_EQ(input.applied_wrench, MatrixXd::Zero(6, model.num_bodies()));
  EXPECT_EQ(input.mocap.size(), 0);
}

}  // namespace
}  // namespace stiction::testing
