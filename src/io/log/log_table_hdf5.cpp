#ifdef STICTION_WITH_HDF5
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "io/hdf5/group.h"
#include "io/log/columns.h"
#include "io/log/hdf5.h"
#include "io/log/log_table_source.h"
#include "stiction/math/types.h"

namespace stiction {
namespace {

constexpr double kPerMicrosecond = 1e6;

// A dataset of numbers with its extents: [rows, columns, ...].
struct Dataset {
  std::vector<std::size_t> extents;
  std::vector<double> values;
};

}  // namespace

class LogTable::Hdf5Source final : public LogTable::Source {
 public:
  explicit Hdf5Source(const std::string& path) : file_(path) {
    if (!file_.Has("time") || !file_.Has("q"))
      throw LoadError(path, 0, "", "not a log: it has no /time and /q");
    file_.CheckVersion(kLogVersion);
  }

  void Describe(LogTable& out) override {
    time(out) = file_.GetNumbers("time");
    std::optional<Budget> budget;
    if (const std::optional<double> absolute = file_.GetNumberAttribute("budget"))
      budget = Budget(*absolute, file_.GetNumberAttribute("budget_relative").value_or(0.0));
    SetFacts(out, file_.GetAttribute("model"), file_.GetAttribute("solver"), budget);
    AddEntries(out, "q", "coordinates", "", "position");
    AddEntries(out, "v", "dofs", "/s", "velocity");
    AddNamed(out, "ctrl", "actuators", "ctrl:", "of the actuator", "control");
    for (const LogColumn& column : kLogColumns) AddColumn(out, column);
    for (const LogColumn& column : kEnergyColumns) AddColumn(out, column);
    if (Has("/energy/kinetic") && Has("/energy/potential")) {
      Add(out, {"energy", "J", "kinetic and potential energy"}, [this](std::size_t n) {
        std::vector<double> sum = ReadColumn("/energy/kinetic", 0, n);
        const std::vector<double> potential = ReadColumn("/energy/potential", 0, n);
        for (std::size_t i = 0; i < n; ++i) sum[i] += potential[i];
        return sum;
      });
    }
    for (const LogColumn& column : kPullColumns) AddColumn(out, column);
    AddPhases(out);
    AddNamed(out, "sensors", "sensors", "sensor:", "of the sensor", "");
    AddPoses(out);
    AddForces(out);
  }

  std::vector<double> Read(std::size_t i, std::size_t num_rows) override { return readers_[i](num_rows); }

 private:
  using Reader = std::function<std::vector<double>(std::size_t)>;

  void Add(LogTable& out, const LogSeries& column, Reader reader) {
    series(out).push_back(column);
    readers_.push_back(std::move(reader));
  }

  // The group that holds "/solver/sweeps" and the name there.
  std::pair<Hdf5Group, std::string> Locate(const std::string& path) const {
    const std::size_t slash = path.find('/', 1);
    if (slash == std::string::npos) return {file_, path.substr(1)};
    return {file_.GetGroup(path.substr(1, slash - 1).c_str()), path.substr(slash + 1)};
  }
  bool Has(const std::string& path) const {
    const std::size_t slash = path.find('/', 1);
    if (slash != std::string::npos && !file_.Has(path.substr(1, slash - 1).c_str())) return false;
    const auto [group, name] = Locate(path);
    return group.Has(name.c_str());
  }

  const Dataset& Load(const std::string& path) {
    const auto known = datasets_.find(path);
    if (known != datasets_.end()) return known->second;
    const auto [group, name] = Locate(path);
    Dataset data;
    data.values = group.GetArray(name.c_str(), data.extents);
    return datasets_.emplace(path, std::move(data)).first->second;
  }

  // Column `column` of the dataset, all its dimensions but the first taken as one; of `n` rows.
  std::vector<double> ReadColumn(const std::string& path, std::size_t column, std::size_t n) {
    const Dataset& data = Load(path);
    const std::size_t width = CountColumns(data.extents);
    if (data.extents.empty() || data.extents[0] < n || column >= width)
      file_.Fail(path, "shorter than /time, or of fewer columns than names");
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = data.values[i * width + column];
    return values;
  }
  static std::size_t CountColumns(const std::vector<std::size_t>& extents) {
    std::size_t width = 1;
    for (std::size_t i = 1; i < extents.size(); ++i) width *= extents[i];
    return width;
  }

  std::vector<std::string> Names(const char* key) const {
    if (!file_.Has("names")) return {};
    const Hdf5Group names = file_.GetGroup("names");
    return names.Has(key) ? names.GetNames(key) : std::vector<std::string>{};
  }

  void AddColumn(LogTable& out, const LogColumn& column) {
    const std::string path = column.path;
    if (!Has(path)) return;
    Add(out, {std::string(column.name), column.unit, column.description},
        [this, path](std::size_t n) { return ReadColumn(path, 0, n); });
  }

