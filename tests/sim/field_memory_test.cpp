// What is remembered of two fields gives what would be found anew.
#include "sim/field_memory.h"

#include <gtest/gtest.h>

#include "collision/narrowphase/contact_point.h"
#include "stiction/collision/narrowphase.h"
#include "stiction/io/load.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

Model LoadThreads() {
  return LoadModelText(R"xml(<mujoco><worldbody>
      <geom name="bolt" type="sdf" field="thread(0.048, 0.005, 0.06)" resolution="0.002"/>
      <body name="nut"><freejoint/>
        <geom name="nut" type="sdf" field="nut(0.048, 0.005, 0.03, 0.075, 0.0002)" resolution="0.002" density="7800"/>
      </body>
      <geom name="box" type="box" size="1 1 1" pos="0 0 -2"/>
    </worldbody></mujoco>)xml");
}

bool AreSame(const Manifold& a, const Manifold& b) {
  bool same = a.num_points == b.num_points;
  for (int k = 0; same && k < a.num_points; ++k)
    same = a.points[k].p_W == b.points[k].p_W && a.points[k].n_W == b.points[k].n_W &&
           a.points[k].gap == b.points[k].gap && a.points[k].feature == b.points[k].feature;
  return same;
}

TEST(FieldMemory, GivesWhatWouldBeFound) {
  const Model model = LoadThreads();
  FieldMemory memory(model);
  EXPECT_EQ(memory.num_fields(), 2);
  int bolt = -1, nut = -1;
  for (int g = 0; g < static_cast<int>(model.geoms.size()); ++g) {
    if (!memory.is_field(g)) continue;
    (bolt < 0 ? bolt : nut) = g;
  }
  ASSERT_GE(nut, 0);
  const Shape &a = model.geoms[bolt].shape, &b = model.geoms[nut].shape;
  const RigidTransform X_WA{QuaternionExp(Vector3d(0.3, -0.2, 0.1)).toRotationMatrix(), {0.5, 0.1, 0.2}};
  for (int trial = 0; trial < 10; ++trial) {
    const RigidTransform X_WB{X_WA.R, X_WA * Vector3d(1e-4 * trial, -5e-5, 2e-5 * trial)};
    Manifold anew, recalled, other;
    CalcManifold(a, X_WA, b, X_WB, 1e-3, anew);
    memory.Find(model, bolt, nut, narrowphase::RelativePose(X_WA, X_WB), narrowphase::CalcSearchReach(1e-3));
    memory.CalcManifold(model, bolt, X_WA, nut, X_WB, 1e-3, recalled);
    EXPECT_GT(anew.num_points, 10);
    EXPECT_TRUE(AreSame(anew, recalled));
    // A little less margin asks for the same; another pose, or a much smaller margin, is looked for.
    CalcManifold(a, X_WA, b, X_WB, 0.95e-3, anew);
    memory.CalcManifold(model, bolt, X_WA, nut, X_WB, 0.95e-3, recalled);
    EXPECT_TRUE(AreSame(anew, recalled));
    const RigidTransform X_near{X_WB.R, X_WB.p + Vector3d(0.0, 0.0, 1e-6)};
    CalcManifold(a, X_WA, b, X_near, 1e-4, anew);
    memory.CalcManifold(model, bolt, X_WA, nut, X_near, 1e-4, other);
    EXPECT_TRUE(AreSame(anew, other));
  }
}

}  // namespace
}  // namespace stiction
