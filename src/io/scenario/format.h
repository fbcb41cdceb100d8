// What a scenario file may hold.
#pragma once

#include "io/xml/element.h"

namespace stiction::scenario {

// Visits the root and its children. Throws LoadError at an element or attribute that is not known, with the
// known ones, at an element that stands twice where there can be one, and at text.
void CheckFormat(xml::Element& root);

// "a, b, c".
std::string List(const std::vector<std::string_view>& words);

}  // namespace stiction::scenario
