// What can be drawn besides shapes, by the words of --show.
#pragma once

#include "stiction/viz/scene.h"

namespace stiction::viewer {

struct Mark {
  const char* name;
  bool SceneOptions::*is_shown;
};
inline constexpr Mark kMarks[] = {{"contacts", &SceneOptions::contacts},
                                  {"forces", &SceneOptions::forces},
                                  {"cones", &SceneOptions::cones},
                                  {"frames", &SceneOptions::frames},
                                  {"joints", &SceneOptions::joint_axes},
                                  {"centers", &SceneOptions::centers},
                                  {"inertia", &SceneOptions::inertia},
                                  {"collision", &SceneOptions::collision},
                                  {"transparent", &SceneOptions::is_transparent}};

}  // namespace stiction::viewer
