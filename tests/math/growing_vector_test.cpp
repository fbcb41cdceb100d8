#include "stiction/math/growing_vector.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(GrowingVector, KeepsItsMemoryWhenItShrinks) {
  GrowingVector x;
  x.setZero(8);
  const double* memory = x.data();
  x.setZero(3);
  x.setZero(8);
  EXPECT_EQ(x.data(), memory);
}

TEST(GrowingVector, TakesTheSizeOfWhatItIsAssigned) {
  GrowingVector x;
  x = Vector3d(1, 2, 3);
  x = 2.0 * Eigen::Vector4d::Ones() + Eigen::Vector4d(0, 1, 2, 3);
  EXPECT_EQ(x, Eigen::Vector4d(2, 3, 4, 5));
}

TEST(GrowingVector, CopiesAreApart) {
  GrowingVector x = Vector3d(1, 2, 3);
  GrowingVector copy = x, assigned;
  assigned = x;
  x[0] = 7;
  EXPECT_EQ(copy, Vector3d(1, 2, 3));
  EXPECT_EQ(assigned, Vector3d(1, 2, 3));
}

TEST(GrowingVector, MovesLeaveAVectorThatCanBeUsed) {
  GrowingVector x = Vector3d(1, 2, 3);
  GrowingVector moved = std::move(x);
  EXPECT_EQ(moved, Vector3d(1, 2, 3));
  x.setZero(2);  // NOLINT: the point of the test
  EXPECT_EQ(x.size(), 2);
  EXPECT_EQ(moved, Vector3d(1, 2, 3));
}

}  // namespace
}  // namespace stiction
