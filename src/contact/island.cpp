#include "stiction/contact/island.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "contact/island_loops.h"
#include "contact/known_velocity.h"
#include "contact/sparse_problem.h"
#include "contact/sums.h"
#include "math/assert.h"
#include "stiction/contact/laws.h"

namespace stiction {

namespace {

// Rows of J L⁻¹ from rows of J, whose dofs are a path from the root down: column-major, kDim values per dof.
template <int kDim>
void ScalePath(const BranchSparseFactor& factor, const int* dofs, int count, double* value) {
  for (int p = count - 1; p >= 0; --p) {
    const double* row = factor.L().row(dofs[p]);
    const double inverse = factor.inverse_diagonal(dofs[p]);
    double y[kDim];
    for (int r = 0; r < kDim; ++r) y[r] = value[kDim * p + r] *= inverse;
    for (int j = 0; j < p; ++j) {
      for (int r = 0; r < kDim; ++r) value[kDim * j + r] -= row[j] * y[r];
    }
  }
}

constexpr int kLongestPath = 32;  // [dofs] of most robots' limbs
constexpr int kFreeDofs = 6;      // of a body without joints

// What three rows have in one dof. Loaded as they lie: four lanes at once would be put together in memory.
struct ThreeRows {
  using Pair = Eigen::Array<double, 2, 1, Eigen::DontAlign>;
  Pair first;
  double last;

