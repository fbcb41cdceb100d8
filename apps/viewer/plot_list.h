// The plots that the user makes, by the names of what they show, and what of it was told so far.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace stiction::viewer {

struct SignalSeries {
  std::vector<double> times, values;  // ascending [s]
};

// What a plot shows: names of signals (live/signals.h), or of columns of the steps (live/sample_table.h).
struct PlotSpec {
  std::vector<std::string> names;
  bool is_log = false;
};

// What is to be put beside the run.
struct CompareChoice {
  std::string solver = "pgs_ncp";
  double timestep = 0.0;         // 0: the run's [s]
  bool has_budget = false;       // the run's; else none, so that the solver is seen as it is
  std::array<char, 1024> log{};  // path of a log
  double distance_factor = 1.0;  // by which the camera stepped back, so that half a picture holds as much
};

}  // namespace stiction::viewer
