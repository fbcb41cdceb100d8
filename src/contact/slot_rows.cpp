#include "contact/slot_rows.h"

#include <algorithm>

#include "math/assert.h"

namespace stiction {

void SlotRows::Clear() {
  slots_.clear();
  dof_.clear();
  value_.clear();
  chunks_.Clear();
}

void SlotRows::AddSlot() {
  slots_.push_back({static_cast<int>(dof_.size()), 0, chunks_.End()});
}

void SlotRows::AddColumns(const int* dofs, int count, const double* rows, int dim) {
  Slot& slot = slots_.back();
  STICTION_ASSERT(dim >= 1 && dim <= 3);
  slot.count += count;
  padded_.assign(3 * static_cast<std::size_t>(count), 0.0);
  std::copy(rows, rows + dim * count, padded_.begin());
  for (int k = 0; k < count; ++k) {
    dof_.push_back(dofs[k]);
    for (int r = 0; r < 3; ++r) value_.push_back(padded_[r * count + k]);
    value_.push_back(0.0);
  }
  chunks_.Append(dofs, count, padded_.data(), count, 3, slot.chunks);
}

}  // namespace stiction
