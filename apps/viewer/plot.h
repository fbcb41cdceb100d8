// Curves over time in a panel.
#pragma once

#include <imgui.h>

#include <limits>
#include <vector>

#include "session.h"

namespace stiction::viewer {

struct Curve {
  const char* name;
  ImU32 color;
  std::vector<double> values;  // one a time of the plot; NaN: not known
};

struct Plot {
  const char* unit = "";
  bool is_log = false;
  std::vector<double> times;  // ascending [s]
  std::vector<Curve> curves;
  // A dashed line at this value; not finite: none.
  double line = -1.0;
  const char* line_name = "";
  // The time that is shown, marked unless it is the last: values are named for it. NaN: the last.
  double cursor = std::numeric_limits<double>::quiet_NaN();
};

// The numbers of these samples; where the session shows an earlier moment or plays a log, that one is marked.
Plot MakePlot(const Session& session, const char* unit, bool is_log);
void AddCurve(const Session& session, const char* name, ImU32 color, double (*value)(const Sample&),
              Plot& plot);

// Fills the width that is left. The range of values is that of the curves; hovering shows them. Where no
// curve has a value, a line says so instead.
void DrawPlot(const char* id, const Plot& plot, float height);

}  // namespace stiction::viewer
