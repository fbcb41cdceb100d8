// Thins out the points of a manifold (manifold_policy.h, rule 5).
#pragma once

#include <array>

#include "stiction/math/types.h"

namespace stiction::narrowphase {

// Points, by coordinate, so that all are measured at once. Whoever thins them out keeps what else there is to
// them, in the same order.
class PointSpread {
 public:
  static constexpr int kMaxPoints = 384;
  static constexpr double kNoResolution = -1.0;
  using Choice = std::array<bool, kMaxPoints>;

  int count() const { return count_; }
  void Clear() { count_ = 0; }
  void Add(const Vector3d& p, const Vector3d& n, double gap);

  bool HasOneNormal() const;
  // Up to `count` of them, or fewer that leave none farther than the resolution from them or from what they
  // are deeper than, spread over places and normals, the deepest among them.
  //   size        of the pair [m]: a normal that turns by a radian is as far as that
  //   is_chosen   out, for the first count() points
  void Choose(int count, double resolution, double size, Choice& is_chosen) const;

 private:
  struct Active;

  int FindDeepest() const;

  int count_ = 0;
  std::array<std::array<double, kMaxPoints>, 3> p_, n_;
  std::array<double, kMaxPoints> gap_;
};

}  // namespace stiction::narrowphase
