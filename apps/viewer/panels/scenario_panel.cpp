// What a scenario expects, while it runs; its tasks and controllers, and its end.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "panels.h"
#include "plot_style.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

enum class Verdict { kOpen, kGood, kBad };

bool IsWithin(const Expectation& e, double value) {
  return (!e.min || value >= *e.min) && (!e.max || value <= *e.max);
}

// What is measured at the end alone is open until then, wherever it is now; what a log does not hold is open.
Verdict Judge(const Snapshot& now, const ExpectationResult& result, bool is_over) {
  const Expectation& e = result.expectation;
  if (std::isnan(result.measured)) return is_over && !now.is_playback ? Verdict::kBad : Verdict::kOpen;
  if (e.from == kScenarioEnd && !is_over) return Verdict::kOpen;
  return IsWithin(e, result.measured) ? Verdict::kGood : Verdict::kBad;
}

ImU32 ColorOf(Verdict verdict) {
  return verdict == Verdict::kGood ? GoodColor() : verdict == Verdict::kBad ? MissColor() : MutedColor();
}

std::string DescribeBounds(const Expectation& e) {
  const std::string unit = UnitOf(e.what);
  if (e.min && e.max && *e.min == *e.max) return "= " + FormatValue(*e.min, unit);
  std::string text;
  if (e.min) text = "≥ " + FormatValue(*e.min, e.max ? "" : unit);
  if (e.max) text += (text.empty() ? "≤ " : ", ≤ ") + FormatValue(*e.max, unit);
  // Fonts without these letters.
  if (ImGui::GetFont()->FindGlyphNoFallback(0x2264)) return text;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 3, "≥") == 0)
      plain += ">=", i += 2;
    else if (text.compare(i, 3, "≤") == 0)
      plain += "<=", i += 2;
    else
      plain += text[i];
  }
  return plain;
}

// A filled circle, or an empty one for what is open.
void ShowDot(Verdict verdict) {
  const float size = ImGui::GetTextLineHeight(), r = 0.32f * size;
  const ImVec2 from = ImGui::GetCursorScreenPos(), center(from.x + 0.5f * size, from.y + 0.5f * size);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (verdict == Verdict::kOpen)
    list.AddCircle(center, r, MutedColor(), 16, PlotScaled(1.3f));
  else
    list.AddCircleFilled(center, r, ColorOf(verdict), 16);
  ImGui::Dummy({size, size});
}

// The value now beside the bound, and the worst so far where it differs.
void ShowExpectation(const Snapshot& now, const ExpectationResult& result, double value, bool is_over) {
  const Expectation& e = result.expectation;
  const Verdict verdict = Judge(now, result, is_over);
  const std::string unit = UnitOf(e.what);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ShowDot(verdict);
  const std::string name = Describe(e);
  ui::Mark(name + (verdict == Verdict::kGood ? ": good" : verdict == Verdict::kBad ? ": bad" : ": open"));
  ImGui::TableNextColumn();
  ui::Wrapped(name);
  if (ImGui::IsItemHovered() && !e.file.empty())
    ImGui::SetTooltip("%s:%d", std::filesystem::path(e.file).filename().c_str(), e.line);
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, ColorOf(verdict));
  if (std::isnan(result.measured))
    ui::Wrapped(!is_over ? "not yet" : now.is_playback ? "not recorded" : "not measured");
  else
    ui::Wrapped(FormatValue(result.measured, unit));
  ImGui::PopStyleColor();
  if (!std::isnan(value) && value != result.measured) {
    const std::string text = "now " + FormatValue(value, unit);
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < ImGui::CalcTextSize(text.c_str()).x) ImGui::NewLine();
    ImGui::TextDisabled("%s", text.c_str());
  }
  ImGui::TableNextColumn();
  ui::Wrapped(DescribeBounds(e));
}

void ShowExpectations(const Snapshot& now, bool is_over) {
  if (now.expectations.empty()) return ImGui::TextDisabled("Nothing is expected of it.");
  if (!ImGui::BeginTable("expectations", 4, ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ImGui::GetTextLineHeight());
  ImGui::TableSetupColumn("expected", ImGuiTableColumnFlags_WidthStretch, 2.2f);
  ImGui::TableSetupColumn("worst so far", ImGuiTableColumnFlags_WidthStretch, 1.3f);
  ImGui::TableSetupColumn("bound", ImGuiTableColumnFlags_WidthStretch, 1.2f);
  ImGui::TableHeadersRow();
  for (std::size_t i = 0; i < now.expectations.size(); ++i)
    ShowExpectation(now, now.expectations[i], now.expectation_values[i], is_over);
  ImGui::EndTable();
}

// One line above all: how far it is, and how it stands.
void ShowVerdict(const Snapshot& now, double since, bool is_over) {
  int good = 0, bad = 0;
  for (const ExpectationResult& result : now.expectations) {
    good += Judge(now, result, is_over) == Verdict::kGood;
    bad += Judge(now, result, is_over) == Verdict::kBad;
  }
  const int count = static_cast<int>(now.expectations.size());
  const bool has_failed = std::any_of(now.tasks.begin(), now.tasks.end(), [](const TaskProgress& task) {
    return task.status == TaskStatus::kFailed;
  });
  const char* const word = bad > 0 || has_failed ? (is_over ? "failed" : "failing")
                           : !is_over            ? "so far so good"
                           : good == count       ? "passed"
                                                 : "passed as far as the log says";
  const bool has_verdict = !now.expectations.empty() || !now.tasks.empty();
  if (has_verdict) {
    ImGui::PushStyleColor(ImGuiCol_Text, bad > 0 || has_failed ? MissColor() : GoodColor());
    ImGui::TextUnformatted(word);
    ImGui::PopStyleColor();
    ui::Mark(std::string("verdict: ") + word);
    ImGui::SameLine();
  }
  ImGui::TextDisabled("%d of %d met", good, count);
  if (now.end) {
    char text[64];
    std::snprintf(text, sizeof text, "%.3f of %g s", std::min(since, *now.end), *now.end);
    ImGui::ProgressBar(static_cast<float>(std::clamp(since / *now.end, 0.0, 1.0)), {-1.0f, 0.0f}, text);
  }
  if (!now.touched.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImpactColor());
    ui::Wrapped("This is not the scenario's own run any more: " + now.touched + ". Reset begins it anew.");
    ImGui::PopStyleColor();
  }
}

