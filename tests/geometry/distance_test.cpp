#include "stiction/geometry/distance.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <limits>
#include <string>
#include <vector>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/math/rotation.h"
#include "tests/support/meshes.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using testing::RandomNumbers;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Matrix3d AnyRotation(RandomNumbers& random) {
  return QuaternionExp(random.Vector3(M_PI)).toRotationMatrix();
}
RigidTransform RandomPose(RandomNumbers& random, double reach) {
  return {AnyRotation(random), random.Vector3(reach)};
}
Vector3d AnyDirection(RandomNumbers& random) {
  while (true) {
    const Vector3d d = random.Vector3();
    if (d.norm() > 0.1 && d.norm() < 1.0) return d.normalized();
  }
}

// Points on an ellipsoid: all of them are vertices.
Hull MakeRoundHull(RandomNumbers& random, int count, const Vector3d& radii) {
  std::vector<Vector3d> points;
  for (int k = 0; k < count; ++k) points.push_back(radii.cwiseProduct(AnyDirection(random)));
  return MakeHull(points).hull;
}
Hull MakeHullOfBox(const Box& box) {
  std::vector<Vector3d> points;
  for (int k = 0; k < 8; ++k) {
    points.push_back(box.half_extents.cwiseProduct(Vector3d(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  }
  return MakeHull(points).hull;
}

// ---- First principles.

// Distance from the shape's origin to its supporting plane with normal d (unit, in the shape's frame).
struct SupportOf {
  Vector3d d;
  double operator()(const Plane&) const { return kInfinity; }
  double operator()(const Sphere& s) const { return s.radius; }
  double operator()(const Capsule& s) const { return s.radius + s.half_length * std::abs(d.z()); }
  double operator()(const Ellipsoid& s) const { return s.radii.cwiseProduct(d).norm(); }
  double operator()(const Cylinder& s) const {
    return s.radius * d.head<2>().norm() + s.half_length * std::abs(d.z());
  }
  double operator()(const Box& s) const { return s.half_extents.dot(d.cwiseAbs()); }
  double operator()(const Hull& s) const {
    double reach = -kInfinity;
    for (const Vector3d& vertex : s.polytope->vertices) reach = std::max(reach, d.dot(vertex));
    return reach;
  }
  double operator()(const Mesh& s) const {
    double reach = -kInfinity;
    for (const Vector3d& vertex : s.surface->mesh.vertices) reach = std::max(reach, d.dot(vertex));
    return reach;
  }
  double operator()(const Field& s) const { return (*this)(s.solid->surface); }
};

// How far p lies outside (in the shape's frame), by a function that is zero or negative inside; not a
// distance except for small excesses.
struct ExcessOf {
  Vector3d p;
  double operator()(const Plane&) const { return p.z(); }
  double operator()(const Sphere& s) const { return p.norm() - s.radius; }
  double operator()(const Capsule& s) const {
    return (p - Vector3d(0, 0, std::clamp(p.z(), -s.half_length, s.half_length))).norm() - s.radius;
  }
  double operator()(const Ellipsoid& s) const {
    return (p.cwiseQuotient(s.radii).norm() - 1.0) * s.radii.minCoeff();
  }
  double operator()(const Cylinder& s) const {
    return std::max(p.head<2>().norm() - s.radius, std::abs(p.z()) - s.half_length);
  }
  double operator()(const Box& s) const { return (p.cwiseAbs() - s.half_extents).maxCoeff(); }
  double operator()(const Hull& s) const {
    double excess = -kInfinity;
    for (const auto& face : s.polytope->faces) excess = std::max(excess, face.normal.dot(p) - face.offset);
    return excess;
  }
  double operator()(const Mesh& s) const { return 0.5 - CalcWindingNumber(s.surface->mesh, p); }
  double operator()(const Field& s) const { return s.solid->field.CalcValue(p); }
};

struct Pair {
  Shape a, b;
  RigidTransform X_WA, X_WB;

  double size() const { return CalcBoundingRadius(a) + CalcBoundingRadius(b); }
  std::string Name() const { return std::string(ShapeName(a)) + "-" + std::string(ShapeName(b)); }
  // Width of the empty slab with normal n from A to B; the signed distance is the widest over all n.
  double CalcSlab(const Vector3d& n) const {
    return n.dot(X_WB.p - X_WA.p) - std::visit(SupportOf{X_WA.R.transpose() * n}, a) -
           std::visit(SupportOf{X_WB.R.transpose() * -n}, b);
  }
};

// What holds whether the shapes are apart or not. Apart, these four prove the distance: the points lie in the
// shapes, so that it is no larger, and the slab between them is empty, so that it is no smaller.
void ExpectSound(const Pair& pair, const Distance& d, double tolerance) {
  const double eps = tolerance * pair.size();
  ASSERT_NEAR(d.n_W.norm(), 1.0, 1e-12) << pair.Name();
  EXPECT_LT((d.p_WB - d.p_WA - d.distance * d.n_W).norm(), 1e-14 * (pair.size() + pair.X_WA.p.norm()));
  EXPECT_NEAR(pair.CalcSlab(d.n_W), d.distance, eps) << pair.Name();
  EXPECT_LT(std::visit(ExcessOf{pair.X_WA.Inverse() * d.p_WA}, pair.a), eps) << pair.Name();
  EXPECT_LT(std::visit(ExcessOf{pair.X_WB.Inverse() * d.p_WB}, pair.b), eps) << pair.Name();
}

// Vertices, face normals and edge directions of a box or a hull, in W.
struct Polytope {
  std::vector<Vector3d> normals, edges;

  Polytope(const Shape& shape, const RigidTransform& X) {
    if (std::holds_alternative<Box>(shape)) {
      for (int i = 0; i < 3; ++i) {
        normals.insert(normals.end(), {X.R.col(i), -X.R.col(i)});
        edges.push_back(X.R.col(i));
      }
      return;
    }
    if (std::holds_alternative<Capsule>(shape)) {
      edges.push_back(X.R.col(2));
      return;
    }
    const ConvexHull& hull = *std::get<Hull>(shape).polytope;
    for (const auto& face : hull.faces) normals.push_back(X.R * face.normal);
    for (const auto& e : hull.edges) {
      edges.push_back(X.R * (hull.vertices[e.vertex[1]] - hull.vertices[e.vertex[0]]).normalized());
    }
  }
};

// The widest slab over all face normals and all crosses of edges: where polytopes overlap, the signed
// distance.
double CalcWidestSlab(const Pair& pair) {
  const Polytope a(pair.a, pair.X_WA), b(pair.b, pair.X_WB);
  double widest = -kInfinity;
  for (const Vector3d& n : a.normals) widest = std::max(widest, pair.CalcSlab(n));
  for (const Vector3d& n : b.normals) widest = std::max(widest, pair.CalcSlab(-n));
  for (const Vector3d& e : a.edges) {
    for (const Vector3d& f : b.edges) {
      const Vector3d n = e.cross(f);
      if (n.norm() < 1e-7) continue;
      widest = std::max({widest, pair.CalcSlab(n.normalized()), pair.CalcSlab(-n.normalized())});
    }
  }
  return widest;
}

// No direction of a shrinking random search does better.
double SearchWidestSlab(const Pair& pair, RandomNumbers& random) {
  double best = -kInfinity;
  for (int start = 0; start < 30; ++start) {
    Vector3d n = AnyDirection(random);
    double slab = pair.CalcSlab(n);
    for (double step = 1.0; step > 1e-7; step *= 0.8) {
      for (int trial = 0; trial < 8; ++trial) {
        const Vector3d candidate = (n + step * AnyDirection(random)).normalized();
        const double width = pair.CalcSlab(candidate);
        if (width > slab) slab = width, n = candidate;
      }
    }
    best = std::max(best, slab);
  }
  return best;
}

// ---- Shapes.

struct NamedShapes {
  std::vector<Shape> polytopes, round;
};
NamedShapes MakeShapes() {
  RandomNumbers random(7);
  return {{Box{{0.2, 0.1, 0.3}}, Box{{0.2, 0.2, 0.2}}, MakeHullOfBox(Box{{0.2, 0.2, 0.2}}),
           MakeRoundHull(random, 5, {0.2, 0.3, 0.2}), MakeRoundHull(random, 14, {0.3, 0.3, 0.1})},
          {Sphere{0.15}, Capsule{0.1, 0.3}, Ellipsoid{{0.1, 0.2, 0.3}}, Cylinder{0.2, 0.1}}};
}

// Coordinates and angles at which features align: parallel, touching, coincident, and so up to round-off.
RigidTransform AlignedPose(RandomNumbers& random) {
  constexpr double kCoordinates[] = {0, 0, 0, 0.1, -0.1, 0.15, 0.2, -0.2, 0.25, 0.3, -0.3, 0.4, 0.5, -0.6};
  constexpr double kAngles[] = {0, 0, 0, M_PI / 4, M_PI / 2, -M_PI / 2, M_PI, 0.3};
  constexpr double kNoise[] = {0, 0, 0, 1e-300, 1e-16, 1e-14, 1e-12, 1e-9, 1e-6};
  RigidTransform X{
      Matrix3d::Identity(),
      {kCoordinates[random.Index(14)], kCoordinates[random.Index(14)], kCoordinates[random.Index(14)]}};
  for (int i = 0; i < 3; ++i) {
    X.R = X.R * Eigen::AngleAxisd(kAngles[random.Index(8)], Vector3d::Unit(i)).toRotationMatrix();
  }
  const double noise = kNoise[random.Index(9)];
  X.R = QuaternionExp(random.Vector3(noise)).toRotationMatrix() * X.R;
  X.p += random.Vector3(noise);
  return X;
}

// ---- Tests.

TEST(Distance, PolytopesAreExactInRandomAndAlignedPoses) {
  RandomNumbers random(1);
  const std::vector<Shape> shapes = MakeShapes().polytopes;
  int num_apart = 0, num_overlapping = 0;
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      for (int trial = 0; trial < 500; ++trial) {
        const bool aligned = trial % 2 == 1;
        const Pair pair{a, b, aligned ? AlignedPose(random) : RandomPose(random, 0.25),
                        aligned ? AlignedPose(random) : RandomPose(random, 0.25)};
        const Distance d = CalcDistance(a, pair.X_WA, b, pair.X_WB);
        SCOPED_TRACE(pair.Name() + " trial " + std::to_string(trial) + " distance " +
                     std::to_string(d.distance));
        ExpectSound(pair, d, 1e-9);
        if (d.distance < 0.0) {
          EXPECT_NEAR(d.distance, CalcWidestSlab(pair), 1e-12 * pair.size());
        }
        (d.distance < 0.0 ? num_overlapping : num_apart) += 1;
      }
    }
  }
  EXPECT_GT(num_apart, 2000);
  EXPECT_GT(num_overlapping, 2000);
}

// Where less is asked for, either the same comes out or a lower bound that answers the question.
TEST(Distance, EnoughBoundsFromBelowOrChangesNothing) {
  RandomNumbers random(9);
  const NamedShapes shapes = MakeShapes();
  std::vector<Shape> all = shapes.round;
  all.insert(all.end(), shapes.polytopes.begin(), shapes.polytopes.end());
  int num_bounds = 0, num_same = 0;
  for (const Shape& a : all) {
    for (const Shape& b : all) {
      for (int trial = 0; trial < 100; ++trial) {
        const RigidTransform X_WA = RandomPose(random, 0.25), X_WB = RandomPose(random, 0.25);
        const double enough = random.Uniform(0.0, 0.3);
        const Distance exact = CalcDistance(a, X_WA, b, X_WB), d = CalcDistance(a, X_WA, b, X_WB, enough);
        if (d.distance >= enough) {
          ASSERT_LE(d.distance, exact.distance + 1e-12);
          ++num_bounds;
        } else {
          ASSERT_EQ(d.distance, exact.distance);
          ASSERT_EQ(d.n_W, exact.n_W);
          ASSERT_EQ(d.p_WA, exact.p_WA);
          ASSERT_EQ(d.p_WB, exact.p_WB);
          ++num_same;
        }
      }
    }
  }
  EXPECT_GT(num_bounds, 500);
  EXPECT_GT(num_same, 1000);
}

TEST(Distance, RoundShapesAreSoundAndNoDirectionDoesBetter) {
  RandomNumbers random(2);
  const NamedShapes shapes = MakeShapes();
  std::vector<Shape> all = shapes.round;
  all.insert(all.end(), {shapes.polytopes[0], shapes.polytopes[4]});
  for (std::size_t i = 0; i < shapes.round.size(); ++i) {
    for (const Shape& b : all) {
      for (int trial = 0; trial < 500; ++trial) {
        const bool aligned = trial % 2 == 1;
        const Pair pair{shapes.round[i], b, aligned ? AlignedPose(random) : RandomPose(random, 0.3),
                        aligned ? AlignedPose(random) : RandomPose(random, 0.3)};
        const Distance d = CalcDistance(pair.a, pair.X_WA, b, pair.X_WB);
        SCOPED_TRACE(pair.Name() + " trial " + std::to_string(trial) + " distance " +
                     std::to_string(d.distance));
        ExpectSound(pair, d, 1e-9);
        if (d.distance < 0.0 && trial % 10 < 2) {
          EXPECT_LT(SearchWidestSlab(pair, random), d.distance + 1e-9 * pair.size());
        }
      }
    }
  }
}

TEST(Distance, CoincidentShapesSeparateByTheirLeastWidth) {
  const Box box{{0.1, 0.2, 0.3}};
  const Hull hull = MakeHullOfBox(box);
  EXPECT_NEAR(CalcDistance(box, {}, box, {}).distance, -0.2, 1e-15);
  EXPECT_NEAR(CalcDistance(hull, {}, hull, {}).distance, -0.2, 1e-15);
  EXPECT_NEAR(CalcDistance(Sphere{0.1}, {}, Sphere{0.2}, {}).distance, -0.3, 1e-15);
  EXPECT_NEAR(CalcDistance(Capsule{0.1, 0.3}, {}, Capsule{0.2, 0.1}, {}).distance, -0.3, 1e-15);
  EXPECT_NEAR(CalcDistance(Sphere{0.1}, {}, hull, {}).distance, -0.2, 1e-15);
  EXPECT_NEAR(CalcDistance(Ellipsoid{{0.1, 0.2, 0.3}}, {}, Ellipsoid{{0.1, 0.2, 0.3}}, {}).distance, -0.2,
              1e-9);
  EXPECT_NEAR(CalcDistance(Cylinder{0.1, 0.3}, {}, Cylinder{0.1, 0.3}, {}).distance, -0.2, 1e-9);
  // Equally deep on every side: the pool fills up.
  EXPECT_NEAR(CalcDistance(Ellipsoid{{0.1, 0.1, 0.1}}, {}, Ellipsoid{{0.1, 0.1, 0.1}}, {}).distance, -0.2,
              1e-9);
}

TEST(Distance, CrossingCapsulesSeparateAcrossBothAxes) {
  const RigidTransform X_WB{Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX()).toRotationMatrix(),
                            {0, 0.05, 0.1}};
  const Distance d = CalcDistance(Capsule{0.1, 0.3}, {}, Capsule{0.05, 0.3}, X_WB);
  EXPECT_NEAR(d.distance, -0.15, 1e-15);
  EXPECT_NEAR(std::abs(d.n_W.x()), 1.0, 1e-15);
  EXPECT_LT((0.5 * (d.p_WA + d.p_WB) - Vector3d(0, 0, 0.1)).tail<2>().norm(), 1e-14);
}

