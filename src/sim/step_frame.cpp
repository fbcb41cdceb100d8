#include "sim/step_frame.h"

#include <algorithm>
#include <atomic>

#include "stiction/math/rotation.h"

namespace stiction {

MocapStep CalcMocapStep(const StepFrame& frame, const DetectedContact& contact) {
  if (!frame.mocap.is_moving()) return {};
  const int A = frame.chains[contact.tracked.geom_a].body, B = frame.chains[contact.tracked.geom_b].body;
  const MocapMotion& mocap = frame.mocap;
  const Vector3d& p_W = contact.tracked.point.p_W;
  const Vector3d d_A = mocap.CalcDisplacement(A, p_W), d_B = mocap.CalcDisplacement(B, p_W);
  if (std::max(d_A.norm(), d_B.norm()) > 0.5 * contact.thickness) return {};  // a jump
  return {d_B - d_A, mocap.CalcTravel(B, p_W) - mocap.CalcTravel(A, p_W),
          mocap.CalcTurn(B) - mocap.CalcTurn(A)};
}

double CalcPenetration(const StepFrame& frame) {
  std::atomic<double> deepest = 0.0;
  frame.pool.ForPieces(static_cast<int>(frame.contacts.size()), kLeastContacts, [&](int begin, int end) {
    double depth = 0.0;
    for (int i = begin; i < end; ++i) {
      const DetectedContact& contact = frame.contacts[i];
      const ManifoldPoint& point = contact.tracked.point;
      depth = std::max(depth, CalcMocapStep(frame, contact).displacement.dot(point.n_W) - point.gap);
    }
    double last = deepest.load(std::memory_order_relaxed);
    while (depth > last && !deepest.compare_exchange_weak(last, depth, std::memory_order_relaxed)) {
    }
  });
  return deepest.load(std::memory_order_relaxed);
}

double CalcNormalVelocity(const StepFrame& frame, const TrackedContact& contact, const VectorXd& v) {
  double speed = 0.0;
  for (const auto& [geom, sign] : {std::pair{contact.geom_a, -1.0}, std::pair{contact.geom_b, 1.0}}) {
    const GeomChain& chain = frame.chains[geom];
    if (chain.tree < 0) continue;
    const Vector3d p_TQ = contact.point.p_W - frame.kin.p_WT[chain.tree];
    const Vector3d moment = p_TQ.cross(contact.point.n_W);
    const int* dofs = frame.pattern.columns(chain.last_dof);
    for (int i = 0; i < chain.num_dofs; ++i) {
      const auto S = frame.kin.S.col(dofs[i]);
      speed += sign * v[dofs[i]] * (S.tail<3>().dot(contact.point.n_W) + S.head<3>().dot(moment));
    }
  }
  return speed;
}

Vector3d CalcRelativeTurn(const StepFrame& frame, const TrackedContact& contact, const VectorXd& v) {
  Vector3d turn = Vector3d::Zero();
  for (const auto& [geom, sign] : {std::pair{contact.geom_a, -1.0}, std::pair{contact.geom_b, 1.0}}) {
    const GeomChain& chain = frame.chains[geom];
    if (chain.tree < 0) continue;
    const int* dofs = frame.pattern.columns(chain.last_dof);
    for (int i = 0; i < chain.num_dofs; ++i) turn += sign * v[dofs[i]] * frame.kin.S.col(dofs[i]).head<3>();
  }
  return turn;
}

void CalcContactFrames(const std::vector<DetectedContact>& contacts, const TaskPool& pool,
                       std::vector<Matrix3d>& R_WC) {
  R_WC.resize(contacts.size());
  pool.ForPieces(static_cast<int>(contacts.size()), kLeastContacts, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) R_WC[i] = MakeContactFrame(contacts[i].tracked.point.n_W);
  });
}

}  // namespace stiction
