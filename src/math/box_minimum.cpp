#include "math/box_minimum.h"

#include <Eigen/Cholesky>

namespace stiction {
namespace {

constexpr int kMaxSteps = 30;
constexpr int kMaxHalvings = 20;
constexpr double kLeastGain = 1e-12;  // of what the function has fallen by, below which it is at its least

}  // namespace

void BoxMinimum::Find(const MatrixXd& H, const VectorXd& g, const VectorXd& lower, const VectorXd& upper,
                      VectorXd& x) {
  x = x.cwiseMax(lower).cwiseMin(upper);
  product_.noalias() = H * x;
  gradient_ = product_ + g;
  double fallen = 0.0;
  for (int i = 0; i < kMaxSteps && CalcStep(H, lower, upper, x); ++i) {
    double gain = 0.0, share = 1.0;
    for (int k = 0; k < kMaxHalvings && !(gain > 0.0); ++k, share *= 0.5) {
      trial_ = (x + share * step_).cwiseMax(lower).cwiseMin(upper);
      change_ = trial_ - x;
      product_.noalias() = H * change_;
      gain = -gradient_.dot(change_) - 0.5 * change_.dot(product_);
    }
    if (!(gain > 0.0)) return;
    x = trial_;
    gradient_ += product_;
    fallen += gain;
    if (gain <= kLeastGain * fallen) return;
  }
}

// False where every coordinate is held, or the rest has no minimum.
bool BoxMinimum::CalcStep(const MatrixXd& H, const VectorXd& lower, const VectorXd& upper,
                          const VectorXd& x) {
  const Eigen::Index n = x.size();
  free_H_.resize(static_cast<std::size_t>(n * n));
  Eigen::Map<MatrixXd> K(free_H_.data(), n, n);
  K = H;
  step_ = -gradient_;
  bool any = false;
  for (Eigen::Index i = 0; i < n; ++i) {
    const bool is_held =
        (x[i] <= lower[i] && gradient_[i] >= 0.0) || (x[i] >= upper[i] && gradient_[i] <= 0.0);
    any = any || !is_held;
    if (!is_held) continue;
    K.row(i).setZero();
    K.col(i).setZero();
    K(i, i) = 1.0;
    step_[i] = 0.0;
  }
  if (!any) return false;
  const Eigen::LLT<Eigen::Ref<MatrixXd>> factor(K);
  if (factor.info() != Eigen::Success) return false;
  factor.solveInPlace(step_);
  return true;
}

}  // namespace stiction
