// Curves over logarithmic axes as an SVG picture.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace stiction::runner {

struct LogCurve {
  std::string label;
  std::vector<std::pair<double, double>> points;  // what is not positive is left out
};

struct LogPlot {
  std::string title, x_title, y_title;
  std::vector<LogCurve> curves;
  bool is_y_linear = false;  // from zero
  bool is_x_linear = false;

  // The document. Axes are as long as the curves need, to whole decades where logarithmic.
  std::string Draw() const;
};

}  // namespace stiction::runner
