// The motions that an island's bilateral rows forbid, and the impulses that forbid them.
//
// With Y_b the bilateral rows of the scaled problem (contact/island.h), bodies that they couple form
// clusters. For each, Y_bᵀ = Q C with orthonormal Q: its rank is found by Gram-Schmidt with pivoting over the
// rows, each scaled to unit length, so that rows of a closed loop may depend on one another, or not move at
// all. Then
//
//   P = I − Q Qᵀ                 projects on the motions that all bilateral rows allow
//   λ_b = Cᵀ (C Cᵀ)⁻¹ Qᵀ d       the impulses of least norm with Y_bᵀ λ_b = Q Qᵀ d
//   δ   = Q (Cᵀ)⁺ r              the motion of least norm with Y_b δ = r, in the least-squares sense
//
// C Cᵀ is not formed: Cᵀ = Q₂ R₂, which keeps the digits that squaring would lose at large mass ratios.
//
// References: G. H. Golub, C. F. Van Loan, Matrix Computations, 2013, §5.2 (Gram-Schmidt), §5.5 (rank).
#pragma once

#include <vector>

#include "stiction/contact/island.h"

namespace stiction {

class BilateralBasis {
 public:
  // Does not allocate once it has seen bilateral rows of this size.
  void Assign(const Island& island);

  // Nodes that bilateral rows couple, their dofs and rows.
  struct Cluster {
    int first_node = 0, num_nodes = 0;  // into nodes()
    int first_dof = 0, num_dofs = 0;    // into dofs()
    int first_row = 0, num_rows = 0;    // into rows()
    int rank = 0;
    int first_q = 0;  // into the bases: Q (num_dofs x rank), Q₂ (num_rows x rank), R₂ (rank x rank)
    int first_q2 = 0;
    int first_r2 = 0;
  };
  const std::vector<Cluster>& clusters() const { return clusters_; }
  const std::vector<int>& nodes() const { return nodes_; }                // of the island, grouped by cluster
  const std::vector<int>& dofs() const { return dofs_; }                  // of the island, grouped by cluster
  const std::vector<int>& rows() const { return rows_; }                  // of the island, grouped by cluster
  int cluster_of_node(int node) const { return cluster_of_node_[node]; }  // -1: none
  int rank() const;

  // x <- P x over all dofs of the island.
  void Project(double* x) const;
  // The same for one cluster, x over its dofs in their order in dofs().
  void ProjectCluster(const Cluster& cluster, double* x) const;
  // Writes λ_b at its rows of lambda; d over all dofs of the island.
  void CalcImpulses(const double* d, double* lambda) const;
  // The part of r that some motion of the bodies can meet, Y_b x for some x; r over all rows of the island,
  // of which bilateral ones change.
  void ProjectRows(double* r) const;
  // Adds δ to x, both over all dofs of the island; r over all rows of the island, of which bilateral ones
  // count.
  void AddMotion(const double* r, double* x) const;

 private:
  void FindClusters(const Island& island);
  void Orthogonalize(const Island& island, Cluster& cluster);

  std::vector<Cluster> clusters_;
  std::vector<int> nodes_, dofs_, rows_, constraints_;
  std::vector<int> cluster_of_node_, parent_, position_of_dof_;
  std::vector<double> Q_, Q2_, R2_;
  std::vector<double> B_, squares_;  // rows of Y_b, scratch
  std::vector<char> is_taken_;
  mutable std::vector<double> small_, gathered_;  // scratch of a solve
};

}  // namespace stiction
