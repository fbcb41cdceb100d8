// How an element looks; of no effect on the simulation.
#pragma once

namespace stiction {

// Red, green, blue and opacity (1: opaque), each in [0, 1], as the model's file has them.
struct Color {
  float r = 0.0f;
  float g = 0.0f;
  float b = 0.0f;
  float a = 1.0f;
  bool operator==(const Color&) const = default;
};

}  // namespace stiction
