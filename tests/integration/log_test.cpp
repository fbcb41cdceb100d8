// `stiction run --log`, as users meet it: Python reads the log, the run is killed, the disk is full.
#include "tests/integration/run_program.h"
#include "tests/support/python.h"

namespace stiction {
namespace {

using nlohmann::json;
using stiction::testing::HasPythonModules;
using stiction::testing::PythonResult;
using stiction::testing::RunPython;

class RunnerLog : public ProgramTest {
 protected:
  RunnerLog() { Write("boxes.xml", kBoxes); }

  bool HasHdf5() const { return Run("run boxes.xml --time 0 --quiet --log probe.h5").code == 0; }
  PythonResult Python(const std::string& script, const std::string& arguments = "") const {
    return RunPython(script, folder(), arguments);
  }
};

#define SKIP_WITHOUT_HDF5_AND_H5PY()                        \
  if (!HasHdf5()) GTEST_SKIP() << "this build has no HDF5"; \
  if (!HasPythonModules("h5py")) GTEST_SKIP() << stiction::testing::kPython << " has no h5py"

// The lines of the block of code that follows a marker comment in the README.
std::string ExtractFromReadme(const std::string& marker) {
  std::ifstream readme(STICTION_SOURCE_DIR "/README.md");
  std::string line, code;
  while (std::getline(readme, line) && line != "<!-- tested: " + marker + " -->") {
  }
  std::getline(readme, line);
  if (line != "```python") return "";
  while (std::getline(readme, line) && line != "```") code += line + '\n';
  return code;
}

TEST_F(RunnerLog, ReadmePlotsTheCertificate) {
  const std::string script = ExtractFromReadme("plot_certificate");
  ASSERT_NE(script, "") << "README.md has lost its snippet";
  SKIP_WITHOUT_HDF5_AND_H5PY();
  if (!HasPythonModules("matplotlib")) GTEST_SKIP() << stiction::testing::kPython << " has no matplotlib";
  ASSERT_EQ(Run("run boxes.xml --time 0.5 --log run.h5 --quiet").code, 0);
  // The very text, then a look at what it drew.
  const PythonResult plot = Python(script + R"(
drawn = [line.get_ydata() for line in plt.gca().get_lines()]
assert len(drawn) == 2 and all(len(y) == 250 and max(y) > 0 for y in drawn), drawn
assert [t.get_text() for t in plt.gca().get_legend().get_texts()] == ["ncp_max [m/s]", "ncp_mean [m/s]"]
)");
  EXPECT_EQ(plot.code, 0) << plot.out;
  EXPECT_EQ(plot.out, "");
  EXPECT_EQ(Read("certificate.png").substr(1, 3), "PNG");
}

TEST_F(RunnerLog, Hdf5AgreesWithTheAnswer) {
  SKIP_WITHOUT_HDF5_AND_H5PY();
  const ProgramResult run = Run("run boxes.xml --time 0.4 --log run.h5 --json -");
  ASSERT_EQ(run.code, 0) << run.err;
  Write("answer.json", run.out);
  const PythonResult check = Python(R"(
import h5py, json, numpy as np
answer = json.load(open('answer.json'))
with h5py.File('run.h5', 'r') as f:
    final = answer['final']
    assert f['time'][-1] == final['time'] and len(f['time']) == answer['steps'] == 200
    assert list(f['q'][-1]) == final['qpos'] and list(f['v'][-1]) == final['qvel']
    assert f['certificate/ncp_max'][:].max() == answer['certificate']['ncp_max']
    assert f['penetration'][:].max() == answer['penetration_max_m']
    assert f['counts/contacts'][:].max() == answer['contacts']['max']
    assert f['energy/kinetic'][-1] + f['energy/potential'][-1] == answer['energy']['end']
    names = list(f['names/recorded_bodies'].asstr())
    assert names == list(final['bodies']), names
    for i, name in enumerate(names):
        body = final['bodies'][name]
        assert list(f['bodies/pos'][-1, i]) == body['pos']
        assert np.allclose(f['bodies/quat'][-1, i], body['quat'], rtol=0, atol=1e-15)
    # The floor carries both boxes: its impulses in a step are their weight, 11 kg.
    first, count = f['contacts/first'][-1], f['contacts/count'][-1]
    rows = slice(first, first + count)
    floor = f['contacts/body_a'][rows] == 0
    assert floor.any() and abs(f['contacts/impulse'][rows][floor][:, 2].sum() - 11 * 9.81 * 0.002) < 1e-6
    assert f.attrs['model'] == 'boxes' and f.attrs['solver'] == 'auto' and f.attrs['timestep'] == 0.002
)");
  EXPECT_EQ(check.code, 0) << check.out;
}

TEST_F(RunnerLog, H5lsListsALog) {
  SKIP_WITHOUT_HDF5_AND_H5PY();
  ASSERT_EQ(Run("run boxes.xml --time 0.02 --log run.h5 --quiet").code, 0);
  const PythonResult list = Python("import subprocess; print(subprocess.getoutput('h5ls -r run.h5'))");
  if (list.out.find("not found") != std::string::npos) GTEST_SKIP() << "h5ls is not installed";
  for (const char* line :
       {"/certificate/ncp_max     Dataset {10/Inf}", "/q                       Dataset {10/Inf, 15}",
        "/bodies/quat             Dataset {10/Inf, 3, 4}"})
    EXPECT_NE(list.out.find(line), std::string::npos) << line << "\n" << list.out;
}

// Row i is at (i + 1) dt in every dataset, whatever the mode.
constexpr const char* kCheckRows = R"(
import h5py, sys, numpy as np
for mode in ({}, {'swmr': True}):
    with h5py.File('run.h5', 'r', **mode) as f:
        n = len(f['time'])
        assert np.allclose(f['time'][:], 0.002 * np.arange(1, n + 1), atol=1e-9)
        count = f['contacts/count'][:n]
        assert (f['contacts/first'][:n] == np.cumsum(count) - count).all()
        assert len(f['contacts/impulse']) >= count.sum()
        for name in ('q', 'v', 'certificate/ncp_max', 'phases/total', 'energy/kinetic', 'bodies/pos'):
            assert len(f[name]) >= n and np.isfinite(f[name][:n]).all(), name
        assert (f['phases/total'][:n] > 0).all()
print(n)
)";

// Kills the run once a reader has seen so many rows, and then a while later; prints how it ended.
constexpr const char* kKillAfterRows = R"(
import h5py, subprocess, sys, time
run = subprocess.Popen([sys.argv[1], 'run', 'boxes.xml', '--time', '1e6', '--log', 'run.h5', '--force', '--quiet'])
try:
    while run.poll() is None:
        time.sleep(0.02)
        try:
            with h5py.File('run.h5', 'r', swmr=True) as f:
                if len(f['time']) > int(sys.argv[2]):
                    break
        except (OSError, KeyError, RuntimeError):
            pass  # it is not there yet, or not whole
    time.sleep(float(sys.argv[3]))
finally:
    run.kill()  # whatever happens, or it would run for ever
    print(run.wait())
)";

