#include "stiction/model/geom.h"

#include <algorithm>

namespace stiction {

double CalcPairFriction(const Geom& a, const Geom& b) {
  if (a.priority != b.priority) {
    const Geom& decider = a.priority > b.priority ? a : b;
    return decider.condim == 1 ? 0.0 : decider.friction;
  }
  return std::max(a.condim, b.condim) == 1 ? 0.0 : std::max(a.friction, b.friction);
}

}  // namespace stiction