  void AddEntries(LogTable& out, const char* letter, const char* names, const char* rate,
                  const char* description) {
    const std::string path = std::string("/") + letter;
    const std::vector<std::string> entries = Names(names);
    for (std::size_t k = 0; k < entries.size(); ++k)
      Add(out, {letter + (":" + entries[k]), UnitOfEntry(entries[k], rate), description},
          [this, path, k](std::size_t n) { return ReadColumn(path, k, n); });
  }

  void AddNamed(LogTable& out, const char* key, const char* names, const std::string& prefix,
                const char* unit, const char* description) {
    if (!file_.Has(key)) return;
    const std::vector<std::string> entries = Names(names);
    for (std::size_t k = 0; k < entries.size(); ++k)
      Add(out, {prefix + entries[k], unit, description},
          [this, path = "/" + std::string(key), k](std::size_t n) { return ReadColumn(path, k, n); });
  }

  void AddPhases(LogTable& out) {
    if (!file_.Has("phases")) return;
    for (const std::string& phase : file_.GetGroup("phases").ListDatasets()) {
      const bool is_total = phase == "total";
      Add(out,
          {is_total ? "step_us" : phase + "_us", "µs",
           is_total ? "wall time of the step" : "wall time of this part of the step"},
          [this, path = "/phases/" + phase](std::size_t n) {
            std::vector<double> values = ReadColumn(path, 0, n);
            for (double& value : values) value *= kPerMicrosecond;
            return values;
          });
    }
  }

  void AddPoses(LogTable& out) {
    if (!file_.Has("bodies")) return;
    const std::vector<std::string> bodies = Names("recorded_bodies");
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      for (std::size_t k = 0; k < 7; ++k) {
        static constexpr const char* kEnds[] = {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"};
        const std::string path = k < 3 ? "/bodies/pos" : "/bodies/quat";
        const std::size_t column = k < 3 ? 3 * b + k : 4 * b + k - 3;
        Add(out, {"body:" + bodies[b] + kEnds[k], k < 3 ? "m" : "1", "pose in world axes"},
            [this, path, column](std::size_t n) { return ReadColumn(path, column, n); });
      }
    }
  }

  // Of the bodies that anything touches in the log.
  void AddForces(LogTable& out) {
    const std::optional<double> timestep = file_.GetNumberAttribute("timestep");
    const std::vector<std::string> bodies = Names("bodies");
    if (!file_.Has("contacts") || bodies.empty() || !timestep || !(*timestep > 0.0)) return;
    const int last = static_cast<int>(bodies.size()) - 1;
    const Hdf5Group group = file_.GetGroup("contacts");
    body_a_ = group.GetIntegers("body_a", 0, last), body_b_ = group.GetIntegers("body_b", 0, last);
    std::set<int> touched(body_a_.begin(), body_a_.end());
    touched.insert(body_b_.begin(), body_b_.end());
    touched.erase(0);  // the world
    for (const int body : touched)
      Add(out,
          {"force:" + bodies[static_cast<std::size_t>(body)], "N", "norm of the sum of the contact forces"},
          [this, body, dt = *timestep](std::size_t n) { return CalcForce(body, dt, n); });
  }

  std::vector<double> CalcForce(int body, double dt, std::size_t n) {
    const std::vector<double> first = ReadColumn("/contacts/first", 0, n),
                              count = ReadColumn("/contacts/count", 0, n);
    const Dataset& impulse = Load("/contacts/impulse");
    const std::size_t size = std::min({impulse.values.size() / 3, body_a_.size(), body_b_.size()});
    std::vector<double> force(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      if (!(first[i] >= 0.0 && count[i] >= 0.0 && first[i] + count[i] <= static_cast<double>(size)))
        file_.Fail("contacts/first", "a row's contacts end beyond the last one");
      Vector3d sum = Vector3d::Zero();
      const auto begin = static_cast<std::size_t>(first[i]);
      for (std::size_t k = begin; k < begin + static_cast<std::size_t>(count[i]); ++k) {
        const double sign = (body_b_[k] == body) - (body_a_[k] == body);
        sum += sign * Vector3d(impulse.values[3 * k], impulse.values[3 * k + 1], impulse.values[3 * k + 2]);
      }
      force[i] = sum.norm() / dt;
    }
    return force;
  }

  Hdf5Group file_;
  std::vector<Reader> readers_;
  std::map<std::string, Dataset> datasets_;
  std::vector<int> body_a_, body_b_;  // of all contacts
};

std::unique_ptr<LogTable::Source> LogTable::Source::OpenHdf5(const std::string& path) {
  return std::make_unique<Hdf5Source>(path);
}

}  // namespace stiction
#endif
