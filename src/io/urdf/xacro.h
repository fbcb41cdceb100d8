// What xacro should have replaced before the file came here.
#pragma once

#include "io/xml/element.h"

namespace stiction::urdf {

// Refuses unexpanded xacro in what the reader makes a model of, with the command that expands it. Elsewhere
// (visuals, extensions of simulators) it is noted as ignored. Of $(optenv NAME default) the default is taken,
// and noted: the environment of whoever loads a file is not part of it.
void SettleXacro(xml::Element& robot);

}  // namespace stiction::urdf
