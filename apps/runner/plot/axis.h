// One axis of a plot: which numbers it spans, where a number stands on it, and its round ticks.
#pragma once

#include <string>
#include <vector>

namespace stiction::runner {

enum class PlotScale {
  kLinear,          // as far as the numbers go
  kLinearFromZero,  // and down, or up, to zero
  kLogarithmic,     // whole decades; what is not positive has no place
};

struct PlotTick {
  double number;
  std::string label;  // empty: a fine line
};

class PlotAxis {
 public:
  // Spans the numbers, which may be none at all, to whole ticks; to themselves where `is_tight`.
  //   max_ticks  with a label, at most about so many
  PlotAxis(const std::vector<double>& numbers, PlotScale scale, int max_ticks, bool is_tight = false);

  bool Holds(double number) const;
  // From 0 at the lower end to 1 at the upper; linear beyond.
  double Place(double number) const;
  const std::vector<PlotTick>& ticks() const { return ticks_; }
  // What labels leave out, since all numbers share it: "0.4 +"; empty where nothing is.
  const std::string& offset() const { return offset_; }
  double lower() const { return lower_; }
  double upper() const { return upper_; }

 private:
  void SpanDecades(double least, double largest, int max_ticks);
  void SpanLinearly(double least, double largest, int max_ticks, bool is_tight);

  bool is_logarithmic_;
  double lower_ = 0.0, upper_ = 1.0;  // logarithms where logarithmic
  std::vector<PlotTick> ticks_;
  std::string offset_;
};

// 1, 2 or 5 times a power of ten, of which at most `count` fit into the span.
double FindRoundStep(double span, int count);

}  // namespace stiction::runner
