// Fields at several points at once, against one point at a time.
#include "geometry/field_pack.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using Random = stiction::testing::RandomNumbers;

std::vector<DistanceField> MakeFields() {
  const DistanceField can = MakeCylinderField(0.3, 0.4), dish = MakeDishField(0.3, 0.7, 0.5, 0.05);
  const RigidTransform X{Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix(),
                         {0.1, 0.2, -0.3}};
  return {MakeSphereField(0.5),
          MakeBoxField({0.3, 0.4, 0.5}),
          can,
          dish,
          MakeEllipsoidField({0.3, 0.4, 0.5}),
          MakeTorusField(0.5, 0.2),
          MakeHexagonField(0.8, 0.4),
          MakeThreadField(1.0, 0.2, 1.2),
          MakeNutField(1.0, 0.2, 0.5, 1.6, 0.01),
          Unite(can, dish),
          Intersect(can, Transform(X, MakeBoxField({0.3, 0.4, 0.5}))),
          Subtract(MakeBoxField({0.5, 0.5, 0.5}), Transform(X, can)),
          Offset(MakeShellField(Scale(dish, 0.7), 0.02), 0.01),
          Transform({Matrix3d::Identity(), {0.1, 0.0, 0.2}}, MakeThreadField(1.0, 0.2, 1.2))};
}

// Where two faces are as near, of a corner or a valley, either one's gradient is right: seldom.
TEST(FieldPack, IsTheFieldAtEachPoint) {
  Random random(8);
  for (const DistanceField& field : MakeFields()) {
    int turned = 0;
    for (int trial = 0; trial < 2000; ++trial) {
      VectorPack p;
      Vector3d points[kPackSize];
      for (int k = 0; k < kPackSize; ++k) {
        for (int i = 0; i < 3; ++i) points[k][i] = random.Uniform(-1.0, 1.0);
        p.x[k] = points[k].x(), p.y[k] = points[k].y(), p.z[k] = points[k].z();
      }
      const FieldSamplePack pack = EvaluatePack(field, p);
      for (int k = 0; k < kPackSize; ++k) {
        const FieldSample alone = field.Evaluate(points[k]), at = pack[k];
        EXPECT_NEAR(at.value, alone.value, 1e-14);
        EXPECT_NEAR(at.gradient.norm(), 1.0, 1e-12);
        turned += (at.gradient - alone.gradient).norm() > 1e-9;
      }
    }
    EXPECT_LE(turned, 2);
  }
}

// On axes and in middles, where a direction has to be made up, there is one.
TEST(FieldPack, HasAGradientOnAxesAndInMiddles) {
  for (const DistanceField& field : MakeFields()) {
    for (const Vector3d& p : {Vector3d(0.0, 0.0, 0.0), Vector3d(0.0, 0.0, 0.3), Vector3d(1e-200, 0.0, 0.1),
                              Vector3d(0.3, 0.0, 0.0), Vector3d(0.0, -0.4, 0.5)}) {
      const FieldSample at = EvaluatePack(field, FillPack(p))[0];
      EXPECT_NEAR(at.value, field.CalcValue(p), 1e-14);
      EXPECT_NEAR(at.gradient.norm(), 1.0, 1e-12);
    }
  }
}

}  // namespace
}  // namespace stiction
