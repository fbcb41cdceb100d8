#include "scenario_input.h"

#include "stiction/collision/pair_support.h"

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

Model BuildReported(const Scenario& scenario, ImportReport& report) {
  Model model = BuildModel(scenario, &report);
  for (const UnsupportedPair& pair : FindUnsupportedPairs(model))
    report.items.push_back({scenario.file, 0, "geom", ImportStatus::kIgnored, Describe(model, pair)});
  return model;
}

Model LoadModelOrScenario(ModelArguments& arguments, ImportReport& report) {
  if (!IsScenario(arguments.path)) return LoadReported(arguments, report);
  if (arguments.keyframe.empty()) arguments.keyframe = kStartKeyframe;
  return BuildReported(LoadReportedScenario(arguments, report), report);
}

}  // namespace stiction::runner
