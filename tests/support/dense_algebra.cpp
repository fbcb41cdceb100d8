#include "tests/support/dense_algebra.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace stiction::testing {

MatrixXd SolveDense(const MatrixXd& A, const MatrixXd& B) {
  return A.fullPivLu().solve(B);
}

MatrixXd SolvePositive(const MatrixXd& A, const MatrixXd& B) {
  return A.ldlt().solve(B);
}

MatrixXd CalcPseudoInverse(const MatrixXd& A, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
  decomposition.setThreshold(threshold);
  return decomposition.compute(A).pseudoInverse();
}

MatrixXd CalcKernel(const MatrixXd& A) {
  return A.fullPivLu().kernel();
}

SymmetricEigen CalcSymmetricEigen(const MatrixXd& S) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(S);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

TruncatedSvd CalcSvd(const MatrixXd& A, double threshold) {
  Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(threshold);
  const Eigen::Index rank = svd.rank();
  return {svd.matrixU().leftCols(rank), svd.matrixV().leftCols(rank), svd.singularValues().head(rank)};
}

}  // namespace stiction::testing
