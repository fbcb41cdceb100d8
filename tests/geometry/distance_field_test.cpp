#include "stiction/geometry/distance_field.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "stiction/geometry/field_text.h"
#include "stiction/math/rotation.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using Random = stiction::testing::RandomNumbers;
using std::numbers::pi;

// A point (ρ, z) turned about the axis by a random angle.
Vector3d Turn(Random& random, double rho, double z) {
  const double angle = random.Uniform(-pi, pi);
  return {rho * std::cos(angle), rho * std::sin(angle), z};
}

Vector3d RandomDirection(Random& random) {
  return Vector3d(random.Normal(), random.Normal(), random.Normal()).normalized();
}

// A leaf beside a way to draw points of its surface that shares nothing with the field.
struct Leaf {
  std::string text;
  std::function<Vector3d(Random&)> draw;
};

const std::vector<Leaf> kLeaves = {
    {"sphere(0.7)", [](Random& r) { return Vector3d(0.7 * RandomDirection(r)); }},
    {"box(0.5, 0.3, 0.4)",
     [](Random& r) {
       Vector3d p(r.Uniform(-0.5, 0.5), r.Uniform(-0.3, 0.3), r.Uniform(-0.4, 0.4));
       const int axis = r.Index(3);
       p[axis] = std::copysign(std::array{0.5, 0.3, 0.4}[axis], p[axis]);
       return p;
     }},
    {"capsule(0.3, 0.5)",
     [](Random& r) {
       if (r.Index(2) == 0) return Turn(r, 0.3, r.Uniform(-0.5, 0.5));
       Vector3d p = 0.3 * RandomDirection(r);
       p.z() += std::copysign(0.5, p.z());
       return p;
     }},
    {"cylinder(0.5, 0.3)",
     [](Random& r) {
       if (r.Index(2) == 0) return Turn(r, 0.5, r.Uniform(-0.3, 0.3));
       return Turn(r, 0.5 * std::sqrt(r.Uniform(0.0, 1.0)), r.Index(2) == 0 ? 0.3 : -0.3);
     }},
    {"ellipsoid(0.7, 0.5, 0.2)",
     [](Random& r) { return Vector3d(RandomDirection(r).cwiseProduct(Vector3d(0.7, 0.5, 0.2))); }},
    {"ellipsoid(0.6, 0.2, 0.6)",
     [](Random& r) { return Vector3d(RandomDirection(r).cwiseProduct(Vector3d(0.6, 0.2, 0.6))); }},
    {"torus(0.5, 0.2)",
     [](Random& r) {
       const double angle = r.Uniform(-pi, pi);
       return Turn(r, 0.5 + 0.2 * std::cos(angle), 0.2 * std::sin(angle));
     }},
    {"hexagon(1, 0.3)",
     [](Random& r) {
       const double side = pi / 3.0 * r.Index(6), half_side = 0.5 * std::tan(pi / 6.0);
       double across = 0.5, along = r.Uniform(-half_side, half_side), z = r.Uniform(-0.3, 0.3);
       if (r.Index(2) == 0) {  // on a cap: shrink the side towards the centre
         const double shrink = std::sqrt(r.Uniform(0.0, 1.0));
         across *= shrink, along *= shrink, z = std::copysign(0.3, z);
       }
       return Vector3d(std::cos(side) * across - std::sin(side) * along,
                       std::sin(side) * across + std::cos(side) * along, z);
     }},
};

// No sampled surface point is nearer than |φ|, one is about as near, and all have φ = 0.
TEST(DistanceField, LeavesMatchBruteForceDistance) {
  constexpr int kSamples = 10000;
  for (const Leaf& leaf : kLeaves) {
    const DistanceField field = ParseDistanceField(leaf.text);
    Random random(3);
    std::vector<Vector3d> surface;
    for (int i = 0; i < kSamples; ++i) surface.push_back(leaf.draw(random));
    Eigen::AlignedBox3d box;
    double worst = 0.0;
    for (const Vector3d& p : surface) {
      worst = std::max(worst, std::abs(field.CalcValue(p)));
      box.extend(p);
    }
    EXPECT_LT(worst, 1e-15) << leaf.text;  // rounding of numbers below 1
    EXPECT_TRUE(field.bounds().contains(box.min() + Vector3d::Constant(1e-15))) << leaf.text;
    EXPECT_LT((box.sizes() - field.bounds().sizes()).norm(), 0.06) << leaf.text;
    for (int i = 0; i < 100; ++i) {
      const Vector3d p = random.Vector3(1.0);
      double nearest = std::numeric_limits<double>::infinity();
      for (const Vector3d& q : surface) nearest = std::min(nearest, (p - q).norm());
      const double value = std::abs(field.CalcValue(p));
      EXPECT_GE(nearest, value - 1e-14) << leaf.text;
      // 10000 points on less than 8 m² leave gaps of 0.06 m at most points, 0.1 m at the worst.
      EXPECT_LE(nearest, value + 0.1) << leaf.text;
    }
  }
}

