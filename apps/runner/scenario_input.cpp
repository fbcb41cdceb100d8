#include "scenario_input.h"

namespace stiction::runner {

Scenario LoadReportedScenario(const ModelArguments& arguments, ImportReport& report) {
  if (arguments.floating_base)
    throw UsageError("--floating-base: a scenario says itself what floats; write base=\"floating\" there");
  Scenario scenario = LoadScenario(arguments.path, &report);
  if (arguments.ground) scenario.ground = {.z = *arguments.ground};
  scenario.package_paths = arguments.load_options().package_paths;
  scenario.visuals = arguments.visuals;
  return scenario;
}

Model LoadModelOrScenario(ModelArguments& arguments, ImportReport& report) {
  if (!IsScenario(arguments.path)) return LoadReported(arguments, report);
  if (arguments.keyframe.empty()) arguments.keyframe = kStartKeyframe;
  return BuildModel(LoadReportedScenario(arguments, report), &report);
}

}  // namespace stiction::runner
