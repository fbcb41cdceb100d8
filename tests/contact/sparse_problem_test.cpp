// Problems whose A is sparse in any way: against dense matrices, by every solver.
#include "contact/sparse_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <tuple>

#include "contact/scaled_hessian.h"
#include "stiction/contact/fault.h"
#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "tests/support/dense_certificate.h"
#include "tests/support/sparse_problems.h"

namespace stiction {
namespace {

using testing::MakeDense;
using testing::MakeSparseProblem;

constexpr double kSolved = 1e-8;        // [m/s]: what counts as solved everywhere
constexpr double kSparseRound = 1e-11;  // of sums of some dozens of products of size 1, cond(A) up to 1e4

const std::vector<ConstraintType> kAllTypes{ConstraintType::kContact,   ConstraintType::kUnilateral,
                                            ConstraintType::kContact,   ConstraintType::kSoft,
                                            ConstraintType::kBilateral, ConstraintType::kBounded};

ContactProblem MakeContacts(unsigned seed) {
  return MakeSparseProblem(seed, 3, 12, 6, {ConstraintType::kContact});
}

TEST(SparseProblem, ReducedProblemHasTheDelassusMatrixAndTheVelocities) {
  const ContactProblem problem = MakeSparseProblem(1, 3, 15, 12, kAllTypes);
  SparseProblem sparse;
  ASSERT_TRUE(sparse.Assign(problem));
  const ContactProblem& reduced = sparse.reduced();
  const MatrixXd J = problem.DenseJ(), J_reduced = reduced.DenseJ();
  const MatrixXd W = J * testing::SolvePositive(problem.DenseA(), J.transpose());
  EXPECT_EQ(reduced.A.ToDense(), MatrixXd::Identity(45, 45));
  EXPECT_LT((J_reduced * J_reduced.transpose() - W).cwiseAbs().maxCoeff(), kSparseRound);
  EXPECT_LT((J_reduced * reduced.v_star - J * problem.v_star).cwiseAbs().maxCoeff(), kSparseRound);
  EXPECT_FALSE(FindFault(reduced)) << FindFault(reduced)->message();
}

// K of an island in which one subsystem does not take part, by both factorisations.
TEST(SparseProblem, HessianIsThatOfTheScaledRows) {
  testing::RandomNumbers random(7);
  ContactProblem problem = MakeSparseProblem(3, 2, 14, 9, kAllTypes);
  problem.subsystems.push_back({28, 5});
  std::vector<MatrixEntry> entries;
  for (int i = 0; i < 33; ++i)
    for (int j = 0; j < 33; ++j)
      if (i < 28 && j < 28 ? problem.A_sparse.At(i, j) != 0.0 : i == j)
        entries.push_back({i, j, i < 28 ? problem.A_sparse.At(i, j) : 3.0});
  problem.A_sparse = MakeCompressedMatrix(33, entries);
  problem.v_star = random.Vector(33);
  SparseProblem sparse;
  ASSERT_TRUE(sparse.Assign(problem));
  ScaledProblem scaled;
  scaled.Assign(sparse.reduced(), sparse.unit_factor());
  IslandPartition partition;
  partition.Assign(sparse.reduced());
  ASSERT_EQ(partition.num_islands, 1);
  for (const bool is_symmetric : {true, false}) {
    Island by_rows, by_mesh;
    by_mesh.sparse = &sparse;
    VectorXd x[2], answers[2];
    x[0] = x[1] = random.Vector(28);
    const VectorXd lambda = random.Vector(problem.num_rows());
    for (Island* island : {&by_rows, &by_mesh}) {
      testing::RandomNumbers weights(11);
      island->Assign(sparse.reduced(), scaled, partition, 0);
      ScaledHessian K;
      K.Assign(*island);
      for (int i = 0; i < island->num_constraints(); ++i) {
        const MatrixXd root = weights.Matrix(3, 3);
        const MatrixXd S = is_symmetric ? MatrixXd(root * root.transpose())
                                        : MatrixXd(root + 4.0 * MatrixXd::Identity(3, 3));
        for (int k = 0; k < 9; ++k) K.weight(i)[k] = S(k / 3, k % 3);
        K.set_active(i, i % 4 != 3);
      }
      ASSERT_TRUE(K.Factor(*island, is_symmetric));
      const int by = island == &by_mesh;
      K.Solve(x[by].data());
      VectorXd delta(island->num_dofs());
      answers[by].resize(island->num_rows());
      K.SolveRows(*island, lambda.data(), delta.data(), answers[by].data());
    }
    EXPECT_LT((x[0] - x[1]).cwiseAbs().maxCoeff(), 1e-10) << is_symmetric;
    EXPECT_GT(answers[0].cwiseAbs().maxCoeff(), 1e-3) << is_symmetric;
    EXPECT_LT((answers[0] - answers[1]).cwiseAbs().maxCoeff(), 1e-10) << is_symmetric;
  }
}

class SparseSolvers : public ::testing::TestWithParam<const char*> {};

// With iterations enough: where a method ends that is stopped on its way is a matter of rounding.
std::unique_ptr<ContactSolver> MakePatientSolver(const char* name) {
  std::unique_ptr<ContactSolver> solver = MakeSolver(name);
  for (const char* option : {"max_iterations", "max_sweeps"})
    std::ignore = SetSolverOption(*solver, option, "20000");
  return solver;
}

// The certificate of the whole solve, and one by dense matrices.
TEST_P(SparseSolvers, SolveByTheirLaw) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const ContactProblem problem = MakeContacts(seed), dense = MakeDense(problem);
    const std::unique_ptr<ContactSolver> solver = MakePatientSolver(GetParam());
    const bool is_exact = solver->law().is_exact();
    Solution solution, by_dense;
    const ProblemReport report = ProblemSolver().Solve(problem, *solver, solution);
    const ProblemReport dense_report = ProblemSolver().Solve(dense, *MakePatientSolver(GetParam()), by_dense);
    const Certificate& c = report.certificate;
    const testing::DenseCertificate judged = testing::CalcDenseCertificate(problem, solution.lambda);
    EXPECT_NEAR(c.ncp_max, judged.ncp.maxCoeff(), kSparseRound + 1e-9 * c.ncp_max) << seed;
    EXPECT_LT((solution.v - judged.v).cwiseAbs().maxCoeff(), kSparseRound) << seed;
    // Not worse than it is with dense blocks.
    const double reached = is_exact ? dense_report.certificate.ncp_max : dense_report.certificate.own_law;
    EXPECT_LE(is_exact ? c.ncp_max : c.own_law, std::max(kSolved, 2.0 * reached)) << seed;
  }
}

