#include "live/small_shapes.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

namespace stiction::viewer {
namespace {

using Eigen::Vector3f;

constexpr float kFar = 1e5f;

// Of the triangles, as they are seen along d; what lies over one another counts twice.
double CalcSeenArea(const SmallShapes& shapes, const Vector3f& d) {
  const auto at = [&](std::size_t i) {
    const auto& p = shapes.vertices()[shapes.indices()[i]].position;
    return Eigen::Vector3d(p[0], p[1], p[2]);
  };
  double area = 0.0;
  for (std::size_t i = 0; i + 2 < shapes.indices().size(); i += 3)
    area += 0.5 * std::abs((at(i + 1) - at(i)).cross(at(i + 2) - at(i)).dot(d.cast<double>()));
  return area;
}

DrawInstance MakeInstance(std::mt19937& random, const Vector3f& half) {
  std::normal_distribution<float> normal;
  const auto next = [&] { return normal(random); };
  const Eigen::Quaternionf R = Eigen::Quaternionf(next(), next(), next(), next()).normalized();
  DrawInstance instance{};
  Eigen::Map<Eigen::Matrix<float, 3, 4>> pose(instance.pose);
  pose.leftCols<3>() = R.toRotationMatrix() * half.asDiagonal();
  pose.col(3) = Vector3f(next(), next(), next());
  return instance;
}

Vector3f AxisOf(const DrawInstance& instance, int k) {
  return Eigen::Map<const Eigen::Matrix<float, 3, 4>>(instance.pose).col(k);
}

// All that is seen of a box, and none of it twice: the outline's area is that of the three sides that are
// seen.
TEST(SmallShapes, CoverWhatIsSeenOfABox) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const DrawInstance box = MakeInstance(random, {0.3f, 0.5f, 0.8f});
    const Vector3f d = AxisOf(MakeInstance(random, Vector3f::Ones()), 0);
    double seen = 0.0;
    for (int k = 0; k < 3; ++k)
      seen += 4.0 * std::abs(AxisOf(box, (k + 1) % 3).cross(AxisOf(box, (k + 2) % 3)).dot(d));
    SmallShapes outline, sides;
    outline.AddOutline(box, 1.0f, kFar * d);
    ASSERT_TRUE(sides.AddShape(DrawPrimitive::kBox, box, kFar * d));
    EXPECT_NEAR(CalcSeenArea(outline, d), seen, 1e-5);
    EXPECT_NEAR(CalcSeenArea(sides, d), seen, 1e-4);  // a side that is seen from its edge may be left out
  }
}

// Polygons within what they stand for.
TEST(SmallShapes, CoverMostOfBallsAndCylinders) {
  std::mt19937 random(2);
  constexpr float kRadius = 0.4f, kHalf = 0.7f;
  for (int i = 0; i < 200; ++i) {
    const Vector3f d = AxisOf(MakeInstance(random, Vector3f::Ones()), 0);
    SmallShapes ball, cylinder;
    ASSERT_TRUE(
        ball.AddShape(DrawPrimitive::kSphere, MakeInstance(random, Vector3f::Constant(kRadius)), kFar * d));
    const double disc = M_PI * kRadius * kRadius, share = CalcSeenArea(ball, d) / disc;
    EXPECT_GT(share, 0.9);
    EXPECT_LE(share, 1.0);
    const DrawInstance instance = MakeInstance(random, {kRadius, kRadius, kHalf});
    ASSERT_TRUE(cylinder.AddShape(DrawPrimitive::kCylinder, instance, kFar * d));
    const double up = std::abs(AxisOf(instance, 2).normalized().dot(d));
    const double whole = disc * up + 4.0 * kRadius * kHalf * std::sqrt(1.0 - up * up);
    EXPECT_GT(CalcSeenArea(cylinder, d), 0.85 * whole);
    EXPECT_LE(CalcSeenArea(cylinder, d), 1.001 * whole);
  }
}

TEST(SmallShapes, LeaveOtherShapesToInstances) {
  SmallShapes shapes;
  EXPECT_FALSE(shapes.AddShape(DrawPrimitive::kCone, DrawInstance{}, Vector3f::UnitX()));
  EXPECT_TRUE(shapes.is_empty());
  EXPECT_EQ(shapes.num_shapes(), 0);
}

}  // namespace
}  // namespace stiction::viewer
