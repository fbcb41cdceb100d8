#include "stiction/collision/scene_query.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/geometry/ray_cast.h"
#include "stiction/model/model_builder.h"
#include "tests/support/poses.h"
#include "tests/support/random_model.h"

namespace stiction::testing {
namespace {

using stiction::testing::At;

// One body a shape, besides the world; poses apart from the model, as the functions take them.
struct Scene {
  Model model;
  std::vector<RigidTransform> X_WG;
};

Scene MakeScene(const std::vector<std::pair<Shape, RigidTransform>>& shapes) {
  ModelBuilder builder;
  Scene scene;
  for (const auto& [shape, X_WG] : shapes) {
    const int body = builder.AddBody({.X_PB = X_WG});
    builder.AddGeom({.body = body, .shape = shape});
    scene.X_WG.push_back(X_WG);
  }
  scene.model = builder.Build();
  return scene;
}

// A floor, a ball of 0.5 m and a cube of 1 m side by side.
Scene MakeRoom() {
  return MakeScene({{Plane{}, {}},
                    {Sphere{0.5}, At(0, 0, 2)},
                    {Box{Vector3d::Constant(0.5)}, {Quaterniond(0, 1, 0, 0).toRotationMatrix(), {3, 0, 1}}}});
}

TEST(SceneQuery, RayMeetsTheFirstOfAKnownScene) {
  const Scene room = MakeRoom();
  const Vector3d down(0, 0, -1);
  const auto ball = CastRay(room.model, room.X_WG, {0, 0, 10}, down);
  ASSERT_TRUE(ball);
  EXPECT_EQ(ball->geom, 1);
  EXPECT_EQ(ball->body, 2);
  EXPECT_NEAR(ball->distance, 7.5, 1e-14);
  EXPECT_LT((ball->p_W - Vector3d(0, 0, 2.5)).norm(), 1e-14);
  EXPECT_LT((ball->n_W - Vector3d::UnitZ()).norm(), 1e-14);

  const auto cube = CastRay(room.model, room.X_WG, {3.2, 0.1, 10}, down);
  ASSERT_TRUE(cube);
  EXPECT_EQ(cube->geom, 2);
  EXPECT_NEAR(cube->distance, 8.5, 1e-14);
  EXPECT_LT((cube->n_W - Vector3d::UnitZ()).norm(), 1e-14);  // the cube is upside down

  const auto floor = CastRay(room.model, room.X_WG, {1.5, 0, 10}, down);
  ASSERT_TRUE(floor);
  EXPECT_EQ(floor->geom, 0);
  EXPECT_NEAR(floor->distance, 10.0, 1e-14);
  EXPECT_FALSE(CastRay(room.model, room.X_WG, {1.5, 0, 10}, -down));
}

TEST(SceneQuery, RayPassesThroughWhatTheFilterExcludes) {
  const Scene room = MakeRoom();
  const Vector3d p_W(0, 0, 10), down(0, 0, -1);
  const auto floor = CastRay(room.model, room.X_WG, p_W, down, {.excluded_body = 2});
  ASSERT_TRUE(floor);
  EXPECT_EQ(floor->geom, 0);
  EXPECT_FALSE(CastRay(room.model, room.X_WG, p_W, down, {.max_distance = 7.4}));
  EXPECT_TRUE(CastRay(room.model, room.X_WG, p_W, down, {.max_distance = 7.6}));
}

TEST(SceneQuery, RayDistanceIsInMetresWhateverTheLengthOfTheDirection) {
  const Scene room = MakeRoom();
  for (const double length : {1e-6, 0.1, 30.0}) {
    const auto hit = CastRay(room.model, room.X_WG, {0, 0, 10}, {0, 0, -length});
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->distance, 7.5, 1e-13);
  }
  EXPECT_FALSE(CastRay(room.model, room.X_WG, {0, 0, 10}, Vector3d::Zero()));
}

// Balls at random places: the nearest root of |p + s d - c|² = r², without any rejection.
TEST(SceneQuery, RayAmongManyBallsMatchesTheRootsOfTheirQuadratics) {
  Random random(7);
  std::vector<std::pair<Shape, RigidTransform>> shapes;
  for (int i = 0; i < 60; ++i) shapes.push_back({Sphere{random.Uniform(0.2, 0.9)}, random.Pose(5.0)});
  const Scene scene = MakeScene(shapes);
  int num_hits = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vector3d p_W = random.Vector(8.0), d_W = (random.Vector(4.0) - p_W).normalized();
    int first = -1;
    double distance = INFINITY;
    for (int g = 0; g < 60; ++g) {
      const Vector3d p = p_W - scene.X_WG[g].p;
      const double radius = std::get<Sphere>(scene.model.geoms[g].shape).radius;
      const double b = p.dot(d_W), c = p.squaredNorm() - radius * radius;
      if (c <= 0.0 || b * b < c || b > 0.0) continue;  // inside, beside, behind
      const double s = -b - std::sqrt(b * b - c);
      if (s < distance) distance = s, first = g;
    }
    const auto hit = CastRay(scene.model, scene.X_WG, p_W, d_W);
    ASSERT_EQ(hit.has_value(), first >= 0) << i;
    if (!hit) continue;
    ++num_hits;
    EXPECT_EQ(hit->geom, first);
    // Rounding over 10 m, which the square root enlarges for a ray that grazes.
    EXPECT_NEAR(hit->distance, distance, 1e-11);
    EXPECT_LT((hit->p_W - (p_W + distance * d_W)).norm(), 1e-11);
  }
  EXPECT_GT(num_hits, 300);  // and many rays miss everything
  EXPECT_LT(num_hits, 1700);
}

