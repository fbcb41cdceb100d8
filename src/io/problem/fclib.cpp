// FCLib's HDF5 layout, read and written with HDF5 itself: libfclib 3.1 trusts the sizes in a file (it reads
// and writes out of bounds where they lie) and ends the program where a dataset is missing. It serves the
// tests as an independent reader and writer.
//
// Reference: V. Acary, M. Brémond, T. Koziara, F. Pérignon, FCLIB: a collection of discrete 3D frictional
// contact problems, RT-0444, INRIA, 2014.
#ifdef STICTION_WITH_HDF5

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "io/hdf5/group.h"
#include "io/hdf5/output.h"
#include "io/problem/hdf5.h"
#include "io/problem/parts.h"
#include "stiction/model/load_error.h"

namespace stiction {
namespace {

constexpr int kCompressedColumns = -1, kCompressedRows = -2;  // nz; else the number of triplets
// W and its transpose may differ by this much of the largest entry, and so may W and J Jᵀ.
constexpr double kFclibSymmetryTolerance = 1e-9;
// Pivots below this much of the largest diagonal entry are the round-off of a W that lacks rank.
constexpr double kRankTolerance = 1e-13;

// Row of ours, of contacts (t1, t2, n), for a row of FCLib, (n, t1, t2).
int TangentFirst(int row) {
  return row % 3 == 0 ? row + 2 : row - 1;
}

struct SparseMatrix {
  int num_rows = 0, num_cols = 0;
  std::vector<Triplet> entries;
};

// Row and column of each of the entries of a compressed matrix; `starts` has been checked.
void Decompress(const std::vector<int>& starts, const std::vector<int>& inner, const VectorXd& values,
                bool by_columns, std::vector<Triplet>& out) {
  for (int outer = 0; outer + 1 < static_cast<int>(starts.size()); ++outer) {
    for (int k = starts[outer]; k < starts[outer + 1]; ++k) {
      out.push_back(by_columns ? Triplet{inner[k], outer, values[k]} : Triplet{outer, inner[k], values[k]});
    }
  }
}

// Entries that are given twice add up.
void SumDuplicates(std::vector<Triplet>& entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const Triplet& a, const Triplet& b) {
    return std::tie(a.row, a.col) < std::tie(b.row, b.col);
  });
  std::size_t size = 0;
  for (const Triplet& t : entries) {
    if (size > 0 && entries[size - 1].row == t.row && entries[size - 1].col == t.col)
      entries[size - 1].value += t.value;
    else
      entries[size++] = t;
  }
  entries.resize(size);
}

void CheckLength(const Hdf5Group& group, const char* key, std::size_t size, std::int64_t needed) {
  if (static_cast<std::int64_t>(size) != needed)
    group.Fail(key, "holds " + std::to_string(size) + " values; it needs " + std::to_string(needed));
}

SparseMatrix ReadMatrix(const Hdf5Group& group) {
  constexpr int kMaxSize = static_cast<int>(kMaxEntries);
  SparseMatrix out;
  out.num_rows = static_cast<int>(group.GetInteger("m", 0, kMaxSize));
  out.num_cols = static_cast<int>(group.GetInteger("n", 0, kMaxSize));
  const int nzmax = static_cast<int>(group.GetInteger("nzmax", 0, kMaxSize));
  const int nz = static_cast<int>(group.GetInteger("nz", kCompressedRows, nzmax));
  const bool by_columns = nz == kCompressedColumns;
  const VectorXd values = group.GetBounds("x", nzmax);  // those that are used have to be finite
  if (nz >= 0) {
    const std::vector<int> rows = group.GetIntegers("p", 0, out.num_rows - 1);
    const std::vector<int> cols = group.GetIntegers("i", 0, out.num_cols - 1);
    CheckLength(group, "p", rows.size(), nz);
    CheckLength(group, "i", cols.size(), nz);
    for (int k = 0; k < nz; ++k) out.entries.push_back({rows[k], cols[k], values[k]});
  } else {
    const std::vector<int> starts = group.GetIntegers("p", 0, nzmax);
    const std::vector<int> inner = group.GetIntegers("i", 0, (by_columns ? out.num_rows : out.num_cols) - 1);
    CheckLength(group, "p", starts.size(), std::int64_t{1} + (by_columns ? out.num_cols : out.num_rows));
    CheckLength(group, "i", inner.size(), nzmax);
    if (starts.front() != 0 || !std::is_sorted(starts.begin(), starts.end()))
      group.Fail("p", "has to ascend from 0");
    Decompress(starts, inner, values, by_columns, out.entries);
  }
  SumDuplicates(out.entries);
  for (const Triplet& t : out.entries)
    if (!std::isfinite(t.value)) group.Fail("x", "holds something that is not a finite number");
  return out;
}

