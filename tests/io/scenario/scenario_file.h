// A folder with a few models and the scenario that a test writes.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "stiction/io/scenario.h"

namespace stiction {

inline constexpr const char* kCup = R"(<mujoco model="cup"><option timestep="0.001"/>
  <worldbody><body name="cup" pos="0 0 0.1"><freejoint name="free"/><geom name="wall" type="sphere" size="0.1"/>
    <body name="handle"><geom type="sphere" size="0.02"/></body></body></worldbody>
  <keyframe><key name="tipped" qpos="1 0 0 0 1 0 0"/></keyframe></mujoco>)";

inline constexpr const char* kArm = R"(<mujoco model="arm"><worldbody>
    <body name="post"><geom type="box" size="0.1 0.1 0.1"/>
      <body name="link" pos="0 0 1"><joint name="hinge" axis="0 1 0"/><geom type="sphere" size="0.1"/>
        <site name="tip" pos="0 0 0.5"/></body></body></worldbody>
  <actuator><position name="servo" joint="hinge" kp="100"/></actuator>
  <keyframe><key name="home" qpos="0.5" ctrl="0.6"/><key name="away" qpos="-0.5"/></keyframe></mujoco>)";

inline constexpr const char* kRobot = R"(<robot name="rover"><link name="hull">
    <inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="wheel"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="axle" type="continuous"><parent link="hull"/><child link="wheel"/><axis xyz="0 1 0"/></joint>
</robot>)";

// A folder with the three models and the scenario that a test writes.
class ScenarioFile : public ::testing::Test {
 protected:
  ScenarioFile() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("stiction_scenario_" + std::to_string(getpid()) + info->name());
    std::filesystem::create_directories(folder_);
    Write("cup.xml", kCup);
    Write("arm.xml", kArm);
    Write("rover.urdf", kRobot);
  }
  ~ScenarioFile() override {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }

  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  Scenario Load(const std::string& text, ImportReport* report = nullptr) const {
    return LoadScenario(Write("scenario.xml", text), report);
  }
  // Elements of a scenario with one cup.
  Scenario LoadWith(const std::string& elements) const {
    return Load("<scenario>\n<model file='cup.xml'/>\n" + elements + "\n</scenario>");
  }
  // The message without the folder: "scenario.xml:3: <expect>: ...". Line 3 is that of `elements`.
  std::string FailureWith(const std::string& elements) const {
    return Failure("<scenario>\n<model file='cup.xml'/>\n" + elements + "\n</scenario>");
  }
  std::string Failure(const std::string& text) const {
    try {
      BuildModel(Load(text));
    } catch (const LoadError& error) {
      const std::string what = error.what();
      return what.starts_with(folder_.string()) ? what.substr(folder_.string().size() + 1) : what;
    }
    return "";
  }
  void ExpectFailure(const std::string& elements, const std::string& start) const {
    const std::string failure = FailureWith(elements);
    EXPECT_TRUE(failure.starts_with("scenario.xml:3: " + start)) << elements << "\n" << failure;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace stiction
