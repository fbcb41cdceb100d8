#include "stiction/contact/bilateral_rank.h"

#include "contact/sparse_problem.h"
#include "stiction/contact/bilateral_basis.h"

namespace stiction {

int CalcBilateralRank(const ContactProblem& problem) {
  if (problem.is_sparse()) {
    SparseProblem sparse;
    return sparse.Assign(problem) ? CalcBilateralRank(sparse.reduced()) : -1;
  }
  BranchSparseFactor factor;
  if (factor.Factor(problem.A) != -1) return -1;
  ScaledProblem scaled;
  scaled.Assign(problem, factor);
  IslandPartition partition;
  partition.Assign(problem);
  Island island;
  BilateralBasis basis;
  int rank = 0;
  for (int i = 0; i < partition.num_islands; ++i) {
    island.Assign(problem, scaled, partition, i);
    basis.Assign(island);
    rank += basis.rank();
  }
  return rank;
}

}  // namespace stiction
