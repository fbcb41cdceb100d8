#include "model/added_keyframe.h"

#include "stiction/math/rotation.h"
#include "stiction/model/input.h"

namespace stiction {
namespace {

// X_WB from X_MB, both as p (3), quaternion w,x,y,z (4). A model that is not moved keeps every bit.
void PlacePose(const RigidTransform& X_WM, double* pose) {
  Eigen::Map<Vector3d> p(pose);
  p = X_WM * Vector3d(p);
  if (X_WM.R == Matrix3d::Identity()) return;
  QuaternionToWxyz((Quaterniond(X_WM.R) * QuaternionFromWxyz(pose + 3)).normalized(), pose + 3);
}

// The places of the model's mocap bodies in Input::mocap; -1 for other bodies.
std::vector<int> CalcMocapAddresses(const Model& model) {
  std::vector<int> addresses(model.num_bodies(), -1);
  int next = 0;
  for (int b = 0; b < model.num_bodies(); ++b) {
    if (!model.bodies[b].is_mocap) continue;
    addresses[b] = next;
    next += 7;
  }
  return addresses;
}

}  // namespace

Keyframe PlaceKeyframe(const Model& model, const Keyframe& keyframe, const RigidTransform& X_WM,
                       const std::vector<int>& joints) {
  Keyframe placed = keyframe;
  placed.q.resize(model.nq());
  placed.v.resize(model.nv());
  int nq = 0, nv = 0;
  for (int j = 0; j < model.num_joints(); ++j) {
    if (joints[j] < 0) continue;
    const Joint& joint = model.joints[j];
    placed.q.segment(nq, joint.nq()) = keyframe.q.segment(joint.q_address, joint.nq());
    placed.v.segment(nv, joint.nv()) = keyframe.v.segment(joint.v_address, joint.nv());
    if (joint.is_free()) {
      PlacePose(X_WM, placed.q.data() + nq);
      placed.v.segment<3>(nv) = X_WM.R * keyframe.v.segment<3>(joint.v_address);
    }
    nq += joint.nq();
    nv += joint.nv();
  }
  placed.q.conservativeResize(nq);
  placed.v.conservativeResize(nv);
  for (int i = 0; i < placed.mocap.size(); i += 7) PlacePose(X_WM, placed.mocap.data() + i);
  return placed;
}

Keyframe SpreadKeyframe(const Model& model, const Keyframe& values, const std::vector<int>& joints,
                        const std::vector<int>& actuators, const std::vector<int>& mocap_bodies) {
  const Input defaults = Input::Default(model);
  Keyframe keyframe{.name = values.name,
                    .time = values.time,
                    .q = model.q0,
                    .v = VectorXd::Zero(model.nv()),
                    .ctrl = defaults.ctrl,
                    .activation = VectorXd::Zero(model.na()),
                    .mocap = defaults.mocap};
  int nq = 0, nv = 0, nu = 0, num_mocap = 0;
  for (const int j : joints) {
    const Joint& joint = model.joints[j];
    keyframe.q.segment(joint.q_address, joint.nq()) = values.q.segment(nq, joint.nq());
    keyframe.v.segment(joint.v_address, joint.nv()) = values.v.segment(nv, joint.nv());
    nq += joint.nq();
    nv += joint.nv();
  }
  int na = 0;
  for (const int a : actuators) {
    keyframe.ctrl[a] = values.ctrl[nu++];
    const int count = NumStates(model.actuators[a]);
    if (count > 0)
      keyframe.activation.segment(model.actuators[a].activation, count) =
          values.activation.segment(na, count);
    na += count;
  }
  const std::vector<int> addresses = CalcMocapAddresses(model);
  for (const int b : mocap_bodies)
    keyframe.mocap.segment<7>(addresses[b]) = values.mocap.segment<7>(7 * num_mocap++);
  return keyframe;
}

}  // namespace stiction
