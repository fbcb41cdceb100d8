#include "stiction/contact/bilateral_basis.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stiction {
namespace {

// A row whose part outside of the others is shorter than this, relative to its own length, depends on them.
constexpr double kIndependent = 1e-9;
// What is shorter than this, relative to the longest row, is rounding, or the lever of a loop that is closed
// only so far. A row may be no more than that by its axes alone: of an anchor that moves in a plane, the
// component across it. It then moves nothing, or as others do; its own length would make much of little.
constexpr double kRounding = 1e-11;

using Column = Eigen::Map<VectorXd>;
using ConstColumn = Eigen::Map<const VectorXd>;
using ConstMatrix = Eigen::Map<const MatrixXd>;

// Takes the columns Q (n x k) out of x, twice: once is not enough where most of x lies in them.
void RemoveProjection(const double* Q, int n, int k, double* x) {
  for (int pass = 0; pass < 2; ++pass) {
    for (int j = 0; j < k; ++j) {
      const ConstColumn q(Q + static_cast<std::size_t>(j) * n, n);
      Column column(x, n);
      column -= q.dot(column) * q;
    }
  }
}

}  // namespace

int BilateralBasis::rank() const {
  return std::accumulate(clusters_.begin(), clusters_.end(), 0,
                         [](int sum, const Cluster& cluster) { return sum + cluster.rank; });
}

void BilateralBasis::FindClusters(const Island& island) {
  const int n = static_cast<int>(island.nodes.size());
  parent_.resize(n);
  std::iota(parent_.begin(), parent_.end(), 0);
  const auto find = [this](int node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  };
  cluster_of_node_.assign(n, -1);
  for (const IslandConstraint& c : island.constraints) {
    if (c.type != ConstraintType::kBilateral || c.num_blocks == 0) continue;
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      const int first = find(island.blocks[c.first_block].node), other = find(island.blocks[b].node);
      parent_[std::max(first, other)] = std::min(first, other);
      cluster_of_node_[island.blocks[b].node] = 0;
    }
  }
  clusters_.clear();
  // The root of a cluster is its smallest node, and comes first.
  for (int node = 0; node < n; ++node) {
    if (cluster_of_node_[node] < 0) continue;
    const int root = find(node);
    if (root == node) {
      cluster_of_node_[node] = static_cast<int>(clusters_.size());
      clusters_.emplace_back();
    } else {
      cluster_of_node_[node] = cluster_of_node_[root];
    }
  }
  nodes_.clear(), dofs_.clear(), rows_.clear(), constraints_.clear();
  for (int k = 0; k < static_cast<int>(clusters_.size()); ++k) {
    Cluster& cluster = clusters_[k];
    cluster.first_node = static_cast<int>(nodes_.size());
    cluster.first_dof = static_cast<int>(dofs_.size());
    cluster.first_row = static_cast<int>(rows_.size());
    for (int node = 0; node < n; ++node) {
      if (cluster_of_node_[node] != k) continue;
      nodes_.push_back(node);
      for (int d = 0; d < island.nodes[node].num_dofs; ++d) dofs_.push_back(island.nodes[node].first_dof + d);
    }
    for (int i = 0; i < island.num_constraints(); ++i) {
      const IslandConstraint& c = island.constraints[i];
      if (c.type != ConstraintType::kBilateral || c.num_blocks == 0) continue;
      if (cluster_of_node_[island.blocks[c.first_block].node] != k) continue;
      rows_.push_back(c.row);
      constraints_.push_back(i);
    }
    cluster.num_nodes = static_cast<int>(nodes_.size()) - cluster.first_node;
    cluster.num_dofs = static_cast<int>(dofs_.size()) - cluster.first_dof;
    cluster.num_rows = static_cast<int>(rows_.size()) - cluster.first_row;
  }
}

