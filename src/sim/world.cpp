#include "stiction/sim/world.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "sim/step_workspace.h"
#include "stiction/math/rotation.h"
#include "stiction/sim/sensors.h"

namespace stiction {
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
    case StepStatus::kInvalidInput:
      return "invalid_input";
  }
  return "";
}

namespace {

// Of different pairs, both sorted by pair.
void MergeContacts(const std::vector<Contact>& a, const std::vector<Contact>& b, std::vector<Contact>& all) {
  all.resize(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), all.begin(), [](const Contact& x, const Contact& y) {
    return std::pair(x.geom_a, x.geom_b) < std::pair(y.geom_a, y.geom_b);
  });
}

// Whether all that State::Default sizes has that size, and whatever else there is fits.
bool FitsState(const Model& model, const State& state) {
  const auto is_geom = [&](int geom) { return geom >= 0 && geom < model.num_geoms(); };
  const auto has = [](const auto& part, int size) { return static_cast<int>(part.size()) == size; };
  return has(state.q, model.nq()) && has(state.v, model.nv()) && has(state.activation, model.na()) &&
         has(state.limits, model.num_limits()) && has(state.equality_impulses, model.num_equality_rows) &&
         has(state.friction_impulses, model.nv() + model.num_tendons()) &&
         has(state.penalties, model.num_trees()) &&
         (state.equality_target.size() == 0 || has(state.equality_target, model.num_equalities())) &&
         (state.mocap.size() == 0 || has(state.mocap, 7 * model.num_mocap)) &&
         std::all_of(state.contacts.begin(), state.contacts.end(), [&](const ContactMemory& contact) {
           return is_geom(contact.geom_a) && is_geom(contact.geom_b);
         });
}

}  // namespace

struct World::Impl {
  Impl(Model model_in, WorldOptions options_in)
      : model(std::move(model_in)),
        options(std::move(options_in)),
        state(State::Default(model)),
        input(Input::Default(model)),
        workspace(model, options),
        next_wrench(Matrix6Xd::Zero(6, model.num_bodies())),
        kept_wrench(next_wrench) {
    kinematics.Resize(model);
    tendons.Resize(model);
    if (has_sensors()) sensing = std::make_unique<Sensing>(model);
  }

  // At the current q, v and mocap poses. The caller may write the mocap poses at any time, so that only a
  // comparison tells.
  bool HasKinematics() const { return kinematics_is_current && kinematics_mocap == input.mocap; }

  const Kinematics& CurrentKinematics() {
    if (!HasKinematics()) {
      CalcPositionKinematics(model, state.q, input.mocap, kinematics);
      CalcVelocityKinematics(model, state.v, kinematics);
      if (model.num_tendons() > 0) CalcTendons(model, kinematics, state.q, tendons);
      kinematics_mocap = input.mocap;
      kinematics_is_current = true;
    }
    return kinematics;
  }

  int TreeOf(int body) const {
    if (body >= 0 && body < model.num_bodies()) return model.bodies[body].tree;
    throw std::out_of_range("no body " + std::to_string(body) + ": the model has " +
                            std::to_string(model.num_bodies()));
  }

  // A controller that assigns a vector of its own may get the size wrong.
  bool InputFits() const {
    const auto is_none_or_nv = [&](const VectorXd& slopes) {
      return slopes.size() == 0 || slopes.size() == model.nv();
    };
    return is_none_or_nv(input.applied_stiffness) && is_none_or_nv(input.applied_damping) &&
           input.ctrl.size() == model.nu() && input.applied_generalized.size() == model.nv() &&
           input.applied_wrench.cols() == model.num_bodies() &&
           input.equality_target.size() == model.num_equalities() &&
           input.mocap.size() == 7 * model.num_mocap;
  }

  // What the step would take over into the state unseen: of other inputs the motion says it.
  bool IsInputFinite() const {
    return input.mocap.allFinite() && input.equality_target.allFinite() &&
           (model.na() == 0 || input.ctrl.allFinite());
  }

  // One step with the forces of World::AddForce, which are gone afterwards, to the last bit.
  void Step() {
    if (!has_next_wrench) return TakeStep();
    kept_wrench = input.applied_wrench;
    input.applied_wrench += next_wrench;
    TakeStep();
    input.applied_wrench = kept_wrench;
    next_wrench.setZero();
    has_next_wrench = false;
  }

