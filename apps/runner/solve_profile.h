// Performance profiles of solvers over a set of problems.
//
//   t_ps  cost (time or iterations) until solver s reached ncp ≤ τ on problem p, ∞ where it did not
//   r_ps = t_ps / min_s t_ps
//   ρ_s(x) = |{p : r_ps ≤ x}| / |P|
//
// ρ_s(1) is how often s was the fastest, ρ_s(∞) how often it reached τ at all. Problems that nobody solved,
// and those that s cannot take, stay in |P|.
//
// Reference: E. Dolan, J. Moré, Benchmarking optimization software with performance profiles, 2002.
#pragma once

#include <string>
#include <vector>

namespace stiction::runner {

struct ProfileCurve {
  std::string solver;
  std::vector<double> ratios;  // r_ps of the problems that it solved, ascending
  int num_problems = 0;

  // ρ(x); x may be infinite.
  double At(double x) const;
};

struct SolverCosts {
  std::string solver;
  std::vector<double> costs;  // t_ps > 0, one per problem, ∞ where not solved
};

// One curve a solver, in the order of `costs`, which all have the same size.
std::vector<ProfileCurve> CalcProfiles(const std::vector<SolverCosts>& costs);

// ρ at every x where a curve steps, a row an x and a column a solver.
std::string FormatCsv(const std::vector<ProfileCurve>& curves);

// The curves as a picture: steps over a logarithmic x axis, and a legend with ρ(1) and ρ(∞), best curve
// first.
//   cost_name  "time" or "iterations"
//   tolerance  τ [m/s]
std::string DrawSvg(const std::vector<ProfileCurve>& curves, const std::string& cost_name, double tolerance);

}  // namespace stiction::runner
