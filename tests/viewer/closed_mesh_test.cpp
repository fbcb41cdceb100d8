#include "live/closed_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace stiction::viewer {
namespace {

// A tetrahedron, whose triangles are seen counterclockwise from outside.
DrawMesh MakeTetrahedron() {
  const Eigen::Vector3f corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  DrawMesh mesh;
  for (const int i : {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2}) {
    mesh.positions.push_back(corners[i]);
    mesh.normals.emplace_back(0, 0, 1);
  }
  return mesh;
}

TEST(ClosedMesh, OneThatHasAllItsTrianglesIsClosed) {
  EXPECT_TRUE(IsClosed(MakeTetrahedron()));
}

TEST(ClosedMesh, OneWithAHoleIsNot) {
  DrawMesh mesh = MakeTetrahedron();
  mesh.positions.resize(9);
  EXPECT_FALSE(IsClosed(mesh));
}

TEST(ClosedMesh, OneWithATriangleTheOtherWayRoundIsNot) {
  DrawMesh mesh = MakeTetrahedron();
  std::swap(mesh.positions[0], mesh.positions[1]);
  EXPECT_FALSE(IsClosed(mesh));
}

TEST(ClosedMesh, OneThatIsInsideOutIsNot) {
  DrawMesh mesh = MakeTetrahedron();
  std::reverse(mesh.positions.begin(), mesh.positions.end());
  EXPECT_FALSE(IsClosed(mesh));
}

TEST(ClosedMesh, NothingIsNot) {
  EXPECT_FALSE(IsClosed({}));
}

}  // namespace
}  // namespace stiction::viewer
