// Joints that are held where the user put them, by springs and dampers.
#pragma once

#include "stiction/sim/world.h"

namespace stiction::viewer {

// A servo at each held coordinate of a joint: as stiff as the inertia that the coordinate moves needs for one
// fixed frequency, critically damped, and implicit in the step (Input::applied_stiffness), so that it is
// stable at any timestep. Coordinates are those of Joint::num_coordinates(): hinges and slides.
class JointHolds {
 public:
  bool is_empty() const { return targets_.empty(); }
  // The coordinates of the joint are to stay where they are now.
  void Hold(World& world, int joint);
  // One of them is to go there [rad or m].
  void SetTarget(World& world, int joint, int coordinate, double target);
  void Release(World& world, int joint);
  // To where they are now, after a jump of the state.
  void HoldHere(World& world);
  // What is held, written to the world's input: after that was made anew.
  //   firmness  times as stiff, for a while
  void Apply(World& world, double firmness = 1.0) const;
  // Size nq: the target, or NaN where nothing is held; empty: nothing is.
  VectorXd Targets(const Model& model) const;

 private:
  struct Target {
    int joint = 0, coordinate = 0;
    double target = 0.0;                    // [rad or m]
    double stiffness = 0.0, damping = 0.0;  // [N·m/rad or N/m], [N·m·s/rad or N·s/m]
  };
  std::vector<Target> targets_;
};

}  // namespace stiction::viewer
