// Kernels on small dense column-major blocks. Sizes are run-time numbers; kernels with a size among their
// template parameters are unrolled where it is not 0, for the dofs of bodies and legs: DispatchSize. Nothing
// here allocates.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

namespace stiction::dense {

template <int n>
using Size = std::integral_constant<int, n>;

// Calls visit(Size<0>()), ... visit(Size<n - 1>()): a loop whose numbers are constants, so that arrays of
// strips stay in registers.
template <int n, typename Visit>
inline void Unroll(const Visit& visit) {
  [&]<int... i>(std::integer_sequence<int, i...>) {
    (visit(Size<i>()), ...);
  }
  (std::make_integer_sequence<int, n>());
}

// n values that stand one after another, in vector registers: of four, then of two, then one. Compilers make
// such of loops over six or three values only now and then.
template <int n>
class Strip {
 public:
  static Strip Load(const double* from) {
    Strip strip;
    if constexpr (kFours > 0) strip.four_ = Eigen::Map<const Four>(from);
    if constexpr (kTwos > 0) strip.two_ = Eigen::Map<const Two>(from + 4 * kFours);
    if constexpr (kOnes > 0) strip.one_ = from[n - 1];
    return strip;
  }
  void Store(double* to) const {
    if constexpr (kFours > 0) Eigen::Map<Four>{to} = four_;
    if constexpr (kTwos > 0) Eigen::Map<Two>{to + 4 * kFours} = two_;
    if constexpr (kOnes > 0) to[n - 1] = one_;
  }
  Strip& operator*=(double factor) {
    if constexpr (kFours > 0) four_ *= factor;
    if constexpr (kTwos > 0) two_ *= factor;
    if constexpr (kOnes > 0) one_ *= factor;
    return *this;
  }
  Strip& operator*=(const Strip& factors) {
    if constexpr (kFours > 0) four_ *= factors.four_;
    if constexpr (kTwos > 0) two_ *= factors.two_;
    if constexpr (kOnes > 0) one_ *= factors.one_;
    return *this;
  }
  Strip& operator+=(const Strip& x) {
    if constexpr (kFours > 0) four_ += x.four_;
    if constexpr (kTwos > 0) two_ += x.two_;
    if constexpr (kOnes > 0) one_ += x.one_;
    return *this;
  }
  void AddTimes(const Strip& x, double factor) {
    if constexpr (kFours > 0) four_ += x.four_ * factor;
    if constexpr (kTwos > 0) two_ += x.two_ * factor;
    if constexpr (kOnes > 0) one_ += x.one_ * factor;
  }
  void SubtractTimes(const Strip& x, double factor) {
    if constexpr (kFours > 0) four_ -= x.four_ * factor;
    if constexpr (kTwos > 0) two_ -= x.two_ * factor;
    if constexpr (kOnes > 0) one_ -= x.one_ * factor;
  }

 private:
  static constexpr int kFours = n / 4, kTwos = n % 4 / 2, kOnes = n % 2;
  static_assert(kFours <= 1);
  using Four = Eigen::Array<double, 4, 1>;
  using Two = Eigen::Array<double, 2, 1>;

