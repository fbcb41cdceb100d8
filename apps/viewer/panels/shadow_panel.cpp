// Other solvers on the very steps that are shown.
#include <algorithm>

#include "panels.h"
#include "stiction/io/problem_file.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

bool Has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void Toggle(std::vector<std::string>& names, const std::string& name) {
  if (std::erase(names, name) == 0) names.push_back(name);
}

void ShowTicks(Session& session) {
  const bool is_open = ImGui::CollapsingHeader("Solvers", ImGuiTreeNodeFlags_DefaultOpen);
  ui::Mark("Solvers");
  if (!is_open) return;
  const int columns = std::clamp(static_cast<int>(ImGui::GetContentRegionAvail().x / Scaled(140.0f)), 1, 8);
  if (!ImGui::BeginTable("solvers", columns)) return;
  for (const SolverEntry& entry : ListSolvers()) {
    ImGui::TableNextColumn();
    bool is_ticked = Has(session.shadow_solvers, entry.name);
    if (ui::Checkbox(entry.name, &is_ticked)) {
      Toggle(session.shadow_solvers, entry.name);
      session.simulation.shadows().Select(session.shadow_solvers);
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", entry.summary);
  }
  ImGui::EndTable();
}

void ShowRow(Session& session, const ShadowResult& result) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(result.solver.c_str());
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(ToString(result.report.status));
  ImGui::TableNextColumn();
  const bool is_good = result.certificate.ncp_max <= 1e-8;
  ImGui::TextColored(is_good ? Colors().good : Colors().warning, "%.1e", result.certificate.ncp_max);
  ImGui::TableNextColumn();
  ImGui::Text("%.1e", result.max_ncp);
  ImGui::TableNextColumn();
  ImGui::Text("%.1e", result.certificate.own_law);
  ImGui::TableNextColumn();
  ImGui::Text("%d", result.report.iterations);
  ImGui::TableNextColumn();
  ImGui::Text("%.0f", 1e6 * result.time);
  ImGui::TableNextColumn();
  ImGui::Text("%.0f", 1e6 * result.mean_time);
  ImGui::TableNextColumn();
  bool is_drawn = Has(session.shadow_arrows, result.solver);
  if (ui::Checkbox(("##arrows " + result.solver).c_str(), &is_drawn))
    Toggle(session.shadow_arrows, result.solver);
}

void ShowResults(Session& session, const ShadowReport& report) {
  ImGui::Text("Step at t = %.4f s: %d constraints", report.step->time,
              report.step->problem.num_constraints());
  const char* const columns[] = {"solver",     "status",         "ncp [m/s]", "largest", "own law",
                                 "iterations", "time [\u00b5s]", "mean",      "arrows"};
  if (!ImGui::BeginTable("results", std::size(columns),
                         ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerV))
    return;
  for (const char* column : columns) ImGui::TableSetupColumn(column);
  ImGui::TableHeadersRow();
  for (const ShadowResult& result : report.results) ShowRow(session, result);
  ImGui::EndTable();
}

}  // namespace

void FreezeStep(Session& session) {
  const std::string path = NextFileName(session.file->name + "_step", "json");
  session.simulation.Do([path, name = session.file->name](Player& player) {
    const std::shared_ptr<const FrozenStep> step = player.Freeze();
    if (!step) return player.set_message("There is no step yet to freeze.");
    try {
      ContactProblem problem = step->problem;
      problem.name = name;
      WriteProblemJson(path, problem, step->warm_start);
      player.set_message("Contact problem of the last step written to " + path);
    } catch (const std::runtime_error& error) {
      player.set_message(error.what());
    }
  });
}

void ShowShadowsPanel(Session& session) {
  if (!session.has_model()) return;
  if (session.now.is_playback)
    return ui::Wrapped("Logs hold no contact problems: there is nothing that could be solved again.");
  if (ui::Button("Freeze this step")) FreezeStep(session);
  ImGui::SameLine();
  if (ui::Checkbox("Every step", &session.is_every_step_shadowed))
    session.simulation.shadows().set_every_step(session.is_every_step_shadowed);
  ui::Hint(
      "On: every step waits for the shadows of the one before. Off: they take the newest step whenever they "
      "are "
      "ready, and the simulation runs at its own rate.");
  if (const auto report = session.simulation.shadows().latest()) ShowResults(session, *report);
  ShowTicks(session);
}

}  // namespace stiction::viewer
