// `stiction convert`: a model, or all of a scenario, as one MJCF or URDF file with its meshes beside it.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>

#include "json_output.h"
#include "report_text.h"
#include "run_plan.h"
#include "scenario_input.h"
#include "stiction/io/mjcf_writer.h"
#include "stiction/io/urdf_writer.h"

namespace stiction::runner {
namespace {

struct ConvertArguments {
  ModelArguments model;
  std::string out;
  std::string kind;  // "urdf" or "mjcf"; empty: by the name of OUT
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
  if (scenario.solver != usual.solver)
    note(scenario.file, 0, "scenario[@solver]", "a model names no solver; write --solver " + scenario.solver);
  for (const auto& [name, value] : scenario.solver_options)
    note(scenario.file, 0, "option", "a model says nothing of solvers; write --set " + name + "=...");
  if (scenario.solver_budget.has_time())
    note(scenario.file, 0, "scenario[@solver_budget_us]", "a model has no budget; write --solver-budget-us");
  if (scenario.solver_budget.has_iterations())
    note(scenario.file, 0, "scenario[@solver_budget_iterations]",
         "a model has no budget; write --solver-budget-iterations");
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

ModelDocument MakeDocument(const ConvertArguments& arguments, const Model& model) {
  try {
    return arguments.kind == "urdf" ? MakeUrdf(model, arguments.out) : MakeMjcf(model, arguments.out);
  } catch (const std::invalid_argument& error) {
    throw LoadError(arguments.model.path, 0, "", error.what());
  }
}

void PrintSummary(const ConvertArguments& arguments, const Model& model, const ModelDocument& document) {
  if (!document.extensions.empty()) {
    std::printf("words that %s:",
                arguments.kind == "urdf" ? "not every reader of URDF knows" : "MuJoCo does not know");
    for (const std::string& word : document.extensions) std::printf(" %s", word.c_str());
    std::printf("\n");
  }
  std::printf("%s: %d bodies, %d joints, %d geoms, %d actuators, %zu keyframes", arguments.out.c_str(),
              model.num_bodies() - 1, model.num_joints(), model.num_geoms(), model.nu(),
              model.keyframes.size());
  if (!document.assets.empty()) {
    const std::string folder = std::filesystem::path(document.assets.front().file).parent_path().string();
    std::printf("; meshes: %zu in %s", document.assets.size(), folder.c_str());
  }
  std::printf("\n");
}

// Fills in what of kind and file the other one says.
void SettleOutput(ConvertArguments& arguments) {
  if (arguments.out.empty()) {
    if (arguments.kind.empty())
      throw UsageError("OUT: name the file to write, or its kind: --to urdf or --to mjcf");
    const std::string stem = std::filesystem::path(arguments.model.path).stem().string();
    arguments.out = stem + (arguments.kind == "urdf" ? ".urdf" : ".xml");
  }
  if (arguments.out == "-") throw UsageError("OUT: a model is written to a file, not to standard output");
  if (!arguments.kind.empty()) return;
  if (!HasExtension(arguments.out, {".xml", ".urdf"}))
    throw UsageError("OUT: " + arguments.out +
                     ": models are written as MJCF or URDF; name a file that ends in .xml or .urdf, or say "
                     "--to mjcf or --to urdf");
  arguments.kind = HasExtension(arguments.out, {".urdf"}) ? "urdf" : "mjcf";
}

int Convert(ConvertArguments arguments) {
  SettleOutput(arguments);
  arguments.model.visuals = true;
  ImportReport report, lost;
  const Model model = LoadInput(arguments, report, lost);
  const ModelDocument document = MakeDocument(arguments, model);
  lost.items.insert(lost.items.end(), document.report.items.begin(), document.report.items.end());
  if (arguments.strict) RefuseIgnored(report), RefuseIgnored(lost);
  SaveDocument(document, arguments.out);
  if (arguments.quiet) return kOk;
  PrintReport("import", report, arguments.is_verbose);
  PrintReport("export", lost, arguments.is_verbose);
  PrintSummary(arguments, model, document);
  return kOk;
}

}  // namespace

void AddConvertCommand(CLI::App& app, Command& command) {
  CLI::App* convert =
      app.add_subcommand("convert", "Write a model, or all models of a scenario, as one MJCF or URDF file");
  convert->footer(
      "Meshes are written beside OUT, into a folder named after it. Of a scenario OUT holds the models as "
      "they\n"
      "stand and start (keyframe \"start\"); what else it says, its controllers and expectations, is "
      "listed.\n"
      "URDF has fewer words: what is lost is listed. Bodies that float hang on joints of the type "
      "\"floating\", "
      "several\njoints of a body are a chain of links, and what stands in the world is on the root link.");
  auto arguments = std::make_shared<ConvertArguments>();
  AddModelArguments(*convert, arguments->model);
  convert->add_option("OUT,--out", arguments->out, "File to write: MJCF (.xml) or URDF (.urdf)");
  convert
      ->add_option("--to", arguments->kind, "Kind of OUT, where its name does not say; alone: IN's name here")
      ->check(CLI::IsMember({"mjcf", "urdf"}));
  convert->add_flag("--quiet", arguments->quiet, "Print nothing");
  AddVerboseFlag(*convert, arguments->is_verbose);
  convert->add_flag("--strict", arguments->strict,
                    "Write nothing where anything would be left out, in reading or in writing (exit code 3)");
  convert->callback([&command, arguments] { command = [arguments] { return Convert(*arguments); }; });
}

}  // namespace stiction::runner
