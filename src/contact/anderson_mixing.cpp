#include "contact/anderson_mixing.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kRegularization = 1e-10;                // ε, of columns of norm one
constexpr double kGrowth = 10.0;                         // of |f| over its smallest that takes a step back
constexpr std::size_t kLanes = 4, kStride = 2 * kLanes;  // of sums; rows are padded by zeros to so many

using Lanes = Eigen::Array<double, kLanes, 1>;
using ConstLanes = Eigen::Map<const Lanes>;

// Σ a b in kStride sums, which are added at the end: several times as fast as one after another.
class LaneSum {
 public:
  void Add(const double* a, const double* b) {
    even_ += ConstLanes(a) * ConstLanes(b);
    odd_ += ConstLanes(a + kLanes) * ConstLanes(b + kLanes);
  }
  double Finish() const {
    const Lanes sum = even_ + odd_;
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }

 private:
  Lanes even_ = Lanes::Zero(), odd_ = Lanes::Zero();
};

// Of a state of that size, with its padding.
std::size_t CountRows(int size) {
  return (static_cast<std::size_t>(size) + kStride - 1) / kStride * kStride;
}

double CalcPaddedNorm(const std::vector<double>& a) {
  LaneSum sum;
  for (std::size_t r = 0; r < a.size(); r += kStride) sum.Add(&a[r], &a[r]);
  return std::sqrt(sum.Finish());
}

}  // namespace

void AndersonMixing::Reserve(int size, int columns) {
  columns = std::min(columns, kMostColumns);
  if (columns == 0) return;
  const std::size_t rows = CountRows(size);
  for (auto* v : {&f_, &last_f_, &last_image_}) v->reserve(rows);
  if (static_cast<int>(dF_.size()) < columns) dF_.resize(columns), dG_.resize(columns);
  for (int j = 0; j < columns; ++j) dF_[j].reserve(rows), dG_[j].reserve(rows);
}

void AndersonMixing::Assign(int size, int columns) {
  Reserve(size, columns);
  columns_ = std::min(columns, kMostColumns);
  size_ = columns_ > 0 ? static_cast<std::size_t>(size) : 0;
  const std::size_t rows = columns_ > 0 ? CountRows(size) : 0;
  for (auto* v : {&f_, &last_f_, &last_image_}) v->assign(rows, 0.0);
  for (int j = 0; j < columns_; ++j) dF_[j].assign(rows, 0.0), dG_[j].assign(rows, 0.0);
  Forget();
}

void AndersonMixing::Forget() {
  count_ = next_ = 0;
  has_last_ = is_mixed_ = false;
}

void AndersonMixing::Mix(const std::vector<double>& state, std::vector<double>& image) {
  if (columns_ == 0) return;
  for (std::size_t r = 0; r < size_; ++r) f_[r] = image[r] - state[r];
  const double norm = CalcPaddedNorm(f_);
  if (is_mixed_ && !(norm <= kGrowth * least_norm_)) {
    std::copy_n(last_image_.begin(), size_, image.begin());
    Forget();
    return;
  }
  if (has_last_) AddColumn(image);
  least_norm_ = has_last_ ? std::min(least_norm_, norm) : norm;
  has_last_ = true;
  last_f_ = f_;
  std::copy_n(image.begin(), size_, last_image_.begin());
  is_mixed_ = count_ > 0;
  if (is_mixed_) Extrapolate(image);
}

// In place of the oldest.
void AndersonMixing::AddColumn(const std::vector<double>& image) {
  std::vector<double>&dF = dF_[next_], &dG = dG_[next_];
  for (std::size_t r = 0; r < size_; ++r) {
    dF[r] = f_[r] - last_f_[r];
    dG[r] = image[r] - last_image_[r];
  }
  const double norm = CalcPaddedNorm(dF);
  if (!(norm > 0.0)) {  // nothing is learnt, and what stood there is gone
    Forget();
    return;
  }
  const double scale = 1.0 / norm;
  for (std::size_t r = 0; r < size_; ++r) dF[r] *= scale, dG[r] *= scale;
  count_ = std::min(count_ + 1, columns_);
  newest_ = next_;
  next_ = (next_ + 1) % columns_;
}

// ΔFᵀ ΔF's row of the newest column, and ΔFᵀ f.
void AndersonMixing::CalcProducts(double* gamma) {
  const std::vector<double>& newest = dF_[newest_];
  for (int j = 0; j < count_; ++j) {
    const std::vector<double>& dF = dF_[j];
    LaneSum with_newest, with_f;
    for (std::size_t r = 0; r < dF.size(); r += kStride) {
      with_newest.Add(&dF[r], &newest[r]);
      with_f.Add(&dF[r], &f_[r]);
    }
    gram_[newest_][j] = gram_[j][newest_] = with_newest.Finish();
    gamma[j] = with_f.Finish();
  }
}

// (ΔFᵀ ΔF + ε) γ = ΔFᵀ f by Cholesky's factor.
void AndersonMixing::SolveProducts(double* gamma) {
  for (int i = 0; i < count_; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = gram_[i][j] + (i == j ? kRegularization : 0.0);
      for (int k = 0; k < j; ++k) sum -= factor_[i][k] * factor_[j][k];
      factor_[i][j] = i == j ? std::sqrt(std::max(sum, kRegularization)) : sum / factor_[j][j];
    }
  }
  for (int i = 0; i < count_; ++i) {
    for (int k = 0; k < i; ++k) gamma[i] -= factor_[i][k] * gamma[k];
    gamma[i] /= factor_[i][i];
  }
  for (int i = count_ - 1; i >= 0; --i) {
    for (int k = i + 1; k < count_; ++k) gamma[i] -= factor_[k][i] * gamma[k];
    gamma[i] /= factor_[i][i];
  }
}

void AndersonMixing::Extrapolate(std::vector<double>& image) {
  std::array<double, kMostColumns> gamma;
  CalcProducts(gamma.data());
  SolveProducts(gamma.data());
  for (int j = 0; j < count_; ++j) {
    const std::vector<double>& dG = dG_[j];
    for (std::size_t r = 0; r < size_; ++r) image[r] -= gamma[j] * dG[r];
  }
}

}  // namespace stiction
