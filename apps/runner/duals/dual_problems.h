// Contact problems for the solvers: from files, and frozen from the thirteen mechanisms; in the categories of
// [Tsounis 2025, §VII].
#pragma once

#include <string>
#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/contact/solution.h"

namespace stiction::runner {

// By numbers of contacts n_c, of bilateral rows n_jd and their rank r_J, of all rows n_d, and of dofs n_v,
// which in maximal coordinates are six a body n_b; in reduced ones n_b stands for n_v/6:
enum class DualCategory {
  kIndependentJoints,  // n_c = 0, r_J = n_jd
  kRedundantJoints,    // n_c = 0, r_J < n_jd < n_v
  kDenseJoints,        // n_c = 0, r_J < n_jd, n_jd >= n_v
  kSingleContact,      // n_c = 1
  kSparseContacts,     // 2 <= n_c <= 2 n_b
  kDenseContacts,      // n_c > 2 n_b
  kDenseConstraints,   // contacts and bilateral rows, n_d >= n_v: whatever else holds
};
inline constexpr int kNumDualCategories = 7;
// "redundant joints".
const char* ToString(DualCategory category);
DualCategory FindCategory(const ContactProblem& problem);

struct DualProblem {
  std::string name;
  ContactProblem problem;
  Solution warm_start{};
  DualCategory category = DualCategory::kIndependentJoints;
};

// The problems of the folder STICTION_SHARED_DIR/problems, where it is there, with `note` saying so where
// not; ours of assets/problems; and steps of the thirteen mechanisms, in reduced and in maximal coordinates,
// with feet on the ground and in the air, led by the default solver.
//   assets  the folder of our own files
//   stride  takes the first of every category, and every so many of it
std::vector<DualProblem> CollectDualProblems(const std::string& assets, int stride, std::string& note);

// Residuals of a solution, largest of all constraints, as [Tsounis 2025, §VIII] has them: λ and ĝ = g + Γ(g)
// are each held to their cone, and to one another. Those of rows that are neither contacts, one-sided nor
// bilateral are not in them.
struct DualResiduals {
  double primal = 0.0;           // ‖λ − P_K λ‖ [N·s or N·m·s]
  double dual = 0.0;             // ‖ĝ − P_K* ĝ‖; bilateral |g| [m/s or rad/s]
  double complementarity = 0.0;  // |λ · ĝ| [J]
};
//   solution  with v = v* + A⁻¹ Jᵀ λ
DualResiduals CalcDualResiduals(const ContactProblem& problem, const Solution& solution);

}  // namespace stiction::runner