void CheckSize(const Hdf5Group& group, const char* key, const SparseMatrix& matrix, int num_rows,
               int num_cols) {
  if (matrix.num_rows != num_rows || matrix.num_cols != num_cols)
    group.Fail(key, "is " + std::to_string(matrix.num_rows) + " x " + std::to_string(matrix.num_cols) +
                        "; it has to be " + std::to_string(num_rows) + " x " + std::to_string(num_cols));
}

// Tells which dataset of the FCLib group holds one of our keys.
class FclibErrors final : public PartErrors {
 public:
  FclibErrors(const Hdf5Group& group, std::map<std::string, std::string> names)
      : group_(group), names_(std::move(names)) {}
  void Fail(const char* key, const std::string& message) const override {
    const auto name = names_.find(key);
    group_.Fail(name == names_.end() ? key : name->second, message);
  }

 private:
  const Hdf5Group& group_;
  std::map<std::string, std::string> names_;
};

// What both forms share: the name, friction, and the sizes.
ProblemParts ReadHead(const Hdf5Group& group, int num_contact_rows) {
  if (group.GetInteger("spacedim", 2, 3) != 3)
    group.Fail("spacedim", "is 2: contacts in the plane are not supported, only those in space (3)");
  ProblemParts parts;
  if (group.Has("info") && group.GetGroup("info").Has("title"))
    parts.name = group.GetGroup("info").GetText("title");
  if (parts.name.empty()) parts.name = std::filesystem::path(group.file()).stem().string();
  if (num_contact_rows % 3 != 0)
    group.Fail("spacedim", "is 3, and there are " + std::to_string(num_contact_rows) + " contact rows");
  parts.count[0] = num_contact_rows / 3;
  parts.mu = group.GetGroup("vectors").GetVector("mu", parts.count[0]);
  return parts;
}

// e of contacts from FCLib's order, e of bilateral rows behind it.
VectorXd JoinBias(const VectorXd& contact, const VectorXd& bilateral) {
  VectorXd e(contact.size() + bilateral.size());
  for (int row = 0; row < contact.size(); ++row) e[TangentFirst(row)] = contact[row];
  e.tail(bilateral.size()) = bilateral;
  return e;
}

// The first of the file's guesses, if it has any.
void ReadGuess(const Hdf5Group& root, int nv, ProblemParts& parts) {
  if (!root.Has("guesses")) return;
  const Hdf5Group guesses = root.GetGroup("guesses");
  if (!guesses.Has("1")) return;
  const Hdf5Group guess = guesses.GetGroup("1");
  VectorXd bilateral;
  if (parts.count[2] > 0) bilateral = guess.GetVector("l", parts.count[2]);
  parts.warm_lambda = JoinBias(guess.GetVector("r", 3 * parts.count[0]), bilateral);
  if (nv > 0 && guess.Has("v")) parts.warm_v = guess.GetVector("v", nv);
}

// D = [W V; Vᵀ R] cut into its connected parts, each factored as J Jᵀ.
class LocalFactor {
 public:
  LocalFactor(const Hdf5Group& group, int num_rows, const std::vector<Triplet>& D);
  // Appends dofs and rows of J to `parts`, in the order of D's rows.
  void AddTo(ProblemParts& parts);

