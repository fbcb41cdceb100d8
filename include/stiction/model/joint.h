// Joints between a body and its parent.
//
// A body has any number of joints (MJCF), composed in order: each moves the frame that the one before left
// behind. A body without joints is fixed to its parent.
//
// To add a type:
//
//   1. include/stiction/model/joint/<name>.h and src/model/joint/<name>.cpp: data, traits and operations, all
//      described in joint/joint_type.h. tests/model/joint/<name>_test.cpp.
//   2. An include and an alternative of JointKind below. From here on the compiler leads: an operation that
//      is missing fails the static_assert, and two visitors know the data of every type by name:
//        io: the MJCF reader's SetFields (mjcf_joint.cpp) and the writer's WriteFields
//        (mjcf_writer_body.cpp). A new attribute also stands in JointSpec and is read beside the others.
//   3. tests/support/random_model.h makes one, so that mass matrix, bias, Jacobians, energies, springs and
//      limits are tested together with all others.
//
// Nothing else asks for a certain type: callers ask traits, through the functions of Joint.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stiction/model/joint/ball.h"
#include "stiction/model/joint/free.h"
#include "stiction/model/joint/hinge.h"
#include "stiction/model/joint/screw.h"
#include "stiction/model/joint/slide.h"
#include "stiction/model/joint/universal.h"
#include "stiction/model/softness.h"

namespace stiction {

using JointKind = std::variant<FreeJoint, BallJoint, SlideJoint, HingeJoint, UniversalJoint, ScrewJoint>;

// In the order of JointKind.
extern const std::array<JointTraits, std::variant_size_v<JointKind>> kJointTraits;

// The type of this name with its default data; nothing if there is none.
std::optional<JointKind> FindJointKind(std::string_view name);

struct Joint {
  std::string name{};
  JointKind kind = HingeJoint{};
  double stiffness = 0.0;  // [N/m or N·m/rad]
  // Where the spring rests, on every coordinate that adds [m or rad]; free, ball: where the body stands in
  // the file.
  double spring_reference = 0.0;
  double damping = 0.0;  // on every dof of the joint [N·s/m or N·m·s/rad]
  // What makes springs and dampers nonlinear: f = −x (k + p₀ x + p₁ x²) and −v (b + p₀ |v| + p₁ v²). Of
  // joints of several coordinates x in the brackets is how far the joint is from rest; of free joints its
  // translation and rotation each have their own.
  std::array<double, 2> stiffness_polynomial{};
  std::array<double, 2> damping_polynomial{};
  double armature = 0.0;       // rotor inertia added to M's diagonal [kg or kg·m²]
  double friction_loss = 0.0;  // dry friction on every dof of the joint [N or N·m]
  // Limits as JointLimitKind has them [m or rad]. Infinite: no limit.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  std::optional<Softness> limit_softness{};  // none: limits are exact
  // What all actuators together may exert on a joint of one coordinate [N or N·m].
  double actuator_force_lower = -std::numeric_limits<double>::infinity();
  double actuator_force_upper = std::numeric_limits<double>::infinity();
  // What Body::gravity_compensation exerts along its dofs is a force of actuators, within these bounds, and
  // not passive; a model without actuators has none of it.
  bool actuators_compensate_gravity = false;

  // Filled by ModelBuilder.
  int body = -1;
  int q_address = -1;
  int v_address = -1;
  int limit_address = -1;  // of its first entry in State::limits

  const JointTraits& traits() const { return kJointTraits[kind.index()]; }
  const char* type_name() const { return traits().name; }
  int nq() const { return traits().nq; }
  int nv() const { return traits().nv; }
  bool is_free() const { return traits().is_free; }
  // One coordinate: q and v are a number each.
  bool is_scalar() const { return nq() == 1; }
  // q is a rotation and nothing else.
  bool is_rotation() const { return traits().quaternion == 0 && nq() == 4; }
  bool has_quaternion() const { return traits().quaternion >= 0; }
  int quaternion_address() const { return q_address + traits().quaternion; }  // in q
  // How many numbers of q add entry by entry, q[i] along v[i]: all, or with a quaternion none.
  int num_coordinates() const { return has_quaternion() ? 0 : nq(); }
  // Entries of State::limits: one for each pair of lower and upper limit, and for a free joint one unused.
  int num_limits() const { return traits().limits == JointLimitKind::kRange ? nv() : 1; }
  double reference() const;
};

}  // namespace stiction
