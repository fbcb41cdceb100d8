#include "plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plot/axis.h"
#include "plot_style.h"
#include "timeline.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

using runner::PlotAxis;
using runner::PlotScale;

constexpr float kLeastLabelSpace = 26.0f;   // between labels of the y axis
constexpr float kLeastLabelSpaceX = 72.0f;  // of the x axis
constexpr float kGutter = 46.0f;            // for labels of the y axis

// Where a plot is drawn, inside of its axes.
struct PlotFrame {
  ImVec2 from, to;
  PlotAxis x, y;

  float X(double time) const {
    return from.x + (to.x - from.x) * static_cast<float>(std::clamp(x.Place(time), -0.1, 1.1));
  }
  float Y(double value) const {
    return to.y - (to.y - from.y) * static_cast<float>(std::clamp(y.Place(value), -0.1, 1.1));
  }
};

// Which of the curve's points the span of time holds, and one more on either side.
std::pair<std::size_t, std::size_t> FindVisible(const Curve& curve, double lower, double upper) {
  const std::vector<double>& times = *curve.times;
  const std::size_t count = std::min(times.size(), curve.values->size());
  const auto end = times.begin() + static_cast<std::ptrdiff_t>(count);
  const auto first = std::lower_bound(times.begin(), end, lower);
  const auto last = std::upper_bound(first, end, upper);
  const auto index = [&](auto place) { return static_cast<std::size_t>(place - times.begin()); };
  return {first == times.begin() ? 0 : index(first) - 1, last == end ? count : index(last) + 1};
}

PlotAxis MakeValueAxis(const Plot& plot, const TimelineView& view, float height) {
  const bool has_line = std::isfinite(plot.line) && plot.line > 0.0;
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  const auto add = [&](double value) {
    if (!std::isfinite(value) || (plot.is_log && !(value > 0.0))) return;
    least = std::min(least, value), largest = std::max(largest, value);
  };
  for (const Curve& curve : plot.curves) {
    const auto [first, last] = FindVisible(curve, view.lower, view.upper);
    for (std::size_t i = first; i < last; ++i) add((*curve.values)[i]);
  }
  // So far above the line that it stands clear of the edge.
  if (has_line && plot.is_log) add(plot.line), add(3.0 * plot.line);
  std::vector<double> span;
  if (least <= largest) span = {least, largest};
  const int ticks = std::max(2, static_cast<int>(height / PlotScaled(kLeastLabelSpace)));
  return PlotAxis(span,
                  plot.is_log         ? PlotScale::kLogarithmic
                  : plot.is_from_zero ? PlotScale::kLinearFromZero
                                      : PlotScale::kLinear,
                  ticks);
}

// Room for the labels of the y axis: as much as the widest of all plots of the panel wanted a frame ago, so
// that their times stand one below the other.
float ReserveGutter(const PlotAxis& axis) {
  float own = PlotScaled(kGutter);
  for (const runner::PlotTick& tick : axis.ticks())
    own = std::max(own, ImGui::CalcTextSize(FitLabel(tick.label).c_str()).x + PlotScaled(8.0f));
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const ImGuiID frame = ImGui::GetID("gutter frame"), now = ImGui::GetID("gutter now"),
                before = ImGui::GetID("gutter before");
  if (storage.GetInt(frame) != ImGui::GetFrameCount()) {
    storage.SetInt(frame, ImGui::GetFrameCount());
    storage.SetFloat(before, storage.GetFloat(now));
    storage.SetFloat(now, 0.0f);
  }
  storage.SetFloat(now, std::max(storage.GetFloat(now), own));
  return std::max(storage.GetFloat(before), own);
}