void ShowTasks(const Snapshot& now) {
  for (const TaskProgress& task : now.tasks) {
    const Verdict verdict = task.status == TaskStatus::kDone     ? Verdict::kGood
                            : task.status == TaskStatus::kFailed ? Verdict::kBad
                                                                 : Verdict::kOpen;
    ShowDot(verdict);
    ImGui::SameLine();
    char since[48];
    std::snprintf(since, sizeof since, ", %d phases done, since %.3f s", task.num_ended, task.since);
    const std::string ended =
        task.status == TaskStatus::kRunning ? "" : std::string(ToString(task.status)) + " after ";
    ui::Wrapped(task.name + ": " + ended + task.phase + since);
    ui::Mark("task " + task.name);
    for (const std::string& missing : task.missing) ImGui::TextDisabled("    waits for %s", missing.c_str());
  }
}

std::string DescribeController(const ControllerDescription& controller, const Model& model) {
  std::string text = ToString(controller.type);
  if (!controller.name.empty()) text += " " + controller.name;
  if (!controller.model.empty()) text += " of " + controller.model;
  if (!controller.of.empty()) text += " on " + controller.of;
  const std::size_t joints = controller.joints.size(), actuators = controller.actuators.size();
  if (joints == 1) text += " on " + controller.joints.front();
  if (joints > 1) text += " on " + std::to_string(joints) + " joints";
  if (actuators == 1) text += " on " + controller.actuators.front();
  if (actuators > 1) text += " on " + std::to_string(actuators) + " actuators";
  if (controller.type == ControllerType::kJointPd && joints == 0)
    text += " on all " + std::to_string(model.num_joints()) + " joints";
  if (controller.is_of_task) return text + ", led by its task";
  if (!controller.target.keyframes.empty()) {
    text += ", through";
    for (const std::string& keyframe : controller.target.keyframes) text += " " + keyframe;
  } else if (controller.target.table) {
    text += ", along a table";
  }
  if (controller.type == ControllerType::kWrench) {
    char span[64];
    std::snprintf(span, sizeof span, ", %.4g N from %g s to ", controller.force.norm(), controller.from);
    text += span + (std::isfinite(controller.to) ? FormatValue(controller.to, "s") : "the end");
  }
  return text;
}

void ShowControllers(const LoadedFile& file) {
  std::size_t count = file.controllers.size();
  for (const TaskDescription& task : file.tasks) count += task.controllers.size();
  if (count == 0) return;
  const std::string title = "Controllers (" + std::to_string(count) + ")";
  const bool is_open = ImGui::CollapsingHeader(title.c_str(), ImGuiTreeNodeFlags_DefaultOpen);
  ui::Mark("Controllers");
  if (!is_open) return;
  const auto show = [&](const ControllerDescription& controller) {
    ImGui::Bullet();
    ui::Wrapped(DescribeController(controller, file.model));
  };
  for (const ControllerDescription& controller : file.controllers) show(controller);
  for (const TaskDescription& task : file.tasks)
    for (const ControllerDescription& controller : task.controllers) show(controller);
}

}  // namespace

void ShowScenarioPanel(Session& session) {
  if (!session.has_model()) return;
  const Snapshot& now = session.now;
  if (!session.file->is_scenario) {
    ui::Wrapped("A model is shown. Scenarios say what they expect: open one to see it here.");
    return;
  }
  if (now.is_playback) ui::Wrapped("A log is played: measured at its rows. Reset begins a run.");
  const double since = now.time - now.start_time;
  const bool is_over = now.end && since > *now.end - 0.51 * now.timestep;
  ShowVerdict(now, since, is_over);
  ShowExpectations(now, is_over);
  if (!now.tasks.empty()) {
    const bool is_open = ImGui::CollapsingHeader("Tasks", ImGuiTreeNodeFlags_DefaultOpen);
    ui::Mark("Tasks");
    if (is_open) ShowTasks(now);
  }
  ShowControllers(*session.file);
}

}  // namespace stiction::viewer
