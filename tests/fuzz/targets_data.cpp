// Readers of what the engine itself writes: contact problems, states, logs.
#include <cmath>

#include "stiction/contact/registry.h"
#include "stiction/contact/solve.h"
#include "stiction/io/load.h"
#include "stiction/io/log_reader.h"
#include "stiction/io/log_table.h"
#include "stiction/io/problem_file.h"
#include "stiction/io/state_file.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/targets.h"
#ifdef STICTION_FUZZ_STEPS
#include "stiction/sim/world.h"
#endif

namespace stiction::fuzz {
namespace {

constexpr int kLargestProblem = 60;  // dofs; larger ones are read and not solved

const Model& StateModel() {
  static const Model model = MakeStateModel();
  return model;
}

#ifdef STICTION_FUZZ_STEPS
void StepState(const std::string& path) {
  static World world(StateModel());
  world.LoadState(path);
  for (int k = 0; k < 3; ++k) {
    const StepReport& report = world.Step();
    Require(world.q().allFinite() && world.v().allFinite(), "a state stays finite");
    Require(std::isfinite(report.penetration), "the report's numbers are finite");
  }
}
#endif

void SolveProblem(const ProblemFile& file) {
  static const std::unique_ptr<ContactSolver> solver = MakeSolver(kDefaultSolver);
  ProblemSolver problem_solver;
  problem_solver.Limit(SolveClock::kNever, 50);
  Solution solution = file.warm_start;
  const ProblemReport report = problem_solver.Solve(file.problem, *solver, solution);
  const bool is_finite =
      Eigen::Map<const VectorXd>(solution.lambda.data(), file.problem.num_rows()).allFinite();
  Require(is_finite, "impulses are finite");
  // Products of entries may overflow; then the status says so.
  const bool is_solved = report.solve.status == SolveStatus::kConverged;
  Require(!is_solved || std::isfinite(report.certificate.ncp_max), "what converged has a certificate");
}

void CheckWritten(const ProblemFile& file) {
  const std::string path = AssetFolder() + "/models/written.json";
  WriteProblemJson(path, file.problem, file.warm_start);
  try {
    const ProblemFile again = ReadProblemJson(path);
    Require(
        again.problem.jacobian.size() == file.problem.jacobian.size() && again.problem.e == file.problem.e,
        "a problem that was written reads back");
  } catch (const LoadError& error) {
    Require(false, std::string("a problem that was written reads back: ") + error.what());
  }
}

void CheckProblem(const ProblemFile& file, bool is_written) {
  if (is_written) CheckWritten(file);
  if (file.problem.nv() <= kLargestProblem && file.problem.num_rows() <= 2 * kLargestProblem)
    SolveProblem(file);
}

constexpr const char* kStateModel = R"(<mujoco model="everything">
  <compiler angle="radian"/>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body name="mover" mocap="true" pos="0 0 1"/>
    <body name="box" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" condim="6"/></body>
    <body name="ball" pos="0 0 0.3"><freejoint/><geom size="0.1" condim="4"/></body>
    <body name="arm" pos="1 0 0.5">
      <joint name="shoulder" axis="0 1 0" range="-0.5 0.5" frictionloss="0.1"/>
      <geom type="capsule" size="0.02" fromto="0 0 0 0.3 0 0"/>
      <body name="hand" pos="0.3 0 0"><joint name="wrist" type="ball" range="0 0.4"/><geom size="0.05"/><site name="s"/></body>
      <body name="slider"><joint name="slide" type="slide" axis="1 0 0" stiffness="50"/><geom size="0.03"/></body>
    </body>
  </worldbody>
  <tendon><fixed name="cable" range="-0.3 0.3" frictionloss="0.1">
    <joint joint="shoulder" coef="0.1"/><joint joint="slide" coef="1"/></fixed></tendon>
  <equality><joint joint1="slide" joint2="shoulder" polycoef="0 0.1 0 0 0"/></equality>
  <actuator><general name="drive" joint="shoulder" dyntype="filter" dynprm="0.1" gainprm="2"/></actuator>
  <sensor><jointpos joint="shoulder"/><accelerometer site="s"/></sensor>
</mujoco>)";

}  // namespace

Model MakeStateModel() {
  const std::string path = AssetFolder() + "/models/everything.xml";
  WriteWholeFile(path, kStateModel);
  return LoadModel(path);
}

void FuzzProblem(const std::string& path, std::string_view bytes) {
  std::vector<ProblemFile> files;
  try {
    files = ReadProblems(path);
  } catch (const LoadError&) {
    return;
  }
  for (const ProblemFile& file : files) CheckProblem(file, IsRoundTripDue(bytes));
}

void FuzzState(const std::string& path, std::string_view) {
  try {
    const State state = ReadState(path, StateModel());
    Require(state.q.allFinite() && state.v.allFinite(), "a state is finite");
#ifdef STICTION_FUZZ_STEPS
    StepState(path);
#endif
  } catch (const LoadError&) {
  }
}

void FuzzLog(const std::string& path, std::string_view) {
  try {
    const LogTable table(path);
    for (std::size_t i = 0; i < table.series().size(); ++i)
      Require(table.Read(i).size() == table.time().size(), "a column has a number for every row");
  } catch (const LoadError&) {
  }
  try {
    const Log log = ReadLog(path, StateModel());
    for (const LogRow& row : log.rows)
      Require(row.q.size() == StateModel().nq(), "rows are those of the model");
  } catch (const LoadError&) {
  }
}

}  // namespace stiction::fuzz
