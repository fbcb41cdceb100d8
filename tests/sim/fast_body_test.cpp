// Small bodies that go many times their size in a step, or turn by radians: none comes out behind a wall.
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "stiction/collision/narrowphase.h"
#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/field_solid.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

constexpr double kWall = 0.06;         // x of the wall's near side [m]
constexpr double kHalfWidth = 0.08;    // of floors and walls [m]
constexpr double kHalfPlate = 1.5e-3;  // of a wall's thickness [m]

// Seeded once a test.
class Throws {
 public:
  explicit Throws(int seed) : random_(static_cast<unsigned>(seed)) {}

  double Uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  double LogUniform(double low, double high) { return std::exp(Uniform(std::log(low), std::log(high))); }
  Vector3d Direction() {
    Vector3d v;
    do {
      v = {Uniform(-1.0, 1.0), Uniform(-1.0, 1.0), Uniform(-1.0, 1.0)};
    } while (v.norm() > 1.0 || v.norm() < 0.1);
    return v.normalized();
  }

 private:
  std::mt19937 random_;
};

// A floor at z = 0 and a wall on it, of one piece.
Shape MakeTrayMesh(Vector3d& p) {
  TriangleMesh tray = MakeBoxMesh({kHalfWidth, kHalfWidth, 0.01});
  for (Vector3d& v : tray.vertices) v.z() -= 0.01;
  const TriangleMesh wall = MakeBoxMesh({kHalfPlate, kHalfWidth, 0.02});
  const int first = static_cast<int>(tray.vertices.size());
  for (const Vector3d& v : wall.vertices) tray.vertices.push_back(v + Vector3d(kWall + kHalfPlate, 0, 0.01));
  for (const auto& [a, b, c] : wall.triangles) tray.triangles.push_back({a + first, b + first, c + first});
  const PlacedMesh placed = MakeMesh(tray);
  p = placed.p_MG;
  return placed.mesh;
}

Shape MakeTrayField(Vector3d& p) {
  const DistanceField floor = Transform(Shift(0, 0, -0.01), MakeBoxField({kHalfWidth, kHalfWidth, 0.01}));
  const DistanceField wall =
      Transform(Shift(kWall + kHalfPlate, 0, 0.01), MakeBoxField({kHalfPlate, kHalfWidth, 0.02}));
  const PlacedField placed = MakeField(Unite(floor, wall), 2.0 * kHalfPlate);
  p = placed.p_FG;
  return placed.shape;
}

// Throws the thing along +x, a little askew, with a spin; true if its middle stays before the wall.
//   way   in a step [m]
//   spin  of the thing [rad a step]
bool StaysBeforeWall(const ModelBuilder& scene, const Shape& thing, double z, double way,
                     const Vector3d& spin, double askew, const Matrix3d& R_WB = Matrix3d::Identity()) {
  constexpr double kDt = 0.005;
  ModelBuilder builder = scene;
  AddFreeBody(builder, thing, 1e-4, {R_WB, {-0.03, 0, z}}, {.friction = 0.3});
  World world = MakeWorld(builder.Build(), kDt);
  SetFreeVelocity(world, 0, way / kDt * Vector3d(std::cos(askew), std::sin(askew), 0), spin / kDt);
  for (int step = 0; step < 20 && std::abs(world.q()[1]) < 0.06 && world.q()[0] > -0.07; ++step) {
    EXPECT_EQ(world.Step().status, StepStatus::kOk);
    if (world.q()[0] > kWall) return false;
  }
  return true;
}

TEST(FastBody, WhatRollsAlongATrayIsStoppedByItsWall) {
  Throws throws(1);
  Vector3d p;
  for (const bool is_field : {false, true}) {
    const Shape tray = is_field ? MakeTrayField(p) : MakeTrayMesh(p);
    for (int k = 0; k < 60; ++k) {
      ModelBuilder scene;
      scene.AddGeom({.shape = tray, .X_BG = Shift(p.x(), p.y(), p.z()), .friction = 0.3});
      const double radius = throws.LogUniform(0.5e-3, 4e-3), way = throws.LogUniform(0.01, 0.2);
      const double spin = k % 2 == 0 ? way / radius : 0.0;
      EXPECT_TRUE(
          StaysBeforeWall(scene, Sphere{radius}, radius + 1e-7, way, {0, spin, 0}, throws.Uniform(-0.5, 0.5)))
          << k << " of field " << is_field;
    }
  }
}

