// The interface of all contact solvers.
//
// A solver sees one island (contact/island.h) and improves its impulses; it never judges itself:
// contact/certificate.h does. To add one: a header with its equations and references, a source file, a test,
// and one line in contact/registry.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stiction/contact/island.h"
#include "stiction/contact/laws.h"
#include "stiction/contact/solution.h"

namespace stiction {

// One named option of a solver, for command lines: a pointer into the solver's options struct.
struct SolverOption {
  std::string name;
  double* value = nullptr;
  double minimum = 0.0;
  double maximum = 0.0;
  bool is_integer = false;
  std::string description;
};

class ContactSolver {
 public:
  virtual ~ContactSolver() = default;

  // Registry name, as on the command line.
  virtual const char* name() const = 0;
  // Whether the method can take such rows at all.
  virtual bool Supports(ConstraintType type) const = 0;
  // Whether ContactProblem::motion and body_contacts are of use to the method.
  virtual bool uses_bodies() const { return false; }
  // The law that the method solves when it converges, with the present options.
  virtual SolvedLaw law() const { return {}; }
  // The options that --set reaches.
  virtual std::vector<SolverOption> ListOptions() = 0;
  // Target for the certificate's ncp_max [m/s].
  virtual void set_tolerance(double tolerance) = 0;
  // Multiplies the iteration limits, for retries.
  virtual void set_effort(double factor) = 0;

  // Improves `lambda` (size island.num_rows(), on input the warm start) and leaves the best iterate in it.
  // Does not allocate once it has seen an island of this size; never throws.
  virtual SolveReport Solve(const Island& island, double* lambda) = 0;
};

}  // namespace stiction
