#include "geometry/sampled_field.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "tests/support/meshes.h"
#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using Random = stiction::testing::RandomNumbers;
using stiction::testing::MakeBallMesh;
using stiction::testing::MakeBoxMesh;

// Largest |a - b| over random points of the cube of half side `reach` that `keep` admits.
template <typename Keep>
double CalcLargestError(const DistanceField& a, const DistanceField& b, double reach, const Keep& keep) {
  Random random(1);
  double worst = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const Vector3d p = random.Vector3(reach);
    if (keep(p)) worst = std::max(worst, std::abs(a.CalcValue(p) - b.CalcValue(p)));
  }
  return worst;
}

TEST(SampledField, BallConvergesWithSecondOrder) {
  constexpr double kRadius = 0.1;
  const TriangleMesh mesh =
      MakeBallMesh(kRadius, 100);  // off by up to 2.5e-4 of the radius, amid its squares
  const DistanceField exact = MakeSphereField(kRadius);
  const auto near = [](const Vector3d& p) {  // in every grid
    return std::abs(p.norm() - kRadius) < 0.5 * kRadius && p.cwiseAbs().maxCoeff() < 0.109;
  };
  double previous = 0.0;
  for (const double spacing : {0.02, 0.01, 0.005}) {
    const double error = CalcLargestError(MakeSampledField(mesh, spacing), exact, 0.16, near);
    RecordProperty("error at " + std::to_string(spacing), std::to_string(error));
    EXPECT_LT(error, 0.6 * spacing * spacing / kRadius);
    if (previous > 0.0) {
      EXPECT_GT(previous / error, 3.0);
    }
    previous = error;
  }
}

TEST(SampledField, BoxIsExactAwayFromItsEdges) {
  const Vector3d half(0.1, 0.08, 0.06);
  const DistanceField exact = MakeBoxField(half);
  const TriangleMesh mesh = MakeBoxMesh(half);
  for (const double spacing : {0.02, 0.01}) {
    const DistanceField sampled = MakeSampledField(mesh, spacing);
    const auto in_the_grid = [&](const Vector3d& p) { return (p.cwiseAbs() - half).maxCoeff() < spacing; };
    // Within a cell of a face and away from edges all samples lie in one region, where φ is linear.
    const auto by_a_face = [&](const Vector3d& p) {
      const Vector3d inset = half - p.cwiseAbs();
      Eigen::Array3d sorted = inset.array();
      std::sort(sorted.data(), sorted.data() + 3);
      return std::abs(sorted[0]) < spacing && sorted[1] > 4.0 * spacing;
    };
    EXPECT_LT(CalcLargestError(sampled, exact, 0.12, by_a_face), 1e-8);  // of floats of 0.1
    EXPECT_LT(CalcLargestError(sampled, exact, 0.12, in_the_grid), 0.5 * spacing);
  }
}

TEST(SampledField, GradientIsThatOfTheInterpolant) {
  const DistanceField sampled = MakeSampledField(MakeBallMesh(0.1, 40), 0.013);
  Random random(2);
  int across_cells = 0;
  for (int i = 0; i < 500; ++i) {
    const Vector3d p = random.Vector3(0.25);  // in the grid and beyond
    Vector3d differences;
    for (int k = 0; k < 3; ++k) {
      const Vector3d shift = 1e-7 * Vector3d::Unit(k);
      differences[k] = sampled.CalcValue(p + shift) - sampled.CalcValue(p - shift);
    }
    const FieldSample sample = sampled.Evaluate(p);
    EXPECT_NEAR(sample.gradient.norm(), 1.0, 1e-14);
    if ((differences.normalized() - sample.gradient).norm() > 1e-6) ++across_cells;
  }
  EXPECT_LE(across_cells, 2);
}

TEST(SampledField, OutsideTheGridIsALowerBoundAndContinuous) {
  const DistanceField sampled = MakeSampledField(MakeBallMesh(0.1, 60), 0.01), exact = MakeSphereField(0.1);
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const Vector3d p = random.Vector3(0.5);
    if (p.cwiseAbs().maxCoeff() < 0.13) continue;
    const double value = sampled.CalcValue(p), distance = exact.CalcValue(p);
    EXPECT_LE(value, distance + 1e-3);
    EXPECT_GE(value, 0.7 * distance);  // sqrt(a² + b²) against at most a + b
  }
  EXPECT_NEAR(sampled.CalcValue({0.12, 0.01, 0.02}), sampled.CalcValue({0.12 + 1e-12, 0.01, 0.02}), 1e-11);
}

// Sphere with its top triangles missing: the hole is spanned.
TEST(SampledField, HoleKeepsTheSignAwayFromIt) {
  TriangleMesh mesh = MakeBallMesh(0.1, 40);
  std::erase_if(mesh.triangles,
                [&mesh](const std::array<int, 3>& t) { return mesh.vertices[t[0]].z() > 0.095; });
  const DistanceField sampled = MakeSampledField(mesh, 0.006);
  Random random(4);
  for (int i = 0; i < 20000; ++i) {
    const Vector3d p = random.Vector3(0.15);
    const double depth = p.norm() - 0.1;
    if (std::abs(depth) > 0.01) {
      EXPECT_EQ(sampled.CalcValue(p) < 0.0, depth < 0.0) << p.transpose();
    }
  }
}

// Two balls that overlap, as one mesh: inside of both w = 2, and the solid is their union.
TEST(SampledField, SelfIntersectionIsInside) {
  TriangleMesh mesh = MakeBallMesh(0.1, 40);
  const int first = static_cast<int>(mesh.vertices.size());
  const TriangleMesh other = mesh;
  const Vector3d shift(0.08, 0.0, 0.0);
  for (const Vector3d& p : other.vertices) mesh.vertices.push_back(p + shift);
  for (const auto& t : other.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  const DistanceField sampled = MakeSampledField(mesh, 0.006);
  Random random(5);
  for (int i = 0; i < 20000; ++i) {
    const Vector3d p = random.Vector3(0.2);
    const double depth = std::min(p.norm(), (p - shift).norm()) - 0.1;
    // Inside, distances are to the triangles, also to those within the other ball: the sign alone is
    // compared, away from every triangle.
    const double nearest = std::min(std::abs(p.norm() - 0.1), std::abs((p - shift).norm() - 0.1));
    if (nearest > 0.012) {
      EXPECT_EQ(sampled.CalcValue(p) < 0.0, depth < 0.0) << p.transpose();
    }
  }
}

TEST(SampledField, BadInputIsRefusedWithAdvice) {
  const TriangleMesh box = MakeBoxMesh({0.1, 0.1, 0.1});
  EXPECT_THROW(MakeSampledField({}, 0.1), std::invalid_argument);
  EXPECT_THROW(MakeSampledField(box, 0.0), std::invalid_argument);
  EXPECT_THROW(MakeSampledField(box, std::nan("")), std::invalid_argument);
  TriangleMesh broken = box;
  broken.triangles[3][1] = 8;
  EXPECT_THROW(MakeSampledField(broken, 0.1), std::invalid_argument);
  broken = box;
  broken.vertices[2].x() = std::nan("");
  EXPECT_THROW(MakeSampledField(broken, 0.1), std::invalid_argument);
  try {
    MakeSampledField(box, 1e-5);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("m fits"), std::string::npos);
  }
}

}  // namespace
}  // namespace stiction
