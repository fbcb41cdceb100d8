// Logs read back: CSV by strtod, HDF5 by h5py, as users read them.
#include "stiction/io/log.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <csignal>
#include <functional>
#include <limits>
#include <map>
#include <sstream>

#include "tests/support/allocation_counter.h"
#include "tests/support/python.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;
using stiction::testing::PythonResult;
using stiction::testing::RunPython;

// Numbers that a careless writer spoils.
constexpr double kAwkward[] = {0.1,  -0.0, 1.0 / 3.0, 5e-324, -1.7976931348623157e308, 123456789.123456789,
                               2e-17};

class Log : public ::testing::Test {
 protected:
  Log() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / ("stiction_" + std::to_string(getpid()) + "_" + info->name());
    fs::create_directories(folder_);
  }
  ~Log() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  std::string Path(const std::string& name) const { return folder_ / name; }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return std::move(text).str();
  }
  std::string MessageOf(const std::string& name) const {
    try {
      LogWriter::Open(Path(name), MakeHeader());
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "no error";
  }
  static bool HasHdf5() {
    try {
      LogWriter::CheckName("a.h5");
    } catch (const std::runtime_error&) {
      return false;
    }
    return true;
  }
  static bool CanReadHdf5() { return HasHdf5() && stiction::testing::HasPythonModules("h5py"); }

  // Two coordinates and dofs, one control, two geoms, one recorded body with a comma in its name.
  static LogHeader MakeHeader() {
    LogHeader header;
    header.model = "two";
    header.solver = "auto";
    header.timestep = 0.1;
    header.joints = header.coordinates = header.dofs = {"left", "right"};
    header.actuators = {"motor"};
    header.bodies = {"world", "cup, big"};
    header.geoms = {"floor", "cup"};
    header.geom_body = {0, 1};
    header.phases = {"solve", "total"};
    header.step_statuses = {"ok", "budget_missed"};
    header.recorded_bodies = {"cup, big"};
    header.contacts = header.energy = true;
    header.sensors = {"touch", "imu.x"};
    return header;
  }

  // Every number differs from every other, and row i has i % 3 contacts.
  static void Fill(int i, LogRow& row) {
    const auto value = [i](int k) { return kAwkward[(i + k) % std::size(kAwkward)] * (1.0 + 1e-3 * k); };
    row.time = 0.1 * i;
    row.q = Vector2d(value(0), value(1));
    row.v = Vector2d(value(2), value(3));
    row.ctrl.setConstant(1, value(4));
    row.certificate = {value(5), value(6), i, value(7), value(8), value(9), value(40)};
    row.loop = value(10);
    row.solve.iterations = 7 * i;
    row.solve.stage = i % 4;
    row.step_status = i % 2;
    row.num_contacts = i % 3;
    row.penetration = value(11);
    row.phases = {value(12), value(13)};
    row.kinetic = value(14);
    row.potential = value(15);
    row.sensors = Vector2d(value(30), value(31));
    row.bodies.resize(1);
    row.bodies[0].p_WB = Vector3d(value(16), value(17), value(18));
    row.bodies[0].quat_WB = {value(19), value(20), value(21), value(22)};
    row.contacts.resize(i % 3);
    for (LogContact& c : row.contacts)
      c = {0,
           1,
           Vector3d(value(23), value(24), value(25)),
           Vector3d::UnitZ(),
           value(26),
           Vector3d(value(27), value(28), value(29)),
           Vector3d(value(32), value(33), value(34)),
           value(35)};
  }

 private:
  fs::path folder_;
};

std::vector<double> ParseRow(const std::string& line) {
  std::vector<double> numbers;
  std::istringstream cells(line);
  for (std::string cell; std::getline(cells, cell, ',');) {
    char* end = nullptr;
    numbers.push_back(std::strtod(cell.c_str(), &end));
    EXPECT_EQ(*end, '\0') << cell;
  }
  return numbers;
}