// A sheet has no thickness to go by.
TEST(FastBody, ASheetStopsWhatRollsAtIt) {
  Throws throws(2);
  const PlacedMesh sheet = MakeMesh(MakeFloor(8, 0.02));
  const RigidTransform X_WS = Turn(-0.5 * kPi, Vector3d::UnitY(), {kWall, 0, 0.05});
  for (int k = 0; k < 60; ++k) {
    ModelBuilder scene;
    AddFloor(scene, {.friction = 0.3});
    scene.AddGeom({.shape = sheet.mesh, .X_BG = {X_WS.R, X_WS * sheet.p_MG}, .friction = 0.3});
    const double radius = throws.LogUniform(0.5e-3, 4e-3), way = throws.LogUniform(0.003, 0.2);
    EXPECT_TRUE(
        StaysBeforeWall(scene, Sphere{radius}, radius + 1e-7, way, {0, 0, 0}, throws.Uniform(-0.5, 0.5)))
        << k;
  }
}

// One shape after another: round ones of that radius.
Shape MakeThing(int k, const Vector3d& half, double radius) {
  const Shape things[] = {Box{half}, Capsule{radius, half.z()}, Cylinder{radius, half.z()},
                          MakeHull(MakeBoxMesh(half).vertices).hull, Ellipsoid{half}};
  return things[k % std::size(things)];
}

// By up to thirty radians a step: where its corners are at the start says nothing of where they meet.
TEST(FastBody, APlateStopsWhatTurnsFast) {
  Throws throws(3);
  for (int k = 0; k < 200; ++k) {
    const double size = throws.LogUniform(0.5e-3, 5e-3);
    const Vector3d half(size * throws.Uniform(0.6, 1.4), size * throws.Uniform(0.6, 1.4), size);
    const Shape thing = MakeThing(k, half, size);
    ModelBuilder scene;
    scene.options().gravity.setZero();
    scene.AddGeom(
        {.shape = Box{{kHalfPlate, kHalfWidth, kHalfWidth}}, .X_BG = Shift(kWall + kHalfPlate, 0, 0)});
    EXPECT_TRUE(StaysBeforeWall(scene, thing, 0.0, throws.LogUniform(0.002, 0.1),
                                throws.LogUniform(0.5, 30.0) * throws.Direction(), throws.Uniform(-0.5, 0.5)))
        << k << " " << ShapeName(thing);
  }
}

// A blow at one end turns it by radians in what is left of the step, which says nothing of what its middle
// does.
TEST(FastBody, APlateStopsWhatABlowTurns) {
  Throws throws(5);
  for (int k = 0; k < 500; ++k) {
    const double size = throws.LogUniform(0.5e-3, 5e-3), thin = size * throws.Uniform(0.2, 0.8);
    const Vector3d half(thin, size * throws.Uniform(0.2, 1.0), size);
    const Shape thing = MakeThing(k, half, thin);
    ModelBuilder scene;
    scene.options().gravity.setZero();
    scene.AddGeom(
        {.shape = Box{{kHalfPlate, kHalfWidth, kHalfWidth}}, .X_BG = Shift(kWall + kHalfPlate, 0, 0)});
    const Matrix3d R_WB = Turn(throws.Uniform(0.0, kPi), throws.Direction()).R;
    EXPECT_TRUE(StaysBeforeWall(scene, thing, 0.0, throws.LogUniform(0.003, 0.2), Vector3d::Zero(),
                                throws.Uniform(-0.3, 0.3), R_WB))
        << k << " " << ShapeName(thing);
  }
}

