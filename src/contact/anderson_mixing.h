// Anderson mixing of a fixed-point iteration u ← G(u), type II: with f = G(u) − u, and the last differences
// ΔF of f and ΔG of G as columns,
//
//   γ = argmin |f − ΔF γ|² + ε |γ|²,    u⁺ = G(u) − ΔG γ
//
// Where G is smooth that is GMRES on its linearisation; where it is not, a step may lead anywhere. Each is
// tried, and taken back where |f| has grown far beyond its smallest: the iteration goes on from the last
// G(u), and differences are forgotten.
//
// References: H. F. Walker, P. Ni, Anderson acceleration for fixed-point iterations, 2011. J. Zhang,
// B. O'Donoghue, S. Boyd, Globally convergent type-I Anderson acceleration for nonsmooth fixed-point
// iterations, 2020.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace stiction {

class AndersonMixing {
 public:
  static constexpr int kMostColumns = 32;

  // Forgets everything; keeps that many differences from now on. None: images stay as they are.
  void Assign(int size, int columns);
  // The iteration is another one now: forgets what is known of it.
  void Forget();
  // The state to go on from, written over `image` = G(state). Does not allocate.
  void Mix(const std::vector<double>& state, std::vector<double>& image);

 private:
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostColumns, kMostColumns>;
  using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostColumns, 1>;

  void AddColumn(const std::vector<double>& image);
  void Extrapolate(std::vector<double>& image);

  int columns_ = 0, count_ = 0, next_ = 0;  // kept at most; kept; where the next one goes
  bool has_last_ = false;                   // f and image of the state before
  bool is_mixed_ = false;                   // that state led here by mixing
  double least_norm_ = 0.0;                 // of f since something was forgotten
  std::vector<double> f_, last_f_, last_image_;
  std::vector<std::vector<double>> dF_, dG_;  // a pair scaled so that the norm of the former is one
  Eigen::Matrix<double, kMostColumns, kMostColumns> gram_ =
      Eigen::Matrix<double, kMostColumns, kMostColumns>::Zero();  // dFᵀ dF
};

}  // namespace stiction
