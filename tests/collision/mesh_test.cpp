// Triangle meshes against everything.
#include <set>

#include "stiction/geometry/distance.h"
#include "tests/collision/narrowphase_checks.h"
#include "tests/support/meshes.h"
#include "tests/support/poses.h"

namespace stiction::test {
namespace {

using stiction::testing::At;

using testing::MakeBoxMesh;
using testing::MakeCup;
using testing::MakeFloor;
using testing::MakeTorus;
using testing::Subdivide;

Shape Surface(const TriangleMesh& mesh) {
  return MakeMesh(mesh).mesh;
}
Hull CubeHull(double h) {
  return MakeHull(MakeBoxMesh({h, h, h}).vertices).hull;
}
TriangleMesh MeshOf(const ConvexHull& hull) {
  TriangleMesh mesh{hull.vertices, {}};
  for (const auto& face : hull.faces) {
    const auto loop = hull.VerticesOf(face);
    for (std::size_t k = 1; k + 1 < loop.size(); ++k)
      mesh.triangles.push_back({loop[0], loop[k], loop[k + 1]});
  }
  return mesh;
}

void ExpectFourCorners(const Manifold& manifold, double half, double gap) {
  ASSERT_EQ(manifold.num_points, 4);
  std::set<std::pair<int, int>> quadrants;
  for (int k = 0; k < 4; ++k) {
    const ManifoldPoint& point = manifold.points[k];
    EXPECT_LT((point.n_W - Vector3d::UnitZ()).norm(), 1e-12);
    EXPECT_NEAR(point.gap, gap, 1e-12);
    EXPECT_NEAR(std::abs(point.p_W.x()), half, 1e-12);
    quadrants.emplace(point.p_W.x() > 0.0, point.p_W.y() > 0.0);
  }
  EXPECT_EQ(quadrants.size(), 4u);
}

TEST(MeshContact, ABoxStandsOnItsFourCornersWhateverIsAFloor) {
  const Shape floors[] = {Surface(MakeFloor(60, 0.01)), Surface(MakeFloor(1, 1.0)),
                          Surface(MakeBoxMesh({0.3, 0.3, 0.1})),
                          Surface(Subdivide(Subdivide(MakeBoxMesh({0.3, 0.3, 0.1}))))};
  const double tops[] = {0.0, 0.0, 0.1, 0.1};
  const Shape boxes[] = {Box{{0.05, 0.05, 0.05}}, CubeHull(0.05), Surface(MakeBoxMesh({0.05, 0.05, 0.05})),
                         Surface(Subdivide(Subdivide(MakeBoxMesh({0.05, 0.05, 0.05}))))};
  for (int f = 0; f < 4; ++f) {
    for (const Shape& box : boxes) {
      SCOPED_TRACE(std::string(ShapeName(box)) + " on floor " + std::to_string(f));
      for (const double gap : {-1e-5, 0.0, 1e-5}) {
        const RigidTransform X = At(0.0, 0.0, tops[f] + 0.05 + gap);
        ExpectFourCorners(Collide(floors[f], {}, box, X, 0.002), 0.05, gap);
      }
    }
  }
}

TEST(MeshContact, NamesStayWhileTheBoxSlidesOverTheTriangles) {
  const Shape floor = Surface(MakeFloor(60, 0.01));
  const Shape boxes[] = {Box{{0.05, 0.05, 0.05}}, CubeHull(0.05), Surface(MakeBoxMesh({0.05, 0.05, 0.05})),
                         Cylinder{0.05, 0.05},    Sphere{0.05},   Capsule{0.02, 0.03}};
  for (const Shape& box : boxes) {
    SCOPED_TRACE(ShapeName(box));
    std::set<std::uint32_t> names;
    for (int k = 0; k < 200; ++k) {
      const Manifold manifold = Collide(floor, {}, box, At(1.23e-3 * k - 0.1, 0.7e-3 * k, 0.05), 0.002);
      std::set<std::uint32_t> now;
      for (int i = 0; i < manifold.num_points; ++i) now.insert(manifold.points[i].feature);
      EXPECT_EQ(static_cast<int>(now.size()), manifold.num_points);
      if (k == 0) names = now;
      EXPECT_EQ(now, names);
    }
  }
}

// A box mesh is the box: the same contacts in other words. Where the shapes are apart, nothing is nearer than
// the distance, and what is that near is found; where they overlap a little, the deepest point is as deep.
TEST(MeshContact, AConvexMeshTouchesAsItsHull) {
  Random random(3);
  std::vector<Vector3d> points;
  for (int k = 0; k < 12; ++k) points.push_back(0.2 * RandomDirection(random));
  const Hull round = MakeHull(points).hull;
  const Hull hulls[] = {CubeHull(0.15), round};
  const Shape others[] = {Sphere{0.1},         Capsule{0.05, 0.1},     Ellipsoid{{0.05, 0.1, 0.15}},
                          Cylinder{0.1, 0.08}, Box{{0.1, 0.05, 0.15}}, round};
  for (const Hull& hull : hulls) {
    const PlacedMesh placed = MakeMesh(Subdivide(MeshOf(*hull.polytope)));
    for (const Shape& other : others) {
      SCOPED_TRACE(ShapeName(other));
      int apart = 0, overlapping = 0, missed = 0;
      while (apart < 1000 || overlapping < 1000) {
        const RigidTransform X_WA = RandomPose(random, 0.1);
        RigidTransform X_WB = RandomPose(random, 0.4);
        const Distance d = CalcDistance(hull, X_WA, other, X_WB);
        if (std::abs(d.distance) > 0.3) continue;
        // Brought to the gap that is wanted.
        const bool is_apart = apart < 1000;
        const double wanted = is_apart ? Uniform(random, 1e-4, 0.02) : -Uniform(random, 1e-6, 1e-4);
        X_WB.p += (wanted - d.distance) * d.n_W;
        const Distance now = CalcDistance(hull, X_WA, other, X_WB);
        if (std::abs(now.distance - wanted) > 1e-9) continue;
        ++(is_apart ? apart : overlapping);
        const RigidTransform X_WM{X_WA.R, X_WA * placed.p_MG};
        const Manifold manifold = Collide(placed.mesh, X_WM, other, X_WB, 0.03);
        const double gap = SmallestGap(manifold);
        // Beside a face by 1e-3 of the size, more at its sharp corners, counts as over it.
        const double least = wanted > 6e-4 ? std::sqrt(wanted * wanted - 36e-8) : std::min(0.0, 3.0 * wanted);
        EXPECT_GT(gap, least - 1e-6);
        missed += gap > wanted + 1e-6;
      }
      // Of those with two features that the pairs leave to what comes closer still: a vertex before a vertex.
      EXPECT_LE(missed, 20) << "of 2000";
      ::testing::Test::RecordProperty(std::string("missed_") + std::string(ShapeName(other)), missed);
    }
  }
}

// The signed distance of a point and a mesh, by looking at every triangle.
double CalcPointDistance(const MeshSurface& s, const Vector3d& p, Vector3d& nearest) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < s.faces.size(); ++t) {
    const Vector3d a = s.vertex(t, 0), u = s.vertex(t, 1) - a, v = s.vertex(t, 2) - a;
    // Least squares over the triangle, by its regions: inside, or on one of the edges.
    Eigen::Matrix<double, 3, 2> basis;
    basis << u, v;
    const Vector2d x = (basis.transpose() * basis).inverse() * basis.transpose() * (p - a);
    const auto offer = [&](const Vector3d& q) {
      if ((p - q).norm() < best) best = (p - q).norm(), nearest = q;
    };
    if (x.minCoeff() >= 0.0 && x.sum() <= 1.0) offer(a + basis * x);
    for (int k = 0; k < 3; ++k) {
      const Vector3d &c = s.vertex(t, k), d = s.vertex(t, (k + 1) % 3) - c;
      offer(c + std::clamp(d.dot(p - c) / d.squaredNorm(), 0.0, 1.0) * d);
    }
  }
  return CalcWindingNumber(s.mesh, p) > 0.5 ? -best : best;
}

