#include "stiction/sim/batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "stiction/sim/controller.h"
#include "stiction/sim/sensors.h"
#include "tests/support/scenes.h"

namespace stiction::testing {
namespace {

constexpr int kWorlds = 13, kSteps = 60;

// Boxes that fall upon one another beside a driven pendulum that meets its limit: contacts that stick, slide
// and break, limits, an actuator and sensors.
Model MakeScene(double friction = 0.6, bool is_held = false) {
  ModelBuilder builder("scene");
  AddFloor(builder, {.friction = friction});
  for (int i = 0; i < 3; ++i)
    AddFreeBody(builder, Box{Vector3d::Constant(0.05)}, 1.0 + 3.0 * i,
                Turn(i == 1 ? 0.2 : 0.0, Vector3d::UnitX(), {0.01 * i, 0.0, 0.051 + 0.11 * i}));
  const int arm = builder.AddBody({.name = "arm", .X_PB = Shift(2, 0, 1)});
  const int hinge = builder.AddJoint(
      arm, {.name = "hinge", .kind = HingeJoint{.axis_B = Vector3d::UnitY()}, .lower = -0.2, .upper = 0.4});
  if (is_held) {  // by a rod to a point a metre below the hinge
    const Frame tip{.body = arm, .X_BF = Shift(0.3, 0, 0)}, foot{.body = 0, .X_BF = Shift(2, 0, 0)};
    builder.AddEquality({.kind = PointDistance{.a = tip, .b = foot, .distance = std::sqrt(1.09)}});
  }
  builder.AddGeom({.body = arm, .shape = Capsule{0.02, 0.15}, .X_BG = Shift(0.15, 0, 0)}, {.mass = 1.0});
  builder.AddActuator({.name = "motor", .joint = hinge});
  Sensor clock;
  clock.type = SensorType::kClock;
  builder.AddSensor(clock);
  return builder.Build();
}

// Every world starts a little elsewhere, with another speed.
std::vector<State> MakeStarts(const Model& model, int count = kWorlds) {
  std::vector<State> states(count, State::Default(model));
  for (int i = 0; i < count; ++i) {
    states[i].q[2] += 1e-3 * i;
    states[i].v[0] = 0.3 * i;
    states[i].v[model.nv() - 1] = 0.5 * i;
  }
  return states;
}

std::vector<double> MakeControls(int worlds, int steps) {
  std::vector<double> controls(worlds * steps);
  for (int i = 0; i < worlds * steps; ++i) controls[i] = std::sin(0.37 * i);
  return controls;
}

// All that a rollout can give, in arrays of the right sizes.
struct Arrays {
  Arrays(const Batch& batch, int worlds, int steps, std::optional<int> room = std::nullopt)
      : rows(static_cast<std::size_t>(worlds) * steps * batch.layout(room).size(), -7.0),
        sensors(static_cast<std::size_t>(worlds) * steps * batch.model().num_sensor_values, -7.0),
        ncp(worlds * steps, -7.0),
        status(worlds * steps, StepStatus::kSingularMass),
        num_contacts(worlds * steps, -7),
        contacts(worlds * steps * 8),
        final_states(worlds),
        output{.state_rows = rows,
               .row_max_contacts = room,
               .sensors = sensors,
               .ncp = ncp,
               .status = status,
               .num_contacts = num_contacts,
               .contacts = contacts,
               .max_contacts = 8,
               .final_states = final_states} {}
  Arrays(const Arrays&) = delete;

