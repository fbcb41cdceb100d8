// How mocap bodies move during a step: from the poses that the last step ended with, State::mocap, to those
// of the Input.
//
// Kinematics have a mocap body where the step takes it. A material point that ends at p was at D p before,
// with D = X_WB(start) X_WB(end)⁻¹, so that its displacement is d = p − D p. Contacts see it as prescribed
// motion of one of their sides: with the gap φ and the normal n at the body's new place, and d that of B less
// that of A, the gap was φ − n·d before, and the laws hold for the relative velocity J v + u/dt. A body that
// lies on a mocap body is carried by friction, one in its way is pushed at its speed. Torsional and rolling
// friction see the rotation vector of D⁻¹, over dt, in the same way.
//
// u/dt is a velocity that a rigid body can have, that of the screw from one pose to the other: u = ρ + θ × p
// with exp(θ, ρ) = D⁻¹. Displacements of a body that turns are none: points of a face that is to follow them
// would hold against one another, by θ²/2 of their distance in every step, until some slide.
//
// A contact whose point the mocap body takes further than half the smaller of the two bodies' thickness in
// one step was jumped to, not reached: the motion counts as none, and penetration is the position stage's
// affair. The same holds where the last poses are not known: before the first step, after a keyframe.
#pragma once

#include <vector>

#include "stiction/dynamics/kinematics.h"

namespace stiction {

class MocapMotion {
 public:
  MocapMotion() = default;
  explicit MocapMotion(const Model& model);

  //   from, to  as Input::mocap; `from` of another size: nothing moves
  void Update(const VectorXd& from, const VectorXd& to);
  bool is_moving() const { return is_moving_; }

  // d of the point of the body that ends at p_WQ [m]; zero for bodies that no mocap body carries.
  Vector3d CalcDisplacement(int body, const Vector3d& p_WQ) const;
  // u of a point p_WQ of it [m]; zero for the same.
  Vector3d CalcTravel(int body, const Vector3d& p_WQ) const;
  // Rotation vector of the body's turn in the step [rad]; zero for the same.
  Vector3d CalcTurn(int body) const;
  // Where something fixed to the body stood before.
  RigidTransform CalcStart(int body, const RigidTransform& X_WF) const;

 private:
  std::vector<int> mocap_of_body_;       // -1: none
  std::vector<RigidTransform> D_;        // one per mocap body
  std::vector<Vector3d> turn_, travel_;  // θ and ρ, likewise
  bool is_moving_ = false;
};

}  // namespace stiction
