// Scenes whose bodies and joints are written down one by one.
#pragma once

#include "scenes/mechanism.h"

namespace stiction {

// Each mechanism stands, lies or hangs on z = 0. `ratio` is heaviest over lightest.
Mechanism MakeBoxOnPlane();
// Two cubes welded together, the upper one the heavier.
Mechanism MakeWeldedBoxes(double ratio);
// Two bars joined through a ball, which is the lightest, flat on the ground.
Mechanism MakeNunchuk(double ratio);
// A parallelogram whose lowest link is held in the air, or lies on the ground.
Mechanism MakeFourbar(bool is_held, double ratio);
// Parallelograms on top of one another, coupled by their rungs, that hang from a held one; masses fall
// geometrically, so that the last rung is the heaviest.
Mechanism MakeLadder(int cells, double ratio);
// Bars joined by balls that hang aslant from the world, the last, with a ball at its end, on the ground; it
// is the heaviest.
Mechanism MakeChain(int links, double ratio);

}  // namespace stiction