TEST(Distance, PlanesAreHalfSpaces) {
  RandomNumbers random(3);
  const NamedShapes shapes = MakeShapes();
  std::vector<Shape> all = shapes.round;
  all.insert(all.end(), shapes.polytopes.begin(), shapes.polytopes.end());
  for (const Shape& shape : all) {
    for (int trial = 0; trial < 200; ++trial) {
      const RigidTransform X_WP = RandomPose(random, 1.0), X_WS = RandomPose(random, 1.0);
      const Distance d = CalcDistance(Plane{}, X_WP, shape, X_WS),
                     back = CalcDistance(shape, X_WS, Plane{}, X_WP);
      const Vector3d n = X_WP.R.col(2);
      const double reach = std::visit(SupportOf{X_WS.R.transpose() * -n}, shape);
      EXPECT_NEAR(d.distance, n.dot(X_WS.p - X_WP.p) - reach, 1e-14);
      EXPECT_NEAR((X_WP.Inverse() * d.p_WA).z(), 0.0, 1e-14);
      EXPECT_LT(std::visit(ExcessOf{X_WS.Inverse() * d.p_WB}, shape), 1e-14);
      EXPECT_LT((d.p_WB - d.p_WA - d.distance * d.n_W).norm(), 1e-14);
      EXPECT_EQ(back.distance, d.distance);
      EXPECT_EQ(back.n_W, -d.n_W);
    }
  }
}

