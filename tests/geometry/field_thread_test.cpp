#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "stiction/geometry/distance_field.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using Random = stiction::testing::RandomNumbers;
using std::numbers::pi;

// M48 x 5.
constexpr double kDiameter = 0.048, kPitch = 0.005;
// tan of the lead angle at the root.
constexpr double kLead = kPitch / (pi * (kDiameter - 1.082532 * kPitch));

DistanceField MakeBolt() {
  return MakeThreadField(kDiameter, kPitch, 0.06);
}

Vector3d Helical(double rho, double angle, double u) {
  return {rho * std::cos(angle), rho * std::sin(angle), u + kPitch * angle / (2.0 * pi)};
}

// Radius of the surface at the axial coordinate u, by bisection on the sign.
double FindRadius(const DistanceField& field, double angle, double u) {
  double inside = 0.3 * kDiameter, outside = 0.7 * kDiameter;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (inside + outside);
    (field.CalcValue(Helical(middle, angle, u)) < 0.0 ? inside : outside) = middle;
  }
  return inside;
}

// The profile's radius in closed form, written from the standard's fundamental triangle: flanks
// ρ(u) = d/2 + H/8 - 2 u H / P, truncated at the crest d/2 and at the root d/2 - 5/8 H.
double CalcRadius(double u) {
  const double H = 0.5 * std::sqrt(3.0) * kPitch;
  const double turn = std::abs(u / kPitch - std::round(u / kPitch)) * kPitch;
  const double flank = 0.5 * kDiameter + H / 8.0 - turn * 2.0 * H / kPitch;
  return std::clamp(flank, 0.5 * kDiameter - 0.625 * H, 0.5 * kDiameter);
}

TEST(FieldThread, ProfileHasTheStandardsDimensions) {
  const DistanceField bolt = MakeBolt();
  // At the middle of crest, root and flank: major, minor and pitch diameter, the last of which has equal
  // widths of tooth and groove, P/2.
  for (const double angle : {-3.0, -0.1, 0.0, 2.0}) {
    EXPECT_NEAR(2.0 * FindRadius(bolt, angle, 0.0), 0.048, 1e-15);
    EXPECT_NEAR(2.0 * FindRadius(bolt, angle, 0.5 * kPitch), 0.048 - 1.082532 * kPitch,
                5e-9);  // 7 digits given
    EXPECT_NEAR(2.0 * FindRadius(bolt, angle, 0.25 * kPitch), 0.048 - 0.649519 * kPitch, 5e-9);
  }
}

TEST(FieldThread, ZeroSetIsTheProfileOnEveryTurn) {
  const DistanceField bolt = MakeBolt();
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const double angle = random.Uniform(-pi, pi), u = random.Uniform(-0.025, 0.025);
    EXPECT_NEAR(FindRadius(bolt, angle, u), CalcRadius(u), 1e-14);
    EXPECT_NEAR(bolt.CalcValue(Helical(CalcRadius(u), angle, u)), 0.0, 1e-16);
  }
}

TEST(FieldThread, ScrewMotionMapsItOntoItself) {
  const DistanceField bolt = MakeThreadField(kDiameter, kPitch, 1.0);
  Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const double rho = random.Uniform(0.001, 0.04), angle = random.Uniform(-3.0, 3.0),
                 u = random.Uniform(-0.1, 0.1), turn = random.Uniform(-20.0, 20.0);
    EXPECT_NEAR(bolt.CalcValue(Helical(rho, angle, u)), bolt.CalcValue(Helical(rho, angle + turn, u)), 1e-15);
  }
}

// Nearest point of the helical surface: a grid over (angle, u) about p, refined about its best point.
double CalcBruteDistance(double rho, double u) {
  double best = std::numeric_limits<double>::infinity(), at_angle = 0.0, at_u = u;
  double span_angle = 0.3, span_u = 0.7 * kPitch;
  const Vector3d p = Helical(rho, 0.0, u);
  for (int level = 0; level < 9; ++level) {
    const double center_angle = at_angle, center_u = at_u;
    for (int i = -40; i <= 40; ++i) {
      for (int j = -40; j <= 40; ++j) {
        const double angle = center_angle + span_angle * i / 40.0, v = center_u + span_u * j / 40.0;
        const double distance = (Helical(CalcRadius(v), angle, v) - p).norm();
        if (distance < best) best = distance, at_angle = angle, at_u = v;
      }
    }
    span_angle *= 0.2, span_u *= 0.2;
  }
  return best;
}

