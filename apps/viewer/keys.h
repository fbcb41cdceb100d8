// What keys do: one table for the dispatch and for the help.
#pragma once

#include <string>
#include <vector>

#include "session.h"

namespace stiction::viewer {

// A press, or a repeat where the key is held. GLFW's key and modifier numbers.
void HandleKey(Session& session, int key, int modifiers, bool is_repeat);

struct HelpLine {
  const char* group;
  std::string keys, effect;
};
// By groups: keys, then the pointer.
std::vector<HelpLine> ListHelp();

}  // namespace stiction::viewer
