// The contact problem of a step, and what its rows stand for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "math/task_pool.h"
#include "sim/step_frame.h"
#include "stiction/contact/island.h"
#include "stiction/contact/problem.h"
#include "stiction/math/growing_vector.h"
#include "stiction/model/state.h"

namespace stiction {

struct StepRows {
  ContactProblem problem;
  std::vector<RowSource> sources;  // one per constraint
  // One per detected contact: its constraint, -1 if it was not admitted. Its friction moments follow it.
  std::vector<int> contact_constraint;
  std::vector<int> acting;         // detected contacts that were admitted, ascending
  std::vector<double> warm_start;  // impulses of the step before, as the rows of the problem
  // The same, where the solve has gone on with more rows, and warm_start is what it went on from. Empty: it
  // has not.
  std::vector<double> first_start;
  // Of contacts and limits: those impulses, before anyone made a better start of them, and how they changed
  // in that step. Zeros elsewhere; may end before the rows do.
  std::vector<double> remembered, trend;
  // In which the laws of contacts and limits undo penetration; 0: they do not, the position stage does [s].
  double penetration_time = 0.0;

  // Impulses of the step before, whatever the solve went on from.
  const std::vector<double>& taken_over() const { return first_start.empty() ? warm_start : first_start; }

  // A contact without rows stands at `place` now, and those behind it moved up by one.
  void MakePlace(int place);

  // Of the whole problem, once all rows are there; computed when first asked for.
  const IslandPartition& Islands();
  // Rows have changed.
  void ForgetIslands() { has_islands_ = false; }

 private:
  IslandPartition islands_;
  bool has_islands_ = false;
};

// Calls work(piece, begin, end) for so many pieces of the islands, which have about as many constraints
// each. Smaller ones than others have: what an island costs grows faster than its size.
inline int CountIslandPieces(const TaskPool& pool, const IslandPartition& islands) {
  const int num_pieces = 2 * pool.CountPieces(islands.num_islands, 1);
  return pool.num_threads() == 1 ? 1 : std::max(1, std::min(num_pieces, islands.num_islands));
}
template <typename Work>
void ForIslandPieces(const TaskPool& pool, const IslandPartition& islands, const Work& work) {
  const int num_pieces = CountIslandPieces(pool, islands);
  const std::vector<int>& first = islands.first_constraint;
  const auto begin_of = [&](int piece) {
    const auto wanted = static_cast<int>(std::int64_t{first.back()} * piece / num_pieces);
    return static_cast<int>(std::lower_bound(first.begin(), first.end() - 1, wanted) - first.begin());
  };
  pool.ForEach(num_pieces, [&](int piece) {
    work(piece, begin_of(piece), piece + 1 < num_pieces ? begin_of(piece + 1) : islands.num_islands);
  });
}

// Torsional and rolling friction of a contact that was admitted, on B, world axes [N·m·s].
//   R_WC        of the contact
//   constraint  its own
Vector3d CalcFrictionMoment(const StepRows& rows, const GrowingVector& lambda, const Matrix3d& R_WC,
                            int constraint);

// Motion columns and contacts of all bodies (ContactProblem::motion), for a problem of these rows that was
// assembled without.
void AddBodies(const StepFrame& frame, const StepRows& rows, ContactProblem& problem);

// At the end of the step: impulses of equalities, dry friction and limits, for the next warm start. Those
// that hold who sleeps stay.
void RememberJointImpulses(const Model& model, const StepFrame& frame, const StepRows& rows,
                           const GrowingVector& lambda, State& state);

}  // namespace stiction
