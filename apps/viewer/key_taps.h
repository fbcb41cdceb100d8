// Keys that were pressed and let go between two frames. ImGui looks at keys once a frame and would miss them:
// an Escape or Enter in a window that draws ten frames a second.
#pragma once

#include <vector>

struct GLFWwindow;

namespace stiction::viewer {

class KeyTaps {
 public:
  // GLFW's numbers.
  void Press(int key, int modifiers) { pressed_.push_back({key, modifiers}); }
  // Before ImGui's frame begins: such keys are down in it, and up again in the next.
  void Apply(GLFWwindow* window);

 private:
  struct Tap {
    int key, modifiers;
  };
  std::vector<Tap> pressed_, held_;  // since the last frame; for the length of a frame
};

}  // namespace stiction::viewer
