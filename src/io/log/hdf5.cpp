#ifdef STICTION_WITH_HDF5
#include "io/log/hdf5.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "io/log/columns.h"
#include "io/log/hdf5_driver.h"
#include "io/log/hdf5_table.h"
#include "io/model_source_json.h"

namespace stiction {
namespace {

constexpr std::chrono::seconds kFlushInterval{1};
constexpr std::size_t kBlockRows = 1024;
constexpr std::size_t kBlockBytes = std::size_t{4} << 20;
constexpr std::size_t kRowChunk = 256;                               // a short log stays a small file
constexpr std::size_t kContactChunk = 2048;                          // contacts are many: entries, not rows
constexpr auto kReplace = nlohmann::json::error_handler_t::replace;  // what is not UTF-8 of a path

std::string JoinNumbered(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(i) + " " + names[i];
  return text;
}

std::vector<std::string> SolveStatusNames() {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(SolveStatus::kUnsupported); ++i)
    names.push_back(ToString(static_cast<SolveStatus>(i)));
  return names;
}

class Hdf5LogWriter final : public LogWriter {
 public:
  Hdf5LogWriter(const std::string& path, const LogHeader& header);
  ~Hdf5LogWriter() override;

  void Append(const LogRow& row) override;
  void Flush() override;
  void Close() override;

 private:
  using Clock = std::chrono::steady_clock;

  void WriteHeader(const std::string& path, const LogHeader& header);
  void CreateTables(const LogHeader& header);
  void CreateContactTables();
  Hdf5Table& AddTable(const char* path, std::vector<hsize_t> shape, const char* unit, const char* description,
                      hid_t type = H5T_IEEE_F64LE);
  void AddContacts(const std::vector<LogContact>& contacts);
  void WriteBlock();
  void CloseFile();

  LogFile disk_;
  Hdf5File file_;
  std::vector<int> geom_body_;
  bool has_contacts_, has_energy_, has_pulls_, has_sensors_;

