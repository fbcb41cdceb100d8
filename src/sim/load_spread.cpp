#include "sim/load_spread.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kStill = 1e-6;   // speed at which nothing slides [m/s]
constexpr double kWithin = 0.99;  // of its friction: a point that sticks

// Whether a contact used up its friction in the last step; without friction loads decide nothing.
bool IsAtLimit(const DetectedContact& contact, const std::vector<ContactMemory>& memory) {
  if (contact.tracked.memory < 0 || !(contact.friction.sliding > 0.0)) return false;
  const ContactMemory& last = memory[contact.tracked.memory];
  return !last.stuck && !last.impulse_W.isZero(0.0);
}

}  // namespace

void LoadSpread::Run(const StepFrame& frame, const std::vector<ContactMemory>& memory, StepRows& rows) {
  const auto is_at_limit = [&](int i) { return IsAtLimit(frame.contacts[i], memory); };
  if (std::none_of(rows.acting.begin(), rows.acting.end(), is_at_limit)) return;
  const IslandPartition& islands = rows.Islands();
  const int num_pieces = CountIslandPieces(frame.pool, islands);
  if (static_cast<int>(sharing_.size()) < num_pieces) sharing_.resize(num_pieces);
  ForIslandPieces(frame.pool, islands, [&](int piece, int begin, int end) {
    Sharing& sharing = sharing_[piece];
    auto& [fit, held, loads, frictions, is_held] = sharing;
    for (int island = begin; island < end; ++island) {
      if (!GatherIsland(frame, memory, rows, islands.constraints_of(island), sharing)) continue;
      if (fit.Run(rows.problem, held, loads, static_cast<int>(loads.size()))) Apply(loads, rows);
      if (is_held) SpreadFriction(frame, sharing, rows);
    }
  });
}

// What of an island is shared out. False if nothing in it slides or nothing is shared.
bool LoadSpread::GatherIsland(const StepFrame& frame, const std::vector<ContactMemory>& memory,
                              const StepRows& rows, std::span<const int> island, Sharing& sharing) {
  const ContactProblem& problem = rows.problem;
  auto& [fit, held, loads, frictions, is_held] = sharing;
  held.clear();
  loads.clear();
  bool is_at_limit = false;
  is_held = true;
  for (const int i : island) {
    const Constraint& c = problem.constraints[i];
    const int last = c.dim() - 1;
    const double impulse = rows.warm_start[c.row + last];
    const bool is_pressed_limit = c.type == ConstraintType::kUnilateral && impulse > 0.0;
    if (c.compliance_n == 0.0 && (c.type == ConstraintType::kBilateral || is_pressed_limit))
      held.push_back({i, last});
    if (c.type != ConstraintType::kContact || c.compliance_n != 0.0) continue;
    if (impulse <= 0.0 && problem.e[c.row + last] != 0.0) continue;  // open, or about to bounce
    loads.push_back({i, last, impulse});
    const DetectedContact& contact = frame.contacts[rows.sources[i].contact];
    if (!IsAtLimit(contact, memory)) continue;
    is_at_limit = true;
    is_held = is_held && memory[contact.tracked.memory].slide_A.norm() <= kStill * frame.dt;
  }
  return is_at_limit && loads.size() > 1;
}

// The impulses become those of the loads, or go towards them until the first point would pull.
void LoadSpread::Apply(std::span<const MotionFit::Wanted> loads, StepRows& rows) {
  const auto impulses_of = [&rows](const MotionFit::Wanted& load) {
    return rows.warm_start.data() + rows.problem.constraints[load.constraint].row;
  };
  double share = 1.0;
  for (const MotionFit::Wanted& load : loads) {
    const double before = impulses_of(load)[2];
    if (load.value < 0.0) share = std::min(share, before / (before - load.value));
  }
  for (const MotionFit::Wanted& load : loads) {
    double* impulses = impulses_of(load);
    const double before = impulses[2], now = std::max(0.0, before + share * (load.value - before));
    const double scale = before > 0.0 ? now / before : 0.0;
    impulses[0] *= scale;
    impulses[1] *= scale;
    impulses[2] = now;
  }
}

// Of what has been gathered, whose loads are shared out already; unless some point slides all the same.
void LoadSpread::SpreadFriction(const StepFrame& frame, Sharing& sharing, StepRows& rows) {
  auto& [fit, held, loads, frictions, is_held] = sharing;
  frictions.clear();
  for (const MotionFit::Wanted& load : loads) {
    const Constraint& c = rows.problem.constraints[load.constraint];
    const double* impulses = rows.warm_start.data() + c.row;
    const double limit = frame.contacts[rows.sources[load.constraint].contact].friction.sliding * impulses[2];
    if (!(limit > 0.0)) continue;
    const double scale = std::sqrt(limit);
    for (int r = 0; r < 2; ++r) frictions.push_back({load.constraint, r, impulses[r] / scale, scale});
  }
  if (frictions.empty()) return;
  if (!fit.Run(rows.problem, held, frictions, static_cast<int>(frictions.size()))) return;
  for (std::size_t i = 0; i < frictions.size(); i += 2) {
    const double used = std::hypot(frictions[i].value, frictions[i + 1].value) / frictions[i].scale;
    if (!(used < kWithin)) return;
  }
  for (const MotionFit::Wanted& friction : frictions)
    rows.warm_start[rows.problem.constraints[friction.constraint].row + friction.row] =
        friction.scale * friction.value;
}

}  // namespace stiction
