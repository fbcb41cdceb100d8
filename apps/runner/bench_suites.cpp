#include "bench_suites.h"

#include "stiction/contact/registry.h"
#include "stiction/scenes/scenes.h"

namespace stiction::runner {
namespace {

// The default, and the paper's own.
SuiteCase MakePaperCase(const char* scene, const char* paper) {
  SuiteCase made{scene, {kDefaultSolver}, paper};
  for (const SolverEntry& entry : ListSolvers()) {
    if (entry.paper != nullptr && std::string_view(entry.paper) == paper) made.solvers.push_back(entry.name);
  }
  return made;
}

}  // namespace

std::vector<SuiteCase> ListSpeedCases() {
  std::vector<SuiteCase> cases;
  for (const char* scene : {"quadruped", "walker", "chain", "stack", "stack:ratio=1000", "clutter", "layers"})
    cases.push_back({scene, {kDefaultSolver}, ""});
  return cases;
}

std::vector<SuiteCase> ListPaperCases() {
  std::vector<SuiteCase> cases;
  for (const char* scene : {"dishes", "nut"}) cases.push_back(MakePaperCase(scene, "Lee 2024"));
  cases.push_back(MakePaperCase("clutter", "Castro 2022"));
  for (const char* scene : {"sphere_stack", "brick_wall"})
    cases.push_back(MakePaperCase(scene, "Tasora 2021"));
  for (const SceneEntry& entry : ListScenes()) {
    if (entry.is_of_table) cases.push_back(MakePaperCase(entry.name, "Tsounis 2025"));
  }
  return cases;
}

}  // namespace stiction::runner
