// Where trees are, from one kinematics to another.
#pragma once

#include "stiction/dynamics/kinematics.h"
#include "stiction/model/tree_set.h"

namespace stiction {

// Copies what CalcPositionKinematics fills, where `trees` are all that it was called for.
void CopyPositions(const TreeSet& trees, const Kinematics& from, Kinematics& to);

}  // namespace stiction
