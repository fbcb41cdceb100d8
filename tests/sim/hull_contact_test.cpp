// Hulls at rest: what a missing or renamed contact point would spoil.
#include <gtest/gtest.h>

#include <set>

#include "stiction/geometry/convex_hull.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

Hull MakeCube(double half) {
  std::vector<Vector3d> points;
  for (int k = 0; k < 8; ++k)
    points.push_back(half * Vector3d(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1));
  return MakeHull(points).hull;
}

// A prism of n sides about z, inscribed in a circle.
Hull MakePrism(int n, double radius, double half_height) {
  std::vector<Vector3d> points;
  for (int k = 0; k < n; ++k) {
    const double angle = 2.0 * kPi * k / n;
    for (const double z : {-half_height, half_height}) {
      points.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  }
  return MakeHull(points).hull;
}

std::set<std::uint32_t> Features(const World& world) {
  std::set<std::uint32_t> features;
  for (const ContactMemory& memory : world.state().contacts) features.insert(memory.feature);
  return features;
}

// Lands the body in 0.5 s, then watches it for 2 s.
void ExpectRests(ModelBuilder& builder, std::size_t num_contacts) {
  World world = MakeWorld(builder.Build());
  const RunSummary landing = RunSteps(world, 250);
  EXPECT_EQ(landing.not_ok, 0);
  EXPECT_LE(landing.ncp, 1e-8);
  const VectorXd start = world.q();
  const std::set<std::uint32_t> features = Features(world);
  EXPECT_EQ(features.size(), num_contacts);
  for (int i = 0; i < 1000; ++i) {
    const StepReport& report = world.Step();
    ASSERT_EQ(report.status, StepStatus::kOk);
    ASSERT_LE(report.certificate.ncp_max, 1e-8);
    ASSERT_EQ(Features(world), features) << "step " << i;
    ASSERT_EQ(world.state().contacts.size(), num_contacts);
  }
  EXPECT_LT((world.q() - start).head<3>().norm(), 1e-9);  // [m]
  // The solver's tolerance, 1e-9 m/s, adds up; at a lever of 5 cm it is 2e-8 rad/s.
  EXPECT_LT((world.q() - start).tail<4>().norm(), 1e-8);
}

TEST(HullContact, CubeDroppedOnAPlaneRestsOnFourVertices) {
  ModelBuilder builder;
  AddFloor(builder);
  AddFreeBody(builder, MakeCube(0.05), 1.0, Turn(0.05, Vector3d(1, 2, 0).normalized(), {0, 0, 0.1}));
  ExpectRests(builder, 4);
}

TEST(HullContact, CubeDroppedOnABoxRestsOnFourVertices) {
  ModelBuilder builder;
  builder.AddGeom({.shape = Box{{0.3, 0.3, 0.1}}, .X_BG = Shift(0, 0, -0.1)});
  AddFreeBody(builder, MakeCube(0.05), 1.0, Turn(0.05, Vector3d(1, 2, 0).normalized(), {0, 0, 0.1}));
  ExpectRests(builder, 4);
}

TEST(HullContact, PrismOfManySidesRestsOnEightOfItsVertices) {
  for (const bool on_box : {false, true}) {
    ModelBuilder builder;
    if (on_box) {
      builder.AddGeom({.shape = Box{{0.3, 0.3, 0.1}}, .X_BG = Shift(0, 0, -0.1)});
    } else {
      AddFloor(builder);
    }
    AddFreeBody(builder, MakePrism(32, 0.05, 0.03), 1.0, Turn(0.02, Vector3d::UnitX(), {0, 0, 0.04}));
    ExpectRests(builder, 8);
  }
}

TEST(HullContact, StackOfFiveStands) {
  for (const double ratio : {1.0, 1000.0}) {
    ModelBuilder builder;
    AddFloor(builder);
    for (int i = 0; i < 5; ++i) {
      AddFreeBody(builder, MakeCube(0.05), std::pow(ratio, i / 4.0), Shift(0, 0, 0.05 + 0.1 * i));
    }
    World world = MakeWorld(builder.Build(), 0.005);
    const RunSummary run = RunSteps(world, 1000);
    EXPECT_EQ(run.not_ok, 0);
    EXPECT_LE(run.ncp, 1e-8);
    EXPECT_EQ(world.state().contacts.size(), 20u);
    for (int i = 0; i < 5; ++i) {
      // The closed gap, 1e-6 m, is what a rigid stack may be off by.
      EXPECT_NEAR(world.q()[7 * i + 2], 0.05 + 0.1 * i, 1e-6) << "ratio " << ratio;
      EXPECT_LT(world.q().segment<2>(7 * i).norm(), 1e-6) << "ratio " << ratio;
    }
  }
}

}  // namespace
}  // namespace stiction::testing
