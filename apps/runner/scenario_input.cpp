#include "scenario_input.h"

namespace stiction::runner {

Scenario LoadReportedScenario(const ModelArguments& arguments, ImportReport& report) {
  if (arguments.floating_base)
    throw UsageError("--floating-base: a scenario says itself what floats; write base=\"floating\" there");
  Scenario scenario = LoadScenario(arguments.path, &report);
  if (arguments.ground) scenario.ground = {.z = *arguments.ground};
  if (arguments.contact_model()) scenario.contact_model = *arguments.contact_model();
  scenario.package_paths = arguments.load_options().package_paths;
  scenario.visuals = arguments.visuals;
  scenario.repairs = arguments.repairs;
  return scenario;
}

Model LoadModelOrScenario(ModelArguments& arguments, ImportReport& report) {
  const bool is_scene = IsSceneText(arguments.path), is_scenario = !is_scene && IsScenario(arguments.path);
  if ((is_scene || is_scenario) && arguments.keyframe.empty()) arguments.keyframe = kStartKeyframe;
  if (!is_scenario) return LoadReported(arguments, report);
  return BuildModel(LoadReportedScenario(arguments, report), &report);
}

}  // namespace stiction::runner
