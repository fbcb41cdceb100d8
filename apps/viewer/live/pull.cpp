#include "pull.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace stiction::viewer {
namespace {

constexpr double kFrequency = 2.0 * M_PI * 1.5;  // of the oscillator [rad/s]
constexpr double kArm = 0.1;                     // of the couple that is a torque [m]
// Of what is left, at rest, in one step: so little that contacts are seen in time.
constexpr double kFarthest = 0.02, kFarthestTurn = 0.1;  // [m], [rad]

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
Vector3d CalcForce(const Vector3d& x, const Vector3d& v, double m, const Matrix3d& W, double dt,
                   double frequency = kFrequency) {
  const double k = m * frequency * frequency, c = 2.0 * m * frequency;
  const Matrix3d A = Matrix3d::Identity() + dt * (c + dt * k) * W;
  return A.inverse() * (k * x - (c + dt * k) * v);
}

Vector3d Limit(const Vector3d& x, double length) {
  const double norm = x.norm();
  return norm > length ? Vector3d(length / norm * x) : x;
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
  kind_ = Kind::kPoint;
  has_goal_ = false;
  force_W_ = torque_W_ = Vector3d::Zero();
  mass_ = std::max(CalcCarriedMass(world.model(), body), linear > 0.0 ? 3.0 / linear : 0.0);
  inertia_ = angular > 0.0 ? 3.0 / angular : 0.0;
  if (linear > 0.0 || angular > 0.0) return true;
  body_ = -1;
  return false;
}

void Pull::SetTarget(const Vector3d& target_W) {
  kind_ = Kind::kPoint;
  has_goal_ = true;
  target_W_ = target_W;
}

void Pull::SetTurn(const Vector3d& turn_W) {
  kind_ = Kind::kTurn;
  has_goal_ = true;
  turn_W_ = turn_W;
}

void Pull::SetWrench(const Vector3d& force_W, const Vector3d& torque_W) {
  kind_ = Kind::kWrench;
  force_W_ = force_W, torque_W_ = torque_W;
}

void Pull::Apply(World& world) {
  if (!is_active()) return;
  const Vector3d p_W = world.body_poses()[body_] * p_B_;
  if (kind_ == Kind::kWrench) {
    world.AddForce(body_, p_W, force_W_);
    return AddTorque(world, p_W);
  }
  force_W_ = torque_W_ = Vector3d::Zero();
  if (kind_ == Kind::kTurn) return ApplyTurn(world, p_W);
  const Vector3d velocity = world.CalcPointVelocity(body_, p_W).tail<3>();
  force_W_ = CalcForce(target_W_ - p_W, velocity, mass_, CalcMobility(world, p_W, 3), world.timestep());
  world.AddForce(body_, p_W, force_W_);
}

bool Pull::ApplyAtRest(World& world) {
  if (!is_active() || kind_ == Kind::kWrench) return false;
  const Vector3d p_W = world.body_poses()[body_] * p_B_;
  const double dt = world.timestep();
  force_W_ = torque_W_ = Vector3d::Zero();
  if (kind_ == Kind::kTurn) {
    torque_W_ = CalcForce(Limit(CalcTurnLeft(world), kFarthestTurn), Vector3d::Zero(), inertia_,
                          CalcMobility(world, p_W, 0), dt, 1.0 / dt);
    AddTorque(world, p_W);
  } else {
    force_W_ = CalcForce(Limit(target_W_ - p_W, kFarthest), Vector3d::Zero(), mass_,
                         CalcMobility(world, p_W, 3), dt, 1.0 / dt);
    world.AddForce(body_, p_W, force_W_);
  }
  return true;
}

// From how the body stands to how it is to stand, as a rotation vector [rad].
Vector3d Pull::CalcTurnLeft(const World& world) const {
  const double angle = turn_W_.norm();
  Matrix3d wanted = R_start_;
  if (angle > 0.0) wanted = Eigen::AngleAxisd(angle, turn_W_ / angle).toRotationMatrix() * R_start_;
  const Eigen::AngleAxisd error(wanted * world.body_poses()[body_].R.transpose());
  return error.angle() * error.axis();
}

void Pull::ApplyTurn(World& world, const Vector3d& p_W) {
  const Vector3d omega = world.CalcPointVelocity(body_, p_W).head<3>();
  torque_W_ = CalcForce(CalcTurnLeft(world), omega, inertia_, CalcMobility(world, p_W, 0), world.timestep());
  AddTorque(world, p_W);
}

// A couple: two opposite forces, an arm on either side of the grabbed point.
void Pull::AddTorque(World& world, const Vector3d& p_W) const {
  if (!(torque_W_.norm() > 0.0)) return;
  const Vector3d arm = kArm * torque_W_.unitOrthogonal();
  const Vector3d force = torque_W_.cross(arm) / (2.0 * kArm * kArm);
  world.AddForce(body_, p_W + arm, force);
  world.AddForce(body_, p_W - arm, -force);
}

PullView Pull::View(const World& world) const {
  if (!is_active()) return {};
  const Vector3d p_W = world.body_poses()[body_] * p_B_;
  const bool is_point = kind_ == Kind::kPoint;
  return {true, p_W, is_point ? target_W_ : p_W, force_W_, torque_W_, kind_ == Kind::kWrench};
}

}  // namespace stiction::viewer
