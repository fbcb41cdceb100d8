// FCL beside our own manifolds: the library's name stands in bench_fcl.cpp alone.
#pragma once

#include <functional>

#include "stiction/geometry/shape.h"

namespace stiction::runner {

// One call of FCL for a pair of shapes: what comes nearest to a manifold and is exact in FCL 0.7.
//   distance  signed, with nearest points: of boxes and hulls
//   collide   one contact where the shapes overlap, less where they are apart: of a half-space with a
//             primitive, of a sphere with sphere, box and cylinder
// No call for the others: there FCL's depth or normal is off by more than a solver bears, or it does not
// return (distance() of axis-aligned capsules), or it crashes (half-spaces with hulls).
struct FclCall {
  const char* name = "";
  std::function<void(const RigidTransform& X_WA, const RigidTransform& X_WB)> call;  // empty: none
};

FclCall MakeFclCall(const Shape& a, const Shape& b);

}  // namespace stiction::runner