TEST(Distance, PlanesAreApartOnlyFaceToFace) {
  const RigidTransform up{Matrix3d::Identity(), {0, 0, 1}};
  const RigidTransform down{Eigen::AngleAxisd(M_PI, Vector3d::UnitX()).toRotationMatrix(), {5, 0, 3}};
  EXPECT_NEAR(CalcDistance(Plane{}, up, Plane{}, down).distance, 2.0, 1e-12);
  EXPECT_EQ(CalcDistance(Plane{}, up, Plane{}, up).distance, -kInfinity);
}

// Two hulls of 500 vertices, laid into one another: thousands of faces are nearly as deep as the deepest.
TEST(Distance, DeepFineHullsEndWithASeparatingTranslation) {
  RandomNumbers random(4);
  const Hull hull = MakeRoundHull(random, 500, {0.2, 0.2, 0.2});
  for (int trial = 0; trial < 5; ++trial) {
    const Pair pair{hull, hull, RandomPose(random, 0.0), RandomPose(random, trial == 0 ? 0.0 : 1e-3)};
    const Distance d = CalcDistance(hull, pair.X_WA, hull, pair.X_WB);
    EXPECT_NEAR(pair.CalcSlab(d.n_W), d.distance, 1e-12);
    // The pool may be full before the least of them is proved; no direction found is better by 1 %.
    EXPECT_LT(SearchWidestSlab(pair, random), 0.99 * d.distance);
  }
}

