#include "truth/reference_motion.h"

#include <cmath>

namespace stiction::runner {

VectorXd IntegrateReference(const ReferenceRates& rates, VectorXd x, double time, double step,
                            const std::function<void(double time, const VectorXd& x)>& watch) {
  const long count = std::lround(std::ceil(time / step));
  const double h = time / static_cast<double>(count);
  for (long i = 0; i < count; ++i) {
    const VectorXd a = rates(x), b = rates(x + 0.5 * h * a), c = rates(x + 0.5 * h * b), d = rates(x + h * c);
    x += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    if (watch) watch(h * static_cast<double>(i + 1), x);
  }
  return x;
}

}  // namespace stiction::runner
