#include "collision/box_tree.h"

#include <limits>

#include "tests/collision/narrowphase_checks.h"

namespace stiction::test {
namespace {

AlignedBox RandomBox(Random& random) {
  const Vector3d center = UniformVector(random, 1.0), half = UniformVector(random, 0.2).cwiseAbs();
  return {center - half, center + half};
}

std::vector<int> FindOverlaps(const BoxTree& tree, const AlignedBox& box) {
  std::vector<int> found;
  tree.FindOverlaps(box, [&](int k) { found.push_back(k); });
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<int> FindByBruteForce(const std::vector<AlignedBox>& boxes, const AlignedBox& box) {
  std::vector<int> found;
  for (int k = 0; k < static_cast<int>(boxes.size()); ++k) {
    const auto apart = [](const AlignedBox& a, const AlignedBox& b) {
      return (a.lower.array() > b.upper.array()).any();
    };
    if (!apart(boxes[k], box) && !apart(box, boxes[k])) found.push_back(k);
  }
  return found;
}

TEST(BoxTree, FindsWhatBruteForceFindsWhileBoxesMove) {
  Random random(1);
  std::size_t num_found = 0;
  for (const int count : {1, 2, 3, 10, 100, 700}) {
    std::vector<AlignedBox> boxes(count);
    for (AlignedBox& box : boxes) box = RandomBox(random);
    BoxTree tree;
    tree.Build(boxes);
    for (int step = 0; step < 300; ++step) {
      const int k = std::uniform_int_distribution<int>(0, count - 1)(random);
      boxes[k] = RandomBox(random);
      tree.Refit(k, boxes[k]);
      const AlignedBox box = RandomBox(random);
      const std::vector<int> expected = FindByBruteForce(boxes, box);
      ASSERT_EQ(FindOverlaps(tree, box), expected) << count << " boxes, step " << step;
      num_found += expected.size();
    }
  }
  EXPECT_GT(num_found, 1000u);
}

TEST(BoxTree, IsWornOnceItsBoxesHaveBeenShuffledAndNotAfterItIsBuilt) {
  Random random(2);
  std::vector<AlignedBox> boxes(200);
  for (AlignedBox& box : boxes) box = RandomBox(random);
  BoxTree tree;
  tree.Build(boxes);
  EXPECT_FALSE(tree.is_worn());
  for (int k = 0; k < 200; ++k) tree.Refit(k, boxes[k]);
  EXPECT_FALSE(tree.is_worn()) << "nothing moved";
  std::shuffle(boxes.begin(), boxes.end(), random);
  for (int k = 0; k < 200; ++k) tree.Refit(k, boxes[k]);
  EXPECT_TRUE(tree.is_worn());
  tree.Build(boxes);
  EXPECT_FALSE(tree.is_worn());
}

// One in another, all in one place, without end, no numbers: the tree is built and searched all the same.
TEST(BoxTree, EndsWhateverTheBoxes) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const AlignedBox unit{-Vector3d::Ones(), Vector3d::Ones()};
  std::vector<AlignedBox> nested, same(100, unit), huge(100, unit.Grown(1e100)), strange(100, unit);
  for (int k = 0; k < 100; ++k) nested.push_back({Vector3d::Zero(), Vector3d::Constant(std::ldexp(1.0, -k))});
  for (int k = 0; k < 100; k += 3) strange[k].lower.x() = kNan;
  for (const auto& boxes : {nested, same, huge}) {
    BoxTree tree;
    tree.Build(boxes);
    EXPECT_EQ(FindOverlaps(tree, unit).size(), 100u);
  }
  BoxTree tree;
  tree.Build(strange);
  FindOverlaps(tree, unit);
  tree.Build({});
  EXPECT_TRUE(tree.is_empty());
  EXPECT_TRUE(FindOverlaps(tree, unit).empty());
}

}  // namespace
}  // namespace stiction::test
