// What every pair promises, whatever its family.
#include <cfenv>
#include <set>
#include <string>

#include "stiction/geometry/distance.h"
#include "tests/collision/narrowphase_checks.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/meshes.h"

namespace stiction::test {
namespace {

struct ShapePair {
  Shape a, b;
  std::string Name() const { return std::string(ShapeName(a)) + "-" + std::string(ShapeName(b)); }
};

// Ten vertices, no two faces parallel.
Hull MakeTestHull() {
  Random random(11);
  std::vector<Vector3d> points;
  for (int k = 0; k < 10; ++k)
    points.push_back(Vector3d(0.3, 0.2, 0.15).cwiseProduct(RandomDirection(random)));
  return MakeHull(points).hull;
}
Hull MakeCubeHull() {
  std::vector<Vector3d> points;
  for (int k = 0; k < 8; ++k)
    points.push_back(0.2 * Vector3d(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1));
  return MakeHull(points).hull;
}

const std::vector<Shape>& Shapes() {
  static const std::vector<Shape> shapes = {Plane{},
                                            Sphere{0.15},
                                            Capsule{0.1, 0.3},
                                            Ellipsoid{{0.1, 0.2, 0.3}},
                                            Cylinder{0.2, 0.1},
                                            Box{{0.2, 0.1, 0.3}},
                                            Box{{0.2, 0.2, 0.2}},
                                            MakeTestHull(),
                                            MakeCubeHull(),
                                            MakeMesh(testing::MakeTorus(0.2, 0.1, 8, 6)).mesh};
  return shapes;
}

// In both orders.
std::vector<ShapePair> AllPairs() {
  std::vector<ShapePair> pairs;
  for (const Shape& a : Shapes()) {
    for (const Shape& b : Shapes()) {
      if (!std::holds_alternative<Plane>(a) || !std::holds_alternative<Plane>(b)) pairs.push_back({a, b});
    }
  }
  return pairs;
}

TEST(Narrowphase, EveryPairButTwoPlanesCollides) {
  for (const ShapePair& pair : AllPairs()) {
    // Convex shapes deep in one another; a surface is gone through by 5 mm.
    const bool is_mesh = std::holds_alternative<Mesh>(pair.a) || std::holds_alternative<Mesh>(pair.b);
    RigidTransform X_WB{Matrix3d::Identity(), {0.01, 0.02, 0.03}};
    if (is_mesh) {
      X_WB.p.x() = 1.0;
      const Distance d = CalcDistance(pair.a, {}, pair.b, X_WB);
      X_WB.p -= (d.distance + 0.005) * d.n_W;
    }
    const Manifold manifold = Collide(pair.a, {}, pair.b, X_WB, 0.0);
    EXPECT_GT(manifold.num_points, 0) << pair.Name();
  }
  EXPECT_EQ(Collide(Plane{}, {}, Plane{}, {}, 1.0).num_points, 0);
}

// No comparison tells one of their faces from another.
TEST(Narrowphase, PosesThatAreNoPlacesGiveNoPoints) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const RigidTransform bad[] = {{Matrix3d::Constant(kNan), Vector3d::Zero()},
                                {Matrix3d::Identity(), Vector3d::Constant(kNan)},
                                {Matrix3d::Identity(), Vector3d(0, 1e200, -1e300)}};
  for (const ShapePair& pair : AllPairs()) {
    for (const RigidTransform& X_WB : bad)
      EXPECT_EQ(Collide(pair.a, {}, pair.b, X_WB, 0.01).num_points, 0) << pair.Name();
  }
}

// The way out of a deep overlap (src/collision/narrowphase/mesh.h).
bool IsDeep(const ManifoldPoint& point) {
  return point.feature >> 28 == 0xFu;
}
bool HasDeep(const Manifold& manifold) {
  return std::any_of(manifold.points.begin(), manifold.points.begin() + manifold.num_points, IsDeep);
}

bool ClipsFaces(const Shape& shape) {
  return std::holds_alternative<Box>(shape) || std::holds_alternative<Hull>(shape) ||
         std::holds_alternative<Cylinder>(shape);
}

// Two shapes with faces may choose the other's face as reference when swapped, so they are compared by their
// deepest gap.
TEST(Narrowphase, SwappingTheShapesTurnsTheNormals) {
  Random random(1);
  for (const ShapePair& pair : AllPairs()) {
    SCOPED_TRACE(pair.Name());
    for (int trial = 0; trial < 500; ++trial) {
      const RigidTransform X_WA = RandomPose(random, 0.2), X_WB = RandomPose(random, 0.2);
      const Manifold forward = Collide(pair.a, X_WA, pair.b, X_WB, 0.05),
                     backward = Collide(pair.b, X_WB, pair.a, X_WA, 0.05);
      if (pair.a.index() != pair.b.index()) {
        ExpectSamePoints(forward, backward, {}, -1.0, 1e-12);
        for (int k = 0; k < forward.num_points; ++k)
          EXPECT_EQ(forward.points[k].feature, backward.points[k].feature);
      } else if (HasDeep(forward)) {
        // Two meshes are asked along samples of the curve in which they cross.
        EXPECT_TRUE(HasDeep(backward));
      } else if (!ClipsFaces(pair.a)) {
        ExpectSamePoints(forward, backward, {}, -1.0, 1e-12);
      } else if (forward.num_points > 0) {
        ASSERT_GT(backward.num_points, 0);
        // Each may prefer its own A's face by 2 %.
        EXPECT_NEAR(SmallestGap(forward), SmallestGap(backward),
                    0.06 * std::abs(SmallestGap(forward)) + 1e-3);
      }
    }
  }
}

TEST(Narrowphase, SwappedStackKeepsItsPoints) {
  Random random(2);
  const Box box{{0.2, 0.1, 0.3}};
  for (int trial = 0; trial < 500; ++trial) {
    const RigidTransform X_WA = RandomPose(random, 1.0);
    const RigidTransform X_AB{Matrix3d::Identity(), {0.01, 0.02, 0.601}};
    ExpectSamePoints(Collide(box, X_WA, box, X_WA * X_AB, 0.01), Collide(box, X_WA * X_AB, box, X_WA, 0.01),
                     {}, -1.0, 1e-12);
  }
}

// Curved surfaces that are approached in steps: Newton's last ones reach round-off, but not near every kink.
// Planes with anything, and spheres with cylinders, have closed forms.
bool IsIterative(const ShapePair& pair) {
  const auto has = [&]<typename T>(T) {
    return std::holds_alternative<T>(pair.a) || std::holds_alternative<T>(pair.b);
  };
  if (has(Plane{}) || (has(Sphere{}) && has(Cylinder{}))) return false;
  return has(Ellipsoid{}) || has(Cylinder{});
}

TEST(Narrowphase, MovesWithTheFrame) {
  Random random(3);
  for (const ShapePair& pair : AllPairs()) {
    SCOPED_TRACE(pair.Name());
    for (int trial = 0; trial < 500; ++trial) {
      const RigidTransform X_WA = RandomPose(random, 0.2), X_WB = RandomPose(random, 0.2),
                           X_VW = RandomPose(random, 5.0);
      const Manifold in_W = Collide(pair.a, X_WA, pair.b, X_WB, 0.05);
      const Manifold in_V = Collide(pair.a, X_VW * X_WA, pair.b, X_VW * X_WB, 0.05);
      ExpectSamePoints(in_V, in_W, X_VW, 1.0, IsIterative(pair) ? 1e-6 : 1e-10);
      for (int k = 0; k < in_W.num_points; ++k) EXPECT_EQ(in_V.points[k].feature, in_W.points[k].feature);
    }
  }
}

// Whether the deepest point stays where the gap is stationary, or on one material point: everywhere but where
// a clipped face or a pierced one ends its contact at a side plane.
bool IsMaterial(const ShapePair& pair, const ManifoldPoint& point) {
  if (IsDeep(point)) return false;
  const auto is_box = [](const Shape& shape) { return std::holds_alternative<Box>(shape); };
  const auto is_hull = [](const Shape& shape) { return std::holds_alternative<Hull>(shape); };
  const bool has_polytope = is_box(pair.a) || is_box(pair.b) || is_hull(pair.a) || is_hull(pair.b);
  const bool has_capsule = std::holds_alternative<Capsule>(pair.a) || std::holds_alternative<Capsule>(pair.b);
  if (has_polytope && has_capsule) return point.gap > -0.1;  // the capsule's radius
  if (std::holds_alternative<Cylinder>(pair.a) || std::holds_alternative<Cylinder>(pair.b)) {
    const auto has_closed_form = [](const Shape& shape) {
      return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Plane>(shape);
    };
    return has_closed_form(pair.a) || has_closed_form(pair.b) || (point.feature >> 28 & 3) == 0;
  }
  if (!(is_box(pair.a) || is_hull(pair.a)) || !(is_box(pair.b) || is_hull(pair.b))) return true;
  // Feature 0 in the top bits is a face. Then bits 8-9, or 28-29 with a hull, are 0 for a vertex of the
  // incident one.
  const int kind_shift = is_hull(pair.a) || is_hull(pair.b) ? 28 : 8;
  return point.feature >> 30 == 0 && (point.feature >> kind_shift & 3) == 0;
}

// The gap's rate is the relative velocity of the two surfaces at the point, along the normal: what the
// contact Jacobian assumes.
TEST(Narrowphase, GapChangesWithTheNormalVelocity) {
  Random random(4);
  constexpr double kStep = 1e-6;
  for (const ShapePair& pair : AllPairs()) {
    SCOPED_TRACE(pair.Name());
    int compared = 0, wrong = 0;
    for (int trial = 0; trial < 1000; ++trial) {
      const RigidTransform X_WA = RandomPose(random, 0.3), X_WB = RandomPose(random, 0.3);
      const Vector3d w = RandomDirection(random), v = RandomDirection(random);
      const Manifold now = Collide(pair.a, X_WA, pair.b, X_WB, 0.1);
      const Manifold after = Collide(pair.a, X_WA, pair.b, Displaced(X_WB, kStep * w, kStep * v), 0.1);
      const Manifold before = Collide(pair.a, X_WA, pair.b, Displaced(X_WB, -kStep * w, -kStep * v), 0.1);
      if (now.num_points == 0) continue;
      const ManifoldPoint& point = Deepest(now);
      if (!IsMaterial(pair, point)) continue;
      const ManifoldPoint *one = FindFeature(after, point.feature),
                          *other = FindFeature(before, point.feature);
      if (one == nullptr || other == nullptr) continue;
      const double expected = point.n_W.dot(v + w.cross(point.p_W - X_WB.p));
      ++compared;
      wrong += std::abs((one->gap - other->gap) / (2 * kStep) - expected) > 1e-4;
    }
    EXPECT_GT(compared, 20);
    // Steps across a kink of the distance (the nearest feature changes) are rare; where a rim crosses the
    // edges of a mesh, less so.
    const bool is_mesh = std::holds_alternative<Mesh>(pair.a) || std::holds_alternative<Mesh>(pair.b);
    EXPECT_LE(wrong, compared / (is_mesh ? 25 : 100));
  }
}

// Poses where something vanishes: parallel, perpendicular, coincident, touching, and all of these up to
// round-off.
RigidTransform DegeneratePose(Random& random) {
  const auto choose = [&](std::initializer_list<double> values) {
    return *(values.begin() + std::uniform_int_distribution<std::size_t>(0, values.size() - 1)(random));
  };
  const auto coordinate = [&] {
    return choose({0, 0, 0.1, -0.1, 0.15, 0.2, -0.2, 0.25, 0.3, -0.3, 0.4, 0.5, -0.6});
  };
  const auto angle = [&] { return choose({0, 0, 0.25 * M_PI, 0.5 * M_PI, -0.5 * M_PI, M_PI, 0.3}); };
  RigidTransform X{Matrix3d::Identity(), {coordinate(), coordinate(), coordinate()}};
  for (int i = 0; i < 3; ++i) X.R = X.R * QuaternionExp(angle() * Vector3d::Unit(i)).toRotationMatrix();
  const double noise = choose({0, 0, 1e-320, 1e-200, 1e-16, 1e-12, 1e-9, 1e-6, 1e-3});
  return Displaced(X, noise * RandomDirection(random), noise * RandomDirection(random));
}

TEST(Narrowphase, AMillionDegeneratePosesGiveFinitePoints) {
  Random random(5);
  const std::vector<ShapePair> pairs = AllPairs();
  feenableexcept(FE_INVALID | FE_DIVBYZERO);
  for (int trial = 0; trial < 1000000; ++trial) {
    const ShapePair& pair = pairs[trial % pairs.size()];
    const bool degenerate = trial % 5 != 0;
    const RigidTransform X_WA = degenerate ? DegeneratePose(random) : RandomPose(random, 0.4);
    const RigidTransform X_WB = degenerate ? DegeneratePose(random) : RandomPose(random, 0.4);
    const double margin = trial % 3 == 0 ? 0.0 : 0.05;
    const Manifold manifold = Collide(pair.a, X_WA, pair.b, X_WB, margin);
    for (int k = 0; k < manifold.num_points; ++k) {
      const ManifoldPoint& point = manifold.points[k];
      const bool sound = point.p_W.allFinite() && std::abs(point.n_W.norm() - 1.0) < 1e-9 &&
                         point.gap < margin && point.gap > -2.0;
      if (!sound) {
        fedisableexcept(FE_ALL_EXCEPT);
        FAIL() << pair.Name() << " trial " << trial << " gap " << point.gap << " n " << point.n_W.transpose();
      }
    }
  }
  fedisableexcept(FE_ALL_EXCEPT);
}

// The tracker tells the points of a pair apart by their features.
TEST(Narrowphase, FeaturesOfAPairDiffer) {
  Random random(7);
  const std::vector<ShapePair> pairs = AllPairs();
  for (int trial = 0; trial < 100000; ++trial) {
    const ShapePair& pair = pairs[trial % pairs.size()];
    const Manifold manifold = Collide(pair.a, DegeneratePose(random), pair.b, DegeneratePose(random), 0.1);
    std::set<std::uint32_t> features;
    for (int k = 0; k < manifold.num_points; ++k) features.insert(manifold.points[k].feature);
    ASSERT_EQ(static_cast<int>(features.size()), manifold.num_points) << pair.Name();
  }
}

TEST(Narrowphase, DoesNotAllocate) {
  Random random(6);
  const std::vector<ShapePair> pairs = AllPairs();
  Manifold manifold;
  if (!testing::CanCountAllocations()) GTEST_SKIP() << "malloc belongs to a sanitizer";
  const long before = testing::CountAllocations();
  for (int trial = 0; trial < 20000; ++trial) {
    const ShapePair& pair = pairs[trial % pairs.size()];
    CalcManifold(pair.a, RandomPose(random, 0.3), pair.b, RandomPose(random, 0.3), 0.05, manifold);
  }
  EXPECT_EQ(testing::CountAllocations(), before);
}

}  // namespace
}  // namespace stiction::test
