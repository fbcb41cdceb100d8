// Textbook linear algebra on dense matrices, against which the engine's own is tested. Compiled once: Eigen's
// decompositions take longer to compile than the tests that use them.
#pragma once

#include "stiction/math/types.h"

namespace stiction::testing {

// X of A X = B, A square and regular.
MatrixXd SolveDense(const MatrixXd& A, const MatrixXd& B);
// X of A X = B, A symmetric and positive definite.
MatrixXd SolvePositive(const MatrixXd& A, const MatrixXd& B);
// The inverse on the range of A; pivots below `threshold` times the largest are zero.
MatrixXd CalcPseudoInverse(const MatrixXd& A, double threshold);
// A basis of {x : A x = 0}, one column per direction.
MatrixXd CalcKernel(const MatrixXd& A);

// S = vectors diag(values) vectorsᵀ of a symmetric matrix, values ascending.
struct SymmetricEigen {
  VectorXd values;
  MatrixXd vectors;
};
SymmetricEigen CalcSymmetricEigen(const MatrixXd& S);

// A = U diag(values) Vᵀ without what is below `threshold` times the largest value; values descending.
struct TruncatedSvd {
  MatrixXd U, V;
  VectorXd values;
};
TruncatedSvd CalcSvd(const MatrixXd& A, double threshold);

}  // namespace stiction::testing
