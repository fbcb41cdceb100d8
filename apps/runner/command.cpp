#include "command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "suggestion.h"

namespace stiction::runner {
namespace {

CLI::Validator NumberCheck(const std::string& bound, const std::function<bool(double)>& holds) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        const std::optional<double> number = ParseNumber(text);
        if (number && holds(*number)) return {};
        return "'" + text + "' is not a finite number" + bound;
      },
      "NUMBER");
}

std::string Plain(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

// Scenes say themselves what is wrong with their words.
void CheckSceneName(const std::string& name) {
  std::vector<std::string> known;
  for (const SceneEntry& entry : ListScenes()) known.emplace_back(entry.name);
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw UsageError("there is no scene '" + name + "'" + DescribeKnown(name, known));
}

Model MakeNamedScene(const ModelArguments& arguments) {
  if (arguments.floating_base || arguments.ground || !arguments.contact.empty() ||
      arguments.repairs != ModelRepairs{})
    throw UsageError(
        "--floating-base, --ground, --contact, --infer-inertia, --missing-mesh, --repair-inertia, "
        "--several-roots: a scene has what it needs");
  try {
    const SceneText scene = ParseSceneText(arguments.path);
    CheckSceneName(scene.name);
    return MakeScene(scene.name, scene.options);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

// For files that say too little, or what cannot be.
void AddRepairArguments(CLI::App& command, ModelRepairs& repairs) {
  command
      .add_option(
          "--infer-inertia", repairs.infer_inertia,
          "URDF: give links without <inertial> that of their collision, else visual, shapes, solid and "
          "of this density [kg/m^3] (1000 where it is left out)")
      ->check(Above(0.0))
      ->option_text("[DENSITY]");
  command
      .add_option_function<std::string>(
          "--missing-mesh",
          [&repairs](const std::string& word) { repairs.skip_missing_meshes = word == "skip"; },
          "What becomes of a mesh file that is not there or cannot be read: an error, or nothing")
      ->check(CLI::IsMember({"fail", "skip"}))
      ->option_text("NAME [fail]");
  command.add_flag("--repair-inertia", repairs.repair_inertia,
                   "Replace inertias that no body has by the nearest that one has");
  command.add_flag("--several-roots", repairs.several_roots,
                   "URDF: let every link without a parent carry a tree of its own");
}

}  // namespace

ModelSource ModelArguments::source() const {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error).lexically_normal();
  return {.file = IsSceneText(path) || error ? path : absolute.string(),
          .floating_base = floating_base,
          .ground = ground,
          .package_paths = package_paths,
          .contact = contact,
          .repairs = repairs,
          .xacro_arguments = xacro_arguments};
}

void AddModelArguments(CLI::App& command, ModelArguments& arguments) {
  command
      .add_option("FILE", arguments.path,
                  "Model (URDF, xacro, MJCF or SDFormat) or scenario, told apart by the root element; or "
                  "scene:NAME (see "
                  "`stiction list`)")
      ->required();
  command.add_flag("--floating-base", arguments.floating_base,
                   "Free a URDF's root link; with --ground, lift the model to 1 mm above it");
  command
      .add_option("--ground", arguments.ground, "Add the plane z = Z with friction 1 (0 where Z is left out)")
      ->check(NumberCheck("", [](double) { return true; }))
      ->option_text("[Z]");
  command
      .add_option("--package-path", arguments.package_paths,
                  "Look for package://NAME in DIR, too: a package, or a folder of some (repeatable)")
      ->option_text("DIR")
      ->allow_extra_args(false)
      ->check(CLI::ExistingDirectory);
  command
      .add_option("--contact", arguments.contact,
                  "How bodies touch: exactly, or as soft as MJCF's solref and solimp say")
      ->check(CLI::IsMember({"rigid", "soft"}))
      ->option_text("NAME [rigid, or the scenario's]");
  command
      .add_option("--xacro-arg", arguments.xacro_arguments,
                  "Of a .xacro file, which the program xacro expands: NAME:=VALUE for it (repeatable)")
      ->option_text("NAME:=VALUE")
      ->allow_extra_args(false)
      ->check([](const std::string& text) {
        return text.find(":=") == std::string::npos || text.starts_with(":=")
                   ? "'" + text + "' is not NAME:=VALUE"
                   : std::string();
      });
  AddRepairArguments(command, arguments.repairs);
}

void AddKeyframeArgument(CLI::App& command, ModelArguments& arguments) {
  command.add_option("--keyframe", arguments.keyframe, "Start from this keyframe of the file")
      ->option_text("NAME");
}

Model LoadReported(const ModelArguments& arguments, ImportReport& report) {
  if (IsSceneText(arguments.path)) return MakeNamedScene(arguments);
  return LoadModel(arguments.path, arguments.load_options(), &report);
}

CLI::Validator AtLeast(double minimum) {
  return NumberCheck(" >= " + Plain(minimum), [=](double number) { return number >= minimum; });
}

CLI::Validator Above(double minimum) {
  return NumberCheck(" > " + Plain(minimum), [=](double number) { return number > minimum; });
}

CLI::Option* AddBudgetOption(CLI::App& command, std::optional<Budget>& budget, const std::string& what) {
  return command
      .add_option_function<std::string>(
          "--budget",
          [&budget](const std::string& text) {
            budget = ParseBudget(text);
            if (!budget) throw CLI::ValidationError("--budget", "'" + text + "' is not " + kBudgetWords);
          },
          what)
      ->option_text("NCP|NCP+Rv|none [1e-8, or the scenario's]");
}

bool IsDefaultSolver(const std::string& name) {
  return name == kDefaultSolver;
}

std::unique_ptr<ContactSolver> MakeKnownSolver(const std::string& name) {
  std::unique_ptr<ContactSolver> solver = MakeSolver(name);
  if (solver) return solver;
  std::vector<std::string> known;
  for (const SolverEntry& entry : ListSolvers()) known.emplace_back(entry.name);
  throw UsageError("--solver: there is no solver '" + name + "'" + DescribeKnown(name, known));
}

const Keyframe& FindKnownKeyframe(const Model& model, const std::string& name) {
  if (const Keyframe* keyframe = model.FindKeyframe(name)) return *keyframe;
  std::vector<std::string> known;
  for (const Keyframe& keyframe : model.keyframes) known.push_back(keyframe.name);
  throw UsageError("--keyframe: there is no keyframe '" + name + "'" +
                   (known.empty() ? "; the model has none" : DescribeKnown(name, known)));
}

std::vector<std::string> CompleteArguments(std::vector<std::string> arguments) {
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const bool is_last = i + 1 == arguments.size();
    if (arguments[i] == "--json" && (is_last || arguments[i + 1].starts_with("--")))
      arguments[i] = "--json=-";
    const bool is_ground = arguments[i] == "--ground";
    if (!is_ground && arguments[i] != "--infer-inertia") continue;
    const bool has_number = !is_last && ParseNumber(arguments[i + 1]);
    arguments[i] += "=" + (has_number ? arguments[i + 1] : is_ground ? "0" : "1000");
    if (has_number) arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return arguments;
}

}  // namespace stiction::runner
