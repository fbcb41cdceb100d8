// joint[@springdamper]: springs and dampers by the time constant T and the damping ratio ζ that they give
// their joint,
//
//   k = I/(T ζ)²,   b = 2 I/T,   1/I the mean of M⁻¹'s diagonal over the joint's dofs
//
// at the reference configuration, armature included, that of tendons too.
#pragma once

#include "io/mjcf/context.h"

namespace stiction::mjcf {

// Of all joints that ask for it, once the model is built.
void SetSpringDampers(const Context& context, Model& model);

}  // namespace stiction::mjcf
