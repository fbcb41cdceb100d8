// Drag and lift of geoms that count as ellipsoids in a fluid.
#include "dynamics/fluid_ellipsoid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "model/fluid_ellipsoid.h"
#include "stiction/math/rotation.h"
#include "tests/dynamics/moving_model.h"
#include "tests/io/model_text.h"

namespace stiction::testing {
namespace {

constexpr double kPi = std::numbers::pi, kDensity = 1.3, kViscosity = 0.02;

// A free body with one geom, in a fluid. v and ω are those of the geom, in its axes.
struct Swimmer {
  MovingModel moving;

  Swimmer(const std::string& geom, const Vector3d& v, const Vector3d& w) : moving(Make(geom, v, w)) {}
  static MovingModel Make(const std::string& geom, const Vector3d& v, const Vector3d& w) {
    const Model model =
        LoadText("<mujoco><option density='1.3' viscosity='0.02'/><worldbody><body><freejoint/>" +
                 ("<geom fluidshape='ellipsoid' " + geom + "/>") + "</body></worldbody></mujoco>");
    VectorXd speed(6);
    speed << v, w;
    return {model, model.q0, speed};
  }
  Vector6d Wrench() const { return CalcEllipsoidDrag(moving.model, moving.kin, moving.model.geoms[0]); }
  Vector3d Force() const { return Wrench().tail<3>(); }
  Vector3d Torque() const { return Wrench().head<3>(); }
  const FluidEllipsoid& fluid() const { return *moving.model.geoms[0].fluid; }
};

TEST(FluidEllipsoid, OfABallHasClosedForms) {
  const double r = 0.3, volume = 4.0 / 3.0 * kPi * r * r * r;
  const Vector3d v(1, 2, -2), w(0.5, -1, 3);
  const Swimmer ball("size='0.3'", v, w);
  EXPECT_LT((ball.fluid().virtual_mass - Vector3d::Constant(0.5 * volume)).norm(), 1e-15);
  EXPECT_EQ(ball.fluid().virtual_moment.norm(), 0.0);
  const Vector3d force = -(6.0 * kPi * kViscosity * r + kDensity * 3.0 * 0.5 * kPi * r * r) * v +
                         0.5 * kDensity * volume * w.cross(v);
  const double moment = 8.0 / 15.0 * kPi * std::pow(r, 5);
  const Vector3d torque = -(8.0 * kPi * kViscosity * r * r * r + kDensity * 1.5 * moment * w.norm()) * w;
  EXPECT_LT((ball.Force() - force).norm(), 1e-14);
  EXPECT_LT((ball.Torque() - torque).norm(), 1e-14);
}

TEST(FluidEllipsoid, AddedMassesOfASpheroidAreLambs) {
  // Lamb, Hydrodynamics, §373: a prolate spheroid of eccentricity e along z.
  const double a = 0.5, b = 0.2, e = std::sqrt(1.0 - b * b / (a * a));
  const double along = 2.0 * (1.0 - e * e) / (e * e * e) * (std::atanh(e) - e);
  const double across = 1.0 / (e * e) - (1.0 - e * e) / (e * e * e) * std::atanh(e);
  const Swimmer fish("type='ellipsoid' size='0.2 0.2 0.5'", Vector3d::Zero(), Vector3d::Zero());
  const double volume = 4.0 / 3.0 * kPi * a * b * b;
  const Vector3d mass(across / (2.0 - across), across / (2.0 - across), along / (2.0 - along));
  EXPECT_LT((fish.fluid().virtual_mass - volume * mass).norm(), 1e-13 * volume);
  EXPECT_EQ(fish.fluid().virtual_moment.z(), 0.0);
  const double moment = 0.2 * volume * std::pow(a * a - b * b, 2) * (across - along) /
                        (2.0 * (a * a - b * b) + (a * a + b * b) * (along - across));
  EXPECT_NEAR(fish.fluid().virtual_moment.x(), moment, 1e-13 * moment);
  EXPECT_GT(moment, 0.0);
}

TEST(FluidEllipsoid, AddedMassFactorsSumToTwo) {
  const Swimmer card("type='box' size='0.3 0.2 0.01'", Vector3d::Zero(), Vector3d::Zero());
  const double volume = 4.0 / 3.0 * kPi * 0.3 * 0.2 * 0.01;
  double sum = 0.0;
  for (const double m : card.fluid().virtual_mass) sum += 2.0 * m / (volume + m);
  EXPECT_NEAR(sum, 2.0, 1e-13);
}

TEST(FluidEllipsoid, LiftDoesNoWorkAndDragTakesEnergy) {
  const Vector3d v(1.0, -0.4, 2.0), w(0.3, 2.0, -1.0);
  const std::string shape = "type='ellipsoid' size='0.5 0.3 0.05' ";
  const Swimmer all(shape, v, w), no_lift(shape + "fluidcoef='0.5 0.25 1.5 0 0'", v, w);
  const Vector3d lift = all.Force() - no_lift.Force();
  EXPECT_GT(lift.norm(), 0.01);
  EXPECT_NEAR(lift.dot(v), 0.0, 1e-13);
  EXPECT_LT(all.Force().dot(v) + all.Torque().dot(w), 0.0);
  // A slender body is dragged along its broad side more than along its edge.
  const Swimmer broad(shape, Vector3d(0, 0, 1), Vector3d::Zero());
  const Swimmer edge(shape, Vector3d(1, 0, 0), Vector3d::Zero());
  const double area = kPi * 0.5 * 0.3, small = kPi * 0.3 * 0.05;
  const double stokes = 2.0 * kPi * kViscosity * (0.5 + 0.3 + 0.05);
  EXPECT_NEAR(broad.Force().z(), -stokes - kDensity * 0.5 * area, 1e-13);
  EXPECT_NEAR(edge.Force().x(), -stokes - kDensity * (0.5 * small + 0.25 * (area - small)), 1e-13);
}

TEST(FluidEllipsoid, TakesThePlaceOfTheInertiaBox) {
  const Swimmer ball("size='0.3' pos='0.1 0 0'", Vector3d(1, 0, 0), Vector3d::Zero());
  EXPECT_TRUE(ball.moving.model.bodies[1].drags_by_geoms);
  ImportReport report;
  LoadText("<mujoco><worldbody><geom type='plane' size='1 1 1' fluidshape='ellipsoid'/></worldbody></mujoco>",
           &report);
  const ImportItem* item = FindItem(report, "geom[@fluidshape]");
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->status, ImportStatus::kIgnored);
  const std::string message =
      LoadFailure("<mujoco><worldbody>\n<geom size='1' fluidcoef='-1'/></worldbody></mujoco>");
  EXPECT_NE(message.find(":2: <geom"), std::string::npos) << message;
}

}  // namespace
}  // namespace stiction::testing