TEST(Distance, FarShapesKeepTheirDigits) {
  RandomNumbers random(5);
  const std::vector<Shape> shapes = MakeShapes().polytopes;
  for (int trial = 0; trial < 500; ++trial) {
    Pair pair{shapes[trial % 5], shapes[trial / 5 % 5], RandomPose(random, 1.0), RandomPose(random, 1.0)};
    pair.X_WB.p += 1e4 * AnyDirection(random);
    const Distance d = CalcDistance(pair.a, pair.X_WA, pair.b, pair.X_WB);
    EXPECT_NEAR(pair.CalcSlab(d.n_W), d.distance, 1e-11);
  }
}

// Each triangle as a mesh of its own, in the frame of the whole.
std::vector<Pair> PairsOfTriangles(const PlacedMesh& a, const PlacedMesh& b) {
  const auto triangles_of = [](const PlacedMesh& placed) {
    std::vector<PlacedMesh> out;
    const TriangleMesh& mesh = placed.mesh.surface->mesh;
    for (const auto& [i, j, k] : mesh.triangles)
      out.push_back(MakeMesh({{mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]}, {{0, 1, 2}}}));
    return out;
  };
  std::vector<Pair> pairs;
  const std::vector<PlacedMesh> triangles_b = triangles_of(b);
  for (const PlacedMesh& one : triangles_of(a))
    for (const PlacedMesh& other : triangles_b)
      pairs.push_back(
          {one.mesh, other.mesh, {Matrix3d::Identity(), one.p_MG}, {Matrix3d::Identity(), other.p_MG}});
  return pairs;
}

