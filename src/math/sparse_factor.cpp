#include "math/sparse_factor.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/assert.h"

namespace stiction {

// Parts are put back where they were: no part's fill depends on when another one is eliminated.
void SparseFactor::Order(const CompressedMatrix& A, const std::vector<IndexRange>& parts) {
  const int n = A.size();
  const Eigen::Map<const Matrix> given(n, n, A.num_entries(), A.row_begin.data(), A.columns.data(),
                                       A.values.data());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order(n);
  if (n > 0) Eigen::AMDOrdering<int>()(Matrix(given), order);
  std::vector<int> part_of(n);
  for (std::size_t p = 0; p < parts.size(); ++p)
    std::fill(part_of.begin() + parts[p].begin, part_of.begin() + parts[p].end, static_cast<int>(p));
  dof_.assign(order.indices().data(), order.indices().data() + n);
  std::stable_sort(dof_.begin(), dof_.end(), [&](int a, int b) { return part_of[a] < part_of[b]; });
  place_.resize(n);
  for (int k = 0; k < n; ++k) place_[dof_[k]] = k;

  std::vector<Eigen::Triplet<double>> entries;
  for (int row = 0; row < n; ++row) {
    for (int i = A.row_begin[row]; i < A.row_begin[row + 1] && A.columns[i] <= row; ++i) {
      const auto [low, high] = std::minmax(place_[row], place_[A.columns[i]]);
      entries.emplace_back(high, low, 1.0);
    }
  }
  permuted_.resize(n, n);
  permuted_.setFromTriplets(entries.begin(), entries.end());
  slot_.assign(A.columns.size(), -1);
  for (int row = 0; row < n; ++row) {
    for (int i = A.row_begin[row]; i < A.row_begin[row + 1] && A.columns[i] <= row; ++i) {
      const auto [low, high] = std::minmax(place_[row], place_[A.columns[i]]);
      const int* begin = permuted_.innerIndexPtr() + permuted_.outerIndexPtr()[low];
      const int* end = permuted_.innerIndexPtr() + permuted_.outerIndexPtr()[low + 1];
      slot_[i] = static_cast<int>(std::lower_bound(begin, end, high) - permuted_.innerIndexPtr());
    }
  }
  llt_.analyzePattern(permuted_);
  pattern_.row_begin = A.row_begin;
  pattern_.columns = A.columns;
}

bool SparseFactor::Factor(const CompressedMatrix& A, const std::vector<IndexRange>& parts) {
  const int n = A.size();
  if (pattern_.row_begin != A.row_begin || pattern_.columns != A.columns) Order(A, parts);
  std::fill_n(permuted_.valuePtr(), permuted_.nonZeros(), 0.0);
  for (std::size_t i = 0; i < slot_.size(); ++i) {
    if (slot_[i] >= 0) permuted_.valuePtr()[slot_[i]] = A.values[i];
  }
  llt_.factorize(permuted_);
  if (llt_.info() != Eigen::Success) return false;
  factor_ = llt_.matrixL().nestedExpression();
  parent_.assign(n, -1);
  for (int k = 0; k < n; ++k) {
    const int begin = factor_.outerIndexPtr()[k], end = factor_.outerIndexPtr()[k + 1];
    if (!std::isfinite(factor_.valuePtr()[begin])) return false;  // the library lets NaN pass
    if (end > begin + 1) parent_[k] = factor_.innerIndexPtr()[begin + 1];
  }
  triangle_.Assign(factor_);
  is_reached_.assign(n, 0);
  work_.assign(3 * static_cast<std::size_t>(n), 0.0);
  by_place_.resize(n);
  return true;
}

// The variant without roots goes on beyond a negative pivot. One that is zero would end it, too: a shift by
// less than round-off makes it negative.
int SparseFactor::FindBadPivot() {
  Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Eigen::NaturalOrdering<int>> ldlt;
  ldlt.setShift(-1e-16 * permuted_.diagonal().cwiseAbs().maxCoeff());
  ldlt.compute(permuted_);
  if (ldlt.info() != Eigen::Success) return -1;
  const VectorXd pivots = ldlt.vectorD();
  for (int k = 0; k < size(); ++k) {
    if (!(pivots[k] > 0.0)) return dof_[k];
  }
  return -1;
}

void SparseFactor::Solve(double* x) {
  for (int k = 0; k < size(); ++k) by_place_[k] = x[dof_[k]];
  triangle_.SolveLower(factor_, by_place_.data(), 0, size());
  triangle_.SolveTransposed(factor_, by_place_.data(), 0, size());
  for (int k = 0; k < size(); ++k) x[dof_[k]] = by_place_[k];
}

void SparseFactor::MultiplyLower(const double* x, double* y, int begin, int end) const {
  const int *column = factor_.outerIndexPtr(), *rows = factor_.innerIndexPtr();
  for (int k = begin; k < end; ++k) {
    double sum = 0.0;
    for (int i = column[k]; i < column[k + 1]; ++i) sum += factor_.valuePtr()[i] * x[dof_[rows[i]]];
    y[k] = sum;
  }
}

void SparseFactor::MultiplyTransposed(const double* x, double* y, int begin, int end) const {
  const int *column = factor_.outerIndexPtr(), *rows = factor_.innerIndexPtr();
  std::fill(y + begin, y + end, 0.0);
  for (int k = begin; k < end; ++k) {
    for (int i = column[k]; i < column[k + 1]; ++i) y[dof_[rows[i]]] += factor_.valuePtr()[i] * x[k];
  }
}

void SparseFactor::SolveTransposed(const double* x, double* y, int begin, int end) const {
  for (int k = begin; k < end; ++k) y[k] = x[dof_[k]];
  triangle_.SolveLower(factor_, y, begin, end);
}

void SparseFactor::SolveLower(double* x, double* y, int begin, int end) const {
  triangle_.SolveTransposed(factor_, x, begin, end);
  for (int k = begin; k < end; ++k) y[dof_[k]] = x[k];
}

void SparseFactor::FindReach(const int* dofs, int count, std::vector<int>& places) {
  places.clear();
  for (int k = 0; k < count; ++k) {
    for (int at = place_[dofs[k]]; at >= 0 && !is_reached_[at]; at = parent_[at]) {
      is_reached_[at] = 1;
      places.push_back(at);
    }
  }
  for (const int at : places) is_reached_[at] = 0;
  std::sort(places.begin(), places.end());
}

void SparseFactor::ScaleRows(const int* dofs, int count, int dim, const double* values,
                             std::vector<int>& places, std::vector<double>& scaled) {
  STICTION_ASSERT(dim >= 1 && dim <= 3);
  FindReach(dofs, count, places);
  const auto work = [this](int place) { return work_.data() + 3 * static_cast<std::ptrdiff_t>(place); };
  for (int k = 0; k < count; ++k) std::copy_n(values + dim * k, dim, work(place_[dofs[k]]));
  const int *column = factor_.outerIndexPtr(), *rows = factor_.innerIndexPtr();
  scaled.clear();
  for (const int place : places) {
    double* x = work(place);
    const double pivot = factor_.valuePtr()[column[place]];
    const double y[3] = {x[0] / pivot, x[1] / pivot, x[2] / pivot};
    for (int i = column[place] + 1; i < column[place + 1]; ++i) {
      double* below = work(rows[i]);
      const double l = factor_.valuePtr()[i];
      for (int r = 0; r < 3; ++r) below[r] -= l * y[r];
    }
    scaled.insert(scaled.end(), y, y + dim);
    std::fill_n(x, 3, 0.0);
  }
}

}  // namespace stiction