  static ThreeRows Load(const double* at) { return {Eigen::Map<const Pair>(at), at[2]}; }
  void Store(double* at) const {
    at[0] = first[0];
    at[1] = first[1];
    at[2] = last;
  }
  void SubtractTimes(const ThreeRows& other, double factor) {
    first -= factor * other.first;
    last -= factor * other.last;
  }
  void operator*=(double factor) {
    first *= factor;
    last *= factor;
  }
};

// The same of three rows and at most kLongestPath dofs: dof by dof, with what the later ones give summed in
// registers, in the same order.
//   kCount  of dofs, 0: any
template <int kCount>
void ScaleShortPath(const BranchSparseFactor& factor, const int* dofs, int num_dofs, double* value) {
  const int count = kCount > 0 ? kCount : num_dofs;
  const double* row[kLongestPath];
  ThreeRows y[kLongestPath];
#pragma GCC unroll 6
  for (int p = count - 1; p >= 0; --p) {
    row[p] = factor.L().row(dofs[p]);
    ThreeRows sum = ThreeRows::Load(value + 3 * p);
#pragma GCC unroll 6
    for (int k = count - 1; k > p; --k) sum.SubtractTimes(y[k], row[k][p]);
    sum *= factor.inverse_diagonal(dofs[p]);
    sum.Store(value + 3 * p);
    y[p] = sum;
  }
}

// The same of dofs of several branches, with all that they hang from.
//   place  of each dof among `dofs`; scratch, size nv
void ScaleBranches(const BranchSparseFactor& factor, const int* dofs, int count, double* value, int* place) {
  ThreeRows y[2 * kLongestPath];
  for (int p = 0; p < count; ++p) {
    place[dofs[p]] = p;
    y[p] = ThreeRows::Load(value + 3 * p);
  }
  for (int p = count - 1; p >= 0; --p) {
    const double* row = factor.L().row(dofs[p]);
    const int* columns = factor.pattern().columns(dofs[p]);
    const int last = factor.pattern().row_length(dofs[p]) - 1;
    y[p] *= factor.inverse_diagonal(dofs[p]);
    const ThreeRows y_p = y[p];
    for (int i = 0; i < last; ++i) y[place[columns[i]]].SubtractTimes(y_p, row[i]);
  }
  for (int p = 0; p < count; ++p) y[p].Store(value + 3 * p);
}

// The same of any dofs of a subsystem, row by row.
//   column  size nv, zero before and after
void ScaleRows(const BranchSparseFactor& factor, const Subsystem& subsystem, const int* dofs, int count,
               int dim, double* value, double* column) {
  for (int r = 0; r < dim; ++r) {
    for (int k = 0; k < count; ++k) column[dofs[k]] = value[k * dim + r];
    factor.SolveTransposed(column, subsystem.first_dof, subsystem.first_dof + subsystem.num_dofs);
    for (int k = 0; k < count; ++k) {
      value[k * dim + r] = column[dofs[k]];
      column[dofs[k]] = 0.0;
    }
  }
}

// Y of one block from J, in place; returns the sum of its squares.
double ScaleBlock(const ContactProblem& problem, const BranchSparseFactor& factor, const JacobianBlock& block,
                  int dim, double* value, ScaledProblem::Scratch& scratch) {
  const int* dofs = problem.block_dofs.data() + block.first_dof;
  const bool is_path = factor.pattern().row_length(dofs[block.num_dofs - 1]) == block.num_dofs;
  if (is_path && dim == 3 && block.num_dofs <= kLongestPath) {
    block.num_dofs == kFreeDofs ? ScaleShortPath<kFreeDofs>(factor, dofs, kFreeDofs, value)
                                : ScaleShortPath<0>(factor, dofs, block.num_dofs, value);
  } else if (is_path && dim == 3) {
    ScalePath<3>(factor, dofs, block.num_dofs, value);
  } else if (is_path && dim == 1) {
    ScalePath<1>(factor, dofs, block.num_dofs, value);
  } else if (dim == 3 && block.num_dofs <= 2 * kLongestPath) {
    if (static_cast<int>(scratch.place.size()) < factor.size()) scratch.place.resize(factor.size());
    ScaleBranches(factor, dofs, block.num_dofs, value, scratch.place.data());
  } else {
    ScaleRows(factor, problem.subsystems[block.subsystem], dofs, block.num_dofs, dim, value,
              scratch.column.data());
  }
  double sum = 0.0;
  for (int k = 0; k < dim * block.num_dofs; ++k) sum += value[k] * value[k];
  return sum;
}

// to <- the rows, one after another, of a block that stands dof by dof.
void CopyByRows(const double* value, int dim, int count, double* to) {
  if (dim == 1) return void(std::copy_n(value, count, to));
  if (dim != 3) {
    for (int r = 0; r < dim; ++r) {
      for (int k = 0; k < count; ++k) *to++ = value[k * dim + r];
    }
    return;
  }
  for (int k = 0; k < count; ++k) {
    to[k] = value[3 * k];
    to[count + k] = value[3 * k + 1];
    to[2 * count + k] = value[3 * k + 2];
  }
}

// Products with rows of islands that have fewer dofs than a chunk has lanes: rare, and apart, so that the
// others need no room on the stack.
[[gnu::noinline]] void ReadFew(const RowChunks& chunks, const IslandConstraint& c, int num_dofs,
                               const double* x, double* out) {
  double few[RowChunks::kLanes] = {};
  std::copy_n(x, num_dofs, few);
  if (c.dim() == 1) {
    chunks.Multiply<1>(c.chunks, few, out);
  } else {
    chunks.Multiply<3>(c.chunks, few, out);
  }
}

[[gnu::noinline]] void AddToFew(const RowChunks& chunks, const IslandConstraint& c, int num_dofs,
                                const double* change, double* delta) {
  double few[RowChunks::kLanes] = {};
  if (c.dim() == 1) {
    chunks.AddTransposed<1>(c.chunks, change, few);
  } else {
    chunks.AddTransposed<3>(c.chunks, change, few);
  }
  for (int k = 0; k < num_dofs; ++k) delta[k] += few[k];
}

// The largest residual of the constraints, or the first that is no number.
//   read  writes a constraint's velocity, dim values
template <typename Read>
double FindWorstResidual(const Island& island, const SolvedLaw& law, const double* lambda, bool is_unscaled,
                         const Read& read) {
  return FindLargest(island, [&](int i) {
    const IslandConstraint& c = island.constraints[i];
    double g[3];
    read(c, g);
    const int normal = c.dim() - 1;
    for (int r = 0; r < normal; ++r) g[r] += c.compliance_t * lambda[c.row + r];
    g[normal] += c.compliance_n * lambda[c.row + normal];
    return CalcOwnResidual(c, law, c.offset, c.damping, is_unscaled ? 1.0 : c.scale, lambda + c.row, g);
  });
}

// Joins what constraints touch. Roots are the lowest of their sets; contacts of the same bodies follow one
// another, and are looked at once.
//   parent  out: the root of each subsystem
void Join(const ContactProblem& problem, bool is_whole, std::vector<int>& parent) {
  const int n = static_cast<int>(problem.subsystems.size());
  parent.resize(n);
  std::iota(parent.begin(), parent.end(), 0);
  const auto find = [&parent](int s) {
    while (parent[s] != s) s = parent[s] = parent[parent[s]];
    return s;
  };
  int hub = -1;  // of the constraint, or of the whole
  int last_hub = -1, last_other = -1;
  for (const Constraint& c : problem.constraints) {
    if (c.num_blocks > 0 && (hub < 0 || !is_whole)) hub = problem.blocks[c.first_block].subsystem;
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      const int touched = problem.blocks[b].subsystem;
      if (touched == hub || (hub == last_hub && touched == last_other)) continue;
      last_hub = hub, last_other = touched;
      const int first = find(hub), other = find(touched);
      parent[std::max(first, other)] = std::min(first, other);
    }
  }
  for (int s = 0; s < n; ++s) parent[s] = parent[parent[s]];
}

}  // namespace

