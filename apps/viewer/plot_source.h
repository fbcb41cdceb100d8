// From what is shown to a plot of it: dragged there, or by a right click.
#pragma once

#include <string>
#include <vector>

#include "plot.h"
#include "session.h"

namespace stiction::viewer {

// After a control that stands for something that changes: lets it be dragged into a plot, and plotted from
// its context menu. Of a control that is dragged to change it, `can_drag` is false.
//   names  of signals or columns, which go into one plot
void OfferPlot(Session& session, const std::string& label, const std::vector<std::string>& names,
               bool can_drag = true);

// After a control that stands for a body: lets its position be dragged into a plot.
void OfferBody(const Session& session, int body);
// Entries of a menu that plot the selected body's position, velocity and contact force.
void ShowBodyPlots(Session& session);

// After a plot: takes what is dropped on it. Returns the names; empty where nothing is.
std::vector<std::string> TakeDroppedNames();

// A new plot of these names, in the panel of plots, which opens.
void AddPlot(Session& session, const std::vector<std::string>& names);

// Asks the simulation for what the plots show, if that has changed.
void WatchPlots(Session& session);

// What the names show, as far as it is known.
Plot MakePlot(const Session& session, const PlotSpec& spec);

// Writes the plots, over the span of time that they show, as a picture or as a table. Returns the file's
// name. Throws std::runtime_error: it cannot be written.
std::string ExportPlots(const Session& session, const std::vector<PlotSpec>& specs, const char* extension);

}  // namespace stiction::viewer
