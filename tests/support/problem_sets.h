// Generators of the contact problems on which the specification of CANAL measures solvers: dishes settled and
// moving, a nut on its bolt, stacks of balls, sliding towers, chains with rows of every kind. One seed, one
// problem. Steps of 1/240 s under gravity; gaps enter as in [spec. canal §1.1].
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/support/contact_problems.h"
#include "tests/support/random_numbers.h"

namespace stiction::testing {

// Free bodies with a velocity and a wrench each, and contacts with gaps between them.
class BodySet {
 public:
  static constexpr double kStep = 1.0 / 240.0;

  int Add(double mass, const Vector3d& inertia, const Vector3d& p, const Vector6d& v, Vector6d wrench) {
    wrench[2] -= mass * kGravity;
    Vector6d v_star = v;
    v_star.head<3>() += kStep / mass * wrench.head<3>();
    v_star.tail<3>() += kStep * wrench.tail<3>().cwiseQuotient(inertia);
    p_.push_back(p);
    return sketch.AddFreeBody(mass, inertia.asDiagonal(), p, v_star);
  }
  // From a (-1: the world) to b; gap < 0 pushes apart at a fifth of it a step, at most 0.5 m/s.
  void AddContact(int a, int b, const Vector3d& p, const Vector3d& n, double gap, double mu) {
    const double e = gap > 0.0 ? gap / kStep : std::max(0.2 * gap / kStep, -0.5);
    sketch.AddContact(a, b, p, n, mu, e);
  }
  const Vector3d& p(int body) const { return p_[body]; }

  ProblemSketch sketch;

 private:
  std::vector<Vector3d> p_;
};

inline Vector3d DiscInertia(double mass, double radius, double height) {
  const double side = mass * (3.0 * radius * radius + height * height) / 12.0;
  return {side, side, 0.5 * mass * radius * radius};
}
inline Vector6d NormalTwist(RandomNumbers& random, double linear, double angular) {
  Vector6d out = random.NormalVector(6);
  out.head<3>() *= linear;
  out.tail<3>() *= angular;
  return out;
}

struct DishOptions {
  double noise = 0.03;  // of the normals
  double gap = 1e-4;    // [m]
  double speed = 1.0;   // factor on 0.01 m/s and 0.1 rad/s
  double slope = 1.0;   // factor on the slopes of the rings
};
constexpr DishOptions kSettled{0.01, 0.0, 0.0, 1.0}, kMoving{};
constexpr DishOptions kUneven{0.01, 1e-5, 0.0, 0.5};  // at rest with gaps, on half the slopes

// Two bowls, a plate and a heavy pot on them, touching along rings.
inline ContactProblem MakeDishes(unsigned seed, const DishOptions& options) {
  RandomNumbers random(seed);
  BodySet set;
  const double mass[4] = {0.1, 0.1, 0.1, 5.0}, height[4] = {0.025, 0.035, 0.065, 0.12};
  const double radius[4] = {0.08, 0.08, 0.1, 0.11};
  for (int k = 0; k < 4; ++k) {
    const Vector6d v = NormalTwist(random, 0.01 * options.speed, 0.1 * options.speed);
    const double strength = k < 3 ? 1.0 : 4.0;
    set.Add(mass[k], DiscInertia(mass[k], radius[k], 0.05), {0, 0, height[k]}, v,
            NormalTwist(random, strength, 0.05 * strength));
  }
  const auto ring = [&](int a, int b, double r, double z, double slope, int fewest, int most) {
    const int count = fewest + random.Index(most - fewest);
    const double start = random.Uniform(0.0, 2.0 * M_PI), tilt = slope * options.slope;
    for (int i = 0; i < count; ++i) {
      const double angle = start + 2.0 * M_PI * i / count + 0.02 * random.Normal();
      const double c = std::cos(angle), s = std::sin(angle);
      Vector3d n(-std::sin(tilt) * c, -std::sin(tilt) * s, std::cos(tilt));
      n += options.noise * Vector3d(random.NormalVector(3));
      const bool is_near = random.Uniform(0.0, 1.0) < 0.8;
      const double gap = options.gap * (is_near ? random.Uniform(-1.0, 1.0) : random.Uniform(0.0, 5.0));
      set.AddContact(a, b, {r * c, r * s, z}, n.normalized(), gap, 0.5);
    }
  };
  ring(-1, 0, 0.035, 0.0, 0.0, 12, 22);
  ring(0, 1, 0.03, 0.012, 0.35, 10, 16);
  ring(0, 1, 0.06, 0.03, 0.9, 10, 18);
  ring(1, 2, 0.078, 0.062, 0.15, 12, 26);
  ring(2, 3, 0.05, 0.07, 0.0, 12, 20);
  ring(2, 3, 0.07, 0.072, 0.1, 4, 12);
  return set.sketch.Build();
}

// A nut on an M48 x 5 bolt: both flanks of six turns, 120 contacts of the nearest, displaced and turned a
// little.
inline ContactProblem MakeNut(unsigned seed) {
  RandomNumbers random(seed);
  BodySet set;
  const double mass = 0.9, pitch = 0.005, clearance = 1e-4, push = 2e-5, mu = 0.3;
  const Vector6d wrench = NormalTwist(random, 20.0, 1.0), v = NormalTwist(random, 0.01, 0.3);
  set.Add(mass, DiscInertia(mass, 0.036, 0.038), Vector3d::Zero(), v, wrench);
  const Vector6d d = NormalTwist(random, 6e-5, 1.5e-3);
  struct Candidate {
    double gap;
    Vector3d p, n;
  };
  std::vector<Candidate> candidates;
  for (int i = 0; i < 540; ++i) {
    const double turn = -3.0 + i / 90.0, angle = 2.0 * M_PI * turn + 1e-3 * random.Normal(), z = pitch * turn;
    for (const double side : {1.0, -1.0}) {
      const double r = random.Uniform(0.0208, 0.0235), lead = pitch / (2.0 * M_PI * r);
      const Vector3d radial(std::cos(angle), std::sin(angle), 0.0),
          along(-std::sin(angle), std::cos(angle), 0.0);
      const Vector3d p = r * radial + Vector3d(0, 0, z + side * (0.0235 - r) * 0.577);
      const Vector3d n =
          (side * std::cos(M_PI / 6) * (Vector3d::UnitZ() - lead * along) + std::sin(M_PI / 6) * radial)
              .normalized();
      candidates.push_back({clearance + n.dot(d.head<3>() + d.tail<3>().cross(p)), p, n});
    }
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.gap < b.gap; });
  const double shift = candidates.front().gap + push;
  candidates.resize(480);
  for (int k = 0; k < 120; ++k) {
    std::swap(candidates[k], candidates[k + random.Index(480 - k)]);
    set.AddContact(-1, 0, candidates[k].p, candidates[k].n, candidates[k].gap - shift, mu);
  }
  return set.sketch.Build();
}

