#include "bench_collision.h"

#include <algorithm>
#include <chrono>
#include <random>

#include "stiction/collision/broadphase.h"
#include "stiction/collision/narrowphase.h"
#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/distance.h"
#include "stiction/math/rotation.h"
#include "stiction/model/model_builder.h"

namespace stiction::runner {
namespace {

constexpr int kPoses = 500;
constexpr int kRounds = 41;
constexpr double kMargin = 0.02;  // [m], of shapes of about 0.4 m
constexpr double kDeepest = 0.01;

using Random = std::mt19937;

double Uniform(Random& random, double lower, double upper) {
  return lower + (upper - lower) * (static_cast<double>(random()) / static_cast<double>(Random::max()));
}

Quaterniond RandomRotation(Random& random) {
  Eigen::Vector4d x;
  do {
    for (double& number : x) number = Uniform(random, -1.0, 1.0);
  } while (x.norm() > 1.0 || x.norm() < 0.1);
  return Quaterniond(x.normalized());
}

Hull MakeRoundHull(int vertices) {
  Random random(1);
  std::vector<Vector3d> points;
  for (int k = 0; k < vertices; ++k)
    points.push_back(0.2 * (RandomRotation(random).toRotationMatrix() * Vector3d::UnitX()));
  return MakeHull(points).hull;
}

std::vector<Shape> MakeShapes() {
  return {Plane{},
          Sphere{0.2},
          Capsule{0.1, 0.2},
          Ellipsoid{{0.1, 0.2, 0.3}},
          Cylinder{0.2, 0.1},
          Box{{0.2, 0.1, 0.3}},
          MakeRoundHull(32)};
}

struct Poses {
  RigidTransform X_WA, X_WB;
};

// Random rotations; B is moved along the normal until the gap is what it is to be.
std::vector<Poses> MakePoses(const Shape& a, const Shape& b) {
  Random random(7);
  std::vector<Poses> poses;
  while (static_cast<int>(poses.size()) < kPoses) {
    Poses next{{RandomRotation(random).toRotationMatrix(), Vector3d::Zero()},
               {RandomRotation(random).toRotationMatrix(),
                {Uniform(random, -0.5, 0.5), Uniform(random, -0.5, 0.5), Uniform(random, -0.5, 0.5)}}};
    const double gap = Uniform(random, -kDeepest, kMargin);
    for (int k = 0; k < 3; ++k) {
      const Distance distance = CalcDistance(a, next.X_WA, b, next.X_WB);
      next.X_WB.p += (gap - distance.distance) * distance.n_W;
    }
    poses.push_back(next);
  }
  return poses;
}

// Rounds of one call a pose; fills minimum and median.
template <typename Call>
void TimeRounds(int calls, PairTiming& timing, const Call& call) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) {
    const Clock::time_point start = Clock::now();
    for (int k = 0; k < calls; ++k) call(k);
    rounds.push_back(std::chrono::duration<double>(Clock::now() - start).count() / calls);
  }
  std::sort(rounds.begin(), rounds.end());
  timing.minimum = rounds.front();
  timing.median = rounds[rounds.size() / 2];
}

}  // namespace

std::vector<PairTiming> TimePairs() {
  const std::vector<Shape> shapes = MakeShapes();
  std::vector<PairTiming> timings;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t j = std::max<std::size_t>(i, 1); j < shapes.size(); ++j) {
      const std::vector<Poses> poses = MakePoses(shapes[i], shapes[j]);
      PairTiming timing{.pair = std::string(ShapeName(shapes[i])) + "-" + std::string(ShapeName(shapes[j])),
                        .poses = kPoses};
      Manifold manifold;
      for (const Poses& pose : poses) {
        CalcManifold(shapes[i], pose.X_WA, shapes[j], pose.X_WB, kMargin, manifold);
        timing.points += manifold.num_points / static_cast<double>(kPoses);
      }
      TimeRounds(kPoses, timing, [&](int k) {
        const Poses& pose = poses[static_cast<std::size_t>(k)];
        CalcManifold(shapes[i], pose.X_WA, shapes[j], pose.X_WB, kMargin, manifold);
      });
      timings.push_back(timing);
    }
  }
  return timings;
}

PairTiming TimeBroadphase() {
  constexpr int kBodies = 1000;
  Random random(3);
  ModelBuilder builder("boxes");
  for (int k = 0; k < kBodies; ++k) {
    const int body = builder.AddBody({});
    builder.AddJoint(body, {.kind = FreeJoint{}});
    builder.AddGeom({.body = body, .shape = Box{Vector3d::Constant(0.1)}}, {.mass = 1.0});
  }
  const Model model = builder.Build();
  std::vector<RigidTransform> X_WG(kBodies);
  for (RigidTransform& X : X_WG)
    X = {RandomRotation(random).toRotationMatrix(),
         {Uniform(random, -1.5, 1.5), Uniform(random, -1.5, 1.5), Uniform(random, -1.5, 1.5)}};
  const std::vector<double> inflation(kBodies, 0.001);
  Broadphase broadphase(model);
  PairTiming timing{.pair = "broadphase of 1000 boxes", .poses = 1};
  TimeRounds(1, timing, [&](int) {
    for (RigidTransform& X : X_WG)
      X.p +=
          Vector3d(Uniform(random, -1e-3, 1e-3), Uniform(random, -1e-3, 1e-3), Uniform(random, -1e-3, 1e-3));
    timing.points = static_cast<double>(broadphase.FindPairs(model, X_WG, inflation).size());
  });
  return timing;
}

}  // namespace stiction::runner