// Of φ, by central differences.
Vector3d DifferentiateField(const DistanceField& field, const Vector3d& p, double step) {
  Vector3d gradient;
  for (int i = 0; i < 3; ++i) {
    const Vector3d shift = step * Vector3d::Unit(i);
    gradient[i] = (field.CalcValue(p + shift) - field.CalcValue(p - shift)) / (2.0 * step);
  }
  return gradient;
}

const std::vector<std::string> kComposites = {
    "union(sphere(0.5), box(0.7, 0.2, 0.2), torus(0.6, 0.1))",
    "difference(box(0.5, 0.5, 0.3), cylinder(0.3, 0.5))",
    "intersection(sphere(0.6), box(0.5, 0.4, 0.5))",
    "round(0.05, difference(box(0.5, 0.4, 0.3), sphere(0.35)))",
    "shell(0.05, torus(0.5, 0.2))",
    "rotate(1, 2, 3, 40, move(0.1, 0.2, -0.1, scale(0.7, ellipsoid(0.7, 0.5, 0.2))))",
    "profile(0.05, 0, 0, 0.4, 0, 0.6, 0.5)",
};

std::vector<std::string> AllTexts() {
  std::vector<std::string> texts = kComposites;
  for (const Leaf& leaf : kLeaves) texts.push_back(leaf.text);
  return texts;
}

TEST(DistanceField, GradientsMatchDifferences) {
  for (const std::string& text : AllTexts()) {
    const DistanceField field = ParseDistanceField(text);
    Random random(5);
    int on_ridge = 0;
    for (int i = 0; i < 1000; ++i) {
      const Vector3d p = random.Vector3(1.0);
      const FieldSample sample = field.Evaluate(p);
      EXPECT_NEAR(sample.gradient.norm(), 1.0, 1e-14) << text;
      // The differences' truncation is about 1e-10 times the squared curvature, which grows near edges; a
      // stencil that straddles a ridge is off altogether.
      if ((DifferentiateField(field, p, 1e-6) - sample.gradient).norm() > 1e-7) ++on_ridge;
    }
    EXPECT_LE(on_ridge, 2) << text;
  }
}

TEST(DistanceField, ValuesNeverChangeFasterThanDistance) {
  for (const std::string& text : AllTexts()) {
    const DistanceField field = ParseDistanceField(text);
    Random random(6);
    for (int i = 0; i < 2000; ++i) {
      const Vector3d p = random.Vector3(1.0), q = p + random.Vector3(0.1);
      EXPECT_LE(std::abs(field.CalcValue(p) - field.CalcValue(q)), (p - q).norm() + 1e-14) << text;
    }
  }
}

// The polyline as 2 x 20000 points in the half-plane.
double CalcDishDistance(double rho, double z, const Vector2d& a, const Vector2d& b, double padding) {
  constexpr int kPoints = 20000;
  double nearest = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= kPoints; ++i) {
    const double s = static_cast<double>(i) / kPoints;
    nearest = std::min(nearest, std::hypot(rho - s * a.x(), z - s * a.y()));
    nearest =
        std::min(nearest, std::hypot(rho - a.x() - s * (b.x() - a.x()), z - a.y() - s * (b.y() - a.y())));
  }
  return nearest - padding;
}

// Bowl, plate and pot.
TEST(DistanceField, DishMatchesPointsOfItsProfile) {
  const Vector3d dishes[] = {{0.03, 0.07, 0.05}, {0.07, 0.11, 0.015}, {0.09, 0.09, 0.12}};
  Random random(8);
  for (const Vector3d& d : dishes) {
    const DistanceField dish = MakeDishField(d.x(), d.y(), d.z(), 0.004);
    for (int i = 0; i < 50; ++i) {
      const double rho = random.Uniform(0.0, 0.15), z = random.Uniform(-0.05, 0.15);
      const double reference = CalcDishDistance(rho, z, {d.x(), 0.0}, {d.y(), d.z()}, 0.004);
      // Points 6e-6 apart overrate a distance of 1e-4 or more by 5e-8 at most.
      EXPECT_NEAR(dish.CalcValue(Turn(random, rho, z)), reference, 1e-7);
    }
  }
}

TEST(DistanceField, DishHasItsNormalOnTheMidSurface) {
  const DistanceField bowl = MakeDishField(0.03, 0.07, 0.05, 0.004);
  const FieldSample base = bowl.Evaluate({0.01, 0.02, 0.0});
  EXPECT_EQ(base.value, -0.004);
  EXPECT_EQ(std::abs(base.gradient.z()), 1.0);
  EXPECT_EQ(bowl.Evaluate(Vector3d::Zero()).gradient.norm(), 1.0);
}

