// What the outside world does to a mechanism during a step.
#pragma once

#include "stiction/model/model.h"

namespace stiction {

struct Input {
  VectorXd ctrl;                 // size nu, one per actuator; clamped to its range when used
  VectorXd applied_generalized;  // size nv [N or N·m]
  // With them the applied force is affine,
  //   τ = applied_generalized − applied_stiffness q − applied_damping v   (entry by entry),
  // and the step treats the slopes as those of springs and dampers: implicitly, but for rk4. What a
  // controller wants to be kp (q_d − q) + kd (v_d − v) is then stable for any gains. Both ≥ 0; size nv, or 0:
  // none. Over q of
  // coordinates alone (Joint::num_coordinates()). [N/m or N·m/rad], [N·s/m or N·m·s/rad]
  VectorXd applied_stiffness, applied_damping;
  Matrix6Xd
      applied_wrench;  // 6 x num_bodies: moment and force at each body's centre of mass, world axes [N·m, N]
  VectorXd mocap;      // size 7 a mocap body: p_WB (3), quaternion w,x,y,z (4)
  // One an equality, added to its right-hand side at the end of the step: prescribed motion of a joint, a
  // tendon or a distance; a frame lock ignores it [m or rad]. Zero at first.
  VectorXd equality_target;
  // What the World's controller keeps from step to step, as many numbers as it likes. State::memory is put
  // here before it is called and takes its place afterwards, so that a state holds it; what is written here
  // at other times is lost.
  VectorXd memory;

  // All zero; mocap bodies as in the file.
  static Input Default(const Model& model);
};

}  // namespace stiction