 private:
  int Find(int row) {
    while (part_[row] != row) row = part_[row] = part_[part_[row]];
    return row;
  }
  void FactorPart(const std::vector<int>& rows, MatrixXd D, ProblemParts& parts) const;

  const Hdf5Group& group_;
  const std::vector<Triplet>& D_;
  std::vector<int> part_;
};

LocalFactor::LocalFactor(const Hdf5Group& group, int num_rows, const std::vector<Triplet>& D)
    : group_(group), D_(D), part_(num_rows) {
  std::iota(part_.begin(), part_.end(), 0);
  for (const Triplet& t : D) {
    const int a = Find(t.row), b = Find(t.col);
    if (t.value != 0.0) part_[std::max(a, b)] = std::min(a, b);
  }
}

void LocalFactor::AddTo(ProblemParts& parts) {
  const int num_rows = static_cast<int>(part_.size());
  std::map<int, std::vector<int>> rows_of;
  std::vector<int> local(num_rows);
  std::int64_t num_entries = 0;
  for (int row = 0; row < num_rows; ++row) {
    std::vector<int>& rows = rows_of[Find(row)];
    local[row] = static_cast<int>(rows.size());
    num_entries += 2 * local[row] + 1;
    rows.push_back(row);
  }
  if (num_entries > kMaxEntries) group_.Fail("W", "is too large to be factored densely");
  std::map<int, std::vector<Triplet>> entries_of;
  for (const Triplet& t : D_) entries_of[Find(t.row)].push_back({local[t.row], local[t.col], t.value});
  for (const auto& [root, rows] : rows_of) {
    const auto size = static_cast<Eigen::Index>(rows.size());
    MatrixXd D = MatrixXd::Zero(size, size);
    for (const Triplet& t : entries_of[root]) D(t.row, t.col) += t.value;
    FactorPart(rows, std::move(D), parts);
  }
}

// Cholesky's factor with the largest remaining diagonal entry as pivot, until what remains is round-off.
void LocalFactor::FactorPart(const std::vector<int>& rows, MatrixXd D, ProblemParts& parts) const {
  const double largest = D.cwiseAbs().maxCoeff();
  if ((D - D.transpose()).cwiseAbs().maxCoeff() > kFclibSymmetryTolerance * largest)
    group_.Fail("W", "is not symmetric, or V and R are not of the same problem");
  const int first_dof = parts.nv(), subsystem = first_dof == 0 ? 0 : parts.subsystem_of_dof.back() + 1;
  Eigen::Index pivot = 0;
  while (D.diagonal().maxCoeff(&pivot) > kRankTolerance * largest) {
    const VectorXd column = D.col(pivot) / std::sqrt(D(pivot, pivot));
    D.noalias() -= column * column.transpose();
    D.row(pivot).setZero(), D.col(pivot).setZero();
    const int dof = parts.nv();
    parts.subsystem_of_dof.push_back(subsystem);
    parts.A.push_back({dof, dof, 1.0});
    for (Eigen::Index i = 0; i < column.size(); ++i)
      if (column[i] != 0.0) parts.J.push_back({rows[i], dof, column[i]});
  }
  if (D.cwiseAbs().maxCoeff() > kFclibSymmetryTolerance * largest)
    group_.Fail("W", "is not positive semidefinite");
}

void AddTransposed(const SparseMatrix& matrix, int first_row, std::vector<Triplet>& out) {
  for (const Triplet& t : matrix.entries) out.push_back({first_row + t.col, t.row, t.value});
}

