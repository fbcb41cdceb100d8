// Energy, penetration, iterations, contacts and where the time of a step goes.
#include "panels.h"
#include "plot.h"

namespace stiction::viewer {
namespace {

constexpr ImU32 kColors[] = {IM_COL32(90, 170, 255, 255),  IM_COL32(240, 160, 60, 255),
                             IM_COL32(120, 200, 110, 255), IM_COL32(230, 90, 90, 255),
                             IM_COL32(180, 130, 220, 255), IM_COL32(200, 200, 100, 255),
                             IM_COL32(110, 200, 210, 255), IM_COL32(220, 140, 190, 255)};
constexpr const char* kPhases[Sample::kNumPhases] = {"kinematics", "collision",  "dynamics",   "assembly",
                                                     "solve",      "correction", "integration"};
constexpr float kHeight = 80.0f;

using Value = double (*)(const Sample&);

void Show(const Session& session, const char* id, const char* unit, bool is_log,
          std::initializer_list<std::pair<const char*, Value>> values) {
  Plot plot{.unit = unit, .is_log = is_log, .times = {}, .curves = {}};
  for (const Sample& sample : session.samples) plot.times.push_back(sample.time);
  for (const auto& [name, value] : values) {
    plot.curves.push_back({name, kColors[plot.curves.size()], {}});
    for (const Sample& sample : session.samples) plot.curves.back().values.push_back(value(sample));
  }
  DrawPlot(id, plot, kHeight);
}

// Means over the last steps, as bars.
void ShowPhases(const Session& session) {
  constexpr std::size_t kCount = 100;
  std::array<double, Sample::kNumPhases> sums{};
  double total = 0.0;
  const std::size_t count = std::min(kCount, session.samples.size());
  for (std::size_t i = session.samples.size() - count; i < session.samples.size(); ++i) {
    total += session.samples[i].step;
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += session.samples[i].phases[k];
  }
  if (!(total > 0.0)) return;
  ImGui::Text("Mean of the last %d steps: %.1f us", static_cast<int>(count),
              1e6 * total / static_cast<double>(count));
  for (std::size_t k = 0; k < sums.size(); ++k) {
    char text[64];
    std::snprintf(text, sizeof text, "%s %.1f us", kPhases[k], 1e6 * sums[k] / static_cast<double>(count));
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
       {{"iterations", [](const Sample& s) { return static_cast<double>(s.iterations); }}});
  Show(session, "contacts", "", false,
       {{"contacts", [](const Sample& s) { return static_cast<double>(s.contacts); }}});
  Show(session, "step", "s", true, {{"step time", [](const Sample& s) { return s.step; }}});
  ShowPhases(session);
}

}  // namespace stiction::viewer
