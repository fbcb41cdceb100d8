// Files that the user's own xacro expands: here a program of that name which does no more than these tests
// need.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/io/model_text.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

// A folder that is all of PATH, but for what programs of the system a script needs.
class Xacro : public ::testing::Test {
 protected:
  Xacro() : folder_(fs::path(::testing::TempDir()) / ("stiction_xacro_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    const char* path = std::getenv("PATH");
    path_ = path ? path : "";
  }
  ~Xacro() override {
    setenv("PATH", path_.c_str(), 1);
    std::error_code error;
    fs::remove_all(folder_, error);
  }

  void Install(const std::string& script) {
    const fs::path program = folder_ / "xacro";
    std::ofstream(program) << "#!/bin/sh\n" << script;
    fs::permissions(program, fs::perms::owner_all);
    setenv("PATH", (folder_.string() + ":/usr/bin:/bin").c_str(), 1);
  }
  std::string Write(const std::string& text) const {
    const std::string path = (folder_ / "arm.urdf.xacro").string();
    std::ofstream(path) << text;
    return path;
  }
  static std::string Failure(const std::string& path, const LoadOptions& options = {}) {
    try {
      LoadModel(path, options);
    } catch (const LoadError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
  std::string path_;
};

TEST_F(Xacro, ExpandsTheFileWithItsArguments) {
  Install("sed \"s/NAME/${2#name:=}/\" \"$1\"\n");
  const std::string path = Write("<robot name='r'><link name='NAME'/></robot>");
  LoadOptions options;
  options.xacro_arguments = {"name:=a b"};  // one word for the program: no shell sees it
  EXPECT_GE(LoadModel(path, options).FindFrame("a b"), 0);
}

TEST_F(Xacro, TellsWhatTheProgramSaysAndWhereItsTextIsWrong) {
  Install("echo first >&2; echo 'undefined substitution: size' >&2; exit 2\n");
  const std::string path = Write("<robot name='r'/>");
  const std::string said = Failure(path);
  EXPECT_NE(said.find("status 2: undefined substitution: size"), std::string::npos) << said;
  Install("echo '<robot name=\"r\">'; echo '<link/></robot>'\n");
  const std::string wrong = Failure(path);
  EXPECT_NE(wrong.find("(expanded):2: <link>: needs the attribute \"name\""), std::string::npos) << wrong;
}

TEST_F(Xacro, WithoutTheProgramTheCommandIsNamed) {
  const std::string path = Write("<robot name='r'/>");
  setenv("PATH", folder_.c_str(), 1);
  LoadOptions options;
  options.xacro_arguments = {"name:=hand"};
  const std::string what = Failure(path, options);
  EXPECT_NE(what.find("xacro " + path + " name:=hand > expanded.urdf"), std::string::npos) << what;
  const TemporaryFile plain("<robot name='r'><link name='a'/></robot>", ".urdf");
  EXPECT_NE(Failure(plain.path(), options).find("does not end in .xacro"), std::string::npos);
}

}  // namespace
}  // namespace stiction
