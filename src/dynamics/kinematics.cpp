#include "stiction/dynamics/kinematics.h"

#include <limits>

namespace stiction {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Moves the frame X_WB that stands before the joint, and writes what S needs: axis and anchor in world axes.
// A rotation leaves (axis, anchor) in its column until the tree's reference point is known; a translation's
// column (0, axis) is final.
struct JointMotion {
  const Joint& joint;
  const double* q;
  RigidTransform& X_WB;
  Matrix6Xd& S;

  void operator()(const FreeJoint&) const {
    X_WB = FreeJoint::CalcPose(q);
    for (int i = 0; i < 3; ++i) S.col(joint.v_address + i) << Vector3d::Zero(), Vector3d::Unit(i);
    WriteBodyAxes(joint.v_address + 3, X_WB.p);
  }
  void operator()(const BallJoint&) const {
    const Vector3d anchor_W = X_WB * joint.p_BJ;
    TurnAbout(anchor_W, QuaternionFromWxyz(q).normalized().toRotationMatrix());
    WriteBodyAxes(joint.v_address, anchor_W);
  }
  void operator()(const SlideJoint&) const {
    const Vector3d axis_W = X_WB.R * joint.axis_B;
    X_WB.p += (*q - joint.reference) * axis_W;
    S.col(joint.v_address) << Vector3d::Zero(), axis_W;
  }
  void operator()(const HingeJoint&) const {
    const Vector3d axis_W = X_WB.R * joint.axis_B;
    const Vector3d anchor_W = X_WB * joint.p_BJ;
    TurnAbout(anchor_W, Eigen::AngleAxisd(*q - joint.reference, joint.axis_B).toRotationMatrix());
    S.col(joint.v_address) << axis_W, anchor_W;
  }

  // Applies a rotation given in the axes that the frame has before it.
  void TurnAbout(const Vector3d& anchor_W, const Matrix3d& R) const {
    X_WB.R = X_WB.R * R;
    X_WB.p = anchor_W - X_WB.R * joint.p_BJ;
  }
  void WriteBodyAxes(int first_column, const Vector3d& anchor_W) const {
    for (int i = 0; i < 3; ++i) S.col(first_column + i) << X_WB.R.col(i), anchor_W;
  }
};

// Which of a joint's dofs are rotations: [first, first + count).
struct RotationDofs {
  struct Range {
    int first, count;
  };
  Range operator()(const FreeJoint&) const { return {3, 3}; }
  Range operator()(const BallJoint&) const { return {0, 3}; }
  Range operator()(const SlideJoint&) const { return {0, 0}; }
  Range operator()(const HingeJoint&) const { return {0, 1}; }
};

// Which of a joint's motion columns stay constant in world axes, counted from its first.
struct ConstantDofs {
  int operator()(const FreeJoint&) const { return 3; }
  int operator()(const BallJoint&) const { return 0; }
  int operator()(const SlideJoint&) const { return 0; }
  int operator()(const HingeJoint&) const { return 0; }
};

// A rotation about an axis through the anchor moves the point p_WT with axis × (p_WT - anchor).
void ReferColumnsToTree(const Joint& joint, const Vector3d& p_WT, Matrix6Xd& S) {
  const auto [first, count] = std::visit(RotationDofs{}, joint.kind);
  for (int k = joint.v_address + first; k < joint.v_address + first + count; ++k) {
    const Vector3d axis_W = S.col(k).head<3>();
    const Vector3d anchor_W = S.col(k).tail<3>();
    S.col(k).tail<3>() = (anchor_W - p_WT).cross(axis_W);
  }
}

RigidTransform MocapPose(const double* mocap) {
  return {QuaternionFromWxyz(mocap + 3).normalized().toRotationMatrix(),
          Vector3d(mocap[0], mocap[1], mocap[2])};
}

void CalcBodyPose(const Model& model, int b, const VectorXd& q, Kinematics& kin) {
  const Body& body = model.bodies[b];
  RigidTransform& X_WB = kin.X_WB[b];
  X_WB = kin.X_WB[body.parent] * body.X_PB;
  const int end = body.first_joint + body.num_joints;
  for (int j = body.first_joint; j < end; ++j) {
    const Joint& joint = model.joints[j];
    std::visit(JointMotion{joint, q.data() + joint.q_address, X_WB, kin.S}, joint.kind);
  }
  if (body.tree < 0) return;
  Vector3d& p_WT = kin.p_WT[body.tree];
  if (model.trees[body.tree].root_body == b) p_WT = X_WB.p;
  for (int j = body.first_joint; j < end; ++j) ReferColumnsToTree(model.joints[j], p_WT, kin.S);
}

void CalcBodyInertia(const Model& model, int b, Kinematics& kin) {
  const Body& body = model.bodies[b];
  const RigidTransform& X_WB = kin.X_WB[b];
  kin.p_WBcm[b] = X_WB * body.inertia.p_BBcm;
  if (body.tree < 0) return;
  // From p_WT to the origin of B and on to its mass centre: short arms keep their digits far from the world's
  // origin.
  const Vector3d p_TBcm_W = (X_WB.p - kin.p_WT[body.tree]) + X_WB.R * body.inertia.p_BBcm;
  const Matrix3d I_BBcm_W = X_WB.R * body.inertia.I_BBcm_B * X_WB.R.transpose();
  kin.M_B_W[b] = SpatialInertia::FromCentral(body.inertia.mass, p_TBcm_W, I_BBcm_W);
}

// A column fixed to a body that moves with V changes at the rate V × S. Hinge and slide axes are fixed on
// both sides of the joint, and the joint's own motion adds S v × S = 0, so that the velocity after the joint
// serves every kind.
void CalcBodyVelocity(const Model& model, int b, const VectorXd& v, Kinematics& kin) {
  const Body& body = model.bodies[b];
  Vector6d V = kin.V_WB[body.parent];  // zero for a static parent
  for (int j = body.first_joint; j < body.first_joint + body.num_joints; ++j) {
    const Joint& joint = model.joints[j];
    const int begin = joint.v_address, end = begin + joint.nv();
    const int num_constant = std::visit(ConstantDofs{}, joint.kind);
    for (int k = begin; k < end; ++k) V += kin.S.col(k) * v[k];
    for (int k = begin; k < begin + num_constant; ++k) kin.dS.col(k).setZero();
    for (int k = begin + num_constant; k < end; ++k) kin.dS.col(k) = CrossMotion(V, kin.S.col(k));
  }
  kin.V_WB[b] = V;
}

}  // namespace

