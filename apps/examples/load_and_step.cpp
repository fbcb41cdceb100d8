// Loads a model (URDF or MJCF), steps it for some seconds and prints how exactly the contact laws were met.
//
//   load_and_step FILE [SECONDS]
#include <stiction/stiction.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

int main(int argc, char** argv) try {
  if (argc < 2) {
    std::fprintf(stderr, "usage: load_and_step FILE [SECONDS]\n");
    return 2;
  }
  const double duration = argc > 2 ? std::atof(argv[2]) : 1.0;

  stiction::Model model = stiction::LoadModel(argv[1]);
  stiction::World world(std::move(model));
  // A first keyframe, where the file has one, is the pose to start from.
  if (!world.model().keyframes.empty()) world.SetKeyframe(world.model().keyframes.front());

  double worst = 0.0;  // [m/s]
  int misses = 0;
  while (world.time() < duration - 0.5 * world.timestep()) {
    const stiction::StepReport& report = world.Step();
    if (report.bad_body >= 0) {  // diverged, or a mass matrix that cannot be factored
      std::fprintf(stderr, "%s at t = %g s: %s\n", ToString(report.status), world.time(),
                   world.model().DisplayName(report.bad_body).c_str());
      return 4;
    }
    worst = std::max(worst, report.certificate.ncp_max);
    misses += report.status == stiction::StepStatus::kBudgetMissed;
  }

  std::printf("%s: %d dofs, %.3f s, %zu contacts at the end\n", world.model().name.c_str(),
              world.model().nv(), world.time(), world.contacts().size());
  std::printf("largest residual of the contact laws: %.2e m/s; steps over the budget: %d\n", worst, misses);
  return 0;
} catch (const stiction::LoadError& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 3;
}
