#include "pull.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace stiction::viewer {
namespace {

constexpr double kFrequency = 2.0 * M_PI * 1.5;  // of the oscillator [rad/s]
constexpr double kArm = 0.1;                     // of the couple that is a torque [m]

// The mass that a pull at `body` has to carry: of its tree where that floats, else of what hangs on it.
double CalcCarriedMass(const Model& model, int body) {
  const Tree& tree = model.trees[model.bodies[body].tree];
  const bool floats = model.joints[model.dof_joint[tree.first_dof]].is_free();
  const int root = floats ? tree.root_body : body;
  double mass = 0.0;
  for (int b = root; b < model.num_bodies(); ++b) {
    int ancestor = b;
    while (ancestor > root) ancestor = model.bodies[ancestor].parent;
    if (ancestor == root) mass += model.bodies[b].inertia.mass;
  }
  return mass;
}

// What an oscillator of mass m does in an implicit step of dt, where the point's velocity follows the impulse
// by the mobility W: f = k (x − dt v⁺) − c v⁺ with v⁺ = v + dt W f.
Vector3d CalcForce(const Vector3d& x, const Vector3d& v, double m, const Matrix3d& W, double dt) {
  const double k = m * kFrequency * kFrequency, c = 2.0 * m * kFrequency;
  const Matrix3d A = Matrix3d::Identity() + dt * (c + dt * k) * W;
  return A.inverse() * (k * x - (c + dt * k) * v);
}

}  // namespace

// Three rows of J M⁻¹ Jᵀ of the point: 0 angular, 3 linear. Zero where the mass matrix is singular.
Matrix3d Pull::CalcMobility(const World& world, const Vector3d& p_W, int first_row) {
  CalcMassMatrix(world.model(), world.kinematics(), crba_, M_);
  if (factor_.Factor(M_) >= 0) return Matrix3d::Zero();
  const MatrixXd J = world.CalcPointJacobian(body_, p_W).middleRows(first_row, 3);
  MatrixXd columns = J.transpose();
  for (int i = 0; i < 3; ++i) factor_.Solve(columns.col(i).data());
  return J * columns;
}

bool Pull::Start(const World& world, int body, const Vector3d& p_W) {
  body_ = -1;
  if (body <= 0 || world.model().bodies[body].tree < 0) return false;
  body_ = body;
  M_.Resize(MakeMassMatrixPattern(world.model()));
  const double linear = CalcMobility(world, p_W, 3).trace(), angular = CalcMobility(world, p_W, 0).trace();
  const RigidTransform& X_WB = world.body_poses()[body];
  p_B_ = X_WB.Inverse() * p_W;
  R_start_ = X_WB.R;
  target_W_ = p_W;
  turn_W_ = Vector3d::Zero();
  is_turn_ = false;
  force_W_ = torque_W_ = Vector3d::Zero();
  mass_ = std::max(CalcCarriedMass(world.model(), body), linear > 0.0 ? 3.0 / linear : 0.0);
  inertia_ = angular > 0.0 ? 3.0 / angular : 0.0;
  if (linear > 0.0 || angular > 0.0) return true;
  body_ = -1;
  return false;
}

void Pull::SetTarget(const Vector3d& target_W) {
  is_turn_ = false;
  target_W_ = target_W;
}

void Pull::SetTurn(const Vector3d& turn_W) {
  is_turn_ = true;
  turn_W_ = turn_W;
}

void Pull::Apply(World& world) {
  force_W_ = torque_W_ = Vector3d::Zero();
  if (!is_active()) return;
  const Vector3d p_W = world.body_poses()[body_] * p_B_;
  if (is_turn_) return ApplyTurn(world, p_W);
  const Vector3d velocity = world.CalcPointVelocity(body_, p_W).tail<3>();
  force_W_ = CalcForce(target_W_ - p_W, velocity, mass_, CalcMobility(world, p_W, 3), world.timestep());
  world.AddForce(body_, p_W, force_W_);
}

// A couple: two opposite forces, an arm on either side of the grabbed point.
void Pull::ApplyTurn(World& world, const Vector3d& p_W) {
  const double angle = turn_W_.norm();
  Matrix3d wanted = R_start_;
  if (angle > 0.0) wanted = Eigen::AngleAxisd(angle, turn_W_ / angle).toRotationMatrix() * R_start_;
  const Eigen::AngleAxisd error(wanted * world.body_poses()[body_].R.transpose());
  const Vector3d omega = world.CalcPointVelocity(body_, p_W).head<3>();
  torque_W_ =
      CalcForce(error.angle() * error.axis(), omega, inertia_, CalcMobility(world, p_W, 0), world.timestep());
  if (!(torque_W_.norm() > 0.0)) return;
  const Vector3d arm = kArm * torque_W_.unitOrthogonal();
  const Vector3d force = torque_W_.cross(arm) / (2.0 * kArm * kArm);
  world.AddForce(body_, p_W + arm, force);
  world.AddForce(body_, p_W - arm, -force);
}

PullView Pull::View(const World& world) const {
  if (!is_active()) return {};
  const Vector3d p_W = world.body_poses()[body_] * p_B_;
  return {true, p_W, is_turn_ ? p_W : target_W_, force_W_, torque_W_};
}

}  // namespace stiction::viewer
