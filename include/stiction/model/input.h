// What the outside world does to a mechanism during a step.
#pragma once

#include "stiction/model/model.h"

namespace stiction {

struct Input {
  VectorXd ctrl;                 // size nu, one a actuator; clamped to its range when used
  VectorXd applied_generalized;  // size nv [N or N·m]
  Matrix6Xd
      applied_wrench;  // 6 x num_bodies: moment and force at each body's centre of mass, world axes [N·m, N]
  VectorXd mocap;      // size 7 a mocap body: p_WB (3), quaternion w,x,y,z (4)
  // One an equality, added to its right-hand side at the end of the step: prescribed motion of a joint, a
  // tendon or a distance; a frame lock ignores it [m or rad]. Zero at first.
  VectorXd equality_target;

  // All zero; mocap bodies as in the file.
  static Input Default(const Model& model);
};

}  // namespace stiction
