#include "live/line_breaks.h"

#include <gtest/gtest.h>

namespace stiction::viewer {
namespace {

std::string Break(const std::string& text, std::size_t width) {
  return BreakAtSpaces(text, static_cast<float>(width),
                       [](const std::string& piece) { return static_cast<float>(piece.size()); });
}

TEST(LineBreaks, StandAtSpacesAlone) {
  EXPECT_EQ(Break("missed in 1,096 of 2.5 steps", 12), "missed in\n1,096 of 2.5\nsteps");
  EXPECT_EQ(Break("missed in 1,096", 13), "missed in\n1,096");
  EXPECT_EQ(Break("missed in 1,096", 15), "missed in 1,096");
  EXPECT_EQ(Break("", 5), "");
}

TEST(LineBreaks, LongWordsHaveTheirOwnLinesAndBreaksOfTheTextStay) {
  EXPECT_EQ(Break("a /home/user/model.xml b", 6), "a\n/home/user/model.xml\nb");
  EXPECT_EQ(Break("one two\nthree four five", 10), "one two\nthree four\nfive");
  EXPECT_EQ(Break("word", 1), "word");
}

}  // namespace
}  // namespace stiction::viewer
