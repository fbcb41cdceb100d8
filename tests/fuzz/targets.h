// The targets by themselves. `path` is where the bytes stand as a file, empty for those that take bytes
// alone.
#pragma once

#include <string>
#include <string_view>

namespace stiction::fuzz {

// What loads is written as MJCF, reads back, and is written again as the same text.
void FuzzUrdf(const std::string& path, std::string_view bytes);
void FuzzMjcf(const std::string& path, std::string_view bytes);
// And its models are built into one.
void FuzzScenario(const std::string& path, std::string_view bytes);

// What is read becomes a hull and a surface.
void FuzzStl(const std::string& path, std::string_view bytes);
void FuzzObj(const std::string& path, std::string_view bytes);
void FuzzMsh(const std::string& path, std::string_view bytes);
void FuzzCollada(const std::string& path, std::string_view bytes);
void FuzzGltf(const std::string& path, std::string_view bytes);

void FuzzPng(const std::string& path, std::string_view bytes);
// MuJoCo's binary height field, in a model.
void FuzzHeightField(const std::string& path, std::string_view bytes);
// What is read has a distance and a gradient everywhere.
void FuzzFieldText(const std::string& path, std::string_view bytes);

// What is read is written and reads back, and the default solver takes it.
void FuzzProblem(const std::string& path, std::string_view bytes);
// What is read steps.
void FuzzState(const std::string& path, std::string_view bytes);
// As rows of the model, and as columns.
void FuzzLog(const std::string& path, std::string_view bytes);

// A small model with one of everything that a state remembers.
inline constexpr const char* kStateModel = R"(<mujoco model="everything">
  <compiler angle="radian"/>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body name="mover" mocap="true" pos="0 0 1"/>
    <body name="box" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" condim="6"/></body>
    <body name="ball" pos="0 0 0.3"><freejoint/><geom size="0.1" condim="4"/></body>
    <body name="arm" pos="1 0 0.5">
      <joint name="shoulder" axis="0 1 0" range="-0.5 0.5" frictionloss="0.1"/>
      <geom type="capsule" size="0.02" fromto="0 0 0 0.3 0 0"/>
      <body name="hand" pos="0.3 0 0"><joint name="wrist" type="ball" range="0 0.4"/><geom size="0.05"/><site name="s"/></body>
      <body name="slider"><joint name="slide" type="slide" axis="1 0 0" stiffness="50"/><geom size="0.03"/></body>
    </body>
  </worldbody>
  <tendon><fixed name="cable" range="-0.3 0.3" frictionloss="0.1">
    <joint joint="shoulder" coef="0.1"/><joint joint="slide" coef="1"/></fixed></tendon>
  <equality><joint joint1="slide" joint2="shoulder" polycoef="0 0.1 0 0 0"/></equality>
  <actuator><general name="drive" joint="shoulder" dyntype="filter" dynprm="0.1" gainprm="2"/></actuator>
  <sensor><jointpos joint="shoulder"/><accelerometer site="s"/></sensor>
</mujoco>)";

}  // namespace stiction::fuzz
