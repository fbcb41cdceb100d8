#include "bench_poses.h"

#include <cmath>
#include <numbers>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/distance.h"
#include "stiction/geometry/field_solid.h"
#include "stiction/geometry/mesh_surface.h"
#include "stiction/math/rotation.h"

namespace stiction::runner {
namespace {

constexpr int kPoses = 500;
constexpr int kSurfacePoses = 25;
constexpr double kDeepest = 0.01;  // [m]

Hull MakeRoundHull(int vertices) {
  Random random(1);
  std::vector<Vector3d> points;
  for (int k = 0; k < vertices; ++k)
    points.push_back(0.2 * (RandomRotation(random).toRotationMatrix() * Vector3d::UnitX()));
  return MakeHull(points).hull;
}

// A torus.
Mesh MakeRing(double radius, double tube, int sides, int tube_sides) {
  TriangleMesh mesh;
  for (int i = 0; i < sides; ++i) {
    for (int k = 0; k < tube_sides; ++k) {
      const double a = 2.0 * std::numbers::pi * i / sides, b = 2.0 * std::numbers::pi * k / tube_sides;
      const double rho = radius + tube * std::cos(b);
      mesh.vertices.emplace_back(rho * std::cos(a), rho * std::sin(a), tube * std::sin(b));
      const auto at = [&](int di, int dk) { return (i + di) % sides * tube_sides + (k + dk) % tube_sides; };
      mesh.triangles.push_back({at(0, 0), at(1, 0), at(1, 1)});
      mesh.triangles.push_back({at(0, 0), at(1, 1), at(0, 1)});
    }
  }
  return MakeMesh(mesh).mesh;
}

// Hills of 6 cm.
Mesh MakeTerrain(int samples) {
  HeightGrid grid{
      .num_rows = samples, .num_cols = samples, .heights = {}, .half_extents = {0.7, 0.7}, .base = 0.1};
  for (int row = 0; row < samples; ++row)
    for (int col = 0; col < samples; ++col)
      grid.heights.push_back(0.03 * std::sin(0.5 * col) * std::cos(0.4 * row));
  return MakeMesh(MakeHeightFieldMesh(grid)).mesh;
}

PairPoses RandomPoses(Random& random) {
  return {{RandomRotation(random).toRotationMatrix(), Vector3d::Zero()},
          {RandomRotation(random).toRotationMatrix(),
           {Uniform(random, -0.5, 0.5), Uniform(random, -0.5, 0.5), Uniform(random, -0.5, 0.5)}}};
}

double RandomGap(Random& random) {
  return Uniform(random, -kDeepest, kBenchMargin);
}

// Moves B along the normal, towards A or away from it, until the gap is what it is to be.
void MoveToGap(const Shape& a, const Shape& b, double gap, PairPoses& poses) {
  const Distance distance = CalcDistance(a, poses.X_WA, b, poses.X_WB);
  poses.X_WB.p += (gap - distance.distance) * distance.n_W;
}

// Convex shapes, which may overlap at first.
PairPoses PlaceConvex(const Shape& a, const Shape& b, Random& random) {
  PairPoses poses = RandomPoses(random);
  const double gap = RandomGap(random);
  for (int k = 0; k < 3; ++k) MoveToGap(a, b, gap, poses);
  return poses;
}

// B is a surface, and has no depth to begin with: A comes from above it, as far as the nearest points are
// apart.
PairPoses PlaceAbove(const Shape& a, const Shape& b, Random& random) {
  PairPoses poses = RandomPoses(random);
  const Vector3d above(Uniform(random, -0.2, 0.2), Uniform(random, -0.2, 0.2), 1.0);
  poses.X_WB.p = poses.X_WA.p - poses.X_WB.R * above;
  MoveToGap(a, b, RandomGap(random), poses);
  return poses;
}

// B at rest in A, but turned and moved by up to so much.
//   turn  [rad]
//   play  [m]
NestedFields Nest(const char* name_a, const PlacedField& a, const char* name_b, const PlacedField& b,
                  const Vector3d& p_AB, double turn, double play) {
  Random random(11);
  const auto vector = [&](double limit) {
    return Vector3d(Uniform(random, -limit, limit), Uniform(random, -limit, limit),
                    Uniform(random, -limit, limit));
  };
  NestedFields nested{{name_a, a.shape}, {name_b, b.shape}, 1e-3, {}};
  for (int k = 0; k < kSurfacePoses; ++k) {
    const Matrix3d R_AB = QuaternionExp(vector(turn)).toRotationMatrix();
    const RigidTransform X_WA{RandomRotation(random).toRotationMatrix(), Vector3d::Zero()};
    const RigidTransform X_AB{R_AB, p_AB + vector(play)};
    nested.poses.push_back({X_WA * RigidTransform{Matrix3d::Identity(), a.p_FG},
                            X_WA * X_AB * RigidTransform{Matrix3d::Identity(), b.p_FG}});
  }
  return nested;
}

bool IsSurface(const Shape& shape) {
  return std::holds_alternative<Mesh>(shape) || std::holds_alternative<Field>(shape);
}

}  // namespace

double Uniform(Random& random, double lower, double upper) {
  return lower + (upper - lower) * (static_cast<double>(random()) / static_cast<double>(Random::max()));
}

Quaterniond RandomRotation(Random& random) {
  Eigen::Vector4d x;
  do {
    for (double& number : x) number = Uniform(random, -1.0, 1.0);
  } while (x.norm() > 1.0 || x.norm() < 0.1);
  return Quaterniond(x.normalized());
}

std::vector<BenchShape> MakeBenchShapes() {
  return {{"plane", Plane{}, true},           {"sphere", Sphere{0.2}},
          {"capsule", Capsule{0.1, 0.2}},     {"ellipsoid", Ellipsoid{{0.1, 0.2, 0.3}}},
          {"cylinder", Cylinder{0.2, 0.1}},   {"box", Box{{0.2, 0.1, 0.3}}},
          {"hull", MakeRoundHull(32)},        {"mesh", MakeRing(0.2, 0.08, 32, 16)},
          {"terrain", MakeTerrain(71), true}, {"sdf", MakeField(MakeDishField(0.1, 0.2, 0.1, 0.015)).shape}};
}

std::vector<PairPoses> MakePoses(const BenchShape& a, const BenchShape& b) {
  Random random(7);
  const bool is_surface = IsSurface(b.shape);
  const auto place = is_surface ? PlaceAbove : PlaceConvex;
  std::vector<PairPoses> poses;
  for (int k = 0; k < (is_surface ? kSurfacePoses : kPoses); ++k)
    poses.push_back(place(a.shape, b.shape, random));
  return poses;
}

std::vector<NestedFields> MakeNestedFields() {
  const PlacedField bolt = MakeField(MakeThreadField(0.048, 0.005, 0.1), 0.0012),
                    nut = MakeField(MakeNutField(0.048, 0.005, 0.03, 0.075, 1e-4), 0.0012),
                    bowl = MakeField(MakeDishField(0.03, 0.07, 0.05, 0.004), 0.003);
  return {Nest("bolt", bolt, "nut", nut, Vector3d::Zero(), 2e-3, 1e-4),
          Nest("bowl", bowl, "bowl", bowl, {0.0, 0.0, 0.0129}, 2e-3, 1e-4)};
}

}  // namespace stiction::runner
