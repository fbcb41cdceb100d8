// A contact problem made ready for solvers: scaled by the factor of A, and cut into islands.
//
// With A = LᵀL put δ = L (v − v*) and Y = J L⁻¹. Then
//
//   δ = Yᵀ λ,     g = g0 + Y δ,     g0 = J v* + e,     W = J A⁻¹ Jᵀ = Y Yᵀ
//
// so that the dynamics disappear: A has become the identity, kinetic energy is ½‖δ‖², and a row of Y touches
// the same dofs as the row of J, because L⁻ᵀ only reaches ancestors. Every solver works on this form. Soft
// rows have g0 = J v* and carry k e apart.
//
// An island is a set of subsystems coupled by constraints, with a copy of its own data: what a solver
// computes for it cannot depend on other islands, not in the last bit.
#pragma once

#include <span>
#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/contact/solved_law.h"
#include "stiction/contact/solver_budget.h"
#include "stiction/math/growing_vector.h"
#include "stiction/math/row_chunks.h"

namespace stiction {

class IslandSlabs;
class SparseProblem;
class TaskPool;

// Y, g0 and the Delassus scales of a problem; the layout of Y is that of ContactProblem::jacobian.
struct ScaledProblem {
  static constexpr double kLeastScale = 1e-12;  // over the largest

  RawVector<double> Y;
  GrowingVector g0;     // size num_rows
  GrowingVector scale;  // size num_constraints: w_i = tr(W_ii)/dim; at least kLeastScale times the largest,
                        // so that it may be divided by

  // What scaling a row takes beside it. Of one thread at a time.
  struct Scratch {
    std::vector<double> column;  // size nv, zero before and after
    std::vector<double> rows;
    std::vector<int> place;  // of dofs, size nv
  };

  // All of it.
  void Assign(const ContactProblem& problem, const BranchSparseFactor& factor);
  // The same in parts: sizes, and then what belongs to some constraints. The largest scale is that of the
  // part. Parts may be scaled at the same time.
  void Resize(const ContactProblem& problem);
  void AssignPart(const ContactProblem& problem, const BranchSparseFactor& factor,
                  std::span<const int> constraints, Scratch& scratch);
  // A part by the threads of a pool, to the same bits. One part at a time.
  void AssignPart(const ContactProblem& problem, const BranchSparseFactor& factor,
                  std::span<const int> constraints, const TaskPool& pool);
  // w_i alone, without a lower bound.
  static double CalcScale(const ContactProblem& problem, const BranchSparseFactor& factor, int constraint,
                          Scratch& scratch);

 private:
  struct Piece {
    Scratch scratch;
    double largest = 0.0;  // of its scales
  };
  // All of a piece of a part but for the lower bound of its scales. Returns the largest of them.
  double AssignPiece(const ContactProblem& problem, const BranchSparseFactor& factor,
                     std::span<const int> constraints, Scratch& scratch);
  void LimitScales(std::span<const int> constraints, double largest);

  Scratch scratch_;
  std::vector<int> all_;
  std::vector<Piece> pieces_;
};

// Subsystems grouped by constraints. Constraints that touch no subsystem belong to no island.
struct IslandPartition {
  int num_islands = 0;
  std::vector<int> island_of_subsystem;  // -1: no constraint touches it
  std::vector<int> first_constraint;     // size num_islands + 1, into constraints
  std::vector<int> constraints;          // grouped by island, ascending within
  std::vector<int> first_subsystem;      // size num_islands + 1, into subsystems
  std::vector<int> subsystems;           // grouped by island, ascending within

  //   is_whole  all that constraints touch becomes one island
  void Assign(const ContactProblem& problem, bool is_whole = false);

  std::span<const int> constraints_of(int island) const {
    return {constraints.data() + first_constraint[island], constraints.data() + first_constraint[island + 1]};
  }
  std::span<const int> subsystems_of(int island) const {
    return {subsystems.data() + first_subsystem[island], subsystems.data() + first_subsystem[island + 1]};
  }

