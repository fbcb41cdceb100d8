// Runs the program under test in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace stiction {

struct ProgramResult {
  int code = -1;
  std::string out, err;

  nlohmann::json Json() const { return nlohmann::json::parse(out); }  // throws unless stdout is JSON alone
};

inline std::string ReadAll(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

// Each test gets an empty folder, which is also the program's working directory.
class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("stiction_" + std::to_string(getpid()) + "_" + info->test_suite_name() + "_" + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ProgramTest() override {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }

  // `arguments` as typed into a shell; `before` goes before the program's name.
  ProgramResult Run(const std::string& arguments, const std::string& before = "") const {
    const std::string command = "cd '" + folder_.string() + "' && " + before + " '" STICTION_RUNNER "' " +
                                arguments + " 2> stderr.txt";
    ProgramResult result;
    FILE* pipe = popen(command.c_str(), "r");
    if (!pipe) return result;
    char buffer[4096];
    for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) result.out.append(buffer, n);
    const int status = pclose(pipe);
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    result.err = ReadAll(folder_ / "stderr.txt");
    return result;
  }

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string Read(const std::string& name) const { return ReadAll(folder_ / name); }
  const std::filesystem::path& folder() const { return folder_; }
  bool Exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

  // An error of one line on stderr, nothing on stdout.
  void ExpectError(const std::string& arguments, int code, const std::string& message) const {
    const ProgramResult result = Run(arguments);
    EXPECT_EQ(result.code, code) << arguments << "\n" << result.err;
    EXPECT_EQ(result.out, "") << arguments;
    EXPECT_EQ(result.err.find("error: "), 0u) << arguments << "\n" << result.err;
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << arguments << "\n" << result.err;
    EXPECT_NE(result.err.find(message), std::string::npos) << arguments << "\n" << result.err;
  }

 private:
  std::filesystem::path folder_;
};

// Two boxes on a plane, the second one without a name; an arm that swings; keyframes.
inline constexpr const char* kBoxes = R"(<mujoco model="boxes">
  <compiler angle="radian"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="lower" pos="0 0 0.1"><freejoint name="lower_free"/><geom name="lower_box" type="box" size="0.1 0.1 0.1" mass="1"/></body>
    <body pos="0 0 0.3"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="10"/></body>
    <body name="arm" pos="1 0 1">
      <joint name="hinge" axis="0 1 0" range="-2 2"/>
      <geom type="capsule" size="0.02" fromto="0 0 0 0.3 0 0" mass="1"/>
    </body>
  </worldbody>
  <keyframe>
    <key name="rest" qpos="0 0 0.1 1 0 0 0  0 0 0.3 1 0 0 0  0.5"/>
    <key name="apart" qpos="0 0 0.1 1 0 0 0  0 1 0.1 1 0 0 0  -0.5"/>
  </keyframe>
</mujoco>
)";

}  // namespace stiction
