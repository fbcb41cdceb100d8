// A spring between a body and the user's hand.
#pragma once

#include "snapshot.h"
#include "stiction/dynamics/crba.h"

namespace stiction::viewer {

// A pull moves a point of the body towards a target like a critically damped oscillator of a fixed frequency,
// as stiff as the mass that has to be carried needs: all that hangs on the body. Its force is that of an
// implicit step, with the inertia that the point has at that moment, so that a light finger of a heavy robot
// is pulled gently. A twist turns the body in the same way.
class Pull {
 public:
  // Grabs the material point of `body` at p_W. Bodies that cannot move are not grabbed: false.
  bool Start(const World& world, int body, const Vector3d& p_W);
  void Stop() { body_ = -1; }
  bool is_active() const { return body_ >= 0; }
  int body() const { return body_; }

  // The point is to come to target_W.
  void SetTarget(const Vector3d& target_W);
  // The body is to turn by this rotation vector from where it was grabbed [rad].
  void SetTurn(const Vector3d& turn_W);
  // A force at the point and a moment, both steady, in place of a spring [N, N·m].
  void SetWrench(const Vector3d& force_W, const Vector3d& torque_W);

  // A place or a turn was asked for, and not only a grip taken.
  bool has_goal() const { return is_active() && has_goal_; }

  // Adds the force to the next step.
  void Apply(World& world);
  // The same for a step that starts at rest and is to move the point, or turn the body, as far as one step
  // can: a pose is made so, not a motion. A steady force has no such pose: false.
  bool ApplyAtRest(World& world);

  PullView View(const World& world) const;

 private:
  enum class Kind { kPoint, kTurn, kWrench };

  Matrix3d CalcMobility(const World& world, const Vector3d& p_W, int first_row);
  Vector3d CalcTurnLeft(const World& world) const;
  void ApplyTurn(World& world, const Vector3d& p_W);
  void AddTorque(World& world, const Vector3d& p_W) const;

  int body_ = -1;
  Vector3d p_B_ = Vector3d::Zero();
  Vector3d target_W_ = Vector3d::Zero();
  Vector3d turn_W_ = Vector3d::Zero();
  Kind kind_ = Kind::kPoint;
  bool has_goal_ = false;
  Matrix3d R_start_ = Matrix3d::Identity();
  double mass_ = 0.0;     // carried by a pull [kg]
  double inertia_ = 0.0;  // turned by a twist [kg·m²]
  Vector3d force_W_ = Vector3d::Zero(), torque_W_ = Vector3d::Zero();
  BranchSparseMatrix M_;
  BranchSparseFactor factor_;
  CrbaWorkspace crba_;
};

}  // namespace stiction::viewer
