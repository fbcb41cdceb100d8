#include "solve_profile.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include "plot/svg_drawing.h"

namespace stiction::runner {
namespace {

constexpr double kUnreached = std::numeric_limits<double>::infinity();
// Where the picture ends: slower by more than this is as good as not solved.
constexpr double kLargestRatio = 1e4;

// Categorical colours that stay apart for most colour-blind readers (M. Petroff, 2021), then again dashed.
constexpr const char* kColours[] = {"#3f90da", "#e76300", "#2e7d32", "#bd1f01", "#832db6",
                                    "#a96b59", "#0097a7", "#717581", "#b8860b", "#d81b8c"};
constexpr const char* kDashes[] = {"", "7 3", "2 2.5", "9 2 2 2"};

std::string Format(const char* format, double number) {
  char text[48];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

// Mean height of the drawn curve: the order of the legend.
double CalcArea(const ProfileCurve& curve, double x_max) {
  double area = 0.0;
  for (const double ratio : curve.ratios)
    if (ratio < x_max) area += std::log(x_max / ratio);
  return area;
}

// Frame of the plot in the picture [px].
struct Frame {
  double left = 70, top = 46, width = 560, height = 440;
  double log_max = 1.0;  // decades
  double X(double ratio) const { return left + width * std::min(1.0, std::log10(ratio) / log_max); }
  double Y(double rho) const { return top + height * (1.0 - rho); }
  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

// 1, 2, 5, 10, ... or decades alone where there are many.
void DrawXAxis(const Frame& frame, SvgDrawing& svg) {
  const bool dense = frame.log_max <= 2.0;
  for (int decade = 0; decade <= frame.log_max; ++decade) {
    for (int digit = 1; digit < 10; ++digit) {
      const double ratio = digit * std::pow(10.0, decade);
      if (std::log10(ratio) > frame.log_max + 1e-9) break;
      const bool labelled = digit == 1 || (dense && (digit == 2 || digit == 5));
      const double x = frame.X(ratio);
      svg.Line(x, frame.top, x, frame.bottom(), digit == 1 ? "#c8c8c8" : "#ebebeb");
      if (labelled) svg.Text(x, frame.bottom() + 18, Format("%g", ratio), SvgDrawing::Anchor::kMiddle);
    }
  }
}

void DrawYAxis(const Frame& frame, SvgDrawing& svg) {
  for (int i = 0; i <= 10; ++i) {
    const double y = frame.Y(0.1 * i);
    svg.Line(frame.left, y, frame.right(), y, i % 2 == 0 ? "#c8c8c8" : "#ebebeb");
    if (i % 2 == 0) svg.Text(frame.left - 8, y + 4, Format("%.1f", 0.1 * i), SvgDrawing::Anchor::kEnd);
  }
}

std::vector<SvgDrawing::Point> MakeSteps(const ProfileCurve& curve, const Frame& frame) {
  const double x_max = std::pow(10.0, frame.log_max);
  std::vector<SvgDrawing::Point> points{{frame.X(1.0), frame.Y(curve.At(1.0))}};
  for (const double ratio : curve.ratios) {
    if (ratio <= 1.0 || ratio > x_max) continue;
    points.push_back({frame.X(ratio), points.back().y});
    points.push_back({frame.X(ratio), frame.Y(curve.At(ratio))});
  }
  points.push_back({frame.right(), points.back().y});
  return points;
}

void DrawLegendEntry(const ProfileCurve& curve, double x, double y, const char* colour, const char* dash,
                     SvgDrawing& svg) {
  svg.Polyline({{x, y - 4}, {x + 30, y - 4}}, colour, dash);
  svg.Text(x + 38, y, curve.solver, SvgDrawing::Anchor::kStart);
  svg.Text(x + 188, y, Format("%.2f", curve.At(1.0)), SvgDrawing::Anchor::kEnd);
  svg.Text(x + 232, y, Format("%.2f", curve.At(kUnreached)), SvgDrawing::Anchor::kEnd);
}

}  // namespace

double ProfileCurve::At(double x) const {
  if (num_problems == 0) return 0.0;
  const auto solved = std::upper_bound(ratios.begin(), ratios.end(), x) - ratios.begin();
  return static_cast<double>(solved) / num_problems;
}

std::vector<ProfileCurve> CalcProfiles(const std::vector<SolverCosts>& costs) {
  const std::size_t num_problems = costs.empty() ? 0 : costs.front().costs.size();
  std::vector<double> best(num_problems, kUnreached);
  for (const SolverCosts& solver : costs)
    for (std::size_t p = 0; p < num_problems; ++p) best[p] = std::min(best[p], solver.costs[p]);
  std::vector<ProfileCurve> curves;
  for (const SolverCosts& solver : costs) {
    ProfileCurve curve{solver.solver, {}, static_cast<int>(num_problems)};
    for (std::size_t p = 0; p < num_problems; ++p)
      if (std::isfinite(solver.costs[p])) curve.ratios.push_back(solver.costs[p] / best[p]);
    std::sort(curve.ratios.begin(), curve.ratios.end());
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::string FormatCsv(const std::vector<ProfileCurve>& curves) {
  std::vector<double> steps{1.0};
  std::string out = "ratio";
  for (const ProfileCurve& curve : curves) {
    out += "," + curve.solver;
    steps.insert(steps.end(), curve.ratios.begin(), curve.ratios.end());
  }
  out += "\n";
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  for (const double x : steps) {
    out += Format("%.17g", x);
    for (const ProfileCurve& curve : curves) out += Format(",%.17g", curve.At(x));
    out += "\n";
  }
  return out;
}

std::string DrawSvg(const std::vector<ProfileCurve>& curves, const std::string& cost_name, double tolerance) {
  Frame frame;
  double largest = 10.0;
  for (const ProfileCurve& curve : curves)
    if (!curve.ratios.empty()) largest = std::max(largest, curve.ratios.back());
  frame.log_max = std::ceil(std::log10(std::min(largest, kLargestRatio)) - 1e-9);
  std::vector<std::size_t> order(curves.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const double x_max = std::pow(10.0, frame.log_max);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return CalcArea(curves[a], x_max) > CalcArea(curves[b], x_max);
  });

  constexpr double kLineHeight = 17;
  const double legend_x = frame.right() + 34;
  const double legend_height = kLineHeight * static_cast<double>(curves.size() + 1);
  SvgDrawing svg(legend_x + 248, std::max(frame.bottom() + 60, frame.top + legend_height + 20));
  const int num_problems = curves.empty() ? 0 : curves.front().num_problems;
  svg.Text(frame.left, 24, Format("ncp ≤ %g m/s on ", tolerance) + std::to_string(num_problems) + " problems",
           SvgDrawing::Anchor::kStart, 15);
  DrawXAxis(frame, svg);
  DrawYAxis(frame, svg);
  svg.Text(frame.left + 0.5 * frame.width, frame.bottom() + 42, cost_name + " relative to the best solver",
           SvgDrawing::Anchor::kMiddle, 13);
  svg.VerticalText(22, frame.top + 0.5 * frame.height, "fraction of the problems", 13);
  svg.Text(legend_x + 188, frame.top + 8, "ρ(1)", SvgDrawing::Anchor::kEnd);
  svg.Text(legend_x + 232, frame.top + 8, "ρ(∞)", SvgDrawing::Anchor::kEnd);
  for (std::size_t rank = order.size(); rank-- > 0;) {  // the best on top
    const ProfileCurve& curve = curves[order[rank]];
    const char* colour = kColours[rank % std::size(kColours)];
    const char* dash = kDashes[rank / std::size(kColours) % std::size(kDashes)];
    svg.Polyline(MakeSteps(curve, frame), colour, dash);
    DrawLegendEntry(curve, legend_x, frame.top + 8 + kLineHeight * static_cast<double>(rank + 1), colour,
                    dash, svg);
  }
  svg.Rectangle(frame.left, frame.top, frame.width, frame.height, "#404040");
  return svg.Finish();
}

}  // namespace stiction::runner
