#include "stiction/dynamics/kinematics.h"

#include <limits>
#include <utility>

#include "math/assert.h"
#include "math/spatial_algebra.h"

namespace stiction {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

MotionColumns ColumnsOf(const Joint& joint, Matrix6Xd& S) {
  return {S.data() + 6 * joint.v_address, 6, joint.nv()};
}
ConstMotionColumns ColumnsOf(const Joint& joint, const Matrix6Xd& S) {
  return {S.data() + 6 * joint.v_address, 6, joint.nv()};
}

RigidTransform MocapPose(const double* mocap) {
  return {QuaternionFromWxyz(mocap + 3).normalized().toRotationMatrix(),
          Vector3d(mocap[0], mocap[1], mocap[2])};
}

bool IsIdentity(const Matrix3d& R) {
  return R(0, 0) == 1.0 && R(1, 1) == 1.0 && R(2, 2) == 1.0 && R(1, 0) == 0.0 && R(2, 0) == 0.0 &&
         R(0, 1) == 0.0 && R(2, 1) == 0.0 && R(0, 2) == 0.0 && R(1, 2) == 0.0;
}

// X_AC = X_AB * X_BC, in place; frames of files are often parallel.
void Multiply(const RigidTransform& X_AB, const RigidTransform& X_BC, RigidTransform& X_AC) {
  if (IsIdentity(X_BC.R)) {
    X_AC.R = X_AB.R;
  } else {
    X_AC.R.noalias() = X_AB.R * X_BC.R;
  }
  X_AC.p.noalias() = X_AB.R * X_BC.p;
  X_AC.p += X_AB.p;
}

// X_WB, and the columns of S about the joints.
void CalcBodyPose(const Model& model, int b, const VectorXd& q, Kinematics& kin) {
  const Body& body = model.bodies[b];
  RigidTransform& X_WB = kin.X_WB[b];
  Multiply(kin.X_WB[body.parent], body.X_PB, X_WB);
  for (int j = body.first_joint; j < body.first_joint + body.num_joints; ++j) {
    const Joint& joint = model.joints[j];
    const double* joint_q = q.data() + joint.q_address;
    std::visit([&](const auto& kind) { kind.Move(joint_q, X_WB, ColumnsOf(joint, kin.S)); }, joint.kind);
  }
}

// The columns of S about p_WT.
void ReferBodyColumns(const Model& model, int b, Kinematics& kin) {
  const Body& body = model.bodies[b];
  if (body.tree < 0) return;
  Vector3d& p_WT = kin.p_WT[body.tree];
  if (model.trees[body.tree].root_body == b) p_WT = kin.X_WB[b].p;
  for (int j = body.first_joint; j < body.first_joint + body.num_joints; ++j) {
    const Joint& joint = model.joints[j];
    std::visit([&](const auto& kind) { kind.ReferColumns(p_WT, ColumnsOf(joint, kin.S)); }, joint.kind);
  }
}

// Calls visit(b) for each body of the set as soon as it has its pose.
template <typename Visit>
void ForEachPose(const Model& model, const TreeSet& trees, const VectorXd& q, const VectorXd& mocap,
                 Kinematics& kin, const Visit& visit) {
  const double* mocap_pose = mocap.data();  // of the next mocap body: a set has them all or none
  for (const IndexRange& range : trees.bodies) {
    for (int b = range.begin; b < range.end; ++b) {
      if (model.bodies[b].is_mocap) {
        kin.X_WB[b] = MocapPose(mocap_pose);
        mocap_pose += 7;
      } else {
        CalcBodyPose(model, b, q, kin);
      }
      visit(b);
    }
  }
}

void CalcBodyInertia(const Model& model, int b, Kinematics& kin) {
  const Body& body = model.bodies[b];
  const RigidTransform& X_WB = kin.X_WB[b];
  const Vector3d p_BBcm_W = X_WB.R * body.inertia.p_BBcm;
  kin.p_WBcm[b] = p_BBcm_W + X_WB.p;
  if (body.tree < 0) return;
  // From p_WT to the origin of B and on to its mass centre: short arms keep their digits far from the world's
  // origin.
  const Vector3d p_TBcm_W = (X_WB.p - kin.p_WT[body.tree]) + p_BBcm_W;
  const Matrix3d I_BBcm_W = X_WB.R * body.inertia.I_BBcm_B * X_WB.R.transpose();
  kin.M_B_W[b] = MakeSpatialInertia(body.inertia.mass, p_TBcm_W, I_BBcm_W);
}

void CalcBodyVelocity(const Model& model, int b, const VectorXd& v, Kinematics& kin) {
  const Body& body = model.bodies[b];
  Vector6d V = kin.V_WB[body.parent];  // zero for a static parent
  for (int j = body.first_joint; j < body.first_joint + body.num_joints; ++j) {
    const Joint& joint = model.joints[j];
    const ConstMotionColumns S = ColumnsOf(joint, std::as_const(kin.S));
    const MotionColumns dS = ColumnsOf(joint, kin.dS);
    const double* joint_v = v.data() + joint.v_address;
    std::visit([&](const auto& kind) { kind.AddVelocity(S, joint_v, V, dS); }, joint.kind);
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
  STICTION_ASSERT(q.size() == model.nq() && mocap.size() == 7 * model.num_mocap);
  STICTION_ASSERT(kin.X_WB.size() == model.bodies.size() && kin.S.cols() == model.nv());
  if (trees.has_fixed) {
    kin.X_WB[0] = RigidTransform{};
    CalcBodyInertia(model, 0, kin);
  }
  ForEachPose(model, trees, q, mocap, kin, [&](int b) {
    ReferBodyColumns(model, b, kin);
    CalcBodyInertia(model, b, kin);
  });
  for (const IndexRange& range : trees.geoms) {
    for (int g = range.begin; g < range.end; ++g)
      Multiply(kin.X_WB[model.geoms[g].body], model.geoms[g].X_BG, kin.X_WG[g]);
  }
}

void CalcBodyPoses(const Model& model, const TreeSet& trees, const VectorXd& q, const VectorXd& mocap,
                   Kinematics& kin) {
  STICTION_ASSERT(q.size() == model.nq() && mocap.size() == 7 * model.num_mocap);
  if (trees.has_fixed) kin.X_WB[0] = RigidTransform{};
  ForEachPose(model, trees, q, mocap, kin, [](int) {});
}

void CalcPositionKinematics(const Model& model, const VectorXd& q, const VectorXd& mocap, Kinematics& kin) {
  CalcPositionKinematics(model, model.all_trees, q, mocap, kin);
}

void CalcVelocityKinematics(const Model& model, const TreeSet& trees, const VectorXd& v, Kinematics& kin) {
  STICTION_ASSERT(v.size() == model.nv());
  STICTION_ASSERT(kin.V_WB.size() == model.bodies.size() && kin.dS.cols() == model.nv());
  for (const IndexRange& range : trees.bodies) {
    for (int b = range.begin; b < range.end; ++b) CalcBodyVelocity(model, b, v, kin);
  }
}

void CalcVelocityKinematics(const Model& model, const VectorXd& v, Kinematics& kin) {
  CalcVelocityKinematics(model, model.all_trees, v, kin);
}

Vector3d CalcPointVelocity(const Model& model, const Kinematics& kin, int body, const Vector3d& p_WQ) {
  STICTION_ASSERT(body >= 0 && body < model.num_bodies());
  const int tree = model.bodies[body].tree;
  if (tree < 0) return Vector3d::Zero();
  const Vector6d& V = kin.V_WB[body];
  return V.tail<3>() + V.head<3>().cross(p_WQ - kin.p_WT[tree]);
}

Vector3d CalcAngularVelocity(const Kinematics& kin, int body) {
  return kin.V_WB[body].head<3>();
}

}  // namespace stiction