  // The step, and what sensors will want to know of it.
  void TakeStep() {
    if (sensing) {
      sensing->q_start = state.q;
      sensing->v_start = state.v;
      sensing->applied_wrench = input.applied_wrench;
    }
    // Who asks between steps, asks for what the step begins with.
    workspace.start_kin = HasKinematics() ? &kinematics : nullptr;
    stiction::Step(model, input, state, workspace, report);
    workspace.keeps_state = true;
    const bool is_taken_over = std::exchange(workspace.start_kin, nullptr) == nullptr;
    kinematics_is_current = kinematics_is_current && !is_taken_over && report.is_still;
    if (sensing && report.num_parts > 1) {
      sensing->q_start = workspace.parts_taken.q_start();
      sensing->v_start = workspace.parts_taken.v_start();
    }
    const bool is_taken = report.status == StepStatus::kOk || report.status == StepStatus::kBudgetMissed;
    ForgetSensors(is_taken);
  }

  void ForgetSensors(bool step_is_taken) {
    if (!sensing) return;
    sensing->is_current = false;
    sensing->has_step = step_is_taken;
  }

  bool has_sensors() const { return model.num_sensor_values > 0; }

  const VectorXd& CurrentSensors() {
    if (!sensing) return no_values;
    if (sensing->is_current) return sensing->values;
    const stiction::SensedStep step{workspace.dt,
                                    workspace.dt / report.num_parts,
                                    sensing->q_start,
                                    sensing->v_start,
                                    sensing->applied_wrench,
                                    CurrentContacts(),
                                    workspace.free_motion.forces()};
    CalcSensors(model, state, CurrentKinematics(), input.mocap, sensing->has_step ? &step : nullptr,
                sensing->workspace, sensing->values);
    sensing->is_current = true;
    return sensing->values;
  }

  // Contacts as the last step left them; impulses only where there was a step.
  void CollectContacts(bool with_impulses) {
    has_all_contacts = !with_impulses || workspace.sleep.num_absent() == 0;
    all_contacts_are_current = false;
    KeepStillContacts();
    const std::vector<int>& acting = workspace.rows.acting;
    contacts.resize(with_impulses ? acting.size() : workspace.contacts.size());
    workspace.pool.ForPieces(static_cast<int>(contacts.size()), kLeastContacts, [&](int begin, int end) {
      for (int k = begin; k < end; ++k)
        contacts[k] = with_impulses ? MakeActingContact(acting[k]) : MakeContact(k);
    });
  }

  // Before contacts of other trees take their place: those of trees that are still from now on. They are
  // those of the step after which that began.
  void KeepStillContacts() {
    still_contacts.reserve(contacts.capacity());  // not first when something comes to rest
    all_contacts.reserve(contacts.capacity());
    const bool has_still = !has_all_contacts && workspace.sleep.has_still();
    const std::vector<char>& computed = workspace.sleep.awake().contains;
    if (has_still ? computed == computed_trees : still_contacts.empty()) return;
    const auto is_computed = [&](const Contact& contact) {
      return workspace.sleep.IsAwake(workspace.chains[contact.geom_a].tree) &&
             workspace.sleep.IsAwake(workspace.chains[contact.geom_b].tree);
    };
    std::erase_if(still_contacts, [&](const Contact& contact) { return !has_still || is_computed(contact); });
    computed_trees.clear();
    if (!has_still) return;
    std::erase_if(contacts, is_computed);
    for (Contact& contact : contacts) contact.constraint = -1;
    MergeContacts(contacts, still_contacts, all_contacts);
    still_contacts.swap(all_contacts);
    computed_trees = computed;
  }

  // Of a detected contact.
  Contact MakeContact(int i) const {
    const TrackedContact& tracked = workspace.contacts[i].tracked;
    return {tracked.geom_a,    tracked.geom_b,   tracked.point.p_W, tracked.point.n_W,
            tracked.point.gap, Vector3d::Zero(), Vector3d::Zero(),  workspace.contacts[i].area};
  }
  Contact MakeActingContact(int i) const {
    Contact contact = MakeContact(i);
    const int constraint = workspace.rows.contact_constraint[i];
    const int row = workspace.problem.constraints[constraint].row;
    const Matrix3d& R_WC = workspace.R_WC[i];
    const double num_parts = workspace.parts_taken.num_parts();
    contact.constraint = constraint;
    contact.impulse_W = num_parts * (R_WC * workspace.solution.lambda.segment<3>(row));
    contact.moment_W =
        num_parts * CalcFrictionMoment(workspace.rows, workspace.solution.lambda, R_WC, constraint);
    return contact;
  }

