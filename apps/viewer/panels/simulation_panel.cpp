// Run, pause, step, go back.
#include <cmath>

#include "panels.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

void ShowRunButtons(Session& session) {
  const Snapshot& now = session.now;
  Simulation& simulation = session.simulation;
  if (ui::Button(now.is_running ? "Pause##run" : "Run##run"))
    simulation.Do([is_running = !now.is_running](Player& player) { player.Run(is_running); });
  ImGui::SameLine();
  if (ui::Button("Step")) simulation.Do([](Player& player) { player.StepOnce(); });
  ImGui::SameLine();
  if (ui::Button("Back", now.history_index > 0))
    simulation.Do([i = now.history_index - 1](Player& player) { player.Scrub(i); });
  ImGui::SameLine();
  if (ui::Button("Reset")) simulation.Do([](Player& player) { player.Reset(); });
  ImGui::SameLine();
  if (ui::Button("Reload")) session.requests.reload = true;
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
  std::snprintf(format, sizeof format, "%.4gx real time", now.speed);
  ImGui::SetNextItemWidth(150.0f);
  if (ui::Slider("Speed", &exponent, -10.0, 6.0, format))
    session.simulation.Do(
        [speed = std::exp2(std::round(exponent))](Player& player) { player.SetSpeed(speed); });
}

void ShowHistory(Session& session) {
  const Snapshot& now = session.now;
  int index = now.history_index;
  ImGui::SetNextItemWidth(-60.0f);
  char format[48];
  std::snprintf(format, sizeof format, "%.3f s", now.time);
  if (ImGui::SliderInt("History", &index, 0, std::max(now.history_size - 1, 0), format))
    session.simulation.Do([index](Player& player) { player.Scrub(index); });
  ui::Mark("History", true);
}

void ShowKeyframes(Session& session) {
  const std::vector<Keyframe>& keyframes = session.file->model.keyframes;
  if (keyframes.empty()) return;
  ImGui::SetNextItemWidth(150.0f);
  if (ImGui::BeginCombo("Keyframe", "load ...")) {
    if (ui::Selectable("as in the file", false))
      session.simulation.Do([](Player& player) { player.SetKeyframe(""); });
    ImGui::Separator();
    for (const Keyframe& keyframe : keyframes) {
      if (ui::Selectable(keyframe.name.c_str(), false))
        session.simulation.Do([name = keyframe.name](Player& player) { player.SetKeyframe(name); });
    }
    ImGui::EndCombo();
  }
  ui::Mark("Keyframe", true);
}

}  // namespace

void ShowSimulationPanel(Session& session) {
  if (!session.has_model()) return ImGui::TextUnformatted("No model. Drop a file on the window.");
  const Snapshot& now = session.now;
  ShowRunButtons(session);
  if (now.is_playback)
    ImGui::Text("t = %.4f s, row %d of %d", now.time, now.history_index + 1, now.history_size);
  else
    ImGui::Text("t = %.4f s, step %lld", now.time, now.num_steps);
  if (now.is_playback)
    ImGui::TextWrapped("Playing a log: nothing is simulated before a reset.");
  else if (now.is_running)
    ImGui::Text("%.2fx real time, %.0f us per step", now.real_time_factor, 1e6 * now.report.phases.total);
  else
    ImGui::TextUnformatted("Paused.");
  ShowSpeed(session);
  ShowHistory(session);
  ShowKeyframes(session);
  ui::Numbers counts;
  counts.AddCount("contacts", now.report.num_contacts);
  counts.AddCount("limits", now.report.num_limits);
  counts.AddCount("islands", now.report.num_islands);
  counts.Show();
  ui::Numbers accuracy;
  accuracy.Add("ncp", now.report.certificate.ncp_max, "m/s");
  accuracy.AddCount("budget misses", now.budget_misses);
  accuracy.Show();
}

}  // namespace stiction::viewer