void Kinematics::Resize(const Model& model) {
  const Vector3d unset = Vector3d::Constant(kNan);
  X_WB.assign(model.num_bodies(), RigidTransform{});
  X_WG.assign(model.num_geoms(), RigidTransform{});
  p_WT.assign(model.num_trees(), unset);
  p_WBcm.assign(model.num_bodies(), unset);
  M_B_W.assign(model.num_bodies(), SpatialInertia{});
  S.setConstant(6, model.nv(), kNan);
  V_WB.assign(model.num_bodies(), Vector6d::Zero());
  dS.setConstant(6, model.nv(), kNan);
}

void CalcPositionKinematics(const Model& model, const TreeSet& trees, const VectorXd& q,
                            const VectorXd& mocap, Kinematics& kin) {
  kin.X_WB[0] = RigidTransform{};
  CalcBodyInertia(model, 0, kin);
  const double* mocap_pose = mocap.data();  // of the next mocap body: every set has them all
  for (const IndexRange& range : trees.bodies) {
    for (int b = range.begin; b < range.end; ++b) {
      if (model.bodies[b].is_mocap) {
        kin.X_WB[b] = MocapPose(mocap_pose);
        mocap_pose += 7;
      } else {
        CalcBodyPose(model, b, q, kin);
      }
      CalcBodyInertia(model, b, kin);
    }
  }
  for (const IndexRange& range : trees.geoms) {
    for (int g = range.begin; g < range.end; ++g)
      kin.X_WG[g] = kin.X_WB[model.geoms[g].body] * model.geoms[g].X_BG;
  }
}

void CalcPositionKinematics(const Model& model, const VectorXd& q, const VectorXd& mocap, Kinematics& kin) {
  CalcPositionKinematics(model, model.all_trees, q, mocap, kin);
}

void CalcVelocityKinematics(const Model& model, const TreeSet& trees, const VectorXd& v, Kinematics& kin) {
  for (const IndexRange& range : trees.bodies) {
    for (int b = range.begin; b < range.end; ++b) CalcBodyVelocity(model, b, v, kin);
  }
}

void CalcVelocityKinematics(const Model& model, const VectorXd& v, Kinematics& kin) {
  CalcVelocityKinematics(model, model.all_trees, v, kin);
}

Vector3d CalcPointVelocity(const Model& model, const Kinematics& kin, int body, const Vector3d& p_WQ) {
  const int tree = model.bodies[body].tree;
  if (tree < 0) return Vector3d::Zero();
  const Vector6d& V = kin.V_WB[body];
  return V.tail<3>() + V.head<3>().cross(p_WQ - kin.p_WT[tree]);
}

Vector3d CalcAngularVelocity(const Kinematics& kin, int body) {
  return kin.V_WB[body].head<3>();
}

}  // namespace stiction