// Compressed columns: `entries` as (row, column, value).
void WriteMatrix(Hdf5Output& out, const std::string& group, int num_rows, int num_cols,
                 std::vector<Triplet> entries) {
  std::sort(entries.begin(), entries.end(), [](const Triplet& a, const Triplet& b) {
    return std::tie(a.col, a.row) < std::tie(b.col, b.row);
  });
  std::vector<int> starts(num_cols + 1, 0), rows;
  std::vector<double> values;
  for (const Triplet& t : entries) {
    ++starts[t.col + 1];
    rows.push_back(t.row), values.push_back(t.value);
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  out.WriteInteger(group + "/nzmax", static_cast<int>(entries.size()));
  out.WriteInteger(group + "/m", num_rows);
  out.WriteInteger(group + "/n", num_cols);
  out.WriteInteger(group + "/nz", kCompressedColumns);
  out.WriteIntegers(group + "/p", starts);
  out.WriteIntegers(group + "/i", rows);
  out.WriteNumbers(group + "/x", values);
}

// FCLib's order of contact rows.
VectorXd NormalFirst(const Eigen::Ref<const VectorXd>& rows) {
  VectorXd out(rows.size());
  for (int row = 0; row < rows.size(); ++row) out[row] = rows[TangentFirst(row)];
  return out;
}

void WriteGuess(Hdf5Output& out, const ContactProblem& problem, const ProblemParts& parts) {
  const int contact_rows = 3 * parts.count[0];
  VectorXd v = parts.warm_v;
  if (v.size() == 0) {  // FCLib wants one
    v.setZero(parts.nv());
    for (const Triplet& t : parts.J) v[t.col] += t.value * parts.warm_lambda[t.row];
    if (!SolveDynamics(problem, v)) throw std::runtime_error("the problem's A is not positive definite");
    v += parts.v_star;
  }
  VectorXd u = parts.e;
  for (const Triplet& t : parts.J) u[t.row] += t.value * v[t.col];
  out.WriteInteger("guesses/number_of_guesses", 1);
  out.WriteNumbers("guesses/1/v", v);
  out.WriteNumbers("guesses/1/u", NormalFirst(u.head(contact_rows)));
  out.WriteNumbers("guesses/1/r", NormalFirst(parts.warm_lambda.head(contact_rows)));
  if (parts.count[2] > 0) out.WriteNumbers("guesses/1/l", VectorXd(parts.warm_lambda.tail(parts.count[2])));
}

}  // namespace

ProblemFile ReadFclibGlobal(const Hdf5Group& root) {
  const Hdf5Group group = root.GetGroup("fclib_global");
  const SparseMatrix M = ReadMatrix(group.GetGroup("M")), H = ReadMatrix(group.GetGroup("H"));
  const int nv = M.num_rows;
  CheckSize(group, "M", M, nv, nv);
  CheckSize(group, "H", H, nv, H.num_cols);
  SparseMatrix G;
  if (group.Has("G")) G = ReadMatrix(group.GetGroup("G"));
  if (group.Has("G")) CheckSize(group, "G", G, nv, G.num_cols);
  const FclibErrors errors(group, {{"A", "M"},
                                   {"J", "H"},
                                   {"b", "vectors/f"},
                                   {"e", "vectors/w"},
                                   {"mu", "vectors/mu"},
                                   {"subsystem_of_dof", "M"}});

  ProblemParts parts = ReadHead(group, H.num_cols);
  const Hdf5Group vectors = group.GetGroup("vectors");
  parts.b = vectors.GetVector("f", nv);
  parts.count[2] = G.num_cols;
  parts.e = JoinBias(vectors.GetVector("w", H.num_cols),
                     G.num_cols > 0 ? vectors.GetVector("b", G.num_cols) : VectorXd());
  parts.subsystem_of_dof = FindSubsystems(nv, M.entries);
  parts.A = M.entries;
  for (const Triplet& t : H.entries) parts.J.push_back({TangentFirst(t.col), t.row, t.value});
  AddTransposed(G, H.num_cols, parts.J);
  ReadGuess(root, nv, parts);
  return BuildProblem(std::move(parts), errors);
}

