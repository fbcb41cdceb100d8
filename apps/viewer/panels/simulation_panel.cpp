// Run, pause, step, go back.
#include <cmath>
#include <cstdio>
#include <string>

#include "panels.h"
#include "plot_style.h"
#include "stiction/io/log_reader.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

void ShowRunButtons(Session& session) {
  const Snapshot& now = session.now;
  Simulation& simulation = session.simulation;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {Scaled(4.0f), Scaled(6.0f)});
  if (ui::IconButton(now.is_running ? ui::Icon::kPause : ui::Icon::kPlay,
                     now.is_running ? "Pause##run" : "Run##run", true, true))
    simulation.Do([is_running = !now.is_running](Player& player) { player.Run(is_running); });
  ImGui::SameLine();
  if (ui::IconButton(ui::Icon::kStep, "Step")) simulation.Do([](Player& player) { player.StepOnce(); });
  ImGui::SameLine();
  if (ui::IconButton(ui::Icon::kBack, "Back", now.history_index > 0))
    simulation.Do([i = now.history_index - 1](Player& player) { player.Scrub(i); });
  ImGui::SameLine();
  if (ui::IconButton(ui::Icon::kReset, "Reset")) simulation.Do([](Player& player) { player.Reset(); });
  ImGui::SameLine();
  if (ui::IconButton(ui::Icon::kReload, "Reload")) session.requests.reload = true;
  ImGui::PopStyleVar();
}

void ShowSpeed(Session& session) {
  const Snapshot& now = session.now;
  bool is_free = now.speed <= 0.0;
  if (ui::Checkbox("As fast as possible", &is_free))
    session.simulation.Do([speed = is_free ? 0.0 : 1.0](Player& player) { player.SetSpeed(speed); });
  if (is_free) return;
  // A factor of 2 a step of the slider, as the keys - and = have it.
  double exponent = std::log2(now.speed);
  char format[48];
  std::snprintf(format, sizeof format, "%.4g\u00d7 real time", now.speed);
  if (ui::Slider("Speed", &exponent, -10.0, 6.0, format))
    session.simulation.Do(
        [speed = std::exp2(std::round(exponent))](Player& player) { player.SetSpeed(speed); });
}

void ShowHistory(Session& session) {
  const Snapshot& now = session.now;
  int index = now.history_index;
  char format[48];
  std::snprintf(format, sizeof format, "%.3f s", now.time);
  ui::Field("History");
  if (ImGui::SliderInt("##History", &index, 0, std::max(now.history_size - 1, 0), format))
    session.simulation.Do([index](Player& player) { player.Scrub(index); });
  ui::Mark("History");
}

void ShowKeyframes(Session& session) {
  const std::vector<Keyframe>& keyframes = session.file->model.keyframes;
  if (keyframes.empty()) return;
  ui::Field("Keyframe");
  if (ImGui::BeginCombo("##Keyframe", "load ...")) {
    if (ui::Selectable("as in the file", false))
      session.simulation.Do([](Player& player) { player.SetKeyframe(""); });
    ImGui::Separator();
    for (const Keyframe& keyframe : keyframes) {
      if (ui::Selectable(keyframe.name.c_str(), false))
        session.simulation.Do([name = keyframe.name](Player& player) { player.SetKeyframe(name); });
    }
    ImGui::EndCombo();
  }
  ui::Mark("Keyframe");
}

void ShowClock(const Snapshot& now) {
  char text[64];
  std::snprintf(text, sizeof text, "%.4f s", now.time);
  ui::Row("time", text);
  if (now.is_playback) {
    std::snprintf(text, sizeof text, "%d of %d", now.history_index + 1, now.history_size);
    ui::Row("row of the log", text);
    return ui::Muted("Nothing is simulated before a reset.");
  }
  ui::Row("steps", FormatCount(now.num_steps));
  if (!now.is_running) return ui::Row("speed", "paused");
  std::snprintf(text, sizeof text, "%.2f\u00d7 real time", now.real_time_factor);
  ui::Row("speed", text);
  ui::Row("a step takes", FormatDuration(now.report.phases.total));
}

void ShowCount(const char* name, long long count) {
  ui::Row(name, count == kNotLogged ? "not recorded" : std::to_string(count));
}

void ShowCounts(const Snapshot& now) {
  if (!now.has_report()) {
    ShowCount("contacts", static_cast<long long>(now.contacts.size()));
    return ui::Muted("No step led here yet.");
  }
  ShowCount("contacts", now.report.num_contacts);
  ShowCount("limits", now.report.num_limits);
  ShowCount("islands", now.report.num_islands);
  const double ncp = now.report.certificate.ncp_max;
  ui::Row("ncp", std::isnan(ncp) ? "not recorded" : ui::FormatNumber("%.1e", ncp) + " m/s");
  if (now.report.num_parts > 1) ShowCount("parts of the step", now.report.num_parts);
  ShowCount("budget misses", now.counts.misses);
}

}  // namespace

void ShowSimulationPanel(Session& session) {
  if (!session.has_model()) return ImGui::TextUnformatted("No model. Drop a file on the window.");
  const Snapshot& now = session.now;
  ShowRunButtons(session);
  ShowClock(now);
  ShowSpeed(session);
  ShowHistory(session);
  ShowKeyframes(session);
  ImGui::Separator();
  ShowCounts(now);
}

}  // namespace stiction::viewer
