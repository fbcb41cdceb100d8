// <task> of a scenario.
#pragma once

#include "io/xml/element.h"
#include "stiction/scenario/task.h"

namespace stiction::scenario {

// Throws LoadError: a phase or controller without a name, a number out of range, a quantity that ends no
// phase, among others. Names are looked up when the model is built.
TaskDescription ReadTask(xml::Element& element);

}  // namespace stiction::scenario