void ScaledProblem::Resize(const ContactProblem& problem) {
  ReserveLike(problem.jacobian, Y);
  Y.resize(problem.jacobian.size());
  g0.resize(problem.num_rows());
  scale.resize(problem.num_constraints());
}

void ScaledProblem::Assign(const ContactProblem& problem, const BranchSparseFactor& factor) {
  all_.resize(problem.num_constraints());
  std::iota(all_.begin(), all_.end(), 0);
  Resize(problem);
  scratch_.column.assign(problem.nv(), 0.0);
  AssignPart(problem, factor, all_, scratch_);
}

void ScaledProblem::AssignPart(const ContactProblem& problem, const BranchSparseFactor& factor,
                               std::span<const int> constraints, Scratch& scratch) {
  LimitScales(constraints, AssignPiece(problem, factor, constraints, scratch));
}

void ScaledProblem::AssignPart(const ContactProblem& problem, const BranchSparseFactor& factor,
                               std::span<const int> constraints, const TaskPool& pool) {
  const int count = static_cast<int>(constraints.size());
  const int num_pieces = pool.CountPieces(count, kLeastConstraints);
  if (static_cast<int>(pieces_.size()) < num_pieces) pieces_.resize(num_pieces);
  pool.ForNumberedPieces(count, kLeastConstraints, [&](int i, int begin, int end) {
    std::vector<double>& column = pieces_[i].scratch.column;
    if (static_cast<int>(column.size()) < problem.nv()) column.resize(problem.nv(), 0.0);
    pieces_[i].largest =
        AssignPiece(problem, factor, constraints.subspan(begin, end - begin), pieces_[i].scratch);
  });
  double largest = 0.0;
  for (int i = 0; i < num_pieces; ++i) largest = std::max(largest, pieces_[i].largest);
  LimitScales(constraints, largest);
}

// Not inlined: pieces and a whole part are to round alike.
[[gnu::noinline]] double ScaledProblem::AssignPiece(const ContactProblem& problem,
                                                    const BranchSparseFactor& factor,
                                                    std::span<const int> constraints, Scratch& scratch) {
  STICTION_ASSERT(factor.size() == problem.nv());
  double largest = 0.0;
  for (const int i : constraints) {
    const Constraint& c = problem.constraints[i];
    const int dim = c.dim();
    double trace = 0.0;
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      const JacobianBlock& block = problem.blocks[b];
      double* value = Y.data() + block.first_value;
      std::copy_n(problem.jacobian.data() + block.first_value, dim * block.num_dofs, value);
      trace += ScaleBlock(problem, factor, block, dim, value, scratch);
    }
    scale[i] = trace / dim;
    largest = std::max(largest, scale[i]);
    problem.MultiplyRows(c, problem.v_star.data(), g0.data() + c.row);
    if (c.type == ConstraintType::kSoft) continue;
    for (int r = 0; r < dim; ++r) g0[c.row + r] += problem.e[c.row + r];
  }
  return largest;
}

