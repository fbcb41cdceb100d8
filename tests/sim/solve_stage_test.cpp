// The solve stage alone: who is asked to solve, how hard, and what becomes of the slip.
#include "sim/solve_stage.h"

#include <gtest/gtest.h>

#include "sim/row_assembler.h"
#include "stiction/contact/registry.h"
#include "tests/support/failing_solver.h"
#include "tests/support/scenes.h"
#include "tests/support/step_start.h"

namespace stiction::testing {
namespace {

constexpr double kSlip = 1e-6;  // that each contact has to undo [m]

// Three cubes at rest on one another, whose contacts stuck in the step before and slipped since.
struct Problem {
  explicit Problem(double slip) : start(MakeBoxStack(3)), assembler(start.model, start.pattern) {
    World world = MakeWorld(start.model);
    RunSteps(world, 3);
    start.state = world.state();
    for (ContactMemory& contact : start.state.contacts) {
      contact.slip_A = {slip, 0, 0};
      contact.slip_pause = slip == 0.0 ? 2 : 0;
    }
    start.Compute();
    start.Move(assembler.rows().problem);
    memory.Recall(start.model, start.frame(), start.state.contacts);
    assembler.Assemble(start.model, start.input, start.state, start.frame(), {start.forces, start.factor},
                       EqualityStage(), memory, {}, false);
  }
  StepReport Solve(SolveStage& stage) {
    StepReport report;
    stage.Begin(assembler.rows().warm_start, start.state);
    stage.Solve(start.frame(), start.factor, assembler.rows(), memory, report);
    return report;
  }
  bool has_slip() const { return !memory.slip_W(0).isZero(0.0); }

  StepStart start;
  RowAssembler assembler;
  SlipMemory memory;
};

TEST(SolveStage, SolvesToItsBudget) {
  Problem problem(kSlip);
  SolveStage stage;
  stage.solver = MakeSolver("auto");
  const StepReport report = problem.Solve(stage);
  EXPECT_EQ(report.status, StepStatus::kOk);
  EXPECT_EQ(report.num_islands, 1);
  EXPECT_LE(report.certificate.ncp_max, stage.budget.absolute);
  EXPECT_GT(report.solve.iterations, 0);  // the slip is undone
  // Each cube moves back over the one below it by the slip, within the step.
  EXPECT_NEAR(stage.solution().v[0], -kSlip / problem.start.dt, 1e-8);
  EXPECT_TRUE(problem.has_slip());
  const std::vector<double>& ncp =
      stage.CalcTreeResiduals(problem.start.model, problem.assembler.rows().problem);
  EXPECT_EQ(*std::max_element(ncp.begin(), ncp.end()), report.certificate.ncp_max);
}

// What is kept of the time is there for the next solve of the step, which goes on from the first's answer.
TEST(SolveStage, KeepsTimeForAnotherSolve) {
  Problem problem(kSlip);
  SolveStage stage;
  stage.solver = MakeSolver("auto");
  stage.solver_budget.seconds = 100.0;
  stage.reserve = 1.0 - 1e-12;
  StepReport report = problem.Solve(stage);
  EXPECT_EQ(report.status, StepStatus::kBudgetMissed);
  EXPECT_EQ(report.solve.num_cut, 1);
  stage.reserve = 0.0;
  stage.Solve(problem.start.frame(), problem.start.factor, problem.assembler.rows(), problem.memory, report);
  EXPECT_EQ(report.status, StepStatus::kOk);
  EXPECT_LE(report.certificate.ncp_max, stage.budget.absolute);
}

// What the step does for itself takes none of the time.
TEST(SolveStage, ClockStandsStillInAPause) {
  constexpr double kTime = 0.5;  // [s]
  Problem problem(kSlip);
  SolveStage stage;
  stage.solver_budget.seconds = kTime;
  stage.Begin(problem.assembler.rows().warm_start, problem.start.state);
  const double end = ReadClock() + kTime;
  stage.PauseClock();
  while (ReadClock() < end) continue;
  EXPECT_TRUE(stage.is_late());
  stage.ResumeClock();
  EXPECT_FALSE(stage.is_late());
}

TEST(SolveStage, TriesAgainThenTheFallback) {
  Problem problem(0.0);
  SolveStage stage;
  stage.budget = 1e-12;  // the warm start is not that good
  auto lazy = std::make_unique<FailingSolver>();
  FailingSolver& first = *lazy;
  stage.solver = std::move(lazy);
  EXPECT_EQ(problem.Solve(stage).status, StepStatus::kBudgetMissed);
  EXPECT_EQ(first.calls, 2);
  EXPECT_EQ(first.effort(), stage.retry_effort);
  stage.retry_effort = 0.0;
  EXPECT_EQ(problem.Solve(stage).status, StepStatus::kBudgetMissed);
  EXPECT_EQ(first.calls, 3);
  EXPECT_EQ(first.effort(), stage.first_effort);
  stage.fallback = MakeSolver("canal");
  stage.fallback->set_tolerance(1e-12);
  const StepReport saved = problem.Solve(stage);
  EXPECT_EQ(saved.status, StepStatus::kOk) << saved.certificate.ncp_max;
  EXPECT_TRUE(saved.is_converged);
}

// Of the budget nothing is left for a retry, and slip is not to blame for what was not solved.
TEST(SolveStage, WithoutBudgetTheWarmStartStandsAndSlipIsKept) {
  for (const SolverBudget& nothing : {SolverBudget{.seconds = 0.0}, SolverBudget{.iterations = 0}}) {
    Problem problem(kSlip);
    SolveStage stage;
    stage.first_effort = 0.25;
    stage.solver_budget = nothing;
    auto lazy = std::make_unique<FailingSolver>();
    const FailingSolver& solver = *lazy;
    stage.solver = std::move(lazy);
    stage.fallback = MakeSolver("canal");
    const StepReport report = problem.Solve(stage);
    EXPECT_EQ(report.status, StepStatus::kBudgetMissed);
    EXPECT_FALSE(report.is_converged);
    EXPECT_EQ(report.solve.num_cut, 1);
    EXPECT_EQ(solver.calls, 0);
    EXPECT_TRUE(problem.has_slip());
    const std::vector<double>& warm = problem.assembler.rows().warm_start;
    EXPECT_TRUE(std::equal(warm.begin(), warm.end(), stage.solution().lambda.begin()));
  }
}

TEST(SolveStage, RetryHasTheIterationsThatAreLeft) {
  Problem problem(kSlip);
  SolveStage stage;
  stage.solver = MakeSolver("pgs_ncp");
  stage.budget = 1e-14;
  stage.solver->set_tolerance(0.0);
  stage.first_effort = 0.01;  // of 500 sweeps
  stage.solver_budget.iterations = 12;
  const StepReport report = problem.Solve(stage);
  EXPECT_EQ(report.solve.sweeps, 12);
  EXPECT_EQ(report.solve.num_cut, 1);
}

// Solves from impulses of a physical size alone, as rounding has it.
class DelicateSolver : public ContactSolver {
 public:
  SolveReport Solve(const Island& island, double* lambda) override {
    const bool is_absurd =
        std::any_of(lambda, lambda + island.num_rows(), [](double x) { return std::abs(x) > 1e3; });
    return is_absurd ? SolveReport{.status = SolveStatus::kMaxIterations} : method_->Solve(island, lambda);
  }

