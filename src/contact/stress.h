// Impulses of contacts that hold one another and nothing else.
//
// Where rows that stick contradict one another by a hundredth of a micrometre a second, the impulses that
// balance one another grow until one contact gives way, and where laws have no solution without an end. As
// the start of the next solve they would stay: a heap that is jammed keeps them for good, a million times its
// weight, and no step after it is an easy one.
#pragma once

#include <span>

#include "stiction/contact/problem.h"
#include "stiction/math/growing_vector.h"

namespace stiction {

// Whether contacts of an island press far beyond all that moves its bodies, or is moved, and that its joints
// bear: a thousand times what a dof has, which is more than the lever of any wedge, and thirty times what all
// have, which is more than the share of the lowest in a heap. Momenta are those of A's diagonal.
//   constraints, subsystems  of the island
//   lambda                   by row of the problem [N·s or N·m·s]
//   v                        that these impulses give, size nv [m/s or rad/s]
bool IsStressed(const ContactProblem& problem, std::span<const int> constraints,
                std::span<const int> subsystems, const GrowingVector& lambda, const VectorXd& v);

}  // namespace stiction
