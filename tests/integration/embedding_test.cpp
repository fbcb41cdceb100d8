// The engine in another project: installed and found by CMake, or as a subdirectory.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "tests/integration/shell.h"

namespace stiction {
namespace {

// The number behind `label` in a program's output.
double FindNumber(const std::string& out, const std::string& label) {
  const size_t at = out.find(label);
  EXPECT_NE(at, std::string::npos) << "no '" << label << "' in:\n" << out;
  return at == std::string::npos ? NAN : std::atof(out.c_str() + at + label.size());
}

// A folder of its own, removed afterwards.
class Embedding : public ::testing::Test {
 protected:
  Embedding()
      : folder_(fs::path(::testing::TempDir()) / ("stiction_embedding_" + std::to_string(getpid()))),
        prefix_(folder_ / "prefix"),
        source_(folder_ / "source"),
        build_(folder_ / "build") {
    fs::remove_all(folder_);
    fs::create_directories(source_);
  }
  ~Embedding() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }

  // Configures source_ into build_ with the compiler and build type of this test.
  ShellOutcome Configure(const std::string& options) const {
    return RunShell(STICTION_CMAKE " -S " + Quote(source_) + " -B " + Quote(build_) +
                    " -G '" STICTION_GENERATOR "' -DCMAKE_CXX_COMPILER='" STICTION_CXX
                    "' -DCMAKE_BUILD_TYPE='" STICTION_BUILD_TYPE
                    "' -DCMAKE_CXX_COMPILER_LAUNCHER='" STICTION_LAUNCHER "' " +
                    options);
  }

  // Installs the engine and configures the examples against it.
  void ConfigureExamples(const std::string& options) const {
    const ShellOutcome install =
        RunShell(STICTION_CMAKE " --install '" STICTION_BUILD_DIR "' --prefix " + Quote(prefix_));
    ASSERT_EQ(install.code, 0) << install.out;
    fs::copy(fs::path(STICTION_SOURCE_DIR) / "apps" / "examples", source_);
    const ShellOutcome configure = Configure("-DCMAKE_PREFIX_PATH=" + Quote(prefix_) + " " + options);
    ASSERT_EQ(configure.code, 0) << configure.out;
  }
  ShellOutcome Build(const std::string& target) const {
    return RunShell(STICTION_CMAKE " --build " + Quote(build_) + " --target " + target);
  }

  fs::path folder_, prefix_, source_, build_;
};

// Lines of code that the compiler was left with, of the one preprocessed file in the folder. Its own headers
// of intrinsics ("avxintrin.h") do not count: they are 1,000 lines, or 50,000 where AVX is on.
int CountPreprocessedLines(const fs::path& folder) {
  int lines = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".ii") continue;
    std::ifstream code(entry.path());
    bool is_counted = true;
    for (std::string line; std::getline(code, line);) {
      // `# 12 "file" flags` says where the lines that follow are from.
      if (line.starts_with("# ")) is_counted = line.find("intrin.h\"") == std::string::npos;
      lines += is_counted && !line.starts_with('#') && line.find_first_not_of(" \t") != std::string::npos;
    }
  }
  return lines;
}

