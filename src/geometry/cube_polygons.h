// The polygons in which a surface cuts a cube, from the signs of its corners. Private to the library.
#pragma once

#include <array>

namespace stiction {

// Corner c lies at (c & 1, c >> 1 & 1, c >> 2 & 1).
struct CubeEdge {
  int corner;  // the lower end
  int axis;    // along which the other lies
};
extern const std::array<CubeEdge, 12> kCubeEdges;

// Closed polygons through the crossed edges, each counter-clockwise seen from outside of the solid.
struct CubePolygons {
  std::array<int, 12> edges;    // of all polygons, one after another
  std::array<int, 5> starts{};  // polygon p has edges starts[p] ... starts[p + 1] - 1
  int count = 0;                // at most 4
};

// Bit c of `inside`, below 256, tells of corner c. A face with both of its diagonals' ends alike separates
// the inner corners.
const CubePolygons& FindCubePolygons(unsigned inside);

}  // namespace stiction