  std::vector<double> rows, sensors, ncp;
  std::vector<StepStatus> status;
  std::vector<int> num_contacts;
  std::vector<Contact> contacts;
  std::vector<State> final_states;
  RolloutOutput output;
};

std::vector<std::uint64_t> HashesOf(const std::vector<State>& states) {
  std::vector<std::uint64_t> hashes;
  for (const State& state : states) hashes.push_back(Hash(state));
  return hashes;
}

std::string MessageOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

void ExpectRefused(const std::function<void()>& action, const std::string& part) {
  const std::string message = MessageOf(action);
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Batch, EqualsWorldsThatAreSteppedByThemselves) {
  const Model model = MakeScene();
  Batch batch(model, {.num_threads = 3});
  const std::vector<State> starts = MakeStarts(model);
  const std::vector<double> controls = MakeControls(kWorlds, kSteps);
  Arrays arrays(batch, kWorlds, kSteps);
  const RolloutReport report = batch.Rollout(
      {.num_worlds = kWorlds, .num_steps = kSteps, .states = starts, .controls = controls}, arrays.output);
  EXPECT_TRUE(report.troubles.empty());
  const StateLayout layout = batch.layout();
  int most_contacts = 0;
  for (int i = 0; i < kWorlds; ++i) {
    World world(model);
    world.set_state(starts[i]);
    for (int k = 0; k < kSteps; ++k) {
      const int row = i * kSteps + k;
      world.input().ctrl[0] = controls[row];
      ASSERT_EQ(world.Step().status, arrays.status[row]);
      const double* state = arrays.rows.data() + row * layout.size();
      EXPECT_EQ(state[0], world.time());
      ASSERT_EQ(Eigen::Map<const VectorXd>(state + layout.q(), model.nq()), world.q()) << i << ' ' << k;
      ASSERT_EQ(Eigen::Map<const VectorXd>(state + layout.v(), model.nv()), world.v()) << i << ' ' << k;
      EXPECT_EQ(arrays.ncp[row], world.report().certificate.ncp_max);
      EXPECT_EQ(arrays.sensors[row], world.sensors()[0]);
      ASSERT_EQ(arrays.num_contacts[row], static_cast<int>(world.contacts().size()));
      most_contacts = std::max(most_contacts, arrays.num_contacts[row]);
      for (int c = 0; c < 8; ++c) {
        const Contact& contact = arrays.contacts[row * 8 + c];
        if (c >= arrays.num_contacts[row]) {
          EXPECT_TRUE(contact.geom_a == -1 && contact.impulse_W.isZero(0.0));
          continue;
        }
        EXPECT_EQ(contact.geom_b, world.contacts()[c].geom_b);
        EXPECT_EQ(contact.impulse_W, world.contacts()[c].impulse_W);
      }
    }
    EXPECT_EQ(Hash(arrays.final_states[i]), Hash(world.state()));
  }
  EXPECT_GT(most_contacts, 8);  // more than there is room for, too
}

TEST(Batch, HasTheSameBitsOnAnyNumberOfThreadsAndInRepetition) {
  const Model model = MakeScene();
  const std::vector<State> starts = MakeStarts(model, 40);
  const std::vector<double> controls = MakeControls(40, kSteps);
  std::vector<double> rows, ncp;
  for (const int threads : {1, 2, 3, 4, 8}) {
    Batch batch(model, {.num_threads = threads});
    for (int repetition = 0; repetition < 2; ++repetition) {
      Arrays arrays(batch, 40, kSteps, 64);
      batch.Rollout({.num_worlds = 40, .num_steps = kSteps, .states = starts, .controls = controls},
                    arrays.output);
      if (rows.empty()) rows = arrays.rows, ncp = arrays.ncp;
      EXPECT_EQ(arrays.rows, rows) << threads;  // whole rows: warm start, slip and all
      EXPECT_EQ(arrays.ncp, ncp) << threads;
    }
  }
}

// Tasks that wait for one another can only be finished by as many threads; whatever batches there are.
TEST(ForEachTask, UsesAsManyThreadsAsAskedFor) {
  const Batch batch(MakeBoxStack(1), {.num_threads = 2});
  std::atomic<int> waiting = 0;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  ForEachTask(8, 8, [&](int) {
    ++waiting;
    while (waiting < 8 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  });
  EXPECT_EQ(waiting, 8);
  EXPECT_LT(std::chrono::steady_clock::now(), deadline);
}

TEST(ForEachTask, DoesEachOnceAndInOrderOnOneThread) {
  std::vector<std::atomic<int>> counts(1000);
  ForEachTask(1000, 4, [&](int i) { ++counts[i]; });
  EXPECT_TRUE(std::all_of(counts.begin(), counts.end(), [](const auto& count) { return count == 1; }));
  std::vector<int> order;
  const std::thread::id caller = std::this_thread::get_id();
  ForEachTask(5, 1, [&](int i) {
    order.push_back(i);
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(Batch, ContinuesFromFinalStatesAndWholeRowsWithTheSameBits) {
  const Model model = MakeScene();
  Batch batch(model, {.num_threads = 2});
  const std::vector<State> starts = MakeStarts(model);
  const std::vector<double> controls = MakeControls(1, 2 * kSteps);
  const std::span<const double> first = {controls.data(), kSteps},
                                second = {controls.data() + kSteps, kSteps};
  Arrays once(batch, kWorlds, 2 * kSteps, 64);
  batch.Rollout({.num_worlds = kWorlds, .num_steps = 2 * kSteps, .states = starts, .controls = controls},
                once.output);

  // In place.
  std::vector<State> states = starts;
  const RolloutOutput in_place{.final_states = states};
  batch.Rollout({.num_worlds = kWorlds, .num_steps = kSteps, .states = states, .controls = first}, in_place);
  batch.Rollout({.num_worlds = kWorlds, .num_steps = kSteps, .states = states, .controls = second}, in_place);
  EXPECT_EQ(HashesOf(states), HashesOf(once.final_states));

  Arrays half(batch, kWorlds, kSteps, 64), rest(batch, kWorlds, kSteps, 64);
  batch.Rollout({.num_worlds = kWorlds, .num_steps = kSteps, .states = starts, .controls = first},
                half.output);
  const int size = batch.layout(64).size();
  std::vector<double> last(static_cast<std::size_t>(kWorlds) * size);
  for (int i = 0; i < kWorlds; ++i)
    std::copy_n(half.rows.begin() + ((i + 1) * kSteps - 1) * size, size, last.begin() + i * size);
  batch.Rollout({.num_worlds = kWorlds,
                 .num_steps = kSteps,
                 .state_rows = last,
                 .row_max_contacts = 64,
                 .controls = second},
                rest.output);
  EXPECT_EQ(HashesOf(rest.final_states), HashesOf(once.final_states));
}

// What sleeps keeps its contacts elsewhere; a World that is used again has to forget who slept.
TEST(Batch, ContinuesSleepersWithTheSameBits) {
  const Model model = MakeBoxStack(2, 1.0, -1e-4);
  Batch batch(model, {.world = {.sleep = true}, .num_threads = 2});
  std::vector<State> states = MakeStarts(model, 6);
  for (int i = 0; i < 6; ++i) states[i].v.setZero();
  Arrays early(batch, 6, 600, 16), late(batch, 6, 100, 16);
  batch.Rollout({.num_worlds = 6, .num_steps = 600, .states = states}, early.output);
  const int size = batch.layout(16).size();
  std::vector<double> last(6 * size);
  for (int i = 0; i < 6; ++i)
    std::copy_n(early.rows.begin() + (600 * i + 599) * size, size, last.begin() + i * size);
  const RolloutPolicy kick = [](int world, int step, const World&, Input& input) {
    input.applied_wrench(5, 1 + world % 2) = step == 20 + world ? 30.0 : 0.0;
  };
  batch.Rollout(
      {.num_worlds = 6, .num_steps = 100, .state_rows = last, .row_max_contacts = 16, .policy = kick},
      late.output);
  for (int i = 0; i < 6; ++i) {
    World world(model, {.sleep = true});
    world.set_state(states[i]);
    for (int k = 0; k < 600; ++k) world.Step();
    EXPECT_EQ(world.report().num_sleeping, 2) << i;
    for (int k = 0; k < 100; ++k) {
      kick(i, k, world, world.input());
      world.Step();
    }
    EXPECT_EQ(world.report().num_sleeping, 0) << i;
    EXPECT_EQ(Hash(late.final_states[i]), Hash(world.state())) << i;
  }
}

TEST(Batch, PolicySeesItsWorldAndWritesItsInput) {
  const Model model = MakeScene();
  const std::vector<State> starts = MakeStarts(model);
  const auto damp = [](const World& world, Input& input) {
    input.ctrl[0] = -5.0 * world.v()[world.model().nv() - 1];
  };
  Batch batch(model, {.num_threads = 2});
  Arrays arrays(batch, kWorlds, kSteps);
  std::vector<int> steps_seen(kWorlds, 0);
  batch.Rollout({.num_worlds = kWorlds,
                 .num_steps = kSteps,
                 .states = starts,
                 .policy =
                     [&](int i, int step, const World& world, Input& input) {
                       EXPECT_EQ(step, steps_seen[i]++);
                       EXPECT_NEAR(world.time(), step * world.timestep(), 1e-12);
                       damp(world, input);
                     }},
                arrays.output);
  EXPECT_EQ(steps_seen, std::vector<int>(kWorlds, kSteps));
  for (int i = 0; i < kWorlds; ++i) {
    World world(model);
    world.set_state(starts[i]);
    world.set_controller(damp);
    for (int k = 0; k < kSteps; ++k) world.Step();
    EXPECT_EQ(Hash(arrays.final_states[i]), Hash(world.state())) << i;
  }
}

// Controllers by `prepare`; inputs of one rollout are forgotten in the next.
TEST(Batch, EachRolloutBeginsWithThePreparedInput) {
  const Model model = MakeScene();
  Batch batch(model, {.num_threads = 2, .prepare = [](World& world) { world.input().ctrl[0] = 0.7; }});
  const State start = State::Default(model);
  const RolloutInput plain{.num_worlds = 4, .num_steps = 20, .states = {&start, 1}};
  RolloutInput pushed = plain;
  pushed.policy = [](int, int, const World&, Input& input) {
    input.ctrl[0] = 100.0;
    input.applied_generalized.setConstant(1.0);
  };
  Arrays first(batch, 4, 20), other(batch, 4, 20), second(batch, 4, 20);
  batch.Rollout(plain, first.output);
  batch.Rollout(pushed, other.output);
  batch.Rollout(plain, second.output);
  EXPECT_EQ(first.rows, second.rows);
  EXPECT_NE(first.rows, other.rows);
  World world(model);
  world.input().ctrl[0] = 0.7;
  for (int k = 0; k < 20; ++k) world.Step();
  EXPECT_EQ(Hash(first.final_states[3]), Hash(world.state()));
}

TEST(Batch, SeveralModelsOfOneSize) {
  std::vector<Model> models;
  for (const double friction : {0.0, 0.2, 0.9}) models.push_back(MakeScene(friction));
  Batch batch(models, {.num_threads = 2});
  const std::vector<int> model_of{2, 0, 0, 1};
  State start = State::Default(models[0]);
  start.v[0] = 1.0;
  Arrays arrays(batch, 4, kSteps);
  const RolloutInput input{.num_worlds = 4, .num_steps = kSteps, .states = {&start, 1}, .models = model_of};
  batch.Rollout(input, arrays.output);
  EXPECT_EQ(Hash(arrays.final_states[1]), Hash(arrays.final_states[2]));
  for (int i = 0; i < 4; ++i) {
    World world(models[model_of[i]]);
    world.set_state(start);
    for (int k = 0; k < kSteps; ++k) world.Step();
    EXPECT_EQ(Hash(arrays.final_states[i]), Hash(world.state())) << i;
  }
  ExpectRefused(
      [&] {
        batch.Rollout({.num_worlds = 4, .num_steps = 1, .states = {&start, 1}}, {});
      },
      "which world has which");
  const std::vector<int> wrong{0, 0, 0, 3};
  ExpectRefused(
      [&] {
        batch.Rollout({.num_worlds = 4, .states = {&start, 1}, .models = wrong}, {});
      },
      "no model 3");
  models.push_back(MakeBoxStack(2));
  ExpectRefused([&] { Batch{models}; }, "model 3 of the batch has nq = 14, model 0 has 22");
}

// Plain rows have no past, and so nothing that models of one size could differ in; whole rows do.
TEST(Batch, ModelsWithOtherEqualitiesSharePlainRows) {
  std::vector<Model> models{MakeScene(), MakeScene(0.6, true)};
  ASSERT_NE(models[0].num_equality_rows, models[1].num_equality_rows);
  Batch batch(models, {.num_threads = 2});
  const State start = State::Default(models[0]);
  std::vector<double> row(batch.layout().size());
  batch.layout().Pack(start, row);
  std::vector<State> ends(2);
  const RolloutInput input{.num_worlds = 2, .num_steps = 200, .state_rows = row};
  batch.Rollout(input, {.final_states = ends});
  for (int i = 0; i < 2; ++i) {
    World world(models[i]);
    for (int k = 0; k < 200; ++k) world.Step();
    EXPECT_EQ(Hash(ends[i]), Hash(world.state())) << i;
  }
  EXPECT_NE(Hash(ends[0]), Hash(ends[1]));
  ExpectRefused([&] { (void)batch.layout(10); }, "use final_states");
}

// A force so large that the world's numbers leave their range.
RolloutPolicy PushToInfinity(int bad_world, int bad_step) {
  return [=](int i, int step, const World&, Input& input) {
    input.applied_generalized[0] = i == bad_world && step == bad_step ? 1e300 : 0.0;
  };
}

TEST(Batch, DivergenceStopsOneWorldAlone) {
  const Model model = MakeScene();
  Batch batch(model, {.num_threads = 2});
  const std::vector<State> starts = MakeStarts(model);
  Arrays arrays(batch, kWorlds, kSteps), calm(batch, kWorlds, kSteps);
  const RolloutReport report = batch.Rollout(
      {.num_worlds = kWorlds, .num_steps = kSteps, .states = starts, .policy = PushToInfinity(5, 30)},
      arrays.output);
  batch.Rollout({.num_worlds = kWorlds, .num_steps = kSteps, .states = starts}, calm.output);
  ASSERT_EQ(report.troubles.size(), 1u);
  const WorldTrouble& trouble = report.troubles[0];
  EXPECT_EQ(trouble.world, 5);
  EXPECT_EQ(trouble.step, 30);
  EXPECT_EQ(trouble.status, StepStatus::kDiverged);
  EXPECT_EQ(trouble.bad_body, 1);
  EXPECT_EQ(trouble.num_steps, 31);
  EXPECT_EQ(trouble.num_failed, 1);
  EXPECT_EQ(Hash(trouble.last_good_state), Hash(arrays.final_states[5]));
  World world(model);
  world.set_state(starts[5]);
  for (int k = 0; k < 30; ++k) world.Step();
  EXPECT_EQ(Hash(trouble.last_good_state), Hash(world.state()));
  for (int i = 0; i < kWorlds; ++i) {
    if (i == 5) continue;
    EXPECT_EQ(Hash(arrays.final_states[i]), Hash(calm.final_states[i])) << i;
  }
  // Its rows: taken, failed, not taken.
  const int row = 5 * kSteps, size = batch.layout().size();
  EXPECT_EQ(arrays.ncp[row + 29], calm.ncp[row + 29]);
  EXPECT_EQ(arrays.rows[(row + 30) * size], arrays.rows[(row + 29) * size]);
  EXPECT_TRUE(std::isnan(arrays.rows[(row + 31) * size]) && std::isnan(arrays.ncp[row + kSteps - 1]));
  EXPECT_TRUE(std::isnan(arrays.sensors[row + 31]));
  EXPECT_EQ(arrays.status[row + kSteps - 1], StepStatus::kDiverged);
  EXPECT_EQ(arrays.num_contacts[row + 31], 0);
  EXPECT_EQ(arrays.contacts[(row + 31) * 8].geom_a, -1);
  EXPECT_EQ(arrays.ncp[row + kSteps], calm.ncp[row + kSteps]);  // of the next world
}

TEST(Batch, DivergedWorldGoesOnIfAsked) {
  const Model model = MakeScene();
  Batch batch(model, {.num_threads = 2});
  const std::vector<State> starts = MakeStarts(model);
  Arrays arrays(batch, kWorlds, kSteps);
  const RolloutReport report = batch.Rollout({.num_worlds = kWorlds,
                                              .num_steps = kSteps,
                                              .states = starts,
                                              .policy = PushToInfinity(2, 30),
                                              .goes_on_after_failure = true},
                                             arrays.output);
  ASSERT_EQ(report.troubles.size(), 1u);
  EXPECT_EQ(report.troubles[0].num_steps, kSteps);
  EXPECT_EQ(report.troubles[0].num_failed, 1);
  EXPECT_EQ(arrays.status[2 * kSteps + 31], StepStatus::kOk);
  World world(model);
  world.set_state(starts[2]);
  for (int k = 0; k < kSteps - 1; ++k) world.Step();
  EXPECT_EQ(Hash(arrays.final_states[2]), Hash(world.state()));
}

// One sweep that is not tried again does not meet the budget of a stack that lands.
TEST(Batch, MissedBudgetIsReportedAndStopsWhereAsked) {
  const Model model = MakeBoxStack(6, 100.0);
  WorldOptions options;
  options.solver = "nbgs_c";
  options.solver_options = {{"max_sweeps", "1"}};
  options.on_miss = OnMiss::kAccept;
  std::vector<State> starts(3, State::Default(model));
  starts[1].q[2] += 0.5;  // flies
  for (int i = 0; i < 6; ++i) starts[1].q[7 * i + 2] = 10.0 + i;
  Batch batch(model, {.world = options, .num_threads = 2});
  Arrays arrays(batch, 3, 20);
  const RolloutInput input{.num_worlds = 3, .num_steps = 20, .states = starts};
  const RolloutReport report = batch.Rollout(input, arrays.output);
  ASSERT_EQ(report.troubles.size(), 2u);
  for (const WorldTrouble& trouble : report.troubles) {
    EXPECT_NE(trouble.world, 1);
    EXPECT_EQ(trouble.status, StepStatus::kBudgetMissed);
    EXPECT_EQ(trouble.num_steps, 20);
    const auto begin = arrays.status.begin() + 20 * trouble.world;
    EXPECT_EQ(trouble.num_missed, std::count(begin, begin + 20, StepStatus::kBudgetMissed));
    EXPECT_GT(arrays.ncp[20 * trouble.world + trouble.step], kDefaultBudget.absolute);
  }

  options.on_miss = OnMiss::kStop;
  Batch strict(model, {.world = options, .num_threads = 2});
  Arrays stopped(strict, 3, 20);
  const RolloutReport stops = strict.Rollout(input, stopped.output);
  ASSERT_GE(stops.troubles.size(), 1u);
  for (const WorldTrouble& trouble : stops.troubles) {
    EXPECT_EQ(trouble.num_steps, trouble.step + 1);
    EXPECT_EQ(trouble.num_missed, 1);
    World world(model, options);
    world.set_state(starts[trouble.world]);
    for (int k = 0; k < trouble.step; ++k) EXPECT_EQ(world.Step().status, StepStatus::kOk);
    EXPECT_EQ(Hash(trouble.last_good_state), Hash(world.state()));
    EXPECT_EQ(world.Step().status, StepStatus::kBudgetMissed);
    EXPECT_EQ(Hash(stopped.final_states[trouble.world]), Hash(world.state()));
  }
}

struct PolicyError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

TEST(Batch, ExceptionsOfAPolicyLeaveAsTheyAre) {
  const Model model = MakeScene();
  const std::vector<State> starts = MakeStarts(model, 64);
  for (const int threads : {1, 2, 4}) {
    Batch batch(model, {.num_threads = threads});
    std::atomic<int> steps = 0;
    RolloutInput input{.num_worlds = 64, .num_steps = 1000, .states = starts};
    input.policy = [&](int world, int step, const World&, Input&) {
      ++steps;
      if (step == 5) throw PolicyError("world " + std::to_string(world));
    };
    EXPECT_THROW(batch.Rollout(input, {}), PolicyError);
    EXPECT_LT(steps, 64 * 6);  // the others stop
    // And the batch is as good as before.
    input.policy = nullptr;
    input.num_steps = 10;
    Arrays arrays(batch, 64, 10), expected(batch, 64, 10);
    batch.Rollout(input, arrays.output);
    Batch(model).Rollout(input, expected.output);
    EXPECT_EQ(arrays.rows, expected.rows);
  }
}

// Steps that would take hours. The first world diverges at once, so that the caller may have nothing to do
// but wait for the others when it is told to stop.
TEST(Batch, StopsWhenItIsAskedTo) {
  const Model model = MakeScene();
  const std::vector<State> starts = MakeStarts(model, 5);
  const double timestep = World(model).timestep();
  constexpr int kLong = 1000000;
  for (const int threads : {1, 2}) {
    Batch batch(model, {.num_threads = threads});
    std::vector<StepStatus> status(5 * kLong);
    std::vector<int> num_contacts(5 * kLong, -7);
    std::vector<double> ncp(5 * kLong);
    std::vector<State> ends(5);
    int looks = 0;
    const std::thread::id caller = std::this_thread::get_id();
    RolloutInput input{.num_worlds = 5, .num_steps = kLong, .states = starts, .policy = PushToInfinity(0, 2)};
    input.should_stop = [&] {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      return ++looks == 2;
    };
    const RolloutReport report = batch.Rollout(
        input, {.ncp = ncp, .status = status, .num_contacts = num_contacts, .final_states = ends});
    EXPECT_TRUE(report.was_stopped);
    EXPECT_EQ(looks, 2);
    ASSERT_EQ(report.troubles.size(), 1u);
    EXPECT_EQ(report.troubles[0].num_steps, 3);
    for (int i = 0; i < 5; ++i) {
      const auto begin = ncp.begin() + i * kLong;
      const auto end = std::find_if(begin, begin + kLong, [](double value) { return std::isnan(value); });
      const int num_taken = static_cast<int>(end - begin);
      ASSERT_LT(num_taken, kLong);
      EXPECT_EQ(num_contacts[(i + 1) * kLong - 1], 0);
      if (i == 4 && threads == 1) {  // whose turn did not come
        EXPECT_EQ(num_taken, 0);
        EXPECT_EQ(status[(i + 1) * kLong - 1], StepStatus::kOk);
      }
      EXPECT_NEAR(ends[i].time, (i == 0 ? 2 : num_taken) * timestep, 1e-6);
    }
    // And the batch is as good as before; whoever is asked says no.
    RolloutInput brief{.num_worlds = 5, .num_steps = 10, .states = starts};
    Arrays arrays(batch, 5, 10), expected(batch, 5, 10);
    Batch(model).Rollout(brief, expected.output);
    brief.should_stop = [] { return false; };
    EXPECT_FALSE(batch.Rollout(brief, arrays.output).was_stopped);
    EXPECT_EQ(arrays.rows, expected.rows);
  }
}

TEST(Batch, ExceptionsOfWhoeverIsAskedToStopLeaveAsTheyAre) {
  const Model model = MakeScene();
  const std::vector<State> starts = MakeStarts(model, 5);
  for (const int threads : {1, 2}) {
    Batch batch(model, {.num_threads = threads});
    RolloutInput input{.num_worlds = 5, .num_steps = 1000000, .states = starts};
    input.should_stop = []() -> bool { throw PolicyError("no"); };
    EXPECT_THROW(batch.Rollout(input, {}), PolicyError);
  }
}

TEST(Batch, RefusesWrongSizesByName) {
  const Model model = MakeScene();
  Batch batch(model);
  const State start = State::Default(model);
  std::vector<double> numbers(7);
  std::vector<State> three(3, start);
  const auto roll = [&](const RolloutInput& input, const RolloutOutput& output = {}) {
    return [&, input, output] { batch.Rollout(input, output); };
  };
  const RolloutInput good{.num_worlds = 4, .num_steps = 2, .states = {&start, 1}};
  const auto with = [&](const auto& change) {
    RolloutInput input = good;
    change(input);
    return roll(input);
  };
  ExpectRefused(with([](RolloutInput& in) { in.num_worlds = -1; }), "num_worlds is -1");
  ExpectRefused(with([](RolloutInput& in) { in.num_steps = -5; }), "num_steps is -5");
  ExpectRefused(with([](RolloutInput& in) { in.states = {}; }), "give one of them");
  ExpectRefused(with([&](RolloutInput& in) { in.state_rows = numbers; }), "give one of them");
  ExpectRefused(with([&](RolloutInput& in) { in.states = three; }),
                "states has 3 entries; expected [4 worlds, or 1]");
  ExpectRefused(with([&](RolloutInput& in) { in.controls = numbers; }),
                "controls has 7 entries; expected [4 worlds, or 1, 2 steps, 1 controls]");
  ExpectRefused(with([&](RolloutInput& in) { in.states = {}, in.state_rows = numbers; }), "state_rows has 7");
  ExpectRefused(with([&](RolloutInput& in) { in.row_max_contacts = -2; }), "-2");
  ExpectRefused(roll(good, {.state_rows = numbers}), "state_rows has 7");
  ExpectRefused(roll(good, {.sensors = numbers}), "sensors has 7 entries; expected [4 worlds, 2 steps, 1 ");
  ExpectRefused(roll(good, {.ncp = numbers}), "ncp has 7 entries; expected [4 worlds, 2 steps]");
  ExpectRefused(roll(good, {.final_states = three}), "final_states has 3");
  RolloutInput endless = good;
  endless.num_worlds = endless.num_steps = std::numeric_limits<int>::max();
  ExpectRefused(roll(endless, {.ncp = numbers}), "ncp has 7");
  const State other = State::Default(MakeBoxStack(1));
  ExpectRefused(with([&](RolloutInput& in) { in.states = {&other, 1}; }), "the initial state of world 0");
  State bad = start;
  bad.limits.clear();
  ExpectRefused(with([&](RolloutInput& in) { in.states = {&bad, 1}; }), "another size");
  bad = start;
  bad.contacts.push_back({.geom_a = 0, .geom_b = 1000});
  ExpectRefused(with([&](RolloutInput& in) { in.states = {&bad, 1}; }), "another size");
  bad = start;
  bad.v[3] = std::nan("");
  ExpectRefused(with([&](RolloutInput& in) { in.states = {&bad, 1}; }), "not finite");
}

TEST(Batch, RefusesAbsurdThreadsAndOptions) {
  const Model model = MakeBoxStack(1);
  for (const int threads : {0, -1, kMaxThreads + 1, std::numeric_limits<int>::max()}) {
    ExpectRefused([&] { Batch(model, {.num_threads = threads}); }, "between 1 and 1024");
    ExpectRefused([&] { ForEachTask(1, threads, [](int) {}); }, std::to_string(threads));
  }
  ExpectRefused([&] { Batch(model, {.world = {.solver = "none_such"}}); }, "none_such");
  ExpectRefused([&] { Batch(std::vector<Model>{}); }, "needs a model");
}

TEST(Batch, NoWorldsAndNoStepsAreNothing) {
  const Model model = MakeScene();
  Batch batch(model, {.num_threads = 2});
  const State start = State::Default(model);
  EXPECT_TRUE(batch.Rollout({}, {}).troubles.empty());
  std::vector<State> ends(3);
  batch.Rollout({.num_worlds = 3, .num_steps = 0, .states = {&start, 1}}, {.final_states = ends});
  EXPECT_EQ(Hash(ends[2]), Hash(start));
}

}  // namespace
}  // namespace stiction::testing