// One of them, since the build has them all.
TEST_F(Embedding, AnExampleBuildsAndRunsAgainstTheInstalledPackage) {
  // Run once and briefly: what -O3 takes to compile is more than it gives.
  ASSERT_NO_FATAL_FAILURE(
      ConfigureExamples("-DCMAKE_CXX_FLAGS=-save-temps=obj -DCMAKE_CXX_FLAGS_RELEASE='-O1 -DNDEBUG'"));
  const ShellOutcome build = Build("load_and_step");
  ASSERT_EQ(build.code, 0) << build.out;
  // A promise about the cost of <stiction/stiction.h>, 110,000 lines, 103,000 of them Eigen's: what takes
  // time.
  const int lines = CountPreprocessedLines(build_ / "CMakeFiles" / "load_and_step.dir");
  EXPECT_GT(lines, 10'000);
  EXPECT_LT(lines, 125'000);
  RecordProperty("lines", lines);

  const fs::path scene = prefix_ / "share" / "stiction" / "demo" / "arm_beside_stack.xml";
  const ShellOutcome load = RunShell(Quote(build_ / "load_and_step") + " " + Quote(scene) + " 0.5");
  EXPECT_EQ(load.code, 0) << load.out;
  EXPECT_LE(FindNumber(load.out, "contact laws: "), 1e-8) << load.out;
  EXPECT_EQ(FindNumber(load.out, "over the budget: "), 0.0) << load.out;

  const ShellOutcome program = RunShell(Quote(prefix_ / "bin" / "stiction") + " list");
  EXPECT_EQ(program.code, 0) << program.out;
#ifdef STICTION_WITH_SDFORMAT
  // What reads SDFormat is loaded then: found by the user's program and the engine's, and missed aloud.
  std::ofstream(folder_ / "box.sdf") << R"(<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>)";
  const std::string box = Quote(folder_ / "box.sdf");
  const std::string embedding = Quote(build_ / "load_and_step") + " " + box + " 0.01";
  const ShellOutcome reads = RunShell(embedding);
  EXPECT_EQ(reads.code, 0) << reads.out;
  const ShellOutcome inspects = RunShell(Quote(prefix_ / "bin" / "stiction") + " inspect " + box);
  EXPECT_EQ(inspects.code, 0) << inspects.out;
  fs::remove_all(prefix_ / "lib" / "stiction");
  const ShellOutcome misses = RunShell(embedding);
  EXPECT_EQ(misses.code, 3) << misses.out;
  EXPECT_NE(misses.out.find("libstiction_sdformat.so, which cannot be loaded"), std::string::npos)
      << misses.out;
#endif
}

TEST_F(Embedding, APdArmFindsItsPose) {
  const ShellOutcome arm = RunShell("'" STICTION_BINARY_DIR "/pd_arm'");
  EXPECT_EQ(arm.code, 0) << arm.out;
  EXPECT_LT(FindNumber(arm.out, "2.000 s: "), 1e-6)
      << arm.out;  // m; (1 + 20) e⁻²⁰ of half a metre, and margin
}

TEST_F(Embedding, ATowerBuiltInCodeIsCarried) {
  const ShellOutcome tower = RunShell("'" STICTION_BINARY_DIR "/build_in_code'");
  EXPECT_EQ(tower.code, 0) << tower.out;
  EXPECT_NEAR(FindNumber(tower.out, "carried with "), 28.0 * 9.81, 1e-3)
      << tower.out;  // four decimals are printed
  EXPECT_NEAR(FindNumber(tower.out, "meets box3 after "), 2.2, 1e-5) << tower.out;  // slop of the contacts
}

// With AVX, Eigen frees its memory in another way: such a program used to crash in its first destructor.
TEST_F(Embedding, AnotherInstructionSetIsAnErrorOfTheCompilerAndNotACrash) {
#if defined(__AVX__) || !defined(__x86_64__) || defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "only for the baseline build";
#endif
  ASSERT_NO_FATAL_FAILURE(ConfigureExamples("-DCMAKE_CXX_FLAGS='-march=x86-64-v3 -Wfatal-errors'"));
  const ShellOutcome build = Build("pd_arm");
  EXPECT_NE(build.code, 0);
  EXPECT_NE(build.out.find("built for another instruction set"), std::string::npos) << build.out;
}

TEST_F(Embedding, LoadErrorsReachTheEmbeddingProgram) {
  const ShellOutcome run = RunShell("'" STICTION_BINARY_DIR "/load_and_step' no_such_file.xml");
  EXPECT_EQ(run.code, 3) << run.out;
  EXPECT_EQ(run.out.find("error: "), 0u) << run.out;
}

TEST_F(Embedding, ABatchFindsTheThrowThatCoulombsLawFinds) {
  const ShellOutcome run = RunShell("'" STICTION_BINARY_DIR "/sampling'");
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_NEAR(FindNumber(run.out, "it stops at "), 1.5, 0.01) << run.out;  // throws are 0.01 m/s apart
}

// Four bars, of which the last falls on the first three, of rubber and of steel.
TEST_F(Embedding, DeformableBarsFallAndMeetTheContactLaws) {
  for (const char* young : {"1e6", "2e11"}) {
    const ShellOutcome run =
        RunShell(std::string("'" STICTION_BINARY_DIR
                             "/deformable_bars' --bars 4 --steps 4 --tolerance 1e-5 --young ") +
                 young);
    EXPECT_EQ(run.code, 0) << run.out;
    EXPECT_NE(run.out.find("4 bars, 2496 dofs"), std::string::npos) << run.out;
    EXPECT_LE(FindNumber(run.out, "largest certificate "), 1e-5) << run.out;
    // Half of a thousandth of a bar's width: what a linearised step leaves of a gap.
    EXPECT_LE(FindNumber(run.out, "deepest contact "), 4e-5) << run.out;
  }
  const ShellOutcome wrong = RunShell("'" STICTION_BINARY_DIR "/deformable_bars' --bars 16");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.out.find("--bars 16: give a number"), std::string::npos) << wrong.out;
}

// Configured alone, since that is where such projects fail: targets found by the other project first, names
// in use.
TEST_F(Embedding, ConfiguresAsASubdirectoryOfAProjectThatHasEigen) {
  std::ofstream(source_ / "CMakeLists.txt") << R"(cmake_minimum_required(VERSION 3.25)
project(robot LANGUAGES CXX)
find_package(Eigen3 REQUIRED NO_MODULE)
add_subdirectory()" << STICTION_SOURCE_DIR << R"( stiction)
add_executable(robot main.cpp)
target_link_libraries(robot PRIVATE stiction::stiction Eigen3::Eigen)
if(TARGET stiction_runner OR TARGET math_tests)
  message(FATAL_ERROR "programs and tests of the engine in another project")
endif()
)";
  std::ofstream(source_ / "main.cpp") << "#include <stiction/stiction.h>\nint main() {}\n";
  const ShellOutcome configure = Configure("");
  EXPECT_EQ(configure.code, 0) << configure.out;
  EXPECT_EQ(configure.out.find("Warning"), std::string::npos) << configure.out;
}

}  // namespace
}  // namespace stiction
