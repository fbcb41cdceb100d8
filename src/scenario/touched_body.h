// Of whom it can be asked what contacts do.
#pragma once

#include <string>

#include "stiction/model/model.h"

namespace stiction {

// Why a frame found by name is of no body that is touched: the place in the world of a model whose bodies
// move, by which all of the world would be meant. Empty: it is of one, or of what is fixed to the world as a
// whole, which counts as the world.
std::string WhyNotTouched(const Model& model, const Frame& frame);

}  // namespace stiction
