// The contact problems of [Tasora 2021, §IX], rebuilt: a stack of spheres with a heavy one in it, and a wall
// of bricks that a ball strikes.
#pragma once

#include <vector>

#include "tests/support/contact_problems.h"

namespace stiction::testing {

// TEST 1: spheres of 10 kg and radius 1 m on top of one another, the tenth 10,000 kg, and one of 1000 kg
// beside them; μ = 0.5, h = 0.01 s, g = 9.8 m/s². In 1.B the tenth is pulled up by twice its weight: the
// contact below opens. Contacts from the floor up, the lone sphere's last.
struct SphereStack {
  ContactProblem problem;
  std::vector<double> normal_impulse;  // one per contact, in closed form [N·s]
};
inline SphereStack MakeSphereStack(bool lifted, double gravity = 9.8) {
  const double h = 0.01, g = gravity, r = 1.0;
  std::vector<double> mass(20, 10.0);
  mass[9] = 1e4;
  ProblemSketch sketch;
  for (int i = 0; i < 20; ++i) {
    Vector6d v_star = Vector6d::Zero();
    v_star[2] = -h * g;
    if (lifted && i == 9) v_star[2] = h * g;
    sketch.AddBall(mass[i], r, {0, 0, (2 * i + 1) * r}, v_star);
    sketch.AddContact(i - 1, i, {0, 0, 2 * i * r}, {0, 0, 1}, 0.5);
  }
  Vector6d v_star = Vector6d::Zero();
  v_star[2] = -h * g;
  const int lone = sketch.AddBall(1000.0, r, {10, 0, r}, v_star);
  sketch.AddContact(-1, lone, {10, 0, 0}, {0, 0, 1}, 0.5);

  SphereStack stack{sketch.Build(), std::vector<double>(21, 0.0)};
  // Of the spheres [begin, end) together, moving up with `speed` at the end of the step.
  const auto carry = [&](int begin, int end, double speed) {
    double load = 0.0;
    for (int i = end - 1; i >= begin; --i) {
      load += mass[i] * (h * g + speed);
      stack.normal_impulse[i] = load;
    }
  };
  if (lifted) {
    carry(0, 9, 0.0);
    carry(10, 20, h * g * (2e4 - 1e4 - 100.0) / (1e4 + 100.0));
  } else {
    carry(0, 20, 0.0);
  }
  stack.normal_impulse[20] = 1000.0 * h * g;
  return stack;
}

// Rows of bricks (3.96 x 4 x 2 m, 3168 kg) in bond, and a steel ball of 8 m diameter that strikes the middle
// one at 10 m/s: 26 bodies, 165 contacts, h = 0.02 s, μ = 0.4.
inline ContactProblem MakeBrickWall(int rows = 5, int columns = 5) {
  const double h = 0.02, g = 9.8, mu = 0.4;
  const Vector3d size(3.96, 4.0, 2.0);
  const double mass = 100.0 * size.prod(), radius = 4.0;
  const double ball_mass = 8000.0 * 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius;
  const Vector3d s2 = size.cwiseAbs2();
  const Vector3d inertia = mass / 12.0 * Vector3d(s2[1] + s2[2], s2[0] + s2[2], s2[0] + s2[1]);
  ProblemSketch sketch;
  std::vector<Vector3d> centre;
  Vector6d v_star = Vector6d::Zero();
  v_star[2] = -h * g;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      centre.emplace_back(4.0 * c + (r % 2 ? 2.0 : 0.0), 0.0, size[2] * (r + 0.5));
      sketch.AddFreeBody(mass, inertia.asDiagonal(), centre.back(), v_star);
    }
  }
  const int hit = rows * columns / 2;
  Vector6d flight = Vector6d::Zero();
  flight[1] = 10.0;
  const int ball =
      sketch.AddBall(ball_mass, radius, centre[hit] - Vector3d(0, size[1] / 2 + radius, 0), flight);
  for (int b = 0; b < rows * columns; ++b) {
    const double x = centre[b][0], bottom = centre[b][2] - 0.5 * size[2];
    const auto add = [&](int a, double at) {
      for (const double side : {-0.5, 0.5})
        sketch.AddContact(a, b, {at, side * size[1], bottom}, {0, 0, 1}, mu);
    };
    if (b < columns) {
      for (const double side : {-0.5, 0.5}) add(-1, x + side * size[0]);
      continue;
    }
    for (int a = (b / columns - 1) * columns; a < (b / columns) * columns; ++a) {
      const double low = std::max(x, centre[a][0]) - 0.5 * size[0],
                   high = std::min(x, centre[a][0]) + 0.5 * size[0];
      if (high - low > 1e-6) add(a, low), add(a, high);
    }
  }
  sketch.AddContact(ball, hit, centre[hit] - Vector3d(0, size[1] / 2, 0), {0, 1, 0}, mu);
  return sketch.Build();
}

}  // namespace stiction::testing
