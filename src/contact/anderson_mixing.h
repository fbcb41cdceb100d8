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
#include <array>
#include <vector>

namespace stiction {

class AndersonMixing {
 public:
  static constexpr int kMostColumns = 32;

  // Makes room for Assign, which then does not allocate.
  void Reserve(int size, int columns);
  // Forgets everything; keeps that many differences from now on. None: images stay as they are.
  void Assign(int size, int columns);
  // The iteration is another one now: forgets what is known of it.
  void Forget();
  // The state to go on from, written over `image` = G(state). Does not allocate.
  void Mix(const std::vector<double>& state, std::vector<double>& image);

 private:
  using Small = std::array<std::array<double, kMostColumns>, kMostColumns>;

  void AddColumn(const std::vector<double>& image);
  void CalcProducts(double* gamma);
  void SolveProducts(double* gamma);
  void Extrapolate(std::vector<double>& image);

  std::size_t size_ = 0;                    // of a state
  int columns_ = 0, count_ = 0, next_ = 0;  // kept at most; kept; where the next one goes
  int newest_ = 0;                          // where the last one went
  bool has_last_ = false;                   // f and image of the state before
  bool is_mixed_ = false;                   // that state led here by mixing
  double least_norm_ = 0.0;                 // of f since something was forgotten
  std::vector<double> f_, last_f_, last_image_;
  std::vector<std::vector<double>> dF_, dG_;  // a pair scaled so that the norm of the former is one
  Small gram_{}, factor_{};                   // ΔFᵀ ΔF, and Cholesky's factor of it and ε
};

}  // namespace stiction
