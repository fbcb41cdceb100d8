// Whether what moves in a picture can be seen to move: a scene that runs may rest.
#pragma once

#include <vector>

#include "stiction/math/rigid_transform.h"

namespace stiction::viewer {

class Stillness {
 public:
  // To be asked for every picture. True while nothing moves by more than the tolerance within kShortest of
  // wall time: what stands, creeps, or trembles by less.
  //   now        wall time [s]
  //   poses      of what is seen, and of the eye
  //   reach      how far from its origin something turns [m]
  //   tolerance  what is too little to be seen [m]
  bool Look(double now, const std::vector<RigidTransform>& poses, double reach, double tolerance);

  // What was seen when it moved last: the same to the eye while nothing moves, and to the bit, so that it
  // need not be drawn again.
  const std::vector<RigidTransform>& poses() const { return poses_; }

  static constexpr double kShortest = 0.3;  // [s]

 private:
  std::vector<RigidTransform> poses_;  // from which it moved last
  double since_ = 0.0;                 // when [s]
  bool is_still_ = false;
};

}  // namespace stiction::viewer