  // What n leaves out is not initialised, and takes no register.
  Four four_;
  Two two_;
  double one_;
};

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
  auto sum = Strip<n>::Load(y);
  for (int p = 0; p < m; ++p) sum.SubtractTimes(Strip<n>::Load(A + p * n), x[p]);
  sum.Store(y);
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

// The same of a whole block of a fixed size.
template <int n, int m>
inline void SubtractTransposedTimesFixed(double* __restrict y, const double* __restrict A,
                                         const double* __restrict x) {
  for (int p = 0; p < m; ++p) {
    double sum = A[p * n] * x[0];
    for (int i = 1; i < n; ++i) sum += A[p * n + i] * x[i];
    y[p] -= sum;
  }
}

// Step k of FactorLu: what is right of column k and below row k gets a multiple of that row.
template <int n, int k>
inline void EliminateBelow(double* D, double inverse) {
  // Whole columns, by factors that are zero down to row k: no loop of n - k rounds.
  static constexpr auto kBelow = [] {
    std::array<double, n> below{};
    for (int i = k + 1; i < n; ++i) below[i] = 1.0;
    return below;
  }();
  double above[k + 1];
  for (int i = 0; i < k; ++i) above[i] = D[k * n + i];
  above[k] = inverse;
  auto below = Strip<n>::Load(D + k * n);
  below *= inverse;
  below *= Strip<n>::Load(kBelow.data());
  below.Store(D + k * n);
  for (int i = 0; i <= k; ++i) D[k * n + i] = above[i];
  for (int j = k + 1; j < n; ++j) {
    auto column = Strip<n>::Load(D + j * n);
    column.SubtractTimes(below, D[j * n + k]);
    column.Store(D + j * n);
  }
}

// The row of column k, from k on, with its largest value; the first of them. Mostly that is row k: one guess,
// no chain of comparisons.
template <int n, int k>
inline int FindPivot(const double* column) {
  bool any = false;
  for (int i = k + 1; i < n; ++i) any |= std::abs(column[i]) > std::abs(column[k]);
  if (!any) return k;
  int pivot = k;
  double largest = std::abs(column[k]);
  for (int i = k + 1; i < n; ++i) {
    const double size = std::abs(column[i]);
    if (size > largest) largest = size, pivot = i;
  }
  return pivot;
}

template <int n>
[[nodiscard]] inline bool FactorLuFixed(double* D, int* pivots) {
  bool is_regular = true;
  Unroll<n>([&](auto step) {
    constexpr int k = step();
    if (!is_regular) return;
    const int pivot = FindPivot<n, k>(D + k * n);
    pivots[k] = pivot;
    const double value = D[k * n + pivot];
    is_regular = value != 0.0 && std::isfinite(value);
    if (!is_regular) return;
    if (pivot != k) {
      for (int j = 0; j < n; ++j) std::swap(D[j * n + k], D[j * n + pivot]);
    }
    EliminateBelow<n, k>(D, 1.0 / value);
  });
  return is_regular;
}

// P D = L U in place, partial pivoting; pivots[k] is the row exchanged with row k. The diagonal keeps the
// reciprocals of U's, for solves without divisions.
template <int kN = 0>
[[nodiscard]] inline bool FactorLu(double* D, int* pivots, int n) {
  if constexpr (kN > 0) return FactorLuFixed<kN>(D, pivots);
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
    D[k * n + k] = inverse;
  }
  return true;
}

// A <- A (L U)⁻¹ with A ni x n, both of fixed sizes.
template <int n, int ni>
inline void DivideByLuFixed(double* A, const double* D) {
  Strip<ni> column[n];
  Unroll<n>([&](auto c) {
    column[c] = Strip<ni>::Load(A + c * ni);
    Unroll<c()>([&](auto p) { column[c].SubtractTimes(column[p], D[c * n + p]); });
    column[c] *= D[c * n + c];
  });
  Unroll<n>([&](auto last) {
    constexpr int c = n - 1 - last();
    Unroll<last()>([&](auto next) {
      constexpr int p = c + 1 + next();
      column[c].SubtractTimes(column[p], D[c * n + p]);
    });
    column[c].Store(A + c * ni);
  });
}

// The same of any sizes.
inline void DivideByLuOfAnySize(double* A, int ni, const double* D, int n) {
  for (int c = 0; c < n; ++c) {
    double* column = A + c * ni;
    for (int p = 0; p < c; ++p) {
      const double u = D[c * n + p];
      if (u == 0.0) continue;
      for (int i = 0; i < ni; ++i) column[i] -= A[p * ni + i] * u;
    }
    for (int i = 0; i < ni; ++i) column[i] *= D[c * n + c];
  }
  for (int c = n - 1; c >= 0; --c) {
    double* column = A + c * ni;
    for (int p = c + 1; p < n; ++p) {
      const double l = D[c * n + p];
      if (l == 0.0) continue;
      for (int i = 0; i < ni; ++i) column[i] -= A[p * ni + i] * l;
    }
  }
}

// A <- A D⁻¹ with A ni x n and D = Pᵀ L U as FactorLu left it.
template <int kN = 0, int kI = 0>
inline void DivideByLu(double* A, int rows, const double* D, const int* pivots, int size) {
  const int n = kN > 0 ? kN : size, ni = kI > 0 ? kI : rows;
  if constexpr (kN > 0 && kI > 0) {
    DivideByLuFixed<kN, kI>(A, D);
  } else {
    DivideByLuOfAnySize(A, ni, D, n);
  }
  for (int c = n - 1; c >= 0; --c) {
    if (pivots[c] == c) continue;
    for (int i = 0; i < ni; ++i) std::swap(A[c * ni + i], A[pivots[c] * ni + i]);
  }
}

