// Faces decide contacts of hulls and cylinders without a distance where they can: what they say has to be
// what the distance says, bit for bit, and both what an independent distance allows.
#include <fcl/geometry/shape/box.h>
#include <fcl/narrowphase/distance.h>

#include "collision/narrowphase/cylinder.h"
#include "collision/narrowphase/hull.h"
#include "collision/narrowphase/manifold_policy.h"
#include "tests/collision/fcl_shapes.h"
#include "tests/collision/narrowphase_checks.h"

namespace stiction::test {
namespace {

constexpr double kMargin = 0.02;  // [m]
constexpr int kPoses = 4000;      // of a pair

// One of the rotations that map the axes onto one another.
Matrix3d RandomQuarterTurns(Random& random) {
  Matrix3d R = Matrix3d::Identity();
  for (int i = 0; i < 3; ++i)
    R = R * QuaternionExp(0.5 * M_PI * Vector3d::Unit(static_cast<int>(random() % 3))).toRotationMatrix();
  return R;
}

// Of A: anything; or axes along those of B up to a tilt between none and a tenth, so that faces lie on faces
// and edges run along edges, exactly or nearly.
Matrix3d RandomTilt(Random& random) {
  if (random() % 4 == 0) return RandomRotation(random);
  const double tilt = random() % 4 == 0 ? 0.0 : std::pow(10.0, Uniform(random, -12.0, -1.0));
  const double turn = random() % 2 == 0 ? 0.0 : Uniform(random, -M_PI, M_PI);
  const Matrix3d about_z = QuaternionExp(turn * Vector3d::UnitZ()).toRotationMatrix();
  return QuaternionExp(tilt * RandomDirection(random)).toRotationMatrix() * about_z *
         RandomQuarterTurns(random);
}

// An axis, a diagonal of two or three, or anything.
Vector3d RandomWay(Random& random) {
  if (random() % 4 == 0) return RandomDirection(random);
  const Vector3d ways[] = {{1, 0, 0}, {1, 1, 0}, {1, 1, 1}};
  return RandomQuarterTurns(random) * ways[random() % 3].normalized();
}

// Moved along a way until the two are about `gap` apart; where that is through the other's middle, two faces
// or three may separate equally well.
template <typename A, typename B>
RigidTransform Approach(Random& random, const A& a, const B& b, double gap) {
  const Vector3d along = RandomWay(random);
  Vector3d beside = random() % 3 == 0 ? Vector3d(Vector3d::Zero()) : UniformVector(random, 0.3);
  beside -= beside.dot(along) * along;
  RigidTransform X_WA{RandomTilt(random), 2.0 * along + beside};
  const Distance far = CalcDistance(Shape(a), X_WA, Shape(b), RigidTransform());
  for (int i = 0; i < 20; ++i) {
    const double distance = i == 0 ? far.distance : CalcDistance(Shape(a), X_WA, Shape(b), {}).distance;
    X_WA.p -= (distance - gap) * along;
  }
  return X_WA;
}

double RandomGap(Random& random) {
  switch (random() % 4) {
    case 0:
      return 0.0;
    case 1:
      return kMargin * (1.0 + Uniform(random, -1e-6, 1e-6));
    default:
      return Uniform(random, -0.5, 1.1) * kMargin;
  }
}

void ExpectSameBits(const Manifold& shortcut, const Manifold& full) {
  ASSERT_EQ(shortcut.num_points, full.num_points);
  for (int k = 0; k < full.num_points; ++k) {
    EXPECT_EQ(shortcut.points[k].p_W, full.points[k].p_W);
    EXPECT_EQ(shortcut.points[k].n_W, full.points[k].n_W);
    EXPECT_EQ(shortcut.points[k].gap, full.points[k].gap);
    EXPECT_EQ(shortcut.points[k].feature, full.points[k].feature);
  }
}

// How often either way was taken by what a pair says: apart; and points.
struct Outcomes {
  int apart = 0, touching = 0;
};

template <typename A, typename B>
Outcomes ExpectSameAsByDistance(Random& random, const A& a, const B& b, double size, double rounding) {
  Outcomes outcomes;
  for (int i = 0; i < kPoses && !::testing::Test::HasFailure(); ++i) {
    const RigidTransform X_WA = Approach(random, a, b, RandomGap(random)), X_WB;
    Manifold shortcut, full;
    narrowphase::Collide(a, X_WA, b, X_WB, kMargin, shortcut);
    narrowphase::CollideByDistance(a, X_WA, b, X_WB, kMargin, full);
    const double distance = CalcDistance(Shape(a), X_WA, Shape(b), X_WB).distance;
    SCOPED_TRACE(::testing::Message() << i << ": margin and " << distance - kMargin);
    // At the margin itself round-off decides whether there are points at all.
    if (std::abs(distance - kMargin) > rounding) ExpectSameBits(shortcut, full);
    // GJK: nothing at the margin or beyond; what there is misses the distance by no more than the rules say.
    (shortcut.num_points == 0 ? outcomes.apart : outcomes.touching) += 1;
    if (distance > kMargin + rounding) {
      EXPECT_EQ(shortcut.num_points, 0) << distance;
    }
    if (distance < kMargin - narrowphase::kEdges.length * size) {
      const double gap = SmallestGap(shortcut);
      const double miss =
          distance > 0.0 ? narrowphase::kEdges.ratio * distance : narrowphase::kOverlap.ratio * -distance;
      const double slack = distance > 0.0 ? narrowphase::kEdges.length : narrowphase::kOverlap.length;
      EXPECT_LE(gap, distance + miss + slack * size);
    }
  }
  return outcomes;
}

template <typename A, typename B>
void ExpectBothOutcomes(Random& random, const A& a, const B& b, double size, double rounding = 1e-12) {
  const Outcomes outcomes = ExpectSameAsByDistance(random, a, b, size, rounding);
  EXPECT_GT(outcomes.apart, kPoses / 20);
  EXPECT_GT(outcomes.touching, kPoses / 4);
}

const Box kBox{{0.1, 0.15, 0.05}};
// Of the reach of a cylinder that is nearly upright: √ε of its radius [m].
constexpr double kCylinderRounding = 2e-9;

TEST(FaceShortcut, OfHullsSaysWhatTheDistanceSays) {
  Random random(1);
  ExpectBothOutcomes(random, MakePrism(4, 0.1, 0.1), MakePrism(4, 0.15, 0.05), 0.1);
  ExpectBothOutcomes(random, MakePrism(6, 0.1, 0.1), MakePrism(8, 0.1, 0.04), 0.08);
  ExpectBothOutcomes(random, MakePrism(24, 0.1, 0.1), MakePrism(3, 0.1, 0.1), 0.15);
  ExpectBothOutcomes(random, MakeRandomHull(random, 40, {0.1, 0.1, 0.1}), MakePrism(5, 0.2, 0.05), 0.1);
}

TEST(FaceShortcut, OfBoxesAndHullsSaysWhatTheDistanceSays) {
  Random random(2);
  ExpectBothOutcomes(random, kBox, MakePrism(4, 0.1, 0.1), 0.1);
  ExpectBothOutcomes(random, kBox, MakePrism(7, 0.1, 0.02), 0.04);
  ExpectBothOutcomes(random, kBox, MakeRandomHull(random, 30, {0.2, 0.1, 0.1}), 0.1);
}

TEST(FaceShortcut, OfCylindersSaysWhatTheDistanceSays) {
  Random random(3);
  const Cylinder flat{.radius = 0.1, .half_length = 0.03}, long_one{.radius = 0.04, .half_length = 0.2};
  for (const Cylinder& cylinder : {flat, long_one}) {
    const double size = 2.0 * std::min(cylinder.radius, cylinder.half_length);
    ExpectBothOutcomes(random, cylinder, kBox, size, kCylinderRounding);
    ExpectBothOutcomes(random, cylinder, MakePrism(4, 0.1, 0.1), size, kCylinderRounding);
    ExpectBothOutcomes(random, cylinder, MakePrism(9, 0.1, 0.05), size, kCylinderRounding);
    ExpectBothOutcomes(random, cylinder, MakeRandomHull(random, 30, {0.1, 0.2, 0.1}), size,
                       kCylinderRounding);
  }
}

// Whether there are contacts at all, by a library that shares no code with us.
TEST(FaceShortcut, AgreesWithFclOnWhatIsWithinTheMargin) {
  Random random(4);
  const Hull prism = MakePrism(6, 0.1, 0.1);
  const auto fcl_prism = MakeFclConvex(*prism.polytope);
  const auto fcl_box = std::make_shared<fcl::Boxd>(2.0 * kBox.half_extents);
  int apart = 0, touching = 0;
  for (int i = 0; i < kPoses; ++i) {
    const RigidTransform X_WA = Approach(random, kBox, prism, Uniform(random, 0.3, 1.7) * kMargin);
    const fcl::CollisionObjectd a(fcl_box, X_WA.R, X_WA.p), b(fcl_prism);
    fcl::DistanceResultd result;
    const double distance = fcl::distance(&a, &b, fcl::DistanceRequestd(), result);
    Manifold manifold;
    narrowphase::Collide(kBox, X_WA, prism, {}, kMargin, manifold);
    if (std::abs(distance - kMargin) < 1e-3 * kMargin || distance <= 0.0) continue;
    (distance < kMargin ? touching : apart) += 1;
    EXPECT_EQ(manifold.num_points > 0, distance < kMargin) << i << ": " << distance;
  }
  EXPECT_GT(apart, kPoses / 4);
  EXPECT_GT(touching, kPoses / 4);
}

}  // namespace
}  // namespace stiction::test
