#include "stiction/io/problem_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "io/json_file.h"
#include "io/problem_rows.h"
#include "stiction/io/load_error.h"

namespace stiction {
namespace {

using nlohmann::json;

// A_ij and A_ji may differ by this much of max(|A_ij|, |A_ji|, sqrt(A_ii A_jj)): what a product such as J M⁻¹
// Jᵀ loses to round-off.
constexpr double kSymmetryTolerance = 1e-9;
// v_star, where given, has to agree with b by this much of max |b|.
constexpr double kFreeVelocityTolerance = 1e-9;
// Largest storage of A that a file may ask for, 0.8 GB: a short file must not exhaust the memory.
constexpr std::int64_t kMaxEntries = 100'000'000;

struct Triplet {
  int row;
  int col;
  double value;
};

std::string Entry(int row, int col) {
  return "[" + std::to_string(row) + "][" + std::to_string(col) + "]";
}

std::vector<Triplet> ReadTriplets(const JsonObject& file, const char* key, int num_rows, int num_cols) {
  const JsonObject matrix = file.GetObject(key);
  const std::vector<int> rows = matrix.GetIntegers("rows", 0, num_rows - 1);
  const std::vector<int> cols = matrix.GetIntegers("cols", 0, num_cols - 1);
  const VectorXd values = matrix.GetVector("values", static_cast<int>(rows.size()));
  if (rows.size() != cols.size()) matrix.Fail("cols", "has to be as long as rows");
  std::vector<Triplet> out;
  out.reserve(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) out.push_back({rows[i], cols[i], values[static_cast<int>(i)]});
  std::sort(out.begin(), out.end(), [](const Triplet& a, const Triplet& b) {
    return std::tie(a.row, a.col) < std::tie(b.row, b.col);
  });
  const auto twice = std::adjacent_find(out.begin(), out.end(), [](const Triplet& a, const Triplet& b) {
    return a.row == b.row && a.col == b.col;
  });
  if (twice != out.end()) file.Fail(key, "gives " + Entry(twice->row, twice->col) + " twice");
  return out;
}

// The non-zeros by rows, from either form: triplets, or an array of rows.
std::vector<Triplet> ReadMatrix(const JsonObject& file, const char* key, int num_rows, int num_cols) {
  const json& matrix = file.Get(key);
  if (matrix.is_object()) return ReadTriplets(file, key, num_rows, num_cols);
  if (!matrix.is_array() || matrix.size() != static_cast<size_t>(num_rows))
    file.Fail(key, "has to hold " + std::to_string(num_rows) + " rows, or be {rows, cols, values}");
  std::vector<Triplet> out;
  for (int i = 0; i < num_rows; ++i) {
    if (!matrix[i].is_array() || matrix[i].size() != static_cast<size_t>(num_cols))
      file.Fail(key, "has to hold " + std::to_string(num_cols) + " numbers in row " + std::to_string(i));
    for (int j = 0; j < num_cols; ++j) {
      const json& value = matrix[i][j];
      if (!value.is_number() || !std::isfinite(value.get<double>()))
        file.Fail(key, "holds something at " + Entry(i, j) + " that is not a finite number");
      if (value.get<double>() != 0.0) out.push_back({i, j, value.get<double>()});
    }
  }
  return out;
}

// One subsystem a run of equal indices. Sets A's pattern: each subsystem is a chain, which is a dense block.
void ReadSubsystems(const JsonObject& file, int nv, ContactProblem& problem) {
  const char* key = "subsystem_of_dof";
  const std::vector<int> of_dof = file.GetIntegers(key, 0, std::numeric_limits<int>::max());
  if (of_dof.size() != static_cast<size_t>(nv))
    file.Fail(key, "holds " + std::to_string(of_dof.size()) + " values; nv is " + std::to_string(nv));
  if (!std::is_sorted(of_dof.begin(), of_dof.end()))
    file.Fail(key, "has to ascend: put the dofs of one subsystem next to one another");
  std::vector<int> parent(nv);
  std::int64_t num_entries = 0;
  for (int k = 0; k < nv; ++k) {
    const bool is_first = k == 0 || of_dof[k] != of_dof[k - 1];
    if (is_first) problem.subsystems.push_back({k, 0});
    parent[k] = is_first ? -1 : k - 1;
    num_entries += ++problem.subsystems.back().num_dofs;
  }
  if (num_entries > kMaxEntries) file.Fail(key, "makes a subsystem too large to be stored densely");
  problem.A.Resize(BranchPattern(std::move(parent)));
}

// Fills A's lower triangle and checks the upper one against it.
void ReadA(const JsonObject& file, ContactProblem& problem) {
  const int nv = problem.A.size();
  BranchSparseMatrix upper(problem.A.pattern());
  for (const Triplet& t : ReadMatrix(file, "A", nv, nv)) {
    const auto [low, high] = std::minmax(t.row, t.col);
    const int root = problem.A.pattern().root(high);
    if (low < root) {
      if (t.value == 0.0) continue;
      file.Fail("A", "couples two subsystems at " + Entry(t.row, t.col) +
                         "; give their dofs the same index in subsystem_of_dof");
    }
    if (t.row >= t.col) problem.A.row(high)[low - root] = t.value;
    if (t.row <= t.col) upper.row(high)[low - root] = t.value;
  }
  for (int i = 0; i < nv; ++i) {
    const int root = problem.A.pattern().root(i);
    for (int j = root; j <= i; ++j) {
      const double a = problem.A.row(i)[j - root], b = upper.row(i)[j - root];
      const double scale = std::sqrt(std::abs(problem.A.diagonal(i) * problem.A.diagonal(j)));
      if (std::abs(a - b) > kSymmetryTolerance * std::max({std::abs(a), std::abs(b), scale}))
        file.Fail("A", "is not symmetric: " + Entry(i, j) + " and " + Entry(j, i) + " differ");
    }
  }
}

// v* = A⁻¹ b, or v_star where the file has it.
void ReadFreeVelocity(const JsonObject& file, ContactProblem& problem) {
  const int nv = problem.A.size();
  BranchSparseFactor factor;
  const int bad_pivot = factor.Factor(problem.A);
  if (bad_pivot >= 0)
    file.Fail("A",
              "is not positive definite: the pivot of dof " + std::to_string(bad_pivot) + " is not positive");
  const VectorXd b = file.GetVector("b", nv);
  problem.v_star = b;
  factor.Solve(problem.v_star.data());
  if (!problem.v_star.allFinite()) file.Fail("A", "is too close to singular: its solution with b overflows");
  if (nv == 0 || !file.Has("v_star")) return;

  const VectorXd v_star = file.GetVector("v_star", nv);
  VectorXd residual(nv);
  problem.A.Multiply(v_star.data(), residual.data());
  residual -= b;
  // Not relative to b alone: where a product cancels, its round-off is that of its terms.
  double largest = 0.0;
  for (int k = 0; k < nv; ++k) largest = std::max(largest, problem.A.diagonal(k));
  const double scale = b.lpNorm<Eigen::Infinity>() + largest * v_star.lpNorm<Eigen::Infinity>();
  if (residual.lpNorm<Eigen::Infinity>() > kFreeVelocityTolerance * scale)
    file.Fail("v_star", "does not agree with b = A v_star; leave it out");
  problem.v_star = v_star;
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
    // In a chain the ancestors of a dof are all dofs before it.
    dofs.resize(entries[end - 1].col - subsystem.first_dof + 1);
    std::iota(dofs.begin(), dofs.end(), subsystem.first_dof);
    double* values = problem.AddBlock(static_cast<int>(after - problem.subsystems.begin()) - 1, dofs.data(),
                                      static_cast<int>(dofs.size()));
    for (size_t i = begin; i < end; ++i)
      values[(entries[i].col - subsystem.first_dof) * dim + entries[i].row - first_row] = entries[i].value;
  }
}

// The laws as the file lists them: one number a row of its kind.
struct Laws {
  std::array<int, kRowKinds.size()> count{};
  int num_rows = 0;
  VectorXd e, mu, stiffness, damping, lower, upper;
};

Laws ReadLaws(const JsonObject& file) {
  constexpr int kMaxCount = 100'000'000;
  Laws laws;
  for (size_t kind = 0; kind < laws.count.size(); ++kind) {
    const char* key = kRowKinds[kind].count_key;
    const bool may_lack = kRowKinds[kind].type == ConstraintType::kBounded;
    laws.count[kind] = may_lack && !file.Has(key) ? 0 : static_cast<int>(file.GetInteger(key, 0, kMaxCount));
    laws.num_rows += laws.count[kind] * NumRows(kRowKinds[kind].type);
  }
  // A kind without rows needs no keys.
  const auto get = [&](const char* key, int size) {
    return size == 0 && !file.Has(key) ? VectorXd() : file.GetVector(key, size);
  };
  const auto get_non_negative = [&](const char* key, int size) {
    VectorXd values = get(key, size);
    if (size > 0 && values.minCoeff() < 0.0) file.Fail(key, "holds a negative number");
    return values;
  };
  laws.e = get("e", laws.num_rows);
  laws.mu = get_non_negative("mu", laws.count[0]);
  laws.stiffness = get_non_negative("k_soft", laws.count[3]);
  laws.damping = get_non_negative("b_soft", laws.count[3]);
  laws.lower = get("lower", laws.count[4]);
  laws.upper = get("upper", laws.count[4]);
  if ((laws.lower.array() > laws.upper.array()).any()) file.Fail("lower", "exceeds upper");
  return laws;
}

int AddConstraint(const Laws& laws, ConstraintType type, int i, ContactProblem& problem) {
  switch (type) {
    case ConstraintType::kContact:
      return problem.AddConstraint(type, laws.mu[i]);
    case ConstraintType::kSoft:
      return problem.AddConstraint(type, 0.0, laws.stiffness[i], laws.damping[i]);
    case ConstraintType::kBounded: {
      const int index = problem.AddConstraint(type);
      problem.SetBounds(laws.lower[i], laws.upper[i]);
      return index;
    }
    case ConstraintType::kUnilateral:
    case ConstraintType::kBilateral:
      break;
  }
  return problem.AddConstraint(type);
}

void ReadConstraints(const JsonObject& file, ContactProblem& problem) {
  const Laws laws = ReadLaws(file);
  std::vector<Triplet> J = ReadMatrix(file, "J", laws.num_rows, problem.nv());
  auto begin = J.begin();
  for (size_t kind = 0; kind < laws.count.size(); ++kind) {
    for (int i = 0; i < laws.count[kind]; ++i) {
      const Constraint& c = problem.constraints[AddConstraint(laws, kRowKinds[kind].type, i, problem)];
      for (int r = 0; r < c.dim(); ++r) problem.SetBias(r, laws.e[c.row + r]);
      const int end_row = c.row + c.dim();
      const auto end = std::find_if(begin, J.end(), [=](const Triplet& t) { return t.row >= end_row; });
      std::sort(begin, end, [](const Triplet& a, const Triplet& b) { return a.col < b.col; });
      AddBlocks({begin, end}, problem);
      begin = end;
    }
  }
}

}  // namespace

ProblemFile ReadProblemJson(const std::string& path) {
  const json document = ReadJsonObject(path);
  const JsonObject file(path, document);
  ProblemFile out;
  if (file.Has("name")) out.problem.name = file.GetText("name");
  ReadSubsystems(file, static_cast<int>(file.GetInteger("nv", 0, std::numeric_limits<int>::max())),
                 out.problem);
  ReadA(file, out.problem);
  ReadFreeVelocity(file, out.problem);
  ReadConstraints(file, out.problem);
  if (file.Has("warm_start")) {
    const JsonObject warm_start = file.GetObject("warm_start");
    if (warm_start.Has("v")) out.warm_start.v = warm_start.GetVector("v", out.problem.nv());
    out.warm_start.lambda = warm_start.GetVector("lambda", out.problem.num_rows());
  }
  return out;
}

}  // namespace stiction
