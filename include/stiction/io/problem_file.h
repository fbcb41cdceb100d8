// Contact problems in files. Three formats, told apart by content.
//
// JSON: our own dense or triplet format, one problem per file,
//
//   name; nv; n_contact, n_hard, n_equality, n_soft, n_bounded; subsystem_of_dof [nv]; A [nv][nv]; b [nv]; J
//   [rows][nv] (A and J may also be triplets {rows, cols, values}, or compressed by rows {row_begin, cols,
//   values}); rows in the order contacts (t1, t2, n
//   each), hard (λ ≥ 0), equality, soft, bounded; mu [n_contact]; e [rows]; k_soft, b_soft [n_soft]: λ = −k e
//   − b J v; lower, upper [n_bounded]: λ in [lower, upper]; n_bounded may be absent; optional warm_start {v,
//   lambda}.
//
// b = A v*; an optional v_star [nv] gives v* itself, which b loses in the last bits. A subsystem's dofs stand
// next to one another. A kind without rows needs no keys but its count. Other keys are ignored. A bound that
// is null is infinite: JSON has no word for that.
//
// A becomes ContactProblem::A_sparse where it is compressed by rows, or where dense blocks would be wasted on
// it: some subsystem has more than 128 dofs and less than a quarter of its entries, and there is no tree.
// Else each subsystem is one dense block, or what `tree` says.
//
// tree: optional, the kinematic structure, for methods that split by body (ContactProblem::motion and
// body_contacts): parent [nv] (the dof above each, -1 for the first of a subsystem; A has the branches'
// pattern), motion [6 nv] (each dof's column, angular then linear), and of every contact on bodies its place
// among the contacts: contact [n], dofs [2 n] (the last above body A and B, -1: the world), points [6 n],
// rotation [9 n] (R_CW by rows). Without it a subsystem is a dense block, which `subadmm` does not split.
//
// HDF5: the same in one group per problem, any number of them per file: keys are datasets (numbers of one
// element for nv and the counts), A, J, tree and warm_start are groups, A and J triplets; bounds may be ±∞.
// The root has the attribute format = "stiction-problems".
//
// FCLib (HDF5, https://frictionalcontactlibrary.github.io): contacts and bilateral rows, normal first there.
//
//   global  M v = H r + G l + f,  u = Hᵀ v + w,  Gᵀ v + b = 0: A = M, b = f, J = [Hᵀ; Gᵀ], e = [w; b].
//           FCLib knows no trees: subsystems are the finest runs of dofs that M does not couple, of whole
//           free bodies (6 dofs) where it allows that. M stays sparse where it is large and nearly empty,
//           as above.
//   local   u = W r + V l + q,  Vᵀ r + R l + s = 0: there is no A. The matrix D = [W V; Vᵀ R], which has to
//   be
//           positive semidefinite, is factored D = J Jᵀ (pivoted Cholesky, of as many columns as D has rank),
//           and A = 1, v* = 0, e = [q; s]. Impulses and J v + e are those of the file; v has no meaning.
//
// Matrices are compressed by columns (nz = −1), by rows (−2) or triplets (p rows, i columns, as fclib.h has
// it); entries that are given twice add up. The first of an FCLib file's guesses is the warm start; its
// solution is not, and is not read.
#pragma once

#include <string>
#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/contact/solution.h"

namespace stiction {

struct ProblemFile {
  ContactProblem problem;
  Solution warm_start{};  // empty vectors where the file has none
  std::string group{};    // of an HDF5 file of ours; else empty
};

// All problems of a file, whatever its format; groups in the order of their names. Throws LoadError, which
// names the file and the key: not JSON (with line), truncated, a missing or mistyped key, sizes that do not
// agree, numbers that are not finite, negative friction, an A that is not symmetric (within 1e-9), couples
// two subsystems, or is not positive definite; FCLib problems in two dimensions; HDF5 in a build without it.
std::vector<ProblemFile> ReadProblems(const std::string& path);

// The problem of a JSON file, with the same errors.
ProblemFile ReadProblemJson(const std::string& path);
// The same of a text.
ProblemFile ParseProblemJson(const std::string& text);

// Friction moments and compliance are written as the contacts and auxiliary dofs that express them
// (contact/auxiliary_dofs.h).
//
// The functions below throw std::runtime_error if the file cannot be written or a number is not finite (but
// bounds). Rows are put into the file's order. An empty warm_start is left out.

// Triplets for A and J; every number reads back bit for bit.
void WriteProblemJson(const std::string& path, const ContactProblem& problem, const Solution& warm_start);
// The text that it writes.
std::string FormatProblemJson(const ContactProblem& problem, const Solution& warm_start);

// An HDF5 file without problems, and one more problem in a file that is there. The file is closed, and whole,
// between calls. Every number reads back bit for bit.
void CreateProblemHdf5(const std::string& path);
void AppendProblemHdf5(const std::string& path, const std::string& group, const ContactProblem& problem,
                       const Solution& warm_start);

// An FCLib global problem, the warm start as its only guess. Throws std::runtime_error where the problem has
// rows that FCLib does not know.
void WriteProblemFclib(const std::string& path, const ContactProblem& problem, const Solution& warm_start);

}  // namespace stiction
