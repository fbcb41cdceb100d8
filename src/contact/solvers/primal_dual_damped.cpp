// Primal-dual steps that need not gain, with an ε that follows how many sets they change (primal_dual.h).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/known_velocity.h"
#include "contact/solvers/primal_dual.h"
#include "stiction/contact/incumbent.h"

namespace stiction {
namespace {

constexpr double kMostGrowth = 5.0;                        // of the largest of the latest merits
constexpr std::size_t kMostChanged = 64, kFewChanged = 4;  // sets in one step
constexpr double kRise = 4.0, kFall = 2.0, kMostEpsilon = 1.0;
constexpr double kStallFall = 30.0;    // of ε before a step to a kink
constexpr double kLeaveToGrow = 10.0;  // of the merit, where no ε holds it

// The largest of the latest five.
class LatestMerits {
 public:
  explicit LatestMerits(double merit) { Fill(merit); }
  void Fill(double merit) { merits_.fill(merit); }
  void Add(double merit) { merits_[next_++ % merits_.size()] = merit; }
  double largest() const { return *std::max_element(merits_.begin(), merits_.end()); }

 private:
  std::array<double, 5> merits_;
  std::size_t next_ = 0;
};

}  // namespace

void PrimalDualNewton::Keep() {
  kept_.lambda = lambda_;
  kept_.delta = delta_;
  kept_.g = g_;
  kept_.sets = sets_;
  kept_.changed = changed_;
  kept_.changed_before = changed_before_;
  kept_.merit = merit_;
}

void PrimalDualNewton::Return() {
  lambda_.swap(kept_.lambda);
  delta_.swap(kept_.delta);
  g_.swap(kept_.g);
  sets_.swap(kept_.sets);
  changed_.swap(kept_.changed);
  changed_before_.swap(kept_.changed_before);
  merit_ = kept_.merit;
}

SolveReport PrimalDualNewton::RunDamped(const Island& island, const DampedPrimalDualOptions& options,
                                        double* lambda, double& residual) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  SolveReport report;
  Assign(island, options.max_group);
  Begin(island, lambda);
  Incumbent best(lambda, island.num_rows(), residual);
  report.status = SolveStatus::kMaxIterations;
  double epsilon = options.epsilon, last_merit = kNone;
  const auto set_epsilon = [&](double value) {
    epsilon = value;
    Weigh(island, epsilon);
  };
  Linearize(island, epsilon);
  LatestMerits latest(merit_);
  while (report.newton_steps < options.max_steps && !island.is_over()) {
    const bool stalls = uses_kinks_ && changed_.empty() && merit_ > kStallGain * last_merit;
    last_merit = stalls ? kNone : merit_;
    Keep();
    if (stalls) {
      if (epsilon > kKinkEpsilon) set_epsilon(std::max(kKinkEpsilon, epsilon / kStallFall));
      group_.clear();
      if (!CalcStep(island)) break;
      GoToKink(island);
      Linearize(island, epsilon);
    } else {
      ChooseGroup(island, options.max_group, report.newton_steps > 0);
      const bool has_moved = CalcStep(island);
      if (has_moved) Go(island, 1.0), Linearize(island, epsilon);
      if (!has_moved || !(merit_ <= kMostGrowth * latest.largest()) || changed_.size() > kMostChanged) {
        ++report.newton_steps;
        island.Tick();
        Return();
        set_epsilon(std::min(kRise * epsilon, kMostEpsilon));
        if (epsilon == kMostEpsilon) latest.Fill(kLeaveToGrow * merit_);
        continue;
      }
    }
    ++report.newton_steps;
    island.Tick();
    latest.Add(merit_);
    const double now = CalcResidualOfVelocity(island, lambda_.data(), g_.data());
    if (best.EndsWith(lambda_.data(), now, options.tolerance, report)) break;
    if (!stalls && changed_.size() <= kFewChanged)
      set_epsilon(std::max(epsilon / kFall, options.min_epsilon));
  }
  residual = best.residual();
  report.factorizations = report.newton_steps;
  return report;
}

}  // namespace stiction