// Long shapes fill little of their bounding spheres.
TEST(SceneQuery, PassingOverShapesWhoseBoundingSphereIsMissedChangesNothing) {
  Random random(8);
  std::vector<std::pair<Shape, RigidTransform>> shapes;
  for (int i = 0; i < 20; ++i) {
    const double length = random.Uniform(0.2, 2.0);
    shapes.push_back({Capsule{0.1, length}, random.Pose(5.0)});
    shapes.push_back({Cylinder{0.3, length}, random.Pose(5.0)});
    shapes.push_back({Box{{0.2, 0.3, length}}, random.Pose(5.0)});
    shapes.push_back({Ellipsoid{{0.2, 0.5, length}}, random.Pose(5.0)});
  }
  const Scene scene = MakeScene(shapes);
  int num_hits = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vector3d p_W = random.Vector(8.0), d_W = (random.Vector(4.0) - p_W).normalized();
    std::optional<double> nearest;
    for (int g = 0; g < scene.model.num_geoms(); ++g) {
      const RigidTransform X_GW = scene.X_WG[g].Inverse();
      const auto hit = stiction::CastRay(scene.model.geoms[g].shape, X_GW * p_W, X_GW.R * d_W);
      if (hit && (!nearest || hit->distance < *nearest)) nearest = hit->distance;
    }
    const auto hit = CastRay(scene.model, scene.X_WG, p_W, d_W);
    ASSERT_EQ(hit.has_value(), nearest.has_value()) << i;
    if (!hit) continue;
    ++num_hits;
    EXPECT_NEAR(hit->distance, *nearest, 1e-9) << i;  // another pose, grazing rays
    EXPECT_NEAR(hit->n_W.norm(), 1.0, 1e-10);         // grazing rays: as the distance, over the radius
    EXPECT_LT(hit->n_W.dot(d_W), 1e-6);               // the ray enters
  }
  EXPECT_GT(num_hits, 300);
}

TEST(SceneQuery, DistanceOfBallsIsThatOfTheirCentresLessTheRadii) {
  const Scene scene = MakeScene({{Sphere{0.5}, At(1, 2, 3)}, {Sphere{0.25}, At(4, 6, 3)}});
  const ClosestPoints closest = CalcGeomDistance(scene.model, scene.X_WG, 0, 1);
  const Vector3d n_W(0.6, 0.8, 0.0);
  EXPECT_NEAR(closest.points.distance, 5.0 - 0.75, 1e-14);
  EXPECT_LT((closest.points.n_W - n_W).norm(), 1e-14);
  EXPECT_LT((closest.points.p_WA - (Vector3d(1, 2, 3) + 0.5 * n_W)).norm(), 1e-14);
  EXPECT_LT((closest.points.p_WB - (Vector3d(4, 6, 3) - 0.25 * n_W)).norm(), 1e-14);
}

// Bodies of several balls: the smallest of all pairs, by brute force.
TEST(SceneQuery, DistanceOfBodiesIsTheSmallestOverTheirGeoms) {
  for (int seed = 0; seed < 50; ++seed) {
    Random random(seed);
    ModelBuilder builder;
    std::vector<RigidTransform> X_WG;
    for (int i = 0; i < 3; ++i) {
      const int body = builder.AddBody({});
      for (int g = 0; g < 4 && i < 2; ++g) {
        builder.AddGeom({.body = body, .shape = Sphere{random.Uniform(0.05, 0.2)}});
        X_WG.push_back(random.Pose(1.0));
      }
    }
    const Model model = builder.Build();
    double expected = INFINITY;
    for (int a = 0; a < 4; ++a) {
      for (int b = 4; b < 8; ++b) {
        expected = std::min(expected, (X_WG[a].p - X_WG[b].p).norm() -
                                          std::get<Sphere>(model.geoms[a].shape).radius -
                                          std::get<Sphere>(model.geoms[b].shape).radius);
      }
    }
    const auto closest = CalcBodyDistance(model, X_WG, 1, 2);
    ASSERT_TRUE(closest);
    EXPECT_NEAR(closest->points.distance, expected, 1e-14) << seed;
    EXPECT_EQ(model.geoms[closest->geom_a].body, 1);
    EXPECT_EQ(model.geoms[closest->geom_b].body, 2);
    // Turned round, the same pair.
    const auto turned = CalcBodyDistance(model, X_WG, 2, 1);
    EXPECT_EQ(turned->geom_a, closest->geom_b);
    EXPECT_NEAR(turned->points.distance, expected, 1e-14);
    EXPECT_FALSE(CalcBodyDistance(model, X_WG, 1, 3)) << "a body without geoms";
  }
}

TEST(SceneQuery, PointsAreInTheGeomsThatHoldThem) {
  const Scene room = MakeRoom();
  const auto at = [&](double x, double y, double z) {
    return FindGeomsAt(room.model, room.X_WG, Vector3d(x, y, z));
  };
  EXPECT_EQ(at(0, 0, 2.4), std::vector<int>{1});
  EXPECT_EQ(at(0.3, 0.3, 2.4), std::vector<int>{});
  EXPECT_EQ(at(3.4, 0.4, 1.4), std::vector<int>{2});
  EXPECT_EQ(at(3.0, 0.0, -0.1), std::vector<int>{0});
  EXPECT_EQ(at(1.5, 0.0, 0.1), std::vector<int>{});
}

}  // namespace
}  // namespace stiction::testing
