// HDF5: the two formats told apart, and our own. Without HDF5 only the refusals.
#include "io/problem/hdf5.h"

#include <limits>
#include <stdexcept>

#ifdef STICTION_WITH_HDF5
#include "io/hdf5/group.h"
#include "io/hdf5/output.h"
#include "io/problem/parts.h"
#include "stiction/model/load_error.h"
#endif

namespace stiction {

#ifndef STICTION_WITH_HDF5

namespace {
[[noreturn]] void Refuse(const std::string& path) {
  throw std::runtime_error(path + ": this build writes no HDF5; build it with STICTION_WITH_HDF5");
}
}  // namespace

void CreateProblemHdf5(const std::string& path) {
  Refuse(path);
}
void AppendProblemHdf5(const std::string& path, const std::string&, const ContactProblem&, const Solution&) {
  Refuse(path);
}
void WriteProblemFclib(const std::string& path, const ContactProblem&, const Solution&) {
  Refuse(path);
}

#else

namespace {

constexpr const char* kProblemFormat = "stiction-problems";
constexpr int kProblemVersion = 1;

// One group, under the keys of the JSON format.
class Hdf5Source final : public PartSource {
 public:
  explicit Hdf5Source(Hdf5Group group) : group_(std::move(group)) {}

  void Fail(const char* key, const std::string& message) const override { group_.Fail(key, message); }
  bool Has(const char* key) const override { return group_.Has(key); }
  std::int64_t GetInteger(const char* key, std::int64_t minimum, std::int64_t maximum) const override {
    return group_.GetInteger(key, minimum, maximum);
  }
  std::string GetText(const char* key) const override { return group_.GetText(key); }
  std::vector<int> GetIntegers(const char* key, int minimum, int maximum) const override {
    return group_.GetIntegers(key, minimum, maximum);
  }
  VectorXd GetVector(const char* key, int size) const override { return group_.GetVector(key, size); }
  VectorXd GetBounds(const char* key, int size, double) const override { return group_.GetBounds(key, size); }
  std::vector<Triplet> GetMatrix(const char* key, int num_rows, int num_cols) const override {
    const Hdf5Group lists = group_.GetGroup(key);
    const std::vector<int> cols = lists.GetIntegers("cols", 0, num_cols - 1);
    const VectorXd values = lists.GetVector("values");
    if (IsCompressed(key)) {
      const std::vector<int> begins = lists.GetIntegers("row_begin", 0, std::numeric_limits<int>::max());
      return MakeTripletsOfRows(key, num_rows, begins, cols, values, *this);
    }
    return MakeTriplets(key, lists.GetIntegers("rows", 0, num_rows - 1), cols, values, *this);
  }
  bool IsCompressed(const char* key) const override { return group_.GetGroup(key).Has("row_begin"); }
  std::unique_ptr<PartSource> GetObject(const char* key) const override {
    return std::make_unique<Hdf5Source>(group_.GetGroup(key));
  }
  bool HasWarmVelocity() const override { return group_.GetGroup("warm_start").Has("v"); }
  VectorXd GetWarmStart(const char* key, int size) const override {
    return group_.GetGroup("warm_start").GetVector(key, size);
  }

 private:
  Hdf5Group group_;
};

std::vector<ProblemFile> ReadGroups(const Hdf5Group& root) {
  std::vector<ProblemFile> problems;
  for (const std::string& name : root.ListGroups()) {
    const Hdf5Source source(root.GetGroup(name.c_str()));
    problems.push_back(BuildProblem(ReadParts(source), source));
    problems.back().group = name;
  }
  if (problems.empty()) throw LoadError(root.file(), 0, "", "holds no contact problem");
  return problems;
}

//   num_rows  by compressed rows; -1: triplets
void WriteMatrix(Hdf5Output& out, const std::string& group, const std::vector<Triplet>& matrix,
                 int num_rows = -1) {
  std::vector<int> rows, cols;
  std::vector<double> values;
  for (const Triplet& t : matrix) rows.push_back(t.row), cols.push_back(t.col), values.push_back(t.value);
  if (num_rows < 0) {
    out.WriteIntegers(group + "/rows", rows);
  } else {
    out.WriteIntegers(group + "/row_begin", FindRowBegins(matrix, num_rows));
  }
  out.WriteIntegers(group + "/cols", cols);
  out.WriteNumbers(group + "/values", values);
}

}  // namespace

std::vector<ProblemFile> ReadProblemsHdf5(const std::string& path) {
  const Hdf5Group root(path);
  std::vector<ProblemFile> problems;
  if (root.Has("fclib_global")) {
    problems.push_back(ReadFclibGlobal(root));
  } else if (root.Has("fclib_local")) {
    problems.push_back(ReadFclibLocal(root));
  } else {
    const std::string format = root.GetAttribute("format");
    if (format == kProblemFormat) return ReadGroups(root);
    throw LoadError(path, 0, "",
                    format.empty() ? "holds no contact problem: no group \"fclib_global\" or \"fclib_local\""
                                   : "holds no contact problem: its format is \"" + format + "\"");
  }
  return problems;
}

void CreateProblemHdf5(const std::string& path) {
  Hdf5Output out(path, Hdf5Output::Mode::kCreate);
  out.SetAttribute("format", kProblemFormat);
  out.SetAttribute("format_version", kProblemVersion);
  out.SetAttribute("engine_version", STICTION_VERSION);
  out.Close();
}

void AppendProblemHdf5(const std::string& path, const std::string& group, const ContactProblem& problem,
                       const Solution& warm_start) {
  const ProblemParts parts = SplitProblem(problem, warm_start);
  CheckFinite(path, parts);
  Hdf5Output out(path, Hdf5Output::Mode::kAppend);
  const auto key = [&](const char* name) { return group + "/" + name; };
  out.WriteText(key("name"), parts.name);
  out.WriteInteger(key("nv"), parts.nv());
  for (std::size_t kind = 0; kind < kRowKinds.size(); ++kind)
    out.WriteInteger(key(kRowKinds[kind].count_key), parts.count[kind]);
  out.WriteIntegers(key("subsystem_of_dof"), parts.subsystem_of_dof);
  WriteMatrix(out, key("A"), parts.A, parts.has_sparse_A ? parts.nv() : -1);
  out.WriteNumbers(key("b"), parts.b);
  out.WriteNumbers(key("v_star"), parts.v_star);
  WriteMatrix(out, key("J"), parts.J);
  out.WriteNumbers(key("mu"), parts.mu);
  out.WriteNumbers(key("e"), parts.e);
  out.WriteNumbers(key("k_soft"), parts.k_soft);
  out.WriteNumbers(key("b_soft"), parts.b_soft);
  out.WriteNumbers(key("lower"), parts.lower);
  out.WriteNumbers(key("upper"), parts.upper);
  if (!parts.tree.parent.empty()) {
    out.WriteIntegers(key("tree/parent"), parts.tree.parent);
    out.WriteNumbers(key("tree/motion"), parts.tree.motion);
    out.WriteIntegers(key("tree/contact"), parts.tree.contact);
    out.WriteIntegers(key("tree/dofs"), parts.tree.dofs);
    out.WriteNumbers(key("tree/points"), parts.tree.points);
    out.WriteNumbers(key("tree/rotation"), parts.tree.rotation);
  }
  if (parts.warm_v.size() > 0) out.WriteNumbers(key("warm_start/v"), parts.warm_v);
  if (parts.has_warm_start()) out.WriteNumbers(key("warm_start/lambda"), parts.warm_lambda);
  out.Close();
}

#endif

}  // namespace stiction
