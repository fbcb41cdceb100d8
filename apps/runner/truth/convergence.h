// Errors against a known answer over falling timesteps, and the order at which they fall.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "papers/paper_experiment.h"
#include "stiction/sim/world.h"
#include "truth/order.h"

namespace stiction::runner {

// A model of assets/benchmarks, from its keyframe "home" where it has one.
struct KnownMotion {
  std::string file{};           // below assets/benchmarks: "bricard.xml"
  double duration = 1.0;        // [s]
  std::vector<double> steps{};  // falling [s]; each divides the duration
  // In a unit of the case's own.
  std::function<double(const World&)> error{};
  // Each may be empty: before the first step; before every step, with the time of its end [s]; after every
  // step.
  std::function<void(World&)> prepare{};
  std::function<void(World&, double)> drive{};
  std::function<void(const World&)> watch{};
  const char* solver = "auto";
  // The largest error after any step, for a known path; else the error at the end. An error of one instant
  // passes through zero where parts of opposite sign cancel, and its fall then tells no order.
  bool is_path = false;
};

struct Convergence : ErrorsOfSteps {
  double ncp = 0.0;  // largest certificate of a step of all runs [m/s]
};

Convergence MeasureConvergence(const KnownMotion& motion, Integrator integrator);
// Runs each step again from disturbed starts.
void MeasureSpreads(const KnownMotion& motion, Integrator integrator, Convergence& result);

// Measures by each integrator, and adds to the outcome: a table and a plot of the errors, a figure for the
// integrator of the model's file at the finest step, bound `bound`; and one for the order of each integrator
// that has enough errors above `floor` and above their spread, which is held if it is at least that of the
// integrator, less a quarter.
//   name      of the plot, and in the figures
//   unit      of the error: "m"
//   source    where the answer is from
void AddConvergence(const std::string& name, const std::string& unit, const std::string& source,
                    const KnownMotion& motion, const std::vector<Integrator>& integrators, double bound,
                    double floor, PaperOutcome& outcome);

// Runs it once, with the finest timestep and the integrator of the file; the error, or NaN if it diverged.
//   ncp  grows to the largest certificate of a step [m/s]; may be null
double MeasureOnce(const KnownMotion& motion, double* ncp = nullptr);

// Adds a table without verdicts: of the finest timestep, errors and certificates by the default solver with
// every integrator that steps contacts, and by other solvers with the integrator of the file.
void AddMethodTable(const std::string& name, const std::string& unit, const KnownMotion& motion,
                    PaperOutcome& outcome);

// A figure of its own: `ours` within `bound`.
void AddBoundedFigure(const std::string& source, const std::string& quantity, double ours, double bound,
                      const std::string& unit, PaperOutcome& outcome);

}  // namespace stiction::runner