  // Tables in the order in which they are written: what a row refers to first, /time last. Append fills them
  // in the same order.
  std::vector<Hdf5Table> contact_tables_;  // one entry per contact
  std::vector<Hdf5Table> row_tables_;      // one entry per row
  std::size_t next_table_ = 0;             // of row_tables_, while a row is appended
  std::size_t block_rows_ = kBlockRows;
  std::size_t num_pending_ = 0;
  std::int64_t num_contacts_ = 0;  // appended so far
  Clock::time_point last_write_ = Clock::now();
};

Hdf5LogWriter::Hdf5LogWriter(const std::string& path, const LogHeader& header)
    : disk_(path),
      file_(path, disk_),
      geom_body_(header.geom_body),
      has_contacts_(header.contacts),
      has_energy_(header.energy),
      has_pulls_(header.pulls),
      has_sensors_(!header.sensors.empty()) {
  const QuietHdf5 quiet;
  WriteHeader(path, header);
  CreateTables(header);
  file_.StartSwmr();
  WriteBlock();
}

Hdf5LogWriter::~Hdf5LogWriter() {
  try {
    Close();
  } catch (const std::exception&) {  // Close() is there to be told
  }
}

void Hdf5LogWriter::WriteHeader(const std::string& path, const LogHeader& header) {
  file_.SetAttribute("format", "stiction-log");
  file_.SetAttribute("format_version", kLogVersion);
  file_.SetAttribute("engine", "stiction");
  file_.SetAttribute("engine_version", STICTION_VERSION);
  file_.SetAttribute("model", header.model);
  file_.SetAttribute("solver", header.solver);
  file_.SetAttribute("timestep", header.timestep);
  if (header.budget) file_.SetAttribute("budget", header.budget->absolute);
  if (header.budget && header.budget->relative > 0.0)
    file_.SetAttribute("budget_relative", header.budget->relative);
  if (!header.source.file.empty())
    file_.SetAttribute(kModelSourceKey, ToJson(header.source, path).dump(-1, ' ', true, kReplace));
  file_.WriteNames("/names/joints", header.joints, "one a joint");
  file_.WriteNames("/names/coordinates", header.coordinates, "one an entry of q");
  file_.WriteNames("/names/dofs", header.dofs, "one an entry of v");
  file_.WriteNames("/names/actuators", header.actuators, "one an entry of ctrl");
  file_.WriteNames("/names/bodies", header.bodies, "0 is the world");
  file_.WriteNames("/names/geoms", header.geoms, "one a geom");
  file_.WriteNames("/names/recorded_bodies", header.recorded_bodies, "one an entry of /bodies");
  if (has_sensors_) file_.WriteNames("/names/sensors", header.sensors, "one an entry of /sensors");
  file_.WriteIntegers("/names/geom_body", header.geom_body, "body of each geom");
}

Hdf5Table& Hdf5LogWriter::AddTable(const char* path, std::vector<hsize_t> shape, const char* unit,
                                   const char* description, hid_t type) {
  row_tables_.emplace_back(file_, path, std::move(shape), type, kRowChunk);
  row_tables_.back().Describe(unit, description);
  return row_tables_.back();
}

void Hdf5LogWriter::CreateTables(const LogHeader& header) {
  if (has_contacts_) CreateContactTables();
  const auto size = [](const std::vector<std::string>& names) { return static_cast<hsize_t>(names.size()); };
  AddTable("/q", {size(header.coordinates)}, "m, rad or 1", "generalised position at the end of the step")
      .SetAttribute("names", "/names/coordinates");
  AddTable("/v", {size(header.dofs)}, "m/s or rad/s", "generalised velocity at the end of the step")
      .SetAttribute("names", "/names/dofs");
  AddTable("/ctrl", {size(header.actuators)}, "of the actuator", "control that acted in the step")
      .SetAttribute("names", "/names/actuators");
  const auto add_columns = [this](const auto& columns) {
    for (const LogColumn& column : columns)
      AddTable(column.path, {}, column.unit, column.description,
               column.is_integer ? H5T_STD_I32LE : H5T_IEEE_F64LE);
  };
  add_columns(kLogColumns);
  file_.SetAttribute("values", JoinNumbered(header.step_statuses), "/solver/step_status");
  file_.SetAttribute("values", JoinNumbered(SolveStatusNames()), "/solver/status");
  for (const std::string& phase : header.phases)
    AddTable(("/phases/" + phase).c_str(), {}, "s", "wall time of this part of the step");
  if (has_energy_) add_columns(kEnergyColumns);
  if (has_pulls_) add_columns(kPullColumns);
  if (has_sensors_)
    AddTable("/sensors", {size(header.sensors)}, "of the sensor", "values of the sensors after the step")
        .SetAttribute("names", "/names/sensors");
  if (!header.recorded_bodies.empty()) {
    const hsize_t count = size(header.recorded_bodies);
    AddTable("/bodies/pos", {count, 3}, "m", "position in world axes, at the end of the step");
    AddTable("/bodies/quat", {count, 4}, "1", "orientation in world axes as quaternion w, x, y, z");
  }
  AddTable("/time", {}, "s", "time at the end of the step; grows last");

  std::size_t row_bytes = 0;
  for (const Hdf5Table& table : row_tables_) row_bytes += table.entry_bytes();
  block_rows_ = std::clamp(kBlockBytes / row_bytes, std::size_t{1}, kBlockRows);
  for (Hdf5Table& table : row_tables_) table.Reserve(block_rows_);
}

void Hdf5LogWriter::CreateContactTables() {
  const auto add = [this](const char* path, std::vector<hsize_t> shape, const char* unit,
                          const char* description, hid_t type = H5T_IEEE_F64LE) {
    contact_tables_.emplace_back(file_, path, std::move(shape), type, kContactChunk);
    contact_tables_.back().Describe(unit, description);
  };
  add("/contacts/geom_a", {}, "1", "geom A, of /names/geoms", H5T_STD_I32LE);
  add("/contacts/geom_b", {}, "1", "geom B, of /names/geoms", H5T_STD_I32LE);
  add("/contacts/body_a", {}, "1", "body of geom A, of /names/bodies", H5T_STD_I32LE);
  add("/contacts/body_b", {}, "1", "body of geom B, of /names/bodies", H5T_STD_I32LE);
  add("/contacts/pos", {3}, "m", "contact point in world axes");
  add("/contacts/normal", {3}, "1", "unit normal from A to B in world axes");
  add("/contacts/gap", {}, "m", "signed distance at the start of the step, negative when overlapping");
  add("/contacts/impulse", {3}, "N.s",
      "impulse on B in world axes; of a divided step that of its last part, as if for all of it");
  add("/contacts/moment", {3}, "N.m.s", "torsional and rolling friction on B in world axes");
  add("/contacts/area", {}, "m2", "of a piece of a patch of compliant bodies; 0: a point");
  AddTable("/contacts/first", {}, "1", "index of the row's first contact", H5T_STD_I64LE);
  AddTable("/contacts/count", {}, "1", "number of the row's contacts", H5T_STD_I32LE);
}

void Hdf5LogWriter::AddContacts(const std::vector<LogContact>& contacts) {
  for (const LogContact& contact : contacts) {
    std::size_t table = 0;
    const auto add = [&](auto&&... values) { contact_tables_[table++].Add(values...); };
    add(contact.geom_a);
    add(contact.geom_b);
    add(geom_body_[contact.geom_a]);
    add(geom_body_[contact.geom_b]);
    add(contact.p_W.data(), 3);
    add(contact.n_W.data(), 3);
    add(contact.gap);
    add(contact.impulse_W.data(), 3);
    add(contact.moment_W.data(), 3);
    add(contact.area);
  }
  row_tables_[next_table_++].Add(static_cast<double>(num_contacts_));
  row_tables_[next_table_++].Add(static_cast<double>(contacts.size()));
  num_contacts_ += static_cast<std::int64_t>(contacts.size());
}

void Hdf5LogWriter::Append(const LogRow& row) {
  if (!file_.is_open() || disk_.failed()) return;
  next_table_ = 0;
  const auto next = [this]() -> Hdf5Table& { return row_tables_[next_table_++]; };
  if (has_contacts_) AddContacts(row.contacts);
  for (const VectorXd* vector : {&row.q, &row.v, &row.ctrl}) next().Add(vector->data(), vector->size());
  for (const LogColumn& column : kLogColumns) next().Add(column.value(row));
  for (const double phase : row.phases) next().Add(phase);
  if (has_energy_) {
    for (const LogColumn& column : kEnergyColumns) next().Add(column.value(row));
  }
  if (has_pulls_) {
    for (const LogColumn& column : kPullColumns) next().Add(column.value(row));
  }
  if (has_sensors_) next().Add(row.sensors.data(), row.sensors.size());
  if (!row.bodies.empty()) {
    Hdf5Table &pos = next(), &quat = next();
    for (const LogPose& pose : row.bodies) {
      pos.Add(pose.p_WB.data(), 3);
      quat.Add(pose.quat_WB.data(), 4);
    }
  }
  next().Add(row.time);
  ++num_pending_;
  const bool is_full =
      num_pending_ >= block_rows_ || (has_contacts_ && contact_tables_.back().pending_bytes() > kBlockBytes);
  if (is_full || Clock::now() - last_write_ > kFlushInterval) Flush();
}

// Every table, then the superblock; before that, the file is made to end where the block can end at most.
void Hdf5LogWriter::WriteBlock() {
  std::int64_t end = disk_.end();
  for (const Hdf5Table& table : contact_tables_) end += table.pending_file_bytes();
  for (const Hdf5Table& table : row_tables_) end += table.pending_file_bytes();
  Seal(disk_, end);
  for (Hdf5Table& table : contact_tables_) table.Write();
  for (Hdf5Table& table : row_tables_) table.Write(num_pending_);
  num_pending_ = 0;
  last_write_ = Clock::now();
  disk_.ThrowIfFailed();
}

void Hdf5LogWriter::Flush() {
  if (!file_.is_open() || num_pending_ == 0) return;
  const QuietHdf5 quiet;
  try {
    WriteBlock();
  } catch (const std::exception&) {
    CloseFile();
    throw;
  }
}

void Hdf5LogWriter::Close() {
  if (!file_.is_open()) return;
  Flush();
  const QuietHdf5 quiet;
  CloseFile();
  disk_.ThrowIfFailed();
}

// HDF5 writes its own superblock while it closes; after an error that is held back, as every write is.
void Hdf5LogWriter::CloseFile() {
  contact_tables_.clear();
  row_tables_.clear();
  file_.Close();
  if (disk_.failed()) Seal(disk_, disk_.end());
}

}  // namespace

std::unique_ptr<LogWriter> OpenHdf5Log(const std::string& path, const LogHeader& header) {
  return std::make_unique<Hdf5LogWriter>(path, header);
}

}  // namespace stiction
#endif
