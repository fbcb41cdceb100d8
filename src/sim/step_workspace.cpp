#include "sim/step_workspace.h"

#include <cmath>
#include <stdexcept>

#include "contact/solvers/auto.h"
#include "stiction/contact/registry.h"

namespace stiction {
namespace {

constexpr double kRetryEffort = 4.0;  // on the iteration limits of a solver that missed its budget

// Aims it at the budget, where one is given.
void Aim(const std::optional<Budget>& budget, ContactSolver& solver) {
  if (budget && !budget->is_none()) solver.set_tolerance(0.1 * budget->absolute);
}

// Throws std::invalid_argument: unknown.
std::unique_ptr<ContactSolver> MakeConfiguredSolver(const WorldOptions& options) {
  std::unique_ptr<ContactSolver> solver = MakeSolver(options.solver);
  if (!solver) throw std::invalid_argument("unknown solver '" + options.solver + "'");
  Aim(options.budget, *solver);
  for (const auto& [name, value] : options.solver_options) {
    const std::string problem = SetSolverOption(*solver, name, value);
    if (!problem.empty()) throw std::invalid_argument(problem);
  }
  return solver;
}

double CheckTimestep(double dt) {
  if (!(dt > 0.0) || !std::isfinite(dt)) throw std::invalid_argument("the timestep must be positive");
  return dt;
}

// Parts of one size that a step may be divided into.
int CalcMostParts(const WorldOptions& options, const SolveStage& solve) {
  const bool is_auto = dynamic_cast<const SolverAuto*>(solve.solver.get()) != nullptr;
  const int halvings = options.halvings.value_or(is_auto ? kAutoHalvings : 0);
  if (halvings < 0 || halvings > kMostHalvings)
    throw std::invalid_argument("halvings must be 0 to " + std::to_string(kMostHalvings));
  const bool has_retry = options.on_miss != OnMiss::kAccept && !solve.budget.is_none();
  return has_retry && solve.solver_budget.is_none() ? 1 << halvings : 1;
}

void ConfigureSolve(const WorldOptions& options, SolveStage& solve) {
  if (options.budget && !options.budget->is_valid())
    throw std::invalid_argument("the budget must be positive, and its relative part finite and not negative");
  if (!options.solver_budget.is_valid())
    throw std::invalid_argument("the solver budget must not be negative");
  solve.solver_budget = options.solver_budget;
  solve.one_island = options.one_island;
  solve.solver = MakeConfiguredSolver(options);
  solve.budget = options.budget.value_or(kDefaultBudget);
  // auto gives up early on a problem that slip may have made insoluble, and has its full effort for the
  // retry.
  const bool is_auto = dynamic_cast<const SolverAuto*>(solve.solver.get()) != nullptr;
  const bool has_retry = options.on_miss != OnMiss::kAccept && !solve.budget.is_none();
  solve.first_effort = is_auto && has_retry ? 1.0 / kRetryEffort : 1.0;
  solve.retry_effort = has_retry ? kRetryEffort * solve.first_effort : 0.0;
  if (options.on_miss != OnMiss::kFallback) return;
  if (is_auto) {
    solve.fallback = std::make_unique<SolverCanal>();
  } else {
    solve.fallback = std::make_unique<SolverAuto>();
  }
  Aim(options.budget, *solve.fallback);
}

}  // namespace

StepWorkspace::StepWorkspace(const Model& model, const WorldOptions& options)
    : dt(CheckTimestep(options.timestep.value_or(model.options.timestep))),
      pattern(MakeMassMatrixPattern(model)),
      chains(MakeGeomChains(model, pattern)),
      still(model),
      sleep(model),
      mocap_motion(model),
      field_memory(model),
      detector(model),
      free_motion(model, pattern),
      assembler(model, pattern),
      ghost_filter(model),
      unseen(model),
      rest(model),
      end_gaps(model),
      floating_momentum(model),
      coarse_motion(model) {
  ConfigureSolve(options, solve);
  no_displacement.setZero(model.nv());
  most_parts = CalcMostParts(options, solve);
  set_num_threads(options, options.num_threads);
  kin.Resize(model);
  probe.Resize(model);
  tendons.Resize(model);
  moved_tendons.Resize(model);
  equality_stage.Initialize(model, pattern);
  position_stage.Initialize(model);
  contacts.reserve(rows.acting.capacity());
  R_WC.reserve(rows.acting.capacity());
  set_integrator(model, options.integrator.value_or(model.options.integrator));
  sleep.is_enabled = options.sleep.value_or(model.options.sleep);
  still.is_enabled = options.skips_still && !sleep.is_enabled && !options.one_island;
}

void StepWorkspace::set_num_threads(const WorldOptions& options, int num_threads) {
  pool = TaskPool(num_threads);
  solve.helpers.resize(CountOthers(pool));
  for (auto& helper : solve.helpers) helper = MakeConfiguredSolver(options);
  solve.pool = &pool;
  detector.set_pool(pool);
  detector.set_field_memory(field_memory);
  ghost_filter.set_pool(pool);
  position_stage.set_pool(pool);
}

void StepWorkspace::set_integrator(const Model& model, Integrator scheme) {
  integrator = scheme;
  ForgetRest();
  free_motion.set_integrator(model, scheme);
}

void StepWorkspace::Detect(const Model& model, const Input& input, const State& state) {
  ForgetRest();
  CalcPositionKinematics(model, state.q, input.mocap, kin);
  CalcVelocityKinematics(model, state.v, kin);
  if (model.num_tendons() > 0) CalcTendons(model, kin, state.q, tendons);
  detector.Detect(model, kin, {}, state.contacts, dt, contacts);
  CalcContactFrames(contacts, pool, R_WC);
  sleep.Invalidate();
  FindLimits(model, model.all_trees, state.q, state.v, tendons, dt, limits);
}

void DeleteStepWorkspace::operator()(StepWorkspace* workspace) const {
  delete workspace;
}

StepWorkspacePtr MakeStepWorkspace(const Model& model, const WorldOptions& options) {
  return StepWorkspacePtr(new StepWorkspace(model, options));
}

const ContactProblem& GetProblem(const StepWorkspace& ws) {
  return ws.problem;
}

const Solution& GetSolution(const StepWorkspace& ws) {
  return ws.solution;
}

}  // namespace stiction
