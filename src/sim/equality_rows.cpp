#include "sim/equality_rows.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sim/immobile_directions.h"
#include "sim/row_dofs.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

// p and its derivative at x.
struct Polynomial {
  double value = 0.0, slope = 0.0;
};
Polynomial Evaluate(const std::array<double, 5>& c, double x) {
  Polynomial p;
  for (int i = 4; i >= 0; --i) {
    p.slope = p.slope * x + p.value;
    p.value = p.value * x + c[i];
  }
  return p;
}

// Which rotations of a lock are free, and how many.
struct FreeAxes {
  std::array<int, 3> axis{};
  int count = 0;
};
FreeAxes FindFreeAxes(const FrameLock& lock) {
  FreeAxes free;
  for (int i = 0; i < 3; ++i) {
    if (!lock.locked[i]) free.axis[free.count++] = i;
  }
  return free;
}

RigidTransform PoseOf(const Kinematics& kin, const Frame& frame) {
  return kin.X_WB[frame.body] * frame.X_BF;
}

// From the length at q0.
double Stretch(const TendonWorkspace& tendons, int tendon) {
  return tendons.length[tendon] - tendons.length0[tendon];
}

// By how much an axis e is tilted, all in axes of F: e × R e, scaled from the sine of the angle to the angle,
// so that it does not fade towards half a turn.
struct Tilt {
  Tilt(const Vector3d& axis, const Vector3d& turned)
      : axis(axis), turned(turned), cross(axis.cross(turned)), sine(cross.norm()), cosine(axis.dot(turned)) {
    if (sine > kStraight) scale = std::atan2(sine, cosine) / sine;
  }

  // At half a turn any way back is as short as another.
  Vector3d value() const {
    return sine > kStraight || cosine > 0.0 ? Vector3d(scale * cross)
                                            : Vector3d(std::numbers::pi * axis.unitOrthogonal());
  }

  // J with d/dt value()[i] = J · w, where R turns at w. With n = cross/sine, θ the angle,
  //   d/dt cross = w (e · R e) − R e (e · w),   d/dt θ = n · w,   d/dt (θ/sin θ) = (1 − θ cot θ)/sin θ · n ·
  //   w
  Vector3d CalcRate(int i) const {
    Vector3d rate = scale * (cosine * Vector3d::Unit(i) - turned[i] * axis);
    if (sine > kStraight) rate += (1.0 - scale * cosine) * cross[i] / (sine * sine) * cross;
    return rate;
  }

  static constexpr double kStraight = 1e-12;
  Vector3d axis, turned, cross;
  double sine, cosine;
  double scale = 1.0;  // θ/sin θ
};

// The angle between two axes, less a right one: not its cosine, which stands still where they are parallel.
struct AngleOf {
  AngleOf(const RigidTransform& X_WF, const RigidTransform& X_WG, const FreeAxes& free)
      : a(X_WF.R.col(free.axis[0])), b(X_WG.R.col(free.axis[1])), cross(a.cross(b)), sine(cross.norm()) {}

  double value() const { return std::atan2(sine, a.dot(b)) - 0.5 * std::numbers::pi; }
  // r with d/dt value() = r · w, G turning at w from F. Axes that are parallel part any way.
  Vector3d CalcRate() const { return sine > 1e-12 ? Vector3d(cross / sine) : a.unitOrthogonal(); }

  Vector3d a, b, cross;
  double sine;
};

// T with d/dt φ = T w for the rotation vector φ of R_FG, G turning at w, in axes of F: 1 − φ̂/2 + (1 − (α/2)
// cot(α/2)) φ̂²/α², α = |φ|.
Matrix3d CalcTurnRate(const Vector3d& turn) {
  const double square = turn.squaredNorm(), half = 0.5 * std::sqrt(square);
  // Near zero by its series, where the difference loses digits.
  const double factor = half < 1e-2 ? 1.0 / 12.0 + square / 720.0 : (1.0 - half / std::tan(half)) / square;
  const Matrix3d S = Skew(turn);
  return Matrix3d::Identity() - 0.5 * S + factor * S * S;
}

struct ResidualOf {
  const Model& model;
  const Kinematics& kin;
  const VectorXd& q;
  const TendonWorkspace& tendons;
  double target;
  double* out;