enum class StackOrder { kTop, kLog, kAlternating };
// Twenty balls under random wrenches, heavier up to `ratio`: the top one, all by degrees, or every second
// one; straight, or zigzag in a tube.
inline ContactProblem MakePushedStack(unsigned seed, double ratio, StackOrder order, bool zigzag) {
  RandomNumbers random(seed);
  BodySet set;
  const int count = 20;
  const double r = 0.05, mu = 0.5, offset = zigzag ? 0.35 * r : 0.0;
  const double rise = std::sqrt(4.0 * r * r - 4.0 * offset * offset);
  for (int k = 0; k < count; ++k) {
    double mass = 0.1;
    if (order == StackOrder::kLog) mass *= std::pow(ratio, k / (count - 1.0));
    if (order == StackOrder::kTop && k == count - 1) mass *= ratio;
    if (order == StackOrder::kAlternating && k % 2 == 1) mass *= ratio;
    const Vector6d v = NormalTwist(random, 0.05, 0.05);
    const double weight = 0.2 * mass * kGravity;
    set.Add(mass, 0.4 * mass * r * r * Vector3d::Ones(), {k % 2 == 0 ? offset : -offset, 0, r + k * rise}, v,
            NormalTwist(random, weight, 0.02 * weight));
  }
  const auto gap = [&] { return 5e-5 * random.Uniform(-1.0, 1.0); };
  set.AddContact(-1, 0, set.p(0) - Vector3d(0, 0, r), {0, 0, 1}, gap(), mu);
  for (int k = 0; k < count; ++k) {
    if (k + 1 < count)
      set.AddContact(k, k + 1, 0.5 * (set.p(k) + set.p(k + 1)), set.p(k + 1) - set.p(k), gap(), mu);
    if (!zigzag) continue;
    const double side = k % 2 == 0 ? 1.0 : -1.0;
    set.AddContact(-1, k, set.p(k) + Vector3d(side * r, 0, 0), {-side, 0, 0}, gap(), mu);
    set.AddContact(-1, k, set.p(k) + Vector3d(0, r, 0), {0, -1, 0}, std::abs(gap()), mu);
    set.AddContact(-1, k, set.p(k) - Vector3d(0, r, 0), {0, 1, 0}, std::abs(gap()), mu);
  }
  return set.sketch.Build();
}

