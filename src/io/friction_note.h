// What the import report says of friction.
#pragma once

#include <optional>

#include "io/xml/element.h"

namespace stiction {

inline constexpr const char* kLargerFrictionCounts =
    "of two shapes the larger coefficient counts, where other simulators take the product or the smaller";

// Friction beyond that which steps count (kMaxFriction), said once for a file, at the first element that has
// it.
class FrictionNote {
 public:
  // Of a geom, or of a pair of geoms, that stands at the element.
  void Look(const xml::Element& element, double friction);
  // Nothing if all that was seen counts as written.
  std::optional<ImportItem> Make() const;

 private:
  const xml::Element* first_ = nullptr;
  int count_ = 0;
  double largest_ = 0.0;
};

}  // namespace stiction
