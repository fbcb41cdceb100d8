#include "stiction/viz/draw_list.h"

#include <gtest/gtest.h>

#include "tests/support/scenes.h"

namespace stiction {
namespace {

using testing::kPi;
using testing::Turn;

// Where an instance's pose takes a point of the unit shape.
Vector3d Map(const DrawInstance& instance, const Vector3d& p) {
  const Eigen::Map<const Eigen::Matrix<float, 3, 4>> pose(instance.pose);
  return (pose.leftCols<3>() * p.cast<float>() + pose.col(3)).cast<double>();
}

TEST(DrawList, InstancesScaleThenRotateThenShift) {
  DrawList list;
  const RigidTransform X = Turn(kPi / 2.0, Vector3d::UnitZ(), {1.0, 2.0, 3.0});
  list.solid.Add(DrawPrimitive::kBox, X, {0.5, 0.25, 0.125}, {});
  const auto& boxes = list.solid.instances[static_cast<int>(DrawPrimitive::kBox)];
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_LT((Map(boxes[0], {1, 0, 0}) - Vector3d(1.0, 2.5, 3.0)).norm(), 1e-6);
  EXPECT_LT((Map(boxes[0], {0, 1, 1}) - Vector3d(0.75, 2.0, 3.125)).norm(), 1e-6);
}

TEST(DrawList, AnArrowEndsWhereItsVectorDoes) {
  DrawList list;
  const Vector3d p(0.1, -0.2, 0.3), vector(0.4, 0.5, -0.6);
  list.solid.AddArrow(p, vector, 0.01, {});
  const auto& shafts = list.solid.instances[static_cast<int>(DrawPrimitive::kCylinder)];
  const auto& heads = list.solid.instances[static_cast<int>(DrawPrimitive::kCone)];
  ASSERT_EQ(shafts.size(), 1u);
  ASSERT_EQ(heads.size(), 1u);
  EXPECT_LT((Map(shafts[0], {0, 0, -1}) - p).norm(), 1e-6);
  EXPECT_LT((Map(heads[0], {0, 0, 1}) - (p + vector)).norm(), 1e-6);
  EXPECT_LT((Map(heads[0], {0, 0, -1}) - Map(shafts[0], {0, 0, 1})).norm(), 1e-6);
}

TEST(DrawList, ArrowsThatAreTooShortAreLeftOut) {
  DrawList list;
  list.solid.AddArrow(Vector3d::Zero(), {0.0, 0.0, 0.001}, 0.01, {});
  list.solid.AddArrow(Vector3d::Zero(), Vector3d::Zero(), 0.01, {});
  for (const auto& instances : list.solid.instances) EXPECT_TRUE(instances.empty());
}

// By which a window knows that it need not draw again.
TEST(DrawList, KnowsWhetherAnotherLooksTheSame) {
  const auto make = [] {
    DrawList list;
    list.Clear(1);
    list.solid.Add(DrawPrimitive::kSphere, {}, {1.0, 1.0, 1.0}, {});
    list.overlay.AddLine(Vector3d::Zero(), Vector3d::Ones(), {});
    list.AddMesh(0, {}, {});
    list.labels.push_back({Eigen::Vector3f::Zero(), "here"});
    return list;
  };
  const DrawList list = make();
  DrawList other = make();
  other.labels[0].text = "there";
  EXPECT_TRUE(list.IsDrawnAs(other)) << "labels are written over the picture";
  const auto expect_change = [&](const char* what, const auto& change) {
    DrawList changed = make();
    change(changed);
    EXPECT_FALSE(list.IsDrawnAs(changed)) << what;
  };
  constexpr int kSphere = static_cast<int>(DrawPrimitive::kSphere);
  expect_change("place", [](DrawList& to) { to.solid.instances[kSphere][0].pose[11] += 1e-3f; });
  expect_change("colour", [](DrawList& to) { to.solid.instances[kSphere][0].color.g = 0.1f; });
  expect_change("surface", [](DrawList& to) { to.mesh_instances[0][0].surface.texture = 0; });
  expect_change("line", [](DrawList& to) { to.overlay.lines[0].b.x() = 2.0f; });
  expect_change("outline", [](DrawList& to) { to.outline.meshes.push_back({0, to.mesh_instances[0][0]}); });
  expect_change("light", [](DrawList& to) { to.lighting.key.towards = -Eigen::Vector3f::UnitZ(); });
}

TEST(DrawList, ClearingKeepsMemory) {
  DrawList list;
  list.Clear(1);
  list.AddMesh(0, {}, {});
  list.solid.AddFrame({}, 1.0);
  EXPECT_EQ(list.solid.lines.size(), 3u);
  const auto capacity = list.solid.lines.capacity();
  list.Clear(1);
  EXPECT_TRUE(list.solid.lines.empty());
  EXPECT_TRUE(list.mesh_instances[0].empty());
  EXPECT_EQ(list.solid.lines.capacity(), capacity);
}

}  // namespace
}  // namespace stiction
