#include "plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "ui.h"

namespace stiction::viewer {
namespace {

constexpr double kLogFloor = 1e-17;  // what is smaller, zero included, is drawn at this value

struct Range {
  double lower = std::numeric_limits<double>::infinity();
  double upper = -std::numeric_limits<double>::infinity();
  void Add(double value) {
    if (!std::isfinite(value)) return;
    lower = std::min(lower, value);
    upper = std::max(upper, value);
  }
  double Part(double value) const { return (value - lower) / (upper - lower); }
};

double Transform(const Plot& plot, double value) {
  return plot.is_log ? std::log10(std::max(value, kLogFloor)) : value;
}

Range FindRange(const Plot& plot) {
  Range range;
  for (const Curve& curve : plot.curves)
    for (double value : curve.values) range.Add(Transform(plot, value));
  if (plot.is_log && plot.line > 0.0) range.Add(Transform(plot, plot.line));
  if (!(range.lower <= range.upper)) return {0.0, 1.0};
  if (plot.is_log) return {std::floor(range.lower), std::ceil(range.upper + 1e-9)};
  const double margin = std::max(0.05 * (range.upper - range.lower), 1e-12 + 1e-6 * std::abs(range.upper));
  return {range.lower - margin, range.upper + margin};
}

// At most one point per pixel column: the extremes of what falls into it, so that no peak is lost.
void DrawCurve(const Plot& plot, const Curve& curve, const Range& times, const Range& values, ImVec2 from,
               ImVec2 size, ImDrawList& list) {
  std::vector<ImVec2> points;
  const std::size_t count = std::min(plot.times.size(), curve.values.size());
  for (std::size_t i = 0; i < count;) {
    const int column = static_cast<int>(times.Part(plot.times[i]) * size.x);
    Range extremes;
    for (; i < count && static_cast<int>(times.Part(plot.times[i]) * size.x) == column; ++i)
      extremes.Add(Transform(plot, curve.values[i]));
    if (!(extremes.lower <= extremes.upper)) continue;
    const float x = from.x + static_cast<float>(column);
    for (double value : {extremes.lower, extremes.upper}) {
      const double part = std::clamp(values.Part(value), 0.0, 1.0);
      points.emplace_back(x, from.y + size.y * static_cast<float>(1.0 - part));
    }
  }
  list.AddPolyline(points.data(), static_cast<int>(points.size()), curve.color, 0, 1.5f);
}

void DrawGrid(const Plot& plot, const Range& values, ImVec2 from, ImVec2 size, ImDrawList& list) {
  const ImU32 grey = ImGui::GetColorU32(ImGuiCol_TextDisabled), faint = IM_COL32(128, 128, 128, 50);
  const int decades = plot.is_log ? static_cast<int>(values.upper - values.lower) : 4;
  const int stride = std::max(1, decades / 5);
  for (int i = 0; i <= decades; i += stride) {
    const double value = values.lower + (values.upper - values.lower) * i / decades;
    const float y = from.y + size.y * static_cast<float>(1.0 - values.Part(value));
    list.AddLine({from.x, y}, {from.x + size.x, y}, faint);
    char text[32];
    if (plot.is_log)
      std::snprintf(text, sizeof text, "1e%d", static_cast<int>(std::lround(value)));
    else
      std::snprintf(text, sizeof text, "%.3g", value);
    const float shift = i == 0 ? -13.0f : i + stride > decades ? 0.0f : -7.0f;
    list.AddText({from.x + 3.0f, y + shift}, grey, text);
  }
}

void DrawLevel(const Plot& plot, const Range& values, ImVec2 from, ImVec2 size, ImDrawList& list) {
  if (!std::isfinite(plot.line) || plot.line < 0.0) return;
  const double part = values.Part(Transform(plot, plot.line));
  if (part < 0.0 || part > 1.0) return;
  const float y = from.y + size.y * static_cast<float>(1.0 - part);
  const ImU32 red = IM_COL32(230, 80, 80, 255);
  for (float x = from.x; x < from.x + size.x; x += 10.0f)
    list.AddLine({x, y}, {std::min(x + 6.0f, from.x + size.x), y}, red, 1.5f);
  const float width = ImGui::CalcTextSize(plot.line_name).x;
  list.AddText({from.x + size.x - width - 4.0f, y + 1.0f}, red, plot.line_name);
}

void ShowValues(const Plot& plot, const Range& times, ImVec2 from, ImVec2 size) {
  const double at = times.lower + (times.upper - times.lower) * (ImGui::GetIO().MousePos.x - from.x) / size.x;
  const auto found = std::lower_bound(plot.times.begin(), plot.times.end(), at);
  if (found == plot.times.end()) return;
  const std::size_t i = static_cast<std::size_t>(found - plot.times.begin());
  ImGui::BeginTooltip();
  ImGui::Text("t = %.4f s", plot.times[i]);
  for (const Curve& curve : plot.curves) {
    if (i >= curve.values.size()) continue;
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(curve.color), "%s: %.4g %s", curve.name,
                       curve.values[i], plot.unit);
  }
  ImGui::EndTooltip();
}

bool HasValue(const Curve& curve) {
  return std::any_of(curve.values.begin(), curve.values.end(), [](double x) { return !std::isnan(x); });
}

// Names, with the values at the cursor, or the last ones.
void ShowLegend(const Plot& plot) {
  std::size_t i = plot.times.empty() ? 0 : plot.times.size() - 1;
  if (std::isfinite(plot.cursor)) {
    const auto found = std::upper_bound(plot.times.begin(), plot.times.end(), plot.cursor);
    i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(found - plot.times.begin() - 1, 0));
  }
  for (const Curve& curve : plot.curves) {
    if (&curve != &plot.curves.front()) ImGui::SameLine();
    const ImVec4 color = ImGui::ColorConvertU32ToFloat4(curve.color);
    if (i >= curve.values.size())
      ImGui::TextColored(color, "%s", curve.name);
    else if (std::isnan(curve.values[i]))
      ImGui::TextColored(color, "%s: not in this log", curve.name);
    else
      ImGui::TextColored(color, "%s %.2e %s", curve.name, curve.values[i], plot.unit);
  }
}

