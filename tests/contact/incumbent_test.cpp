#include "stiction/contact/incumbent.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace stiction {
namespace {

TEST(Incumbent, IsTheCallersArrayWithTheLeastResidual) {
  std::vector<double> lambda{1.0, 2.0};
  Incumbent best(lambda.data(), 2, 0.5);
  const std::vector<double> better{3.0, 4.0}, other{5.0, 6.0};
  EXPECT_FALSE(best.Offer(other.data(), 0.5));  // no better: the first stays
  EXPECT_EQ(lambda, (std::vector<double>{1.0, 2.0}));
  EXPECT_TRUE(best.Offer(better.data(), 0.25));
  EXPECT_FALSE(best.Offer(other.data(), 0.3));
  EXPECT_FALSE(best.Offer(other.data(), std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(lambda, better);
  EXPECT_EQ(best.residual(), 0.25);
}

TEST(Incumbent, EndsASolveAtTheToleranceOrWithoutNumbers) {
  std::vector<double> lambda{1.0};
  Incumbent best(lambda.data(), 1, 0.5);
  SolveReport report;
  report.status = SolveStatus::kMaxIterations;
  const double better = 2.0, good = 3.0, overflown = 4.0;
  EXPECT_FALSE(best.EndsWith(&better, 0.25, 1e-9, report));
  EXPECT_EQ(report.status, SolveStatus::kMaxIterations);
  EXPECT_TRUE(best.EndsWith(&overflown, std::numeric_limits<double>::infinity(), 1e-9, report));
  EXPECT_EQ(report.status, SolveStatus::kNonFinite);
  EXPECT_EQ(lambda[0], better);
  EXPECT_TRUE(best.EndsWith(&good, 1e-9, 1e-9, report));
  EXPECT_EQ(report.status, SolveStatus::kConverged);
  EXPECT_EQ(lambda[0], good);
}

TEST(Incumbent, NothingBeatsAResidualThatIsNotANumber) {
  std::vector<double> lambda{1.0};
  Incumbent best(lambda.data(), 1, std::numeric_limits<double>::quiet_NaN());
  const double other = 2.0;
  EXPECT_FALSE(best.Offer(&other, 0.0));
  EXPECT_EQ(lambda[0], 1.0);
}

}  // namespace
}  // namespace stiction
