// `stiction convert`: a model, or all of a scenario, as one MJCF file with its meshes beside it.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>

#include "json_output.h"
#include "report_text.h"
#include "run_plan.h"
#include "scenario_input.h"
#include "stiction/io/mjcf_writer.h"

namespace stiction::runner {
namespace {

struct ConvertArguments {
  ModelArguments model;
  std::string out;
  bool quiet = false;
  bool is_verbose = false;
  bool strict = false;
};

// What a scenario has beside its models: it stays in the scenario.
void NoteScenario(const Scenario& scenario, ImportReport& report) {
  const auto note = [&](const std::string& file, int line, const char* item, const std::string& why) {
    report.items.push_back({file, line, item, ImportStatus::kIgnored, why});
  };
  for (const ControllerDescription& controller : scenario.controllers)
    note(controller.file, controller.line, "controller", "a model has no controllers");
  for (const TaskDescription& task : scenario.tasks)
    note(task.file, task.line, "task", "a model has no tasks");
  for (const Expectation& expectation : scenario.expectations)
    note(expectation.file, expectation.line, "expect", "a model expects nothing");
  if (scenario.record) note(scenario.file, scenario.record_line, "record", "a model says nothing of logs");
  const Scenario usual;
  if (scenario.solver != usual.solver || !scenario.solver_options.empty())
    note(scenario.file, 0, "scenario[@solver]", "a model names no solver; write --solver " + scenario.solver);
  if (scenario.budget) note(scenario.file, 0, "scenario[@budget]", "a model has no budget; write --budget");
  if (scenario.duration != usual.duration)
    note(scenario.file, 0, "scenario[@duration]", "a model has no duration; write --time");
}

//   lost  receives what a model cannot hold
Model LoadInput(const ConvertArguments& arguments, ImportReport& report, ImportReport& lost) {
  const std::string& path = arguments.model.path;
  CheckOutputs({{"OUT", arguments.out}}, {path});
  if (IsSceneText(path) || !IsScenario(path)) return LoadReported(arguments.model, report);
  const Scenario scenario = LoadReportedScenario(arguments.model, report);
  for (const ScenarioModel& model : scenario.models) CheckOutputs({{"OUT", arguments.out}}, {model.file});
  NoteScenario(scenario, lost);
  return BuildModel(scenario, &report);
}

MjcfDocument MakeDocument(const ConvertArguments& arguments, const Model& model) {
  try {
    return MakeMjcf(model, arguments.out);
  } catch (const std::invalid_argument& error) {
    throw LoadError(arguments.model.path, 0, "", error.what());
  }
}

void PrintSummary(const std::string& out, const Model& model, const MjcfDocument& document) {
  if (!document.extensions.empty()) {
    std::printf("words that MuJoCo does not know:");
    for (const std::string& word : document.extensions) std::printf(" %s", word.c_str());
    std::printf("\n");
  }
  std::printf("%s: %d bodies, %d joints, %d geoms, %d actuators, %zu keyframes", out.c_str(),
              model.num_bodies() - 1, model.num_joints(), model.num_geoms(), model.nu(),
              model.keyframes.size());
  if (!document.assets.empty()) {
    const std::string folder = std::filesystem::path(document.assets.front().file).parent_path().string();
    std::printf("; meshes: %zu in %s", document.assets.size(), folder.c_str());
  }
  std::printf("\n");
}

int Convert(ConvertArguments arguments) {
  if (!HasExtension(arguments.out, {".xml"}))
    throw UsageError("OUT: " + arguments.out + ": models are written as MJCF; name a file that ends in .xml");
  arguments.model.visuals = true;
  ImportReport report, lost;
  const Model model = LoadInput(arguments, report, lost);
  const MjcfDocument document = MakeDocument(arguments, model);
  lost.items.insert(lost.items.end(), document.report.items.begin(), document.report.items.end());
  if (arguments.strict) RefuseIgnored(report), RefuseIgnored(lost);
  SaveMjcf(document, arguments.out);
  if (arguments.quiet) return kOk;
  PrintReport("import", report, arguments.is_verbose);
  PrintReport("export", lost, arguments.is_verbose);
  PrintSummary(arguments.out, model, document);
  return kOk;
}

}  // namespace

void AddConvertCommand(CLI::App& app, Command& command) {
  CLI::App* convert =
      app.add_subcommand("convert", "Write a model as MJCF: a URDF, or all models of a scenario in one file");
  convert->footer(
      "Meshes are written beside OUT, into a folder named after it. Of a scenario OUT holds the models as "
      "they\n"
      "stand and start (keyframe \"start\"); what else it says, its controllers and expectations, is "
      "listed.");
  auto arguments = std::make_shared<ConvertArguments>();
  AddModelArguments(*convert, arguments->model);
  convert->add_option("OUT", arguments->out, "MJCF file to write (.xml)")->required();
  convert->add_flag("--quiet", arguments->quiet, "Print nothing");
  AddVerboseFlag(*convert, arguments->is_verbose);
  convert->add_flag("--strict", arguments->strict,
                    "Write nothing where anything would be left out, in reading or in writing (exit code 3)");
  convert->callback([&command, arguments] { command = [arguments] { return Convert(*arguments); }; });
}

}  // namespace stiction::runner
