#include "sample_table.h"

#include <algorithm>
#include <limits>

#include "stiction/io/log_reader.h"

namespace stiction::viewer {
namespace {

double CountOrUnknown(int count) {
  return count == kNotLogged ? std::numeric_limits<double>::quiet_NaN() : count;
}

}  // namespace

void SampleTable::Append(const Sample& sample) {
  const std::size_t kept =
      static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), sample.time) - times_.begin());
  times_.resize(kept);
  for (std::vector<double>& column : columns_) column.resize(kept);
  // A part at once, so that moving the rest costs little a sample.
  if (kept >= max_size_) {
    const auto part = static_cast<std::ptrdiff_t>(std::max<std::size_t>(max_size_ / 8, 1));
    times_.erase(times_.begin(), times_.begin() + part);
    for (std::vector<double>& column : columns_) column.erase(column.begin(), column.begin() + part);
  }
  times_.push_back(sample.time);
  const auto set = [this](Track track, double value) {
    columns_[static_cast<std::size_t>(track)].push_back(value);
  };
  set(Track::kNcpMax, sample.ncp_max);
  set(Track::kNcpMean, sample.ncp_mean);
  set(Track::kPenetration, sample.penetration);
  set(Track::kKinetic, sample.kinetic);
  set(Track::kPotential, sample.potential);
  set(Track::kEnergy, sample.kinetic + sample.potential);
  set(Track::kIterations, CountOrUnknown(sample.iterations));
  set(Track::kContacts, CountOrUnknown(sample.contacts));
  set(Track::kStepTime, sample.step);
  set(Track::kMissed, CountOrUnknown(sample.missed));
  set(Track::kImpacts, CountOrUnknown(sample.impacts));
  set(Track::kPull, sample.pull);
  for (std::size_t i = 0; i < kNumStepPhases; ++i)
    columns_[static_cast<std::size_t>(Track::kPhase) + i].push_back(sample.phases[i]);
}

void SampleTable::Clear() {
  times_.clear();
  for (std::vector<double>& column : columns_) column.clear();
}

std::size_t SampleTable::CountUntil(double time) const {
  return static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), time) - times_.begin());
}

}  // namespace stiction::viewer
