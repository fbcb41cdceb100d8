// <expect> of a scenario.
#pragma once

#include "stiction/io/scenario.h"
#include "xml_element.h"

namespace stiction::scenario {

// Throws LoadError.
//   duration  of the scenario: no time may lie beyond it [s]
Expectation ReadExpectation(xml::Element& element, double duration);

}  // namespace stiction::scenario
