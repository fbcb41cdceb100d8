// Masses of bodies: what <inertial> says, what geoms weigh, and <compiler>'s rules for both.
#pragma once

#include "io/mjcf/context.h"

namespace stiction::mjcf {

// Whether a geom of these attributes adds to the mass of its body.
bool CountsForMass(const Compiler& compiler, const GeomSpec& spec);

// Decides the mass of every body, once <worldbody> is read.
void FinishInertias(Context& context);

}  // namespace stiction::mjcf
