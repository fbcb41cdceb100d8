#include "io/friction_note.h"

#include <algorithm>
#include <cstdio>

#include "stiction/model/contact_law.h"

namespace stiction {

void FrictionNote::Look(const xml::Element& element, double friction) {
  if (friction <= kMaxFriction) return;
  if (count_++ == 0) first_ = &element;
  largest_ = std::max(largest_, friction);
}

std::optional<ImportItem> FrictionNote::Make() const {
  if (count_ == 0) return std::nullopt;
  char why[160];
  if (count_ == 1) {
    std::snprintf(why, sizeof why, "friction above %g counts as that; it is %.4g", kMaxFriction, largest_);
  } else {
    std::snprintf(
        why, sizeof why,
        "friction above %g counts as that: of %d geoms and pairs, the first here; the largest is %.4g",
        kMaxFriction, count_, largest_);
  }
  return ImportItem{first_->file(), first_->line(), first_->name(), ImportStatus::kApproximated, why};
}

}  // namespace stiction
