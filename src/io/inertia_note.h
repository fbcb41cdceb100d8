// What the import report says of an inertia that was repaired (ModelRepairs::repair_inertia).
#pragma once

#include <string>

#include "stiction/math/types.h"

namespace stiction {

// With the principal moments that were taken, of I.
std::string DescribeRepair(const Matrix3d& I);

}  // namespace stiction
