// Built-in scenes at their start.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "stiction/io/scenario.h"
#include "stiction/scenes/scenes.h"
#include "stiction/sim/world.h"

namespace stiction::testing {

// Of the heaviest body over the lightest.
inline double MassRatio(const Model& model) {
  double least = std::numeric_limits<double>::infinity(), largest = 0.0;
  for (int body = 1; body < model.num_bodies(); ++body) {
    least = std::min(least, model.bodies[body].inertia.mass);
    largest = std::max(largest, model.bodies[body].inertia.mass);
  }
  return largest / least;
}

inline World StartScene(const std::string& name, const SceneParameters& options,
                        WorldOptions world_options = {}) {
  World world(MakeScene(name, options), std::move(world_options));
  world.SetKeyframe(*world.model().FindKeyframe(kStartKeyframe));
  return world;
}

}  // namespace stiction::testing
