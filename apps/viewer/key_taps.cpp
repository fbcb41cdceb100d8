#include "key_taps.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

namespace stiction::viewer {
namespace {

bool IsDown(GLFWwindow* window, int key) {
  return glfwGetKey(window, key) == GLFW_PRESS;
}

void ReadModifiers(GLFWwindow* window, ImGuiIO& io) {
  io.KeyCtrl = IsDown(window, GLFW_KEY_LEFT_CONTROL) || IsDown(window, GLFW_KEY_RIGHT_CONTROL);
  io.KeyShift = IsDown(window, GLFW_KEY_LEFT_SHIFT) || IsDown(window, GLFW_KEY_RIGHT_SHIFT);
  io.KeyAlt = IsDown(window, GLFW_KEY_LEFT_ALT) || IsDown(window, GLFW_KEY_RIGHT_ALT);
}

}  // namespace

void KeyTaps::Apply(GLFWwindow* window) {
  ImGuiIO& io = ImGui::GetIO();
  for (const Tap& tap : held_) io.KeysDown[tap.key] = IsDown(window, tap.key);
  if (!held_.empty()) ReadModifiers(window, io);
  held_.clear();
  for (const Tap& tap : pressed_) {
    if (tap.key < 0 || IsDown(window, tap.key)) continue;
    io.KeysDown[tap.key] = true;
    io.KeyCtrl |= (tap.modifiers & GLFW_MOD_CONTROL) != 0;
    io.KeyShift |= (tap.modifiers & GLFW_MOD_SHIFT) != 0;
    io.KeyAlt |= (tap.modifiers & GLFW_MOD_ALT) != 0;
    held_.push_back(tap);
  }
  pressed_.clear();
}

}  // namespace stiction::viewer
