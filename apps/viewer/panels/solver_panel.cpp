// The contact solver and its options, changed while the simulation runs.
#include <cmath>

#include "panels.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

void Apply(Session& session, const WorldOptions& options) {
  session.simulation.Do([options](Player& player) { player.SetOptions(options); });
}

// The options of the world as the snapshot has them.
WorldOptions PresentOptions(const Session& session) {
  WorldOptions options = session.file->options;
  options.solver = session.now.solver;
  options.solver_options = session.now.solver_options;
  options.timestep = session.now.timestep;
  options.budget = session.now.budget;
  return options;
}

void ShowChoice(Session& session) {
  ui::Field("Solver");
  if (ImGui::BeginCombo("##Solver", session.now.solver.c_str())) {
    for (const SolverEntry& entry : ListSolvers()) {
      const bool is_chosen = ui::Selectable(entry.name, session.now.solver == entry.name);
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", entry.summary);
      if (!is_chosen) continue;
      WorldOptions options = PresentOptions(session);
      options.solver = entry.name;
      options.solver_options.clear();
      Apply(session, options);
    }
    ImGui::EndCombo();
  }
  ui::Mark("Solver");
}

void ShowBudget(Session& session) {
  const Budget now = session.now.budget.value_or(kNoBudget);
  double budget = now.is_none() ? 0.0 : now.absolute;
  ui::Field("Budget [m/s]");
  if (ImGui::InputDouble("##Budget", &budget, 0.0, 0.0, budget > 0.0 ? "%.1e" : "none",
                         ImGuiInputTextFlags_EnterReturnsTrue)) {
    WorldOptions options = PresentOptions(session);
    options.budget = budget > 0.0 ? Budget(budget, now.relative) : kNoBudget;
    Apply(session, options);
  }
  ui::Mark("Budget");
}

void ShowTimestep(Session& session) {
  double timestep = 1e3 * session.now.timestep;
  ui::Field("Timestep [ms]");
  if (ImGui::InputDouble("##Timestep", &timestep, 0.0, 0.0, "%.4g", ImGuiInputTextFlags_EnterReturnsTrue)) {
    WorldOptions options = PresentOptions(session);
    options.timestep = 1e-3 * timestep;
    Apply(session, options);
  }
  ui::Mark("Timestep");
}

// Asks for the value, in the way of its type. Returns whether it was changed.
struct EditOption {
  const char* label;

  bool operator()(const NumberOption& option) const {
    return ImGui::InputDouble(label, option.value, 0.0, 0.0, "%.6g", ImGuiInputTextFlags_EnterReturnsTrue);
  }
  bool operator()(const IntegerOption& option) const {
    return ImGui::InputInt(label, option.value, 0, 0, ImGuiInputTextFlags_EnterReturnsTrue);
  }
  bool operator()(const FlagOption& option) const { return ImGui::Checkbox(label, option.value); }
  bool operator()(const ChoiceOption& option) const {
    int index = option.index();
    const int count = static_cast<int>(option.names.size());
    if (!ImGui::Combo(label, &index, option.names.data(), count)) return false;
    option.set(option.value, index);
    return true;
  }
};

void SetOption(const SolverOption& option, WorldOptions& options) {
  std::erase_if(options.solver_options, [&](const auto& other) { return other.first == option.name; });
  options.solver_options.emplace_back(option.name, option.FormatValue());
}

void ShowOptions(Session& session) {
  const std::unique_ptr<ContactSolver> solver = MakeSolver(session.now.solver);
  if (!solver) return;
  // Those that the world has taken already.
  for (const auto& [name, value] : session.now.solver_options)
    if (!SetSolverOption(*solver, name, value).empty()) return;
  for (const SolverOption& option : solver->ListOptions()) {
    ui::Field(option.name.c_str());
    const std::string label = "##" + option.name;
    if (std::visit(EditOption{label.c_str()}, option.target)) {
      WorldOptions options = PresentOptions(session);
      SetOption(option, options);
      Apply(session, options);
    }
    ui::Mark(option.name);
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("%s\n%s", option.description.c_str(), option.FormatRange().c_str());
  }
}

}  // namespace

void ShowSolverPanel(Session& session) {
  if (!session.has_model()) return;
  if (session.now.is_playback) {
    const std::string& solver = session.now.solver;
    return ui::Wrapped("A log is played: nothing is solved. Its solver: " +
                       (solver.empty() ? "not recorded" : solver) + ".");
  }
  ShowChoice(session);
  ShowBudget(session);
  ShowTimestep(session);
  ImGui::Separator();
  ShowOptions(session);
}

}  // namespace stiction::viewer
