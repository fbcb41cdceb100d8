// Curves over time in a panel. All plots show the same span of time, that of the timeline (timeline.h).
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "session.h"

namespace stiction::viewer {

// A column over the times of a table or of its own; both belong to the session.
struct Curve {
  std::string name;
  ImU32 color = 0;
  const std::vector<double>* times = nullptr;   // ascending [s]
  const std::vector<double>* values = nullptr;  // NaN: not known
  std::string unit{};
};

struct Plot {
  std::string unit{};
  bool is_log = false;
  bool is_from_zero = false;  // counts
  std::vector<Curve> curves{};
  double line = -1.0;  // a dashed line at this value; not finite, or negative: none
  std::string line_name{};
  bool can_remove = false;  // curves, by a right click on their names
};

// A column of the samples, and where a run is compared and `with_companion`, the companion's beside it.
void AddTrack(const Session& session, const char* name, Track track, Plot& plot, bool with_companion = false);

// Fills the width that is left: names with their values at the moment shown, axes, curves, the playhead.
// Where no curve has a value, a line says so instead. A click or a drag shows that time; Ctrl and the wheel
// zoom. The plot is the last item. Returns the curve that is to be removed; -1: none.
//   height  of the plot with its axis, without the names; 0: what is left below them
int DrawPlot(Session& session, const char* id, const Plot& plot, float height);

// The value at or before a time; NaN where there is none.
double ValueAt(const Curve& curve, double time);

}  // namespace stiction::viewer
