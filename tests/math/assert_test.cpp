#include "math/assert.h"

#include <gtest/gtest.h>

#include <vector>

#include "math/contracts.h"
#include "stiction/math/branch_sparse.h"

namespace stiction {
namespace {

TEST(AssertDeathTest, FailureNamesExpressionFileAndLine) {
  EXPECT_DEATH(FailAssertion("size == 3", "file.cpp", 12), "file\\.cpp:12: assertion failed: size == 3");
}

#if !defined(NDEBUG) || defined(STICTION_ASSERTIONS)

TEST(Assert, LetsWhatHoldsPass) {
  int calls = 0;
  STICTION_ASSERT(++calls == 1);
  EXPECT_EQ(calls, 1);
}

TEST(AssertDeathTest, StopsAtABrokenContract) {
  const int size = 2;
  EXPECT_DEATH(STICTION_ASSERT(size == 3), "assert_test\\.cpp:[0-9]+: assertion failed: size == 3");
  EXPECT_DEATH(BranchPattern({-1, 1}), "assertion failed: parent_\\[k\\]");  // its own parent
}

#else

TEST(Assert, IsNotEvaluatedInARelease) {
  int calls = 0;
  STICTION_ASSERT(++calls == 2);
  EXPECT_EQ(calls, 0);
}

#endif

TEST(Contracts, SayWhatTheyMean) {
  EXPECT_TRUE(IsUnit(Vector3d(0.6, 0.0, -0.8)));
  EXPECT_FALSE(IsUnit(Vector3d(0.6, 0.0, -0.81)));
  EXPECT_FALSE(IsUnit(Vector3d::Constant(std::nan(""))));
  const auto less = [](int a, int b) { return a < b; };
  EXPECT_TRUE(Ascend(std::vector<int>{}, less) && Ascend(std::vector<int>{3}, less));
  EXPECT_TRUE(Ascend(std::vector<int>{-1, 3, 7}, less));
  EXPECT_FALSE(Ascend(std::vector<int>{-1, 3, 3}, less));
}

}  // namespace
}  // namespace stiction