// The value is the distance to first order: its relative error is of the order of the squared lead.
TEST(FieldThread, ValueIsNearlyTheDistance) {
  const DistanceField bolt = MakeThreadField(kDiameter, kPitch, 1.0);
  Random random(3);
  double worst = 0.0;
  for (int i = 0; i < 100; ++i) {
    const double rho = 0.5 * kDiameter + random.Uniform(-0.8, 0.5) * kPitch,
                 u = random.Uniform(-0.5, 0.5) * kPitch;
    const double value = std::abs(bolt.CalcValue(Helical(rho, 0.0, u)));
    worst = std::max(worst, std::abs(value / CalcBruteDistance(rho, u) - 1.0));
  }
  RecordProperty("relative error", std::to_string(worst));
  EXPECT_LT(worst, 1e-4);  // measured: 2.7e-5; the squared lead is 1.4e-3
}

TEST(FieldThread, GradientIsThatOfTheValueNearTheSurface) {
  const DistanceField bolt = MakeThreadField(kDiameter, kPitch, 1.0);
  Random random(4);
  int ridges = 0;
  for (int i = 0; i < 2000; ++i) {
    const double u = random.Uniform(-0.5, 0.5) * kPitch, angle = random.Uniform(-3.0, 3.0);
    const double off = i % 2 == 0 ? 1e-6 : random.Uniform(-0.2, 1.0) * kPitch;
    const Vector3d p = Helical(CalcRadius(u) + off, angle, u);
    const FieldSample sample = bolt.Evaluate(p);
    Vector3d differences;
    for (int k = 0; k < 3; ++k) {
      const Vector3d shift = 1e-9 * Vector3d::Unit(k);
      differences[k] = (bolt.CalcValue(p + shift) - bolt.CalcValue(p - shift)) / 2e-9;
    }
    EXPECT_NEAR(sample.gradient.norm(), 1.0, 1e-14);
    const double error = (differences - sample.gradient).norm();
    // 1e-6 m off a flank the error is 1e-6 of the radius; cancellation in the differences leaves 1e-8.
    if (error > (i % 2 == 0 ? 1e-6 : 2.0 * kLead * kLead)) ++ridges;
  }
  EXPECT_LE(ridges, 5);  // stencils across a corner's ridge
}

TEST(FieldThread, EndsAreCutFlat) {
  const DistanceField bolt = MakeBolt();
  EXPECT_NEAR(bolt.CalcValue({0.001, 0.002, 0.031}), 0.001, 1e-17);
  EXPECT_NEAR(bolt.CalcValue({0.001, 0.002, -0.0299}), -0.0001, 1e-17);
  EXPECT_EQ(bolt.bounds().max().z(), 0.03);
}

// The gap between bolt and nut is the clearance, and remains so along the screw motion.
TEST(FieldThread, NutClearsTheBoltByTheClearance) {
  constexpr double kClearance = 2e-4;
  const DistanceField bolt = MakeBolt(), nut = MakeNutField(kDiameter, kPitch, 0.038, 0.075, kClearance);
  Random random(5);
  for (int i = 0; i < 1000; ++i) {
    const double u = random.Uniform(-0.015, 0.015), angle = random.Uniform(-pi, pi);
    const FieldSample on_bolt = bolt.Evaluate(Helical(CalcRadius(u), angle, u));
    const Vector3d p = Helical(CalcRadius(u), angle, u);
    EXPECT_NEAR(nut.CalcValue(p), kClearance, 1e-15);
    // At a root's corner the normals of root and flank cross: a clearance along one is less from the other.
    const double turn = std::abs(std::remainder(u, kPitch)), corner = std::abs(turn - 0.375 * kPitch);
    if (corner < kClearance) continue;
    EXPECT_NEAR(nut.CalcValue(p + kClearance * on_bolt.gradient), 0.0, 1e-3 * kClearance) << u / kPitch;
  }
  EXPECT_LT(nut.CalcValue({0.03, 0.0, 0.0}), 0.0);
  EXPECT_GT(nut.CalcValue({0.03, 0.0, 0.02}), 0.0);
  EXPECT_NEAR(nut.bounds().max().x(), 0.0375, 1e-17);
}

}  // namespace
}  // namespace stiction
