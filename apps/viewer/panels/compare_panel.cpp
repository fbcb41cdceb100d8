// Another run, or a log, beside the one that is shown.
#include <algorithm>
#include <cmath>

#include "compare.h"
#include "panels.h"
#include "plot.h"
#include "plot_style.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

// Of a log that is played it is the run beside it.
WorldOptions MakeRunOptions(const Session& session) {
  WorldOptions options = session.file->options;
  options.timestep = session.compare.timestep > 0.0 ? session.compare.timestep : session.now.timestep;
  return options;
}

void ShowSolverChoice(Session& session) {
  CompareChoice& choice = session.compare;
  ImGui::SetNextItemWidth(PlotScaled(130.0f));
  if (ImGui::BeginCombo("Solver of B", choice.solver.c_str())) {
    for (const SolverEntry& entry : ListSolvers()) {
      if (ui::Selectable(entry.name, choice.solver == entry.name)) choice.solver = entry.name;
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", entry.summary);
    }
    ImGui::EndCombo();
  }
  ui::Mark("Solver of B", true);
}

void ShowTimestepChoice(Session& session) {
  double timestep = 1e3 * (session.compare.timestep > 0.0 ? session.compare.timestep : session.now.timestep);
  ImGui::SetNextItemWidth(PlotScaled(130.0f));
  if (ImGui::InputDouble("Timestep [ms]", &timestep, 0.0, 0.0, "%.4g"))
    session.compare.timestep = timestep > 0.0 ? 1e-3 * timestep : 0.0;
  ui::Mark("Timestep of B", true);
}

void CompareWithFile(Session& session, const std::string& path) {
  try {
    StartComparing(session, path);
  } catch (const std::exception& error) {
    session.Say(error.what(), true);
  }
}

void ShowLogChoice(Session& session) {
  std::array<char, 1024>& path = session.compare.log;
  ImGui::SetNextItemWidth(-PlotScaled(110.0f));
  const bool is_entered = ImGui::InputTextWithHint("##log", "a log of this model", path.data(), path.size(),
                                                   ImGuiInputTextFlags_EnterReturnsTrue);
  ui::Mark("Log");
  ImGui::SameLine();
  if ((ui::Button("Beside this log", path[0] != 0) || is_entered) && path[0] != 0)
    CompareWithFile(session, path.data());
}

void ShowStart(Session& session) {
  if (session.now.is_playback) {
    ImGui::TextWrapped("A log is played. A run can begin in the row that is shown, with the log beside it.");
    ShowTimestepChoice(session);
    if (ui::Button("Run beside this log"))
      session.simulation.Do([options = MakeRunOptions(session)](Player& player) {
        player.Compare(options);
        player.Run(true);
      });
    return;
  }
  ShowSolverChoice(session);
  ShowTimestepChoice(session);
  ui::Checkbox("Hold B to the budget", &session.compare.has_budget);
  ui::Hint("Off: the solver is seen as it is. On: steps above the budget are tried again, as in a run.");
  if (ui::Button(session.now.companion ? "Compare anew from here" : "Compare from here"))
    session.simulation.Do(
        [options = MakeCompanionOptions(session)](Player& player) { player.Compare(options); });
  if (session.now.companion) {
    ImGui::SameLine();
    if (ui::Button("Stop comparing")) session.simulation.Do([](Player& player) { player.StopComparing(); });
  }
  ShowLogChoice(session);
}

// The largest since the comparison began, until the moment shown.
double FindLargest(const SampleTable& samples, double start, double end) {
  const std::vector<double>& ncp = samples.column(Track::kNcpMax);
  double largest = 0.0;
  for (std::size_t i = samples.CountUntil(start); i < samples.CountUntil(end); ++i)
    largest = std::isnan(ncp[i]) ? ncp[i] : std::max(largest, ncp[i]);
  return samples.CountUntil(end) > samples.CountUntil(start) ? largest : std::nan("");
}

void ShowLine(const char* name, const std::string& a, const std::string& b) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", name);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(a.c_str());
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(b.c_str());
}

void ShowNumbers(const Session& session, const CompanionView& other) {
  const Snapshot& now = session.now;
  if (!ImGui::BeginTable("numbers", 3, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp)) return;
  ImGui::TableSetupColumn("");
  ImGui::TableSetupColumn("A");
  ImGui::TableSetupColumn("B");
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  ImGui::TableNextColumn();
  ImGui::TableNextColumn();
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(RunColor()), "A  %s", now.solver.c_str());
  ImGui::TableNextColumn();
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(CompanionColor()), "B  %s", other.name.c_str());
  const auto milliseconds = [](double dt) { return FormatValue(dt > 0.0 ? 1e3 * dt : std::nan(""), "ms"); };
  const double end = now.time + 1e-9;
  ShowLine("timestep", milliseconds(now.timestep), milliseconds(other.timestep));
  ShowLine("ncp", FormatValue(now.report.certificate.ncp_max, "m/s"),
           FormatValue(other.report.certificate.ncp_max, "m/s"));
  ShowLine("largest", FormatValue(FindLargest(session.samples, other.start, end), "m/s"),
           FormatValue(FindLargest(session.companion_samples, other.start, end), "m/s"));
  ShowLine("penetration", FormatValue(now.report.penetration, "m"),
           FormatValue(other.report.penetration, "m"));
  ShowLine("energy", FormatValue(now.energy.total(), "J"), FormatValue(other.energy.total(), "J"));
  ShowLine("step", FormatValue(1e6 * now.report.phases.total, "us"),
           FormatValue(1e6 * other.report.phases.total, "us"));
  ImGui::EndTable();
}

void ShowSide(const char* letter, ImU32 color, const std::string& text, bool is_over) {
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(color), "%s", letter);
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Text, is_over ? MissColor() : TextColor());
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
}

void ShowComparison(Session& session, const CompanionView& other) {
  const Snapshot& now = session.now;
  const Budget reference = now.budget && !now.budget->is_none() ? *now.budget : kDefaultBudget;
  ShowSide("A", RunColor(), DescribeBudget(now.budget, other.own_counts), other.own_counts.over > 0);
  ShowSide("B", CompanionColor(), DescribeBudget(other.budget, other.counts, reference),
           other.counts.over > 0);
  ui::Mark("Budget of B");
  ShowNumbers(session, other);
  if (other.farthest_body > 0)
    ImGui::TextWrapped("apart: %s, %s", FormatValue(other.apart, "m").c_str(),
                       session.file->model.DisplayName(other.farthest_body).c_str());
  Plot plot{.unit = "m/s", .is_log = true};
  plot.line = reference.absolute;
  plot.line_name = "budget";
  AddTrack(session, "ncp", Track::kNcpMax, plot, true);
  DrawPlot(session, "both", plot,
           std::max(ImGui::GetContentRegionAvail().y - PlotScaled(20.0f), PlotScaled(90.0f)));
}

}  // namespace

void ShowComparePanel(Session& session) {
  if (!session.has_model()) return;
  ShowStart(session);
  if (!session.now.companion) return;
  ImGui::Separator();
  ShowComparison(session, *session.now.companion);
}

}  // namespace stiction::viewer
