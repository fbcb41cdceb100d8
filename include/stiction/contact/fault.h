// What is wrong with a contact problem that was typed in by hand, or put together by a new assembler.
//
// Solvers take a problem as it is: they do not look for indices out of range, and a number that is not finite
// comes out at the other end. A build with the CMake option STICTION_VALIDATE looks here before every solve.
#pragma once

#include <optional>
#include <string>

#include "stiction/contact/problem.h"

namespace stiction {

struct ProblemFault {
  const char* part;  // the member that is wrong, of ContactProblem or of Constraint: "A", "mu", "blocks"
  std::string what;  // and how, with dof, or constraint and row: "is -0.5 in constraint 2 (contact), row 6"
  bool is_numeric = false;  // not finite, or A not positive definite: what a diverging simulation brings, too

  std::string message() const { return part + (" " + what); }
};

// The first fault found, or nothing. Checked are, in this order:
//
//   subsystems    consecutive ranges that cover all dofs; no branch of A's pattern, and no entry of
//                 A_sparse, leaves its own
//   numbers       A and v* finite
//   A             positive definite. A branch-sparse one cannot be asymmetric; A_sparse is checked for it.
//   constraints   rows and blocks consecutive and all there; e and J finite; μ, stiffness, damping and
//                 compliance finite and not negative; impulses allowed as the type says, lower ≤ upper;
//                 friction moments after the contact that they belong to
//   blocks        dofs ascending, of one subsystem, and closed under "parent of" where A has that pattern; no
//                 subsystem twice in a constraint
//   bodies        motion of size 6 x nv; contacts on bodies ascending, of existing contacts and dofs, with
//                 orthonormal axes
//
// Allocates; its price is that of a factorisation of A.
[[nodiscard]] std::optional<ProblemFault> FindFault(const ContactProblem& problem);

}  // namespace stiction
