// An island without its bilateral rows: the same problem for what is left.
//
// With P the projection on the motions that the bilateral rows allow (contact/bilateral_basis.h) and δ_p the
// motion of least norm that meets them, Y_b δ_p = −g0_b, the other rows c see
//
//   g_c = g0_c + Y_c δ_p + Y_c P Y_cᵀ λ_c,    λ_b of least norm with Y_bᵀ λ_b = δ_p − Q Qᵀ Y_cᵀ λ_c
//
// which is the Schur complement of the bilateral rows. Loops at any mass ratio then cost a solver nothing; to
// solve them beside the contacts, row by row or as a block in turns, stalls from a ratio of 1000.
//
// A cluster of coupled bodies becomes one node, in which a row touches every dof.
//
// References: V. Tsounis, R. Grandia, M. Bächer, 2025, §III (problem and conditioning).
#pragma once

#include <vector>

#include "contact/island_slabs.h"
#include "stiction/contact/bilateral_basis.h"

namespace stiction {

class BilateralElimination {
 public:
  // Does not allocate once it has seen an island of this size.
  void Assign(const Island& island);

  // Whether the island has bilateral rows at all.
  bool is_needed() const { return !basis_.clusters().empty(); }
  // The island without them; without constraints if there are no others.
  const Island& rest() const { return rest_; }

  // The impulses of the other rows, in the order of rest(), and back; Join computes the bilateral ones.
  void Split(const double* lambda, std::vector<double>& rest_lambda) const;
  void Join(const double* rest_lambda, double* lambda);

 private:
  void AddNodes();
  void AddRow(const IslandConstraint& c);

  const Island* island_ = nullptr;
  BilateralBasis basis_;
  Island rest_;
  IslandSlabs slabs_;  // of it
  std::vector<double> particular_, motion_, bilateral_g0_;
  std::vector<int> node_of_node_, dof_of_dof_;  // of the island, in rest_
};

}  // namespace stiction