std::vector<const char*> ListNames() {
  std::vector<const char*> names;
  for (const SolverEntry& entry : ListSolvers()) names.push_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, SparseSolvers, ::testing::ValuesIn(ListNames()),
                         [](const auto& solver) { return std::string(solver.param); });

// What solves problems of trees to 1e-8 solves these.
TEST(SparseProblem, TheExactSolversReachTheBudget) {
  for (const char* name : {"auto", "canal", "admm_ncp", "nbgs_c"}) {
    for (const unsigned seed : {4u, 5u, 6u}) {
      const ContactProblem problem = MakeSparseProblem(seed, 3, 20, 8, kAllTypes);
      Solution solution;
      const ProblemReport report = ProblemSolver().Solve(problem, *MakeSolver(name), solution);
      EXPECT_LE(report.certificate.ncp_max, kSolved) << name << " " << seed;
      EXPECT_LE(testing::CalcDenseCertificate(problem, solution.lambda).ncp.maxCoeff(), kSolved) << name;
    }
  }
}

// A Newton step factors A together with the contacts, which is what takes the time here; back-solves are
// cheap.
TEST(SparseProblem, AutoGoesByBackSolves) {
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
    const ContactProblem problem = MakeSparseProblem(seed, 3, 60, 60, {ConstraintType::kContact});
    const std::unique_ptr<ContactSolver> solver = MakeSolver("auto");
    ASSERT_EQ(SetSolverOption(*solver, "sweeps", "0"), "");
    Solution solution;
    const ProblemReport report = ProblemSolver().Solve(problem, *solver, solution);
    EXPECT_LE(report.certificate.ncp_max, kSolved) << seed;
    EXPECT_EQ(report.solve.newton_steps, 0) << seed;
    EXPECT_EQ(report.solve.iterations, report.solve.back_solves) << seed;
    EXPECT_GT(report.solve.back_solves, 4 * report.solve.factorizations) << seed;
  }
}

// The convex law has one velocity: that of the dense route.
TEST(SparseProblem, ConvexVelocityIsThatOfDenseBlocks) {
  for (const char* name : {"admm", "pfadmm", "admm_ccp", "apgd"}) {
    const ContactProblem problem = MakeContacts(8), dense = MakeDense(problem);
    Solution solution, by_dense;
    const ProblemReport report = ProblemSolver().Solve(problem, *MakeSolver(name), solution);
    EXPECT_LE(ProblemSolver().Solve(dense, *MakeSolver("padmm"), by_dense).certificate.own_law, kSolved);
    EXPECT_LE(report.certificate.own_law, kSolved) << name;
    EXPECT_LT((solution.v - by_dense.v).cwiseAbs().maxCoeff(), 1e-6) << name;
  }
}

