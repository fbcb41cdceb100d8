// Colours in model files.
#pragma once

#include <optional>
#include <string_view>

#include "io/xml/element.h"
#include "stiction/model/color.h"

namespace stiction {

// Red, green, blue and, where it is not 1, opacity; nothing where the attribute is absent. How a model looks
// is no reason not to load it: text that is no colour is noted as ignored, and numbers outside of [0, 1] are
// clamped and noted as approximated.
std::optional<Color> ReadColor(xml::Element& element, std::string_view attribute);

}  // namespace stiction
