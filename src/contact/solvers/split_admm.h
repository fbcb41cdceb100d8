// SubADMM, and the two baselines that it is compared with: ADMM on contact velocities, split by body, by
// subsystem or not at all.
//
// With u = v − v*, so that g = g0 + J u, every constraint i has |Z_i| slots s, each with rows J_s and its own
// copy z_s of J_s u:
//
//   (A + Σ_s β_s J_sᵀ J_s) u = Σ_s J_sᵀ (β_s z_s + λ_i(s))
//   y_s = β_s (α J_s u + (1 − α) z_s) − λ_i,   x_i = −(Σ_s y_s/β_s + g0_i) / Σ_s 1/β_s
//   λ_i = T(x_i);  one-row constraints: clamp(x_i);
//   soft: −(b Σ y_s/β_s + k e + b J v*) / (b Σ 1/β_s + 1)
//   z_s = (y_s + λ_i) / β_s,   β_s = β ω_s,   ω_s = (w̄ / w_s)^½
//
//   subadmm       a slot per body: J_s touches one body of one tree, so A + β Σ JᵀJ keeps A's branch-induced
//                 sparsity and falls apart into trees; factored without fill-in (math/branch_sparse.h). An
//                 iteration goes from dofs to twists of bodies, and from there to contacts, four at a time
//                 (contact/body_twists.h, contact/split_contacts.h)
//   admm_nobody   a slot per tree: a dense Cholesky per tree
//   admm_nosub    a slot per constraint (vanilla ADMM): one Cholesky of all trees (math/block_sparse.h), or
//                 Eigen's, as the paper's code has it
//
// A contact adds β to the inertia of its body as a particle at the contact point would: mass β, first moment
// β p, second moment β (|p|² − p pᵀ). The frame cancels, R R' = 1. The composite rigid body algorithm on
// these inertias gives Σ β J_sᵀ J_s, and A + Σ follows, because it is linear in the inertias. Rows of other
// kinds are added as outer products.
//
// Reference: [Lee 2024] J. Lee, M. Lee, S. Park, J. Yun, D. Lee, Variations of augmented Lagrangian for
// robotic multi-contact simulation, §V, equations (31)–(43), appendix A. Differences:
//   1. The unknown is v − v*: a cold start is the free velocity, not v = 0.
//   2. β starts from effective masses at the contacts, 1/(w_s n) with n slots on a tree, w_s the share of the
//      slot's body in w_i, times `beta`: the paper's mass over number of contacts needs bodies, and problems
//      in files have none. It says no factor; 1 to 10 leaves piles behind Gauss-Seidel at 100 iterations,
//      because where n contacts hold a body, each of them moves more than its n-th.
//   3. Slots have penalties of their own, where the paper's of a constraint are equal: a dish of 0.1 kg on a
//      pot of 5 kg is one slot each. In between one for all (spread 0) and one by mass (1), which starves
//      light bodies under heavy ones.
//   4. β is balanced by how far impulses and velocities move in the metric of the penalties, Σ_s ‖λ −
//   λ_old‖²/β_s
//      and Σ_s β_s ‖z − z_old‖²: the paper compares m/s with N s. Sums over all slots: the largest of them
//      belongs to one contact, which may be of no concern to the others. Not in every iteration, which would
//      be unstable, nor for a factor below 15, nor in the second half of the iterations that there are: for
//      some tens of iterations a change throws a grasp that was nearly solved back by a factor of a hundred.
//   5. The iterate of least natural-map residual is returned, of the last ones: the best begins anew whenever
//      their number has doubled, and the warm start does not count. Residuals do not fall evenly, and where
//      steps follow one another and each solve ends early, each goes on where the last one ended: to fall
//      back to a warm start whose residual was small by chance, in step after step, is to stand still. A pile
//      of dishes whose contacts are frozen trembles at 0.1 m/s for ever by the best of all iterates, and
//      comes to rest by the best of the last ones.
//   6. Over-relaxation α = 1.5, where the paper has none (α = 1).
//   7. Every solve starts from its own β: one remembered from the last step, converged or not, is off by
//      decades (mean residual of clutter40 4e-3 m/s against 1e-5).
//   8. Once no contact has changed between open, sticking and sliding from one look at the residual to the
//      next, or after 200 iterations, y over ω^½ is mixed with what it was in the last 20
//      [contact/anderson_mixing.h]: what is left then is a linear iteration that contracts slowly. Sooner,
//      mixtures of what belongs to other sets of contacts are no better, and a mixed iteration costs up to
//      three times one that is not.
//   9. A problem without kinematic structure (ContactProblem::motion), and a tree with a row across its
//      branches, take dense rows where the structure is not known.
#pragma once

