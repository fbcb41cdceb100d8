// Adaptive quadrature of vector-valued functions. Private to the library.
#pragma once

#include <Eigen/Core>
#include <array>

namespace stiction {

// Nodes and weights of the 15-point rule of Kronrod and, for the odd ones, of the 7-point rule of Gauss that
// it extends, on [-1, 1]; the nodes are symmetric, the last is 0.
struct KronrodRule {
  static constexpr std::array<double, 8> kNodes = {
      0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
      0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
      0.586087235467691130294144691838259, 0.405845151377397166906606412076961,
      0.207784955007898467600689403773245, 0.0};
  static constexpr std::array<double, 8> kWeights = {
      0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
      0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
      0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
      0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
  static constexpr std::array<double, 4> kGaussWeights = {
      0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
      0.381830050505118944950369775488975, 0.417959183673469387755102040816327};
};

// ∫ f over [a, b]. Halves the interval until the two rules agree to `tolerance` by component, or 40 times,
// which kinks within take.
template <int kSize, typename Function>
Eigen::Vector<double, kSize> Integrate(const Function& f, double a, double b,
                                       const Eigen::Vector<double, kSize>& tolerance, int depth = 40) {
  using Value = Eigen::Vector<double, kSize>;
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  Value kronrod = KronrodRule::kWeights[7] * f(middle), gauss = KronrodRule::kGaussWeights[3] * f(middle);
  for (int i = 0; i < 7; ++i) {
    const Value pair = f(middle - half * KronrodRule::kNodes[i]) + f(middle + half * KronrodRule::kNodes[i]);
    kronrod += KronrodRule::kWeights[i] * pair;
    if (i % 2 == 1) gauss += KronrodRule::kGaussWeights[i / 2] * pair;
  }
  if (depth == 0 || ((half * (kronrod - gauss)).cwiseAbs().array() <= tolerance.array()).all()) {
    return half * kronrod;
  }
  return Integrate<kSize>(f, a, middle, tolerance, depth - 1) +
         Integrate<kSize>(f, middle, b, tolerance, depth - 1);
}

}  // namespace stiction
