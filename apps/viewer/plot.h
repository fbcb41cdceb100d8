// Curves over time in a panel.
#pragma once

#include <imgui.h>

#include <functional>
#include <vector>

#include "live/snapshot.h"

namespace stiction::viewer {

struct Curve {
  const char* name;
  ImU32 color;
  std::vector<double> values;  // one a time of the plot
};

struct Plot {
  const char* unit = "";
  bool is_log = false;
  std::vector<double> times;  // ascending [s]
  std::vector<Curve> curves;
  // A dashed line at this value; not finite: none.
  double line = -1.0;
  const char* line_name = "";
};

// Fills the width that is left. The range of values is that of the curves; hovering shows them.
void DrawPlot(const char* id, const Plot& plot, float height);

}  // namespace stiction::viewer