#include <Eigen/SparseCholesky>

#include "contact/anderson_mixing.h"
#include "contact/body_twists.h"
#include "contact/slot_rows.h"
#include "contact/split_contacts.h"
#include "math/block_sparse.h"
#include "math/branch_chains.h"
#include "math/spatial_algebra.h"
#include "stiction/contact/island.h"
#include "stiction/contact/solver.h"

namespace stiction {

// How admm_nosub factors the matrix of the whole system: by trees, with blocks between those that share a
// constraint; entry by entry, by a library that knows no trees; or as a full matrix. The last two are for
// timings.
enum class WholeMatrix { kTrees, kEntries, kFull };

struct SplitAdmmOptions {
  double beta = 35.0;         // initial penalty over the effective mass per contact
  double spread = 0.7;        // of penalties by the effective masses of slots
  double relaxation = 1.5;    // α
  int adapt_interval = 20;    // iterations between changes of the penalty; 0: never
  double adapt_ratio = 15.0;  // imbalance of the two changes that changes it
  int max_iterations = 300;   // real time: 100
  int check_interval = 10;    // iterations between residuals
  int anderson = 20;          // differences that Anderson mixing keeps; 0: no mixing
  int anderson_start = 200;   // iterations after which it begins though contacts have not settled
  WholeMatrix matrix = WholeMatrix::kTrees;
};

enum class AdmmSplit { kBody, kSubsystem, kNone };

// What an impulse says of its constraint.
enum class SplitMode : char { kUnknown, kOpen, kHeld, kAtLimit };

class SolverSplitAdmm : public ContactSolver {
 public:
  explicit SolverSplitAdmm(AdmmSplit split) : split_(split) {}
  bool uses_bodies() const override { return split_ == AdmmSplit::kBody; }
  HeldVelocity held() const override { return HeldVelocity::kChange; }
  SolveReport Solve(const Island& island, double* lambda) override;

 private:
  std::vector<SolverOption> ListOwnOptions() override;
  // Rows of J over the path of one body, or over the dofs of one tree: `dim` rows one after another.
  struct Block {
    int node = 0;
    int num_dofs = 0;
    int first_dof = 0;        // into block_dofs_
    int first_value = 0;      // into J_
    bool is_inertia = false;  // enters A + β Σ JᵀJ as the inertia of a particle
  };
  struct Slot {
    int constraint = 0;
    int first_block = 0;
    int num_blocks = 0;
  };
  // A contact as a particle on the body beyond `dof` of the island.
  struct Particle {
    int dof = 0;
    Vector3d p;  // from the reference point of its subsystem [m]
    int slot = 0;
  };

  // A contact that is split by body, and so has no rows: its slots are particles.
  struct ContactOnBodies {
    int constraint = 0;
    int source = 0;  // into ContactProblem::body_contacts
    int first_particle = 0;
  };

