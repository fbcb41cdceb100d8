// Kernels on small dense column-major blocks. Sizes are run-time numbers; kernels with a size among their
// template parameters are unrolled where it is not 0, for the dofs of bodies and legs: DispatchSize. Nothing
// here allocates.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <type_traits>

namespace stiction::dense {

// C −= A Bᵀ with A ni x m, B nj x m, C ni x nj.
template <int ni, int nj, int m>
inline void SubtractProductFixed(double* __restrict C, const double* __restrict A,
                                 const double* __restrict B) {
  for (int j = 0; j < nj; ++j) {
    double column[ni];
    for (int i = 0; i < ni; ++i) column[i] = C[j * ni + i];
    for (int p = 0; p < m; ++p) {
      const double b = B[p * nj + j];
      for (int i = 0; i < ni; ++i) column[i] -= A[p * ni + i] * b;
    }
    for (int i = 0; i < ni; ++i) C[j * ni + i] = column[i];
  }
}

// The same for a tile of ni rows and nj columns of C, whose sums stay in registers; C and A have the leading
// dimension lda, B has ldb.
template <int ni, int nj>
inline void SubtractTile(double* __restrict C, const double* __restrict A, const double* __restrict B,
                         int lda, int ldb, int m) {
  double sum[nj][ni] = {};
  for (int p = 0; p < m; ++p) {
    for (int j = 0; j < nj; ++j) {
      for (int i = 0; i < ni; ++i) sum[j][i] += A[p * lda + i] * B[p * ldb + j];
    }
  }
  for (int j = 0; j < nj; ++j) {
    for (int i = 0; i < ni; ++i) C[j * lda + i] -= sum[j][i];
  }
}

// All ni rows of nj columns.
template <int nj>
inline void SubtractColumns(double* __restrict C, const double* __restrict A, const double* __restrict B,
                            int ni, int ldb, int m) {
  int i = 0;
  for (; i + 8 <= ni; i += 8) SubtractTile<8, nj>(C + i, A + i, B, ni, ldb, m);
  if (i + 4 <= ni) SubtractTile<4, nj>(C + i, A + i, B, ni, ldb, m), i += 4;
  if (i + 2 <= ni) SubtractTile<2, nj>(C + i, A + i, B, ni, ldb, m), i += 2;
  if (i < ni) SubtractTile<1, nj>(C + i, A + i, B, ni, ldb, m);
}

template <int n>
using Size = std::integral_constant<int, n>;

// Calls visit(Size<n>()) for the sizes that are worth a kernel of their own, else visit(Size<0>()).
template <typename Visit>
inline auto DispatchSize(int n, const Visit& visit) {
  if (n == 6) return visit(Size<6>());
  if (n == 4) return visit(Size<4>());
  if (n == 3) return visit(Size<3>());
  return visit(Size<0>());
}

inline void SubtractProductOfAnySize(double* __restrict C, const double* __restrict A,
                                     const double* __restrict B, int ni, int nj, int m) {
  int j = 0;
  for (; j + 4 <= nj; j += 4) SubtractColumns<4>(C + j * ni, A, B + j, ni, nj, m);
  if (j + 2 <= nj) SubtractColumns<2>(C + j * ni, A, B + j, ni, nj, m), j += 2;
  if (j < nj) SubtractColumns<1>(C + j * ni, A, B + j, ni, nj, m);
}

// C −= A Bᵀ with A ni x m, B nj x m, C ni x nj.
template <int kM = 0>
inline void SubtractProduct(double* __restrict C, const double* __restrict A, const double* __restrict B,
                            int ni, int nj, int m) {
  if constexpr (kM == 0) {
    SubtractProductOfAnySize(C, A, B, ni, nj, m);
  } else {
    DispatchSize(ni, [&](auto kI) {
      DispatchSize(nj, [&](auto kJ) {
        if constexpr (kI() > 0 && kJ() > 0) {
          SubtractProductFixed<kI(), kJ(), kM>(C, A, B);
        } else {
          SubtractProductOfAnySize(C, A, B, ni, nj, m);
        }
      });
    });
  }
}

// y −= A x with `columns` columns of n rows, lda apart.
template <int columns>
inline void SubtractColumnsTimes(double* __restrict y, const double* __restrict A, int lda,
                                 const double* __restrict x, int n) {
  for (int i = 0; i < n; ++i) {
    double sum = A[i] * x[0];
    for (int p = 1; p < columns; ++p) sum += A[p * lda + i] * x[p];
    y[i] -= sum;
  }
}

// The same of a whole block of a fixed size.
template <int n, int m>
inline void SubtractTimesFixed(double* __restrict y, const double* __restrict A, const double* __restrict x) {
  double sum[n];
  for (int i = 0; i < n; ++i) sum[i] = y[i];
  for (int p = 0; p < m; ++p) {
    for (int i = 0; i < n; ++i) sum[i] -= A[p * n + i] * x[p];
  }
  for (int i = 0; i < n; ++i) y[i] = sum[i];
}

// y −= A x with A n x m.
inline void SubtractTimes(double* __restrict y, const double* __restrict A, int lda,
                          const double* __restrict x, int n, int m) {
  int p = 0;
  for (; p + 4 <= m; p += 4) SubtractColumnsTimes<4>(y, A + p * lda, lda, x + p, n);
  if (p + 2 <= m) SubtractColumnsTimes<2>(y, A + p * lda, lda, x + p, n), p += 2;
  if (p < m) SubtractColumnsTimes<1>(y, A + p * lda, lda, x + p, n);
}

template <int columns>
inline void SubtractDotProducts(double* __restrict y, const double* __restrict A, int lda,
                                const double* __restrict x, int n) {
  using Lanes = Eigen::Array4d;
  Lanes sum[columns];
  for (int p = 0; p < columns; ++p) sum[p].setZero();
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const Eigen::Map<const Lanes> from(x + i);
    for (int p = 0; p < columns; ++p) sum[p] += Eigen::Map<const Lanes>(A + p * lda + i) * from;
  }
  for (int p = 0; p < columns; ++p) {
    double total = sum[p].sum();
    for (int k = i; k < n; ++k) total += A[p * lda + k] * x[k];
    y[p] -= total;
  }
}

