// What tension along a tendon does to the bodies on its path.
#pragma once

#include <vector>

#include "stiction/dynamics/kinematics.h"

namespace stiction {

// F += the wrenches that a force along the length of a spatial tendon exerts on the bodies of its path; of a
// fixed one nothing, which acts through its joints. Needs position kinematics.
//   f  > 0 lengthens it [N]
//   F  one per body: moment and force at its mass centre, world axes [N·m, N]
void AddTendonWrenches(const Model& model, const Kinematics& kin, int tendon, double f,
                       std::vector<Vector6d>& F);

}  // namespace stiction
