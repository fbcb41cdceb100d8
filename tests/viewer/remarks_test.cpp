#include "live/remarks.h"

#include <gtest/gtest.h>

namespace stiction::viewer {
namespace {

const std::string kDeep = "/home/somebody/projects/with/a/long/way/to/it/robots/arm/";

ImportItem Item(const std::string& file, int line, const char* item, ImportStatus status, const char* why) {
  return {file, line, item, status, why};
}

TEST(Remarks, AFileIsNamedOnceRelativeToTheModel) {
  const ImportReport report{
      {Item(kDeep + "arm.xml", 3, "option[@cone]", ImportStatus::kApproximated, "elliptic"),
       Item(kDeep + "parts/hand.xml", 9, "flex", ImportStatus::kIgnored, "flexes are not simulated"),
       Item(kDeep + "arm.xml", 5, "geom", ImportStatus::kHonoured, "")}};
  const std::vector<FileRemarks> files = GroupByFile(report, kDeep + "arm.xml");
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].heading, "arm.xml");
  EXPECT_EQ(files[0].remarks.size(), 2u);
  EXPECT_EQ(files[1].heading, "parts/hand.xml");
  EXPECT_EQ(files[1].file, kDeep + "parts/hand.xml");
}

TEST(Remarks, APathThatGetsLongerIsKept) {
  const ImportReport report{{Item("/a.xml", 1, "geom", ImportStatus::kIgnored, "")}};
  EXPECT_EQ(GroupByFile(report, kDeep + "arm.xml")[0].heading, "/a.xml");
  EXPECT_EQ(GroupByFile({{Item("arm.xml", 1, "geom", ImportStatus::kIgnored, "")}}, "arm.xml")[0].heading,
            "arm.xml");
}

TEST(Remarks, TheSameWordsAreSaidOnceWithAllLines) {
  ImportReport report;
  for (int line = 1; line <= 20; ++line) {
    report.items.push_back(Item("a.xml", line, "geom[@size]", ImportStatus::kHonoured, ""));
    report.items.push_back(Item("a.xml", line, "joint", ImportStatus::kIgnored, "has no axis"));
  }
  report.items.push_back(Item("a.xml", 0, "joint", ImportStatus::kIgnored, "has no mass"));
  const std::vector<FileRemarks> files = GroupByFile(report, "a.xml");
  ASSERT_EQ(files.size(), 1u);
  ASSERT_EQ(files[0].remarks.size(), 3u);
  const Remark& first = files[0].remarks[0];
  EXPECT_EQ(first.why, "has no axis") << "what is ignored comes first";
  EXPECT_EQ(first.lines.size(), 20u);
  EXPECT_EQ(ListLines(first), "1, 2, 3, 4, 5, 6 and 14 more");
  EXPECT_EQ(ListLines(files[0].remarks[1]), "");
  EXPECT_EQ(files[0].remarks[2].status, ImportStatus::kHonoured);
  EXPECT_TRUE(GroupByFile({}, "a.xml").empty());
}

}  // namespace
}  // namespace stiction::viewer