// The oracle is GJK on every pair of triangles: of the search over the trees and of its distance of
// triangles.
TEST(Distance, MeshesMatchEveryPairOfTheirTriangles) {
  RandomNumbers random(6);
  const PlacedMesh torus = MakeMesh(testing::MakeTorus(0.2, 0.07, 10, 6)),
                   cup = MakeMesh(testing::MakeCup(0.05, 0.1, 0.01, 8));
  const std::vector<Pair> pairs = PairsOfTriangles(torus, cup);
  int num_apart = 0, num_meeting = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const bool aligned = trial % 3 == 0;
    const RigidTransform X_WA = aligned ? AlignedPose(random) : RandomPose(random, 0.2);
    const RigidTransform X_WB = aligned ? AlignedPose(random) : RandomPose(random, 0.2);
    double nearest = kInfinity;
    for (const Pair& pair : pairs) {
      const double distance = CalcDistance(pair.a, X_WA * pair.X_WA, pair.b, X_WB * pair.X_WB).distance;
      nearest = std::min(nearest, distance);
    }
    const Distance d = CalcDistance(torus.mesh, X_WA, cup.mesh, X_WB);
    EXPECT_NEAR(d.distance, nearest, 1e-14) << trial;
    EXPECT_NEAR(d.n_W.norm(), 1.0, 1e-12);
    EXPECT_LT((d.p_WB - d.p_WA - d.distance * d.n_W).norm(), 1e-14);
    (nearest > 0.0 ? num_apart : num_meeting) += 1;
  }
  EXPECT_GT(num_apart, 30);
  EXPECT_GT(num_meeting, 30);
}

TEST(Contains, AgreesWithFirstPrinciples) {
  RandomNumbers random(11);
  const Shape shapes[] = {Plane{},
                          Sphere{0.4},
                          Capsule{0.2, 0.3},
                          Ellipsoid{{0.2, 0.3, 0.5}},
                          Cylinder{0.3, 0.2},
                          Box{{0.2, 0.3, 0.4}},
                          MakeRoundHull(random, 30, {0.3, 0.4, 0.5}),
                          MakeMesh(testing::MakeCup(0.3, 0.3, 0.1, 12)).mesh,
                          MakeField(MakeTorusField(0.35, 0.12)).shape};
  for (const Shape& shape : shapes) {
    int inside = 0;
    for (int trial = 0; trial < 5000; ++trial) {
      const Vector3d p = random.Vector3(0.6);
      const double excess = std::visit(ExcessOf{p}, shape);
      if (std::abs(excess) < 1e-12) continue;
      EXPECT_EQ(Contains(shape, p), excess < 0.0) << ShapeName(shape) << " " << p.transpose();
      inside += excess < 0.0;
    }
    EXPECT_GT(inside, 50) << ShapeName(shape);
  }
}

}  // namespace
}  // namespace stiction
