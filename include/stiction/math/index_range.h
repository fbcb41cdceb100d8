// The indices from begin up to, and without, end.
#pragma once

namespace stiction {

struct IndexRange {
  int begin = 0;
  int end = 0;
  int size() const { return end - begin; }
};

}  // namespace stiction