ProblemFile ReadFclibLocal(const Hdf5Group& root) {
  const Hdf5Group group = root.GetGroup("fclib_local");
  const SparseMatrix W = ReadMatrix(group.GetGroup("W"));
  const int contact_rows = W.num_rows;
  CheckSize(group, "W", W, contact_rows, contact_rows);
  ProblemParts parts = ReadHead(group, contact_rows);
  const Hdf5Group vectors = group.GetGroup("vectors");
  VectorXd s;
  std::vector<Triplet> D;
  for (const Triplet& t : W.entries) D.push_back({TangentFirst(t.row), TangentFirst(t.col), t.value});
  if (group.Has("V")) {
    const SparseMatrix V = ReadMatrix(group.GetGroup("V")), R = ReadMatrix(group.GetGroup("R"));
    parts.count[2] = V.num_cols;
    CheckSize(group, "V", V, contact_rows, V.num_cols);
    CheckSize(group, "R", R, V.num_cols, V.num_cols);
    for (const Triplet& t : V.entries) {
      D.push_back({TangentFirst(t.row), contact_rows + t.col, t.value});
      D.push_back({contact_rows + t.col, TangentFirst(t.row), t.value});
    }
    for (const Triplet& t : R.entries) D.push_back({contact_rows + t.row, contact_rows + t.col, t.value});
    s = vectors.GetVector("s", V.num_cols);
  }
  parts.e = JoinBias(vectors.GetVector("q", contact_rows), s);
  LocalFactor(group, parts.num_rows(), D).AddTo(parts);
  parts.b.setZero(parts.nv());
  ReadGuess(root, 0, parts);
  return BuildProblem(
      std::move(parts),
      FclibErrors(group, {{"mu", "vectors/mu"}, {"A", "W"}, {"J", "W"}, {"subsystem_of_dof", "W"}}));
}

void WriteProblemFclib(const std::string& path, const ContactProblem& problem, const Solution& warm_start) {
  if (const auto extended = ExtendForFile(problem, warm_start))
    return WriteProblemFclib(path, extended->problem(), extended->solution());
  const ProblemParts parts = SplitProblem(problem, warm_start);
  CheckFinite(path, parts);
  for (const std::size_t kind : {1u, 3u, 4u}) {
    if (parts.count[kind] > 0)
      throw std::runtime_error(path +
                               ": not written: FCLib knows contacts and bilateral rows, and there are " +
                               std::to_string(parts.count[kind]) + " " + ToString(kRowKinds[kind].type));
  }
  const int nv = parts.nv(), contact_rows = 3 * parts.count[0], num_equality = parts.count[2];
  std::vector<Triplet> H, G;
  for (const Triplet& t : parts.J) {
    // The inverse of TangentFirst.
    const int normal_first = t.row % 3 == 2 ? t.row - 2 : t.row + 1;
    if (t.row < contact_rows)
      H.push_back({t.col, normal_first, t.value});
    else
      G.push_back({t.col, t.row - contact_rows, t.value});
  }
  Hdf5Output out(path, Hdf5Output::Mode::kCreateOld);
  out.WriteInteger("fclib_global/spacedim", 3);
  out.WriteText("fclib_global/info/title", parts.name);
  out.WriteText("fclib_global/info/description", "written by stiction " STICTION_VERSION);
  out.WriteText("fclib_global/info/math_info", "");
  WriteMatrix(out, "fclib_global/M", nv, nv, parts.A);
  WriteMatrix(out, "fclib_global/H", nv, contact_rows, std::move(H));
  if (num_equality > 0) WriteMatrix(out, "fclib_global/G", nv, num_equality, std::move(G));
  out.WriteNumbers("fclib_global/vectors/f", parts.b);
  out.WriteNumbers("fclib_global/vectors/w", NormalFirst(parts.e.head(contact_rows)));
  out.WriteNumbers("fclib_global/vectors/mu", parts.mu);
  if (num_equality > 0) out.WriteNumbers("fclib_global/vectors/b", VectorXd(parts.e.tail(num_equality)));
  if (parts.has_warm_start()) WriteGuess(out, problem, parts);
  out.Close();
}

}  // namespace stiction
#endif