// y −= Aᵀ x with A n x m.
inline void SubtractTransposedTimes(double* __restrict y, const double* __restrict A, int lda,
                                    const double* __restrict x, int n, int m) {
  int p = 0;
  for (; p + 4 <= m; p += 4) SubtractDotProducts<4>(y + p, A + p * lda, lda, x, n);
  if (p + 2 <= m) SubtractDotProducts<2>(y + p, A + p * lda, lda, x, n), p += 2;
  if (p < m) SubtractDotProducts<1>(y + p, A + p * lda, lda, x, n);
}

// P D = L U in place, partial pivoting; pivots[k] is the row exchanged with row k.
template <int kN = 0>
[[nodiscard]] inline bool FactorLu(double* D, int* pivots, int size) {
  const int n = kN > 0 ? kN : size;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(D[k * n + i]) > std::abs(D[k * n + pivot])) pivot = i;
    }
    pivots[k] = pivot;
    const double value = D[k * n + pivot];
    if (value == 0.0 || !std::isfinite(value)) return false;
    if (pivot != k) {
      for (int j = 0; j < n; ++j) std::swap(D[j * n + k], D[j * n + pivot]);
    }
    const double inverse = 1.0 / value;
    for (int i = k + 1; i < n; ++i) D[k * n + i] *= inverse;
    for (int j = k + 1; j < n; ++j) {
      const double u = D[j * n + k];
      if (u == 0.0) continue;
      for (int i = k + 1; i < n; ++i) D[j * n + i] -= D[k * n + i] * u;
    }
  }
  return true;
}

