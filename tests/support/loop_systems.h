// The thirteen problems on which the specification of the dual solvers measures iteration counts: bodies in
// maximal coordinates, one subsystem each, with joints as bilateral rows. A step of 1 ms under gravity.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/contact_problems.h"

namespace stiction::testing {

class LoopSystem {
 public:
  // Velocity and force (linear 3, angular 3, world axes) at the mass centre.
  int AddBody(double mass, const Matrix3d& inertia, const Vector3d& p, const Vector6d& u = Vector6d::Zero(),
              const Vector6d& f = Vector6d::Zero()) {
    constexpr double kStep = 1e-3;
    Vector6d rate = f;
    rate[2] -= mass * 9.81;
    const Vector3d w = u.tail<3>();
    rate.tail<3>() -= w.cross(inertia * w);
    Vector6d v_star = u;
    v_star.head<3>() += kStep * rate.head<3>() / mass;
    v_star.tail<3>() += kStep * inertia.inverse() * rate.tail<3>();
    centre_.push_back(p);
    return sketch_.AddFreeBody(mass, inertia, p, v_star);
  }
  int AddBox(double mass, double x, double y, double z, const Vector3d& p,
             const Vector6d& u = Vector6d::Zero(), const Vector6d& f = Vector6d::Zero()) {
    const Vector3d diagonal = mass / 12.0 * Vector3d(y * y + z * z, x * x + z * z, x * x + y * y);
    return AddBody(mass, diagonal.asDiagonal(), p, u, f);
  }
  // Rows of the follower's velocity relative to the base (-1: the world) at p, in joint axes (columns of X):
  // three linear and three angular, of which `rows` are constrained.
  void AddJoint(int base, int follower, const Vector3d& p, const Matrix3d& X, const std::vector<int>& rows) {
    for (int row : rows) {
      const Vector3d axis = X.col(row % 3);
      std::vector<ProblemSketch::Part> parts;
      for (auto [body, sign] : {std::pair(base, -1.0), std::pair(follower, 1.0)}) {
        if (body < 0) continue;
        MatrixXd J = MatrixXd::Zero(1, 6);
        if (row < 3) {
          J << axis.transpose(), (p - centre_[body]).cross(axis).transpose();
        } else {
          J.rightCols(3) = axis.transpose();
        }
        parts.push_back({body, sign * J});
      }
      sketch_.AddConstraint(ConstraintType::kBilateral, parts, VectorXd::Zero(1));
    }
  }
  void AddFixedJoint(int base, int follower, const Vector3d& p) {
    AddJoint(base, follower, p, Matrix3d::Identity(), {0, 1, 2, 3, 4, 5});
  }
  void AddSphericalJoint(int base, int follower, const Vector3d& p) {
    AddJoint(base, follower, p, Matrix3d::Identity(), {0, 1, 2});
  }
  // About world y.
  void AddPin(int base, int follower, const Vector3d& p) {
    Matrix3d X;
    X << 0, 0, 1, 1, 0, 0, 0, 1, 0;
    AddJoint(base, follower, p, X, {0, 1, 2, 4, 5});
  }
  // Four contacts with the floor under a rectangle.
  void AddFeet(int body, const Vector3d& centre, double half_x, double half_y, double mu) {
    for (double x : {-half_x, half_x}) {
      for (double y : {-half_y, half_y})
        sketch_.AddContact(-1, body, {centre[0] + x, centre[1] + y, 0.0}, {0, 0, 1}, mu);
    }
  }
  void AddFloorContact(int body, double x, double mu) {
    sketch_.AddContact(-1, body, {x, 0, 0}, {0, 0, 1}, mu);
  }
  ContactProblem Build() const { return sketch_.Build(); }