TEST_F(RunnerLog, KilledRunLeavesAReadableLog) {
  SKIP_WITHOUT_HDF5_AND_H5PY();
  for (const char* when : {"100 0", "100 0.4", "1000 0.7"}) {
    const PythonResult run = Python(kKillAfterRows, "'" STICTION_RUNNER "' " + std::string(when));
    ASSERT_EQ(run.out, "-9\n") << when;
    const PythonResult rows = Python(kCheckRows);
    ASSERT_EQ(rows.code, 0) << rows.out;
    EXPECT_GT(std::stoi(rows.out), 100) << when;
  }
}

TEST_F(RunnerLog, KilledRunLeavesWholeRowsOfCsv) {
  Write("kill.sh", R"sh("$@" & run=$!
while [ "$(wc -l < run.csv 2> /dev/null || echo 0)" -lt 102 ] && kill -0 $run; do sleep 0.02; done
sleep 0.5
kill -KILL $run
wait $run
)sh");
  const ProgramResult run = Run("run boxes.xml --time 1e6 --log run.csv --quiet", "sh kill.sh");
  EXPECT_EQ(run.code, 137) << run.err;
  std::istringstream log(Read("run.csv"));
  std::string title, row;
  std::getline(log, title);
  long rows = 0;
  while (std::getline(log, row)) {
    if (log.eof()) break;  // no newline yet: the kernel was writing it
    ASSERT_EQ(std::count(row.begin(), row.end(), ','), std::count(title.begin(), title.end(), ',')) << rows;
    ++rows;
  }
  EXPECT_GT(rows, 100);
}

