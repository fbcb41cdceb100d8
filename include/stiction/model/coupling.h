// A joint that follows another one (URDF <mimic>): q = multiplier * q_of + offset.
#pragma once

namespace stiction {

struct JointCoupling {
  int joint = -1;
  int of_joint = -1;
  double multiplier = 1.0;
  double offset = 0.0;  // [m or rad]
};

}  // namespace stiction
