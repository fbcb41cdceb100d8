#include "stiction/contact/solver_budget.h"

#include <chrono>

namespace stiction {

// Apart, because <chrono> is a header that everybody would have to read.
double ReadClock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace stiction
