#include "live/stillness.h"

#include <algorithm>

namespace stiction::viewer {

bool Stillness::Look(double now, const std::vector<RigidTransform>& poses, double reach, double tolerance) {
  const auto is_near = [&](const RigidTransform& a, const RigidTransform& b) {
    return (a.p - b.p).cwiseAbs().maxCoeff() + reach * (a.R - b.R).cwiseAbs().maxCoeff() <= tolerance;
  };
  if (std::equal(poses.begin(), poses.end(), poses_.begin(), poses_.end(), is_near)) {
    is_still_ = is_still_ || now - since_ >= kShortest;
    return is_still_;
  }
  // What took long to get that far creeps, and is as sharp as what stands.
  is_still_ = poses.size() == poses_.size() && now - since_ >= kShortest;
  poses_ = poses;
  since_ = now;
  return is_still_;
}

}  // namespace stiction::viewer