// Q by pivoting over the rows, each judged by its own length, then C and its orthogonal factors.
void BilateralBasis::Orthogonalize(const Island& island, Cluster& cluster) {
  const int n = cluster.num_dofs, m = cluster.num_rows;
  for (int k = 0; k < n; ++k) position_of_dof_[dofs_[cluster.first_dof + k]] = k;
  B_.assign(static_cast<std::size_t>(n) * m, 0.0);  // row i of Y_b is column i
  squares_.resize(m);
  is_taken_.assign(m, 0);
  for (int i = 0; i < m; ++i) {
    const IslandConstraint& c = island.constraints[constraints_[cluster.first_row + i]];
    for (int b = c.first_block; b < c.first_block + c.num_blocks; ++b) {
      const IslandBlock& block = island.blocks[b];
      for (int k = 0; k < block.num_dofs; ++k)
        B_[static_cast<std::size_t>(i) * n + position_of_dof_[island.block_dofs[block.first_dof + k]]] +=
            island.Y[block.first_value + k];
    }
    squares_[i] = ConstColumn(B_.data() + static_cast<std::size_t>(i) * n, n).squaredNorm();
  }
  const double rounding =
      m > 0 ? kRounding * kRounding * *std::max_element(squares_.begin(), squares_.end()) : 0.0;
  // The square of what is left of a row, relative to that of its length, that makes it independent.
  const auto least = [&](int i) { return std::max(kIndependent * kIndependent, rounding / squares_[i]); };
  cluster.rank = 0;
  cluster.first_q = static_cast<int>(Q_.size());
  // What is left of each row, so measured; rows that do not move count as dependent.
  small_.resize(m);
  for (int i = 0; i < m; ++i) small_[i] = squares_[i] > rounding ? 1.0 : 0.0;
  while (cluster.rank < std::min(n, m)) {
    const int pivot = static_cast<int>(std::max_element(small_.begin(), small_.end()) - small_.begin());
    if (!(small_[pivot] > 0.0)) break;
    const std::size_t at = Q_.size();
    Q_.insert(Q_.end(), B_.begin() + static_cast<std::size_t>(pivot) * n,
              B_.begin() + static_cast<std::size_t>(pivot + 1) * n);
    RemoveProjection(Q_.data() + cluster.first_q, n, cluster.rank, Q_.data() + at);
    Column q(Q_.data() + at, n);
    const double left = q.squaredNorm();
    small_[pivot] = 0.0;
    is_taken_[pivot] = 1;
    if (!(left > least(pivot) * squares_[pivot])) {
      Q_.resize(at);
      continue;
    }
    q /= std::sqrt(left);
    ++cluster.rank;
    for (int i = 0; i < m; ++i) {
      if (is_taken_[i] || small_[i] == 0.0) continue;
      const double along = q.dot(ConstColumn(B_.data() + static_cast<std::size_t>(i) * n, n));
      small_[i] = std::max(0.0, small_[i] - along * along / squares_[i]);
      // What is left after many subtractions is rounding: computed anew before it decides.
      if (small_[i] < 1e-6) {
        gathered_.assign(B_.begin() + static_cast<std::size_t>(i) * n,
                         B_.begin() + static_cast<std::size_t>(i + 1) * n);
        RemoveProjection(Q_.data() + cluster.first_q, n, cluster.rank, gathered_.data());
        small_[i] = ConstColumn(gathered_.data(), n).squaredNorm() / squares_[i];
        // Dependent for good: more columns can only take more away.
        if (!(small_[i] > least(i))) small_[i] = 0.0;
      }
    }
  }
  // Cᵀ = Y_b Q = Q₂ R₂, m x rank.
  const int r = cluster.rank;
  cluster.first_q2 = static_cast<int>(Q2_.size());
  cluster.first_r2 = static_cast<int>(R2_.size());
  Q2_.resize(Q2_.size() + static_cast<std::size_t>(m) * r);
  R2_.resize(R2_.size() + static_cast<std::size_t>(r) * r, 0.0);
  double* Q2 = Q2_.data() + cluster.first_q2;
  double* R2 = R2_.data() + cluster.first_r2;
  std::fill(R2, R2 + static_cast<std::size_t>(r) * r, 0.0);
  for (int j = 0; j < r; ++j) {
    Column column(Q2 + static_cast<std::size_t>(j) * m, m);
    const ConstColumn q(Q_.data() + cluster.first_q + static_cast<std::size_t>(j) * n, n);
    for (int i = 0; i < m; ++i)
      column[i] = q.dot(ConstColumn(B_.data() + static_cast<std::size_t>(i) * n, n));
    for (int pass = 0; pass < 2; ++pass) {
      for (int k = 0; k < j; ++k) {
        const ConstColumn earlier(Q2 + static_cast<std::size_t>(k) * m, m);
        const double along = earlier.dot(column);
        R2[static_cast<std::size_t>(j) * r + k] += along;
        column -= along * earlier;
      }
    }
    const double length = column.norm();
    R2[static_cast<std::size_t>(j) * r + j] = length;
    if (length > 0.0) column /= length;
  }
}