//   left  of the labels
void DrawAxes(const Plot& plot, const PlotFrame& frame, float left, ImDrawList& list) {
  const float text = ImGui::GetFontSize();
  float last_y = std::numeric_limits<float>::infinity();
  for (const runner::PlotTick& tick : frame.y.ticks()) {
    const float y = frame.Y(tick.number);
    list.AddLine({frame.from.x, y}, {frame.to.x, y}, GridColor(tick.label.empty()));
    if (tick.label.empty() || last_y - y < 1.15f * text) continue;
    const std::string label = FitLabel(tick.label);
    const float width = ImGui::CalcTextSize(label.c_str()).x;
    const float top = std::clamp(y - 0.5f * text, frame.from.y - 0.2f * text, frame.to.y - 0.8f * text);
    list.AddText({frame.from.x - width - PlotScaled(5.0f), top}, MutedColor(), label.c_str());
    last_y = y;
  }
  const float unit_width = ImGui::CalcTextSize("s").x;
  for (const runner::PlotTick& tick : frame.x.ticks()) {
    const float x = frame.X(tick.number);
    list.AddLine({x, frame.from.y}, {x, frame.to.y}, GridColor(tick.label.empty()));
    const float width = ImGui::CalcTextSize(tick.label.c_str()).x;
    const float start = std::clamp(x - 0.5f * width, frame.from.x, frame.to.x - width);
    if (start + width > frame.to.x - unit_width - PlotScaled(8.0f)) continue;  // there stands the unit
    list.AddText({start, frame.to.y + PlotScaled(2.0f)}, MutedColor(), tick.label.c_str());
  }
  const std::string unit = frame.x.offset() + "s";
  list.AddText({frame.to.x - ImGui::CalcTextSize(unit.c_str()).x, frame.to.y + PlotScaled(2.0f)},
               MutedColor(), unit.c_str());
  // The unit of what goes up stands below its numbers.
  const std::string title = frame.y.offset() + plot.unit;
  list.AddText({left, frame.to.y + PlotScaled(2.0f)}, MutedColor(), title.c_str());
}

// Of each column of pixels the first point, the lowest, the highest and the last, so that no peak is lost.
class PolylinePainter {
 public:
  PolylinePainter(ImDrawList& list, ImU32 color) : list_(list), color_(color) {}
  ~PolylinePainter() { Break(); }

  void Add(float x, float y) {
    const float column = std::floor(x);
    if (has_column_ && column != column_) CloseColumn();
    if (!has_column_) {
      column_ = column, low_ = high_ = {x, y};
      points_.emplace_back(x, y);
      has_column_ = true;
    }
    if (y > low_.y) low_ = {x, y};
    if (y < high_.y) high_ = {x, y};
    last_ = {x, y};
  }
  void Break() {
    CloseColumn();
    if (points_.size() == 1) list_.AddCircleFilled(points_[0], PlotScaled(1.6f), color_);
    // Piece by piece: where a polyline turns back, its corners would stand out above what was measured.
    for (std::size_t i = 1; i < points_.size(); ++i)
      list_.AddLine(points_[i - 1], points_[i], color_, PlotScaled(1.5f));
    points_.clear();
  }

 private:
  void CloseColumn() {
    if (!has_column_) return;
    const ImVec2 first = points_.back();
    for (const ImVec2& point : {low_, high_, last_})
      if (point.y != points_.back().y || point.x != points_.back().x) points_.push_back(point);
    // A column of one height is a single point.
    if (points_.back().y == first.y && low_.y == high_.y) points_.back().x = last_.x;
    has_column_ = false;
  }

  ImDrawList& list_;
  ImU32 color_;
  std::vector<ImVec2> points_;
  ImVec2 low_, high_, last_;
  float column_ = 0.0f;
  bool has_column_ = false;
};

void DrawCurve(const Curve& curve, const PlotFrame& frame, const TimelineView& view, ImDrawList& list) {
  const auto [first, last] = FindVisible(curve, view.lower, view.upper);
  PolylinePainter painter(list, curve.color);
  for (std::size_t i = first; i < last; ++i) {
    const double value = (*curve.values)[i];
    if (frame.y.Holds(value))
      painter.Add(frame.X((*curve.times)[i]), frame.Y(value));
    else
      painter.Break();
  }
}

