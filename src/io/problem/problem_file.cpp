// Formats told apart, and JSON; hdf5.cpp and fclib.cpp read and write the others.
#include "stiction/io/problem_file.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "io/json_file.h"
#include "io/problem/hdf5.h"
#include "io/problem/parts.h"
#include "stiction/model/load_error.h"

namespace stiction {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kRowBegin = "row_begin";

class JsonSource final : public PartSource {
 public:
  JsonSource(const std::string& path, const json& document) : file_(path, document) {}
  explicit JsonSource(const JsonObject& object) : file_(object) {}

  void Fail(const char* key, const std::string& message) const override { file_.Fail(key, message); }
  bool Has(const char* key) const override { return file_.Has(key); }
  std::int64_t GetInteger(const char* key, std::int64_t minimum, std::int64_t maximum) const override {
    return file_.GetInteger(key, minimum, maximum);
  }
  std::string GetText(const char* key) const override { return file_.GetText(key); }
  std::vector<int> GetIntegers(const char* key, int minimum, int maximum) const override {
    return file_.GetIntegers(key, minimum, maximum);
  }
  VectorXd GetVector(const char* key, int size) const override { return file_.GetVector(key, size); }
  VectorXd GetBounds(const char* key, int size, double unbounded) const override;
  std::vector<Triplet> GetMatrix(const char* key, int num_rows, int num_cols) const override;
  bool IsCompressed(const char* key) const override {
    const json& matrix = file_.Get(key);
    return matrix.is_object() && matrix.contains(kRowBegin);
  }
  std::unique_ptr<PartSource> GetObject(const char* key) const override {
    return std::make_unique<JsonSource>(file_.GetObject(key));
  }
  bool HasWarmVelocity() const override { return file_.GetObject("warm_start").Has("v"); }
  VectorXd GetWarmStart(const char* key, int size) const override {
    return file_.GetObject("warm_start").GetVector(key, size);
  }

 private:
  JsonObject file_;
};

VectorXd JsonSource::GetBounds(const char* key, int size, double unbounded) const {
  json finite = file_.Get(key);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; finite.is_array() && i < finite.size(); ++i) {
    if (!finite[i].is_null()) continue;
    open.push_back(i);
    finite[i] = 0.0;
  }
  const json object{{key, std::move(finite)}};
  VectorXd out = JsonObject(file_.path(), object).GetVector(key, size);
  for (const std::size_t i : open) out[static_cast<Eigen::Index>(i)] = unbounded;
  return out;
}

// The non-zeros, from any form: triplets, compressed rows, or an array of rows.
std::vector<Triplet> JsonSource::GetMatrix(const char* key, int num_rows, int num_cols) const {
  const json& matrix = file_.Get(key);
  if (matrix.is_object()) {
    const JsonObject lists = file_.GetObject(key);
    const std::vector<int> cols = lists.GetIntegers("cols", 0, num_cols - 1);
    const VectorXd values = lists.GetVector("values", static_cast<int>(cols.size()));
    if (IsCompressed(key)) {
      const std::vector<int> begins = lists.GetIntegers(kRowBegin, 0, std::numeric_limits<int>::max());
      return MakeTripletsOfRows(key, num_rows, begins, cols, values, *this);
    }
    return MakeTriplets(key, lists.GetIntegers("rows", 0, num_rows - 1), cols, values, *this);
  }
  if (!matrix.is_array() || matrix.size() != static_cast<size_t>(num_rows))
    Fail(key, "has to hold " + std::to_string(num_rows) +
                  " rows, or be {rows, cols, values} or {row_begin, cols, values}");
  std::vector<Triplet> out;
  for (int i = 0; i < num_rows; ++i) {
    if (!matrix[i].is_array() || matrix[i].size() != static_cast<size_t>(num_cols))
      Fail(key, "has to hold " + std::to_string(num_cols) + " numbers in row " + std::to_string(i));
    for (int j = 0; j < num_cols; ++j) {
      const json& value = matrix[i][j];
      if (!value.is_number() || !std::isfinite(value.get<double>()))
        Fail(key, "holds something at [" + std::to_string(i) + "][" + std::to_string(j) +
                      "] that is not a finite number");
      if (value.get<double>() != 0.0) out.push_back({i, j, value.get<double>()});
    }
  }
  return out;
}

// A matrix as parallel arrays.
ordered_json TripletsToJson(const std::vector<Triplet>& matrix) {
  std::vector<int> rows, cols;
  std::vector<double> values;
  for (const Triplet& t : matrix) rows.push_back(t.row), cols.push_back(t.col), values.push_back(t.value);
  return {{"rows", std::move(rows)}, {"cols", std::move(cols)}, {"values", std::move(values)}};
}

