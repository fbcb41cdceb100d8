// The budget relative to the approach speed, in a pile that is poured.
#include <gtest/gtest.h>

#include "tests/scenes/start_scene.h"

namespace stiction::testing {
namespace {

// The largest speed at which anything approaches at v, by the rows of the last problem.
double FindApproach(const ContactProblem& problem, const VectorXd& v) {
  std::vector<double> Jv(static_cast<std::size_t>(problem.num_rows()));
  problem.MultiplyJ(v.data(), Jv.data());
  double fastest = 0.0;
  for (const Constraint& c : problem.constraints)
    fastest = std::max(fastest, -Jv[static_cast<std::size_t>(c.row + c.dim() - 1)]);
  return fastest;
}

// Pours clutter for a second; returns the Newton steps, which are what costs.
int Pour(unsigned seed, const Budget& budget, int& above) {
  World world(MakeScene("clutter", {.count = 40, .seed = seed}), {.budget = budget});
  world.SetKeyframe(*world.model().FindKeyframe(kStartKeyframe));
  int work = 0;
  while (world.time() < 1.0) {
    const VectorXd v = world.v();
    const StepReport& report = world.Step();
    EXPECT_EQ(report.status, StepStatus::kOk) << seed << " " << world.time();
    work += report.solve.newton_steps;
    above += report.certificate.ncp_max > budget.absolute;
    const double allowed = budget.absolute + budget.relative * FindApproach(world.problem(), v);
    EXPECT_LE(report.certificate.ncp_max, allowed) << seed << " " << world.time();
  }
  return work;
}

TEST(RelativeBudget, IsMetAndSavesWorkWhereThingsStrike) {
  int strict_above = 0, loose_above = 0;
  std::vector<double> ratios;
  for (unsigned seed = 0; seed < 9; ++seed) {
    const int strict = Pour(seed, kDefaultBudget, strict_above);
    ratios.push_back(1.0 * Pour(seed, Budget(1e-8, 1e-4), loose_above) / strict);
  }
  EXPECT_EQ(strict_above, 0);
  EXPECT_GT(loose_above, 200);
  // The median: one step that needs the last resorts costs more than the rest of its second.
  std::nth_element(ratios.begin(), ratios.begin() + 4, ratios.end());
  EXPECT_LT(ratios[4], 0.9);
}

}  // namespace
}  // namespace stiction::testing