// x <- (L U)⁻¹ x, in registers.
template <int n>
inline void SolveLuFixed(double* x, const double* D) {
  double y[n];
  for (int i = 0; i < n; ++i) y[i] = x[i];
  Unroll<n>([&](auto step) {
    constexpr int k = step();
    for (int i = k + 1; i < n; ++i) y[i] -= D[k * n + i] * y[k];
  });
  Unroll<n>([&](auto last) {
    constexpr int k = n - 1 - last();
    y[k] *= D[k * n + k];
    for (int i = 0; i < k; ++i) y[i] -= D[k * n + i] * y[k];
  });
  for (int i = 0; i < n; ++i) x[i] = y[i];
}

// x <- D⁻¹ x.
template <int kN = 0>
inline void SolveLu(double* x, const double* D, const int* pivots, int size) {
  const int n = kN > 0 ? kN : size;
  for (int k = 0; k < n; ++k) {
    if (pivots[k] != k) std::swap(x[k], x[pivots[k]]);
  }
  if constexpr (kN > 0) return SolveLuFixed<kN>(x, D);
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) x[i] -= D[k * n + i] * x[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    x[k] *= D[k * n + k];
    for (int i = 0; i < k; ++i) x[i] -= D[k * n + i] * x[k];
  }
}

// D = L Lᵀ in place, lower triangle; the diagonal keeps the reciprocals of L's, for a solve without
// divisions. What is above the diagonal is of no use to anyone.
template <int kN = 0>
[[nodiscard]] inline bool FactorCholesky(double* D, int size) {
  const int n = kN > 0 ? kN : size;
  for (int k = 0; k < n; ++k) {
    const double pivot = D[k * n + k];
    if (!(pivot > 0.0) || !std::isfinite(pivot)) return false;
    const double inverse = 1.0 / std::sqrt(pivot);
    if constexpr (kN > 0) {
      auto factors = Strip<kN>::Load(D + k * n);
      factors *= inverse;
      factors.Store(D + k * n);
      for (int j = k + 1; j < n; ++j) {
        auto column = Strip<kN>::Load(D + j * n);
        column.SubtractTimes(factors, D[k * n + j]);
        column.Store(D + j * n);
      }
    } else {
      for (int i = k + 1; i < n; ++i) D[k * n + i] *= inverse;
      for (int j = k + 1; j < n; ++j) {
        const double l = D[k * n + j];
        if (l == 0.0) continue;
        for (int i = j; i < n; ++i) D[j * n + i] -= D[k * n + i] * l;
      }
    }
    D[k * n + k] = inverse;
  }
  return true;
}

// A <- A L⁻ᵀ with A ni x n.
template <int kN = 0, int kI = 0>
inline void DivideByCholesky(double* A, int rows, const double* L, int size) {
  if constexpr (kN > 0 && kI > 0) {
    Strip<kI> column[kN];
    Unroll<kN>([&](auto c) {
      column[c] = Strip<kI>::Load(A + c * kI);
      Unroll<c()>([&](auto p) { column[c].SubtractTimes(column[p], L[p * kN + c]); });
      column[c] *= L[c * kN + c];
      column[c].Store(A + c * kI);
    });
  } else {
    for (int c = 0; c < size; ++c) {
      double* column = A + c * rows;
      for (int p = 0; p < c; ++p) {
        const double l = L[p * size + c];
        if (l == 0.0) continue;
        for (int i = 0; i < rows; ++i) column[i] -= A[p * rows + i] * l;
      }
      for (int i = 0; i < rows; ++i) column[i] *= L[c * size + c];
    }
  }
}

// x <- L⁻¹ x.
template <int kN = 0>
inline void SolveLower(double* x, const double* L, int n) {
  if constexpr (kN > 0) {
    for (int k = 0; k < kN; ++k) {
      x[k] *= L[k * kN + k];
      for (int i = k + 1; i < kN; ++i) x[i] -= L[k * kN + i] * x[k];
    }
    return;
  }
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
template <int kN = 0>
inline void SolveLowerTransposed(double* x, const double* L, int n) {
  if constexpr (kN > 0) {
    for (int k = kN - 1; k >= 0; --k) {
      for (int i = k + 1; i < kN; ++i) x[k] -= L[k * kN + i] * x[i];
      x[k] *= L[k * kN + k];
    }
    return;
  }
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
