// The generators of tests/support/problem_sets.h: well-posed problems of the distributions that the prototype
// of the specification draws from.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "tests/support/problem_sets.h"

namespace stiction {
namespace {

using stiction::testing::kMoving;
using stiction::testing::kSettled;
using stiction::testing::kUneven;
using stiction::testing::MakeDishes;
using stiction::testing::MakeMixedChain;
using stiction::testing::MakeNut;
using stiction::testing::MakePushedStack;
using stiction::testing::MakeSlidingTower;
using stiction::testing::StackOrder;

struct Shares {
  double contacts = 0.0, open = 0.0, stick = 0.0, slip = 0.0;
};

// The thresholds are those of the prototype's own count.
Shares CountContacts(const ContactProblem& problem, const Solution& solution) {
  std::vector<double> Jv(problem.num_rows());
  problem.MultiplyJ(solution.v.data(), Jv.data());
  Shares out;
  for (const Constraint& c : problem.constraints) {
    if (c.type != ConstraintType::kContact) continue;
    ++out.contacts;
    const bool is_open = solution.lambda[c.row + 2] <= 1e-12;
    const bool is_sliding = std::hypot(Jv[c.row], Jv[c.row + 1]) > 1e-8;
    ++(is_open ? out.open : is_sliding ? out.slip : out.stick);
  }
  out.open /= out.contacts, out.stick /= out.contacts, out.slip /= out.contacts;
  return out;
}

void ExpectWellPosed(const ContactProblem& problem) {
  BranchSparseFactor factor;
  EXPECT_LT(factor.Factor(problem.A), 0);
  EXPECT_TRUE(problem.v_star.allFinite());
  EXPECT_TRUE(problem.DenseJ().allFinite());
  for (const Constraint& c : problem.constraints) {
    if (c.type != ConstraintType::kContact) continue;
    EXPECT_GE(problem.e[c.row + 2], -0.5);  // no faster are bodies pushed apart
    EXPECT_EQ(problem.e[c.row], 0.0);
    EXPECT_GT(c.mu, 0.0);
  }
}

struct GeneratedSet {
  const char* name;
  int nv;
  std::function<ContactProblem(unsigned)> make;
  Shares expected;  // means of 30 problems of gen.py, counted by oracle.py after canal3.py solved them
};

const std::vector<GeneratedSet>& ListSets() {
  static const std::vector<GeneratedSet> sets{
      {"settled", 24, [](unsigned k) { return MakeDishes(100 + k, kSettled); }, {84.1, 0.014, 0.986, 0.000}},
      {"uneven", 24, [](unsigned k) { return MakeDishes(200 + k, kUneven); }, {84.1, 0.861, 0.038, 0.100}},
      {"moving", 24, [](unsigned k) { return MakeDishes(300 + k, kMoving); }, {83.1, 0.864, 0.039, 0.096}},
      {"nut", 6, [](unsigned k) { return MakeNut(400 + k); }, {120, 0.977, 0.000, 0.023}},
      {"slide",
       30,
       [](unsigned k) {
         const double mu[] = {0.3, 0.5, 0.8, 1.0, 1.5};
         return MakeSlidingTower(500 + k, mu[k % 5]);
       },
       {45, 0.710, 0.050, 0.240}},
      {"straight",
       120,
       [](unsigned k) { return MakePushedStack(600 + k, 1e3, StackOrder(k % 3), false); },
       {20, 0.070, 0.867, 0.063}},
      {"mixed", 36, [](unsigned k) { return MakeMixedChain(700 + k); }, {36, 0.924, 0.006, 0.070}},
  };
  return sets;
}

TEST(GeneratedSets, DrawFromTheDistributionsOfThePrototype) {
  const auto solver = MakeSolver("auto");
  // For the shares an augmented Lagrangian, as in the prototype: impulses of settled dishes are not unique,
  // and methods differ in which contacts they leave without.
  const auto canal = MakeSolver("canal");
  ProblemSolver workspace;
  const int count = 60;
  for (const GeneratedSet& set : ListSets()) {
    SCOPED_TRACE(set.name);
    Shares mean;
    for (int k = 0; k < count; ++k) {
      const ContactProblem problem = set.make(k);
      EXPECT_EQ(problem.nv(), set.nv);
      ExpectWellPosed(problem);
      Solution solution;
      const ProblemReport report = workspace.Solve(problem, *solver, solution);
      EXPECT_LE(report.certificate.ncp_max, 1e-8) << k;  // feasible, since solved
      Solution counted;
      EXPECT_LE(workspace.Solve(problem, *canal, counted).certificate.ncp_max, 1e-8) << k;
      const Shares shares = CountContacts(problem, counted);
      mean.contacts += shares.contacts / count, mean.open += shares.open / count;
      mean.stick += shares.stick / count, mean.slip += shares.slip / count;
    }
    // Two to three standard errors of such means: 7 contacts and shares of 0.05 per problem.
    EXPECT_NEAR(mean.contacts, set.expected.contacts, 3.0);
    EXPECT_NEAR(mean.open, set.expected.open, 0.04);
    EXPECT_NEAR(mean.stick, set.expected.stick, 0.04);
    EXPECT_NEAR(mean.slip, set.expected.slip, 0.03);
  }
}

TEST(GeneratedSets, SeedDecidesEverything) {
  for (const GeneratedSet& set : ListSets()) {
    const ContactProblem problem = set.make(5), again = set.make(5), other = set.make(10);
    EXPECT_EQ(problem.v_star, again.v_star) << set.name;
    EXPECT_EQ(problem.jacobian, again.jacobian) << set.name;
    EXPECT_EQ(problem.e, again.e) << set.name;
    EXPECT_NE(problem.v_star, other.v_star) << set.name;
  }
}

TEST(GeneratedSets, StacksHaveTheirMassRatios) {
  const auto mass = [](StackOrder order, int ball) {
    return MakePushedStack(1, 100.0, order, true).A.row(6 * ball)[0];
  };
  EXPECT_NEAR(mass(StackOrder::kTop, 18), 0.1, 1e-15);
  EXPECT_NEAR(mass(StackOrder::kTop, 19), 10.0, 1e-13);
  EXPECT_NEAR(mass(StackOrder::kLog, 0), 0.1, 1e-15);
  EXPECT_NEAR(mass(StackOrder::kLog, 19), 10.0, 1e-13);
  EXPECT_NEAR(mass(StackOrder::kAlternating, 18), 0.1, 1e-15);
  EXPECT_NEAR(mass(StackOrder::kAlternating, 19), 10.0, 1e-13);
  EXPECT_EQ(MakePushedStack(1, 100.0, StackOrder::kTop, true).num_constraints(), 80);
  EXPECT_EQ(MakePushedStack(1, 100.0, StackOrder::kTop, false).num_constraints(), 20);
}

}  // namespace
}  // namespace stiction
