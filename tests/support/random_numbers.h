// Random numbers, vectors and matrices for tests of arithmetic: equal seeds give equal numbers on every
// platform.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "stiction/math/branch_sparse.h"
#include "stiction/math/types.h"

namespace stiction::testing {

class RandomNumbers {
 public:
  explicit RandomNumbers(unsigned seed) : engine_(seed) {}

  // 53 bits by hand: the standard leaves the output of its distributions to the library.
  double Uniform(double lower, double upper) {
    return lower + (upper - lower) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
  }
  // 10^x with x uniform: sizes over several orders of magnitude.
  double LogUniform(double lower, double upper) {
    return std::pow(10.0, Uniform(std::log10(lower), std::log10(upper)));
  }
  // Standard normal, by Box and Muller.
  double Normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - Uniform(0.0, 1.0)));
    return radius * std::cos(6.283185307179586 * Uniform(0.0, 1.0));
  }
  VectorXd NormalVector(int size) {
    VectorXd out(size);
    for (double& value : out) value = Normal();
    return out;
  }
  // In [0, count).
  int Index(int count) { return static_cast<int>(engine_() % static_cast<unsigned>(count)); }

  MatrixXd Matrix(int rows, int columns, double bound = 1.0) {
    MatrixXd out(rows, columns);
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) out(i, j) = Uniform(-bound, bound);
    }
    return out;
  }
  VectorXd Vector(int size, double bound = 1.0) { return Matrix(size, 1, bound); }
  Vector3d Vector3(double bound = 1.0) { return Matrix(3, 1, bound); }
  // Symmetric, eigenvalues at least 0.1.
  MatrixXd PositiveDefinite(int n) {
    const MatrixXd B = Matrix(n, n);
    return B * B.transpose() + 0.1 * MatrixXd::Identity(n, n);
  }

  // A forest: every node hangs under one of the nodes before it, or is a root.
  std::vector<int> Parents(int n) {
    std::vector<int> parent(n);
    for (int k = 0; k < n; ++k) parent[k] = Index(k + 1) - 1;
    return parent;
  }
  // Positive definite with the pattern: LᵀL of a random L, as every matrix of that pattern is.
  BranchSparseMatrix BranchSparse(const BranchPattern& pattern) {
    MatrixXd L = MatrixXd::Zero(pattern.size(), pattern.size());
    for (int k = 0; k < pattern.size(); ++k) {
      for (int i = 0; i < pattern.row_length(k); ++i) L(k, pattern.columns(k)[i]) = Uniform(-0.5, 0.5);
      L(k, k) = Uniform(0.5, 2.0);
    }
    const MatrixXd dense = L.transpose() * L;
    BranchSparseMatrix A(pattern);
    for (int k = 0; k < pattern.size(); ++k) {
      for (int i = 0; i < pattern.row_length(k); ++i) A.row(k)[i] = dense(k, pattern.columns(k)[i]);
    }
    return A;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace stiction::testing