void DrawLevel(const Plot& plot, const PlotFrame& frame, ImDrawList& list) {
  if (!std::isfinite(plot.line) || plot.line < 0.0 || !frame.y.Holds(plot.line)) return;
  const double part = frame.y.Place(plot.line);
  if (part < 0.0 || part > 1.0) return;
  const float y = frame.Y(plot.line), dash = PlotScaled(6.0f), gap = PlotScaled(4.0f);
  for (float x = frame.from.x; x < frame.to.x; x += dash + gap)
    list.AddLine({x, y}, {std::min(x + dash, frame.to.x), y}, MissColor(), PlotScaled(1.2f));
  const ImVec2 size = ImGui::CalcTextSize(plot.line_name.c_str());
  const float above = y - size.y - 1.0f;
  list.AddText({frame.to.x - size.x - PlotScaled(4.0f), above > frame.from.y ? above : y + 1.0f}, MissColor(),
               plot.line_name.c_str());
}

bool HasValue(const Curve& curve) {
  return std::any_of(curve.values->begin(), curve.values->end(), [](double x) { return !std::isnan(x); });
}

// Names with their values at the moment shown; as many a line as there is room for.
int ShowLegend(const Session& session, const char* id, const Plot& plot) {
  int removed = -1;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const float swatch = PlotScaled(9.0f);
  for (std::size_t k = 0; k < plot.curves.size(); ++k) {
    const Curve& curve = plot.curves[k];
    const bool is_empty = !curve.times->empty() && !HasValue(curve);
    const std::string value = is_empty ? "not recorded"
                              : curve.times->empty()
                                  ? ""
                                  : FormatValue(ValueAt(curve, session.now.time), curve.unit);
    const std::string text = curve.name + (value.empty() ? "" : "  " + value);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    if (k > 0) {
      ImGui::SameLine(0.0f, PlotScaled(14.0f));
      if (ImGui::GetCursorScreenPos().x + swatch + size.x + PlotScaled(5.0f) > right) ImGui::NewLine();
    }
    const ImVec2 from = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = from.y + 0.5f * size.y;
    list.AddRectFilled({from.x, middle - PlotScaled(1.5f)}, {from.x + swatch, middle + PlotScaled(1.5f)},
                       curve.color, PlotScaled(1.5f));
    list.AddText({from.x + swatch + PlotScaled(5.0f), from.y}, TextColor(is_empty ? 0.55f : 1.0f),
                 text.c_str());
    ImGui::PushID(static_cast<int>(k));
    ImGui::InvisibleButton("name", {swatch + PlotScaled(5.0f) + size.x, size.y});
    ui::Mark(std::string(id) + "/" + curve.name + (is_empty ? ": not recorded" : ""));
    if (plot.can_remove && ImGui::BeginPopupContextItem("curve")) {
      if (ui::Selectable("Remove", false)) removed = static_cast<int>(k);
      ImGui::EndPopup();
    }
    ImGui::PopID();
  }
  return removed;
}

void ShowValues(const Plot& plot, double time) {
  ImGui::BeginTooltip();
  ImGui::Text("t = %.4f s", time);
  for (const Curve& curve : plot.curves)
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(curve.color), "%s  %s", curve.name.c_str(),
                       FormatValue(ValueAt(curve, time), curve.unit).c_str());
  ImGui::EndTooltip();
}

// The moment that is shown, with a dot on each curve.
void DrawPlayhead(const Session& session, const Plot& plot, const PlotFrame& frame, ImDrawList& list) {
  const double now = session.now.time, part = frame.x.Place(now);
  if (part < 0.0 || part > 1.0) return;
  const float x = frame.X(now);
  list.AddLine({x, frame.from.y}, {x, frame.to.y}, TextColor(0.75f), PlotScaled(1.0f));
  for (const Curve& curve : plot.curves) {
    const double value = ValueAt(curve, now);
    if (frame.y.Holds(value)) list.AddCircleFilled({x, frame.Y(value)}, PlotScaled(2.8f), curve.color);
  }
}

