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
  ImGui::SetNextItemWidth(140.0f);
  if (ImGui::BeginCombo("Solver", session.now.solver.c_str())) {
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
  ui::Mark("Solver", true);
}

void ShowBudget(Session& session) {
  double budget = std::isfinite(session.now.budget) ? session.now.budget : 0.0;
  ImGui::SetNextItemWidth(140.0f);
  if (ImGui::InputDouble("Budget [m/s]", &budget, 0.0, 0.0, budget > 0.0 ? "%.1e" : "none",
                         ImGuiInputTextFlags_EnterReturnsTrue)) {
    WorldOptions options = PresentOptions(session);
    options.budget = budget > 0.0 ? budget : kNoBudget;
    Apply(session, options);
  }
  ui::Mark("Budget", true);
}

void ShowTimestep(Session& session) {
  double timestep = 1e3 * session.now.timestep;
  ImGui::SetNextItemWidth(140.0f);
  if (ImGui::InputDouble("Timestep [ms]", &timestep, 0.0, 0.0, "%.4g",
                         ImGuiInputTextFlags_EnterReturnsTrue)) {
    WorldOptions options = PresentOptions(session);
    options.timestep = 1e-3 * timestep;
    Apply(session, options);
  }
  ui::Mark("Timestep", true);
}

void SetOption(const std::string& name, double value, WorldOptions& options) {
  std::erase_if(options.solver_options, [&](const auto& option) { return option.first == name; });
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  options.solver_options.emplace_back(name, text);
}

void ShowOptions(Session& session) {
  const std::unique_ptr<ContactSolver> solver = MakeSolver(session.now.solver);
  if (!solver) return;
  for (const auto& [name, value] : session.now.solver_options) SetSolverOption(*solver, name, value);
  for (const SolverOption& option : solver->ListOptions()) {
    double value = *option.value;
    ImGui::SetNextItemWidth(100.0f);
    if (ImGui::InputDouble(option.name.c_str(), &value, 0.0, 0.0, "%.6g",
                           ImGuiInputTextFlags_EnterReturnsTrue)) {
      WorldOptions options = PresentOptions(session);
      SetOption(option.name, value, options);
      Apply(session, options);
    }
    ui::Mark(option.name, true);
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("%s\n%g to %g", option.description.c_str(), option.minimum, option.maximum);
  }
}

}  // namespace

void ShowSolverPanel(Session& session) {
  if (!session.has_model()) return;
  if (session.now.is_playback) {
    const std::string& solver = session.now.solver;
    return ImGui::TextWrapped("A log is played: nothing is solved. Its solver: %s.",
                              solver.empty() ? "not in this log" : solver.c_str());
  }
  ShowChoice(session);
  ShowBudget(session);
  ShowTimestep(session);
  ImGui::Separator();
  ShowOptions(session);
}

}  // namespace stiction::viewer
