#include "bench_suites.h"

#include "stiction/scenes/scenes.h"

namespace stiction::runner {

std::vector<SuiteCase> ListSpeedCases() {
  std::vector<SuiteCase> cases;
  for (const char* scene : {"quadruped", "walker", "chain", "stack", "stack:ratio=1000", "clutter", "layers"})
    cases.push_back({scene, {"auto"}, ""});
  return cases;
}

std::vector<SuiteCase> ListPaperCases() {
  std::vector<SuiteCase> cases;
  for (const char* scene : {"dishes", "nut"})
    cases.push_back({scene, {"auto", "canal", "subadmm"}, "Lee 2024"});
  cases.push_back({"clutter", {"auto", "sap"}, "Castro 2022"});
  for (const char* scene : {"sphere_stack", "brick_wall"})
    cases.push_back({scene, {"auto", "admm", "padmm", "fadmm", "pfadmm"}, "Tasora 2021"});
  for (const SceneEntry& entry : ListScenes()) {
    if (entry.is_of_table)
      cases.push_back({entry.name, {"auto", "admm_ncp", "admm_ccp", "raisim", "nbgs"}, "Tsounis 2025"});
  }
  return cases;
}

}  // namespace stiction::runner
