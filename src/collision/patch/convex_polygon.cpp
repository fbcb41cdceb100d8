#include "collision/patch/convex_polygon.h"

#include "math/assert.h"

namespace stiction::patch {

// Sutherland and Hodgman's way. Vertices on the plane are inside, so that neighbours of a cut have the same
// points.
void ConvexPolygon::Clip(const HalfSpace& half_space) {
  std::array<double, kMaxVertices> height;
  int num_inside = 0;
  for (int i = 0; i < size; ++i) {
    height[i] = half_space.Height(p[i]);
    num_inside += height[i] >= 0.0;
  }
  if (num_inside == size) return;
  if (num_inside == 0) {
    size = 0;
    return;
  }
  const std::array<Vector3d, kMaxVertices> before = p;
  const int count = size;
  size = 0;
  for (int i = 0; i < count; ++i) {
    const int j = i + 1 == count ? 0 : i + 1;
    const bool here = height[i] >= 0.0, there = height[j] >= 0.0;
    if (here) Add(before[i]);
    if (here == there) continue;
    STICTION_ASSERT(size < kMaxVertices);
    // From the inside to the outside, so that both neighbours of the edge find the same point.
    const int in = here ? i : j, out = here ? j : i;
    const double share = height[in] / (height[in] - height[out]);
    Add(before[in] + share * (before[out] - before[in]));
  }
  if (size < 3) size = 0;
}

}  // namespace stiction::patch
