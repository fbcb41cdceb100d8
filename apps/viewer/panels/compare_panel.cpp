// Another run, or a log, beside the one that is shown.
#include <algorithm>
#include <cmath>
#include <cstdio>

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

// The next button beside the last, if there is room for it.
void KeepOnLine(const char* label) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float width = ImGui::CalcTextSize(label).x + 2.0f * style.FramePadding.x;
  ImGui::SameLine();
  if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

void ShowSolverChoice(Session& session) {
  CompareChoice& choice = session.compare;
  ui::Field("Solver of B");
  if (ImGui::BeginCombo("##Solver of B", choice.solver.c_str())) {
    for (const SolverEntry& entry : ListSolvers()) {
      if (ui::Selectable(entry.name, choice.solver == entry.name)) choice.solver = entry.name;
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", entry.summary);
    }
    ImGui::EndCombo();
  }
  ui::Mark("Solver of B");
}

void ShowTimestepChoice(Session& session) {
  double timestep = 1e3 * (session.compare.timestep > 0.0 ? session.compare.timestep : session.now.timestep);
  ui::Field("Timestep [ms]");
  if (ImGui::InputDouble("##Timestep [ms]", &timestep, 0.0, 0.0, "%.4g"))
    session.compare.timestep = timestep > 0.0 ? 1e-3 * timestep : 0.0;
  ui::Mark("Timestep of B");
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
  ImGui::SetNextItemWidth(-1.0f);
  const bool is_entered = ImGui::InputTextWithHint("##log", "a log of this model", path.data(), path.size(),
                                                   ImGuiInputTextFlags_EnterReturnsTrue);
  ui::Mark("Log");
  if ((ui::Button("Beside this log", path[0] != 0) || is_entered) && path[0] != 0)
    CompareWithFile(session, path.data());
}

void ShowStart(Session& session) {
  if (session.now.is_playback) {
    ui::Wrapped("A log is played. A run can begin in the row that is shown, with the log beside it.");
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
    KeepOnLine("Stop comparing");
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

// In a column at the side of a small window there is room for no units: these are in the name's hint.
bool AreNumbersNarrow() {
  return ImGui::GetContentRegionAvail().x < PlotScaled(240.0f);
}

std::string CompareText(double value, const char* unit, bool is_narrow) {
  if (std::isnan(value)) return is_narrow ? "-" : FormatValue(value, unit);
  char text[48];
  if (is_narrow)
    std::snprintf(text, sizeof text, "%.2g", value);
  else
    std::snprintf(text, sizeof text, "%.3g %s", value, unit);
  return text;
}

void ShowLine(const char* name, const char* unit, double a, double b, bool is_narrow) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", ui::Shorten(name, ImGui::GetContentRegionAvail().x).c_str());
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s [%s]", name, unit);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(CompareText(a, unit, is_narrow).c_str());
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(CompareText(b, unit, is_narrow).c_str());
}

void ShowName(const std::string& name, ImU32 color) {
  const std::string shown = ui::Shorten(name, ImGui::GetContentRegionAvail().x);
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(color), "%s", shown.c_str());
  if (shown != name && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", name.c_str());
}

void ShowNumbers(const Session& session, const CompanionView& other) {
  const Snapshot& now = session.now;
  const bool is_narrow = AreNumbersNarrow();
  if (!ImGui::BeginTable("numbers", 3, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchSame)) return;
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  ImGui::TableNextColumn();
  ImGui::TableNextColumn();
  ShowName("A  " + now.solver, RunColor());
  ImGui::TableNextColumn();
  ShowName("B  " + other.name, CompanionColor());
  const auto milliseconds = [](double dt) { return dt > 0.0 ? 1e3 * dt : std::nan(""); };
  const double end = now.time + 1e-9;
  ShowLine("timestep", "ms", milliseconds(now.timestep), milliseconds(other.timestep), is_narrow);
  ShowLine("ncp", "m/s", now.report.certificate.ncp_max, other.report.certificate.ncp_max, is_narrow);
  ShowLine("largest", "m/s", FindLargest(session.samples, other.start, end),
           FindLargest(session.companion_samples, other.start, end), is_narrow);
  ShowLine("penetration", "m", now.report.penetration, other.report.penetration, is_narrow);
  ShowLine("energy", "J", now.energy.total(), other.energy.total(), is_narrow);
  ShowLine("step", "\u00b5s", 1e6 * now.report.phases.total, 1e6 * other.report.phases.total, is_narrow);
  ImGui::EndTable();
}

void ShowSide(const char* letter, ImU32 color, const std::string& text, bool is_over) {
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(color), "%s", letter);
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Text, is_over ? MissColor() : TextColor());
  ui::Wrapped(text);
  ImGui::PopStyleColor();
}

void ShowComparison(Session& session, const CompanionView& other) {
  const Snapshot& now = session.now;
  const Budget reference = now.budget && !now.budget->is_none() ? *now.budget : kDefaultBudget;
  ShowSide("A", RunColor(), DescribeBudget(now.budget, other.own_counts), other.own_counts.over > 0);
  ShowSide("B", CompanionColor(), DescribeBudget(other.budget, other.counts, reference),
           other.counts.over > 0);
  ui::Mark("Budget of B");
  if (const std::string slowness = DescribeSlowness(other); !slowness.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, MissColor());
    ui::Wrapped(slowness);
    ImGui::PopStyleColor();
    ui::Mark("Slowness of B");
    ui::Hint("A waits for B: both show the same moment.");
  }
  ShowNumbers(session, other);
  if (other.farthest_body > 0)
    ui::Wrapped("apart: " + CompareText(other.apart, "m", false) + ", " +
                session.file->model.DisplayName(other.farthest_body));
  Plot plot{.unit = "m/s", .is_log = true};
  plot.line = reference.absolute;
  plot.line_name = "budget";
  AddTrack(session, "ncp", Track::kNcpMax, plot, true);
  DrawPlot(session, "both", plot, 0.0f);
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
