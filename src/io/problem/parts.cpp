#include "io/problem/parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <stdexcept>
#include <tuple>

#include "contact/sparse_problem.h"
#include "math/assert.h"
#include "stiction/contact/fault.h"
#include "stiction/contact/island.h"

namespace stiction {
namespace {

// A_ij and A_ji may differ by this much of max(|A_ij|, |A_ji|, sqrt(A_ii A_jj)): what a product such as J M⁻¹
// Jᵀ loses to round-off.
constexpr double kSymmetryTolerance = 1e-9;
// v_star, where given, has to agree with b by this much of max |b|.
constexpr double kFreeVelocityTolerance = 1e-9;
// A subsystem of more dofs, of whose entries fewer than this share are there, is not stored densely.
constexpr int kMostDenseDofs = 128;
constexpr double kSparseShare = 0.25;

std::string Entry(int row, int col) {
  return "[" + std::to_string(row) + "][" + std::to_string(col) + "]";
}

void SortByRow(std::vector<Triplet>& matrix, const char* key, const PartErrors& errors) {
  std::sort(matrix.begin(), matrix.end(), [](const Triplet& a, const Triplet& b) {
    return std::tie(a.row, a.col) < std::tie(b.row, b.col);
  });
  const auto twice = std::adjacent_find(matrix.begin(), matrix.end(), [](const Triplet& a, const Triplet& b) {
    return a.row == b.row && a.col == b.col;
  });
  if (twice != matrix.end()) errors.Fail(key, "gives " + Entry(twice->row, twice->col) + " twice");
}

// Whether A is better kept sparse: always where the file has it by compressed rows; else where dense blocks
// would be large and nearly empty.
bool IsKeptSparse(const ProblemParts& parts) {
  if (parts.has_sparse_A) return true;
  if (!parts.tree.parent.empty()) return false;
  const std::vector<int>& of_dof = parts.subsystem_of_dof;
  std::size_t entry = 0;  // A is sorted by row
  for (std::size_t begin = 0, end = 0; begin < of_dof.size(); begin = end) {
    const std::size_t first_entry = entry;
    while (end < of_dof.size() && of_dof[end] == of_dof[begin]) ++end;
    while (entry < parts.A.size() && parts.A[entry].row < static_cast<int>(end)) ++entry;
    const double size = static_cast<double>(end - begin);
    const auto num_entries = static_cast<double>(entry - first_entry);
    if (end - begin > kMostDenseDofs && num_entries < kSparseShare * size * size) return true;
  }
  return false;
}

// One subsystem a run of equal indices. Sets A's pattern: each subsystem is a chain, which is a dense block.
void BuildSubsystems(const ProblemParts& parts, bool is_sparse, const PartErrors& errors,
                     ContactProblem& problem) {
  const char* key = "subsystem_of_dof";
  const std::vector<int>& of_dof = parts.subsystem_of_dof;
  if (!std::is_sorted(of_dof.begin(), of_dof.end()))
    errors.Fail(key, "has to ascend: put the dofs of one subsystem next to one another");
  std::vector<int> parent(of_dof.size());
  std::int64_t num_entries = 0;
  const bool has_tree = !parts.tree.parent.empty();
  for (int k = 0; k < parts.nv(); ++k) {
    const bool is_first = k == 0 || of_dof[k] != of_dof[k - 1];
    if (is_first) problem.subsystems.push_back({k, 0});
    parent[k] = is_first ? -1 : k - 1;
    if (has_tree) {
      const int first = problem.subsystems.back().first_dof, above = parts.tree.parent[k];
      if (above != -1 && (above < first || above >= k))
        errors.Fail("tree",
                    "parent: dof " + std::to_string(k) + " has to come after its parent, in one subsystem");
      if (above == -1 && !is_first)
        errors.Fail("tree", "parent: dof " + std::to_string(k) + " is a second root of its subsystem");
      parent[k] = above;
    }
    num_entries += ++problem.subsystems.back().num_dofs;
  }
  if (is_sparse) return;
  if (num_entries > kMaxEntries) errors.Fail(key, "makes a subsystem too large to be stored densely");
  problem.A.Resize(BranchPattern(std::move(parent)));
}

// A as the file has it; what is wrong with it is for the check of the whole problem to tell.
void BuildSparseA(const ProblemParts& parts, ContactProblem& problem) {
  problem.A_sparse.row_begin = FindRowBegins(parts.A, parts.nv());
  for (const Triplet& t : parts.A) {
    problem.A_sparse.columns.push_back(t.col);
    problem.A_sparse.values.push_back(t.value);
  }
}

// Fills A's lower triangle and checks the upper one against it.
void BuildA(const ProblemParts& parts, const PartErrors& errors, ContactProblem& problem) {
  const BranchPattern& pattern = problem.A.pattern();
  BranchSparseMatrix upper(pattern);
  for (const Triplet& t : parts.A) {
    const auto [low, high] = std::minmax(t.row, t.col);
    const std::span<const int> columns(pattern.columns(high), pattern.row_length(high));
    const auto at = std::lower_bound(columns.begin(), columns.end(), low);
    if (at == columns.end() || *at != low) {
      if (t.value == 0.0) continue;
      const bool is_apart = low < columns.front();
      errors.Fail(
          "A", is_apart ? "couples two subsystems at " + Entry(t.row, t.col) +
                              "; give their dofs the same index in subsystem_of_dof"
                        : "couples two branches of a tree at " + Entry(t.row, t.col) + "; leave out `tree`");
    }
    if (t.row >= t.col) problem.A.row(high)[at - columns.begin()] = t.value;
    if (t.row <= t.col) upper.row(high)[at - columns.begin()] = t.value;
  }
  for (int i = 0; i < parts.nv(); ++i) {
    for (int k = 0; k < pattern.row_length(i); ++k) {
      const int j = pattern.columns(i)[k];
      const double a = problem.A.row(i)[k], b = upper.row(i)[k];
      const double scale = std::sqrt(std::abs(problem.A.diagonal(i) * problem.A.diagonal(j)));
      if (std::abs(a - b) > kSymmetryTolerance * std::max({std::abs(a), std::abs(b), scale}))
        errors.Fail("A", "is not symmetric: " + Entry(i, j) + " and " + Entry(j, i) + " differ");
    }
  }
}

// The member that is wrong, by the key of the file's list.
const char* FindKey(const ProblemFault& fault) {
  constexpr std::pair<std::string_view, const char*> kKeys[] = {
      {"A_sparse", "A"}, {"stiffness", "k_soft"}, {"damping", "b_soft"},
      {"jacobian", "J"}, {"motion", "tree"},      {"body_contacts", "tree"}};
  for (const auto& [part, key] : kKeys)
    if (fault.part == part) return key;
  return fault.part;
}

// v* = A⁻¹ b, or v_star where the file has it; A is positive definite.
void BuildFreeVelocity(const ProblemParts& parts, const PartErrors& errors, ContactProblem& problem) {
  problem.v_star = parts.b;
  [[maybe_unused]] const bool is_definite = SolveDynamics(problem, problem.v_star);
  STICTION_ASSERT(is_definite);
  if (!problem.v_star.allFinite())
    errors.Fail("A", "is too close to singular: its solution with b overflows");
  if (parts.v_star.size() == 0) return;

  VectorXd residual(parts.nv());
  problem.MultiplyA(parts.v_star.data(), residual.data());
  residual -= parts.b;
  // Not relative to b alone: where a product cancels, its round-off is that of its terms.
  double largest = 0.0;
  for (int k = 0; k < parts.nv(); ++k) largest = std::max(largest, problem.DiagonalA(k));
  const double scale = parts.b.lpNorm<Eigen::Infinity>() + largest * parts.v_star.lpNorm<Eigen::Infinity>();
  const bool agrees = residual.lpNorm<Eigen::Infinity>() <= kFreeVelocityTolerance * scale;
  if (!residual.allFinite() || !agrees)
    errors.Fail("v_star", "does not agree with b = A v_star; leave it out");
  problem.v_star = parts.v_star;
}

// The columns of the entries and, in a tree, all dofs above them, ascending.
void CollectPaths(std::span<const Triplet> entries, const ContactProblem& problem, std::vector<int>& dofs) {
  const BranchPattern& pattern = problem.A.pattern();
  dofs.clear();
  for (const Triplet& t : entries) {
    if (problem.is_sparse()) {
      dofs.push_back(t.col);
      continue;
    }
    dofs.insert(dofs.end(), pattern.columns(t.col), pattern.columns(t.col) + pattern.row_length(t.col));
  }
  std::sort(dofs.begin(), dofs.end());
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
}

// Appends the blocks of the last constraint, from its rows' non-zeros ordered by column.
void AddBlocks(std::span<const Triplet> entries, ContactProblem& problem) {
  const int dim = problem.constraints.back().dim(), first_row = problem.constraints.back().row;
  std::vector<int> dofs;
  for (size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    const auto after =
        std::upper_bound(problem.subsystems.begin(), problem.subsystems.end(), entries[begin].col,
                         [](int dof, const Subsystem& s) { return dof < s.first_dof; });
    const Subsystem& subsystem = *std::prev(after);
    const int limit = subsystem.first_dof + subsystem.num_dofs;
    while (end < entries.size() && entries[end].col < limit) ++end;
    CollectPaths(entries.subspan(begin, end - begin), problem, dofs);
    double* values = problem.AddBlock(static_cast<int>(after - problem.subsystems.begin()) - 1, dofs.data(),
                                      static_cast<int>(dofs.size()));
    for (size_t i = begin; i < end; ++i) {
      const auto at = std::lower_bound(dofs.begin(), dofs.end(), entries[i].col) - dofs.begin();
      values[at * dim + entries[i].row - first_row] = entries[i].value;
    }
  }
}

// Values are set afterwards: one that no constraint may have is for the check of the whole problem to tell.
int AddConstraint(const ProblemParts& parts, ConstraintType type, int i, ContactProblem& problem) {
  const int index = problem.AddConstraint(type);
  Constraint& c = problem.constraints[index];
  if (type == ConstraintType::kContact) {
    c.mu = parts.mu[i];
  } else if (type == ConstraintType::kSoft) {
    c.stiffness = parts.k_soft[i];
    c.damping = parts.b_soft[i];
  } else if (type == ConstraintType::kBounded) {
    c.lower = parts.lower[i];
    c.upper = parts.upper[i];
  }
  return index;
}

// `parts.J` sorted by row; the entries of one constraint are sorted anew by column.
void BuildConstraints(ProblemParts& parts, ContactProblem& problem) {
  auto begin = parts.J.begin();
  for (size_t kind = 0; kind < parts.count.size(); ++kind) {
    for (int i = 0; i < parts.count[kind]; ++i) {
      const Constraint& c = problem.constraints[AddConstraint(parts, kRowKinds[kind].type, i, problem)];
      for (int r = 0; r < c.dim(); ++r) problem.SetBias(r, parts.e[c.row + r]);
      const int end_row = c.row + c.dim();
      const auto end = std::find_if(begin, parts.J.end(), [=](const Triplet& t) { return t.row >= end_row; });
      std::sort(begin, end, [](const Triplet& a, const Triplet& b) { return a.col < b.col; });
      AddBlocks({begin, end}, problem);
      begin = end;
    }
  }
}

void ReadTree(const PartSource& file, ProblemParts& parts) {
  TreeParts& tree = parts.tree;
  const int nv = parts.nv();
  tree.parent = file.GetIntegers("parent", -1, nv - 1);
  if (static_cast<int>(tree.parent.size()) != nv) file.Fail("parent", "has to hold a number for each dof");
  tree.motion = file.GetVector("motion", 6 * nv);
  tree.contact = file.GetIntegers("contact", 0, std::max(parts.count[0] - 1, 0));
  const int count = static_cast<int>(tree.contact.size());
  tree.dofs = file.GetIntegers("dofs", -1, nv - 1);
  if (static_cast<int>(tree.dofs.size()) != 2 * count) file.Fail("dofs", "has to hold two numbers a contact");
  tree.points = file.GetVector("points", 6 * count);
  tree.rotation = file.GetVector("rotation", 9 * count);
}

void BuildTree(const TreeParts& tree, ContactProblem& problem) {
  if (tree.parent.empty()) return;
  problem.motion = Eigen::Map<const Matrix6Xd>(tree.motion.data(), 6, problem.nv());
  for (std::size_t i = 0; i < tree.contact.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    BodyContact& contact = problem.body_contacts.emplace_back();
    contact.constraint = tree.contact[i];  // contacts are the first constraints
    contact.dof_A = tree.dofs[2 * i], contact.dof_B = tree.dofs[2 * i + 1];
    contact.p_A = tree.points.segment<3>(6 * k), contact.p_B = tree.points.segment<3>(6 * k + 3);
    for (int r = 0; r < 3; ++r) contact.R_CW.row(r) = tree.rotation.segment<3>(9 * k + 3 * r);
  }
}

// Of a problem that has it.
//   order  constraints, as the file has them
void SplitTree(const ContactProblem& problem, const std::vector<int>& order, TreeParts& tree) {
  if (problem.motion.cols() != problem.nv() || problem.nv() == 0) return;
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<int>(i);
  for (int k = 0; k < problem.nv(); ++k) tree.parent.push_back(problem.A.pattern().parent(k));
  tree.motion = Eigen::Map<const VectorXd>(problem.motion.data(), problem.motion.size());
  const auto count = static_cast<Eigen::Index>(problem.body_contacts.size());
  tree.points.resize(6 * count), tree.rotation.resize(9 * count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const BodyContact& contact = problem.body_contacts[static_cast<std::size_t>(k)];
    tree.contact.push_back(place[contact.constraint]);
    tree.dofs.insert(tree.dofs.end(), {contact.dof_A, contact.dof_B});
    tree.points.segment<3>(6 * k) = contact.p_A, tree.points.segment<3>(6 * k + 3) = contact.p_B;
    for (int r = 0; r < 3; ++r) tree.rotation.segment<3>(9 * k + 3 * r) = contact.R_CW.row(r);
  }
}

void ReadCounts(const PartSource& file, ProblemParts& parts) {
  for (size_t kind = 0; kind < parts.count.size(); ++kind) {
    const char* key = kRowKinds[kind].count_key;
    const bool may_lack = kRowKinds[kind].type == ConstraintType::kBounded;
    parts.count[kind] =
        may_lack && !file.Has(key) ? 0 : static_cast<int>(file.GetInteger(key, 0, kMaxEntries));
  }
}

void ReadLaws(const PartSource& file, ProblemParts& parts) {
  // A kind without rows needs no keys.
  const auto get = [&](const char* key, int size) {
    return size == 0 && !file.Has(key) ? VectorXd() : file.GetVector(key, size);
  };
  const auto get_bounds = [&](const char* key, int size, double unbounded) {
    return size == 0 && !file.Has(key) ? VectorXd() : file.GetBounds(key, size, unbounded);
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  parts.e = get("e", parts.num_rows());
  parts.mu = get("mu", parts.count[0]);
  parts.k_soft = get("k_soft", parts.count[3]);
  parts.b_soft = get("b_soft", parts.count[3]);
  parts.lower = get_bounds("lower", parts.count[4], -kInfinity);
  parts.upper = get_bounds("upper", parts.count[4], kInfinity);
}

// Constraints in the file's order: by kind, else as they stand.
std::vector<int> SortByKind(const ContactProblem& problem) {
  std::vector<int> order;
  order.reserve(problem.constraints.size());
  for (const RowKind& kind : kRowKinds) {
    for (int i = 0; i < problem.num_constraints(); ++i)
      if (problem.constraints[i].type == kind.type) order.push_back(i);
  }
  return order;
}

VectorXd ToVector(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

void AddNonZero(int row, int col, double value, std::vector<Triplet>& matrix) {
  if (value != 0.0) matrix.push_back({row, col, value});
}

void SplitDynamics(const ContactProblem& problem, ProblemParts& parts) {
  parts.subsystem_of_dof.resize(problem.nv());
  for (size_t s = 0; s < problem.subsystems.size(); ++s) {
    const Subsystem& subsystem = problem.subsystems[s];
    std::fill_n(parts.subsystem_of_dof.begin() + subsystem.first_dof, subsystem.num_dofs,
                static_cast<int>(s));
  }
  const BranchPattern& pattern = problem.A.pattern();
  parts.has_sparse_A = problem.is_sparse();
  for (int i = 0; i < pattern.size(); ++i) {
    for (int k = 0; k < pattern.row_length(i); ++k) {
      const int j = pattern.columns(i)[k];
      AddNonZero(i, j, problem.A.row(i)[k], parts.A);
      if (j != i) AddNonZero(j, i, problem.A.row(i)[k], parts.A);
    }
  }
  const CompressedMatrix& A = problem.A_sparse;
  for (int i = 0; i < A.size(); ++i) {
    for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k)
      parts.A.push_back({i, A.columns[k], A.values[k]});
  }
  parts.b.resize(problem.nv());
  problem.MultiplyA(problem.v_star.data(), parts.b.data());
  parts.v_star = problem.v_star;
}

// A dof of a block keeps its place where all its values are zero: as one zero.
void AddColumn(int row, int col, std::span<const double> values, std::vector<Triplet>& matrix) {
  const size_t before = matrix.size();
  for (size_t r = 0; r < values.size(); ++r) AddNonZero(row + static_cast<int>(r), col, values[r], matrix);
  if (matrix.size() == before) matrix.push_back({row, col, 0.0});
}

void SplitConstraints(const ContactProblem& problem, const std::vector<int>& order, ProblemParts& parts) {
  std::vector<double> mu, e, k_soft, b_soft, lower, upper;
  for (const int index : order) {
    const Constraint& c = problem.constraints[index];
    const int row = static_cast<int>(e.size());
    if (c.type == ConstraintType::kContact) mu.push_back(c.mu);
    if (c.type == ConstraintType::kSoft) k_soft.push_back(c.stiffness), b_soft.push_back(c.damping);
    if (c.type == ConstraintType::kBounded) lower.push_back(c.lower), upper.push_back(c.upper);
    for (int r = 0; r < c.dim(); ++r) e.push_back(problem.e[c.row + r]);
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      const JacobianBlock& block = problem.blocks[b];
      const double* value = problem.jacobian.data() + block.first_value;
      for (int k = 0; k < block.num_dofs; ++k, value += c.dim())
        AddColumn(row, problem.block_dofs[block.first_dof + k], {value, static_cast<size_t>(c.dim())},
                  parts.J);
    }
  }
  parts.mu = ToVector(mu), parts.e = ToVector(e);
  parts.k_soft = ToVector(k_soft), parts.b_soft = ToVector(b_soft);
  parts.lower = ToVector(lower), parts.upper = ToVector(upper);
}

bool AllFinite(const std::vector<Triplet>& matrix) {
  for (const Triplet& t : matrix)
    if (!std::isfinite(t.value)) return false;
  return true;
}

}  // namespace

int ProblemParts::num_rows() const {
  int rows = 0;
  for (size_t kind = 0; kind < count.size(); ++kind) rows += count[kind] * NumRows(kRowKinds[kind].type);
  return rows;
}

std::vector<Triplet> MakeTriplets(const char* key, const std::vector<int>& rows, const std::vector<int>& cols,
                                  const VectorXd& values, const PartErrors& errors) {
  if (rows.size() != cols.size() || rows.size() != static_cast<size_t>(values.size()))
    errors.Fail(key, "has to hold rows, cols and values of the same length");
  std::vector<Triplet> out;
  out.reserve(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) out.push_back({rows[i], cols[i], values[static_cast<int>(i)]});
  return out;
}

std::vector<Triplet> MakeTripletsOfRows(const char* key, int num_rows, const std::vector<int>& row_begin,
                                        const std::vector<int>& cols, const VectorXd& values,
                                        const PartErrors& errors) {
  if (cols.size() != static_cast<std::size_t>(values.size()))
    errors.Fail(key, "has to hold cols and values of the same length");
  if (row_begin.size() != static_cast<std::size_t>(num_rows) + 1 || row_begin.front() != 0 ||
      !std::is_sorted(row_begin.begin(), row_begin.end()) ||
      row_begin.back() != static_cast<int>(cols.size()))
    errors.Fail(key, "has to hold " + std::to_string(num_rows + 1) +
                         " numbers in row_begin, which ascend from 0 to the number of its values, " +
                         std::to_string(cols.size()));
  std::vector<Triplet> out;
  for (int row = 0; row < num_rows; ++row)
    for (int i = row_begin[row]; i < row_begin[row + 1]; ++i) out.push_back({row, cols[i], values[i]});
  return out;
}

std::vector<int> FindRowBegins(const std::vector<Triplet>& matrix, int num_rows) {
  std::vector<int> row_begin(static_cast<std::size_t>(num_rows) + 1, 0);
  for (const Triplet& t : matrix) ++row_begin[t.row + 1];
  std::partial_sum(row_begin.begin(), row_begin.end(), row_begin.begin());
  return row_begin;
}

ProblemParts ReadParts(const PartSource& file) {
  constexpr int kMaxIndex = std::numeric_limits<int>::max();
  ProblemParts parts;
  if (file.Has("name")) parts.name = file.GetText("name");
  const int nv = static_cast<int>(file.GetInteger("nv", 0, kMaxIndex));
  parts.subsystem_of_dof = file.GetIntegers("subsystem_of_dof", 0, kMaxIndex);
  if (parts.nv() != nv)
    file.Fail("subsystem_of_dof",
              "holds " + std::to_string(parts.nv()) + " values; nv is " + std::to_string(nv));
  parts.A = file.GetMatrix("A", nv, nv);
  parts.has_sparse_A = file.IsCompressed("A");
  parts.b = file.GetVector("b", nv);
  if (nv > 0 && file.Has("v_star")) parts.v_star = file.GetVector("v_star", nv);
  ReadCounts(file, parts);
  ReadLaws(file, parts);
  parts.J = file.GetMatrix("J", parts.num_rows(), nv);
  if (nv > 0 && file.Has("tree")) ReadTree(*file.GetObject("tree"), parts);
  if (file.Has("warm_start")) {
    if (file.HasWarmVelocity()) parts.warm_v = file.GetWarmStart("v", nv);
    parts.warm_lambda = file.GetWarmStart("lambda", parts.num_rows());
  }
  return parts;
}

std::vector<int> FindSubsystems(int nv, const std::vector<Triplet>& A) {
  constexpr int kFreeBodyDofs = 6;
  const int stride = nv % kFreeBodyDofs == 0 ? kFreeBodyDofs : 1;
  std::vector<int> reach(nv);  // last dof that is coupled to this one or an earlier one
  std::iota(reach.begin(), reach.end(), 0);
  for (const Triplet& t : A) {
    const auto [low, high] = std::minmax(t.row, t.col);
    if (t.value != 0.0) reach[low] = std::max(reach[low], high);
  }
  std::vector<int> subsystem(nv);
  int end = -1, index = -1;
  for (int k = 0; k < nv; ++k) {
    if (k > end && k % stride == 0) ++index;
    subsystem[k] = index;
    end = std::max(end, reach[k]);
  }
  return subsystem;
}

ProblemFile BuildProblem(ProblemParts parts, const PartErrors& errors) {
  SortByRow(parts.A, "A", errors);
  SortByRow(parts.J, "J", errors);
  ProblemFile out;
  out.problem.name = parts.name;
  if (parts.has_sparse_A && !parts.tree.parent.empty())
    errors.Fail("tree", "is there, and A by compressed rows: give A as triplets, or leave out `tree`");
  const bool is_sparse = IsKeptSparse(parts);
  BuildSubsystems(parts, is_sparse, errors, out.problem);
  if (is_sparse) {
    BuildSparseA(parts, out.problem);
  } else {
    BuildA(parts, errors, out.problem);
  }
  BuildConstraints(parts, out.problem);
  out.problem.v_star = parts.b;
  BuildTree(parts.tree, out.problem);
  if (const std::optional<ProblemFault> fault = FindFault(out.problem))
    errors.Fail(FindKey(*fault), fault->what);
  BuildFreeVelocity(parts, errors, out.problem);
  out.warm_start.v = parts.warm_v;
  out.warm_start.lambda = parts.warm_lambda;
  return out;
}

std::unique_ptr<AuxiliaryDofs> ExtendForFile(const ContactProblem& problem, const Solution& warm_start) {
  if (!AuxiliaryDofs::AreNeeded(problem)) return nullptr;
  const VectorXd scales = CalcScales(problem);
  if (scales.size() != problem.num_constraints()) {
    const std::optional<ProblemFault> fault = FindFault(problem);
    throw std::runtime_error("not written: " + (fault ? fault->message() : "A is not positive definite"));
  }
  auto extended = std::make_unique<AuxiliaryDofs>();
  extended->Extend(problem, scales, warm_start);
  if (warm_start.lambda.size() != problem.num_rows()) extended->solution().lambda.resize(0);
  return extended;
}

ProblemParts SplitProblem(const ContactProblem& problem, const Solution& warm_start) {
  if (const auto extended = ExtendForFile(problem, warm_start))
    return SplitProblem(extended->problem(), extended->solution());
  const std::vector<int> order = SortByKind(problem);
  ProblemParts parts;
  parts.name = problem.name;
  for (size_t kind = 0; kind < kRowKinds.size(); ++kind)
    parts.count[kind] =
        static_cast<int>(std::count_if(problem.constraints.begin(), problem.constraints.end(),
                                       [&](const Constraint& c) { return c.type == kRowKinds[kind].type; }));
  SplitDynamics(problem, parts);
  SplitConstraints(problem, order, parts);
  SplitTree(problem, order, parts.tree);
  if (warm_start.lambda.size() != problem.num_rows()) return parts;
  if (warm_start.v.size() == problem.nv()) parts.warm_v = warm_start.v;
  parts.warm_lambda.resize(problem.num_rows());
  int row = 0;
  for (const int index : order) {
    const Constraint& c = problem.constraints[index];
    for (int r = 0; r < c.dim(); ++r) parts.warm_lambda[row++] = warm_start.lambda[c.row + r];
  }
  return parts;
}

void CheckFinite(const std::string& path, const ProblemParts& p) {
  const bool ok = p.b.allFinite() && p.v_star.allFinite() && p.e.allFinite() && p.mu.allFinite() &&
                  p.k_soft.allFinite() && p.b_soft.allFinite() && p.warm_v.allFinite() &&
                  p.warm_lambda.allFinite() && AllFinite(p.A) && AllFinite(p.J) &&
                  p.tree.motion.allFinite() && p.tree.points.allFinite() && p.tree.rotation.allFinite() &&
                  !p.lower.hasNaN() && !p.upper.hasNaN();
  if (!ok) throw std::runtime_error(path + ": not written: it would hold numbers that are not finite");
}

}  // namespace stiction
