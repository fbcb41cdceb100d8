#include "stiction/sim/world.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "stiction/sim/step.h"

namespace stiction {
namespace {

constexpr double kDefaultBudget = 1e-8;  // of `auto` [m/s]
constexpr double kRetryEffort = 4.0;     // on the iteration limits of a solver that missed its budget

std::unique_ptr<ContactSolver> MakeConfiguredSolver(const WorldOptions& options) {
  std::unique_ptr<ContactSolver> solver = MakeSolver(options.solver);
  if (!solver) throw std::invalid_argument("unknown solver '" + options.solver + "'");
  if (options.budget) solver->set_tolerance(0.1 * *options.budget);
  for (const auto& [name, value] : options.solver_options) {
    const std::string problem = SetSolverOption(*solver, name, value);
    if (!problem.empty()) throw std::invalid_argument(problem);
  }
  return solver;
}

}  // namespace

const char* ToString(StepStatus status) {
  switch (status) {
    case StepStatus::kOk:
      return "ok";
    case StepStatus::kBudgetMissed:
      return "budget_missed";
    case StepStatus::kDiverged:
      return "diverged";
    case StepStatus::kSingularMass:
      return "singular_mass";
  }
  return "";
}

struct World::Impl {
  Impl(Model model_in, WorldOptions options_in)
      : model(std::move(model_in)),
        options(std::move(options_in)),
        state(State::Default(model)),
        input(Input::Default(model)),
        workspace(model) {
    workspace.solver = MakeConfiguredSolver(options);
    const bool is_auto = options.solver == "auto";
    workspace.dt = options.timestep.value_or(model.options.timestep);
    if (!(workspace.dt > 0.0) || !std::isfinite(workspace.dt)) {
      throw std::invalid_argument("the timestep must be positive");
    }
    if (options.budget && !(*options.budget > 0.0))
      throw std::invalid_argument("the budget must be positive");
    workspace.budget =
        options.budget.value_or(is_auto ? kDefaultBudget : std::numeric_limits<double>::infinity());
    // auto gives up early on a problem that slip may have made insoluble, and has its full effort for the
    // retry.
    workspace.first_effort = is_auto ? 1.0 / kRetryEffort : 1.0;
    workspace.retry_effort = kRetryEffort * workspace.first_effort;
    if (options.on_miss == OnMiss::kFallback) workspace.fallback = MakeSolver(is_auto ? "canal" : "auto");
  }

  void UpdateKinematics() {
    CalcPositionKinematics(model, state.q, input.mocap, workspace.kin);
    CalcVelocityKinematics(model, state.v, workspace.kin);
  }

  // Contacts as the last step left them; impulses only where there was a step.
  void CollectContacts(bool with_impulses) {
    contacts.clear();
    for (std::size_t i = 0; i < workspace.contacts.size(); ++i) {
      const TrackedContact& tracked = workspace.contacts[i].tracked;
      Contact contact{tracked.geom_a,    tracked.geom_b,    tracked.point.p_W,
                      tracked.point.n_W, tracked.point.gap, Vector3d::Zero()};
      const int constraint = with_impulses ? workspace.contact_constraint[i] : -1;
      if (with_impulses && constraint < 0) continue;
      if (constraint >= 0) {
        const int row = workspace.problem.constraints[constraint].row;
        contact.impulse_W = MakeContactFrame(contact.n_W) * workspace.solution.lambda.segment<3>(row);
      }
      contacts.push_back(contact);
    }
  }

  Model model;
  WorldOptions options;
  State state;
  Input input;
  StepWorkspace workspace;
  StepReport report;
  std::function<void(const World&, Input&)> controller;
  std::vector<Contact> contacts;
};

World::World(Model model, WorldOptions options)
    : impl_(std::make_unique<Impl>(std::move(model), std::move(options))) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

const Model& World::model() const {
  return impl_->model;
}
double World::time() const {
  return impl_->state.time;
}
double World::timestep() const {
  return impl_->workspace.dt;
}
const VectorXd& World::q() const {
  return impl_->state.q;
}
const VectorXd& World::v() const {
  return impl_->state.v;
}
const WorldOptions& World::options() const {
  return impl_->options;
}
const State& World::state() const {
  return impl_->state;
}
Input& World::input() {
  return impl_->input;
}
const Input& World::input() const {
  return impl_->input;
}
const StepReport& World::report() const {
  return impl_->report;
}

void World::set_state(const State& state) {
  const Model& model = impl_->model;
  if (state.q.size() != model.nq() || state.v.size() != model.nv()) {
    throw std::invalid_argument("the state has another size than the model");
  }
  if (!state.q.allFinite() || !state.v.allFinite() || !std::isfinite(state.time)) {
    throw std::invalid_argument("the state holds a number that is not finite");
  }
  impl_->state = state;
  NormalizeQuaternions(model, impl_->state.q);
}

void World::SetKeyframe(const Keyframe& keyframe) {
  set_state(State::FromKeyframe(impl_->model, keyframe));
  if (keyframe.ctrl.size() == impl_->input.ctrl.size()) impl_->input.ctrl = keyframe.ctrl;
  if (keyframe.mocap.size() == impl_->input.mocap.size()) impl_->input.mocap = keyframe.mocap;
}

void World::set_controller(std::function<void(const World&, Input&)> controller) {
  impl_->controller = std::move(controller);
}

const StepReport& World::Step() {
  if (impl_->controller) impl_->controller(*this, impl_->input);
  stiction::Step(impl_->model, impl_->input, impl_->state, impl_->workspace, impl_->report);
  if (impl_->report.status != StepStatus::kSingularMass) impl_->CollectContacts(true);
  return impl_->report;
}

void World::Refresh() {
  DetectAll(impl_->model, impl_->input, impl_->state, impl_->workspace);
  impl_->CollectContacts(false);
}

const std::vector<RigidTransform>& World::body_poses() const {
  return impl_->workspace.kin.X_WB;
}
const std::vector<Contact>& World::contacts() const {
  return impl_->contacts;
}

Energy World::CalcEnergy() {
  impl_->UpdateKinematics();
  return stiction::CalcEnergy(impl_->model, impl_->workspace.kin, impl_->state.q, impl_->state.v);
}

MatrixXd World::CalcMassMatrix() {
  impl_->UpdateKinematics();
  StepWorkspace& ws = impl_->workspace;
  stiction::CalcMassMatrix(impl_->model, ws.kin, ws.crba, ws.M);
  return ws.M.ToDense();
}

VectorXd World::CalcBias() {
  impl_->UpdateKinematics();
  StepWorkspace& ws = impl_->workspace;
  stiction::CalcBias(impl_->model, ws.kin, impl_->state.v, impl_->model.options.gravity, ws.rnea, ws.bias);
  return ws.bias;
}

VectorXd World::CalcPassive() {
  impl_->UpdateKinematics();
  StepWorkspace& ws = impl_->workspace;
  CalcJointForces(impl_->model, ws.kin, impl_->state.q, impl_->state.v, impl_->input, ws.forces);
  return ws.forces.passive;
}

const ContactProblem& World::problem() const {
  return impl_->workspace.problem;
}
const Solution& World::solution() const {
  return impl_->workspace.solution;
}

}  // namespace stiction