  void operator()(const FrameLock& lock) const {
    const RigidTransform X_WF = PoseOf(kin, lock.a), X_WG = PoseOf(kin, lock.b);
    const Matrix3d R_FG = X_WF.R.transpose() * X_WG.R;
    const FreeAxes free = FindFreeAxes(lock);
    double* next = out;
    if (free.count == 2) *next++ = AngleOf(X_WF, X_WG, free).value();
    if (free.count < 2) {
      const Vector3d turn = free.count == 0
                                ? QuaternionLog(Quaterniond(R_FG))
                                : Tilt(Vector3d::Unit(free.axis[0]), R_FG.col(free.axis[0])).value();
      for (int i = 0; i < 3; ++i) {
        if (lock.locked[i]) *next++ = turn[i];
      }
    }
    const Vector3d p_FG = X_WF.R.transpose() * (X_WG.p - X_WF.p);
    for (int i = 0; i < 3; ++i) {
      if (lock.locked[3 + i]) *next++ = p_FG[i];
    }
  }
  void operator()(const JointPolynomial& couple) const {
    const double x =
        couple.of_joint < 0 ? 0.0 : q[model.joints[couple.of_joint].q_address] - couple.of_reference;
    const double p = couple.of_joint < 0 ? couple.coefficients[0] : Evaluate(couple.coefficients, x).value;
    *out = q[model.joints[couple.joint].q_address] - couple.reference - p - target;
  }
  void operator()(const TendonPolynomial& couple) const {
    const double p = couple.of_tendon < 0
                         ? couple.coefficients[0]
                         : Evaluate(couple.coefficients, Stretch(tendons, couple.of_tendon)).value;
    *out = Stretch(tendons, couple.tendon) - p - target;
  }
  void operator()(const PointDistance& points) const {
    *out = (PoseOf(kin, points.b).p - PoseOf(kin, points.a).p).norm() - points.distance - target;
  }
};

struct RowsOf {
  const Model& model;
  const Kinematics& kin;
  const BranchPattern& pattern;
  const VectorXd& q;
  const TendonWorkspace& tendons;
  ContactProblem& problem;

  void operator()(const FrameLock& lock) const {
    const RigidTransform X_WF = PoseOf(kin, lock.a), X_WG = PoseOf(kin, lock.b);
    const FreeAxes free = FindFreeAxes(lock);
    PairRows rows{.body_a = lock.a.body, .body_b = lock.b.body, .p_WQ = X_WG.p, .first = CountConstraints()};
    const auto add = [&](const Vector3d& angular, const Vector3d& linear) {
      AddPairRow(model, kin, pattern, lock.a.body, lock.b.body, X_WG.p, angular, linear, problem);
    };
    if (free.count == 2) {
      add(AngleOf(X_WF, X_WG, free).CalcRate(), Vector3d::Zero());
    } else if (free.count == 1) {
      const Tilt tilt(Vector3d::Unit(free.axis[0]), X_WF.R.transpose() * X_WG.R.col(free.axis[0]));
      for (int i = 0; i < 3; ++i) {
        if (lock.locked[i]) add(X_WF.R * tilt.CalcRate(i), Vector3d::Zero());
      }
    } else if (free.count == 0) {
      const Matrix3d T = CalcTurnRate(QuaternionLog(Quaterniond(Matrix3d(X_WF.R.transpose() * X_WG.R))));
      for (int i = 0; i < 3; ++i) add(X_WF.R * T.row(i).transpose(), Vector3d::Zero());
    }
    rows.num_angular = CountConstraints() - rows.first;
    for (int i = 0; i < 3; ++i) {
      if (lock.locked[3 + i]) add(Vector3d::Zero(), X_WF.R.col(i));
    }
    RemoveImmobileDirections(model, kin, rows, problem);
  }
  void operator()(const JointPolynomial& couple) const {
    if (couple.of_joint < 0) return AddJointRow(model, pattern, couple.joint, 1.0, -1, 0.0, problem);
    const double x = q[model.joints[couple.of_joint].q_address] - couple.of_reference;
    AddJointRow(model, pattern, couple.joint, 1.0, couple.of_joint, -Evaluate(couple.coefficients, x).slope,
                problem);
  }
  void operator()(const TendonPolynomial& couple) const {
    const double slope =
        couple.of_tendon < 0 ? 0.0 : Evaluate(couple.coefficients, Stretch(tendons, couple.of_tendon)).slope;
    problem.AddConstraint(ConstraintType::kBilateral);
    AddTendonBlocks(tendons, couple.tendon, 1.0, couple.of_tendon, -slope, problem);
  }
  void operator()(const PointDistance& points) const {
    const Vector3d p_WF = PoseOf(kin, points.a).p, p_WG = PoseOf(kin, points.b).p;
    const double distance = (p_WG - p_WF).norm();
    // Points that coincide have no direction: any will do to part them.
    const Vector3d u = distance > 1e-9 ? Vector3d((p_WG - p_WF) / distance) : Vector3d(Vector3d::UnitX());
    const PairRows rows{
        .body_a = points.a.body, .body_b = points.b.body, .p_WQ = p_WG, .first = CountConstraints()};
    AddPairRow(model, kin, pattern, rows.body_a, rows.body_b, p_WG, Vector3d::Zero(), u, problem);
    RemoveImmobileDirections(model, kin, rows, problem);
  }

