// Robots with given numbers of hinges, parallelograms and push rods (scenes.h).
#pragma once

#include "scenes/mechanism.h"

namespace stiction {

struct RobotCounts {
  bool is_held = false;
  int hinges = 0;  // of the tree
  int parallelograms = 0;
  int rods = 0;
  int limbs = 1;
};

Mechanism MakeRobot(const RobotCounts& counts, double ratio, unsigned seed);

}  // namespace stiction