 private:
  std::vector<int> parent_;
};

struct IslandBlock {
  int node = 0;  // local subsystem
  int num_dofs = 0;
  int first_dof = 0;    // into Island::block_dofs
  int first_value = 0;  // into Island::Y: dim rows of num_dofs values, row-major
};

struct IslandConstraint {
  ConstraintType type = ConstraintType::kContact;
  int row = 0;  // local
  int first_block = 0;
  int num_blocks = 0;
  double mu = 0.0;
  double scale = 0.0;         // w_i, compliance included: (tr(W_ii) + 2 R_t + R_n)/3
  double compliance_n = 0.0;  // R_n and R_t of the problem, for solvers that take them: g + R λ obeys the law
  double compliance_t = 0.0;
  double offset = 0.0;   // soft: k e
  double damping = 0.0;  // soft: b
  double lower = 0.0;    // impulses allowed to a one-row constraint
  double upper = 0.0;
  int source = 0;  // index in the problem
  RowChunks::Range chunks;
  int dim() const { return NumRows(type); }
};

struct Island {
  std::vector<Subsystem> nodes;  // dofs local to the island, contiguous
  std::vector<int> node_source;  // their indices in the problem
  // One per dof: whether a chain of dofs begins there. What a row touches of a tree it touches by chains: its
  // base, one leg.
  std::vector<char> begins_chain;
  std::vector<IslandConstraint> constraints;
  std::vector<IslandBlock> blocks;
  std::vector<int> block_dofs;  // dofs of the island
  RawVector<double> Y;
  std::vector<double> g0;
  std::vector<double> W_diagonal;  // 9 values per contact (3 x 3, symmetric), 1 else; at diagonal_begin(i)
  std::vector<int> diagonal_begin;
  // The velocity before, as δ; empty where it is not known, or the solver does not begin with it.
  std::vector<double> delta_before;
  // L v*, so that L v = δ + it, whose norm is that of momentum; empty where the solver does not ask for it.
  std::vector<double> momentum_free;
  double warm_penalty = 0.0;  // penalty with which the last solve of these bodies ended; 0: not known
  // Hardly anything moves with the warm start: it is worth while to solve exactly, because what is left adds
  // up over the steps that take the impulses as they are.
  bool rests = false;
  // Bodies come together many times faster than forces make them in the step, and the solver may leave the
  // island to smaller steps (ContactSolver::may_leave).
  bool strikes = false;
  const ContactProblem* problem = nullptr;  // the whole problem, for methods that use A and J themselves
  SolveClock* clock = nullptr;              // of the solve; null: it may take as long as it likes
  // Who shares the work of the solve, to the same bits; null: the solver's thread alone.
  const TaskPool* pool = nullptr;
  // Of a large one, the order in which sums over constraints are made (contact/island_slabs.h); null: their
  // own.
  const IslandSlabs* slabs = nullptr;
  // Of what `problem` was made where A is sparse in any way (contact/sparse_problem.h): K = 1 + Yᵀ S Y is
  // best factored by A and J as they are. Null: A is that of trees.
  const SparseProblem* sparse = nullptr;

  // After the work of each iteration: whether it was the last that the solve has time for; the solver then
  // offers what it has and ends. is_over(): whether it has been said.
  bool Tick() const { return clock != nullptr && clock->Tick(); }
  bool is_over() const { return clock != nullptr && clock->is_over(); }

  int num_dofs() const { return num_dofs_; }
  int num_rows() const { return static_cast<int>(g0.size()); }
  int num_constraints() const { return static_cast<int>(constraints.size()); }

  void Assign(const ContactProblem& problem, const ScaledProblem& scaled, const IslandPartition& partition,
              int island);

  // For one that is put together in another way (contact/bilateral_elimination.h): empties it, keeping
  // capacity; and completes a constraint whose blocks are there, once all dofs are: W_diagonal, chunks.
  void Clear();
  void Complete(IslandConstraint& c);
  void set_num_dofs(int num_dofs) { num_dofs_ = num_dofs; }

  // g_i = g0_i + Y_i δ.
  void ReadVelocity(const IslandConstraint& c, const double* delta, double* g) const;
  // y = Y_i x.
  void ReadChange(const IslandConstraint& c, const double* x, double* y) const;
  // δ += Y_iᵀ Δλ.
  void AddImpulse(const IslandConstraint& c, const double* change, double* delta) const;
  // δ = Yᵀ λ over all rows.
  void MapImpulses(const double* lambda, double* delta) const;
  // g = g0 + Y δ over all rows.
  void MapVelocities(const double* delta, double* g) const;
  // y = Y x over all rows.
  void Multiply(const double* x, double* y) const;

  // Scaled natural-map residual of the exact laws at δ = Yᵀλ, the certificate's ncp_max, soft rows included
  // by their own law [m/s].
  double CalcResidual(const double* lambda, const double* delta) const;
  // The same for another law; without scales, |λ − P(λ − g)| with 1 kg for every w, if asked for.
  double CalcOwnResidual(const SolvedLaw& law, const double* lambda, const double* delta,
                         bool is_unscaled = false) const;

 private:
  void AddChains(const BranchPattern& pattern, const Subsystem& subsystem);

  void AddDiagonal(const IslandConstraint& c);

  int num_dofs_ = 0;
  RowChunks chunks_;            // Y once more
  std::vector<int> local_dof_;  // by dof of the problem
  std::vector<int> local_node_;
};

}  // namespace stiction