void DrawCursor(const Plot& plot, const Range& times, ImVec2 from, ImVec2 size, ImDrawList& list) {
  if (!std::isfinite(plot.cursor) || plot.cursor >= plot.times.back()) return;
  const float x = from.x + size.x * static_cast<float>(std::clamp(times.Part(plot.cursor), 0.0, 1.0));
  list.AddLine({x, from.y}, {x, from.y + size.y}, IM_COL32(230, 230, 230, 160));
}

}  // namespace

Plot MakePlot(const Session& session, const char* unit, bool is_log) {
  Plot plot{.unit = unit, .is_log = is_log, .times = {}, .curves = {}};
  for (const Sample& sample : session.samples) plot.times.push_back(sample.time);
  const Snapshot& now = session.now;
  if (now.is_playback || now.history_index + 1 < now.history_size) plot.cursor = now.time;
  return plot;
}

void AddCurve(const Session& session, const char* name, ImU32 color, double (*value)(const Sample&),
              Plot& plot) {
  plot.curves.push_back({name, color, {}});
  for (const Sample& sample : session.samples) plot.curves.back().values.push_back(value(sample));
}

void DrawPlot(const char* id, const Plot& plot, float height) {
  if (!plot.times.empty() && std::none_of(plot.curves.begin(), plot.curves.end(), HasValue)) {
    ImGui::TextDisabled("%s: not in this log", id);
    return ui::Mark(std::string(id) + ": not in this log");
  }
  ShowLegend(plot);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 size(std::max(ImGui::GetContentRegionAvail().x, 50.0f), height);
  ImGui::InvisibleButton(id, size);
  ui::Mark(id);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(from, {from.x + size.x, from.y + size.y}, IM_COL32(20, 22, 26, 255));
  if (plot.times.size() < 2 || !(plot.times.back() > plot.times.front())) return;
  const Range times{plot.times.front(), plot.times.back()}, values = FindRange(plot);
  DrawGrid(plot, values, from, size, list);
  for (const Curve& curve : plot.curves) DrawCurve(plot, curve, times, values, from, size, list);
  DrawLevel(plot, values, from, size, list);
  DrawCursor(plot, times, from, size, list);
  if (ImGui::IsItemHovered()) ShowValues(plot, times, from, size);
}

}  // namespace stiction::viewer
