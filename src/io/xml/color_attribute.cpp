#include "io/xml/color_attribute.h"

#include <algorithm>

#include "stiction/model/load_error.h"

namespace stiction {

std::optional<Color> ReadColor(xml::Element& element, std::string_view attribute) {
  double rgba[4] = {0.0, 0.0, 0.0, 1.0};
  try {
    if (element.ReadNumbers(attribute, 3, 4, rgba) == 0) return std::nullopt;
  } catch (const LoadError&) {
    element.Note(attribute, ImportStatus::kIgnored, "not a colour: it needs four numbers from 0 to 1",
                 ImportLoss::kHarmless);
    return std::nullopt;
  }
  bool is_clamped = false;
  for (double& part : rgba) {
    is_clamped |= part < 0.0 || part > 1.0;
    part = std::clamp(part, 0.0, 1.0);
  }
  if (is_clamped) element.Note(attribute, ImportStatus::kApproximated, "clamped to numbers from 0 to 1");
  return Color{static_cast<float>(rgba[0]), static_cast<float>(rgba[1]), static_cast<float>(rgba[2]),
               static_cast<float>(rgba[3])};
}

}  // namespace stiction