void ExpectSameBits(double a, double b, const std::string& what) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b))
      << what << ": " << a << ", " << b;
}

TEST_F(Log, CsvReadsBackBitForBit) {
  LogRow row;
  const auto writer = LogWriter::Open(Path("a.csv"), MakeHeader());
  for (int i = 0; i < 20; ++i) {
    Fill(i, row);
    writer->Append(row);
  }
  writer->Close();
  std::istringstream text(Read("a.csv"));
  std::string title, line;
  std::getline(text, title);
  EXPECT_EQ(
      title.find(
          "time,q:left,q:right,v:left,v:right,contacts,iterations,ncp_max,penetration,step_us,ctrl:motor,"),
      0u)
      << title;
  EXPECT_NE(title.find(",kinetic_energy,potential_energy,\"cup, big.x\",\"cup, big.y\""), std::string::npos);
  EXPECT_TRUE(title.ends_with("\"cup, big.qz\",sensor.touch,sensor.imu.x")) << title;
  for (int i = 0; i < 20; ++i) {
    Fill(i, row);
    ASSERT_TRUE(std::getline(text, line));
    const std::vector<double> n = ParseRow(line);
    const double leading[] = {row.time,
                              row.q[0],
                              row.q[1],
                              row.v[0],
                              row.v[1],
                              double(row.num_contacts),
                              double(row.solve.iterations),
                              row.certificate.ncp_max,
                              row.penetration,
                              1e6 * row.phases[1],
                              row.ctrl[0],
                              row.certificate.ncp_mean};
    for (std::size_t k = 0; k < std::size(leading); ++k) ExpectSameBits(n[k], leading[k], std::to_string(k));
    const double last[] = {row.kinetic,
                           row.potential,
                           row.bodies[0].p_WB.x(),
                           row.bodies[0].p_WB.y(),
                           row.bodies[0].p_WB.z(),
                           row.bodies[0].quat_WB[0],
                           row.bodies[0].quat_WB[1],
                           row.bodies[0].quat_WB[2],
                           row.bodies[0].quat_WB[3],
                           row.sensors[0],
                           row.sensors[1]};
    for (std::size_t k = 0; k < std::size(last); ++k)
      ExpectSameBits(n[n.size() - std::size(last) + k], last[k], "last " + std::to_string(k));
  }
  EXPECT_FALSE(std::getline(text, line));
}

TEST_F(Log, CsvKeepsNumbersThatAreNotFinite) {
  LogRow row;
  Fill(1, row);
  row.q = Vector2d(std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity());
  const auto writer = LogWriter::Open(Path("a.csv"), MakeHeader());
  writer->Append(row);
  writer->Close();
  const std::string text = Read("a.csv");
  const std::vector<double> n =
      ParseRow(text.substr(text.find('\n') + 1, text.rfind('\n') - text.find('\n') - 1));
  EXPECT_TRUE(std::isnan(n[1]));
  EXPECT_EQ(n[2], -std::numeric_limits<double>::infinity());
}

// Prints every number of a log as its bits: the dataset, then a row per line.
constexpr const char* kDump = R"(
import h5py, sys
def show(name, d):
    if not isinstance(d, h5py.Dataset) or name.startswith('names'): return
    assert d.attrs['unit'] and d.attrs['description'], name
    print(name + ' ', *(float(x).hex() for x in d[()].ravel()))
with h5py.File(sys.argv[1], 'r', **({'swmr': True} if 'swmr' in sys.argv else {})) as f:
    f.visititems(show)
    print('names', list(f['names/bodies'].asstr()), list(f['names/geom_body']), f.attrs['timestep'], f.attrs['solver'],
          f.attrs['format'], f.attrs['format_version'], f['solver/step_status'].attrs['values'],
          list(f['names/sensors'].asstr()))
)";

