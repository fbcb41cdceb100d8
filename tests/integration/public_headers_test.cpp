// The public headers: all are listed (include/README.md), each compiles alone, and together they stay light.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tests/integration/shell.h"

namespace stiction {
namespace {

constexpr double kWholeOfCore = 1.84;  // 1.78 with g++ 12

const fs::path& Include() {
  static const fs::path folder = fs::path(STICTION_SOURCE_DIR) / "include";
  return folder;
}

std::set<std::string> FindHeaders() {
  std::set<std::string> headers;
  for (const auto& entry : fs::recursive_directory_iterator(Include() / "stiction"))
    if (entry.path().extension() == ".h")
      headers.insert(fs::relative(entry.path(), Include()).generic_string());
  return headers;
}

std::string CompileCommand() {
  return std::string("'" STICTION_CXX "' -std=c++20 -I ") + Quote(Include()) +
         " -isystem '" STICTION_EIGEN "' ";
}

// A folder of its own, removed afterwards.
class PublicHeaders : public ::testing::Test {
 protected:
  PublicHeaders()
      : folder_(fs::path(::testing::TempDir()) / ("stiction_headers_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~PublicHeaders() override {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  fs::path Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  fs::path folder_;
};

TEST_F(PublicHeaders, EachIsListedOnce) {
  std::ifstream in(Include() / "README.md");
  std::set<std::string> listed;
  const std::regex entry("(?:- )?`(stiction/[a-z_/]+\\.h)`: .+");
  bool in_list = false;
  for (std::string line; std::getline(in, line);) {
    in_list = in_list || line == "## All of them";
    std::smatch match;
    if (!in_list || !std::regex_match(line, match, entry)) continue;
    EXPECT_TRUE(listed.insert(match[1]).second) << match[1] << " stands there twice";
  }
  EXPECT_EQ(listed, FindHeaders());
}

// In packs of a core's share; what they all need of Eigen is compiled once, and so may be missing in one that
// never says so. Types of Eigen reach the others through math/types.h.
// Two minutes of a core: when headers have changed, not in every run.
TEST_F(PublicHeaders, EachCompilesAlone) {
  if (std::getenv("STICTION_EVERY_HEADER") == nullptr)
    GTEST_SKIP() << "STICTION_EVERY_HEADER=1 in the environment asks for it";
  std::string list;
  for (const std::string& header : FindHeaders()) {
    std::string name = header;
    std::replace(name.begin(), name.end(), '/', '_');
    list += Write(name + ".cpp", "#include <" + header + ">\n").string() + "\n";
  }
  Write("list", list);
  const fs::path common = Write("common.h", "#include <Eigen/Core>\n");
  const ShellOutcome precompiled = RunShell(CompileCommand() + "-x c++-header -o " +
                                            Quote(common.string() + ".gch") + " " + Quote(common));
  ASSERT_EQ(precompiled.code, 0) << precompiled.out;
  const ShellOutcome compiled =
      RunShell("xargs -P 2 -n 1 -- " + CompileCommand() + "-Wall -Wextra -Werror -fsyntax-only -include " +
               Quote(common) + " < " + Quote(folder_ / "list"));
  EXPECT_EQ(compiled.code, 0) << compiled.out;
}

// The most memory that a command and its children have had at a time [KiB]; 0 if it failed.
long MeasureMemory(const std::string& command) {
  const pid_t pid = fork();
  if (pid == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status != 0) return 0;
  return usage.ru_maxrss;
}

// What a program pays for including everything. Times change from machine to machine, what the compiler keeps
// in memory hardly, if it never looks for garbage: most of it, like most of the time, is templates that
// inline functions use.
TEST_F(PublicHeaders, TheWholeIsLight) {
#if defined(__clang__) || !defined(__GNUC__)
  GTEST_SKIP() << "other compilers than g++ keep other things";
#endif
  const auto measure = [&](const std::string& header) {
    const fs::path source = Write("whole.cpp", "#include <" + header + ">\n");
    return MeasureMemory(CompileCommand() + "--param ggc-min-heapsize=8000000 -fsyntax-only " +
                         Quote(source));
  };
  const long nothing = measure("cstddef"), core = measure("Eigen/Core") - nothing;
  ASSERT_GT(core, 0);
  EXPECT_LT(static_cast<double>(measure("stiction/stiction.h") - nothing),
            kWholeOfCore * static_cast<double>(core));
}

}  // namespace
}  // namespace stiction
