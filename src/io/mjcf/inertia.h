// Masses of bodies: what <inertial> says, what geoms weigh, and <compiler>'s rules for both.
#pragma once

#include "io/mjcf/context.h"

namespace stiction::mjcf {

// Whether a geom of these attributes adds to the mass of its body.
bool CountsForMass(const Compiler& compiler, const GeomSpec& spec);

// <compiler>'s bounds on masses and moments, and its total mass, for all bodies of a model that is being
// built. Does nothing where there are none.
void ApplyInertiaRules(const Compiler& compiler, ModelBuilder& builder);

// Turns the frames of free bodies without children to their inertial frames, where the file asks for it, once
// the masses are decided: freejoint[@align], compiler[@alignfree].
void AlignFreeBodies(Context& context);

// Decides the mass of every body, once <worldbody> is read.
void FinishInertias(Context& context);

}  // namespace stiction::mjcf
