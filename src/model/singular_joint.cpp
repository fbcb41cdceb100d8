#include <Eigen/Eigenvalues>

#include "model/builder_checks.h"

namespace stiction {
namespace {

// Inertia along each kind of joint's dofs, of everything that the joint carries, frozen at q0. At q0 a body
// stands at X_PB, so that the joint's anchor and axis are p_BJ and axis_B in its own frame, where `carried`
// is given too.
//
// "Nothing" is measured against rounding: shifting and rotating the inertias of the carried bodies leaves
// 1e-16 of their size, so a moment of less than 1e-12 of the trace, or a lever arm of less than 1e-12 of the
// distance to the anchor, is none.
struct MovesMass {
  const Joint& joint;
  const MassProperties& carried;

  bool operator()(const FreeJoint&) const {
    return carried.mass + joint.armature > 0.0 && HasFullRank(carried.I_BBcm_B);
  }
  bool operator()(const BallJoint&) const {
    const Vector3d r = carried.p_BBcm - joint.p_BJ;
    const Matrix3d shift = r.squaredNorm() * Matrix3d::Identity() - r * r.transpose();
    return HasFullRank(carried.I_BBcm_B + carried.mass * shift);
  }
  bool operator()(const SlideJoint&) const { return carried.mass + joint.armature > 0.0; }
  bool operator()(const HingeJoint&) const {
    const Vector3d r = carried.p_BBcm - joint.p_BJ;
    const double lever2 = r.cross(joint.axis_B).squaredNorm();
    const double moment = joint.axis_B.dot(carried.I_BBcm_B * joint.axis_B);
    const double rounding = 1e-12 * carried.I_BBcm_B.trace() + 1e-24 * carried.mass * r.squaredNorm();
    return joint.armature + moment + carried.mass * lever2 > rounding;
  }

  bool HasFullRank(const Matrix3d& I) const {
    if (joint.armature > 0.0) return true;
    const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(I, Eigen::EigenvaluesOnly).eigenvalues();
    return moments[0] > 1e-12 * moments[2];
  }
};

// Mass properties of each body together with all below it, in the body's own frame.
std::vector<MassProperties> CalcCarried(const Model& model) {
  std::vector<MassProperties> carried;
  carried.reserve(model.bodies.size());
  for (const Body& body : model.bodies) carried.push_back(body.inertia);
  for (int b = model.num_bodies() - 1; b > 0; --b) {
    const Body& body = model.bodies[b];
    carried[body.parent] = Add(carried[body.parent], Transform(body.X_PB, carried[b]));
  }
  return carried;
}

}  // namespace

void CheckJointsMoveMass(const Model& model) {
  const std::vector<MassProperties> carried = CalcCarried(model);
  for (int j = 0; j < model.num_joints(); ++j) {
    const Joint& joint = model.joints[j];
    if (std::visit(MovesMass{joint, carried[joint.body]}, joint.kind)) continue;
    const Body& body = model.bodies[joint.body];
    throw ModelError(ModelError::Kind::kBody, joint.body,
                     Quote("body", body.name, joint.body) + ": its " + joint.type_name() + " " +
                         Quote("joint", joint.name, j) +
                         " moves no mass or inertia; give the body or one attached to it a mass and an "
                         "inertia, or the joint an armature");
  }
}

}  // namespace stiction
