// A rigid body of the tree. Here and in its sisters every member has a default, so that designated
// initializers may leave any out.
#pragma once

#include <string>

#include "stiction/geometry/mass_properties.h"

namespace stiction {

struct Body {
  std::string name{};
  int parent = 0;         // index of the parent body; the world is body 0, and its own parent is -1
  RigidTransform X_PB{};  // pose in the parent with all joints at their reference
  MassProperties inertia{};
  double gravity_compensation = 0.0;  // share of its weight that an upward force at its centre carries
  bool is_mocap = false;              // a child of the world without joints, whose pose is an input
  bool may_sleep = true;              // false: its kinematic tree stays awake where Options::sleep is on

  // Filled by ModelBuilder. Bodies stand parents first, depth first in document order.
  int first_joint = 0;
  int num_joints = 0;
  int first_dof = 0;
  int num_dofs = 0;
  int last_dof = -1;  // last dof at or above this body in its branch; -1: fixed to the world
  int weld = 0;       // topmost body rigidly attached to this one (itself: joints, mocap); 0: the world
  int tree = -1;      // kinematic tree; -1: fixed to the world
  // The solid box with this body's inertia: its axes, those of the principal moments, and its edges; for the
  // drag of a fluid. Zero without one.
  Matrix3d R_BI = Matrix3d::Identity();
  Vector3d inertia_box = Vector3d::Zero();  // [m]
  bool drags_by_geoms = false;              // geoms have the drag instead (Geom::fluid)
};

// A named frame fixed to a body: a site, or a link that a fixed joint fused into its parent.
struct Frame {
  std::string name{};
  int body = 0;
  RigidTransform X_BF{};
};

}  // namespace stiction