  // Those of trees that sleep are added when asked for: while they sleep they cost nothing.
  const std::vector<Contact>& CurrentContacts() {
    if (has_all_contacts) return contacts;
    if (!all_contacts_are_current) {
      if (workspace.sleep.has_still())
        MergeContacts(contacts, still_contacts, all_contacts);
      else
        MergeSleepingContacts(model, workspace.sleep, workspace.kin, state.sleep, contacts, all_contacts);
    }
    all_contacts_are_current = true;
    return all_contacts;
  }

  // Whether the state's memory of who sleeps is one of this model; an empty one is.
  bool SleepFits(const SleepMemory& sleep) const {
    const std::size_t n = sleep.island.empty() ? 0 : model.trees.size();
    const auto is_tree = [&](int tree) { return tree >= -1 && tree < model.num_trees(); };
    const auto is_geom = [&](int geom) { return geom >= 0 && geom < model.num_geoms(); };
    return sleep.island.size() == n && sleep.time_at_rest.size() == n && sleep.ncp.size() == n &&
           (n == 0 || sleep.q.size() == model.nq()) &&
           std::all_of(sleep.island.begin(), sleep.island.end(), is_tree) &&
           std::all_of(sleep.contacts.begin(), sleep.contacts.end(), [&](const ContactMemory& contact) {
             return is_geom(contact.geom_a) && is_geom(contact.geom_b);
           });
  }

  // Of a model that has sensors.
  struct Sensing {
    explicit Sensing(const Model& model)
        : workspace(model),
          values(VectorXd::Zero(model.num_sensor_values)),
          q_start(model.nq()),
          v_start(model.nv()),
          applied_wrench(6, model.num_bodies()) {}
    SensorWorkspace workspace;
    VectorXd values;
    bool is_current = false;  // values are those of the state
    bool has_step = false;    // the state is that of a step's end; what follows is its
    VectorXd q_start, v_start;
    Matrix6Xd applied_wrench;
  };

  Model model;
  WorldOptions options;
  State state;
  Input input;
  StepWorkspace workspace;
  StepReport report;
  std::function<void(const World&, Input&)> controller;
  std::vector<Contact> contacts;        // of trees that were computed in the last step
  std::vector<Contact> still_contacts;  // of those that were not, because they repeat themselves
  std::vector<char> computed_trees;     // one per tree, where there are such
  std::vector<Contact> all_contacts;
  bool has_all_contacts = true;  // `contacts` does: nobody slept
  bool all_contacts_are_current = false;
  std::vector<char> wake;  // one per tree: scratch
  ContactSorter contact_sorter;
  Matrix6Xd next_wrench;  // as Input::applied_wrench, for the next step only
  bool has_next_wrench = false;
  Matrix6Xd kept_wrench;  // the input's own while that step runs
  Kinematics kinematics;
  TendonWorkspace tendons;    // at kinematics
  VectorXd kinematics_mocap;  // that it was computed with
  bool kinematics_is_current = false;
  std::unique_ptr<Sensing> sensing;
  VectorXd no_values;
};

World::World(Model model, WorldOptions options)
    : impl_(std::make_unique<Impl>(std::move(model), std::move(options))) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

const TendonWorkspace& World::tendons() const {
  impl_->CurrentKinematics();
  return impl_->tendons;
}

const Model& World::model() const {
  return impl_->model;
}
double World::time() const {
  return impl_->state.time;
}
Integrator World::integrator() const {
  return impl_->workspace.integrator;
}

