// <controller> of a scenario.
#pragma once

#include "io/xml/element.h"
#include "stiction/io/scenario.h"

namespace stiction::scenario {

// Every attribute that some type takes.
const std::vector<std::string_view>& ControllerAttributes();

// Throws LoadError: an attribute that means nothing for the type, among others. Reads the file of the target.
// Names are looked up when the model is built.
//   is_of_task  it has a name and no target: a task moves it
ControllerDescription ReadController(xml::Element& element, bool is_of_task = false);

// Leaves the value where the attribute is absent.
void ReadInterpolation(xml::Element& element, Interpolation& interpolation);

}  // namespace stiction::scenario
