// A contact problem from a file: it has no bodies to draw, but every solver can be tried on it.
#include <algorithm>
#include <cstdio>
#include <string>

#include "fonts.h"
#include "live/problem_solves.h"
#include "panels.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

void ShowProblemChoice(ProblemSolves& problems, const ProblemView& view) {
  if (problems.num_problems() < 2) return;
  int number = problems.shown() + 1;
  char format[64];
  std::snprintf(format, sizeof format, "%%d of %d", problems.num_problems());
  ImGui::SetNextItemWidth(Scaled(320.0f));
  if (ImGui::SliderInt("##problem", &number, 1, problems.num_problems(), format)) problems.Show(number - 1);
  ui::Mark("Problem");
  ImGui::SameLine();
  ImGui::TextUnformatted(view.name.c_str());
}

void ShowSolverResult(const ShadowResult& result) {
  const Palette& colors = Colors();
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(result.solver.c_str());
  ui::Mark(result.solver);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(ToString(result.report.status));
  if (result.report.status == SolveStatus::kUnsupported) return;
  ImGui::TableNextColumn();
  const double ncp = result.certificate.ncp_max;
  ImGui::TextColored(ncp <= kDefaultBudget.absolute ? colors.good : colors.warning, "%.1e", ncp);
  ImGui::TableNextColumn();
  ImGui::Text("%.1e", result.certificate.own_law);
  ImGui::TableNextColumn();
  ImGui::Text("%d", result.report.iterations);
  ImGui::TableNextColumn();
  ImGui::Text("%.0f", 1e6 * result.time);
}

void ShowSolverResults(const ProblemView& view) {
  constexpr const char* kColumns[] = {"solver",  "status",     "ncp [m/s]",
                                      "own law", "iterations", "time [\u00b5s]"};
  if (!ImGui::BeginTable("solvers", static_cast<int>(std::size(kColumns)),
                         ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp))
    return;
  for (const char* column : kColumns) ImGui::TableSetupColumn(column);
  ImGui::TableHeadersRow();
  for (const ShadowResult& result : view.results) ShowSolverResult(result);
  ImGui::EndTable();
}

}  // namespace

void ShowProblemPage(Session& session, const Rectangle& place) {
  ProblemSolves& problems = *session.problems;
  const ProblemView view = problems.Look();
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({std::max(place.width, 1.0f), std::max(place.height, 1.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {Scaled(24.0f), Scaled(20.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  const bool is_visible =
      ImGui::Begin("Problem", nullptr,
                   ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                       ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                       ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleVar(2);
  if (is_visible) {
    if (ui::Button("Start page")) session.requests.close = true;
    ImGui::PushFont(GetFonts().title);
    ImGui::TextUnformatted(view.name.c_str());
    ImGui::PopFont();
    ui::Muted("A contact problem: " + std::to_string(view.num_dofs) + " velocities, " +
              std::to_string(view.num_constraints) + " constraints, " + std::to_string(view.num_contacts) +
              " of them contacts. " + problems.path());
    ShowProblemChoice(problems, view);
    ShowSolverResults(view);
    ui::Muted(problems.is_solving()
                  ? "The next solver is at work ..."
                  : "Each solver from the file's warm start, with its own settings; green: within "
                    "the budget of 1e-8 m/s. `stiction solve` has more.");
  }
  ImGui::End();
}

}  // namespace stiction::viewer
