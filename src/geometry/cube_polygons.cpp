#include "geometry/cube_polygons.h"

namespace stiction {

const std::array<CubeEdge, 12> kCubeEdges = {
    {{0, 0}, {2, 0}, {4, 0}, {6, 0}, {0, 1}, {1, 1}, {4, 1}, {5, 1}, {0, 2}, {1, 2}, {2, 2}, {3, 2}}};

namespace {

int FindEdge(int a, int b) {
  const int lower = a < b ? a : b, axis = (a ^ b) >> 1;  // bits 1, 2, 4 are axes 0, 1, 2
  for (int e = 0; e < 12; ++e) {
    if (kCubeEdges[e].corner == lower && kCubeEdges[e].axis == axis) return e;
  }
  return -1;
}

// Round a face, counter-clockwise seen from outside of the cube.
std::array<int, 4> FaceCorners(int axis, bool upper) {
  const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = upper ? 1 << axis : 0;
  if (upper) return {base, base + u, base + u + v, base + v};
  return {base, base + v, base + u + v, base + u};
}

// On a face each run of inner corners is cut off by one segment, from the edge where the run is left to the
// one where it is entered. The neighbour walks the face the other way round and finds the segment reversed.
void LinkFace(const std::array<int, 4>& corners, unsigned inside, std::array<int, 12>& next) {
  const auto is_inside = [&](int i) { return (inside >> corners[i % 4] & 1u) != 0; };
  for (int i = 0; i < 4; ++i) {
    if (is_inside(i) || !is_inside(i + 1)) continue;
    int last = i + 1;
    while (is_inside(last + 1)) ++last;
    next[FindEdge(corners[i], corners[(i + 1) % 4])] = FindEdge(corners[last % 4], corners[(last + 1) % 4]);
  }
}

CubePolygons TracePolygons(unsigned inside) {
  std::array<int, 12> next;
  next.fill(-1);
  for (int axis = 0; axis < 3; ++axis) {
    LinkFace(FaceCorners(axis, false), inside, next);
    LinkFace(FaceCorners(axis, true), inside, next);
  }
  CubePolygons polygons;
  int size = 0;
  for (int first = 0; first < 12; ++first) {
    if (next[first] < 0) continue;
    for (int e = first; next[e] >= 0;) {
      polygons.edges[size++] = e;
      const int following = next[e];
      next[e] = -1;
      e = following;
    }
    polygons.starts[++polygons.count] = size;
  }
  return polygons;
}

}  // namespace

const CubePolygons& FindCubePolygons(unsigned inside) {
  static const std::array<CubePolygons, 256> all = [] {
    std::array<CubePolygons, 256> table;
    for (unsigned i = 0; i < table.size(); ++i) table[i] = TracePolygons(i);
    return table;
  }();
  return all[inside];
}

}  // namespace stiction