 private:
  std::unique_ptr<ContactSolver> method_ = MakeSolver("canal");
};

// A problem without a solution leaves impulses of any size, which the steps after it start from.
TEST(SolveStage, StartsAnewFromImpulsesThatNothingNeeds) {
  for (const double factor : {1e3, 1e9}) {  // cubes of 1 kg press with 0.02 N s a point
    Problem problem(0.0);
    for (double& x : problem.assembler.rows().warm_start) x *= factor;
    SolveStage stage;
    stage.solver = std::make_unique<DelicateSolver>();
    const StepReport report = problem.Solve(stage);
    EXPECT_EQ(report.status, StepStatus::kOk) << factor;
    EXPECT_LE(report.certificate.ncp_max, stage.budget.absolute) << factor;
  }
}

TEST(SolveStage, LetsSlipWaitOfWhomGivesUpEarlyOrGrows) {
  struct Case {
    double first_effort;
    Failure failure;
    int calls;
    bool forgets;
  };
  for (const Case& c : {Case{0.25, Failure::kLazy, 2, true}, Case{1.0, Failure::kLazy, 2, false},
                        Case{1.0, Failure::kGrowth, 3, true}}) {
    Problem problem(kSlip);
    const std::vector<double>& e = problem.assembler.rows().problem.e;
    EXPECT_NEAR(std::hypot(e[0], e[1]), kSlip / problem.start.dt, 1e-8);
    SolveStage stage;
    stage.first_effort = c.first_effort;
    auto failing = std::make_unique<FailingSolver>(c.failure);
    FailingSolver& solver = *failing;
    stage.solver = std::move(failing);
    // Without slip the warm start of cubes at rest needs no solving.
    const bool is_lazy = c.failure == Failure::kLazy;
    EXPECT_EQ(problem.Solve(stage).status,
              c.forgets && is_lazy ? StepStatus::kOk : StepStatus::kBudgetMissed);
    EXPECT_EQ(solver.calls, c.calls);
    EXPECT_EQ(problem.has_slip(), !c.forgets);
    EXPECT_NEAR(std::hypot(e[0], e[1]), c.forgets ? 0.0 : kSlip / problem.start.dt, 1e-8);
    // Of the growth nothing is left but that of the last try, which starts from the warm start again.
    const std::vector<double>& warm = problem.assembler.rows().warm_start;
    const double growth = is_lazy ? 1.0 : 10.0;
    EXPECT_EQ(stage.solution().lambda, growth * Eigen::Map<const VectorXd>(warm.data(), warm.size()));
  }
}

// An exact fallback would take the bias of penetration for a speed at which to part.
TEST(SolveStage, LawIsThatOfTheFallback) {
  SolveStage stage;
  stage.solver = MakeSolver("sap");
  EXPECT_TRUE(stage.law().gives_way());
  stage.fallback = MakeSolver("canal");
  EXPECT_TRUE(stage.law().is_exact());
}

TEST(SolveStage, KeepsImpulsesOfTheSameRows) {
  Problem problem(kSlip);
  SolveStage stage;
  stage.solver = MakeSolver("auto");
  EXPECT_EQ(problem.Solve(stage).status, StepStatus::kOk);
  const VectorXd solved = stage.solution().lambda;
  stage.Begin(problem.assembler.rows().warm_start, problem.start.state, true);
  EXPECT_EQ(stage.solution().lambda, solved);
  stage.Begin(problem.assembler.rows().warm_start, problem.start.state);
  EXPECT_NE(stage.solution().lambda, solved);
}

}  // namespace
}  // namespace stiction::testing