TEST_F(RunnerLog, FullDiskEndsTheRunAndKeepsTheRows) {
  const std::string small_disk = "trap '' XFSZ; ulimit -f 6000; exec";  // [512 bytes in sh, 1 KiB in bash]
  for (const std::string name : {"run.csv", "run.h5"}) {
    if (name == "run.h5" && (!HasHdf5() || !HasPythonModules("h5py"))) continue;
    const ProgramResult run = Run("run boxes.xml --time 1e6 --log " + name + " --quiet --json -", small_disk);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "error: cannot write " + name + ": File too large\n");
  }
  const std::string csv = Read("run.csv");
  EXPECT_GT(csv.size(), 2'900'000u);
  EXPECT_EQ(csv.back(), '\n');
  if (!Exists("run.h5")) return;
  const PythonResult rows = Python(kCheckRows);
  ASSERT_EQ(rows.code, 0) << rows.out;
  EXPECT_GT(std::stoi(rows.out), 500);
}

TEST_F(RunnerLog, UnwritableLogsEndTheRunAtItsStart) {
  Write("file", "text");
  ExpectError("run boxes.xml --time 1e6 --log file/run.csv", 2, "file/run.csv: Not a directory");
  ExpectError("run boxes.xml --time 1e6 --log no/run.csv", 2, "no/run.csv: No such file or directory");
  ExpectError("run absent.xml --log run.json", 2, "run.json: the name of a log ends in .csv, .h5 or .hdf5");
  ASSERT_EQ(symlink("/dev/full", (folder() / "full.csv").c_str()), 0);
  ExpectError("run boxes.xml --time 1e6 --log full.csv", 2, "cannot write full.csv: No space left on device");
}

// HDF5 falls over a file that it could not close.
TEST_F(RunnerLog, AFullDiskEndsTheRunOfProblemsWithAWord) {
  if (!HasHdf5()) GTEST_SKIP() << "this build has no HDF5";
  ASSERT_EQ(symlink("/dev/full", (folder() / "full.h5").c_str()), 0);
  ExpectError("run boxes.xml --time 0.1 --problems full.h5 --every 1 --quiet", 2, "full.h5: cannot be written");
}

TEST_F(RunnerLog, SigtermEndsTheRunWithWhatItHas) {
  const ProgramResult run = Run("run boxes.xml --time 1e6 --log run.csv --json run.json --quiet",
                                "timeout --preserve-status --signal=TERM 1");
  EXPECT_EQ(run.code, 143) << run.err;
  EXPECT_GT(nlohmann::json::parse(Read("run.json"))["steps"].get<int>(), 0);
  EXPECT_EQ(Read("run.csv").back(), '\n');
}

TEST_F(RunnerLog, EmptyValuesAreRefused) {
  for (const char* flag : {"--log ''", "--json=", "--problems ''", "--keyframe ''"})
    ExpectError("run boxes.xml --time 0.01 " + std::string(flag), 2, "is empty; is a variable");
  ExpectError("convert boxes.xml --to urdf -", 2, "OUT: a model is written to a file");
}

TEST_F(RunnerLog, StepsAreTheSameWithALog) {
  const auto hash = [this](const std::string& flags) {
    return Run("run boxes.xml --time 0.5 --json - " + flags).Json()["state_hash"].get<std::string>();
  };
  const std::string plain = hash("");
  EXPECT_EQ(hash("--log run.csv"), plain);
  if (HasHdf5()) {
    EXPECT_EQ(hash("--log run.h5"), plain);
  }
}

}  // namespace
}  // namespace stiction
