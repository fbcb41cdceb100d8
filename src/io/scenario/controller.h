// <controller> of a scenario.
#pragma once

#include "io/xml/element.h"
#include "stiction/io/scenario.h"

namespace stiction::scenario {

// Every attribute that some type takes.
const std::vector<std::string_view>& ControllerAttributes();

// Throws LoadError: an attribute that means nothing for the type, among others. Reads the file of the target.
// Names are looked up when the model is built.
ControllerDescription ReadController(xml::Element& element);

}  // namespace stiction::scenario
