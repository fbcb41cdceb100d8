// Cables of MJCF files, simulated (io/mjcf/composite.cpp).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/sim/world.h"
#include "tests/io/model_text.h"

namespace stiction {
namespace {

// A horizontal cantilever of steel wire, 0.4 m long and 1 mm in radius: its end sinks by ρ A g L⁴ / (8 E I).
// Of n pieces the first does not bend, so that the chain is stiffer, by about 2 / n.
TEST(Cable, ElasticCableSagsAsABeam) {
  constexpr double kModulus = 2e11, kRadius = 0.001, kLength = 0.4, kDensity = 7800.0, kG = 9.81;
  constexpr int kPieces = 40;
  ImportReport report;
  const Model model =
      LoadText("<mujoco><option timestep='0.001'/><worldbody><composite type='cable' curve='s' count='" +
                   std::to_string(kPieces + 1) +
                   "' size='0.4' initial='none'><plugin plugin='mujoco.elasticity.cable'><config key='twist' "
                   "value='1e11'/>"
                   "<config key='bend' value='2e11'/></plugin><joint kind='main' damping='0.02'/>"
                   "<geom type='cylinder' size='.001' density='7800' contype='0' "
                   "conaffinity='0'/></composite></worldbody>"
                   "</mujoco>",
               &report);
  const ImportItem* plugin = FindItem(report, "plugin");
  ASSERT_TRUE(plugin);
  EXPECT_EQ(plugin->status, ImportStatus::kApproximated);
  World world(model);
  for (int i = 0; i < 1500; ++i) world.Step();
  const RigidTransform X_WB = world.body_poses()[model.FindBody("B_last")];
  const double sag = -(X_WB * Vector3d(kLength / kPieces, 0, 0)).z();
  const double area = std::numbers::pi * kRadius * kRadius, moment = area * kRadius * kRadius / 4.0;
  const double expected = kDensity * area * kG * std::pow(kLength, 4) / (8.0 * kModulus * moment);
  EXPECT_NEAR(sag / expected, 1.0, 0.06);
}

}  // namespace
}  // namespace stiction
