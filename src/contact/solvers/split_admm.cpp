#include "contact/solvers/split_admm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/spatial_algebra.h"
#include "stiction/contact/incumbent.h"
#include "stiction/contact/island.h"
#include "stiction/contact/laws.h"

namespace stiction {
namespace {

constexpr double kMinChange = 0.1, kMaxChange = 10.0;  // of the penalty at once
constexpr double kLeastShare = 1e-6;                   // of w that a slot may have: a body that nothing moves
constexpr double kRange = 1e4;  // of the penalty in all: beyond, impulses of infeasible problems overflow

constexpr double kInside = 1.0 - 1e-9;  // of a cone's radius

// What an impulse says of its constraint.
enum Mode : char { kUnknown, kOpen, kHeld, kAtLimit };
Mode FindMode(const IslandConstraint& c, const double* lambda) {
  if (c.type == ConstraintType::kContact) {
    const double n = lambda[2], limit = kInside * c.mu * n;
    if (!(n > 0.0)) return kOpen;
    return lambda[0] * lambda[0] + lambda[1] * lambda[1] < limit * limit ? kHeld : kAtLimit;
  }
  if (c.type == ConstraintType::kSoft) return kHeld;
  return *lambda <= c.lower ? kOpen : *lambda >= c.upper ? kAtLimit : kHeld;
}

using Lanes = SlotRows::Lanes;
using LanesMap = Eigen::Map<Lanes>;

// Σ ‖x − y‖² times a factor, four lanes per vector and one factor.
double SumDistances(const std::vector<double>& x, const std::vector<double>& y,
                    const std::vector<double>& factor) {
  double sum = 0.0;
  for (std::size_t k = 0; k < factor.size(); ++k) {
    const Lanes difference = Eigen::Map<const Lanes>(&x[4 * k]) - Eigen::Map<const Lanes>(&y[4 * k]);
    sum += factor[k] * difference.square().sum();
  }
  return sum;
}

// ClampCone without leaving the lanes, which would cost a sixth of an iteration.
Lanes ClampLanes(const Lanes& x, double mu) {
  const double n = x[2];
  if (!(n > 0.0)) return Lanes::Zero();
  const double limit = mu * n, t2 = x[0] * x[0] + x[1] * x[1];
  if (t2 <= limit * limit) return x;
  const double s = limit / std::sqrt(t2);
  return x * Lanes(s, s, 1.0, 0.0);
}

}  // namespace

std::vector<SolverOption> SolverSplitAdmm::ListOwnOptions() {
  SplitAdmmOptions& o = options_;
  return {{"beta", o.beta, 1e-9, 1e9, "initial penalty over the effective mass per contact"},
          {"spread", o.spread, 0, 1,
           "penalties of slots go by this power of their effective masses; 0: one for all"},
          {"relaxation", o.relaxation, 0.1, 1.99, "over-relaxation of J u against z; 1: none"},
          {"adapt_interval", o.adapt_interval, 0, 1'000'000'000, "iterations between changes of the penalty"},
          {"adapt_ratio", o.adapt_ratio, 1, 1e9, "imbalance that changes the penalty"},
          {"max_iterations", o.max_iterations, 1, 1'000'000'000, "iterations before giving up"},
          {"check_interval", o.check_interval, 1, 1'000'000'000, "iterations between residuals"},
          {"anderson", o.anderson, 0, AndersonMixing::kMostColumns,
           "differences that Anderson mixing keeps; 0: no mixing"},
          {"anderson_start", o.anderson_start, 0, 1'000'000'000,
           "iterations after which mixing begins where contacts have not settled before"},
          {"matrix",
           o.matrix,
           {"trees", "entries", "full"},
           "admm_nosub factors blocks of trees, or entries by Eigen's sparse Cholesky, or a full matrix"}};
}

void SolverSplitAdmm::Prepare(const Island& island) {
  const ContactProblem& problem = *island.problem;
  local_node_.resize(problem.subsystems.size());
  global_dof_.resize(island.num_dofs());
  node_sizes_.clear();
  for (std::size_t n = 0; n < island.nodes.size(); ++n) {
    const Subsystem& whole = problem.subsystems[island.node_source[n]];
    local_node_[island.node_source[n]] = static_cast<int>(n);
    node_sizes_.push_back(whole.num_dofs);
    for (int k = 0; k < whole.num_dofs; ++k) global_dof_[island.nodes[n].first_dof + k] = whole.first_dof + k;
  }
  is_dense_.assign(island.nodes.size(), split_ != AdmmSplit::kBody);
  slots_.clear();
  first_slot_.assign(1, 0);
  blocks_.clear();
  block_dofs_.clear();
  J_.clear();
  particles_.clear();
  body_contacts_.clear();
  row_constraints_.clear();
  for (int i = 0; i < island.num_constraints(); ++i) {
    AddSlots(island, i);
    first_slot_.push_back(static_cast<int>(slots_.size()));
  }
  CalcWeights(island);
  CopyRows(island);
  CopyContacts(island);
  BuildPattern(island);
  z_.assign(4 * slots_.size(), 0.0);
  y_.resize(z_.size());
  u_.resize(island.num_dofs() + RowChunks::kPadding);
  impulse_.resize(u_.size());
  int num_states = contacts_.num_states();
  for (const int i : row_constraints_) num_states += 4 * (first_slot_[i + 1] - first_slot_[i]);
  state_.resize(num_states);
  image_.resize(num_states);
  mixing_.Reserve(num_states, options_.anderson);
  is_mixing_ = false;
  modes_.assign(island.constraints.size(), kUnknown);
}

void SolverSplitAdmm::AddSlots(const Island& island, int index) {
  const ContactProblem& problem = *island.problem;
  const int source = island.constraints[index].source;
  const Constraint& c = problem.constraints[source];
  if (split_ == AdmmSplit::kBody && c.type == ConstraintType::kContact) {
    const auto contact = std::lower_bound(
        problem.body_contacts.begin(), problem.body_contacts.end(), source,
        [](const BodyContact& candidate, int wanted) { return candidate.constraint < wanted; });
    if (contact != problem.body_contacts.end() && contact->constraint == source) {
      body_contacts_.push_back({index, static_cast<int>(contact - problem.body_contacts.begin()),
                                static_cast<int>(particles_.size())});
      if (contact->dof_A >= 0) AddBodySlot(island, index, contact->dof_A, contact->p_A);
      if (contact->dof_B >= 0) AddBodySlot(island, index, contact->dof_B, contact->p_B);
      return;
    }
  }
  row_constraints_.push_back(index);
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    if (split_ != AdmmSplit::kNone || b == c.first_block) {
      slots_.push_back({index, static_cast<int>(blocks_.size()), 0});
    }
    ++slots_.back().num_blocks;
    AddBlock(island, c, problem.blocks[b]);
  }
}

// The slot of a contact on one body, which stands for the rows.
void SolverSplitAdmm::AddBodySlot(const Island& island, int index, int dof, const Vector3d& p) {
  const ContactProblem& problem = *island.problem;
  const auto subsystem = std::upper_bound(problem.subsystems.begin(), problem.subsystems.end(), dof,
                                          [](int k, const Subsystem& s) { return k < s.first_dof; });
  Block block;
  block.node = local_node_[subsystem - problem.subsystems.begin() - 1];
  block.is_inertia = true;
  const int shift = island.nodes[block.node].first_dof - std::prev(subsystem)->first_dof;
  particles_.push_back({dof + shift, p, static_cast<int>(slots_.size())});
  slots_.push_back({index, static_cast<int>(blocks_.size()), 1});
  blocks_.push_back(block);
}

void SolverSplitAdmm::AddBlock(const Island& island, const Constraint& c, const JacobianBlock& from) {
  const ContactProblem& problem = *island.problem;
  Block block;
  block.node = local_node_[from.subsystem];
  block.num_dofs = from.num_dofs;
  block.first_dof = static_cast<int>(block_dofs_.size());
  block.first_value = static_cast<int>(J_.size());
  const int shift = island.nodes[block.node].first_dof - problem.subsystems[from.subsystem].first_dof;
  const int* dofs = problem.block_dofs.data() + from.first_dof;
  for (int k = 0; k < from.num_dofs; ++k) block_dofs_.push_back(dofs[k] + shift);
  const double* value = problem.jacobian.data() + from.first_value;
  for (int r = 0; r < c.dim(); ++r) {
    for (int k = 0; k < from.num_dofs; ++k) J_.push_back(value[k * c.dim() + r]);
  }
  // A row across the branches of its tree fills entries that A does not have.
  if (from.num_dofs > 0 && problem.A.pattern().row_length(dofs[from.num_dofs - 1]) != from.num_dofs) {
    is_dense_[block.node] = 1;
  }
  blocks_.push_back(block);
}

void SolverSplitAdmm::CopyRows(const Island& island) {
  rows_.Clear();
  for (const Slot& slot : slots_) {
    rows_.AddSlot();
    for (int b = slot.first_block; b < slot.first_block + slot.num_blocks; ++b) {
      const Block& block = blocks_[b];
      rows_.AddColumns(block_dofs_.data() + block.first_dof, block.num_dofs, J_.data() + block.first_value,
                       island.constraints[slot.constraint].dim());
    }
  }
  g0_.assign(4 * island.constraints.size(), 0.0);
  count_.assign(island.constraints.size(), 0.0);
  inverse_count_.resize(island.constraints.size());
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    std::copy_n(island.g0.data() + c.row, c.dim(), g0_.data() + 4 * i);
    for (int s = first_slot_[i]; s < first_slot_[i + 1]; ++s) count_[i] += inverse_weight_[s];
    inverse_count_[i] = count_[i] > 0.0 ? 1.0 / count_[i] : 1.0;
  }
}

void SolverSplitAdmm::CopyContacts(const Island& island) {
  contacts_.Clear(static_cast<int>(body_contacts_.size()));
  if (body_contacts_.empty()) return;
  body_dofs_.clear();
  for (const Particle& particle : particles_) body_dofs_.push_back(particle.dof);
  bodies_.Assign(*island.problem, global_dof_, body_dofs_);
  for (const auto& [constraint, source, first] : body_contacts_) {
    const BodyContact& contact = island.problem->body_contacts[source];
    const IslandConstraint& c = island.constraints[constraint];
    int particle = first;
    const int body_A = contact.dof_A < 0 ? -1 : bodies_.body_of(particles_[particle++].dof);
    const int body_B = contact.dof_B < 0 ? -1 : bodies_.body_of(particles_[particle].dof);
    contacts_.Add(c, contact, body_A, body_B, &inverse_weight_[first_slot_[constraint]],
                  island.g0.data() + c.row);
  }
}

void SolverSplitAdmm::BuildPattern(const Island& island) {
  const BranchPattern& whole = island.problem->A.pattern();
  if (split_ == AdmmSplit::kBody) {
    parent_.resize(island.num_dofs());
    for (std::size_t n = 0; n < island.nodes.size(); ++n) {
      const auto [first, count] = island.nodes[n];
      for (int k = first; k < first + count; ++k) {
        const int above = is_dense_[n] ? (k == first ? -1 : k - 1) : whole.parent(global_dof_[k]);
        parent_[k] = is_dense_[n] || above < 0 ? above : above - global_dof_[first] + first;
      }
    }
    pattern_.Assign(parent_);
    H_.Resize(pattern_);
    composite_.resize(island.num_dofs());
    return;
  }
  edges_.clear();
  for (const Slot& slot : slots_) {
    for (int a = slot.first_block; a < slot.first_block + slot.num_blocks; ++a) {
      for (int b = a + 1; b < slot.first_block + slot.num_blocks; ++b) {
        edges_.emplace_back(std::min(blocks_[a].node, blocks_[b].node),
                            std::max(blocks_[a].node, blocks_[b].node));
      }
    }
  }
  const int num_nodes = static_cast<int>(node_sizes_.size());
  for (int a = 0; options_.matrix == WholeMatrix::kFull && split_ == AdmmSplit::kNone && a < num_nodes; ++a) {
    for (int b = a + 1; b < num_nodes; ++b) edges_.emplace_back(a, b);
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  matrix_.Analyze(node_sizes_, edges_);
}

// Composite rigid body algorithm, dof by dof: a dof carries all particles beyond it.
void SolverSplitAdmm::AddParticles(const ContactProblem& problem, double beta) {
  if (particles_.empty()) return;
  std::fill(composite_.begin(), composite_.end(), SpatialInertia{});
  for (const Particle& particle : particles_) {
    composite_[particle.dof] +=
        MakeSpatialInertia(beta / inverse_weight_[particle.slot], particle.p, Matrix3d::Zero());
  }
  const BranchPattern& trees = problem.A.pattern();
  for (int k = static_cast<int>(composite_.size()) - 1; k >= 0; --k) {
    const SpatialInertia& beyond = composite_[k];
    if (!(beyond.mass > 0.0)) continue;
    const int global = global_dof_[k];
    const Vector6d F = beyond * Vector6d(problem.motion.col(global));
    const int* columns = trees.columns(global);
    const int shift = k - global;
    double* row = H_.row(k);
    const bool is_same = pattern_.row_length(k) == trees.row_length(global);
    const int first = pattern_.columns(k)[0];
    for (int i = 0; i < trees.row_length(global); ++i) {
      row[is_same ? i : columns[i] + shift - first] += problem.motion.col(columns[i]).dot(F);
    }
    if (trees.parent(global) >= 0) composite_[trees.parent(global) + shift] += beyond;
  }
}

// H += β JᵀJ of a block whose dofs are rows and columns of H's pattern.
void SolverSplitAdmm::AddOuterProduct(const Block& block, int dim, double beta) {
  const int n = block.num_dofs;
  const int* dofs = block_dofs_.data() + block.first_dof;
  const double* J = J_.data() + block.first_value;
  const bool is_dense = is_dense_[block.node];
  for (int a = 0; a < n; ++a) {
    double* row = H_.row(dofs[a]);
    const int first = pattern_.columns(dofs[a])[0];
    for (int b = 0; b <= a; ++b) {
      double sum = 0.0;
      for (int r = 0; r < dim; ++r) sum += J[r * n + a] * J[r * n + b];
      row[is_dense ? dofs[b] - first : b] += beta * sum;
    }
  }
}

void SolverSplitAdmm::AddDenseOuterProducts(const Island& island, const Slot& slot, double beta) {
  const int dim = island.constraints[slot.constraint].dim();
  const auto add = [&](const Block& R, const Block& C, double* K, int rows) {
    const double *JR = J_.data() + R.first_value, *JC = J_.data() + C.first_value;
    const int* row = block_dofs_.data() + R.first_dof;
    const int* column = block_dofs_.data() + C.first_dof;
    const int first_row = island.nodes[R.node].first_dof, first_column = island.nodes[C.node].first_dof;
    for (int b = 0; b < C.num_dofs; ++b) {
      double* to = K + static_cast<std::ptrdiff_t>(column[b] - first_column) * rows - first_row;
      for (int r = 0; r < dim; ++r) {
        const double factor = beta * JC[r * C.num_dofs + b];
        for (int a = 0; a < R.num_dofs; ++a) to[row[a]] += JR[r * R.num_dofs + a] * factor;
      }
    }
  };
  const int end = slot.first_block + slot.num_blocks;
  for (int a = slot.first_block; a < end; ++a) {
    const Block& A = blocks_[a];
    add(A, A, matrix_.Diagonal(A.node), node_sizes_[A.node]);
    for (int b = a + 1; b < end; ++b) {
      const Block& B = blocks_[b];
      const BlockSparseSolver::Edge edge = matrix_.FindEdge(A.node, B.node);
      const Block& R = edge.i_is_row ? A : B;
      add(R, edge.i_is_row ? B : A, matrix_.Lower(edge), node_sizes_[R.node]);
    }
  }
}

// The whole matrix entry by entry, its pattern and order found anew: what a library makes of it that is told
// nothing of trees.
bool SolverSplitAdmm::FactorEntries(const Island& island, double beta) {
  const BranchSparseMatrix& A = island.problem->A;
  std::vector<Eigen::Triplet<double>> lower;
  for (std::size_t n = 0; n < island.nodes.size(); ++n) {
    const auto [first, count] = island.nodes[n];
    for (int k = first; k < first + count; ++k) {
      const int global = global_dof_[k];
      for (int i = 0; i < A.pattern().row_length(global); ++i)
        lower.emplace_back(k, A.pattern().columns(global)[i] - global_dof_[first] + first, A.row(global)[i]);
    }
  }
  for (std::size_t s = 0; beta > 0.0 && s < slots_.size(); ++s) {
    const Slot& slot = slots_[s];
    const int dim = island.constraints[slot.constraint].dim();
    const double slot_beta = beta / inverse_weight_[s];
    const int end = slot.first_block + slot.num_blocks;
    for (int a = slot.first_block; a < end; ++a) {
      for (int b = slot.first_block; b < end; ++b) {
        const Block &R = blocks_[a], &C = blocks_[b];
        for (int i = 0; i < R.num_dofs; ++i) {
          for (int j = 0; j < C.num_dofs; ++j) {
            const int row = block_dofs_[R.first_dof + i], column = block_dofs_[C.first_dof + j];
            if (column > row) continue;
            double sum = 0.0;
            for (int r = 0; r < dim; ++r)
              sum += J_[R.first_value + r * R.num_dofs + i] * J_[C.first_value + r * C.num_dofs + j];
            lower.emplace_back(row, column, slot_beta * sum);
          }
        }
      }
    }
  }
  Eigen::SparseMatrix<double> whole(island.num_dofs(), island.num_dofs());
  whole.setFromTriplets(lower.begin(), lower.end());
  entries_.compute(whole);
  return entries_.info() == Eigen::Success;
}

bool SolverSplitAdmm::Factor(const Island& island, double beta) {
  if (split_ == AdmmSplit::kNone && options_.matrix == WholeMatrix::kEntries)
    return FactorEntries(island, beta);
  const BranchSparseMatrix& A = island.problem->A;
  const bool is_split = split_ == AdmmSplit::kBody;
  if (is_split) {
    H_.SetZero();
  } else {
    matrix_.SetIdentity(true);
  }
  for (std::size_t n = 0; n < island.nodes.size(); ++n) {
    const auto [first, count] = island.nodes[n];
    for (int k = first; k < first + count; ++k) {
      const int global = global_dof_[k];
      const int* columns = A.pattern().columns(global);
      const int length = A.pattern().row_length(global);
      if (is_split) {
        double* row = H_.row(k);
        for (int i = 0; i < length; ++i)
          row[is_dense_[n] ? columns[i] - global_dof_[first] : i] += A.row(global)[i];
        continue;
      }
      double* D = matrix_.Diagonal(static_cast<int>(n));
      const int r = k - first;
      for (int i = 0; i < length; ++i) {
        const int c = columns[i] - global_dof_[first];
        D[c * count + r] = D[r * count + c] = A.row(global)[i];
      }
    }
  }
  if (beta > 0.0) {
    if (is_split) AddParticles(*island.problem, beta);
    for (std::size_t s = 0; s < slots_.size(); ++s) {
      const Slot& slot = slots_[s];
      const double slot_beta = beta / inverse_weight_[s];
      if (!is_split) {
        AddDenseOuterProducts(island, slot, slot_beta);
      } else if (!blocks_[slot.first_block].is_inertia) {
        AddOuterProduct(blocks_[slot.first_block], island.constraints[slot.constraint].dim(), slot_beta);
      }
    }
  }
  if (!is_split) return matrix_.FactorCholesky();
  if (factor_.Factor(H_) >= 0) return false;
  chains_.Assign(factor_);
  return true;
}

void SolverSplitAdmm::SolveFactored(double* x) const {
  if (split_ == AdmmSplit::kBody) {
    chains_.Solve(x);
  } else if (split_ == AdmmSplit::kNone && options_.matrix == WholeMatrix::kEntries) {
    Eigen::Map<VectorXd> all(x, entries_.rows());
    all = entries_.solve(all);
  } else {
    matrix_.Solve(x);
  }
}

// w_s of a slot: what its body, or all of a slot that is not split, has in the constraint's w. Of a contact
// between two bodies of one tree, w itself.
double SolverSplitAdmm::CalcSlotScale(const Island& island, const Slot& slot) const {
  const IslandConstraint& c = island.constraints[slot.constraint];
  if (slot.num_blocks != 1) return c.scale;
  const int node = blocks_[slot.first_block].node;
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const IslandBlock& block = island.blocks[b];
    if (block.node != node) continue;
    const Eigen::Map<const VectorXd> rows(island.Y.data() + block.first_value,
                                          static_cast<Eigen::Index>(c.dim()) * block.num_dofs);
    return std::max(rows.squaredNorm() / c.dim(), kLeastShare * c.scale);
  }
  return c.scale;
}

// 1/ω_s = (w_s / w̄)^spread, w̄ the geometric mean; and the effective mass per contact that β begins with:
// the geometric mean over slots of 1/(w_s n), n the slots of the tree.
void SolverSplitAdmm::CalcWeights(const Island& island) {
  slots_of_node_.assign(island.nodes.size(), 0);
  const auto count_of = [this](const Slot& slot, int change) {
    int largest = 1;
    for (int b = slot.first_block; b < slot.first_block + slot.num_blocks; ++b)
      largest = std::max(largest, slots_of_node_[blocks_[b].node] += change);
    return largest;
  };
  for (const Slot& slot : slots_) count_of(slot, 1);
  inverse_weight_.resize(slots_.size());
  double log_scale = 0.0, log_count = 0.0;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    inverse_weight_[s] = CalcSlotScale(island, slots_[s]);
    log_scale += std::log(inverse_weight_[s]);
    log_count += std::log(count_of(slots_[s], 0));
  }
  const double count = std::max(static_cast<double>(slots_.size()), 1.0);
  const double mean = std::exp(log_scale / count);
  for (double& weight : inverse_weight_) weight = std::pow(weight / mean, options_.spread);
  mass_per_contact_ = std::exp(-log_count / count) / mean;
}

// z = J_s u of the velocity that the warm start's impulses give.
bool SolverSplitAdmm::Start(const Island& island, double beta, const double* lambda) {
  lambda_.assign(lambda, lambda + island.num_rows());
  l_.assign(4 * island.constraints.size(), 0.0);
  for (const int i : row_constraints_) {
    const IslandConstraint& c = island.constraints[i];
    std::copy_n(lambda + c.row, c.dim(), l_.data() + 4 * i);
  }
  contacts_.Start(lambda);
  AssembleImpulses();
  if (std::all_of(lambda_.begin(), lambda_.end(), [](double value) { return value == 0.0; })) return true;
  if (!Factor(island, 0.0)) return false;
  u_ = impulse_;
  SolveFactored(u_.data());
  for (const int i : row_constraints_) {
    for (int s = first_slot_[i]; s < first_slot_[i + 1]; ++s)
      LanesMap(z_.data() + 4 * s) = beta / inverse_weight_[s] * rows_.Multiply(s, u_.data());
  }
  if (!contacts_.is_empty()) {
    bodies_.CalcTwists(u_.data());
    contacts_.SetVelocities(beta, bodies_);
  }
  AssembleImpulses();
  return true;
}

void SolverSplitAdmm::AssembleImpulses() {
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  for (const int i : row_constraints_) {
    for (int s = first_slot_[i]; s < first_slot_[i + 1]; ++s)
      rows_.AddTransposed(s, LanesMap(z_.data() + 4 * s) + LanesMap(l_.data() + 4 * i), impulse_.data());
  }
  if (contacts_.is_empty()) return;
  contacts_.AddImpulses(bodies_);
  bodies_.TakeWrenches(impulse_.data());
}

void SolverSplitAdmm::ReadImpulses(const Island& island) {
  for (const int i : row_constraints_) {
    const IslandConstraint& c = island.constraints[i];
    std::copy_n(l_.data() + 4 * i, c.dim(), lambda_.data() + c.row);
  }
  contacts_.Read(lambda_.data());
}

// u, from the right-hand side that the last iteration has gathered.
void SolverSplitAdmm::SolveVelocity(bool is_measured) {
  if (is_measured) l_old_ = l_, z_old_ = z_;
  std::swap(u_, impulse_);
  SolveFactored(u_.data());
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
}

// (A + β Σ JᵀJ) u = Σ Jᵀ (β z + λ), then a pass over the constraints, which gathers the next right-hand
// side on its way: y = β (α J u + (1 − α) z) − λ; λ by its law from Y = Σ y; β z = y + λ.
void SolverSplitAdmm::Iterate(const Island& island, double beta, bool is_measured) {
  SolveVelocity(is_measured);
  for (const int i : row_constraints_) {
    CalcStates(i, beta);
    TakeStates(island.constraints[i], i, beta);
  }
  SplitChange change;
  if (!contacts_.is_empty()) {
    bodies_.CalcTwists(u_.data());
    if (is_measured) {
      change = contacts_.IterateMeasured(beta, options_.relaxation, bodies_);
    } else {
      contacts_.Iterate(beta, options_.relaxation, bodies_);
    }
    bodies_.TakeWrenches(impulse_.data());
  }
  if (is_measured) MeasureChanges(change);
}

int SolverSplitAdmm::CountChanges(const Island& island) {
  int count = 0;
  for (int i = 0; i < island.num_constraints(); ++i) {
    const IslandConstraint& c = island.constraints[i];
    const Mode mode = FindMode(c, lambda_.data() + c.row);
    count += mode != modes_[i];
    modes_[i] = mode;
  }
  return count;
}

void SolverSplitAdmm::StartMixing() {
  if (is_mixing_ || options_.anderson == 0) return;
  is_mixing_ = true;
  mixing_.Assign(static_cast<int>(state_.size()), options_.anderson);
  has_state_ = false;
}

void SolverSplitAdmm::IterateMixed(const Island& island, double beta, bool is_measured) {
  SolveVelocity(is_measured);
  for (const int i : row_constraints_) CalcStates(i, beta);
  if (!contacts_.is_empty()) {
    bodies_.CalcTwists(u_.data());
    contacts_.CalcStates(beta, options_.relaxation, bodies_, image_.data());
  }
  double* rows = image_.data() + contacts_.num_states();
  for (const int i : row_constraints_) {
    for (int s = first_slot_[i]; s < first_slot_[i + 1]; ++s, rows += 4)
      LanesMap{rows} = std::sqrt(inverse_weight_[s]) * LanesMap(y_.data() + 4 * s);
  }
  if (has_state_) mixing_.Mix(state_, image_);
  has_state_ = true;
  std::swap(state_, image_);
  rows = state_.data() + contacts_.num_states();
  for (const int i : row_constraints_) {
    for (int s = first_slot_[i]; s < first_slot_[i + 1]; ++s, rows += 4)
      LanesMap(y_.data() + 4 * s) = LanesMap(rows) / std::sqrt(inverse_weight_[s]);
    TakeStates(island.constraints[i], i, beta);
  }
  SplitChange change;
  if (!contacts_.is_empty()) {
    if (is_measured) {
      change = contacts_.TakeStatesMeasured(beta, state_.data(), bodies_);
    } else {
      contacts_.TakeStates(beta, state_.data(), bodies_);
    }
    bodies_.TakeWrenches(impulse_.data());
  }
  if (is_measured) MeasureChanges(change);
}

// Of the last iteration, the contacts on bodies and all others.
void SolverSplitAdmm::MeasureChanges(const SplitChange& contacts) {
  impulse_change_ = std::sqrt(contacts.impulse + SumDistances(l_, l_old_, count_));
  z_change_ = std::sqrt(contacts.z + SumDistances(z_, z_old_, inverse_weight_));
}

void SolverSplitAdmm::CalcStates(int index, double beta) {
  const LanesMap l(l_.data() + 4 * index);
  const double relaxation = options_.relaxation;
  for (int s = first_slot_[index]; s < first_slot_[index + 1]; ++s) {
    const double scale = relaxation * beta / inverse_weight_[s];
    LanesMap(y_.data() + 4 * s) =
        scale * rows_.Multiply(s, u_.data()) + (1.0 - relaxation) * LanesMap(z_.data() + 4 * s) - l;
  }
}

void SolverSplitAdmm::TakeStates(const IslandConstraint& c, int index, double beta) {
  const int first = first_slot_[index], end = first_slot_[index + 1];
  if (first == end) return;
  LanesMap l(l_.data() + 4 * index);
  const LanesMap g0(g0_.data() + 4 * index);
  const double inverse_count = inverse_count_[index];
  Lanes Y = Lanes::Zero();
  for (int s = first; s < end; ++s) Y += inverse_weight_[s] * LanesMap(y_.data() + 4 * s);
  if (c.type == ConstraintType::kContact) {
    l = ClampLanes(-inverse_count * (Y + beta * g0), c.mu);
  } else if (c.type == ConstraintType::kSoft) {
    l[0] = -(c.damping * Y[0] + beta * (c.offset + c.damping * g0[0])) / (c.damping * count_[index] + beta);
  } else {
    l[0] = ClampImpulse(c, -inverse_count * (Y[0] + beta * g0[0]));
  }
  for (int s = first; s < end; ++s) {
    const Lanes z = LanesMap(y_.data() + 4 * s) + l;
    LanesMap(z_.data() + 4 * s) = z;
    rows_.AddTransposed(s, z + l, impulse_.data());
  }
}

// Whether the penalty has to change, and to what.
bool SolverSplitAdmm::AdaptPenalty(double& beta) const {
  const double primal = impulse_change_, dual = z_change_;
  const double ratio = options_.adapt_ratio;
  if (!(primal > ratio * dual) && !(dual > ratio * primal)) return false;
  const double change = std::sqrt(primal / dual);
  if (std::isnan(change)) return false;
  const double before = beta;
  beta = std::clamp(beta * std::clamp(change, kMinChange, kMaxChange), beta0_ / kRange, beta0_ * kRange);
  return beta != before;
}

SolveReport SolverSplitAdmm::Solve(const Island& island, double* lambda) {
  SolveReport report;
  held_velocity_.clear();
  delta_.resize(island.num_dofs());
  island.MapImpulses(lambda, delta_.data());
  Incumbent best(lambda, island.num_rows(), island.CalcResidual(lambda, delta_.data()));
  if (best.residual() <= tolerance()) return report;
  Prepare(island);
  double beta = beta0_ = options_.beta * mass_per_contact_;
  report.status = SolveStatus::kNonFinite;
  if (!Start(island, beta, lambda) || !Factor(island, beta)) return report;
  report.factorizations = 1;
  report.status = SolveStatus::kMaxIterations;
  const int limit = Scaled(options_.max_iterations);
  const int interval = options_.check_interval;
  const int adapt_interval = options_.adapt_interval;
  int next_restart = 1;
  for (int iteration = 1; iteration <= limit; ++iteration) {
    const bool is_measured = iteration % interval == 0 || iteration == limit;
    const bool may_adapt = adapt_interval > 0 && iteration % adapt_interval == 0 && 2 * iteration <= limit;
    if (iteration > options_.anderson_start) StartMixing();
    if (is_mixing_) {
      IterateMixed(island, beta, is_measured || may_adapt);
    } else {
      Iterate(island, beta, is_measured || may_adapt);
    }
    const bool is_over = island.Tick();
    report.iterations = iteration;
    if (is_measured || is_over) {
      ReadImpulses(island);
      island.MapImpulses(lambda_.data(), delta_.data());
      const double residual = island.CalcResidual(lambda_.data(), delta_.data());
      if (is_measured && CountChanges(island) == 0) StartMixing();
      // Their number has doubled: what was best, and the warm start, does not count any more.
      if (is_measured && iteration >= next_restart) {
        best = Incumbent(lambda, island.num_rows(), std::numeric_limits<double>::infinity());
        next_restart = 2 * iteration;
      }
      const bool is_end = best.EndsWith(lambda_.data(), residual, tolerance(), report);
      if (best.has_improved()) held_velocity_.assign(u_.begin(), u_.begin() + island.num_dofs());
      if (is_end) break;
      if (is_measured && impulse_change_ == 0.0 && z_change_ == 0.0) {
        report.status = SolveStatus::kStalled;
        break;
      }
    }
    if (is_over) break;
    const double before = beta;
    if (may_adapt && AdaptPenalty(beta)) {
      for (double& z : z_) z *= beta / before;
      contacts_.ScaleVelocities(beta / before);
      AssembleImpulses();
      is_mixing_ = false;
      if (!Factor(island, beta)) {
        report.status = SolveStatus::kNonFinite;
        break;
      }
      ++report.factorizations;
    }
  }
  return report;
}

}  // namespace stiction
