// Energy, penetration, iterations, contacts and where the time of a step goes.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "panels.h"
#include "plot.h"
#include "plot_style.h"

namespace stiction::viewer {
namespace {

constexpr float kHeight = 82.0f;

void Show(Session& session, const char* id, const char* unit, bool is_log,
          std::initializer_list<std::pair<const char*, Track>> tracks) {
  Plot plot{.unit = unit, .is_log = is_log, .is_from_zero = *unit == 0};
  const bool with_companion = tracks.size() == 1;
  for (const auto& [name, track] : tracks) AddTrack(session, name, track, plot, with_companion);
  DrawPlot(session, id, plot, PlotScaled(kHeight));
}

// Means over the last steps until the moment shown, as bars.
void ShowPhases(const Session& session) {
  constexpr std::size_t kCount = 100;
  const SampleTable& samples = session.samples;
  const std::size_t end = samples.CountUntil(session.now.time + 1e-9), count = std::min(kCount, end);
  const auto sum = [&](const std::vector<double>& column) {
    const auto last = column.begin() + static_cast<std::ptrdiff_t>(end);
    return std::accumulate(last - static_cast<std::ptrdiff_t>(count), last, 0.0);
  };
  const double total = sum(samples.column(Track::kStepTime));
  if (std::isnan(total)) return ImGui::TextDisabled("phases of the step: not recorded");
  if (!(total > 0.0)) return;
  ImGui::Text("Mean of the last %d steps: %.1f \u00b5s", static_cast<int>(count),
              1e6 * total / static_cast<double>(count));
  for (int k = 0; k < kNumStepPhases; ++k) {
    const double phase = sum(samples.phase(k));
    if (std::isnan(phase)) continue;
    char text[64];
    std::snprintf(text, sizeof text, "%s %.1f \u00b5s", kStepPhases[k].name,
                  1e6 * phase / static_cast<double>(count));
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, CurveColor(static_cast<std::size_t>(k)));
    ImGui::ProgressBar(static_cast<float>(phase / total), {-1.0f, 0.0f}, text);
    ImGui::PopStyleColor();
  }
}

}  // namespace

void ShowDiagnosticsPanel(Session& session) {
  if (!session.has_model()) return;
  Show(session, "energy", "J", false,
       {{"kinetic", Track::kKinetic}, {"potential", Track::kPotential}, {"total", Track::kEnergy}});
  Show(session, "penetration", "m", true, {{"penetration", Track::kPenetration}});
  Show(session, "iterations", "", false, {{"iterations", Track::kIterations}});
  Show(session, "contacts", "", false, {{"contacts", Track::kContacts}});
  Show(session, "step", "s", true, {{"step time", Track::kStepTime}});
  ShowPhases(session);
}

}  // namespace stiction::viewer
