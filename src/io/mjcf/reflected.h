// damping and armature of an actuator: those of what its gear turns, which its joint or tendon has times
// gear².
//
// They are found before joints and tendons are read, by the names in the file, so that these have them from
// the start: all that is made of inertia and damping then counts them.
#pragma once

#include <map>
#include <set>
#include <string>

namespace stiction::mjcf {

struct Reflected {
  double damping[3] = {0.0, 0.0, 0.0};  // linear, and two coefficients of higher order
  double armature = 0.0;

  bool is_given() const {
    return armature != 0.0 || damping[0] != 0.0 || damping[1] != 0.0 || damping[2] != 0.0;
  }
};

// To a joint or tendon.
template <typename T>
void AddDamping(const Reflected& reflected, T& part) {
  part.damping += reflected.damping[0];
  for (int k = 0; k < 2; ++k) part.damping_polynomial[k] += reflected.damping[k + 1];
}

struct ReflectedParts {
  std::map<std::string, Reflected> of_joints, of_tendons;  // by name
  std::set<int> joints, tendons;                           // the builder's, that have theirs
};

}  // namespace stiction::mjcf
