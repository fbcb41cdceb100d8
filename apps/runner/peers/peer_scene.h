// The scenes that other engines are given too (assets/peers), and what came of them.
#pragma once

#include <string>
#include <vector>

#include "stiction/sim/world.h"

namespace stiction::runner {

// What is measured of a scene, in the same way of every engine: from the poses and velocities that it puts
// out.
enum class PeerQuantity {
  kCreep,        // speed of the watched body over the second half of the time [m/s]
  kPenetration,  // deepest overlap of two shapes that may touch, by our signed distances, of all samples [m]
  kDrift,        // how far any body is from where it began, at the end [m]
  kHeight,       // of the watched body: how much lower, or higher, it is at the end [m]
  kEnergy,  // change of kinetic and potential energy, over the largest kinetic energy, largest of all samples
  kMomentum,  // change of the watched body's angular momentum over what it was, largest of all samples
  kLoop,      // how far the two halves of any pin are apart, largest of all samples [m]
  kSpeed,     // steps per second of processor time
};
inline constexpr int kNumPeerQuantities = 8;

struct PeerQuantityTraits {
  const char* name;   // "creep of the watched body"
  const char* title;  // of a column, with the unit
  double floor;       // below it there is none to speak of
};
const PeerQuantityTraits& TraitsOf(PeerQuantity quantity);

struct PeerStudy {
  const char* name = "";                   // of the file in assets/peers, and of the experiment: "stack20"
  const char* title = "";                  // of the experiment
  double duration = 0.0;                   // [s]
  const char* watched = "";                // a body
  std::vector<PeerQuantity> quantities{};  // that are judged; the last one is plotted over time
  PeerQuantity plotted = PeerQuantity::kDrift;
};

struct PeerState {
  RigidTransform X_WB;
  Vector3d w_W = Vector3d::Zero(), v_W = Vector3d::Zero();  // of the mass centre, where B stands
};

// What an engine put out.
struct PeerTrajectory {
  double us = 0.0;                             // processor time of a step
  double dt = 0.0;                             // [s]
  std::string version{};                         // "ODE 0.16.2"
  std::vector<double> time{};                    // of the samples [s]
  std::vector<std::vector<PeerState>> states{};  // by sample, by body without the world
  bool is_finite() const;
};

// The scene in its keyframe "start", by our engine. Throws UsageError, and std::logic_error where a body's
// frame is not that of its principal axes.
class PeerScene {
 public:
  explicit PeerScene(const PeerStudy& study);

  const PeerStudy& study() const { return study_; }
  const std::string& file() const { return file_; }  // MJCF
  int steps() const { return steps_; }
  int every() const { return every_; }  // steps from sample to sample
  double dt() const { return dt_; }

  // As engines/engine_scene.h has it.
  std::string MakeEngineText() const;
  // By our engine, with an integrator instead of the file's where one is given.
  PeerTrajectory Simulate(std::optional<Integrator> integrator) const;
  // NaN where the trajectory is not finite.
  double Measure(PeerQuantity quantity, const PeerTrajectory& trajectory) const;
  // The quantity at every sample; 0 at first. Of creep and speed there is none.
  std::vector<double> Trace(PeerQuantity quantity, const PeerTrajectory& trajectory) const;

 private:
  // Two points that a pin holds together, in the frames of two bodies; of the world -1.
  struct Pin {
    int a = -1, b = -1;
    Vector3d p_A, p_B;
  };
  World MakeWorld(std::optional<Integrator> integrator) const;
  double CalcPenetration(const std::vector<PeerState>& states) const;
  double CalcEnergy(const std::vector<PeerState>& states, double& kinetic) const;
  Vector3d CalcSpin(const PeerState& state) const;
  double CalcLoop(const std::vector<PeerState>& states) const;

  PeerStudy study_;
  std::string file_;
  Model model_;
  std::vector<PeerState> start_;
  std::vector<Pin> pins_;
  int watched_ = 0;  // into the states
  int steps_ = 0, every_ = 1;
  double dt_ = 0.0;
};

}  // namespace stiction::runner