 private:
  ProblemSketch sketch_;
  std::vector<Vector3d> centre_;
};

inline Vector6d Twist(double vx, double vy = 0.0, double wz = 0.0) {
  Vector6d u = Vector6d::Zero();
  u[0] = vx, u[1] = vy, u[5] = wz;
  return u;
}

inline ContactProblem MakeSlidingCube(double speed, double mu, double push) {
  LoopSystem system;
  const int box = system.AddBox(1.0, 0.2, 0.2, 0.2, {0, 0, 0.1}, Twist(speed), Twist(push));
  system.AddFeet(box, {0, 0, 0}, 0.1, 0.1, mu);
  return system.Build();
}

// Two cubes welded together, the upper one a thousand times heavier.
inline ContactProblem MakeWeldedCubes(bool grounded, double speed, double mu, double kick) {
  LoopSystem system;
  const double a = 0.2;
  Vector6d turn = Twist(speed);
  turn[4] = kick;
  const int below = system.AddBox(1.0, a, a, a, {0, 0, 0.5 * a}, Twist(speed));
  const int above = system.AddBox(1000.0, a, a, a, {0, 0, 1.5 * a}, turn);
  system.AddFixedJoint(below, above, {0, 0, a});
  if (grounded) system.AddFeet(below, {0, 0, 0}, 0.5 * a, 0.5 * a, mu);
  return system.Build();
}

// Two bars joined through a ball, flat on the floor: nine contacts.
inline ContactProblem MakeNunchuk(double speed, double spin) {
  LoopSystem system;
  const double d = 0.5, w = 0.1, h = 0.1, r = 0.05, mu = 0.7;
  const double x[3] = {0.5 * d, d + r, 1.5 * d + 2.0 * r};
  const int left = system.AddBox(1.0, d, w, h, {x[0], 0, 0.5 * h}, Twist(speed, spin * x[0], spin));
  const int ball =
      system.AddBody(1.0, 0.4 * r * r * Matrix3d::Identity(), {x[1], 0, r}, Twist(speed, spin * x[1], spin));
  const int right = system.AddBox(1.0, d, w, h, {x[2], 0, 0.5 * h}, Twist(speed, spin * x[2], spin));
  system.AddSphericalJoint(left, ball, {d, 0, r});
  system.AddSphericalJoint(ball, right, {d + 2.0 * r, 0, r});
  system.AddFeet(left, {x[0], 0, 0}, 0.5 * d, 0.5 * w, mu);
  system.AddFeet(right, {x[2], 0, 0}, 0.5 * d, 0.5 * w, mu);
  system.AddFloorContact(ball, x[1], mu);
  return system.Build();
}

// A parallelogram of four links and four pins, its ground link welded to the world or standing on the floor.
inline ContactProblem MakeFourbar(bool fixed, double ratio) {
  LoopSystem system;
  const double d = 0.01, w = 0.01, h = 0.1, L = h + 0.012;
  const double mass[4] = {1.0, 1.0 / std::sqrt(ratio), 1.0, std::sqrt(ratio)};
  const Vector3d p[4] = {
      {0, 0, 0.5 * d}, {0.5 * L, 0, 0.5 * (d + L)}, {0, 0, 0.5 * d + L}, {-0.5 * L, 0, 0.5 * (d + L)}};
  const Vector3d pivot[4] = {
      {0.5 * L, 0, 0.5 * d}, {0.5 * L, 0, 0.5 * d + L}, {-0.5 * L, 0, 0.5 * d + L}, {-0.5 * L, 0, 0.5 * d}};
  const Vector3d W(0, 1, 0);
  Vector6d u[4];
  u[0].setZero();
  u[1] << W.cross(p[1] - pivot[0]), W;
  u[2] << W.cross(Vector3d(0, 0, L)), Vector3d::Zero();
  u[3] << W.cross(p[3] - pivot[3]), W;
  int link[4];
  for (int i = 0; i < 4; ++i) {
    Vector6d f = Vector6d::Zero();
    if (i == 1) f[4] = 0.05;
    const bool lies = i % 2 == 0;
    link[i] = system.AddBox(mass[i], lies ? h : d, w, lies ? d : h, p[i], u[i], f);
  }
  if (fixed) system.AddFixedJoint(-1, link[0], p[0]);
  for (int i = 0; i < 4; ++i) system.AddPin(link[i], link[(i + 1) % 4], pivot[i]);
  if (!fixed) system.AddFeet(link[0], {0, 0, 0}, 0.5 * h, 0.5 * w, 0.7);
  return system.Build();
}

struct LoopCase {
  std::string name;
  ContactProblem problem;
  int rows, rank;
};
inline std::vector<LoopCase> ListLoopCases() {
  return {{"box rest", MakeSlidingCube(0, 0.7, 0), 12, 6},
          {"box slide", MakeSlidingCube(1, 0.7, 0), 12, 6},
          {"box push", MakeSlidingCube(0, 0.7, 4), 12, 6},
          {"boxes-fixed air", MakeWeldedCubes(false, 0, 0.7, 1), 6, 6},
          {"boxes-fixed ground", MakeWeldedCubes(true, 0, 0.7, 0), 18, 12},
          {"boxes-fixed slide", MakeWeldedCubes(true, 1, 0.3, 0), 18, 12},
          {"boxes-fixed jam", MakeWeldedCubes(true, 1, 0.7, 0), 18, 12},
          {"nunchuk rest", MakeNunchuk(0, 0), 33, 18},
          {"nunchuk slide", MakeNunchuk(0.3, 1), 33, 18},
          {"fourbar fixed", MakeFourbar(true, 1), 26, 23},
          {"fourbar fixed 1e3", MakeFourbar(true, 1e3), 26, 23},
          {"fourbar free", MakeFourbar(false, 1), 32, 23},
          {"fourbar free 1e3", MakeFourbar(false, 1e3), 32, 23}};
}

}  // namespace stiction::testing
