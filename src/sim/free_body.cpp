#include "sim/free_body.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "math/assert.h"
#include "stiction/math/rotation.h"

namespace stiction {

std::vector<FreeBody> FindFreeBodies(const Model& model) {
  std::vector<FreeBody> free_bodies;
  for (int t = 0; t < model.num_trees(); ++t) {
    const Tree& tree = model.trees[t];
    if (!tree.is_free_body) continue;
    FreeBody free_body;
    free_body.tree = t;
    free_body.body = tree.root_body;
    free_body.joint = model.bodies[tree.root_body].first_joint;
    if (model.joints[free_body.joint].armature != 0.0 || tree.has_tendon_inertia) continue;
    // Bodies stand parents first, so the welded ones follow their root.
    std::vector<RigidTransform> X_RB;
    for (int b = tree.root_body; b < model.num_bodies() && model.bodies[b].tree == t; ++b) {
      const Body& body = model.bodies[b];
      X_RB.push_back(b == tree.root_body ? RigidTransform{} : X_RB[body.parent - tree.root_body] * body.X_PB);
      free_body.inertia = Add(free_body.inertia, Transform(X_RB.back(), body.inertia));
    }
    const Vector3d& c = free_body.inertia.p_BBcm;
    free_body.is_centred = c.isZero(0.0);
    free_body.I_BB_B = free_body.inertia.I_BBcm_B +
                       free_body.inertia.mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
    free_bodies.push_back(free_body);
  }
  return free_bodies;
}

// What moves the origin by v and turns by ω has the momentum m (v + R (ω × c)), and v's part of the moment
// about the origin is m c × Rᵀ v.
void CalcFreeBodyMass(const FreeBody& free_body, const Matrix3d& R_WB, double* rows) {
  const double m = free_body.inertia.mass;
  const Vector3d mc = m * free_body.inertia.p_BBcm;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < i; ++j) *rows++ = 0.0;
    *rows++ = m;
  }
  for (int i = 0; i < 3; ++i) {
    const int next = (i + 1) % 3, last = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) *rows++ = mc[next] * R_WB(j, last) - mc[last] * R_WB(j, next);
    for (int j = 0; j <= i; ++j) *rows++ = free_body.I_BB_B(i, j);
  }
}

namespace {

constexpr double kLongestTurn = 0.25;  // of a part of a step that is too long for Newton's method [rad]
constexpr double kMostParts = 256.0;   // of a step: 64 rad

// Newton's method from ω: where the inertia is that of a ball, or the spin about a principal axis, ω is the
// answer already. False: it found none.
bool FindSpin(const Matrix3d& I, const Vector3d& w, double dt, Vector3d& next) {
  constexpr double kSquareRootOfRounding = 1e-8;
  next = w;
  for (int i = 0; i < 8; ++i) {
    const Vector3d mean = 0.5 * (w + next);
    const Vector3d residual = I * (next - w) + dt * mean.cross(I * mean);
    const Matrix3d slope = I + 0.5 * dt * (Skew(mean) * I - Skew(I * mean));
    const Vector3d step = slope.inverse() * residual;
    next -= step;
    // What is left is of the size of the step's square.
    if (step.squaredNorm() <= kSquareRootOfRounding * kSquareRootOfRounding * next.squaredNorm()) return true;
  }
  return false;
}

}  // namespace

Vector3d AdvanceSpin(const Matrix3d& I, const Vector3d& w, double dt) {
  STICTION_ASSERT(I.trace() > 0.0);
  Vector3d next;
  if (FindSpin(I, w, dt, next)) return next;
  // In parts, each of which keeps energy and the size of the angular momentum; so does a spin that stays in
  // the body, where it turns so far in a step that no part of that motion is resolved.
  const double parts = std::ceil(w.norm() * dt / kLongestTurn);
  if (!(parts <= kMostParts)) return w;
  Vector3d spin = w;
  for (int i = 0; i < static_cast<int>(parts); ++i) {
    if (!FindSpin(I, spin, dt / parts, next)) return w;
    spin = next;
  }
  return spin;
}

Eigen::Matrix<double, 6, 1> CalcFreeFlight(const FreeBody& free_body, const Matrix3d& R_WB, const double* v,
                                           double dt) {
  const Vector3d c = free_body.inertia.p_BBcm;
  const Vector3d v_B(v[0], v[1], v[2]), w(v[3], v[4], v[5]);
  const Vector3d w_next = AdvanceSpin(free_body.inertia.I_BBcm_B, w, dt);
  Eigen::Matrix<double, 6, 1> next;
  next.head<3>() = v_B + R_WB * (w - w_next).cross(c);
  next.tail<3>() = w_next;
  return next;
}

void AdvanceFreeBody(const FreeBody& free_body, bool is_in_flight, const double* v0, const double* v_flight,
                     const double* correction, double dt, double theta, double* q, double* v) {
  const auto is_zero = [](const double* x) {
    return std::all_of(x, x + 6, [](double y) { return y == 0.0; });
  };
  if (is_zero(v) && is_zero(v0) && is_zero(correction)) {
    std::fill_n(v, 6, 0.0);  // not of the other sign
    return;
  }
  const Vector3d c = free_body.inertia.p_BBcm;
  const Quaterniond quat = QuaternionFromWxyz(q + 3);
  const Matrix3d R = quat.toRotationMatrix();
  const Vector3d w(v[3], v[4], v[5]), w_correction(correction[3], correction[4], correction[5]);
  const Vector3d v_cm = Vector3d(v[0], v[1], v[2]) + R * w.cross(c);
  const Vector3d shift = Vector3d(correction[0], correction[1], correction[2]) + R * w_correction.cross(c);
  const Vector3d start_w(v0[3], v0[4], v0[5]);
  const Vector3d start_v_cm = Vector3d(v0[0], v0[1], v0[2]) + R * start_w.cross(c);
  const Vector3d mean_v_cm = theta == 1.0 ? v_cm : Vector3d(theta * v_cm + (1.0 - theta) * start_v_cm);
  const Vector3d p_cm = Vector3d(q[0], q[1], q[2]) + R * c + dt * mean_v_cm + shift;

  Quaterniond turn;
  if (is_in_flight) {
    // Midpoint spin of the free motion, plus what applied torques added to the end-of-step spin.
    const Vector3d free(v_flight[3], v_flight[4], v_flight[5]);
    turn = QuaternionCayley(dt * (0.5 * (start_w + free) + (w - free)) + w_correction);
  } else {
    turn = QuaternionExp(dt * (theta * w + (1.0 - theta) * start_w) + w_correction);
  }
  const Quaterniond next = (quat * turn).normalized();
  const Matrix3d R_next = next.toRotationMatrix();
  const Vector3d p = p_cm - R_next * c, v_B = v_cm - R_next * w.cross(c);
  for (int i = 0; i < 3; ++i) q[i] = p[i], v[i] = v_B[i];
  QuaternionToWxyz(next, q + 3);
}

}  // namespace stiction
