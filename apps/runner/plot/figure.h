// Curves in panels one below the other over a common axis, as an SVG picture.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "axis.h"

namespace stiction::runner {

struct PlotCurve {
  std::string label{};
  std::vector<std::pair<double, double>> points{};  // a number without a place on its axis leaves a gap
  int style = -1;                                   // of colour and dash; -1: its number in the panel
  bool is_faint = false;                            // a bound, not a measurement
};

struct PlotPanel {
  std::string y_title{};
  PlotScale y_scale = PlotScale::kLinear;
  std::vector<PlotCurve> curves{};
};

struct PlotFigure {
  std::string title{}, x_title{};
  PlotScale x_scale = PlotScale::kLinear;
  std::vector<PlotPanel> panels{};
  bool has_tight_x = false;                // the curves go from edge to edge
  double width = 774, panel_height = 380;  // of the picture, and of what is inside of a panel's frame [px]

  // Where the panels are in the picture [px]: for who draws over it, or asks what was clicked on.
  struct Placing {
    double left = 0, right = 0, top = 0, bottom = 0;  // of all panels together
    double x_lower = 0, x_upper = 0;                  // at left and right; logarithms where logarithmic
    double width = 0, height = 0;                     // of the picture
  };

  // The document. Of curves of more points than the picture has columns, what each column spans is drawn.
  std::string Draw(Placing* placing = nullptr) const;
};

// "#3f90da": of the curve of this number in a panel.
const char* FindCurveColour(std::size_t number);

// One panel with logarithmic axes, to be filled with curves.
PlotFigure MakeLogFigure(const std::string& title, const std::string& x_title, const std::string& y_title);

}  // namespace stiction::runner
