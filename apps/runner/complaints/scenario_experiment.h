// Scenarios as experiments: run by what they expect, each expectation a figure.
#pragma once

#include "papers/paper_experiment.h"

namespace stiction::runner {

struct ScenarioStudy {
  const char* file = "";               // below assets/scenarios: "arch.xml"
  const char* source = "";             // of the figures: "users", "§IX, 1.A"
  std::vector<std::string> picture{};  // of `stiction render`, behind the scenario; empty: no picture
  const char* caption = "";            // of it
};

// Runs the scenario by its own solver and settings. What is simulated is the comment at the top of its file.
// Figures are its expectations, in its order, with the value nearest to a bound, or furthest beyond; its
// tasks; and the steps that missed the accuracy budget, of which there should be none. Ratios are measured
// over bound. A plot shows the certificate and what is expected over time. Throws UsageError and LoadError:
// the scenario is not there, or wrong.
PaperOutcome MeasureScenario(const ScenarioStudy& study);

}  // namespace stiction::runner
