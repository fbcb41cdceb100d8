#include "stiction/contact/fault.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "tests/support/contact_problems.h"

namespace stiction {
namespace {

using stiction::testing::MakeRandomProblem;

// Two bodies of three dofs, a chain each: a contact with torsional friction between them, a spring, a bounded
// row.
ContactProblem MakeSoundProblem() {
  ContactProblem problem;
  problem.subsystems = {{0, 3}, {3, 3}};
  problem.A.Resize(BranchPattern({-1, 0, 1, -1, 3, 4}));
  for (int k = 0; k < 6; ++k) problem.A.diagonal(k) = 2.0;
  problem.A.row(1)[0] = 0.5;
  problem.v_star = VectorXd::LinSpaced(6, -1.0, 1.0);
  const int first[] = {0, 1, 2}, second[] = {3, 4, 5};
  problem.AddConstraint(ConstraintType::kContact, 0.5);
  for (const auto& [subsystem, dofs] : {std::pair{0, first}, std::pair{1, second}}) {
    double* J = problem.AddBlock(subsystem, dofs, 3);
    for (int i = 0; i < 3; ++i) J[4 * i] = subsystem == 0 ? -1.0 : 1.0;
  }
  problem.AddFrictionMoment(ConstraintType::kTorsional, 0, 0.01);
  problem.AddBlock(1, second, 3)[2] = 1.0;
  problem.AddConstraint(ConstraintType::kSoft, 0.0, 10.0, 1.0);
  problem.AddBlock(0, first, 2)[0] = 1.0;
  problem.AddConstraint(ConstraintType::kBounded);
  problem.SetBounds(-1.0, std::numeric_limits<double>::infinity());
  problem.AddBlock(0, first, 1)[0] = 1.0;
  problem.motion.setOnes(6, 6);
  problem.body_contacts.push_back({.constraint = 0, .dof_A = 2, .dof_B = 5});
  return problem;
}

TEST(FindFault, HasNothingToSayOfSoundProblems) {
  EXPECT_FALSE(FindFault(MakeSoundProblem()));
  EXPECT_FALSE(FindFault(ContactProblem()));
  for (unsigned seed = 0; seed < 50; ++seed) {
    EXPECT_FALSE(FindFault(MakeRandomProblem(seed, 6, 12))) << "seed " << seed;
  }
}

TEST(FindFault, NamesTheFirstFault) {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  const struct {
    std::function<void(ContactProblem&)> spoil;
    std::string fault;
  } cases[] = {
      {[](auto& p) { p.v_star.resize(5); }, "A has 6 rows; v_star has 5"},
      {[](auto& p) { p.subsystems[1].first_dof = 2; },
       "subsystems are no partition of the dofs: those of subsystem 1"},
      {[](auto& p) { p.subsystems[1].num_dofs = 4; },
       "subsystems are no partition of the dofs: those of subsystem 1"},
      {[](auto& p) { p.subsystems.pop_back(); }, "subsystems are no partition of the dofs: dof 3 is in none"},
      {[](auto& p) {
         p.subsystems = {{0, 1}, {1, 5}};
       },
       "A couples dof 1 of subsystem 1 to another"},
      {[=](auto& p) { p.A.row(1)[0] = nan; }, "A is not finite at [1][0]"},
      {[=](auto& p) { p.v_star[4] = infinity; }, "v_star is not finite at dof 4"},
      {[](auto& p) { p.A.diagonal(3) = -2.0; }, "A is not positive definite: the pivot of dof 3"},
      {[](auto& p) { p.A.row(1)[0] = 2.5; }, "A is not positive definite"},
      {[](auto& p) { p.constraints[0].mu = -0.1; },
       "mu is -0.1 in constraint 0 (contact), row 0: it has to be finite"},
      {[](auto& p) { p.constraints[0].mu = 1e9; },
       "mu is 1e+09 in constraint 0 (contact), row 0: more than 1e+06"},
      {[=](auto& p) { p.constraints[1].mu = nan; }, "mu is nan in constraint 1 (torsional), row 3"},
      {[](auto& p) { p.constraints[2].stiffness = -1.0; }, "stiffness is -1 in constraint 2 (soft), row 4"},
      {[=](auto& p) { p.constraints[2].damping = infinity; }, "damping is inf in constraint 2 (soft), row 4"},
      {[](auto& p) { p.SetBounds(1.0, 0.0); },
       "lower is 1 in constraint 3 (bounded), row 5: exceeds upper, 0"},
      {[=](auto& p) { p.SetBounds(infinity, infinity); }, "lower is inf in constraint 3 (bounded)"},
      {[=](auto& p) { p.SetBounds(nan, 1.0); }, "lower is nan in constraint 3 (bounded)"},
      {[=](auto& p) { p.SetBounds(-infinity, -infinity); }, "upper is -inf in constraint 3 (bounded)"},
      {[=](auto& p) { p.constraints[2].upper = 1.0; },
       "upper is 1 in constraint 2 (soft), row 4: not that of its type"},
      {[=](auto& p) { p.constraints[2].lower = 0.0; },
       "lower is 0 in constraint 2 (soft), row 4: not that of its type"},
      {[](auto& p) { p.constraints[0].compliance_t = -1.0; }, "compliance_t is -1 in constraint 0 (contact)"},
      {[](auto& p) { p.constraints[2].compliance_n = 1.0; },
       "compliance_n is 1 in constraint 2 (soft), row 4, whose law has none"},
      {[](auto& p) { p.constraints[3].compliance_t = 1.0; },
       "compliance_t is 1 in constraint 3 (bounded), row 5, whose law has none"},
      {[](auto& p) { p.constraints[1].contact = 1; },
       "contact is 1 in constraint 1 (torsional), row 3, which has to follow its contact"},
      {[](auto& p) { p.constraints[1].contact = -1; }, "contact is -1 in constraint 1 (torsional)"},
      {[](auto& p) { p.constraints[2].contact = 0; },
       "contact is 0 in constraint 2 (soft), row 4: only friction"},
      {[](auto& p) { p.constraints[1].row = 2; }, "row is not 3 in constraint 1 (torsional), row 2"},
      {[](auto& p) { p.e.pop_back(); }, "e is too short: it ends in constraint 3 (bounded)"},
      {[=](auto& p) { p.e[2] = nan; }, "e is not finite at row 2, in constraint 0 (contact)"},
      {[](auto& p) { p.constraints[2].first_block = 0; },
       "blocks do not follow the ones before, or are beyond the last, in constraint 2 (soft)"},
      {[](auto& p) { p.constraints[3].num_blocks = 2; },
       "blocks do not follow the ones before, or are beyond the last, in constraint 3 (bounded)"},
      {[](auto& p) { p.blocks[1].subsystem = 2; },
       "blocks name subsystem 2, which is none, in constraint 0 (contact), row 0, block 1"},
      {[](auto& p) { p.blocks[1].subsystem = 0; },
       "blocks name subsystem 0 twice in constraint 0 (contact), row 0, block 1"},
      {[](auto& p) { p.blocks[4].num_dofs = 2; },
       "block_dofs do not follow the ones before, or are beyond the last, in constraint 3"},
      {[](auto& p) { p.jacobian.pop_back(); },
       "jacobian has values that do not follow the ones before, or too few, in constraint 3"},
      {[](auto& p) { p.block_dofs[4] = 1; },
       "block_dofs hold dof 1, which is not in subsystem 1, in constraint 0 (contact), row 0, block 1"},
      {[](auto& p) { std::swap(p.block_dofs[0], p.block_dofs[2]); },
       "block_dofs hold dof 2 without its parent 1, in constraint 0"},
      {[](auto& p) { p.block_dofs[1] = 0; },
       "block_dofs do not ascend at dof 0, in constraint 0 (contact), row 0, block 0"},
      {[](auto& p) { p.block_dofs.back() = 1; },
       "block_dofs hold dof 1 without its parent 0, in constraint 3 (bounded), row 5, block 4"},
      {[=](auto& p) { p.jacobian[5] = nan; },
       "jacobian is not finite at [2][1] in constraint 0 (contact), row 0, block 0"},
      {[](auto& p) { p.e.push_back(0.0); }, "e has row 6, which belongs to no constraint"},
      {[](auto& p) { p.blocks.push_back({}); }, "blocks have block 5, which belongs to no constraint"},
      {[](auto& p) { p.motion.setOnes(6, 5); }, "motion has 5 columns for 6 dofs"},
      {[=](auto& p) { p.motion(1, 1) = nan; }, "motion is not finite"},
      {[](auto& p) { p.body_contacts[0].constraint = 1; }, "body_contacts name constraint 1 at entry 0"},
      {[](auto& p) { p.body_contacts.push_back({.constraint = 0}); },
       "body_contacts name constraint 0 at entry 1"},
      {[](auto& p) { p.body_contacts[0].dof_B = 6; }, "body_contacts name dof 6 at entry 0"},
      {[=](auto& p) { p.body_contacts[0].p_A.x() = infinity; }, "body_contacts are not finite at entry 0"},
      {[](auto& p) { p.body_contacts[0].R_CW *= 1.1; },
       "body_contacts have axes that are not orthonormal at entry 0"},
  };
  for (const auto& c : cases) {
    ContactProblem problem = MakeSoundProblem();
    c.spoil(problem);
    const std::optional<ProblemFault> found = FindFault(problem);
    ASSERT_TRUE(found) << c.fault;
    const bool has_bad_number = c.fault.find("not finite") != std::string::npos ||
                                c.fault.find("not positive definite") != std::string::npos;
    EXPECT_EQ(found->is_numeric, has_bad_number) << c.fault;
    EXPECT_EQ(found->message().find(c.fault), 0u) << found->message() << "\nexpected: " << c.fault;
  }
}

#ifdef STICTION_VALIDATE

TEST(ValidateDeathTest, ProblemSolverNamesTheFault) {
  ContactProblem problem = testing::MakeBlockOnPlane(0.5, 0.1, 0.0);
  problem.constraints[1].mu = -0.5;
  Solution solution;
  const auto solver = MakeSolver(kDefaultSolver);
  EXPECT_DEATH((void)ProblemSolver().Solve(problem, *solver, solution),
               "mu is -0.5 in constraint 1 \\(contact\\), row 3");
}

#endif

// Nothing that moves can meet its law: no island is to be solved, and yet it is not solved.
TEST(ProblemSolver, AnApproachOfWhatCannotMoveIsNotConverged) {
  ContactProblem problem = testing::MakeBlockOnPlane(0.5, 0.1, 0.0);
  const auto solver = MakeSolver(kDefaultSolver);
  for (const double approach : {0.0, -1.0}) {
    ContactProblem fixed;
    fixed.v_star = problem.v_star;
    fixed.A = problem.A;
    fixed.subsystems = problem.subsystems;
    fixed.AddConstraint(ConstraintType::kContact, 0.5);
    fixed.e[2] = approach;
    Solution solution;
    const ProblemReport report = ProblemSolver().Solve(fixed, *solver, solution);
    EXPECT_EQ(report.certificate.ncp_max, -approach);
    EXPECT_EQ(report.solve.status, approach == 0.0 ? SolveStatus::kConverged : SolveStatus::kStalled);
  }
}

TEST(ProblemSolver, BadNumbersAreAStatusInEveryBuild) {
  ContactProblem problem = testing::MakeBlockOnPlane(0.5, 0.1, 0.0);
  problem.v_star[2] = std::nan("");
  Solution solution;
  const auto solver = MakeSolver(kDefaultSolver);
  EXPECT_EQ(ProblemSolver().Solve(problem, *solver, solution).solve.status, SolveStatus::kNonFinite);
}

}  // namespace
}  // namespace stiction
