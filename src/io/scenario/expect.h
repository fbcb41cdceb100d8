// <expect> of a scenario.
#pragma once

#include "io/xml/element.h"
#include "stiction/io/scenario.h"

namespace stiction::scenario {

// Throws LoadError.
//   duration  of the scenario: no time may lie beyond it [s]
Expectation ReadExpectation(xml::Element& element, double duration);

}  // namespace stiction::scenario