const Budget& World::budget() const {
  return impl_->workspace.solve.budget;
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
void World::set_num_threads(int num_threads) {
  impl_->workspace.set_num_threads(impl_->options, num_threads);
  impl_->options.num_threads = num_threads;
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
  if (!FitsState(model, state)) throw std::invalid_argument("the state has another size than the model");
  if (!state.q.allFinite() || !state.v.allFinite() || !state.activation.allFinite() ||
      !std::isfinite(state.time)) {
    throw std::invalid_argument("the state holds a number that is not finite");
  }
  if (!impl_->SleepFits(state.sleep))
    throw std::invalid_argument("the state's memory of who sleeps is of another model");
  impl_->CurrentContacts();  // of the last step: what it remembers of them is about to be replaced
  impl_->workspace.still.Forget();
  impl_->workspace.keeps_state = false;
  impl_->state = state;
  NormalizeQuaternions(model, impl_->state.q);
  impl_->kinematics_is_current = false;
  impl_->ForgetSensors(false);
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
  if (impl_->controller) {
    impl_->input.memory = impl_->state.memory;
    impl_->controller(*this, impl_->input);
    impl_->state.memory = impl_->input.memory;
  }
  const bool fits = impl_->InputFits();
  if (!fits || !impl_->IsInputFinite()) {
    impl_->report = StepReport{};
    impl_->report.status = fits ? StepStatus::kDiverged : StepStatus::kInvalidInput;
    impl_->ForgetSensors(false);
    return impl_->report;
  }
  impl_->Step();
  const bool keeps_contacts = impl_->report.status == StepStatus::kSingularMass || impl_->report.is_still;
  if (!keeps_contacts) impl_->CollectContacts(true);
  return impl_->report;
}

void World::Refresh() {
  impl_->CurrentSensors();  // of the last step, whose contacts are about to be replaced
  impl_->workspace.Detect(impl_->model, impl_->input, impl_->state);
  impl_->CollectContacts(false);
}

const Kinematics& World::kinematics() const {
  return impl_->CurrentKinematics();
}
const std::vector<Contact>& World::contacts() const {
  return impl_->CurrentContacts();
}

bool World::IsAsleep(int body) const {
  const int tree = impl_->TreeOf(body);
  const std::vector<int>& island = impl_->state.sleep.island;
  return tree >= 0 && !island.empty() && island[tree] >= 0;
}

void World::Wake(int body) {
  const int tree = impl_->TreeOf(body);
  SleepMemory& sleep = impl_->state.sleep;
  if (tree < 0 || sleep.island.empty()) return;
  impl_->CurrentContacts();
  impl_->wake.assign(sleep.island.size(), 0);
  impl_->wake[tree] = 1;
  impl_->workspace.keeps_state = false;
  WakeIslands(impl_->model, impl_->wake, impl_->contact_sorter, impl_->state);
  sleep.time_at_rest[tree] = 0.0;
}

void World::AddForce(int body, const Vector3d& p_WQ, const Vector3d& f_W) {
  if (body < 0 || body >= impl_->model.num_bodies()) {
    throw std::out_of_range("no body " + std::to_string(body) + " to push");
  }
  impl_->next_wrench.col(body).head<3>() += (p_WQ - kinematics().p_WBcm[body]).cross(f_W);
  impl_->next_wrench.col(body).tail<3>() += f_W;
  impl_->has_next_wrench = true;
}

void World::CheckInputFits() const {
  if (!impl_->InputFits())
    throw std::invalid_argument("a vector of the input has another size than the model");
}

const Matrix6Xd& World::next_wrench() const {
  return impl_->next_wrench;
}

void World::set_next_wrench(const Matrix6Xd& wrench) {
  if (wrench.cols() != impl_->next_wrench.cols())
    throw std::invalid_argument("the wrenches have another size than the model");
  impl_->next_wrench = wrench;
  impl_->has_next_wrench = !wrench.isZero(0.0);
}

const VectorXd& World::sensors() const {
  return impl_->CurrentSensors();
}
Eigen::Map<const VectorXd> World::sensor(int index) const {
  const auto& sensors = impl_->model.sensors;
  if (index < 0 || index >= static_cast<int>(sensors.size())) {
    throw std::out_of_range("no sensor " + std::to_string(index) + ": the model has " +
                            std::to_string(sensors.size()));
  }
  return {impl_->CurrentSensors().data() + sensors[index].first, sensors[index].size};
}

const ContactProblem& World::problem() const {
  return impl_->workspace.problem;
}
ContactProblem World::MakeProblem() const {
  const StepWorkspace& ws = impl_->workspace;
  ContactProblem problem = ws.problem;
  AddBodies(ws.frame(), ws.rows, problem);
  return problem;
}
const Solution& World::solution() const {
  return impl_->workspace.solution;
}
Solution World::warm_start() const {
  const std::vector<double>&lambda = impl_->workspace.rows.warm_start, &trend = impl_->workspace.rows.trend;
  const auto size = static_cast<Eigen::Index>(lambda.size()), known = static_cast<Eigen::Index>(trend.size());
  Solution out;
  out.lambda = Eigen::Map<const VectorXd>(lambda.data(), size);
  out.trend.setZero(size);
  out.trend.head(known) = Eigen::Map<const VectorXd>(trend.data(), known);
  return out;
}

}  // namespace stiction
