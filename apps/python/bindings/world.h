// A World that Python may write into at any time, from any thread.
//
// q, v and the inputs are seen by NumPy where they stand: the engine never moves them while the World lives.
// What is written there shows only in the numbers, so that every use of the World first compares q, v and the
// activations with those that it left behind, and has what hangs on them computed anew.
//
// One thread at a time: a use by a second one, while the first has let go of the GIL in a step, is refused.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "model.h"
#include "stiction/sim/world.h"

namespace stiction::python {

// A simulation that cannot go on: becomes stiction.SimulationError.
struct SimulationFailure {
  StepStatus status;
  double time;       // of the last good state [s]
  std::string body;  // whose state stopped being finite; empty: none
  std::string message;
};

// Between two looks for Ctrl-C in a long run of steps.
inline constexpr std::chrono::milliseconds kSignalInterval{100};

// As Python names them; each keyword stands for itself.
struct WorldArguments {
  std::optional<double> dt{};
  std::optional<std::string> solver{};
  std::optional<py::dict> options{};
  std::optional<double> budget{};
  std::string on_miss = "retry";
  std::optional<std::string> integrator{};
  std::optional<bool> sleep{};
  std::optional<int> halvings{};
  bool skips_still = true;
};
// Throws ValueError: there is no solver of that name.
void CheckSolver(const std::string& name);
// A value of a solver's option, as text.
std::string FormatOption(const py::handle& value);
// Over `base`, such as a scenario's. Throws ValueError for words that are not known.
WorldOptions MakeOptions(const WorldArguments& arguments, WorldOptions base = {});

// A second thread: becomes stiction.BusyError.
struct BusyFailure {
  const char* what = "World";
};

class PyWorld {
 public:
  PyWorld(ModelPointer model, World world);

  enum Purpose { kUsesState, kForgetsState };
  // Holds the World for its thread, and takes notice of what was written into q and v before, unless that is
  // about to be replaced. Throws BusyError: another thread does; ValueError: a number written is not finite.
  class Use {
   public:
    explicit Use(PyWorld& owner, Purpose purpose = kUsesState);
    ~Use() { owner_.busy_.clear(std::memory_order_release); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    World* operator->() const { return &owner_.world_; }
    World& operator*() const { return owner_.world_; }

   private:
    PyWorld& owner_;
  };

  // All that a copy needs besides the model: it goes on with the same bits.
  struct Snapshot {
    WorldOptions options{};
    State state{}, start_state{};
    Input input{}, start_input{};
    Matrix6Xd next_wrench{};  // of add_force
    long long num_misses = 0;
  };
  Snapshot TakeSnapshot();
  static std::shared_ptr<PyWorld> FromSnapshot(const ModelPointer& model, const Snapshot& snapshot);

  // Takes n steps; ends early only by throwing: SimulationFailure, or KeyboardInterrupt between two steps.
  void Step(long long n);
  // Back to the state and input that it was made with.
  void Reset();
  // After the state was set through the engine.
  void Remember();

  const ModelPointer& model() const { return model_; }
  const Model& engine_model() const { return model_->model; }
  long long num_misses() const { return num_misses_; }

  // Where q, v, ... stand; valid as long as this lives.
  double* q() { return Writable(world_.q()); }
  double* v() { return Writable(world_.v()); }
  double* activation() { return Writable(world_.state().activation); }
  Input& input() { return world_.input(); }
  // Of the last step. Not under Use: torn numbers, at worst, while another thread steps.
  const World& unguarded() const { return world_; }

 private:
  // The World is not constant, and what is written into its state is looked at by Use.
  static double* Writable(const VectorXd& values) { return const_cast<double*>(values.data()); }
  bool IsChanged() const;
  void AdoptChanges();
  void ForgetForces();
  void Finish(const StepReport& report);

  ModelPointer model_;
  World world_;
  VectorXd seen_q_, seen_v_, seen_activation_;
  State start_state_;
  Input start_input_;
  long long num_misses_ = 0;  // steps beyond the budget
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};
using WorldPointer = std::shared_ptr<PyWorld>;

// Of world.report: the last step's, whenever it is asked.
struct PyReport {
  WorldPointer world;
  const StepReport& get() const { return world->unguarded().report(); }
  const Certificate& certificate() const { return get().certificate; }
};

// A body, or a frame fixed to one, of a world.
struct PyBody {
  WorldPointer world;
  Frame frame;
};

using WorldClass = py::class_<PyWorld, WorldPointer>;
WorldClass BindWorld(py::module_& module);
void BindQueries(py::module_& module, WorldClass& world);
void BindReport(py::module_& module);
void BindScenario(py::module_& module);
void BindRender(py::module_& module);
void BindWorldCopies(WorldClass& world);
void BindRollout(py::module_& module, WorldClass& world);

}  // namespace stiction::python