// What kDump prints of one dataset.
std::vector<double> NumbersOf(const std::string& dump, const std::string& name) {
  const std::size_t start = ("\n" + dump).find("\n" + name + " ");
  EXPECT_NE(start, std::string::npos) << name << " in " << dump.substr(0, 400);
  if (start == std::string::npos) return {};
  std::istringstream words(dump.substr(start + name.size(), dump.find('\n', start) - start - name.size()));
  std::vector<double> numbers;
  for (std::string word; words >> word;) numbers.push_back(std::strtod(word.c_str(), nullptr));
  return numbers;
}

void ExpectDump(const std::string& dump, const std::string& name, const std::vector<double>& expected) {
  const std::vector<double> numbers = NumbersOf(dump, name);
  ASSERT_EQ(numbers.size(), expected.size()) << name;
  for (std::size_t i = 0; i < expected.size(); ++i) ExpectSameBits(numbers[i], expected[i], name);
}

TEST_F(Log, Hdf5ReadsBackBitForBit) {
  if (!CanReadHdf5()) GTEST_SKIP() << "needs HDF5, and h5py in " << stiction::testing::kPython;
  constexpr int kRows = 1500;  // more than a block, and than a chunk
  LogRow row;
  std::map<std::string, std::vector<double>> expected;
  const auto writer = LogWriter::Open(Path("a.h5"), MakeHeader());
  double first = 0;
  for (int i = 0; i < kRows; ++i) {
    Fill(i, row);
    writer->Append(row);
    const auto add = [&expected](const char* name, auto... values) {
      (expected[name].push_back(static_cast<double>(values)), ...);
    };
    add("time", row.time);
    add("q", row.q[0], row.q[1]);
    add("v", row.v[0], row.v[1]);
    add("ctrl", row.ctrl[0]);
    const Certificate& c = row.certificate;
    add("certificate/ncp_max", c.ncp_max);
    add("certificate/ncp_mean", c.ncp_mean);
    add("certificate/worst_constraint", c.worst_constraint);
    add("certificate/canal", c.canal);
    add("certificate/own_law", c.own_law);
    add("certificate/momentum", c.momentum);
    add("certificate/loop", row.loop);
    add("solver/iterations", row.solve.iterations);
    add("solver/stage", row.solve.stage);
    add("solver/step_status", row.step_status);
    add("penetration", row.penetration);
    add("phases/solve", row.phases[0]);
    add("phases/total", row.phases[1]);
    add("sensors", row.sensors[0], row.sensors[1]);
    add("energy/kinetic", row.kinetic);
    add("energy/potential", row.potential);
    const LogPose& pose = row.bodies[0];
    add("bodies/pos", pose.p_WB.x(), pose.p_WB.y(), pose.p_WB.z());
    add("bodies/quat", pose.quat_WB[0], pose.quat_WB[1], pose.quat_WB[2], pose.quat_WB[3]);
    add("contacts/first", first);
    add("contacts/count", row.contacts.size());
    first += static_cast<double>(row.contacts.size());
    for (const LogContact& k : row.contacts) {
      add("contacts/geom_a", k.geom_a);
      add("contacts/body_b", 1);
      add("contacts/gap", k.gap);
      add("contacts/area", k.area);
      add("contacts/pos", k.p_W.x(), k.p_W.y(), k.p_W.z());
      add("contacts/normal", k.n_W.x(), k.n_W.y(), k.n_W.z());
      add("contacts/impulse", k.impulse_W.x(), k.impulse_W.y(), k.impulse_W.z());
      add("contacts/moment", k.moment_W.x(), k.moment_W.y(), k.moment_W.z());
    }
  }
  writer->Close();
  const PythonResult dump = RunPython(kDump, Path(""), "a.h5");
  ASSERT_EQ(dump.code, 0) << dump.out;
  for (const auto& [name, numbers] : expected) ExpectDump(dump.out, name, numbers);
  EXPECT_NE(dump.out.find("names ['world', 'cup, big'] [0, 1] 0.1 auto stiction-log 1 0 ok, 1 budget_missed "
                          "['touch', 'imu.x']"),
            std::string::npos);
}