void ScaledProblem::LimitScales(std::span<const int> constraints, double largest) {
  const double floor = std::max(kLeastScale * largest, 1e-300);
  for (const int i : constraints) scale[i] = std::max(scale[i], floor);
}

double ScaledProblem::CalcScale(const ContactProblem& problem, const BranchSparseFactor& factor,
                                int constraint, Scratch& scratch) {
  const Constraint& c = problem.constraints[constraint];
  double trace = 0.0;
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const JacobianBlock& block = problem.blocks[b];
    const double* from = problem.jacobian.data() + block.first_value;
    scratch.rows.assign(from, from + c.dim() * block.num_dofs);
    trace += ScaleBlock(problem, factor, block, c.dim(), scratch.rows.data(), scratch);
  }
  return trace / c.dim();
}

void IslandPartition::Assign(const ContactProblem& problem, bool is_whole) {
  const int n = static_cast<int>(problem.subsystems.size());
  Join(problem, is_whole, parent_);
  // Islands are numbered by their first constraint, which makes the numbering independent of the union order.
  island_of_subsystem.assign(n, -1);
  num_islands = 0;
  first_constraint.assign(1, 0);
  for (const Constraint& c : problem.constraints) {
    if (c.num_blocks == 0) continue;
    int& island = island_of_subsystem[parent_[problem.blocks[c.first_block].subsystem]];
    if (island < 0) {
      island = num_islands++;
      first_constraint.push_back(0);
    }
    ++first_constraint[island + 1];
  }
  for (int s = 0; s < n; ++s) island_of_subsystem[s] = island_of_subsystem[parent_[s]];
  for (int i = 0; i < num_islands; ++i) first_constraint[i + 1] += first_constraint[i];
  constraints.resize(first_constraint[num_islands]);
  for (int i = 0; i < problem.num_constraints(); ++i) {
    const Constraint& c = problem.constraints[i];
    if (c.num_blocks == 0) continue;
    const int island = island_of_subsystem[problem.blocks[c.first_block].subsystem];
    constraints[first_constraint[island]++] = i;
  }
  for (int i = num_islands; i > 0; --i) first_constraint[i] = first_constraint[i - 1];
  first_constraint[0] = 0;

  first_subsystem.assign(num_islands + 1, 0);
  for (int s = 0; s < n; ++s) {
    if (island_of_subsystem[s] >= 0) ++first_subsystem[island_of_subsystem[s] + 1];
  }
  for (int i = 0; i < num_islands; ++i) first_subsystem[i + 1] += first_subsystem[i];
  subsystems.resize(first_subsystem[num_islands]);
  for (int s = n - 1; s >= 0; --s) {
    if (island_of_subsystem[s] >= 0) subsystems[--first_subsystem[island_of_subsystem[s] + 1]] = s;
  }
  // The backward pass left each island's end where its begin belongs.
  for (int i = 0; i < num_islands; ++i) first_subsystem[i] = first_subsystem[i + 1];
  first_subsystem[num_islands] = static_cast<int>(subsystems.size());
}