TEST(MeshContact, ASphereInARingTouchesItsNearestPoints) {
  Random random(5);
  const PlacedMesh ring = MakeMesh(MakeTorus(0.3, 0.1, 48, 24));
  const double radius = 0.05;
  int touching = 0;
  while (touching < 2000) {
    const Vector3d p = UniformVector(random, 0.45);
    Vector3d nearest = Vector3d::Zero();
    const double distance = CalcPointDistance(*ring.mesh.surface, p, nearest);
    if (distance < 1e-4 || distance > radius + 0.01) continue;
    ++touching;
    const Manifold manifold = Collide(ring.mesh, {}, Sphere{radius}, {RandomRotation(random), p}, 0.01);
    ASSERT_GT(manifold.num_points, 0)
        << p.transpose() << " near " << nearest.transpose() << " at " << distance;
    const ManifoldPoint& deepest = Deepest(manifold);
    EXPECT_NEAR(deepest.gap, distance - radius, 1e-12);
    EXPECT_LT((deepest.n_W - (p - nearest) / distance).norm(), 5e-6);
    EXPECT_LT((deepest.p_W - 0.5 * deepest.gap * deepest.n_W - nearest).norm(), 1e-6);
  }
}

// On a finely cut terrain each point's normal is one that the surface has there.
TEST(MeshContact, InnerEdgesDoNotTiltNormals) {
  Random random(6);
  const Shape floor = Surface(MakeFloor(60, 0.01));
  const Shape shapes[] = {Sphere{0.03},
                          Capsule{0.02, 0.05},
                          Ellipsoid{{0.02, 0.03, 0.05}},
                          Cylinder{0.03, 0.02},
                          Box{{0.03, 0.02, 0.04}},
                          CubeHull(0.03),
                          Surface(MakeCup(0.03, 0.04, 0.003, 20))};
  for (const Shape& shape : shapes) {
    for (int trial = 0; trial < 2000; ++trial) {
      RigidTransform X = RandomPose(random, 0.1);
      const double low = CalcDistance(Plane{}, {}, shape, {X.R, {X.p.x(), X.p.y(), 0.0}}).distance;
      X.p.z() = -low + Uniform(random, -1e-4, 1e-3);
      const Manifold manifold = Collide(floor, {}, shape, X, 0.002);
      ASSERT_GT(manifold.num_points, 0) << ShapeName(shape);
      double smallest = 1.0;
      for (int k = 0; k < manifold.num_points; ++k) {
        EXPECT_LT((manifold.points[k].n_W - Vector3d::UnitZ()).norm(), 1e-12) << ShapeName(shape);
        smallest = std::min(smallest, manifold.points[k].gap);
      }
      EXPECT_NEAR(smallest, X.p.z() + low, 1e-9) << ShapeName(shape);
    }
  }
}