TEST(SparseProblem, WarmStartIsTaken) {
  const ContactProblem problem = MakeContacts(2);
  const std::unique_ptr<ContactSolver> solver = MakeSolver("admm_ncp");
  ProblemSolver problems;
  Solution solution;
  EXPECT_GT(problems.Solve(problem, *solver, solution).solve.iterations, 0);
  const SolveReport again = problems.Solve(problem, *solver, solution).solve;
  EXPECT_EQ(again.iterations, 0);
  EXPECT_EQ(again.factorizations, 0);
}

TEST(SparseProblem, AdmmCountsItsBackSolves) {
  const ContactProblem problem = MakeContacts(2);
  Solution solution;
  const SolveReport one = ProblemSolver().Solve(problem, *MakeSolver("admm_ncp"), solution).solve;
  EXPECT_EQ(one.back_solves, one.iterations);
  EXPECT_GE(one.factorizations, 1);
  solution = {};
  const SolveReport two = ProblemSolver().Solve(problem, *MakeSolver("admm"), solution).solve;
  EXPECT_EQ(two.back_solves, two.iterations);
}

TEST(SparseProblem, FrictionMomentsAndComplianceAreThoseOfDenseBlocks) {
  ContactProblem problem = MakeSparseProblem(9, 2, 10, 3, {ConstraintType::kContact});
  problem.constraints[1].compliance_n = 0.3;
  problem.constraints[1].compliance_t = 0.1;
  problem.AddFrictionMoment(ConstraintType::kTorsional, 0, 0.4);
  const int dofs[] = {1, 4};
  double* J = problem.AddBlock(0, dofs, 2);
  J[0] = 0.8, J[1] = -0.6;
  const ContactProblem dense = MakeDense(problem);
  ASSERT_FALSE(FindFault(problem)) << FindFault(problem)->message();
  Solution solution, by_dense;
  const ProblemReport report = ProblemSolver().Solve(problem, *MakeSolver("auto"), solution);
  EXPECT_LE(report.certificate.ncp_max, kSolved);
  EXPECT_LE(ProblemSolver().Solve(dense, *MakeSolver("auto"), by_dense).certificate.ncp_max, kSolved);
  EXPECT_LT((solution.v - by_dense.v).cwiseAbs().maxCoeff(), 1e-6);
  const VectorXd scales = CalcScales(problem);
  EXPECT_LT((scales - CalcScales(dense)).cwiseAbs().maxCoeff(), kSparseRound);
}

TEST(SparseProblem, RefusesAnIndefiniteMatrixAndNamesItsDof) {
  ContactProblem problem = MakeContacts(1);
  for (int i = problem.A_sparse.row_begin[5]; i < problem.A_sparse.row_begin[6]; ++i)
    if (problem.A_sparse.columns[i] == 5) problem.A_sparse.values[i] = -1.0;
  Solution solution;
  const ProblemReport report = ProblemSolver().Solve(problem, *MakeSolver("auto"), solution);
  EXPECT_EQ(report.solve.status, SolveStatus::kNonFinite);
  EXPECT_EQ(solution.v, problem.v_star);
  ASSERT_TRUE(FindFault(problem));
  EXPECT_NE(FindFault(problem)->message().find("A_sparse is not positive definite: the pivot of dof"),
            std::string::npos)
      << FindFault(problem)->message();
}

TEST(SparseProblem, FaultsOfItsArraysAreNamed) {
  const std::pair<std::function<void(ContactProblem&)>, const char*> cases[] = {
      {[](auto& p) { p.A.Resize(BranchPattern({-1})); }, "A has 1 rows, and so has A_sparse"},
      {[](auto& p) { p.A_sparse.row_begin.pop_back(); }, "A_sparse has 35 rows; v_star has 36"},
      {[](auto& p) { p.A_sparse.row_begin[1] = -1; }, "A_sparse has a row_begin that does not ascend"},
      {[](auto& p) { p.A_sparse.columns[0] = 36; }, "A_sparse has columns that do not ascend, or are none"},
      {[](auto& p) {
         p.subsystems = {{0, 11}, {11, 25}};
       },
       "A_sparse couples dof "},
      {[](auto& p) { p.A_sparse.values[0] = NAN; }, "A_sparse is not finite at [0]["},
      {[](auto& p) { p.motion.setZero(6, 36); }, "motion is there, and A_sparse"}};
  for (const auto& [edit, expected] : cases) {
    ContactProblem problem = MakeContacts(1);
    ASSERT_FALSE(FindFault(problem));
    edit(problem);
    const std::optional<ProblemFault> fault = FindFault(problem);
    ASSERT_TRUE(fault) << expected;
    EXPECT_NE(fault->message().find(expected), std::string::npos) << fault->message();
  }
}

}  // namespace
}  // namespace stiction
