#include "bench_poses.h"

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/distance.h"
#include "stiction/math/rotation.h"

namespace stiction::runner {
namespace {

constexpr int kPoses = 500;
constexpr double kDeepest = 0.01;  // [m]

Hull MakeRoundHull(int vertices) {
  Random random(1);
  std::vector<Vector3d> points;
  for (int k = 0; k < vertices; ++k)
    points.push_back(0.2 * (RandomRotation(random).toRotationMatrix() * Vector3d::UnitX()));
  return MakeHull(points).hull;
}

PairPoses RandomPoses(Random& random) {
  return {{RandomRotation(random).toRotationMatrix(), Vector3d::Zero()},
          {RandomRotation(random).toRotationMatrix(),
           {Uniform(random, -0.5, 0.5), Uniform(random, -0.5, 0.5), Uniform(random, -0.5, 0.5)}}};
}

// Moves B along the normal, towards A or away from it, until the gap is what it is to be.
void MoveToGap(const Shape& a, const Shape& b, double gap, PairPoses& poses) {
  for (int k = 0; k < 3; ++k) {
    const Distance distance = CalcDistance(a, poses.X_WA, b, poses.X_WB);
    poses.X_WB.p += (gap - distance.distance) * distance.n_W;
  }
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
  return {{"plane", Plane{}},
          {"sphere", Sphere{0.2}},
          {"capsule", Capsule{0.1, 0.2}},
          {"ellipsoid", Ellipsoid{{0.1, 0.2, 0.3}}},
          {"cylinder", Cylinder{0.2, 0.1}},
          {"box", Box{{0.2, 0.1, 0.3}}},
          {"hull", MakeRoundHull(32)}};
}

std::vector<PairPoses> MakePoses(const BenchShape& a, const BenchShape& b) {
  Random random(7);
  std::vector<PairPoses> poses;
  while (static_cast<int>(poses.size()) < kPoses) {
    PairPoses next = RandomPoses(random);
    MoveToGap(a.shape, b.shape, Uniform(random, -kDeepest, kBenchMargin), next);
    poses.push_back(next);
  }
  return poses;
}

}  // namespace stiction::runner