TEST_F(Log, Hdf5TakesModelsWithoutDofsOrContacts) {
  if (!CanReadHdf5()) GTEST_SKIP() << "needs HDF5 and h5py";
  LogHeader header;
  header.phases = {"total"};
  header.contacts = true;
  LogRow row;
  row.phases = {1.0};
  const auto writer = LogWriter::Open(Path("a.h5"), header);
  for (int i = 0; i < 3; ++i) writer->Append(row);
  writer->Close();
  const PythonResult shapes = RunPython(
      "import h5py; f = h5py.File('a.h5', 'r')\n"
      "print(*(f[k].shape for k in ('time', 'q', 'ctrl', 'contacts/gap', 'contacts/count', 'names/dofs')))",
      Path(""));
  EXPECT_EQ(shapes.out, "(3,) (3, 0) (3, 0) (0,) (3,) (0,)\n");
}

TEST_F(Log, Hdf5IsReadWhileItGrows) {
  if (!CanReadHdf5()) GTEST_SKIP() << "needs HDF5 and h5py";
  LogRow row;
  std::vector<double> times;
  const auto writer = LogWriter::Open(Path("a.h5"), MakeHeader());
  for (const int upto : {0, 3, 700, 2500}) {
    while (static_cast<int>(times.size()) < upto) {
      Fill(static_cast<int>(times.size()), row);
      writer->Append(row);
      times.push_back(row.time);
    }
    writer->Flush();
    for (const char* mode : {"", "swmr"}) {
      const PythonResult dump = RunPython(kDump, Path(""), std::string("a.h5 ") + mode);
      ASSERT_EQ(dump.code, 0) << mode << dump.out;
      ExpectDump(dump.out, "time", times);
    }
  }
}

// What a run writes can be watched: rows reach the file by and by, long before a block is full. When exactly
// is the clock's affair; that all rows up to the last one come together is not.
TEST_F(Log, RowsAppearWithoutFlushBeforeABlockIsFull) {
  LogRow row;
  Fill(1, row);
  const auto writer = LogWriter::Open(Path("a.csv"), MakeHeader());
  const auto lines = [&] {
    const std::string text = Read("a.csv");
    return std::count(text.begin(), text.end(), '\n');
  };
  int rows = 0;
  while (lines() == 1) {
    ASSERT_LT(rows, 300) << "no row has come in half a minute";
    writer->Append(row);
    ++rows;
    usleep(100'000);
  }
  EXPECT_EQ(lines(), 1 + rows);
  EXPECT_LT(Read("a.csv").size(), 1u << 16) << "a block was full";
}

TEST_F(Log, NamesThatCannotBeWrittenAreErrors) {
  EXPECT_NE(MessageOf("a.txt").find("a.txt: the name of a log ends in .csv, .h5 or .hdf5"),
            std::string::npos);
  EXPECT_NE(MessageOf("csv").find("ends in .csv"), std::string::npos);
  std::ofstream(Path("file")) << "text";
  // Below a regular file: a folder without permission would not stop root.
  EXPECT_NE(MessageOf("file/a.csv").find("file/a.csv: Not a directory"), std::string::npos);
  EXPECT_NE(MessageOf("no/a.csv").find("no/a.csv: No such file or directory"), std::string::npos);
  fs::create_directories(Path("folder.csv"));
  EXPECT_NE(MessageOf("folder.csv").find("folder.csv: Is a directory"), std::string::npos);
  if (!HasHdf5()) {
    EXPECT_NE(MessageOf("a.h5").find("HDF5 is not built in"), std::string::npos);
    return;
  }
  EXPECT_NE(MessageOf("file/a.h5").find("file/a.h5: Not a directory"), std::string::npos);
  EXPECT_NE(MessageOf("no/a.hdf5").find("no/a.hdf5: No such file or directory"), std::string::npos);
}

TEST_F(Log, FullDeviceIsAnErrorAtOnce) {
  for (const char* name : {"full.csv", "full.h5"}) {
    if (!HasHdf5() && std::string(name) == "full.h5") continue;
    fs::create_symlink("/dev/full", Path(name));
    EXPECT_NE(MessageOf(name).find("No space left on device"), std::string::npos) << MessageOf(name);
  }
}

// While it lives, files cannot grow beyond `bytes`.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit old_{};
};