TEST(DistanceField, BooleansHaveTheSignOfTheirSets) {
  const DistanceField a = MakeSphereField(0.5), b = MakeBoxField({0.6, 0.3, 0.2});
  Random random(9);
  for (int i = 0; i < 2000; ++i) {
    const Vector3d p = random.Vector3(0.8);
    const bool in_a = a.CalcValue(p) < 0.0, in_b = b.CalcValue(p) < 0.0;
    EXPECT_EQ(Unite(a, b).CalcValue(p) < 0.0, in_a || in_b);
    EXPECT_EQ(Intersect(a, b).CalcValue(p) < 0.0, in_a && in_b);
    EXPECT_EQ(Subtract(a, b).CalcValue(p) < 0.0, in_a && !in_b);
    EXPECT_NEAR(MakeShellField(a, 0.1).CalcValue(p), std::abs(p.norm() - 0.5) - 0.1, 1e-15);
  }
}

TEST(DistanceField, BoundsHoldTheSolid) {
  for (const std::string& text : AllTexts()) {
    const DistanceField field = ParseDistanceField(text);
    Random random(10);
    for (int i = 0; i < 5000; ++i) {
      const Vector3d p = random.Vector3(1.2);
      if (field.CalcValue(p) <= 0.0) {
        EXPECT_TRUE(field.bounds().contains(p)) << text;
      }
    }
  }
  EXPECT_TRUE(ParseDistanceField("intersection(sphere(0.1), move(1, 0, 0, sphere(0.1)))").bounds().isEmpty());
  const DistanceField floor = ParseDistanceField("rotate(1, 0, 0, 30, halfspace())");
  EXPECT_FALSE(floor.bounds().min().hasNaN());
  EXPECT_EQ(floor.bounds().max().z(), std::numeric_limits<double>::infinity());
}

// Points whose nearest point is not unique, or whose coordinates vanish.
TEST(DistanceField, DegeneratePointsHaveUnitGradients) {
  std::vector<std::string> texts = AllTexts();
  texts.insert(texts.end(), {"thread(0.4, 0.05, 0.6)", "nut(0.4, 0.05, 0.3, 0.7, 0.002)", "halfspace()"});
  const double special[] = {0.0, -0.0, 0.1, 0.2, -0.2, 0.3, -0.3, 0.4, 0.5, -0.5, 0.7, 1e-200, 1e-320, 1e100};
  for (const std::string& text : texts) {
    const DistanceField field = ParseDistanceField(text);
    Random random(11);
    for (int i = 0; i < 10000; ++i) {
      Vector3d p;
      for (double& x : p) x = special[random.Index(std::size(special))];
      const FieldSample sample = field.Evaluate(p);
      ASSERT_TRUE(std::isfinite(sample.value)) << text << " " << p.transpose();
      ASSERT_NEAR(sample.gradient.norm(), 1.0, 1e-12) << text << " " << p.transpose();
    }
  }
}

TEST(DistanceField, EvaluationAllocatesNothing) {
  if (!stiction::testing::CanCountAllocations()) GTEST_SKIP();
  for (const std::string& text : AllTexts()) {
    const DistanceField field = ParseDistanceField(text);
    const long before = stiction::testing::CountAllocations();
    double sum = 0.0;
    for (int i = 0; i < 100; ++i) sum += field.CalcValue(Vector3d(0.01 * i, 0.2, 0.3));
    EXPECT_EQ(stiction::testing::CountAllocations(), before) << text << sum;
  }
}

// As found by fuzzing: the inverse of the least double is none, and no gradient was a number.
TEST(DistanceField, ScalesWithoutAnInverseAreRefused) {
  const DistanceField sphere = MakeSphereField(0.1);
  for (const double factor : {0.0, -1.0, 5e-324, 1e-60, 1e60})
    EXPECT_THROW(Scale(sphere, factor), std::invalid_argument) << factor;
  EXPECT_NEAR(Scale(sphere, 1e-6).CalcValue(Vector3d(1.0, 0.0, 0.0)), 1.0 - 1e-7, 1e-15);
}

TEST(DistanceField, DeepNestingIsRefused) {
  DistanceField right = MakeSphereField(0.1);
  const auto nest = [&right] {
    for (int i = 0; i < 40; ++i) right = Unite(MakeSphereField(0.1), right);
  };
  EXPECT_THROW(nest(), std::invalid_argument);
  DistanceField left = MakeSphereField(0.1);
  for (int i = 0; i < 40; ++i) left = Unite(left, MakeSphereField(0.1));
  EXPECT_THROW(
      {
        for (int i = 0; i < 40; ++i) left = Scale(left, 1.1);
      },
      std::invalid_argument);
  EXPECT_THROW(Transform({2.0 * Matrix3d::Identity(), Vector3d::Zero()}, left), std::invalid_argument);
}

}  // namespace
}  // namespace stiction
