// The numbers of all steps that are shown, by column: what plots and the timeline draw.
#pragma once

#include <array>
#include <vector>

#include "snapshot.h"

namespace stiction::viewer {

// A column of a SampleTable, a number a step; NaN: not known.
enum class Track {
  kNcpMax,       // [m/s]
  kNcpMean,      // [m/s]
  kPenetration,  // [m]
  kKinetic,      // [J]
  kPotential,    // [J]
  kEnergy,       // [J]
  kIterations,
  kContacts,
  kStepTime,  // wall time [s]
  kMissed,    // 1 where the step missed its budget
  kImpacts,   // pairs that came into contact
  kPull,      // of the user's spring [N or N·m]
  kPhase      // the first of kNumStepPhases wall times [s]
};
inline constexpr int kNumTracks = static_cast<int>(Track::kPhase) + kNumStepPhases;

struct TrackInfo {
  Track track;
  const char* name;  // as logs have it, for those that can be chosen
  const char* unit;  // "" for a count
  const char* description;
};
inline constexpr TrackInfo kTrackInfos[] = {
    {Track::kNcpMax, "ncp_max", "m/s", "largest residual of the contact laws"},
    {Track::kNcpMean, "ncp_mean", "m/s", "mean residual of the contact laws"},
    {Track::kPenetration, "penetration", "m", "deepest overlap at the start of the step"},
    {Track::kKinetic, "kinetic_energy", "J", "of all bodies"},
    {Track::kPotential, "potential_energy", "J", "of weight and joint springs"},
    {Track::kEnergy, "energy", "J", "kinetic and potential energy"},
    {Track::kIterations, "iterations", "", "of the solver, in the island that needed most"},
    {Track::kContacts, "contacts", "", "contact points in the problem"},
    {Track::kStepTime, "step_time", "s", "wall time of the step"},
    {Track::kPull, "pull", "N", "of the spring by which a body is pulled; N m where it is turned"}};

// In the order of time.
class SampleTable {
 public:
  // The oldest samples are forgotten where there are more.
  explicit SampleTable(std::size_t max_size = 200'000) : max_size_(max_size) {}

  // Forgets what is not before it: the simulation went back and on again.
  void Append(const Sample& sample);
  void Clear();

  std::size_t size() const { return times_.size(); }
  bool empty() const { return times_.empty(); }
  const std::vector<double>& times() const { return times_; }  // at the end of each step [s]
  const std::vector<double>& column(Track track) const { return columns_[static_cast<std::size_t>(track)]; }
  const std::vector<double>& phase(int i) const {
    return columns_[static_cast<std::size_t>(Track::kPhase) + static_cast<std::size_t>(i)];
  }
  // How many samples are at or before `time`.
  std::size_t CountUntil(double time) const;

 private:
  std::size_t max_size_;
  std::vector<double> times_;
  std::array<std::vector<double>, kNumTracks> columns_;
};

}  // namespace stiction::viewer
