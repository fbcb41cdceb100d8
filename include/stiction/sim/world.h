// A simulation: a constant Model, a State, an Input, and the scratch of the step.
//
//   stiction::World world(stiction::LoadModel("arm.urdf"));
//   while (world.time() < 5.0) {
//     const stiction::StepReport& report = world.Step();
//     if (report.certificate.ncp_max > 1e-8) Log(report);
//   }
//
// World is a thin owner: underneath stands the free function Step (sim/step.h) over Model, Input, State and
// StepWorkspace.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stiction/contact/registry.h"
#include "stiction/dynamics/energy.h"
#include "stiction/io/load.h"
#include "stiction/model/input.h"
#include "stiction/model/model.h"
#include "stiction/model/state.h"
#include "stiction/sim/step_report.h"

namespace stiction {

struct StepWorkspace;

enum class OnMiss { kRetry, kFallback, kStop };

struct WorldOptions {
  std::string solver = "auto";                                      // contact/registry.h
  std::vector<std::pair<std::string, std::string>> solver_options;  // by name, as text
  // Largest ncp_max of a step [m/s]. Not given: 1e-8 for `auto`, none for a solver named by the user.
  std::optional<double> budget;
  // After a missed budget: use the best iterate of a retry, or also try `auto`; kStop is for the caller to
  // act upon.
  OnMiss on_miss = OnMiss::kRetry;
  std::optional<double> timestep;  // instead of the model's [s]
};

// A contact as it acts in the last step.
struct Contact {
  int geom_a = -1;
  int geom_b = -1;
  Vector3d p_W;        // [m]
  Vector3d n_W;        // from A to B
  double gap = 0.0;    // at the start of the step [m]
  Vector3d impulse_W;  // on B, world axes [N·s]; divide by the timestep for the mean force
};

class World {
 public:
  // Throws std::invalid_argument: unknown solver or solver option, timestep not positive.
  explicit World(Model model, WorldOptions options = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  const Model& model() const;
  double time() const;
  double timestep() const;
  const VectorXd& q() const;
  const VectorXd& v() const;
  const WorldOptions& options() const;

  const State& state() const;
  // Throws std::invalid_argument if the sizes are not the model's or a number is not finite.
  void set_state(const State& state);
  // q, v, ctrl and mocap poses of a keyframe.
  void SetKeyframe(const Keyframe& keyframe);

  Input& input();
  const Input& input() const;
  // Called at the start of every step, before the input is used.
  void set_controller(std::function<void(const World&, Input&)> controller);

  // Advances by one timestep. Never throws, never prints; after a status of kDiverged or kSingularMass the
  // state is that from before the step.
  const StepReport& Step();
  const StepReport& report() const;

  // Kinematics, collision and velocities at the current state, without a step: what queries below refer to
  // after set_state.
  void Refresh();
  const std::vector<RigidTransform>& body_poses()
      const;  // X_WB, at the current state after Refresh(), else at the step's start
  const std::vector<Contact>& contacts()
      const;                  // of the last step; after Refresh() of the current state, without impulses
  Energy CalcEnergy();        // at the current state
  MatrixXd CalcMassMatrix();  // at the current state, nv x nv
  VectorXd CalcBias();        // at the current state, size nv
  VectorXd CalcPassive();     // springs and dampers at the current state, size nv

  // The contact problem of the last step, with the impulses that solved it.
  const ContactProblem& problem() const;
  const Solution& solution() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