  void Prepare(const Island& island);
  void AddSlots(const Island& island, int index);
  void AddBodySlot(const Island& island, int index, int dof, const Vector3d& p);
  void AddBlock(const Island& island, const Constraint& c, const JacobianBlock& block);
  void CopyRows(const Island& island);
  void CopyContacts(const Island& island);
  void BuildPattern(const Island& island);
  void AddParticles(const ContactProblem& problem, double beta);
  void AddOuterProduct(const Block& block, int dim, double beta);
  void AddDenseOuterProducts(const Island& island, const Slot& slot, double beta);
  [[nodiscard]] bool FactorEntries(const Island& island, double beta);
  // Assembles and factors A + β Σ JᵀJ; β = 0 gives A. False if it is not positive definite.
  [[nodiscard]] bool Factor(const Island& island, double beta);
  void SolveFactored(double* x) const;

  double CalcSlotScale(const Island& island, const Slot& slot) const;
  void CalcWeights(const Island& island);
  [[nodiscard]] bool Start(const Island& island, double beta, const double* lambda);
  // How many constraints have changed between open, held and at a limit since the last call; all, at first.
  int CountChanges(const Island& island);
  // Unless it has begun.
  void StartMixing();
  void AssembleImpulses();
  void SolveVelocity(bool is_measured);
  // One iteration; measures the changes on request.
  void Iterate(const Island& island, double beta, bool is_measured);
  // The same, going on from a mixture of y.
  void IterateMixed(const Island& island, double beta, bool is_measured);
  void MeasureChanges(const SplitChange& contacts);
  void CalcStates(int index, double beta);
  void TakeStates(const IslandConstraint& c, int index, double beta);
  void ReadImpulses(const Island& island);
  bool AdaptPenalty(double& beta) const;

  AdmmSplit split_;
  SplitAdmmOptions options_;

  std::vector<Slot> slots_;      // by constraint
  std::vector<int> first_slot_;  // size num_constraints + 1
  std::vector<Block> blocks_;
  std::vector<int> block_dofs_;
  std::vector<double> J_;
  SlotRows rows_;  // the same rows by slot
  std::vector<Particle> particles_;
  std::vector<ContactOnBodies> body_contacts_;
  std::vector<int> row_constraints_;  // all others
  std::vector<int> body_dofs_;        // of particles_
  BodyTwists bodies_;
  SplitContacts contacts_;
  std::vector<int> global_dof_;  // by dof of the island
  std::vector<int> local_node_;  // by subsystem of the problem

  std::vector<char> is_dense_;  // one per node: its rows are dense whatever A's pattern
  std::vector<int> parent_;
  BranchPattern pattern_;
  BranchSparseMatrix H_;
  BranchSparseFactor factor_;
  BranchChains chains_;
  std::vector<SpatialInertia> composite_;  // one per dof of the island: the particles beyond it
  BlockSparseSolver matrix_;
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> entries_;
  std::vector<int> node_sizes_;
  std::vector<std::pair<int, int>> edges_;

  std::vector<double> u_, delta_;
  std::vector<double> impulse_;         // Σ Jᵀ (β z + λ)
  std::vector<double> y_, z_, z_old_;   // four lanes per slot: y and β z
  std::vector<double> l_, l_old_, g0_;  // four lanes per constraint: λ and g0
  std::vector<double> inverse_weight_;  // 1/ω_s
  std::vector<double> count_;           // |Z_i| of equal slots: Σ 1/ω_s
  std::vector<double> inverse_count_;   // 1/|Z_i|
  std::vector<int> slots_of_node_;
  AndersonMixing mixing_;              // of y over ω^½: of the contacts on bodies, then of all others
  std::vector<double> state_, image_;  // what z and λ are of, and the next
  bool is_mixing_ = false, has_state_ = false;
  std::vector<SplitMode> modes_;  // of constraints, at the last look
  double mass_per_contact_ = 0.0;
  std::vector<double> lambda_;   // by row
  double beta0_ = 0.0;           // the initial penalty
  double impulse_change_ = 0.0;  // of the last measured iteration: (Σ Σ_s ‖λ − λ_old‖²/ω_s)^½
  double z_change_ = 0.0;        // (Σ_s ‖β z − β z_old‖²/ω_s)^½
};

}  // namespace stiction
