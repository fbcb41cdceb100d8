#include "race_cases.h"

namespace stiction::runner {

const std::vector<RaceCase>& ListRaceCases() {
  static const std::vector<RaceCase> cases{
      {"humanoid", "models/mujoco_humanoid/humanoid.xml", 10.0, "newton", "pyramidal", 0.0, "", 8.2},
      {"22_humanoids", "models/mujoco_humanoid/22_humanoids.xml", 5.0, "newton", "elliptic"},
      {"cube", "models/mjcf_features/model/cube/cube_3x3x3.xml", 5.0, "newton", "elliptic", 0.01, "", 5.2},
      {"clutter40", "scenes/clutter40.xml", 10.0, "newton", "elliptic", 0.0, "", 3.0},
      {"stack20", "scenes/stack20_uniform.xml", 5.0, "cg", "elliptic", 0.0, "", 7.2},
      {"laikago1", "scenes/laikago1.xml", 5.0, "pgs", "elliptic", 0.0, "test", 13.2},
      {"laikago8", "scenes/laikago8.xml", 5.0, "newton", "pyramidal", 0.0, "test", 3.0},
      {"laikago27", "scenes/laikago27.xml", 5.0, "newton", "pyramidal", 0.0, "test", 1.6},
      {"boxes100", "scenes/boxes100.xml", 5.0, "cg", "elliptic", 0.0, "", 3.0},
      {"boxes500", "scenes/boxes500.xml", 5.0, "cg", "elliptic", 0.0, "", 2.0},
      {"boxes1000", "scenes/boxes1000.xml", 5.0, "newton", "elliptic"},
      {"built_in_clutter", "scene:clutter:count=40", 3.0, "newton", "elliptic"},
      {"built_in_stack", "scene:stack:count=20", 3.0, "cg", "elliptic"},
      {"built_in_quadrupeds", "scene:quadruped:count=8", 3.0, "newton", "pyramidal"},
  };
  return cases;
}

}  // namespace stiction::runner