// Appends until the disk is full. Returns the message.
std::string AppendUntilFull(LogWriter& writer, const std::function<void(int, LogRow&)>& fill, rlim_t bytes) {
  const FileLimit limit(bytes);
  LogRow row;
  try {
    for (int i = 0; i < 100'000; ++i) {
      fill(i, row);
      writer.Append(row);
    }
  } catch (const std::runtime_error& error) {
    EXPECT_NO_THROW(writer.Append(row));
    EXPECT_NO_THROW(writer.Flush());
    return error.what();
  }
  return "no error";
}

TEST_F(Log, FullDiskLeavesWholeRowsOfCsv) {
  const auto writer = LogWriter::Open(Path("a.csv"), MakeHeader());
  const std::string message = AppendUntilFull(*writer, Fill, 200'000);
  EXPECT_NE(message.find("a.csv: File too large"), std::string::npos) << message;
  const std::string text = Read("a.csv");
  EXPECT_LE(text.size(), 200'000u);
  EXPECT_GT(text.size(), 195'000u);
  EXPECT_EQ(text.back(), '\n');
  const std::size_t last = text.rfind('\n', text.size() - 2);
  EXPECT_EQ(ParseRow(text.substr(last + 1, text.size() - last - 2)).size(),
            std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find('\n')), ',') + 1 -
                7);  // the quoted commas in the title
}

TEST_F(Log, FullDiskLeavesReadableHdf5) {
  if (!CanReadHdf5()) GTEST_SKIP() << "needs HDF5 and h5py";
  for (const rlim_t bytes : {400'000, 1'000'000, 3'000'000}) {
    const auto writer = LogWriter::Open(Path("a.h5"), MakeHeader());
    const std::string message = AppendUntilFull(*writer, Fill, bytes);
    EXPECT_NE(message.find("a.h5: File too large"), std::string::npos) << message;
    const PythonResult dump = RunPython(kDump, Path(""), "a.h5");
    ASSERT_EQ(dump.code, 0) << dump.out;
    const std::vector<double> times = NumbersOf(dump.out, "time");
    EXPECT_GE(times.size(), bytes > 500'000 ? 1024u : 0u) << bytes;
    for (std::size_t i = 0; i < times.size(); ++i)
      ExpectSameBits(times[i], 0.1 * static_cast<double>(i), "time");
  }
}

TEST_F(Log, AppendAllocatesNothing) {
  if (!stiction::testing::CanCountAllocations()) GTEST_SKIP() << "malloc belongs to a sanitizer";
  LogRow row;
  for (const char* name : {"a.csv", "a.h5"}) {
    if (!HasHdf5() && std::string(name) == "a.h5") continue;
    const auto writer = LogWriter::Open(Path(name), MakeHeader());
    Fill(2, row);
    // CSV throughout; for HDF5, whose library allocates, between the blocks of rows.
    const int rows = std::string(name) == "a.csv" ? 5000 : 500;
    for (int i = 0; i < rows; ++i) writer->Append(row);
    writer->Flush();
    const long before = stiction::testing::CountAllocations();
    for (int i = 0; i < rows; ++i) writer->Append(row);
    EXPECT_EQ(stiction::testing::CountAllocations() - before, 0) << name;
  }
}

}  // namespace
}  // namespace stiction
