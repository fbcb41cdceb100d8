// Inverse kinematics: positions of joints that bring a frame to a pose.
//
//   InverseKinematics ik(model, model.FindBodyOrFrame("arm/tool"), joints);
//   const InverseKinematicsResult result = ik.Solve(X_WF, mocap, q);   // q: start, and answer
//
// Damped least squares on the error e = (log(R_d Rᵀ), p_d − p), world axes: each step is
//
//   δ = Jᵀ (J Jᵀ + μ² 1)⁻¹ e + w (1 − Jᵀ (J Jᵀ + μ² 1)⁻¹ J) (q_r − q),
//
// the smallest one that does what can be done, and in the joints' motion that the frame does not feel a pull
// towards a posture q_r, that of the first step alone. μ² falls with |e|² (Sugihara 2011), so that
// convergence is quadratic where the pose can be reached. In the second half of the steps one that makes |e|
// larger is taken back and μ² grows: a pose out of reach is approached without swinging about it. A joint at
// a limit that the step would leave is held there while the others are solved for.
//
// Reference: T. Sugihara, Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method, IEEE
// Trans. Robotics 27(5), 2011.
#pragma once

#include <vector>

#include "stiction/dynamics/kinematics.h"
#include "stiction/model/tree_set.h"

namespace stiction {

struct InverseKinematicsOptions {
  int max_steps = 40;
  double position_tolerance = 1e-9;  // [m]
  double rotation_tolerance = 1e-9;  // [rad]
  double posture_weight = 0.0;       // w, 0 ... 1: share of the way to the posture that a call takes
};

struct InverseKinematicsResult {
  bool is_converged = false;  // both errors are within their tolerances
  int steps = 0;
  double position_error = 0.0;  // |p_d − p| [m]
  double rotation_error = 0.0;  // angle between R_d and R [rad]
};

class InverseKinematics {
 public:
  // The joints, of one coordinate each, that may move; they have to move the frame's body. Of a frame whose
  // rotation does not count (`with_rotation` false) the position alone is brought to its goal. Throws
  // std::invalid_argument: no joints, a joint of several coordinates or one that does not move the frame.
  InverseKinematics(const Model& model, const Frame& frame, std::vector<int> joints,
                    bool with_rotation = true);

  // Does not allocate. The other joints stay as they are in q.
  //   X_WF     the pose to reach
  //   mocap    as Input::mocap
  //   posture  one number per joint [m or rad], in the order given; nullptr: no pull
  //   q        size nq, in and out: where the search starts, and the answer, within the joints' limits
  InverseKinematicsResult Solve(const RigidTransform& X_WF, const VectorXd& mocap, const double* posture,
                                VectorXd& q, const InverseKinematicsOptions& options = {});

  // X_WF at q: as Solve sees it.
  RigidTransform CalcPose(const VectorXd& q, const VectorXd& mocap);

  const std::vector<int>& joints() const { return joints_; }

 private:
  void CalcError(const RigidTransform& X_WF, const VectorXd& mocap, const VectorXd& q);
  // δ of the joints that are not held, and holds those which it would push out of their limits, until none is
  // left to hold.
  void CalcStep(const double* posture, double weight, double damping, const VectorXd& q);
  void Move(VectorXd& q);  // by the step, within the limits; keeps where it was
  bool HoldAtLimits(const VectorXd& q);

  const Model& model_;
  Frame frame_;
  std::vector<int> joints_;
  bool with_rotation_;
  TreeSet tree_;  // the frame's
  Kinematics kin_;
  Matrix6Xd J_;             // 6 x nv
  Matrix6Xd J_free_;        // 6 x joints: zero columns for those that are held
  std::vector<char> held_;  // one per joint
  Vector6d e_;              // rotation, then position
  VectorXd step_, before_;  // one per joint
};

}  // namespace stiction