void Island::Assign(const ContactProblem& whole, const ScaledProblem& scaled,
                    const IslandPartition& partition, int island) {
  STICTION_ASSERT(island >= 0 && island < partition.num_islands);
  STICTION_ASSERT(scaled.scale.size() == whole.num_constraints());
  Clear();
  problem = &whole;
  local_dof_.resize(whole.nv());
  local_node_.resize(whole.subsystems.size());
  for (int p = partition.first_subsystem[island]; p < partition.first_subsystem[island + 1]; ++p) {
    const int s = partition.subsystems[p];
    const Subsystem& subsystem = whole.subsystems[s];
    local_node_[s] = static_cast<int>(nodes.size());
    for (int k = 0; k < subsystem.num_dofs; ++k) local_dof_[subsystem.first_dof + k] = num_dofs_ + k;
    nodes.push_back({num_dofs_, subsystem.num_dofs});
    node_source.push_back(s);
    num_dofs_ += subsystem.num_dofs;
    AddChains(whole.A.pattern(), subsystem);
  }
  const int begin = partition.first_constraint[island], end = partition.first_constraint[island + 1];
  for (int p = begin; p < end; ++p) {
    const int source = partition.constraints[p];
    const Constraint& from = whole.constraints[source];
    const int dim = from.dim();
    IslandConstraint c;
    c.type = from.type;
    c.row = num_rows();
    c.first_block = static_cast<int>(blocks.size());
    c.num_blocks = from.num_blocks;
    c.mu = from.mu;
    c.compliance_n = from.compliance_n;
    c.compliance_t = from.compliance_t;
    c.scale = scaled.scale[source] + ((dim - 1) * c.compliance_t + c.compliance_n) / dim;
    c.offset = from.type == ConstraintType::kSoft ? from.stiffness * whole.e[from.row] : 0.0;
    c.damping = from.damping;
    c.lower = from.lower;
    c.upper = from.upper;
    c.source = source;
    constraints.push_back(c);
    for (int r = 0; r < dim; ++r) g0.push_back(scaled.g0[from.row + r]);
    for (int b = from.first_block; b < from.first_block + from.num_blocks; ++b) {
      const JacobianBlock& block = whole.blocks[b];
      const double* value = scaled.Y.data() + block.first_value;
      IslandBlock& added = blocks.emplace_back();
      added.node = local_node_[block.subsystem];
      added.num_dofs = block.num_dofs;
      added.first_dof = static_cast<int>(block_dofs.size());
      added.first_value = static_cast<int>(Y.size());
      const int* from_dofs = whole.block_dofs.data() + block.first_dof;
      block_dofs.resize(block_dofs.size() + block.num_dofs);
      int* to_dofs = block_dofs.data() + added.first_dof;
      for (int k = 0; k < block.num_dofs; ++k) to_dofs[k] = local_dof_[from_dofs[k]];
      Y.resize(Y.size() + static_cast<std::size_t>(dim) * block.num_dofs);
      CopyByRows(value, dim, block.num_dofs, Y.data() + added.first_value);
    }
    Complete(constraints.back());
  }
}

// A chain ends where its tree branches. A problem without A is one of rows alone: nobody factors K. A
// deformable body is one chain.
void Island::AddChains(const BranchPattern& pattern, const Subsystem& subsystem) {
  const std::size_t first = begins_chain.size();
  begins_chain.resize(first + subsystem.num_dofs, 0);
  char* begins = begins_chain.data() + first;
  begins[0] = 1;
  if (pattern.size() == 0 || sparse != nullptr) return;
  for (int k = 1; k < subsystem.num_dofs; ++k) {
    const int parent = pattern.parent(subsystem.first_dof + k) - subsystem.first_dof;
    if (parent == k - 1) continue;
    begins[k] = 1;
    if (parent >= 0) begins[parent + 1] = 1;
  }
}

void Island::Clear() {
  nodes.clear();
  begins_chain.clear();
  node_source.clear();
  constraints.clear();
  blocks.clear();
  block_dofs.clear();
  Y.clear();
  g0.clear();
  W_diagonal.clear();
  diagonal_begin.clear();
  chunks_.Clear();
  slabs = nullptr;
  num_dofs_ = 0;
}

void Island::Complete(IslandConstraint& c) {
  AddDiagonal(c);
  c.chunks = chunks_.End();
  for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
    const IslandBlock& block = blocks[b];
    // Chunks end where the node does, if it has room for one: threads write to nodes of their own.
    const Subsystem& node = nodes[block.node];
    const int end = node.num_dofs >= RowChunks::kLanes ? node.first_dof + node.num_dofs
                                                       : std::max(num_dofs_, RowChunks::kLanes);
    chunks_.Append(block_dofs.data() + block.first_dof, block.num_dofs, Y.data() + block.first_value,
                   block.num_dofs, c.dim(), c.chunks, end);
  }
}

