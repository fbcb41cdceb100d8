// Joints between a body and its parent.
//
// A body has any number of joints (MJCF), composed in order: each moves the frame that the one before left
// behind. A body without joints is fixed to its parent.
//
// To add a type, visit: its own file in joint/, the variant below, dynamics/kinematics (pose and motion
// columns), sim/integrator (limits), one keyword in each reader, and the tests. Every visitor is written
// without a catch-all, so that the compiler lists the places.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <variant>

#include "stiction/model/joint/ball.h"
#include "stiction/model/joint/free.h"
#include "stiction/model/joint/hinge.h"
#include "stiction/model/joint/slide.h"
#include "stiction/model/softness.h"

namespace stiction {

using JointKind = std::variant<FreeJoint, BallJoint, SlideJoint, HingeJoint>;

struct Joint {
  std::string name{};
  JointKind kind = HingeJoint{};
  Vector3d p_BJ = Vector3d::Zero();     // anchor in the body frame [m] (ball, hinge)
  Vector3d axis_B = Vector3d::UnitZ();  // unit axis in the body frame (slide, hinge)
  double reference = 0.0;               // q at which the body stands as in the file [m or rad] (slide, hinge)
  double stiffness = 0.0;               // [N/m or N·m/rad]
  double spring_reference = 0.0;  // q where the spring rests [m or rad] (slide, hinge); ball, free: X_PB
  double damping = 0.0;           // on every dof of the joint [N·s/m or N·m·s/rad]
  double armature = 0.0;          // rotor inertia added to M's diagonal [kg or kg·m²]
  double friction_loss = 0.0;     // dry friction on every dof of the joint [N or N·m]
  // Limits of q [m or rad]; for a ball `upper` bounds the angle from X_PB. Infinite: no limit.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  std::optional<Softness> limit_softness{};  // none: limits are exact
  // What all actuators together may exert on it (slide, hinge) [N or N·m].
  double actuator_force_lower = -std::numeric_limits<double>::infinity();
  double actuator_force_upper = std::numeric_limits<double>::infinity();

  // Filled by ModelBuilder.
  int body = -1;
  int q_address = -1;
  int v_address = -1;

  int nq() const {
    return std::visit([](auto k) { return decltype(k)::kNq; }, kind);
  }
  int nv() const {
    return std::visit([](auto k) { return decltype(k)::kNv; }, kind);
  }
  const char* type_name() const {
    return std::visit([](auto k) { return decltype(k)::kName; }, kind);
  }
  template <typename T>
  bool is() const {
    return std::holds_alternative<T>(kind);
  }
};

}  // namespace stiction
