// Motions whose own equations are integrated beside the engine, to 1e-10 and better: nothing here calls it.
#pragma once

#include <functional>

#include "stiction/math/types.h"

namespace stiction::runner {

using ReferenceRates = std::function<VectorXd(const VectorXd& x)>;

// x after `time` [s], from x' = rates(x), by the classical Runge-Kutta method of fourth order in steps of
// `step` [s] or a little less.
//   watch  is called after every step with time and x; may be empty
VectorXd IntegrateReference(const ReferenceRates& rates, VectorXd x, double time, double step,
                            const std::function<void(double time, const VectorXd& x)>& watch = {});

}  // namespace stiction::runner
