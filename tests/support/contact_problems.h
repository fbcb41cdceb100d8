// Small contact problems typed in by hand: free bodies, contacts between them and the world, single rows.
#pragma once

#include <utility>
#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/math/rotation.h"
#include "tests/support/random_problem.h"

namespace stiction::testing {

// Collects subsystems with dense dynamics and constraints, then builds the problem.
class ProblemSketch {
 public:
  // The dynamics matrix and free velocity of one subsystem; returns its index.
  int AddSubsystem(const MatrixXd& A, const VectorXd& v_star) {
    subsystems_.push_back({A, v_star, Vector3d::Zero()});
    return static_cast<int>(subsystems_.size()) - 1;
  }
  // One degree of freedom.
  int AddSlider(double mass, double v_star) {
    return AddSubsystem(MatrixXd::Constant(1, 1, mass), VectorXd::Constant(1, v_star));
  }
  // Velocities (linear 3 of the mass centre, angular 3), both in world axes.
  int AddFreeBody(double mass, const Matrix3d& inertia, const Vector3d& p_WBcm, const Vector6d& v_star) {
    MatrixXd A = MatrixXd::Zero(6, 6);
    A.topLeftCorner(3, 3) = mass * Matrix3d::Identity();
    A.bottomRightCorner(3, 3) = inertia;
    subsystems_.push_back({A, v_star, p_WBcm});
    return static_cast<int>(subsystems_.size()) - 1;
  }
  int AddBall(double mass, double radius, const Vector3d& p_WBcm, const Vector6d& v_star) {
    return AddFreeBody(mass, 0.4 * mass * radius * radius * Matrix3d::Identity(), p_WBcm, v_star);
  }

  struct Part {
    int subsystem;
    MatrixXd J;
  };
  // Impulses allowed to the constraint added last.
  void SetBounds(double lower, double upper) {
    constraints_.back().lower = lower;
    constraints_.back().upper = upper;
  }
  // Any constraint, from its dense parts.
  void AddConstraint(ConstraintType type, std::vector<Part> parts, VectorXd e, double mu = 0.0,
                     double k = 0.0, double b = 0.0) {
    constraints_.push_back({type, std::move(parts), std::move(e), mu, k, b, 0.0, 0.0});
  }
  // A single row on the first dof of a subsystem.
  void AddRow(ConstraintType type, int subsystem, double factor, double e, double k = 0.0, double b = 0.0) {
    const Eigen::Index n = subsystems_[subsystem].v_star.size();
    AddConstraint(type, {{subsystem, factor * VectorXd::Unit(n, 0).transpose()}}, VectorXd::Constant(1, e),
                  0.0, k, b);
  }
  // A contact at the point p_WC from body a (-1: the world) to free body b with the normal n.
  void AddContact(int a, int b, const Vector3d& p_WC, const Vector3d& n, double mu, double e_n = 0.0) {
    Matrix3d R_WC;  // columns t1, t2, n
    R_WC.col(2) = n.normalized();
    R_WC.col(0) = R_WC.col(2).unitOrthogonal();
    R_WC.col(1) = R_WC.col(2).cross(R_WC.col(0));
    std::vector<Part> parts;
    for (auto [body, sign] : {std::pair(a, -1.0), std::pair(b, 1.0)}) {
      if (body < 0) continue;
      MatrixXd J(3, 6);
      J << R_WC.transpose(), -R_WC.transpose() * Skew(p_WC - subsystems_[body].p_WBcm);
      parts.push_back({body, sign * J});
    }
    AddConstraint(ConstraintType::kContact, std::move(parts), Vector3d(0, 0, e_n), mu);
  }

