// A puck is to stop at a mark: 200 throws are simulated at once, on two threads, and the best one is compared
// with Coulomb's law, by which it slides v² / (2 μ g).
#include <stiction/stiction.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  constexpr double kFriction = 0.3, kMark = 1.5;  // [m]
  stiction::ModelBuilder builder("shuffleboard");
  builder.AddGeom({.shape = stiction::Plane{}, .friction = kFriction});
  const int puck = builder.AddBody({.name = "puck", .X_PB = {.p = {0, 0, 0.01}}});
  builder.AddJoint(puck, {.kind = stiction::FreeJoint{}});
  builder.AddGeom({.body = puck, .shape = stiction::Cylinder{0.05, 0.01}, .friction = kFriction},
                  {.mass = 0.2});
  stiction::Batch batch(builder.Build(), {.num_threads = 2});

  constexpr int kThrows = 200, kSteps = 1000;  // of 2 ms
  std::vector<stiction::State> states(kThrows, stiction::State::Default(batch.model()));
  for (int i = 0; i < kThrows; ++i) states[i].v[0] = 2.0 + 0.01 * i;  // [m/s]
  std::vector<double> ncp(kThrows * kSteps);
  std::vector<stiction::State> ends(kThrows);
  const stiction::RolloutReport report = batch.Rollout(
      {.num_worlds = kThrows, .num_steps = kSteps, .states = states}, {.ncp = ncp, .final_states = ends});
  for (const stiction::WorldTrouble& trouble : report.troubles)
    std::printf("throw %d: %s in step %d\n", trouble.world, ToString(trouble.status), trouble.step);

  int best = 0;
  for (int i = 0; i < kThrows; ++i) {
    if (std::abs(ends[i].q[0] - kMark) < std::abs(ends[best].q[0] - kMark)) best = i;
  }
  const double exact = std::sqrt(2.0 * kFriction * 9.81 * kMark);
  std::printf("thrown with %.2f m/s it stops at %.4f m; by Coulomb's law %.3f m/s leads to the mark\n",
              states[best].v[0], ends[best].q[0], exact);
  return report.troubles.empty() && std::abs(states[best].v[0] - exact) < 0.01 ? 0 : 1;
}