void Island::AddDiagonal(const IslandConstraint& c) {
  diagonal_begin.push_back(static_cast<int>(W_diagonal.size()));
  const auto blocks_of_c = std::span(blocks).subspan(c.first_block, c.num_blocks);
  if (c.dim() == 1) {
    double sum = 0.0;
    for (const IslandBlock& block : blocks_of_c) {
      const double* y = Y.data() + block.first_value;
      for (int k = 0; k < block.num_dofs; ++k) sum += y[k] * y[k];
    }
    W_diagonal.push_back(sum);
    return;
  }
  double xx = 0.0, xy = 0.0, xz = 0.0, yy = 0.0, yz = 0.0, zz = 0.0;
  for (const IslandBlock& block : blocks_of_c) {
    const double* row = Y.data() + block.first_value;
    const int n = block.num_dofs;
    for (int k = 0; k < n; ++k) {
      const double x = row[k], y = row[n + k], z = row[2 * n + k];
      xx += x * x, xy += x * y, xz += x * z, yy += y * y, yz += y * z, zz += z * z;
    }
  }
  W_diagonal.insert(W_diagonal.end(), {xx, xy, xz, xy, yy, yz, xz, yz, zz});
}

// Chunks do not reach beyond the island's dofs, but where it has fewer than lanes.
void Island::ReadChange(const IslandConstraint& c, const double* x, double* out) const {
  if (num_dofs_ < RowChunks::kLanes) return ReadFew(chunks_, c, num_dofs_, x, out);
  if (c.dim() == 1) {
    chunks_.Multiply<1>(c.chunks, x, out);
  } else {
    chunks_.Multiply<3>(c.chunks, x, out);
  }
}

void Island::ReadVelocity(const IslandConstraint& c, const double* delta, double* g) const {
  ReadChange(c, delta, g);
  for (int r = 0; r < c.dim(); ++r) g[r] += g0[c.row + r];
}

void Island::AddImpulse(const IslandConstraint& c, const double* change, double* delta) const {
  if (num_dofs_ < RowChunks::kLanes) return AddToFew(chunks_, c, num_dofs_, change, delta);
  if (c.dim() == 1) {
    chunks_.AddTransposed<1>(c.chunks, change, delta);
  } else {
    chunks_.AddTransposed<3>(c.chunks, change, delta);
  }
}

void Island::MapImpulses(const double* lambda, double* delta) const {
  if (sparse != nullptr) return sparse->MapImpulses(*this, lambda, delta);
  std::fill(delta, delta + num_dofs_, 0.0);
  ForSlabs(*this, [&](int i) {
    const IslandConstraint& c = constraints[i];
    if (!IsZero(lambda + c.row, c.dim())) AddImpulse(c, lambda + c.row, delta);
  });
}

void Island::MapVelocities(const double* delta, double* g) const {
  if (sparse != nullptr) {
    sparse->Multiply(*this, delta, g);
    for (int r = 0; r < num_rows(); ++r) g[r] += g0[r];
    return;
  }
  ForConstraints(*this, [&](int i) { ReadVelocity(constraints[i], delta, g + constraints[i].row); });
}

void Island::Multiply(const double* x, double* y) const {
  if (sparse != nullptr) return sparse->Multiply(*this, x, y);
  ForConstraints(*this, [&](int i) { ReadChange(constraints[i], x, y + constraints[i].row); });
}

double Island::CalcResidual(const double* lambda, const double* delta) const {
  return CalcOwnResidual({}, lambda, delta);
}

double CalcResidualOfVelocity(const Island& island, const double* lambda, const double* g) {
  return FindWorstResidual(island, {}, lambda, false, [&](const IslandConstraint& c, double* own) {
    std::copy_n(g + c.row, c.dim(), own);
  });
}

double Island::CalcOwnResidual(const SolvedLaw& law, const double* lambda, const double* delta,
                               bool is_unscaled) const {
  if (sparse == nullptr) {
    return FindWorstResidual(*this, law, lambda, is_unscaled,
                             [&](const IslandConstraint& c, double* g) { ReadVelocity(c, delta, g); });
  }
  std::vector<double> velocities(g0.size());
  MapVelocities(delta, velocities.data());
  return FindWorstResidual(*this, law, lambda, is_unscaled, [&](const IslandConstraint& c, double* g) {
    std::copy_n(velocities.data() + c.row, c.dim(), g);
  });
}

}  // namespace stiction