TEST(MeshContact, AThinWallPushesToItsNearSide) {
  // A ball much larger than the wall is thick, outside and inside of a cup.
  const Shape cup = Surface(MakeCup(0.1, 0.2, 0.001, 64));
  for (const double x :
       {0.1 * std::cos(M_PI / 64) - 0.03 + 1e-5, 0.101 * std::cos(M_PI / 64) + 0.03 - 1e-5}) {
    const double angle = M_PI / 64;
    const Manifold manifold =
        Collide(cup, {}, Sphere{0.03}, At(x * std::cos(angle), x * std::sin(angle), 0.0), 1e-3);
    ASSERT_EQ(manifold.num_points, 1);
    const double sign = x > 0.1 ? 1.0 : -1.0;
    EXPECT_NEAR(manifold.points[0].gap, -1e-5, 1e-9);
    EXPECT_LT((manifold.points[0].n_W - sign * Vector3d(std::cos(angle), std::sin(angle), 0)).norm(), 1e-9);
  }
}

TEST(MeshContact, StepsDoNotPushSideways) {
  // A box that hangs over the end of a slab by more and more, down to a sliver that still rests on it.
  for (const TriangleMesh& slab : {MakeBoxMesh({0.1, 0.1, 0.05}), Subdivide(MakeBoxMesh({0.1, 0.1, 0.05}))}) {
    const Shape step = Surface(slab);
    const Shape boxes[] = {Box{{0.05, 0.05, 0.05}}, Surface(MakeBoxMesh({0.05, 0.05, 0.05})), CubeHull(0.05)};
    for (const Shape& box : boxes) {
      for (const double shift : {0.06, 0.1, 0.13, 0.149, 0.1499}) {
        for (const double depth : {1e-9, 1e-7, 1e-5}) {
          const Manifold manifold = Collide(step, {}, box, At(shift, 0.02, 0.1 - depth), 1e-3);
          ASSERT_GE(manifold.num_points, 2) << ShapeName(box) << " " << shift;
          for (int k = 0; k < manifold.num_points; ++k) {
            EXPECT_LT((manifold.points[k].n_W - Vector3d::UnitZ()).norm(), 1e-9)
                << ShapeName(box) << " " << shift << " " << depth;
          }
        }
      }
    }
  }
}

