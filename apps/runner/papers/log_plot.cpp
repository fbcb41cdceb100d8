#include "log_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "svg_drawing.h"

namespace stiction::runner {
namespace {

// Categorical colours that stay apart for most colour-blind readers (M. Petroff, 2021).
constexpr const char* kCurveColours[] = {"#3f90da", "#e76300", "#2e7d32", "#bd1f01",
                                         "#832db6", "#a96b59", "#0097a7", "#717581"};
constexpr const char* kCurveDashes[] = {"", "7 3"};
constexpr double kLeft = 84, kTop = 46, kWidth = 520, kHeight = 380, kLegend = 170;  // [px]

std::string FormatTick(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

// One axis: where a number stands between 0 and 1.
class Axis {
 public:
  Axis(double least, double largest, bool is_linear) : is_linear_(is_linear) {
    if (is_linear_) {
      step_ = FindStep(largest);
      lower_ = 0.0, upper_ = step_ * std::ceil(largest / step_ - 1e-9);
    } else {
      lower_ = std::floor(std::log10(least) + 1e-9);
      upper_ = std::max(lower_ + 1.0, std::ceil(std::log10(largest) - 1e-9));
    }
  }
  bool Holds(double number) const { return std::isfinite(number) && (is_linear_ || number > 0.0); }
  double Place(double number) const {
    return ((is_linear_ ? number : std::log10(number)) - lower_) / (upper_ - lower_);
  }
  // Numbers with a line, and whether they have a label.
  std::vector<std::pair<double, bool>> ListTicks() const {
    std::vector<std::pair<double, bool>> ticks;
    if (is_linear_) {
      for (int i = 0; i * step_ <= upper_ * (1.0 + 1e-9); ++i) ticks.emplace_back(i * step_, true);
      return ticks;
    }
    const int decades = static_cast<int>(upper_ - lower_), every = decades > 12 ? 2 : 1;
    for (int k = 0; k <= decades; ++k) {
      const double decade = std::pow(10.0, lower_ + k);
      ticks.emplace_back(decade, k % every == 0);
      for (int digit = 2; digit < 10 && k < decades && decades <= 4; ++digit)
        ticks.emplace_back(digit * decade, false);
    }
    return ticks;
  }

 private:
  // 1, 2 or 5 times a power of ten, of which there are at most ten in the range.
  static double FindStep(double largest) {
    double step = std::pow(10.0, std::floor(std::log10(std::max(largest, 1e-300))) - 1.0);
    for (const double factor : {2.0, 2.5, 2.0, 2.0, 2.5}) {
      if (largest / step <= 10.0) break;
      step *= factor;
    }
    return step;
  }
  bool is_linear_;
  double lower_, upper_, step_ = 0.0;
};

// The axis over which all of one coordinate fits.
template <typename Coordinate>
Axis MakeAxis(const std::vector<LogCurve>& curves, bool is_linear, const Coordinate& coordinate) {
  double least = std::numeric_limits<double>::infinity(), largest = 0.0;
  for (const LogCurve& curve : curves) {
    for (const auto& point : curve.points) {
      const double number = coordinate(point);
      if (!std::isfinite(number) || !(number > 0.0)) continue;
      least = std::min(least, number), largest = std::max(largest, number);
    }
  }
  return largest > 0.0 ? Axis(least, largest, is_linear) : Axis(1.0, 10.0, is_linear);
}

}  // namespace

std::string LogPlot::Draw() const {
  const Axis x_axis = MakeAxis(curves, is_x_linear, [](const auto& point) { return point.first; });
  const Axis y_axis = MakeAxis(curves, is_y_linear, [](const auto& point) { return point.second; });
  const double bottom = kTop + kHeight, right = kLeft + kWidth;
  SvgDrawing svg(right + kLegend, bottom + 60);
  svg.Text(kLeft, 26, title, SvgDrawing::Anchor::kStart, 15);
  for (const auto& [number, is_labelled] : x_axis.ListTicks()) {
    const double x = kLeft + kWidth * x_axis.Place(number);
    svg.Line(x, kTop, x, bottom, is_labelled ? "#c8c8c8" : "#ebebeb");
    if (is_labelled) svg.Text(x, bottom + 18, FormatTick(number), SvgDrawing::Anchor::kMiddle);
  }
  for (const auto& [number, is_labelled] : y_axis.ListTicks()) {
    const double y = bottom - kHeight * y_axis.Place(number);
    svg.Line(kLeft, y, right, y, is_labelled ? "#c8c8c8" : "#ebebeb");
    if (is_labelled) svg.Text(kLeft - 8, y + 4, FormatTick(number), SvgDrawing::Anchor::kEnd);
  }
  svg.Text(kLeft + 0.5 * kWidth, bottom + 42, x_title, SvgDrawing::Anchor::kMiddle, 13);
  svg.VerticalText(22, kTop + 0.5 * kHeight, y_title, 13);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const char* colour = kCurveColours[i % std::size(kCurveColours)];
    const char* dash = kCurveDashes[i / std::size(kCurveColours) % std::size(kCurveDashes)];
    std::vector<SvgDrawing::Point> points;
    for (const auto& [x, y] : curves[i].points) {
      if (x_axis.Holds(x) && y_axis.Holds(y))
        points.push_back({kLeft + kWidth * x_axis.Place(x), bottom - kHeight * y_axis.Place(y)});
    }
    if (!points.empty()) svg.Polyline(points, colour, dash);
    const double y = kTop + 12 + 19 * static_cast<double>(i);
    svg.Polyline({{right + 16, y - 4}, {right + 44, y - 4}}, colour, dash);
    svg.Text(right + 52, y, curves[i].label, SvgDrawing::Anchor::kStart);
  }
  svg.Rectangle(kLeft, kTop, kWidth, kHeight, "#404040");
  return svg.Finish();
}

}  // namespace stiction::runner
