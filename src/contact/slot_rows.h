// Three Jacobian rows per slot, for products in whole vector instructions: by columns for J u, whose result
// then needs no sum across lanes, and in chunks of columns for Jᵀ x. One-row constraints have two rows of
// zeros. Vectors of rows have four lanes, the last zero.
#pragma once

#include <vector>

#include "stiction/math/row_chunks.h"

namespace stiction {

class SlotRows {
 public:
  using Lanes = Eigen::Array4d;

  void Clear();
  // A new slot without columns.
  void AddSlot();
  // Adds columns to the last slot: `dim` rows (1 or 3) of `count` values at ascending dofs.
  void AddColumns(const int* dofs, int count, const double* rows, int dim);

  // J u of a slot.
  Lanes Multiply(int slot, const double* u) const {
    const Slot& range = slots_[slot];
    const double* J = value_.data() + 4 * range.first;
    Lanes even = Lanes::Zero(), odd = Lanes::Zero();
    int k = 0;
    for (; k + 1 < range.count; k += 2, J += 8) {
      even += Column(J) * u[dof_[range.first + k]];
      odd += Column(J + 4) * u[dof_[range.first + k + 1]];
    }
    if (k < range.count) even += Column(J) * u[dof_[range.first + k]];
    return even + odd;
  }
  // x += Jᵀ y; x has RowChunks::kPadding values behind its end.
  void AddTransposed(int slot, const Lanes& y, double* x) const {
    chunks_.AddTransposed<3>(slots_[slot].chunks, y.data(), x);
  }

 private:
  using Column = Eigen::Map<const Lanes>;
  struct Slot {
    int first = 0;  // column
    int count = 0;
    RowChunks::Range chunks{};
  };

  std::vector<Slot> slots_;
  std::vector<int> dof_;
  std::vector<double> value_;  // four a column
  RowChunks chunks_;
  std::vector<double> padded_;  // three rows of one block
};

}  // namespace stiction