void ServePointer(Session& session, const Plot& plot, const PlotFrame& frame) {
  const TimelineView& view = session.timeline;
  const double part = (ImGui::GetIO().MousePos.x - frame.from.x) / (frame.to.x - frame.from.x);
  const double time = view.lower + (view.upper - view.lower) * std::clamp(part, 0.0, 1.0);
  if (ImGui::IsItemActive()) SeekTo(session, time);
  if (!ImGui::IsItemHovered()) return;
  const float wheel = ImGui::GetIO().MouseWheel;
  if (wheel != 0.0f && ImGui::GetIO().KeyCtrl) ZoomTimeline(session, time, wheel);
  ShowValues(plot, time);
}

}  // namespace

double ValueAt(const Curve& curve, double time) {
  const auto next = std::upper_bound(curve.times->begin(), curve.times->end(), time + 1e-9);
  const auto i = static_cast<std::size_t>(next - curve.times->begin());
  if (i == 0 || i > curve.values->size()) return std::numeric_limits<double>::quiet_NaN();
  return (*curve.values)[i - 1];
}

void AddTrack(const Session& session, const char* name, Track track, Plot& plot, bool with_companion) {
  plot.curves.push_back({name, CurveColor(plot.curves.size()), &session.samples.times(),
                         &session.samples.column(track), plot.unit});
  if (!with_companion || !session.now.companion) return;
  const SampleTable& other = session.companion_samples;
  plot.curves.push_back(
      {std::string(name) + " of B", CompanionColor(), &other.times(), &other.column(track), plot.unit});
}

int DrawPlot(Session& session, const char* id, const Plot& plot, float height) {
  const bool has_samples = std::any_of(plot.curves.begin(), plot.curves.end(),
                                       [](const Curve& curve) { return !curve.times->empty(); });
  if (has_samples && std::none_of(plot.curves.begin(), plot.curves.end(), HasValue)) {
    ImGui::TextDisabled("%s: not recorded", id);
    ui::Mark(std::string(id) + ": not recorded");
    return -1;
  }
  const int removed = ShowLegend(session, id, plot);
  const float text = ImGui::GetFontSize();
  const TimelineView& view = session.timeline;
  if (height == 0.0f) height = std::max(ImGui::GetContentRegionAvail().y, PlotScaled(90.0f));
  height = std::max(height, 3.0f * text);
  const PlotAxis y_axis = MakeValueAxis(plot, view, height - 1.7f * text);
  const float gutter = ReserveGutter(y_axis);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, gutter + 40.0f);
  const ImVec2 from(at.x + gutter, at.y + 0.3f * text),
      to(at.x + width - PlotScaled(6.0f), at.y + height - 1.4f * text);
  const PlotFrame frame{
      from, to,
      PlotAxis({view.lower, view.upper}, PlotScale::kLinear,
               std::max(1, static_cast<int>((to.x - from.x) / PlotScaled(kLeastLabelSpaceX))), true),
      y_axis};
  ImGui::InvisibleButton(id, {width, height});
  ui::Mark(id);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(from, to, PlotGroundColor(), PlotScaled(2.0f));
  DrawAxes(plot, frame, at.x, list);
  // What stands at an end of the axis is drawn whole.
  const float edge = PlotScaled(1.5f);
  list.PushClipRect({from.x, from.y - edge}, {to.x + edge, to.y + edge}, true);
  for (const Curve& curve : plot.curves) DrawCurve(curve, frame, view, list);
  DrawLevel(plot, frame, list);
  DrawPlayhead(session, plot, frame, list);
  list.PopClipRect();
  ServePointer(session, plot, frame);
  return removed;
}

}  // namespace stiction::viewer
