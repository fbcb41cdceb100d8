#include "bench_collision.h"

#include <algorithm>
#include <chrono>
#include <random>

#include "bench_fcl.h"
#include "bench_poses.h"
#include "stiction/collision/broadphase.h"
#include "stiction/collision/narrowphase.h"
#include "stiction/model/model_builder.h"
#include "stiction/scenario/scenario.h"
#include "stiction/scenes/scenes.h"
#include "stiction/sim/world.h"

namespace stiction::runner {
namespace {

constexpr int kSceneSteps = 100;

struct RoundTimes {
  double minimum, median;  // [s] a call
};

// Rounds of one call a pose.
template <typename Call>
RoundTimes TimeRounds(int num_rounds, int calls, const Call& call) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> rounds;
  for (int round = 0; round < num_rounds; ++round) {
    const Clock::time_point start = Clock::now();
    for (int k = 0; k < calls; ++k) call(k);
    rounds.push_back(std::chrono::duration<double>(Clock::now() - start).count() / calls);
  }
  std::sort(rounds.begin(), rounds.end());
  return {rounds.front(), rounds[rounds.size() / 2]};
}

void TimeFcl(const BenchShape& a, const BenchShape& b, int num_rounds, const std::vector<PairPoses>& poses,
             PairTiming& timing) {
  const FclCall fcl = MakeFclCall(a.shape, b.shape);
  if (!fcl.call) return;
  const RoundTimes times = TimeRounds(num_rounds, timing.poses, [&](int k) {
    const PairPoses& pose = poses[static_cast<std::size_t>(k)];
    fcl.call(pose.X_WA, pose.X_WB);
  });
  timing.fcl = FclTiming{fcl.name, times.minimum, times.median};
}

PairTiming TimePair(const BenchShape& a, const BenchShape& b, double margin, int num_rounds,
                    const std::vector<PairPoses>& poses) {
  PairTiming timing{.pair = a.name + "-" + b.name, .poses = static_cast<int>(poses.size())};
  Manifold manifold;
  for (const PairPoses& pose : poses) {
    CalcManifold(a.shape, pose.X_WA, b.shape, pose.X_WB, margin, manifold);
    timing.points += manifold.num_points / static_cast<double>(timing.poses);
  }
  const RoundTimes times = TimeRounds(num_rounds, timing.poses, [&](int k) {
    const PairPoses& pose = poses[static_cast<std::size_t>(k)];
    CalcManifold(a.shape, pose.X_WA, b.shape, pose.X_WB, margin, manifold);
  });
  timing.minimum = times.minimum, timing.median = times.median;
  TimeFcl(a, b, num_rounds, poses, timing);
  return timing;
}

PairTiming TimeScene(const char* name) {
  World world(MakeScene(name));
  world.SetKeyframe(*world.model().FindKeyframe(kStartKeyframe));
  PairTiming timing{.pair = "scene:" + std::string(name), .poses = kSceneSteps};
  std::vector<double> steps;
  for (int k = 0; k < kSceneSteps; ++k) {
    // A force of zero whose sign changes: bodies at rest are looked at again (src/sim/stillness.h).
    world.input().applied_wrench(0, 1) = k % 2 == 0 ? -0.0 : 0.0;
    const StepReport& report = world.Step();
    steps.push_back(report.phases.collision);
    timing.points += report.num_contacts / static_cast<double>(kSceneSteps);
  }
  std::sort(steps.begin(), steps.end());
  timing.minimum = steps.front(), timing.median = steps[steps.size() / 2];
  return timing;
}

}  // namespace

std::vector<PairTiming> TimePairs(int num_rounds) {
  const std::vector<BenchShape> shapes = MakeBenchShapes();
  std::vector<PairTiming> timings;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t j = i; j < shapes.size(); ++j) {
      if (!shapes[i].is_ground || !shapes[j].is_ground)
        timings.push_back(
            TimePair(shapes[i], shapes[j], kBenchMargin, num_rounds, MakePoses(shapes[i], shapes[j])));
    }
  }
  return timings;
}

std::vector<PairTiming> TimeNestedFields(int num_rounds) {
  std::vector<PairTiming> timings;
  for (const NestedFields& fields : MakeNestedFields())
    timings.push_back(TimePair(fields.a, fields.b, fields.margin, num_rounds, fields.poses));
  return timings;
}

std::vector<PairTiming> TimeFieldScenes() {
  return {TimeScene("nut"), TimeScene("dishes")};
}

PairTiming TimeBroadphase(int num_rounds) {
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
  const RoundTimes times = TimeRounds(num_rounds, 1, [&](int) {
    for (RigidTransform& X : X_WG)
      X.p +=
          Vector3d(Uniform(random, -1e-3, 1e-3), Uniform(random, -1e-3, 1e-3), Uniform(random, -1e-3, 1e-3));
    timing.points = static_cast<double>(broadphase.FindPairs(model, X_WG, inflation).size());
  });
  timing.minimum = times.minimum, timing.median = times.median;
  return timing;
}

}  // namespace stiction::runner
