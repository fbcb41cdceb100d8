#include "contact/anderson_mixing.h"

#include <Eigen/Cholesky>
#include <algorithm>

#include "contact/sums.h"

namespace stiction {
namespace {

constexpr double kRegularization = 1e-10;  // ε, of columns of norm one
constexpr double kGrowth = 10.0;           // of |f| over its smallest that takes a step back

}  // namespace

void AndersonMixing::Assign(int size, int columns) {
  columns_ = std::min(columns, kMostColumns);
  const std::size_t rows = columns_ > 0 ? static_cast<std::size_t>(size) : 0;
  for (auto* v : {&f_, &last_f_, &last_image_}) v->assign(rows, 0.0);
  if (static_cast<int>(dF_.size()) < columns_) dF_.resize(columns_), dG_.resize(columns_);
  for (int j = 0; j < columns_; ++j) dF_[j].assign(rows, 0.0), dG_[j].assign(rows, 0.0);
  Forget();
}

void AndersonMixing::Forget() {
  count_ = next_ = 0;
  has_last_ = is_mixed_ = false;
}

void AndersonMixing::Mix(const std::vector<double>& state, std::vector<double>& image) {
  if (columns_ == 0) return;
  for (std::size_t r = 0; r < f_.size(); ++r) f_[r] = image[r] - state[r];
  const double norm = CalcNorm(f_);
  if (is_mixed_ && !(norm <= kGrowth * least_norm_)) {
    image = last_image_;
    Forget();
    return;
  }
  if (has_last_) AddColumn(image);
  least_norm_ = has_last_ ? std::min(least_norm_, norm) : norm;
  has_last_ = true;
  last_f_ = f_;
  last_image_ = image;
  is_mixed_ = count_ > 0;
  if (is_mixed_) Extrapolate(image);
}

// In place of the oldest.
void AndersonMixing::AddColumn(const std::vector<double>& image) {
  std::vector<double>&dF = dF_[next_], &dG = dG_[next_];
  for (std::size_t r = 0; r < f_.size(); ++r) {
    dF[r] = f_[r] - last_f_[r];
    dG[r] = image[r] - last_image_[r];
  }
  const double norm = CalcNorm(dF);
  if (!(norm > 0.0)) {  // nothing is learnt, and what stood there is gone
    Forget();
    return;
  }
  for (std::size_t r = 0; r < f_.size(); ++r) dF[r] /= norm, dG[r] /= norm;
  count_ = std::min(count_ + 1, columns_);
  for (int j = 0; j < count_; ++j) gram_(next_, j) = gram_(j, next_) = CalcDot(dF, dF_[j]);
  next_ = (next_ + 1) % columns_;
}

void AndersonMixing::Extrapolate(std::vector<double>& image) {
  Small matrix = gram_.topLeftCorner(count_, count_);
  matrix.diagonal().array() += kRegularization;
  SmallVector gamma(count_);
  for (int j = 0; j < count_; ++j) gamma[j] = CalcDot(dF_[j], f_);
  const Eigen::LDLT<Small> factor(matrix);
  const SmallVector solved = factor.solve(gamma);
  for (int j = 0; j < count_; ++j)
    for (std::size_t r = 0; r < f_.size(); ++r) image[r] -= solved[j] * dG_[j][r];
}

}  // namespace stiction