// What turns fast beside a wall without coming near it is let be, and keeps its momentum.
TEST(FastBody, WhatTurnsFastPassesBesideAPlate) {
  Throws throws(4);
  for (int k = 0; k < 50; ++k) {
    const double size = throws.LogUniform(0.5e-3, 5e-3), way = throws.LogUniform(0.002, 0.1);
    ModelBuilder builder;
    builder.options().gravity.setZero();
    builder.AddGeom({.shape = Box{{kHalfPlate, 0.02, 0.02}}});
    AddFreeBody(builder, Box{Vector3d::Constant(size)}, 1e-4, Shift(-0.5 * way, 0.02 + 1.8 * size, 0));
    World world = MakeWorld(builder.Build(), 0.005);
    const Vector3d v(way / 0.005, 0, 0);
    SetFreeVelocity(world, 0, v, 0.005 * 3e6 * throws.Uniform(0.01, 0.1) * throws.Direction());
    for (int step = 0; step < 3; ++step) world.Step();
    EXPECT_LT((world.v().head<3>() - v).norm(), 1e-9 * v.norm()) << k;
  }
}

// A closed room, in which things are thrown about that meet the walls, corners and one another, some of them
// two boxes on a hinge.
TEST(FastBody, ARoomKeepsWhatIsThrownAboutInIt) {
  constexpr double kHalfRoom = 0.25, kHalfWall = 0.005, kStep = 0.005;
  Throws throws(6);
  for (int k = 0; k < 60; ++k) {
    ModelBuilder builder;
    for (int axis = 0; axis < 3; ++axis) {
      for (const double side : {-1.0, 1.0}) {
        Vector3d half = Vector3d::Constant(kHalfRoom + 2.0 * kHalfWall), p = Vector3d::Zero();
        half[axis] = kHalfWall;
        p[axis] = side * (kHalfRoom + kHalfWall);
        builder.AddGeom({.shape = Box{half}, .X_BG = {.p = p}, .friction = 0.3});
      }
    }
    const int count = 1 + k % 4;
    for (int i = 0; i < count; ++i) {
      const double size = throws.LogUniform(2e-3, 0.02);
      const Vector3d half(size, size * throws.Uniform(0.3, 1.0), size * throws.Uniform(0.3, 1.0));
      const RigidTransform X_WB =
          Turn(throws.Uniform(0.0, kPi), throws.Direction(), Vector3d(-0.15 + 0.1 * i, 0, 0));
      const Surface surface{.friction = 0.3, .restitution = k % 3 == 0 ? 0.5 : 0.0};
      const int body = AddFreeBody(builder, MakeThing(i + k, half, half.y()), 1e-3, X_WB, surface);
      if ((i + k) % 2 == 0) continue;
      const int link = builder.AddBody({.parent = body, .X_PB = Shift(1.2 * size, 0, 0)});
      builder.AddJoint(link, {.kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
      builder.AddGeom({.body = link, .shape = Box{0.7 * half}, .X_BG = Shift(size, 0, 0), .friction = 0.3},
                      {.mass = 5e-4});
    }
    World world = MakeWorld(builder.Build(), kStep);
    State state = world.state();
    for (const Joint& joint : world.model().joints) {
      if (!joint.is_free()) continue;
      state.v.segment<3>(joint.v_address) = throws.LogUniform(1.0, 20.0) * throws.Direction();
      state.v.segment<3>(joint.v_address + 3) = throws.LogUniform(1.0, 100.0) * throws.Direction();
    }
    world.set_state(state);
    for (int step = 0; step < 100; ++step) {
      EXPECT_NE(world.Step().status, StepStatus::kDiverged);
      for (int body = 1; body < world.model().num_bodies(); ++body)
        ASSERT_LT(world.kinematics().p_WBcm[body].lpNorm<Eigen::Infinity>(), kHalfRoom) << k << " " << step;
    }
  }
}

}  // namespace
}  // namespace stiction::testing
