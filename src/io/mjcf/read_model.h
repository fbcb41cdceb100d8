// Reads an MJCF file into a Model.
//
// The sections are read in the order in which they depend on one another, wherever they stand in the file:
// <compiler> and <option>, <default>, <asset>, <worldbody>, <contact>, <tendon>, <equality>, <actuator>,
// <keyframe>, <sensor>. Included files are spliced in first (include.h). What no reader asks for ends in the
// import report as ignored (io/xml/element.h).
#pragma once

#include "io/mjcf/context.h"

namespace stiction::mjcf {

// The model that stands below the root, in a context in which nothing was read. Throws LoadError.
Model ReadModel(Context& context, xml::Element& root);

}  // namespace stiction::mjcf