  ContactProblem Build() const {
    ContactProblem problem;
    std::vector<int> parent;
    for (const Body& body : subsystems_) {
      const int first = static_cast<int>(parent.size()), n = static_cast<int>(body.v_star.size());
      problem.subsystems.push_back({first, n});
      for (int k = 0; k < n; ++k) parent.push_back(k == 0 ? -1 : first + k - 1);
    }
    problem.A.Resize(BranchPattern(parent));
    problem.v_star.resize(static_cast<Eigen::Index>(parent.size()));
    for (int s = 0; s < static_cast<int>(subsystems_.size()); ++s) FillDynamics(s, problem);
    for (const Entry& entry : constraints_) {
      problem.AddConstraint(entry.type, entry.mu, entry.k, entry.b);
      if (entry.type == ConstraintType::kBounded) problem.SetBounds(entry.lower, entry.upper);
      for (const Part& part : entry.parts) FillBlock(part, problem);
      for (int i = 0; i < entry.e.size(); ++i) problem.SetBias(i, entry.e[i]);
    }
    return problem;
  }

 private:
  struct Body {
    MatrixXd A;
    VectorXd v_star;
    Vector3d p_WBcm;
  };
  struct Entry {
    ConstraintType type;
    std::vector<Part> parts;
    VectorXd e;
    double mu, k, b, lower, upper;
  };

  void FillDynamics(int s, ContactProblem& problem) const {
    const auto [first, n] = problem.subsystems[s];
    problem.v_star.segment(first, n) = subsystems_[s].v_star;
    for (int k = 0; k < n; ++k) {
      for (int i = 0; i <= k; ++i) problem.A.row(first + k)[i] = subsystems_[s].A(k, i);
    }
  }
  static void FillBlock(const Part& part, ContactProblem& problem) {
    const auto [first, n] = problem.subsystems[part.subsystem];
    std::vector<int> dofs(n);
    for (int k = 0; k < n; ++k) dofs[k] = first + k;
    Eigen::Map<MatrixXd>(problem.AddBlock(part.subsystem, dofs.data(), n), part.J.rows(), n) = part.J;
  }

  std::vector<Body> subsystems_;
  std::vector<Entry> constraints_;
};

constexpr double kTimeStep = 0.01;  // [s]
constexpr double kGravity = 9.81;   // [m/s²]

// A flat box (1 kg, 0.4 x 0.4 x 0.1 m) with its four lower corners on a plane tilted by `slope` [rad] about
// y, in the plane's axes: x downhill, z along the normal. v0: its velocity along x. One step of semi-implicit
// Euler.
inline ContactProblem MakeBlockOnPlane(double mu, double slope, double v0, double mass = 1.0) {
  ProblemSketch sketch;
  Vector6d v_star = Vector6d::Zero();
  v_star[0] = v0 + kTimeStep * kGravity * std::sin(slope);
  v_star[2] = -kTimeStep * kGravity * std::cos(slope);
  const Vector3d inertia = mass / 12.0 * Vector3d(0.17, 0.17, 0.32);
  const int box = sketch.AddFreeBody(mass, inertia.asDiagonal(), Vector3d(0, 0, 0.05), v_star);
  for (double x : {-0.2, 0.2}) {
    for (double y : {-0.2, 0.2}) sketch.AddContact(-1, box, {x, y, 0.0}, {0, 0, 1}, mu);
  }
  return sketch.Build();
}

// Balls on top of one another on a plane, masses from 1 kg at the bottom to `ratio` kg at the top.
inline ContactProblem MakeStack(int count, double ratio, double mu = 0.5) {
  ProblemSketch sketch;
  const double r = 0.1;
  Vector6d v_star = Vector6d::Zero();
  v_star[2] = -kTimeStep * kGravity;
  for (int i = 0; i < count; ++i) {
    sketch.AddBall(std::pow(ratio, i / (count - 1.0)), r, {0, 0, (2 * i + 1) * r}, v_star);
    sketch.AddContact(i - 1, i, {0, 0, 2 * i * r}, {0, 0, 1}, mu);
  }
  return sketch.Build();
}

}  // namespace stiction::testing