// A <- A D⁻¹ with A ni x n and D = Pᵀ L U as FactorLu left it.
template <int kN = 0, int kI = 0>
inline void DivideByLu(double* A, int rows, const double* D, const int* pivots, int size) {
  const int n = kN > 0 ? kN : size, ni = kI > 0 ? kI : rows;
  for (int c = 0; c < n; ++c) {
    double* column = A + c * ni;
    for (int p = 0; p < c; ++p) {
      const double u = D[c * n + p];
      if (u == 0.0) continue;
      for (int i = 0; i < ni; ++i) column[i] -= A[p * ni + i] * u;
    }
    const double inverse = 1.0 / D[c * n + c];
    for (int i = 0; i < ni; ++i) column[i] *= inverse;
  }
  for (int c = n - 1; c >= 0; --c) {
    double* column = A + c * ni;
    for (int p = c + 1; p < n; ++p) {
      const double l = D[c * n + p];
      if (l == 0.0) continue;
      for (int i = 0; i < ni; ++i) column[i] -= A[p * ni + i] * l;
    }
  }
  for (int c = n - 1; c >= 0; --c) {
    if (pivots[c] == c) continue;
    for (int i = 0; i < ni; ++i) std::swap(A[c * ni + i], A[pivots[c] * ni + i]);
  }
}

// x <- D⁻¹ x.
template <int kN = 0>
inline void SolveLu(double* x, const double* D, const int* pivots, int size) {
  const int n = kN > 0 ? kN : size;
  for (int k = 0; k < n; ++k) std::swap(x[k], x[pivots[k]]);
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) x[i] -= D[k * n + i] * x[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    x[k] /= D[k * n + k];
    for (int i = 0; i < k; ++i) x[i] -= D[k * n + i] * x[k];
  }
}

// D = L Lᵀ in place, lower triangle; the diagonal keeps the reciprocals of L's, for a solve without
// divisions.
[[nodiscard]] inline bool FactorCholesky(double* D, int n) {
  for (int k = 0; k < n; ++k) {
    const double pivot = D[k * n + k];
    if (!(pivot > 0.0) || !std::isfinite(pivot)) return false;
    const double inverse = 1.0 / std::sqrt(pivot);
    D[k * n + k] = inverse;
    for (int i = k + 1; i < n; ++i) D[k * n + i] *= inverse;
    for (int j = k + 1; j < n; ++j) {
      const double l = D[k * n + j];
      if (l == 0.0) continue;
      for (int i = j; i < n; ++i) D[j * n + i] -= D[k * n + i] * l;
    }
  }
  return true;
}

// A <- A L⁻ᵀ with A ni x n.
inline void DivideByCholesky(double* A, int ni, const double* L, int n) {
  for (int c = 0; c < n; ++c) {
    double* column = A + c * ni;
    for (int p = 0; p < c; ++p) {
      const double l = L[p * n + c];
      if (l == 0.0) continue;
      for (int i = 0; i < ni; ++i) column[i] -= A[p * ni + i] * l;
    }
    const double inverse = L[c * n + c];
    for (int i = 0; i < ni; ++i) column[i] *= inverse;
  }
}

// x <- L⁻¹ x.
inline void SolveLower(double* x, const double* L, int n) {
  for (int first = 0; first < n; first += 4) {
    const int end = std::min(first + 4, n);
    for (int k = first; k < end; ++k) {
      x[k] *= L[k * n + k];
      for (int i = k + 1; i < end; ++i) x[i] -= L[k * n + i] * x[k];
    }
    SubtractTimes(x + end, L + first * n + end, n, x + first, n - end, end - first);
  }
}

// x <- L⁻ᵀ x.
inline void SolveLowerTransposed(double* x, const double* L, int n) {
  for (int first = (n - 1) / 4 * 4; first >= 0; first -= 4) {
    const int end = std::min(first + 4, n);
    SubtractTransposedTimes(x + first, L + first * n + end, n, x + end, n - end, end - first);
    for (int k = end - 1; k >= first; --k) {
      for (int i = k + 1; i < end; ++i) x[k] -= L[k * n + i] * x[i];
      x[k] *= L[k * n + k];
    }
  }
}

}  // namespace stiction::dense
