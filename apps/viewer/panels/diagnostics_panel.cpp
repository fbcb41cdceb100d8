// Energy, penetration, iterations, contacts and where the time of a step goes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "panels.h"
#include "plot.h"
#include "stiction/io/log_reader.h"

namespace stiction::viewer {
namespace {

constexpr ImU32 kColors[] = {IM_COL32(90, 170, 255, 255),  IM_COL32(240, 160, 60, 255),
                             IM_COL32(120, 200, 110, 255), IM_COL32(230, 90, 90, 255),
                             IM_COL32(180, 130, 220, 255), IM_COL32(200, 200, 100, 255),
                             IM_COL32(110, 200, 210, 255), IM_COL32(220, 140, 190, 255)};
constexpr float kHeight = 80.0f;

using Value = double (*)(const Sample&);

void Show(const Session& session, const char* id, const char* unit, bool is_log,
          std::initializer_list<std::pair<const char*, Value>> values) {
  Plot plot = MakePlot(session, unit, is_log);
  for (const auto& [name, value] : values) AddCurve(session, name, kColors[plot.curves.size()], value, plot);
  DrawPlot(id, plot, kHeight);
}

double Count(int count) {
  return count == kNotLogged ? std::numeric_limits<double>::quiet_NaN() : count;
}

// Means over the last steps, as bars; of a log over those before the moment that is shown.
void ShowPhases(const Session& session) {
  constexpr std::size_t kCount = 100;
  const auto is_later = [&](double time, const Sample& sample) { return time < sample.time; };
  const auto end = session.now.is_playback ? std::upper_bound(session.samples.begin(), session.samples.end(),
                                                              session.now.time, is_later)
                                           : session.samples.end();
  const std::size_t count = std::min(kCount, static_cast<std::size_t>(end - session.samples.begin()));
  std::array<double, kNumStepPhases> sums{};
  double total = 0.0;
  for (auto sample = end - static_cast<std::ptrdiff_t>(count); sample != end; ++sample) {
    total += sample->step;
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += sample->phases[k];
  }
  if (std::isnan(total)) return ImGui::TextDisabled("phases of the step: not in this log");
  if (!(total > 0.0)) return;
  ImGui::Text("Mean of the last %d steps: %.1f us", static_cast<int>(count),
              1e6 * total / static_cast<double>(count));
  for (std::size_t k = 0; k < sums.size(); ++k) {
    if (std::isnan(sums[k])) continue;
    char text[64];
    std::snprintf(text, sizeof text, "%s %.1f us", kStepPhases[k].name,
                  1e6 * sums[k] / static_cast<double>(count));
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, kColors[k]);
    ImGui::ProgressBar(static_cast<float>(sums[k] / total), {-1.0f, 0.0f}, text);
    ImGui::PopStyleColor();
  }
}

}  // namespace

void ShowDiagnosticsPanel(Session& session) {
  if (!session.has_model()) return;
  Show(session, "energy", "J", false,
       {{"kinetic", [](const Sample& s) { return s.kinetic; }},
        {"potential", [](const Sample& s) { return s.potential; }},
        {"total", [](const Sample& s) { return s.kinetic + s.potential; }}});
  Show(session, "penetration", "m", true, {{"penetration", [](const Sample& s) { return s.penetration; }}});
  Show(session, "iterations", "", false,
       {{"iterations", [](const Sample& s) { return Count(s.iterations); }}});
  Show(session, "contacts", "", false, {{"contacts", [](const Sample& s) { return Count(s.contacts); }}});
  Show(session, "step", "s", true, {{"step time", [](const Sample& s) { return s.step; }}});
  ShowPhases(session);
}

}  // namespace stiction::viewer
