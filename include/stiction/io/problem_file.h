// Contact problems in files. JSON: our own dense or triplet format,
//
//   name; nv; n_contact, n_hard, n_equality, n_soft, n_bounded; subsystem_of_dof [nv]; A [nv][nv]; b [nv]; J
//   [rows][nv] (A and J may also be triplets {rows, cols, values}); rows in the order contacts (t1, t2, n
//   each), hard (λ ≥ 0), equality, soft, bounded; mu [n_contact]; e [rows]; k_soft, b_soft [n_soft]: λ = −k e
//   − b J v; lower, upper [n_bounded]: λ in [lower, upper]; n_bounded may be absent; optional warm_start {v,
//   lambda}.
//
// b = A v*; an optional v_star [nv] gives v* itself, which b loses in the last bits. A subsystem's dofs stand
// next to one another. A kind without rows needs no keys but its count. Other keys are ignored.
#pragma once

#include <string>

#include "stiction/contact/problem.h"
#include "stiction/contact/solution.h"

namespace stiction {

struct ProblemFile {
  ContactProblem problem;
  Solution warm_start;  // empty vectors where the file has none
};

// Throws LoadError: not JSON (with line), a missing or mistyped key, sizes that do not agree, numbers that
// are not finite, an A that is not symmetric (within 1e-9), couples two subsystems, or is not positive
// definite.
ProblemFile ReadProblemJson(const std::string& path);

// Writes the problem, triplets for A and J; rows are put into the file's order, and every number reads back
// bit for bit. An empty warm_start is left out. Throws std::runtime_error if the file cannot be written or a
// number is not finite.
void WriteProblemJson(const std::string& path, const ContactProblem& problem, const Solution& warm_start);

}  // namespace stiction
