#include "stiction/contact/budget.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction::testing {
namespace {

TEST(BudgetText, IsReadFromText) {
  EXPECT_EQ(ParseBudget("1e-8"), Budget(1e-8));
  EXPECT_EQ(ParseBudget("+0.5"), Budget(0.5));
  EXPECT_EQ(ParseBudget("1e-8+1e-6v"), Budget(1e-8, 1e-6));
  EXPECT_EQ(ParseBudget("1+2v"), Budget(1.0, 2.0));
  EXPECT_EQ(ParseBudget("1e-8+0v"), Budget(1e-8));
  EXPECT_EQ(ParseBudget("none"), kNoBudget);
}

TEST(BudgetText, RefusesOtherText) {
  for (const char* text : {"",
                           "v",
                           "0",
                           "-1e-8",
                           "0+1e-6v",
                           "1e-8+",
                           "1e-8+v",
                           "1e-8+1e-6",
                           "1e-8+1e-6w",
                           "1e-8-1e-6v",
                           "1e-8+-1e-6v",
                           "1e-8+1e-6v ",
                           "1e-8 + 1e-6v",
                           "1e-6v",
                           "1e-8+1e-6vv",
                           "1e-8+1e-6v+1v",
                           "inf",
                           "nan",
                           "1e-8+infv",
                           "1e-8+nanv",
                           "1e-8+1e999v",
                           "None",
                           "none+1e-6v",
                           "nothing"})
    EXPECT_EQ(ParseBudget(text), std::nullopt) << text;
}

TEST(BudgetText, WritesWhatItReads) {
  for (const Budget& budget : {kDefaultBudget, kNoBudget, Budget(2.5e-9, 1e-6), Budget(1.0, 1e10)})
    EXPECT_EQ(ParseBudget(ToString(budget)), budget) << ToString(budget);
  EXPECT_EQ(ToString(Budget(1e-8, 1e-6)), "1e-08+1e-06v");
}

TEST(BudgetText, KnowsWhatIsValid) {
  EXPECT_TRUE(kDefaultBudget.is_valid() && kNoBudget.is_valid() && Budget(1e-8, 1.0).is_valid());
  for (const Budget& budget : {Budget(0.0), Budget(-1.0), Budget(std::nan("")), Budget(1.0, -1.0),
                               Budget(1.0, INFINITY), Budget(1.0, std::nan(""))})
    EXPECT_FALSE(budget.is_valid()) << budget.absolute << " " << budget.relative;
}

}  // namespace
}  // namespace stiction::testing