void BilateralBasis::Assign(const Island& island) {
  FindClusters(island);
  Q_.clear(), Q2_.clear(), R2_.clear();
  position_of_dof_.resize(island.num_dofs());
  for (Cluster& cluster : clusters_) Orthogonalize(island, cluster);
}

void BilateralBasis::ProjectCluster(const Cluster& cluster, double* x) const {
  RemoveProjection(Q_.data() + cluster.first_q, cluster.num_dofs, cluster.rank, x);
}

void BilateralBasis::Project(double* x) const {
  for (const Cluster& cluster : clusters_) {
    gathered_.resize(cluster.num_dofs);
    for (int k = 0; k < cluster.num_dofs; ++k) gathered_[k] = x[dofs_[cluster.first_dof + k]];
    ProjectCluster(cluster, gathered_.data());
    for (int k = 0; k < cluster.num_dofs; ++k) x[dofs_[cluster.first_dof + k]] = gathered_[k];
  }
}

// λ_b = Q₂ R₂⁻ᵀ Qᵀ d.
void BilateralBasis::CalcImpulses(const double* d, double* lambda) const {
  for (const Cluster& cluster : clusters_) {
    const int n = cluster.num_dofs, m = cluster.num_rows, r = cluster.rank;
    gathered_.resize(n);
    small_.resize(r);
    for (int k = 0; k < n; ++k) gathered_[k] = d[dofs_[cluster.first_dof + k]];
    Column y(small_.data(), r);
    for (int j = 0; j < r; ++j)
      y[j] = ConstColumn(Q_.data() + cluster.first_q + static_cast<std::size_t>(j) * n, n)
                 .dot(ConstColumn(gathered_.data(), n));
    ConstMatrix(R2_.data() + cluster.first_r2, r, r)
        .transpose()
        .triangularView<Eigen::Lower>()
        .solveInPlace(y);
    for (int i = 0; i < m; ++i) lambda[rows_[cluster.first_row + i]] = 0.0;
    for (int j = 0; j < r; ++j) {
      const double* q2 = Q2_.data() + cluster.first_q2 + static_cast<std::size_t>(j) * m;
      for (int i = 0; i < m; ++i) lambda[rows_[cluster.first_row + i]] += q2[i] * y[j];
    }
  }
}

// r <- Q₂ Q₂ᵀ r.
void BilateralBasis::ProjectRows(double* values) const {
  for (const Cluster& cluster : clusters_) {
    const int m = cluster.num_rows, r = cluster.rank;
    if (r == m) continue;
    gathered_.assign(m, 0.0);
    for (int j = 0; j < r; ++j) {
      const double* q2 = Q2_.data() + cluster.first_q2 + static_cast<std::size_t>(j) * m;
      double along = 0.0;
      for (int i = 0; i < m; ++i) along += q2[i] * values[rows_[cluster.first_row + i]];
      for (int i = 0; i < m; ++i) gathered_[i] += along * q2[i];
    }
    for (int i = 0; i < m; ++i) values[rows_[cluster.first_row + i]] = gathered_[i];
  }
}

// δ = Q R₂⁻¹ Q₂ᵀ r.
void BilateralBasis::AddMotion(const double* motion, double* x) const {
  for (const Cluster& cluster : clusters_) {
    const int n = cluster.num_dofs, m = cluster.num_rows, r = cluster.rank;
    small_.assign(r, 0.0);
    Column y(small_.data(), r);
    for (int j = 0; j < r; ++j) {
      const double* q2 = Q2_.data() + cluster.first_q2 + static_cast<std::size_t>(j) * m;
      for (int i = 0; i < m; ++i) y[j] += q2[i] * motion[rows_[cluster.first_row + i]];
    }
    ConstMatrix(R2_.data() + cluster.first_r2, r, r).triangularView<Eigen::Upper>().solveInPlace(y);
    for (int j = 0; j < r; ++j) {
      const double* q = Q_.data() + cluster.first_q + static_cast<std::size_t>(j) * n;
      for (int k = 0; k < n; ++k) x[dofs_[cluster.first_dof + k]] += q[k] * y[j];
    }
  }
}

}  // namespace stiction
