// What a joint type is: a struct that holds the data of one joint, says its traits, and does what depends on
// how it moves. Every file of joint/ is one type; joint.h has the variant of all.
//
// A type is written for one joint on body B. The frame that stands before the joint is where the joints
// before it in the body, or else the parent and X_PB, have left B; the joint moves it on. q and v point at
// the joint's own first entries, S and dS are its own columns.
//
//   data         in the body's frame as in the file: axis_B, p_BJ (anchor), reference, ... with defaults.
//   kTraits      JointTraits below: all that callers may ask. None asks for a certain type.
//
// Of a model under construction:
//
//   std::string FindFault() const
//       What is wrong with the data, "" if nothing; ModelBuilder refuses the joint with these words.
//   void Normalize()
//       Makes axes unit. FindFault() has found nothing.
//   double Reference() const
//       q at which the body stands as in the file, for a joint of one coordinate; 0 for others.
//   void SetInitial(const RigidTransform& X_PB, double* q) const
//       q at which the body stands at X_PB, as in the file.
//   bool MovesMass(const MassProperties& carried, double armature) const
//       Whether M is regular along the joint's dofs when B and all beyond it, frozen at q0, have the mass
//       properties `carried`, in B. Armature counts on every dof. See HasInertia() for what counts as none.
//
// Of a configuration; q ⊕ v is q moved on with v for the time 1:
//
//   void Integrate(const double* v, double dt, double* q) const
//       q <- q ⊕ dt v; quaternions stay unit.
//   void Difference(const double* from, const double* to, double* v) const
//       The shortest v with from ⊕ v = to.
//   void Sample(JointSampler& sampler, double lower, double upper, double* q) const
//       A random q within the limits; of a free body near where q was.
//
// Of the motion; a motion column is the spatial velocity (angular, linear) of what the dof moves, in world
// axes at the point T of the joint's tree, for a unit v:
//
//   void Move(const double* q, RigidTransform& X_WB, MotionColumns S) const
//       Moves the frame X_WB from before the joint to behind it. T is not known yet: the column of a rotation
//       holds (axis_W, p_WJ), that of a translation (0, axis_W), until
//   void ReferColumns(const Vector3d& p_WT, MotionColumns S) const
//       refers them to T.
//   void AddVelocity(ConstMotionColumns S, const double* v, Vector6d& V, MotionColumns dS) const
//       V <- V + S v, the velocity behind the joint; dS <- the time derivative of S seen from the world, at a
//       world-fixed point. An axis that is fixed to a body moving with V changes at the rate V × S; where it
//       is fixed on the joint's both sides, V is that of either, since the joint adds S v × S = 0.
//
// Of forces:
//
//   void AddSpring(double stiffness, const double* rest, const double* q, double* force) const
//       force -= stiffness * Difference(rest, q). Of rotations that is the gradient of |θ|²/2 over the
//       angular velocity: the rotation vector θ itself, the same in body axes before and after the rotation.
//   JointLimits FindLimits(const double* q, const double* v, double lower, double upper) const
//       All limits, near or far.
//   double CalcTransmission(const double* q, bool gear_is_in_parent, Vector6d& gear) const
//       Length of an actuator with this gear along the dofs [m or rad]; turns a gear given in the parent's
//       axes to the joint's.
//
// For the eye:
//
//   JointAxes CalcAxes(const RigidTransform& X_WB, const RigidTransform& X_WF) const
//       The axes to draw where the body stands at X_WB, and would stand at X_WF without its joints.
#pragma once

#include <array>
#include <concepts>
#include <string>

#include "stiction/math/rigid_transform.h"

namespace stiction {

class JointSampler;
struct MassProperties;

using MotionColumns = Eigen::Map<Matrix6Xd>;
using ConstMotionColumns = Eigen::Map<const Matrix6Xd>;

enum class JointLimitKind {
  kNone,
  kRange,  // lower and upper bound every coordinate
  kCone,   // upper bounds the angle of the rotation from where the body stands in the file; lower is unused
};

struct JointTraits {
  const char* name;  // in MJCF, in lists and in messages
  int nq;
  int nv;
  // Where in q a unit quaternion (w,x,y,z) begins; -1: there is none, and q ⊕ v adds entry by entry.
  int quaternion = -1;
  JointLimitKind limits = JointLimitKind::kRange;
  bool is_free = false;     // q is the pose in the world and knows no parent
  bool is_angular = false;  // coordinates, and with them limits and references, are angles [rad], else [m]
  bool travels = false;     // carries the body away without end unless limits stop it
  // Endings of the names of q's and v's entries in logs.
  std::array<const char*, 7> coordinates{""};
  std::array<const char*, 6> dofs{""};
};

// One limit: gap >= 0 holds, and changes at the rate slope · v over the dofs [first, first + count) of the
// joint.
struct JointLimit {
  bool is_upper = false;
  double gap = 0.0;    // [m or rad], negative when passed
  double rate = 0.0;   // of the gap at v [m/s or rad/s]
  double speed = 0.0;  // >= |rate|: what the rate may become without v growing [m/s or rad/s]
  int first = 0;
  int count = 1;
  Vector3d slope = {1.0, 0.0, 0.0};  // zero: the limit has no direction here, and cannot be enforced
  int memory = 0;  // which of the joint's entries of State::limits; lower and upper share one
};

struct JointLimits {
  int count = 0;
  std::array<JointLimit, 4> limits;

  const JointLimit* begin() const { return limits.data(); }
  const JointLimit* end() const { return limits.data() + count; }
};

// Lines through one point along unit axes.
struct JointAxes {
  int count = 0;
  Vector3d p_W = Vector3d::Zero();  // [m]
  std::array<Vector3d, 2> axis_W;
};

template <typename T>
concept JointType = requires(T& mutable_joint, const T& joint, const double* q, double* out,
                             RigidTransform& X, Vector3d& p, MotionColumns S, ConstMotionColumns const_S,
                             Vector6d& V, JointSampler& sampler, const MassProperties& carried, double x,
                             bool is) {
  {JointTraits{T::kTraits}};
  { joint.FindFault() } -> std::same_as<std::string>;
  {mutable_joint.Normalize()};
  { joint.Reference() } -> std::same_as<double>;
  {joint.SetInitial(X, out)};
  { joint.MovesMass(carried, x) } -> std::same_as<bool>;
  {joint.Integrate(q, x, out)};
  {joint.Difference(q, q, out)};
  {joint.Sample(sampler, x, x, out)};
  {joint.Move(q, X, S)};
  {joint.ReferColumns(p, S)};
  {joint.AddVelocity(const_S, q, V, S)};
  {joint.AddSpring(x, q, q, out)};
  { joint.FindLimits(q, q, x, x) } -> std::same_as<JointLimits>;
  { joint.CalcTransmission(q, is, V) } -> std::same_as<double>;
  { joint.CalcAxes(X, X) } -> std::same_as<JointAxes>;
};

}  // namespace stiction
