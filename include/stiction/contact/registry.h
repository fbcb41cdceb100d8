// Contact solvers by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/contact/default_solver.h"
#include "stiction/contact/solver.h"

namespace stiction {

struct SolverEntry {
  const char* name;
  const char* summary;  // one line for `stiction list`
  std::unique_ptr<ContactSolver> (*create)();
  // `stiction bench papers` compares the solver with the default on what this paper measures on.
  const char* paper = nullptr;

  // A new solver, which knows the entry's name.
  std::unique_ptr<ContactSolver> Make() const;
};

// All solvers, the default first.
const std::vector<SolverEntry>& ListSolvers();

// Adds a solver to the list, after which it can be named wherever solvers are: WorldOptions::solver,
// scenarios. Throws std::invalid_argument if the name is in use. Before the first World that wants it, and
// not while another thread asks for solvers. What the entry points to must outlive all Worlds.
void RegisterSolver(const SolverEntry& entry);

// nullptr if there is no solver of that name.
std::unique_ptr<ContactSolver> MakeSolver(std::string_view name);

// Sets an option by name from text. Returns an empty string, or what is wrong: unknown option (with the known
// ones), or what SolverOption::Set says.
[[nodiscard]] std::string SetSolverOption(ContactSolver& solver, std::string_view option,
                                          std::string_view value);

}  // namespace stiction
