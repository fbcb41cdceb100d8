#include "stiction/sim/batch.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "sim/batch_impl.h"
#include "sim/rollout.h"

namespace stiction {

Batch::Impl::Impl(std::vector<Model> models_in, BatchOptions options_in)
    : models(std::move(models_in)),
      options(std::move(options_in)),
      pool(options.num_threads),
      free_seats(models.size()) {
  if (models.empty()) throw std::invalid_argument("a batch needs a model");
  const auto check = [&](const char* name, const auto& count_of) {
    for (std::size_t i = 1; i < models.size(); ++i) {
      const int expected = count_of(models[0]), found = count_of(models[i]);
      if (found != expected)
        throw std::invalid_argument("model " + std::to_string(i) + " of the batch has " + name + " = " +
                                    std::to_string(found) + ", model 0 has " + std::to_string(expected) +
                                    ": the models of a batch share arrays and have to agree");
    }
  };
  check("nq", [](const Model& m) { return m.nq(); });
  check("nv", [](const Model& m) { return m.nv(); });
  check("nu", [](const Model& m) { return m.nu(); });
  check("na", [](const Model& m) { return m.na(); });
  check("num_sensor_values", [](const Model& m) { return m.num_sensor_values; });
  free_seats[0].push_back(TakeSeat(0));  // options that World refuses are refused here
}

std::unique_ptr<Batch::Impl::Seat> Batch::Impl::TakeSeat(int model) {
  {
    const std::lock_guard lock(mutex);
    if (!free_seats[model].empty()) {
      std::unique_ptr<Seat> seat = std::move(free_seats[model].back());
      free_seats[model].pop_back();
      return seat;
    }
  }
  auto seat = std::make_unique<Seat>(Seat{World(models[model], options.world), {}, {}, {}});
  if (options.prepare) options.prepare(seat->world);
  seat->start_input = seat->world.input();
  return seat;
}

void Batch::Impl::GiveBack(int model, std::unique_ptr<Seat> seat) {
  const std::lock_guard lock(mutex);
  free_seats[model].push_back(std::move(seat));
}

// Whole rows of models with other numbers of trees or geoms have other sizes.
std::vector<StateLayout> Batch::Impl::MakeLayouts(std::optional<int> max_contacts, const char* name) const {
  std::vector<StateLayout> layouts;
  for (const Model& model : models) {
    layouts.emplace_back(model, max_contacts);
    if (layouts.back().size() == layouts.front().size()) continue;
    throw std::invalid_argument(std::string(name) + ": whole rows have " +
                                std::to_string(layouts.back().size()) + " numbers with model " +
                                std::to_string(layouts.size() - 1) + " and " +
                                std::to_string(layouts.front().size()) + " with model 0; use final_states");
  }
  return layouts;
}

Batch::Batch(Model model, BatchOptions options)
    : Batch(
          [&] {
            std::vector<Model> models;
            models.push_back(std::move(model));
            return models;
          }(),
          std::move(options)) {}
Batch::Batch(std::vector<Model> models, BatchOptions options)
    : impl_(std::make_unique<Impl>(std::move(models), std::move(options))) {}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

int Batch::num_models() const {
  return static_cast<int>(impl_->models.size());
}
const Model& Batch::model(int index) const {
  if (index < 0 || index >= num_models())
    throw std::out_of_range("no model " + std::to_string(index) + ": the batch has " +
                            std::to_string(num_models()));
  return impl_->models[index];
}
const BatchOptions& Batch::options() const {
  return impl_->options;
}
StateLayout Batch::layout(std::optional<int> max_contacts) const {
  return impl_->MakeLayouts(max_contacts, "Batch::layout").front();
}

RolloutReport Batch::Rollout(const RolloutInput& input, const RolloutOutput& output) {
  Impl::Run run(*impl_, input, output);
  const auto run_world = [&](int world) { run.RunWorld(world); };
  if (input.should_stop) {
    impl_->pool.ForEach(input.num_worlds, run_world, [&] { run.LookForStop(); });
  } else {
    impl_->pool.ForEach(input.num_worlds, run_world);
  }
  return run.TakeReport();
}

void ForEachTask(int num_tasks, int num_threads, const std::function<void(int task)>& task) {
  TaskPool(num_threads).ForEach(num_tasks, task);
}

}  // namespace stiction
