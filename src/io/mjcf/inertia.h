// Masses of bodies: what <inertial> says, what geoms weigh, and <compiler>'s rules for both.
#pragma once

#include "io/mjcf/context.h"

namespace stiction::mjcf {

// Whether a geom of these attributes adds to the mass of its body.
bool CountsForMass(const Compiler& compiler, const GeomSpec& spec);

// <compiler>'s rules: the bounds on a body's mass and moments, and the balance of these; then the total mass
// of all bodies but the first, the world. Each does nothing where the file does not ask for it.
void BoundInertia(const Compiler& compiler, MassProperties& inertia);
void SetTotalMass(const Compiler& compiler, std::vector<MassProperties>& bodies);

// Turns the frames of free bodies without children to their inertial frames, where the file asks for it, once
// the masses are decided: freejoint[@align], compiler[@alignfree].
void AlignFreeBodies(Context& context);

// The inertial frame of a body, X_BI, once its mass is decided: objects of type "body".
RigidTransform FindInertialFrame(const Context& context, int body);

// Decides the mass of every body, once <worldbody> is read.
//   root  of the file
void FinishInertias(Context& context, const xml::Element& root);

}  // namespace stiction::mjcf
