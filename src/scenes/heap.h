// Many of one robot, dropped on a heap (scenes.h).
#pragma once

#include "scenes/mechanism.h"

namespace stiction {

// `options.count` copies "r0/...", "r1/...", ... of the robot in a cube of cells above the ground, each
// turned about the vertical and tilted at random. Joints are damped by 0.05 N·m·s. Links of one robot that
// are joined, or that nearly touch as it stands, do not collide. `robot` has no loops and one free link.
Model MakeHeap(const Mechanism& robot, const std::string& name, const SceneParameters& options);

}  // namespace stiction