// A tower of five boxes, nine contacts a face, that slides at metres a second with random spins.
inline ContactProblem MakeSlidingTower(unsigned seed, double mu) {
  RandomNumbers random(seed);
  BodySet set;
  const double h = 0.2;
  for (int k = 0; k < 5; ++k) {
    const double mass = random.LogUniform(0.1, 10.0), side = mass * (0.04 + h * h) / 12.0;
    Vector6d v = NormalTwist(random, 3.0, 2.0);
    v[2] = -0.1 * std::abs(v[2]);
    set.Add(mass, {side, side, mass * 0.08 / 12.0}, {0, 0, h * (k + 0.5)}, v, NormalTwist(random, 5.0, 0.3));
  }
  for (int k = 0; k < 5; ++k) {
    for (const double x : {-0.1, 0.0, 0.1}) {
      for (const double y : {-0.1, 0.0, 0.1}) {
        const Vector3d n = Vector3d::UnitZ() + 0.02 * Vector3d(random.NormalVector(3));
        set.AddContact(k - 1, k, {x, y, h * k}, n, 1e-4 * random.Uniform(-1.0, 1.0), mu);
      }
    }
  }
  return set.sketch.Build();
}

// Six links in a row: ball joints (bilateral), limits (unilateral), springs (soft) and dry friction (bounded)
// between neighbours, six contacts each with the floor.
inline ContactProblem MakeMixedChain(unsigned seed) {
  RandomNumbers random(seed);
  BodySet set;
  const int count = 6;
  const double L = 0.15, dt = BodySet::kStep;
  for (int k = 0; k < count; ++k) {
    const double mass = random.LogUniform(0.1, std::sqrt(10.0));
    const Vector6d v = NormalTwist(random, 0.3, 0.3);
    set.Add(mass, 0.5 * mass * Vector3d(0.02, 0.02, 0.005), {L * k, 0, 0.05}, v,
            NormalTwist(random, 0.5, 0.5));
  }
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < 6; ++i) {
      const Vector3d p(L * k + random.Uniform(-0.05, 0.05), random.Uniform(-0.04, 0.04), 0.0);
      set.AddContact(-1, k, p, {0, 0, 1}, 1e-4 * random.Uniform(-1.0, 1.0), random.Uniform(0.2, 1.0));
    }
  }
  for (int k = 0; k + 1 < count; ++k) {
    const Vector3d p(L * (k + 0.5), 0, 0.05);
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<ProblemSketch::Part> parts;
      for (auto [body, sign] : {std::pair(k, -1.0), std::pair(k + 1, 1.0)}) {
        const Vector3d unit = Vector3d::Unit(axis);
        MatrixXd J(1, 6);
        J << unit.transpose(), (p - set.p(body)).cross(unit).transpose();
        parts.push_back({body, sign * J});
      }
      set.sketch.AddConstraint(ConstraintType::kBilateral, parts,
                               VectorXd::Constant(1, 0.002 * random.Normal()));
    }
    const auto turn = [&](ConstraintType type, int axis, double e, double stiffness = 0.0,
                          double damping = 0.0) {
      MatrixXd J = MatrixXd::Zero(1, 6);
      J(0, 3 + axis) = 1.0;
      set.sketch.AddConstraint(type, {{k, -J}, {k + 1, J}}, VectorXd::Constant(1, e), 0.0, stiffness,
                               damping);
    };
    turn(ConstraintType::kUnilateral, 1, 0.2 * random.Normal());
    turn(ConstraintType::kSoft, 2, 0.1 * random.Normal(), dt * 5.0, dt * 0.05 + dt * dt * 5.0);
    turn(ConstraintType::kBounded, 0, 0.0);
    const double limit = dt * random.Uniform(0.0, 0.5);
    set.sketch.SetBounds(-limit, limit);
  }
  return set.sketch.Build();
}

}  // namespace stiction::testing
