// <expect> of a scenario.
#pragma once

#include "io/xml/element.h"
#include "stiction/io/scenario.h"

namespace stiction::scenario {

// `what` of an expectation, or of what ends a phase of a task. Throws LoadError, as the others do.
Quantity ReadQuantity(xml::Element& element, bool is_of_phase);
// Leaves `axis` where the attribute is absent.
void ReadAxis(xml::Element& element, Axis& axis);
// min, max or both.
void ReadBounds(xml::Element& element, std::optional<double>& min, std::optional<double>& max);

//   duration  of the scenario: no time may lie beyond it [s]
Expectation ReadExpectation(xml::Element& element, double duration);

}  // namespace stiction::scenario
