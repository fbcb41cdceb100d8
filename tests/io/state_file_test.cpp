#include "stiction/io/state_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "stiction/model/load_error.h"
#include "stiction/model/model_builder.h"
#include "tests/io/temporary_file.h"

namespace stiction {
namespace {

// Two free spheres above a plane.
Model MakeSpheres() {
  ModelBuilder builder("spheres");
  builder.AddGeom({.name = "floor", .shape = Plane{}});
  for (const char* name : {"left", "right"}) {
    const int body = builder.AddBody({.name = name, .parent = 0});
    builder.AddJoint(body, {.kind = FreeJoint{}});
    builder.AddGeom({.body = body, .shape = Sphere{0.1}}, {.mass = 1.0});
  }
  return builder.Build();
}

// Numbers without a short decimal form.
State MakeAwkwardState(const Model& model) {
  State state = State::Default(model);
  state.time = 0.1 + 0.2;
  for (int i = 0; i < model.nv(); ++i) state.v[i] = std::sin(i + 1.0) * std::pow(10.0, 20 * (i % 3) - 20);
  state.v[1] = -0.0;
  state.v[2] = std::numeric_limits<double>::denorm_min();
  for (const int other : {1, 2}) {
    ContactMemory contact;
    contact.geom_a = 0, contact.geom_b = other;
    contact.feature = 0xfffffff0u + static_cast<unsigned>(other);
    contact.p_A = Vector3d(1.0 / 3.0, -1.0 / 7.0, 1e-17);
    contact.p_B = Vector3d(0.1, 0.2, 0.3);
    contact.n_A = Vector3d(0.0, -0.0, 1.0);
    contact.n_B = Vector3d(0.6, -0.8, -0.0);
    contact.impulse_W = Vector3d(M_PI, M_E, M_SQRT2);
    contact.change_W = Vector3d(1e-7 / 3.0, -1e-7 / 7.0, 0.0);
    contact.slip_A = Vector3d(1e-9 / 3.0, 2e-9 / 3.0, 0.0);
    contact.slide_A = Vector3d(-1.0 / 3.0, 0.0, M_LN2);
    contact.stuck = other == 1;
    state.contacts.push_back(contact);
  }
  state.limits[1] = {1.0 / 13.0, 1.0 / 17.0, 1.0 / 19.0, -1.0 / 23.0};
  return state;
}

// Equal also in the sign of zero.
bool SameBits(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

TEST(StateFile, RoundTripKeepsEveryBit) {
  const Model model = MakeSpheres();
  const State state = MakeAwkwardState(model);
  const TemporaryFile file;
  WriteState(file.path(), model, state);
  const State read = ReadState(file.path(), model);
  EXPECT_EQ(Hash(read), Hash(state));
  EXPECT_TRUE(SameBits(read.v, state.v));
  ASSERT_EQ(read.contacts.size(), state.contacts.size());
  for (size_t i = 0; i < state.contacts.size(); ++i) {
    const ContactMemory &a = read.contacts[i], &b = state.contacts[i];
    EXPECT_EQ(a.geom_b, b.geom_b);
    EXPECT_EQ(a.feature, b.feature);
    EXPECT_EQ(a.stuck, b.stuck);
    EXPECT_TRUE(SameBits(a.p_A, b.p_A) && SameBits(a.p_B, b.p_B) && SameBits(a.n_A, b.n_A));
    EXPECT_TRUE(SameBits(a.n_B, b.n_B));
    EXPECT_TRUE(SameBits(a.impulse_W, b.impulse_W) && SameBits(a.slip_A, b.slip_A));
    EXPECT_TRUE(SameBits(a.slide_A, b.slide_A) && SameBits(a.change_W, b.change_W));
  }
  ASSERT_EQ(read.limits.size(), state.limits.size());
  EXPECT_EQ(read.limits[1].lower_impulse, state.limits[1].lower_impulse);
  EXPECT_EQ(read.limits[1].upper_impulse, state.limits[1].upper_impulse);
  EXPECT_EQ(read.limits[1].lower_change, state.limits[1].lower_change);
  EXPECT_EQ(read.limits[1].upper_change, state.limits[1].upper_change);
}

// One of two trees asleep, with the input that it sleeps under.
State MakeSleepyState(const Model& model) {
  State state = MakeAwkwardState(model);
  state.sleep.time_at_rest = {0.1 + 0.2, 1.0 / 3.0};
  state.sleep.island = {-1, 1};
  state.sleep.ncp = {0.0, 1e-9 / 7.0};
  state.sleep.contacts.push_back(state.contacts.back());
  state.contacts.pop_back();
  state.sleep.q = state.q / 3.0;
  state.sleep.input = Input::Default(model);
  state.sleep.input.applied_wrench(4, 2) = 1.0 / 11.0;
  state.sleep.input.applied_damping = VectorXd::Constant(model.nv(), 1.0 / 19.0);
  return state;
}

TEST(StateFile, KeepsWhoSleeps) {
  const Model model = MakeSpheres();
  const State state = MakeSleepyState(model);
  const TemporaryFile file;
  WriteState(file.path(), model, state);
  const SleepMemory &read = ReadState(file.path(), model).sleep, &written = state.sleep;
  EXPECT_EQ(read.time_at_rest, written.time_at_rest);
  EXPECT_EQ(read.island, written.island);
  EXPECT_EQ(read.ncp, written.ncp);
  ASSERT_EQ(read.contacts.size(), 1u);
  EXPECT_EQ(read.contacts[0].feature, written.contacts[0].feature);
  EXPECT_TRUE(SameBits(read.contacts[0].impulse_W, written.contacts[0].impulse_W));
  EXPECT_TRUE(SameBits(read.q, written.q));
  EXPECT_EQ(read.input.applied_wrench, written.input.applied_wrench);
  EXPECT_TRUE(SameBits(read.input.applied_damping, written.input.applied_damping));
  EXPECT_EQ(read.input.applied_stiffness.size(), 0);
}

TEST(StateFile, RefusesSleepersThatTheModelDoesNotHave) {
  const Model model = MakeSpheres();
  const TemporaryFile file;
  for (const std::vector<int>& island :
       {std::vector<int>{-1, 2}, std::vector<int>{-2, 1}, std::vector<int>{-1}}) {
    State state = MakeSleepyState(model);
    state.sleep.island = island;
    WriteState(file.path(), model, state);
    EXPECT_THROW(ReadState(file.path(), model), LoadError);
  }
}

TEST(StateFile, RefusesTheStateOfAnotherModel) {
  const Model model = MakeSpheres();
  ModelBuilder builder("ball");
  const int body = builder.AddBody({.name = "ball", .parent = 0});
  builder.AddJoint(body, {.kind = FreeJoint{}});
  builder.AddGeom({.body = body, .shape = Sphere{0.1}}, {.mass = 1.0});
  const Model other = builder.Build();
  const TemporaryFile file;
  WriteState(file.path(), model, State::Default(model));
  EXPECT_THROW(ReadState(file.path(), other), LoadError);
}

TEST(StateFile, RefusesContactsOfUnknownGeoms) {
  const Model model = MakeSpheres();
  State state = MakeAwkwardState(model);
  const TemporaryFile file;
  state.contacts[1].geom_b = 3;
  WriteState(file.path(), model, state);
  EXPECT_THROW(ReadState(file.path(), model), LoadError);
  state.contacts[0].geom_b = 2, state.contacts[1].geom_b = 1;  // not in order
  WriteState(file.path(), model, state);
  EXPECT_THROW(ReadState(file.path(), model), LoadError);
}

TEST(StateFile, RefusesOtherJson) {
  const Model model = MakeSpheres();
  EXPECT_THROW(ReadState(TemporaryFile("{\"time\": 0}").path(), model), LoadError);
  EXPECT_THROW(ReadState(TemporaryFile("{").path(), model), LoadError);
  EXPECT_THROW(ReadState("no/such/file", model), LoadError);
}

}  // namespace
}  // namespace stiction