TEST(MeshContact, DegenerateAndRandomPosesGiveFiniteNumbers) {
  Random random(9);
  const Shape meshes[] = {Surface(MakeTorus(0.2, 0.08, 12, 8)), Surface(MakeBoxMesh({0.1, 0.1, 0.1})),
                          Surface(MakeFloor(4, 0.1)), Surface(MakeCup(0.1, 0.1, 0.01, 8))};
  const Shape others[] = {Plane{},
                          Sphere{0.1},
                          Capsule{0.1, 0.1},
                          Ellipsoid{{0.1, 0.2, 0.1}},
                          Cylinder{0.1, 0.1},
                          Box{{0.1, 0.1, 0.1}},
                          CubeHull(0.1),
                          meshes[0],
                          meshes[1],
                          meshes[2],
                          meshes[3]};
  const auto pose = [&]() -> RigidTransform {
    const auto grid = [&] { return 0.05 * static_cast<int>(Uniform(random, -4.0, 5.0)); };
    const Matrix3d R = QuaternionExp(0.5 * M_PI * static_cast<int>(Uniform(random, 0.0, 4.0)) *
                                     Vector3d::Unit(static_cast<int>(Uniform(random, 0.0, 3.0))))
                           .toRotationMatrix();
    return {R, {grid(), grid(), grid()}};
  };
  for (const Shape& mesh : meshes) {
    for (const Shape& other : others) {
      for (int trial = 0; trial < 300; ++trial) {
        ExpectFinite(Collide(mesh, pose(), other, pose(), 0.05));
        ExpectFinite(Collide(other, RandomPose(random, 0.2), mesh, RandomPose(random, 0.2), 0.05));
      }
    }
  }
}

// A plate with a square hole for a peg of half width `half`.
TriangleMesh MakeHole(double half, double play) {
  const std::vector<Vector2d> profile{{half + play, -0.02}, {0.03, -0.02}, {0.03, 0.02}, {half + play, 0.02}};
  TriangleMesh plate = testing::MakeRevolved(profile, 4);
  const double angle = M_PI / 4;
  const double scale = std::sqrt(2.0);  // corners on the diagonals: the hole's half width is the profile's
  for (Vector3d& p : plate.vertices)
    p = Vector3d(scale * (std::cos(angle) * p.x() - std::sin(angle) * p.y()),
                 scale * (std::sin(angle) * p.x() + std::cos(angle) * p.y()), p.z());
  return plate;
}

TEST(MeshContact, APegFillsItsHole) {
  const double half = 0.01, play = 1e-4;
  const Shape hole = Surface(MakeHole(half, play));
  for (const Shape& peg : {Shape{Box{{half, half, 0.015}}}, Surface(MakeBoxMesh({half, half, 0.015}))}) {
    const Manifold manifold = Collide(hole, {}, peg, {}, 1e-3);
    EXPECT_EQ(manifold.num_points, 16) << ShapeName(peg);  // each corner near two walls
    for (int k = 0; k < manifold.num_points; ++k) {
      EXPECT_NEAR(manifold.points[k].gap, play, 1e-12);
      EXPECT_LT(manifold.points[k].n_W.dot(manifold.points[k].p_W), 0.0);
    }
  }
}

// Pushed into a corner of its hole almost, or a little too far: its own corners are not below the plate's
// top, whose faces end there.
TEST(MeshContact, APegInACornerOfItsHoleIsNotUnderThePlate) {
  const double half = 0.01, play = 1e-4;
  const TriangleMesh plate = MakeHole(half, play);
  for (const double gap : {1e-5, 1e-7, 1e-10, -1e-7}) {
    for (const double height : {0.022, 0.028, 0.034}) {  // of its middle, above the rim
      for (int corner = 0; corner < 4; ++corner) {
        const double x = (corner & 1) != 0 ? 1.0 : -1.0, y = (corner & 2) != 0 ? 1.0 : -1.0;
        const RigidTransform at = At(x * (play - gap), y * (play - 0.5 * gap), height);
        const Manifold manifold = Collide(Surface(plate), {}, Box{{half, half, 0.015}}, at, 1e-3);
        ASSERT_GT(manifold.num_points, 0);
        double least = play;
        for (int k = 0; k < manifold.num_points; ++k) least = std::min(least, manifold.points[k].gap);
        EXPECT_NEAR(least, std::min(gap, 0.5 * gap), 1e-12) << gap << ", " << height << ", " << corner;
      }
    }
  }
}

}  // namespace
}  // namespace stiction::test
