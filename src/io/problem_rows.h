// The order in which a JSON contact problem lists its rows. Private to io.
#pragma once

#include <array>

#include "stiction/contact/problem.h"

namespace stiction {

// One kind of constraint, and the key that counts it.
struct RowKind {
  ConstraintType type;
  const char* count_key;
};
inline constexpr std::array<RowKind, 5> kRowKinds{{{ConstraintType::kContact, "n_contact"},
                                                   {ConstraintType::kUnilateral, "n_hard"},
                                                   {ConstraintType::kBilateral, "n_equality"},
                                                   {ConstraintType::kSoft, "n_soft"},
                                                   {ConstraintType::kBounded, "n_bounded"}}};

}  // namespace stiction