// The same by compressed rows.
ordered_json RowsToJson(const std::vector<Triplet>& matrix, int num_rows) {
  std::vector<int> cols;
  std::vector<double> values;
  for (const Triplet& t : matrix) cols.push_back(t.col), values.push_back(t.value);
  return {
      {kRowBegin, FindRowBegins(matrix, num_rows)}, {"cols", std::move(cols)}, {"values", std::move(values)}};
}

// What is infinite becomes null; NaN stays, and is refused when the file is written.
ordered_json BoundsToJson(const VectorXd& bounds) {
  ordered_json out = ordered_json::array();
  for (const double bound : bounds) out.push_back(std::isinf(bound) ? ordered_json() : ordered_json(bound));
  return out;
}

// Signature of HDF5: at the start, or after a user block of 512, 1024, 2048, ... bytes.
bool IsHdf5(const std::string& path) {
  constexpr std::array<char, 8> kSignature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  std::error_code error;
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(path, error));
  std::ifstream in(path, std::ios::binary);
  for (std::streamoff at = 0; !error && at < size; at = at == 0 ? 512 : 2 * at) {
    std::array<char, 8> bytes{};
    if (!in.seekg(at) || !in.read(bytes.data(), bytes.size())) return false;
    if (bytes == kSignature) return true;
  }
  return false;
}

ordered_json ProblemToJson(const ContactProblem& problem, const Solution& warm_start) {
  const ProblemParts parts = SplitProblem(problem, warm_start);
  ordered_json out;
  out["name"] = parts.name;
  out["nv"] = parts.nv();
  for (size_t kind = 0; kind < kRowKinds.size(); ++kind) out[kRowKinds[kind].count_key] = parts.count[kind];
  out["subsystem_of_dof"] = parts.subsystem_of_dof;
  out["A"] = parts.has_sparse_A ? RowsToJson(parts.A, parts.nv()) : TripletsToJson(parts.A);
  out["b"] = ToJson(parts.b);
  out["v_star"] = ToJson(parts.v_star);
  out["J"] = TripletsToJson(parts.J);
  out["mu"] = ToJson(parts.mu);
  out["e"] = ToJson(parts.e);
  out["k_soft"] = ToJson(parts.k_soft);
  out["b_soft"] = ToJson(parts.b_soft);
  out["lower"] = BoundsToJson(parts.lower);
  out["upper"] = BoundsToJson(parts.upper);
  if (!parts.tree.parent.empty()) {
    out["tree"] = {{"parent", parts.tree.parent},         {"motion", ToJson(parts.tree.motion)},
                   {"contact", parts.tree.contact},       {"dofs", parts.tree.dofs},
                   {"points", ToJson(parts.tree.points)}, {"rotation", ToJson(parts.tree.rotation)}};
  }
  if (parts.warm_v.size() > 0) out["warm_start"]["v"] = ToJson(parts.warm_v);
  if (parts.has_warm_start()) out["warm_start"]["lambda"] = ToJson(parts.warm_lambda);
  return out;
}

ProblemFile ParseProblem(const std::string& path, const json& document) {
  const JsonSource file(path, document);
  return BuildProblem(ReadParts(file), file);
}

}  // namespace

ProblemFile ReadProblemJson(const std::string& path) {
  return ParseProblem(path, ReadJsonObject(path));
}

ProblemFile ParseProblemJson(const std::string& text) {
  const std::string name = "(text)";
  return ParseProblem(name, ParseJsonObject(name, text));
}

std::vector<ProblemFile> ReadProblems(const std::string& path) {
  std::error_code error;
  const std::string extension = std::filesystem::path(path).extension();
  const bool is_file = std::filesystem::is_regular_file(path, error);
  if (is_file && IsHdf5(path)) {
#ifdef STICTION_WITH_HDF5
    return ReadProblemsHdf5(path);
#else
    throw LoadError(path, 0, "", "this build reads no HDF5; build it with STICTION_WITH_HDF5");
#endif
  }
  if (is_file && (extension == ".hdf5" || extension == ".h5"))
    throw LoadError(path, 0, "", "is not an HDF5 file");
  std::vector<ProblemFile> problems;
  problems.push_back(ReadProblemJson(path));
  return problems;
}

void WriteProblemJson(const std::string& path, const ContactProblem& problem, const Solution& warm_start) {
  WriteJsonObject(path, ProblemToJson(problem, warm_start));
}

std::string FormatProblemJson(const ContactProblem& problem, const Solution& warm_start) {
  return FormatJsonObject("(text)", ProblemToJson(problem, warm_start));
}

}  // namespace stiction
