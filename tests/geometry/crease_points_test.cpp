// Points on the creases of surfaces, of which the triangles know little.
#include "geometry/crease_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/field_surface.h"
#include "geometry/surface_samples.h"
#include "stiction/geometry/field_solid.h"

namespace stiction {
namespace {

using std::numbers::pi;

std::vector<CreasePoint> FindOn(const PlacedField& placed) {
  const MeshSurface& surface = *placed.shape.solid->surface.surface;
  const std::vector<double> reaches(surface.mesh.triangles.size(), placed.shape.solid->spacing);
  return FindCreasePoints(placed.shape.solid->field, surface, reaches);
}

// A thread has four helical edges a turn: at P/16 on either side of a crest's middle, and at P/8 of a root's.
constexpr double kMajor = 0.048, kTurn = 0.005, kHeight = 0.04;
const double kCrestRadius = 0.5 * kMajor, kRootRadius = kCrestRadius - 0.625 * 0.5 * std::sqrt(3.0) * kTurn;

const PlacedField& Thread() {
  static const PlacedField placed = MakeField(MakeThreadField(kMajor, kTurn, kHeight), 1.5e-3);
  return placed;
}

TEST(CreasePoints, OfThreadsAreOnTheirEdges) {
  const FieldSolid& solid = *Thread().shape.solid;
  int inside = 0;
  for (const CreasePoint& point : FindOn(Thread())) {
    EXPECT_LT(std::abs(solid.field.CalcValue(point.position)), 1e-9);
    EXPECT_LT(point.normals[0].dot(point.normals[1]), kSmoothFaceCosine);
    for (int i = 0; i < 2; ++i) {
      const Vector3d beside = point.position + 1e-3 * point.toward[i];
      EXPECT_GT(solid.field.Evaluate(beside).gradient.dot(point.normals[i]), 0.999);
    }
    const Vector3d p = point.position + Thread().p_FG;
    if (std::abs(p.z()) > 0.5 * kHeight - 1e-3) continue;  // the flat ends
    const double u = p.z() - kTurn * std::atan2(p.y(), p.x()) / (2.0 * pi);
    const double folded = std::abs(u - kTurn * std::round(u / kTurn)), rho = p.head<2>().norm();
    const bool is_crest = rho > 0.5 * (kCrestRadius + kRootRadius);
    EXPECT_NEAR(rho, is_crest ? kCrestRadius : kRootRadius, 1e-8);
    EXPECT_NEAR(folded, is_crest ? kTurn / 16.0 : 0.375 * kTurn, 1e-8);
    ++inside;
  }
  EXPECT_GT(inside, 500);
}

// With the vertices that are on edges by themselves.
TEST(CreasePoints, LeaveNoStretchOfAnEdgeWithoutSamples) {
  const SurfaceSamples& samples = *Thread().shape.solid->samples;
  for (const double edge : {-1.0, 1.0}) {
    for (const bool is_crest : {true, false}) {
      const double rho = is_crest ? kCrestRadius : kRootRadius,
                   u = edge * (is_crest ? kTurn / 16.0 : 0.375 * kTurn);
      for (double angle = -5.0 * pi; angle < 5.0 * pi; angle += 0.02) {
        const Vector3d p(rho * std::cos(angle), rho * std::sin(angle), u + kTurn * angle / (2.0 * pi));
        double nearest = 1.0;
        for (int s = 0; s < samples.size(); ++s)
          if (samples.around[s].is_on_crease)
            nearest = std::min(nearest, (samples.position(s) - (p - Thread().p_FG)).norm());
        EXPECT_LT(nearest, Thread().shape.solid->spacing) << rho << " " << angle;
      }
    }
  }
}

TEST(CreasePoints, AreNoneOnSmoothSurfaces) {
  EXPECT_TRUE(FindOn(MakeField(MakeSphereField(0.05), 5e-3)).empty());
  EXPECT_TRUE(FindOn(MakeField(MakeTorusField(0.05, 0.02), 4e-3)).empty());
}

}  // namespace
}  // namespace stiction
