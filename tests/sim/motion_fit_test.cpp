// What one motion makes of wanted values, by hand with slips of contacts and against dense algebra.
#include "sim/motion_fit.h"

#include <gtest/gtest.h>

#include <numeric>

#include "stiction/math/rotation.h"
#include "tests/support/dense_algebra.h"
#include "tests/support/random_problem.h"

namespace stiction::testing {
namespace {

using HeldRow = MotionFit::HeldRow;
using Wanted = MotionFit::Wanted;

constexpr double kWay = 3e-6;  // [m]

// Adds the slip of a contact along its tangential rows.
void AddSlip(int constraint, const Vector2d& slip_C, std::vector<Wanted>& wanted) {
  for (int r = 0; r < 2; ++r) wanted.push_back({constraint, r, slip_C[r]});
}

Vector2d SlipOf(const std::vector<Wanted>& wanted, std::size_t k) {
  return {wanted[2 * k].value, wanted[2 * k + 1].value};
}

// Bodies on free joints, with the dofs velocity and angular velocity.
ContactProblem MakeBodies(int num_bodies) {
  ContactProblem problem;
  std::vector<int> parents;
  for (int b = 0; b < num_bodies; ++b) {
    problem.subsystems.push_back({6 * b, 6});
    for (int k = 0; k < 6; ++k) parents.push_back(k == 0 ? -1 : 6 * b + k - 1);
  }
  problem.A.Resize(BranchPattern(parents));
  for (int k = 0; k < 6 * num_bodies; ++k) problem.A.diagonal(k) = k % 6 < 3 ? 1.0 : 1e-3;
  problem.v_star.setZero(6 * num_bodies);
  return problem;
}

// Adds a contact of a body at p with the normal y; its tangential rows are x and z.
void AddPoint(int body, const Vector3d& p, ContactProblem& problem) {
  problem.AddConstraint(ConstraintType::kContact, 0.5);
  int dofs[6];
  std::iota(dofs, dofs + 6, 6 * body);
  Eigen::Map<Eigen::Matrix<double, 3, 6>> J(problem.AddBlock(body, dofs, 6));
  const Vector3d axes[3] = {Vector3d::UnitX(), Vector3d::UnitZ(), Vector3d::UnitY()};
  for (int r = 0; r < 3; ++r) J.row(r) << axes[r].transpose(), p.cross(axes[r]).transpose();
}

// A plate between two pads, whose normals let it move along and turn about them: that it has tilted is not
// for friction to undo, and a point that was not loaded does as the others do.
TEST(MotionFit, PadsUndoWhatThePlateCanDo) {
  constexpr double kTilt = 1e-6, kTurn = 2e-6;
  ContactProblem problem = MakeBodies(1);
  std::vector<Vector3d> points;
  for (const double y : {-0.02, 0.02}) {
    for (const double x : {-0.015, 0.015}) {
      for (const double z : {-0.03, 0.03}) points.push_back(Vector3d(x, y, z));
    }
  }
  std::vector<HeldRow> held;
  std::vector<Wanted> slips;
  for (int i = 0; i < 8; ++i) {
    AddPoint(0, points[i], problem);
    held.push_back({i, 2});
    const double x = kTurn * points[i].z(), z = kWay - kTurn * points[i].x() + kTilt * points[i].y();
    AddSlip(i, i < 7 ? Vector2d(x, z) : Vector2d::Zero(), slips);
  }
  ASSERT_TRUE(MotionFit().Run(problem, held, slips, 14));
  // Seven of eight points of two pads, 4 cm apart, leave a seventh of the tilt of one.
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR(SlipOf(slips, i)[0], kTurn * points[i].z(), 2e-3 * kWay) << i;
    EXPECT_NEAR(SlipOf(slips, i)[1], kWay - kTurn * points[i].x(), 2e-3 * kWay) << i;
  }
  // All points are moved by one velocity along the plane.
  EXPECT_NEAR((SlipOf(slips, 0) - SlipOf(slips, 4)).norm(), 0.0, 1e-17);
  EXPECT_NEAR((SlipOf(slips, 3) - SlipOf(slips, 7)).norm(), 0.0, 1e-17);
}

TEST(MotionFit, WhatAgreesOrIsTooLargeStaysAsItIs) {
  for (const int num_bodies : {1, 6, 7}) {
    ContactProblem problem = MakeBodies(num_bodies);
    std::vector<Wanted> slips;
    // A single point of one body; two of each of several, which ask these to grow.
    for (int i = 0; i < (num_bodies == 1 ? 1 : 2 * num_bodies); ++i) {
      AddPoint(i / 2, Vector3d(0.01 * (i % 2), 0.02, 0.0), problem);
      AddSlip(i, Vector2d(i % 2 == 0 ? kWay : -kWay, kWay), slips);
    }
    const std::vector<HeldRow> held = {{0, 2}};
    const bool changes = num_bodies == 6;
    EXPECT_EQ(MotionFit().Run(problem, held, slips, static_cast<int>(slips.size())), changes);
    for (std::size_t i = 0; 2 * i < slips.size(); ++i)
      EXPECT_NEAR(SlipOf(slips, i)[0], changes ? 0.0 : i % 2 == 0 ? kWay : -kWay, 1e-20) << i;
  }
}

// The nearest slips that some velocity undoes along which no held row moves: T Z (T Z)⁺ a, with Z the kernel
// of the held rows.
TEST(MotionFit, IsTheNearestThatAVelocityUndoes) {
  int num_cases = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const ContactProblem problem = MakeRandomProblem(seed, 2, 20);
    const MatrixXd J = problem.DenseJ();
    std::vector<HeldRow> held;
    std::vector<Wanted> slips;
    std::vector<int> held_rows, slip_rows;
    for (int i = 0; i < problem.num_constraints(); ++i) {
      const Constraint& c = problem.constraints[i];
      if (c.type == ConstraintType::kBilateral) held.push_back({i, 0}), held_rows.push_back(c.row);
      if (c.type != ConstraintType::kContact) continue;
      AddSlip(i, kWay * Vector2d(std::cos(i), std::sin(3.0 * i)), slips);
      for (int r = 0; r < 2; ++r) slip_rows.push_back(c.row + r);
    }
    VectorXd a(slip_rows.size());
    for (std::size_t k = 0; k < slips.size(); ++k) a[k] = slips[k].value;
    const MatrixXd Z = CalcKernel(J(held_rows, Eigen::all)), TZ = J(slip_rows, Eigen::all) * Z;
    const VectorXd nearest = TZ * (CalcPseudoInverse(TZ, 1e-10) * a);
    // Where a motion hardly moves the points, whether it counts is a matter of judgement.
    const SymmetricEigen spectrum = CalcSymmetricEigen(TZ.transpose() * TZ);
    if (slips.size() < 4 || (spectrum.values.array() > 1e-20 && spectrum.values.array() < 1e-2).any())
      continue;
    ++num_cases;
    const bool differ = MotionFit().Run(problem, held, slips, static_cast<int>(slips.size()));
    EXPECT_EQ(differ, (nearest - a).norm() > 1e-12) << seed;
    for (std::size_t k = 0; 2 * k < slips.size(); ++k)
      EXPECT_LT((SlipOf(slips, k) - nearest.segment<2>(2 * k)).norm(), 1e-12 * kWay) << seed;
  }
  EXPECT_GT(num_cases, 20);
}

}  // namespace
}  // namespace stiction::testing
