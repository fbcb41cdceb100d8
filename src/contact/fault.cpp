#include "stiction/contact/fault.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/sparse_factor.h"

namespace stiction {
namespace {

using Fault = std::optional<ProblemFault>;

constexpr double kOrthonormal = 1e-9;  // of the axes of a contact: thousands of roundings
// A_ij and A_ji may differ by this much of max(|A_ij|, |A_ji|, sqrt(A_ii A_jj)): what sums of elements lose
// to round-off.
constexpr double kSymmetric = 1e-9;
// Of friction: beyond it the certificate, in which an error of g_n counts with 1/μ, cannot tell a contact
// that holds from none.
constexpr double kMostFriction = 1e6;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string Name(const char* what, int index) {
  return std::string(what) + " " + std::to_string(index);
}

// "in constraint 2 (contact), row 6".
std::string In(const ContactProblem& problem, int index) {
  const Constraint& c = problem.constraints[index];
  return "in " + Name("constraint", index) + " (" + ToString(c.type) + "), " + Name("row", c.row);
}

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

Fault MakeNumericFault(const char* part, std::string what) {
  return ProblemFault{part, std::move(what), true};
}

// Index of the first that is not finite, or -1.
int FindNonFinite(const double* values, int count) {
  for (int i = 0; i < count; ++i) {
    if (!std::isfinite(values[i])) return i;
  }
  return -1;
}

Fault MakeSizeFault(const char* part, int size, const ContactProblem& problem) {
  return ProblemFault{part,
                      "has " + std::to_string(size) + " rows; v_star has " + std::to_string(problem.nv())};
}

std::string EntryOf(int row, int column) {
  return "[" + std::to_string(row) + "][" + std::to_string(column) + "]";
}

// That its rows are there, and their columns.
Fault FindPatternFault(const ContactProblem& problem) {
  const CompressedMatrix& A = problem.A_sparse;
  const char* part = "A_sparse";
  if (problem.A.size() != 0)
    return ProblemFault{"A", "has " + std::to_string(problem.A.size()) + " rows, and so has A_sparse"};
  if (A.size() != problem.nv()) return MakeSizeFault(part, A.size(), problem);
  if (A.row_begin.front() != 0 || !std::is_sorted(A.row_begin.begin(), A.row_begin.end()) ||
      A.row_begin.back() != A.num_entries() || A.columns.size() != A.values.size())
    return ProblemFault{part,
                        "has a row_begin that does not ascend from 0 to the number of columns and values"};
  for (int k = 0; k < A.size(); ++k) {
    for (int i = A.row_begin[k]; i < A.row_begin[k + 1]; ++i) {
      const bool ascends = i == A.row_begin[k] || A.columns[i] > A.columns[i - 1];
      if (A.columns[i] < 0 || A.columns[i] >= A.size() || !ascends)
        return ProblemFault{part,
                            "has columns that do not ascend, or are none, at " + EntryOf(k, A.columns[i])};
    }
  }
  return {};
}

// Whether an entry couples dofs [first, end) to others.
Fault FindCouplingFault(const ContactProblem& problem, int first, int end, const std::string& subsystem) {
  const auto fault = [&](const char* part, int k) {
    return ProblemFault{part, "couples " + Name("dof", k) + " of " + subsystem + " to another subsystem"};
  };
  for (int k = first; k < end; ++k) {
    if (!problem.is_sparse()) {
      if (problem.A.pattern().root(k) < first) return fault("A", k);
      continue;
    }
    const CompressedMatrix& A = problem.A_sparse;
    const int begin = A.row_begin[k], last = A.row_begin[k + 1] - 1;
    if (begin <= last && (A.columns[begin] < first || A.columns[last] >= end)) return fault("A_sparse", k);
  }
  return {};
}

Fault FindSubsystemFault(const ContactProblem& problem) {
  if (problem.is_sparse()) {
    if (Fault fault = FindPatternFault(problem)) return fault;
  } else if (problem.A.size() != problem.nv()) {
    return MakeSizeFault("A", problem.A.size(), problem);
  }
  int next = 0;
  for (size_t s = 0; s < problem.subsystems.size(); ++s) {
    const auto [first, count] = problem.subsystems[s];
    const std::string name = Name("subsystem", static_cast<int>(s));
    if (first != next || count < 0 || count > problem.nv() - first)
      return ProblemFault{"subsystems", "are no partition of the dofs: those of " + name +
                                            " do not follow the ones before, or are beyond the last"};
    next += count;
    if (Fault fault = FindCouplingFault(problem, first, next, name)) return fault;
  }
  if (next != problem.nv())
    return ProblemFault{"subsystems", "are no partition of the dofs: " + Name("dof", next) + " is in none"};
  return {};
}

// Finite, symmetric but for round-off, and positive definite.
Fault FindSparseFault(const ContactProblem& problem) {
  const CompressedMatrix& A = problem.A_sparse;
  const char* part = "A_sparse";
  for (int k = 0; k < A.size(); ++k) {
    for (int i = A.row_begin[k]; i < A.row_begin[k + 1]; ++i) {
      if (!std::isfinite(A.values[i]))
        return MakeNumericFault(part, "is not finite at " + EntryOf(k, A.columns[i]));
    }
  }
  for (int k = 0; k < A.size(); ++k) {
    for (int i = A.row_begin[k]; i < A.row_begin[k + 1]; ++i) {
      const int j = A.columns[i];
      const double a = A.values[i], b = A.At(j, k);
      const double scale = std::sqrt(std::abs(A.At(k, k) * A.At(j, j)));
      if (std::abs(a - b) > kSymmetric * std::max({std::abs(a), std::abs(b), scale}))
        return ProblemFault{part, "is not symmetric: " + EntryOf(k, j) + " and " + EntryOf(j, k) + " differ"};
    }
  }
  std::vector<IndexRange> parts;
  for (const auto& [first, count] : problem.subsystems) parts.push_back({first, first + count});
  SparseFactor factor;
  if (factor.Factor(A, parts)) return {};
  const int pivot = factor.FindBadPivot();
  return MakeNumericFault(part,
                          "is not positive definite" +
                              (pivot < 0 ? "" : ": the pivot of " + Name("dof", pivot) + " is not positive"));
}

Fault FindMatrixFault(const ContactProblem& problem) {
  const int bad = FindNonFinite(problem.v_star.data(), problem.nv());
  if (problem.is_sparse()) {
    if (bad >= 0) return MakeNumericFault("v_star", "is not finite at " + Name("dof", bad));
    return FindSparseFault(problem);
  }
  for (int k = 0; k < problem.nv(); ++k) {
    const int i = FindNonFinite(problem.A.row(k), problem.A.pattern().row_length(k));
    if (i >= 0)
      return MakeNumericFault("A", "is not finite at [" + std::to_string(k) + "][" +
                                       std::to_string(problem.A.pattern().columns(k)[i]) + "]");
  }
  if (bad >= 0) return MakeNumericFault("v_star", "is not finite at " + Name("dof", bad));
  BranchSparseFactor factor;
  const int pivot = factor.Factor(problem.A);
  if (pivot >= 0)
    return MakeNumericFault(
        "A", "is not positive definite: the pivot of " + Name("dof", pivot) + " is not positive");
  return {};
}

// The impulses that its type allows; those of a contact and of friction moments are no interval.
Fault FindBoundsFault(const ContactProblem& problem, int index) {
  const Constraint& c = problem.constraints[index];
  const auto fault = [&](const char* part, double value, const std::string& why) {
    return ProblemFault{part, "is " + Number(value) + " " + In(problem, index) + ": " + why};
  };
  if (c.type == ConstraintType::kBounded) {
    if (std::isnan(c.lower) || c.lower == kInfinity) return fault("lower", c.lower, "no lower bound");
    if (std::isnan(c.upper) || c.upper == -kInfinity) return fault("upper", c.upper, "no upper bound");
    if (c.lower > c.upper) return fault("lower", c.lower, "exceeds upper, " + Number(c.upper));
    return {};
  }
  const bool is_free = c.type == ConstraintType::kBilateral || c.type == ConstraintType::kSoft;
  if (!is_free && c.type != ConstraintType::kUnilateral) return {};
  if (c.lower != (is_free ? -kInfinity : 0.0)) return fault("lower", c.lower, "not that of its type");
  if (c.upper != kInfinity) return fault("upper", c.upper, "not that of its type");
  return {};
}

Fault FindLawFault(const ContactProblem& problem, int index) {
  const Constraint& c = problem.constraints[index];
  const bool is_contact = c.type == ConstraintType::kContact, is_soft = c.type == ConstraintType::kSoft;
  const bool is_moment = c.type == ConstraintType::kTorsional || c.type == ConstraintType::kRolling;
  const struct {
    const char* part;
    double value;
    bool is_used, is_allowed;
  } coefficients[] = {{"mu", c.mu, is_contact || is_moment, true},
                      {"stiffness", c.stiffness, is_soft, true},
                      {"damping", c.damping, is_soft, true},
                      {"compliance_n", c.compliance_n, true, !is_soft && !is_moment},
                      {"compliance_t", c.compliance_t, true, is_contact}};
  for (const auto& [part, value, is_used, is_allowed] : coefficients) {
    if (!is_used) continue;
    const std::string is = "is " + Number(value) + " " + In(problem, index);
    // Not "< 0": NaN is a fault.
    if (!(value >= 0.0) || !std::isfinite(value))
      return ProblemFault{part, is + ": it has to be finite, and not negative"};
    if (!is_allowed && value != 0.0) return ProblemFault{part, is + ", whose law has none"};
    if (is_contact && part == std::string_view("mu") && value > kMostFriction)
      return ProblemFault{part, is + ": more than " + Number(kMostFriction) +
                                    ", of which no certificate could tell whether the contact holds"};
  }
  if (Fault fault = FindBoundsFault(problem, index)) return fault;
  if (is_moment != (c.contact >= 0) || c.contact >= index)
    return ProblemFault{"contact", "is " + std::to_string(c.contact) + " " + In(problem, index) +
                                       (is_moment ? ", which has to follow its contact"
                                                  : ": only friction moments have one")};
  if (is_moment && problem.constraints[c.contact].type != ConstraintType::kContact)
    return ProblemFault{"contact", "is " + std::to_string(c.contact) + " " + In(problem, index) +
                                       ": that constraint is none"};
  return {};
}

// Ascending dofs of the block's subsystem, with the parent of each.
Fault FindDofFault(const ContactProblem& problem, const JacobianBlock& block, const std::string& in) {
  const Subsystem& subsystem = problem.subsystems[block.subsystem];
  const int* dofs = problem.block_dofs.data() + block.first_dof;
  for (int k = 0; k < block.num_dofs; ++k) {
    const std::string dof = Name("dof", dofs[k]);
    if (dofs[k] < subsystem.first_dof || dofs[k] >= subsystem.first_dof + subsystem.num_dofs)
      return ProblemFault{"block_dofs", "hold " + dof + ", which is not in " +
                                            Name("subsystem", block.subsystem) + ", " + in};
    if (k > 0 && dofs[k] <= dofs[k - 1])
      return ProblemFault{"block_dofs", "do not ascend at " + dof + ", " + in};
    if (problem.is_sparse()) continue;
    const int parent = problem.A.pattern().parent(dofs[k]);
    if (parent >= 0 && !std::binary_search(dofs, dofs + k, parent))
      return ProblemFault{"block_dofs",
                          "hold " + dof + " without its parent " + std::to_string(parent) + ", " + in};
  }
  return {};
}

// The places where the next constraint's rows, blocks, dofs and values have to begin.
struct Place {
  int row = 0, block = 0, dof = 0, value = 0;
};

Fault FindRowFault(const ContactProblem& problem, int index, Place& next) {
  const Constraint& c = problem.constraints[index];
  if (c.row != next.row)
    return ProblemFault{"row", "is not " + std::to_string(next.row) + " " + In(problem, index)};
  next.row += c.dim();
  if (next.row > problem.num_rows()) return ProblemFault{"e", "is too short: it ends " + In(problem, index)};
  const int bad = FindNonFinite(problem.e.data() + c.row, c.dim());
  if (bad >= 0)
    return MakeNumericFault("e", "is not finite at " + Name("row", c.row + bad) + ", " + In(problem, index));
  if (c.first_block != next.block || c.num_blocks < 0 ||
      c.num_blocks > static_cast<int>(problem.blocks.size()) - c.first_block)
    return ProblemFault{"blocks",
                        "do not follow the ones before, or are beyond the last, " + In(problem, index)};
  next.block += c.num_blocks;
  return {};
}

Fault FindBlockFault(const ContactProblem& problem, int index, int b, Place& next) {
  const Constraint& c = problem.constraints[index];
  const JacobianBlock& block = problem.blocks[b];
  const std::string in = In(problem, index) + ", " + Name("block", b);
  if (block.subsystem < 0 || block.subsystem >= static_cast<int>(problem.subsystems.size()))
    return ProblemFault{"blocks", "name " + Name("subsystem", block.subsystem) + ", which is none, " + in};
  for (int other = c.first_block; other < b; ++other) {
    if (problem.blocks[other].subsystem == block.subsystem)
      return ProblemFault{"blocks", "name " + Name("subsystem", block.subsystem) + " twice " + in};
  }
  const int num_values = block.num_dofs * c.dim();
  if (block.first_dof != next.dof || block.num_dofs < 0 ||
      block.num_dofs > static_cast<int>(problem.block_dofs.size()) - next.dof)
    return ProblemFault{"block_dofs", "do not follow the ones before, or are beyond the last, " + in};
  if (block.first_value != next.value || num_values > static_cast<int>(problem.jacobian.size()) - next.value)
    return ProblemFault{"jacobian", "has values that do not follow the ones before, or too few, " + in};
  if (Fault fault = FindDofFault(problem, block, in)) return fault;
  const int i = FindNonFinite(problem.jacobian.data() + block.first_value, num_values);
  if (i >= 0)
    return MakeNumericFault(
        "jacobian", "is not finite at [" + std::to_string(c.row + i % c.dim()) + "][" +
                        std::to_string(problem.block_dofs[block.first_dof + i / c.dim()]) + "] " + in);
  next.dof += block.num_dofs;
  next.value += num_values;
  return {};
}

Fault FindBodyFault(const ContactProblem& problem) {
  if (problem.is_sparse() && (problem.motion.cols() != 0 || !problem.body_contacts.empty()))
    return ProblemFault{"motion", "is there, and A_sparse: only trees have it"};
  if (problem.motion.cols() != 0 && problem.motion.cols() != problem.nv())
    return ProblemFault{"motion", "has " + std::to_string(problem.motion.cols()) + " columns for " +
                                      std::to_string(problem.nv()) + " dofs"};
  if (!problem.motion.allFinite()) return MakeNumericFault("motion", "is not finite");
  int last = -1;
  for (size_t i = 0; i < problem.body_contacts.size(); ++i) {
    const BodyContact& contact = problem.body_contacts[i];
    const std::string at = " at entry " + std::to_string(i);
    if (contact.constraint <= last || contact.constraint >= problem.num_constraints() ||
        problem.constraints[contact.constraint].type != ConstraintType::kContact)
      return ProblemFault{"body_contacts", "name " + Name("constraint", contact.constraint) + at +
                                               ": no contact after that of the one before"};
    last = contact.constraint;
    for (const int dof : {contact.dof_A, contact.dof_B}) {
      if (dof < -1 || dof >= problem.nv())
        return ProblemFault{"body_contacts", "name " + Name("dof", dof) + at + ", which is none"};
    }
    if (!contact.p_A.allFinite() || !contact.p_B.allFinite() || !contact.R_CW.allFinite())
      return MakeNumericFault("body_contacts", "are not finite" + at);
    if ((contact.R_CW * contact.R_CW.transpose() - Matrix3d::Identity()).norm() > kOrthonormal)
      return ProblemFault{"body_contacts", "have axes that are not orthonormal" + at};
  }
  return {};
}

}  // namespace

std::optional<ProblemFault> FindFault(const ContactProblem& problem) {
  if (Fault fault = FindSubsystemFault(problem)) return fault;
  if (Fault fault = FindMatrixFault(problem)) return fault;
  Place next;
  for (int i = 0; i < problem.num_constraints(); ++i) {
    if (Fault fault = FindLawFault(problem, i)) return fault;
    if (Fault fault = FindRowFault(problem, i, next)) return fault;
    for (int b = problem.constraints[i].first_block; b < next.block; ++b)
      if (Fault fault = FindBlockFault(problem, i, b, next)) return fault;
  }
  if (next.row != problem.num_rows())
    return ProblemFault{"e", "has " + Name("row", next.row) + ", which belongs to no constraint"};
  if (next.block != static_cast<int>(problem.blocks.size()))
    return ProblemFault{"blocks", "have " + Name("block", next.block) + ", which belongs to no constraint"};
  return FindBodyFault(problem);
}

}  // namespace stiction
