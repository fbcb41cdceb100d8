// The commands of the program, and what their files share: errors, exit codes, checked arguments.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/contact/solve.h"
#include "stiction/stiction.h"

// Declared alone: the library is a header that takes longer to compile than all that it is needed for here.
namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace stiction::runner {

enum ExitCode : int {
  kOk = 0,
  kMissed = 1,  // an expectation, or a budget (run_command.cpp says which)
  kUsage = 2,
  kBadInput = 3,
  kDiverged = 4,
  kInterrupted = 130,  // by SIGINT, as a shell reports it
  kTerminated = 143,   // by SIGTERM
};

// A wrong flag or value. what() is one line.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What to do once the command line is parsed. Returns an exit code; throws UsageError or LoadError.
using Command = std::function<int()>;

// Each adds its command to the program; parsing it sets `command`.
void AddRunCommand(CLI::App& app, Command& command);
void AddInspectCommand(CLI::App& app, Command& command);
void AddConvertCommand(CLI::App& app, Command& command);
void AddSolveCommand(CLI::App& app, Command& command);
void AddPlotCommand(CLI::App& app, Command& command);
void AddListCommand(CLI::App& app, Command& command);
void AddRenderCommand(CLI::App& app, Command& command);
void AddBenchCommand(CLI::App& app, Command& command);
void AddSweepCommand(CLI::App& app, Command& command);

// The flags of every command that reads a model.
struct ModelArguments {
  std::string path;
  bool floating_base = false;
  std::vector<std::string> package_paths;
  std::optional<double> ground;
  std::string keyframe;  // empty: none
  std::string contact;   // "rigid" or "soft"; empty: as in the file
  ModelRepairs repairs;
  std::vector<std::string> xacro_arguments;  // "name:=value"
  bool visuals = false;  // LoadOptions::visuals; no flag: for programs that draw

  // Of --contact.
  std::optional<ContactModel> contact_model() const {
    if (contact.empty()) return std::nullopt;
    return contact == "soft" ? ContactModel::kSoft : ContactModel::kRigid;
  }
  // For logs and states that are to find it again.
  ModelSource source() const;
  LoadOptions load_options() const {
    return {.floating_base = floating_base,
            .package_paths = package_paths,
            .ground = ground,
            .contact_model = contact_model(),
            .visuals = visuals,
            .repairs = repairs,
            .xacro_arguments = xacro_arguments};
  }
};
void AddModelArguments(CLI::App& command, ModelArguments& arguments);
// --keyframe, of those commands that look at one state.
void AddKeyframeArgument(CLI::App& command, ModelArguments& arguments);

// The model, and what was approximated or ignored; or a scene built in code (scenes/scenes.h), about which
// there is nothing to report. Throws LoadError and UsageError.
Model LoadReported(const ModelArguments& arguments, ImportReport& report);

// A number that is the whole text, finite; no value otherwise.
std::optional<double> ParseNumber(std::string_view text);

// CLI11 check: a finite number >= minimum, or > minimum.
CLI::Validator AtLeast(double minimum);
CLI::Validator Above(double minimum);
// The option --budget, described by `what`.
CLI::Option* AddBudgetOption(CLI::App& command, std::optional<Budget>& budget, const std::string& what);

// The `size` numbers of "1,-2,3". Throws UsageError with the option's name.
VectorXd ParseNumbers(const std::string& option, const std::string& text, int size);

// "a,b" -> {"a", "b"}.
std::vector<std::string> SplitCommas(const std::string& text);

// Whether it is the one that acts where none is named.
bool IsDefaultSolver(const std::string& name);

// Throws UsageError that lists the known ones.
std::unique_ptr<ContactSolver> MakeKnownSolver(const std::string& name);
const Keyframe& FindKnownKeyframe(const Model& model, const std::string& name);

// Completes options whose value may be left out, which CLI11 would fill with a file name that follows:
// "--ground 0.5" becomes one word; a bare "--ground" means 0, a bare "--infer-inertia" 1000 and a bare
// "--json"
// "-". argv without the program's name.
std::vector<std::string> CompleteArguments(std::vector<std::string> arguments);

}  // namespace stiction::runner
