#include "figure.h"

#include <algorithm>
#include <cmath>

#include "svg_drawing.h"

namespace stiction::runner {
namespace {

// Categorical colours that stay apart for most colour-blind readers (M. Petroff, 2021).
constexpr const char* kCurveColours[] = {"#3f90da", "#e76300", "#2e7d32", "#bd1f01",
                                         "#832db6", "#a96b59", "#0097a7", "#717581"};
constexpr const char* kCurveDashes[] = {"", "7 3", "2 2.5", "9 2 2 2"};
constexpr const char* kFaintColour = "#b0b0b0";
constexpr const char* kGridColour = "#c8c8c8";
constexpr const char* kFineGridColour = "#ebebeb";
constexpr double kLeastLeft = 84, kTitleRoom = 41, kTop = 46, kPanelGap = 34, kBottom = 60,
                 kLegendLine = 19;         // [px]
constexpr double kLetter = 7.0;            // width of a letter of a label, about [px]
constexpr double kLeastTickSpace = 36.0;   // between labels of the y axis [px]
constexpr double kLeastTickSpaceX = 64.0;  // of the x axis [px]

using SvgPoints = std::vector<SvgDrawing::Point>;

struct PlotFrame {
  double left, top, width, height;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
  double X(const PlotAxis& axis, double number) const { return left + width * axis.Place(number); }
  double Y(const PlotAxis& axis, double number) const { return bottom() - height * axis.Place(number); }
};

std::size_t CountLetters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

// As wide as the longest label; nothing where no curve has one.
double CalcLegendWidth(const std::vector<PlotPanel>& panels) {
  std::size_t longest = 0;
  for (const PlotPanel& panel : panels)
    for (const PlotCurve& curve : panel.curves) longest = std::max(longest, CountLetters(curve.label));
  return longest == 0 ? 24.0 : std::max(60.0 + kLetter * static_cast<double>(longest), 90.0);
}

// What the longest label of an axis needs beside the axis' title.
double CalcLeft(const std::vector<PlotAxis>& y_axes) {
  std::size_t longest = 0;
  for (const PlotAxis& axis : y_axes)
    for (const PlotTick& tick : axis.ticks()) longest = std::max(longest, CountLetters(tick.label));
  return std::max(kLeastLeft, kTitleRoom + kLetter * static_cast<double>(longest));
}

template <typename Coordinate>
std::vector<double> ListNumbers(const std::vector<PlotPanel>& panels, const Coordinate& coordinate) {
  std::vector<double> numbers;
  for (const PlotPanel& panel : panels)
    for (const PlotCurve& curve : panel.curves)
      for (const auto& point : curve.points) numbers.push_back(coordinate(point));
  return numbers;
}

// The pieces of a curve between gaps.
std::vector<SvgPoints> PlaceCurve(const PlotCurve& curve, const PlotAxis& x_axis, const PlotAxis& y_axis,
                                  const PlotFrame& frame) {
  std::vector<SvgPoints> pieces;
  bool is_gap = true;
  for (const auto& [x, y] : curve.points) {
    const bool is_placed = x_axis.Holds(x) && y_axis.Holds(y);
    if (is_placed && is_gap) pieces.emplace_back();
    if (is_placed) pieces.back().push_back({frame.X(x_axis, x), frame.Y(y_axis, y)});
    is_gap = !is_placed;
  }
  return pieces;
}

// Of each column of pixels the first point, the lowest, the highest and the last, in their order.
SvgPoints ThinOut(const SvgPoints& points, double width) {
  if (points.size() <= 4 * static_cast<std::size_t>(width)) return points;
  SvgPoints out;
  for (std::size_t begin = 0; begin < points.size();) {
    const double column = std::floor(points[begin].x);
    std::size_t end = begin, low = begin, high = begin;
    for (; end < points.size() && std::floor(points[end].x) == column; ++end) {
      if (points[end].y < points[low].y) low = end;
      if (points[end].y > points[high].y) high = end;
    }
    std::size_t kept[] = {begin, low, high, end - 1};
    std::sort(std::begin(kept), std::end(kept));
    for (const std::size_t* i = std::begin(kept); i != std::unique(std::begin(kept), std::end(kept)); ++i)
      out.push_back(points[*i]);
    begin = end;
  }
  return out;
}

void DrawCurve(const PlotCurve& curve, std::size_t number, const PlotAxis& x_axis, const PlotAxis& y_axis,
               const PlotFrame& frame, SvgDrawing& svg) {
  const std::size_t style = curve.style >= 0 ? static_cast<std::size_t>(curve.style) : number;
  const char* colour = curve.is_faint ? kFaintColour : FindCurveColour(style);
  const char* dash =
      curve.is_faint ? "5 4" : kCurveDashes[style / std::size(kCurveColours) % std::size(kCurveDashes)];
  for (SvgPoints& piece : PlaceCurve(curve, x_axis, y_axis, frame)) {
    if (piece.size() == 1) piece.push_back({piece[0].x + 1.0, piece[0].y});  // else it would not be seen
    svg.Polyline(ThinOut(piece, frame.width), colour, dash);
  }
  if (curve.label.empty()) return;
  const double y = frame.top + 12 + kLegendLine * static_cast<double>(number);
  svg.Polyline({{frame.right() + 14, y - 4}, {frame.right() + 38, y - 4}}, colour, dash);
  svg.Text(frame.right() + 46, y, curve.label, SvgDrawing::Anchor::kStart);
}

void DrawGrid(const PlotAxis& x_axis, const PlotAxis& y_axis, const PlotFrame& frame, bool has_x_labels,
              SvgDrawing& svg) {
  for (const PlotTick& tick : x_axis.ticks()) {
    const double x = frame.X(x_axis, tick.number);
    svg.Line(x, frame.top, x, frame.bottom(), tick.label.empty() ? kFineGridColour : kGridColour);
    if (has_x_labels && !tick.label.empty())
      svg.Text(x, frame.bottom() + 18, tick.label, SvgDrawing::Anchor::kMiddle);
  }
  for (const PlotTick& tick : y_axis.ticks()) {
    const double y = frame.Y(y_axis, tick.number);
    svg.Line(frame.left, y, frame.right(), y, tick.label.empty() ? kFineGridColour : kGridColour);
    if (!tick.label.empty()) svg.Text(frame.left - 8, y + 4, tick.label, SvgDrawing::Anchor::kEnd);
  }
}

}  // namespace

std::string PlotFigure::Draw(Placing* placing) const {
  // A panel is as high as its legend.
  std::vector<PlotFrame> frames;
  std::vector<PlotAxis> y_axes;
  double top = title.empty() ? 14.0 : kTop;
  for (const PlotPanel& panel : panels) {
    const double height = std::max(panel_height, kLegendLine * static_cast<double>(panel.curves.size()) + 8);
    frames.push_back({0.0, top, 0.0, height});
    y_axes.emplace_back(ListNumbers({panel}, [](const auto& point) { return point.second; }), panel.y_scale,
                        std::max(2, static_cast<int>(height / kLeastTickSpace)));
    top += height + kPanelGap;
  }
  const double left = CalcLeft(y_axes), legend = CalcLegendWidth(panels),
               inside = std::max(width - left - legend, 100.0);
  for (PlotFrame& frame : frames) frame.left = left, frame.width = inside;
  const double end = top - kPanelGap;
  const PlotAxis x_axis(ListNumbers(panels, [](const auto& point) { return point.first; }), x_scale,
                        static_cast<int>(inside / kLeastTickSpaceX), has_tight_x);
  SvgDrawing svg(left + inside + legend, end + kBottom);
  if (!title.empty()) svg.Text(left, 26, title, SvgDrawing::Anchor::kStart, 15);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const PlotPanel& panel = panels[i];
    const PlotFrame& frame = frames[i];
    const PlotAxis& y_axis = y_axes[i];
    DrawGrid(x_axis, y_axis, frame, i + 1 == panels.size(), svg);
    svg.VerticalText(22, frame.top + 0.5 * frame.height, y_axis.offset() + panel.y_title, 13);
    for (std::size_t k = 0; k < panel.curves.size(); ++k)
      DrawCurve(panel.curves[k], k, x_axis, y_axis, frame, svg);
    svg.Rectangle(frame.left, frame.top, frame.width, frame.height, "#404040");
  }
  svg.Text(left + 0.5 * inside, end + 42, x_axis.offset() + x_title, SvgDrawing::Anchor::kMiddle, 13);
  if (placing) {
    *placing = {left,
                left + inside,
                frames.empty() ? 0.0 : frames.front().top,
                end,
                x_axis.lower(),
                x_axis.upper(),
                left + inside + legend,
                end + kBottom};
  }
  return svg.Finish();
}

const char* FindCurveColour(std::size_t number) {
  return kCurveColours[number % std::size(kCurveColours)];
}

PlotFigure MakeLogFigure(const std::string& title, const std::string& x_title, const std::string& y_title) {
  PlotFigure figure{.title = title, .x_title = x_title, .x_scale = PlotScale::kLogarithmic};
  figure.panels.push_back({.y_title = y_title, .y_scale = PlotScale::kLogarithmic});
  return figure;
}

}  // namespace stiction::runner