  int CountConstraints() const { return static_cast<int>(problem.constraints.size()); }
};

// How far the rotations of a lock are from the nearest kink of their residual [rad, or the sine near it].
double CalcWayToKink(const Kinematics& kin, const FrameLock& lock) {
  const RigidTransform X_WF = PoseOf(kin, lock.a), X_WG = PoseOf(kin, lock.b);
  const FreeAxes free = FindFreeAxes(lock);
  if (free.count == 2) return AngleOf(X_WF, X_WG, free).sine;
  const Matrix3d R_FG = X_WF.R.transpose() * X_WG.R;
  if (free.count == 0) return std::numbers::pi - QuaternionLog(Quaterniond(R_FG)).norm();
  if (free.count == 3) return std::numbers::pi;
  const Tilt tilt(Vector3d::Unit(free.axis[0]), R_FG.col(free.axis[0]));
  return tilt.cosine > 0.0 ? 1.0 : tilt.sine;
}

}  // namespace

double CalcReachTaken(const Model& model, const Kinematics& kin, const Equality& equality, double dt) {
  const auto calc = [&](const Frame& a, const Frame& b, double relative, double way) {
    const double turn =
        std::max(CalcAngularVelocity(kin, a.body).norm(), CalcAngularVelocity(kin, b.body).norm());
    return dt * std::max(turn, relative / std::max(way, 1e-12));
  };
  if (const auto* lock = std::get_if<FrameLock>(&equality.kind)) {
    const Vector3d w = CalcAngularVelocity(kin, lock->b.body) - CalcAngularVelocity(kin, lock->a.body);
    return calc(lock->a, lock->b, w.norm(), CalcWayToKink(kin, *lock));
  }
  if (const auto* points = std::get_if<PointDistance>(&equality.kind)) {
    const Vector3d p_WF = PoseOf(kin, points->a).p, p_WG = PoseOf(kin, points->b).p;
    const Vector3d v = CalcPointVelocity(model, kin, points->b.body, p_WG) -
                       CalcPointVelocity(model, kin, points->a.body, p_WF);
    return calc(points->a, points->b, v.norm(), (p_WG - p_WF).norm());
  }
  return 0.0;
}

void CalcEqualityResidual(const Model& model, const Kinematics& kin, const VectorXd& q,
                          const TendonWorkspace& tendons, int equality, double target, double* residual) {
  std::visit(ResidualOf{model, kin, q, tendons, target, residual}, model.equalities[equality].kind);
}

void AddEqualityRows(const Model& model, const Kinematics& kin, const BranchPattern& pattern,
                     const VectorXd& q, const TendonWorkspace& tendons, int equality,
                     ContactProblem& problem) {
  std::visit(RowsOf{model, kin, pattern, q, tendons, problem}, model.equalities[equality].kind);
}

void CalcEqualityResiduals(const Model& model, const Kinematics& kin, const VectorXd& q,
                           const TendonWorkspace& tendons, const VectorXd& targets, VectorXd& residual) {
  residual.setZero(model.num_equality_rows);
  for (int i = 0; i < model.num_equalities(); ++i) {
    const Equality& equality = model.equalities[i];
    if (IsExact(equality))
      CalcEqualityResidual(model, kin, q, tendons, i, targets[i], residual.data() + equality.first_row);
  }
}

}  // namespace stiction
