// The surface of a distance field as samples in a tree: which stretches of it are near something, and from
// which side.
//
// A sample is a vertex of the surface's triangles with the normal that the field has there. On a crease,
// where several smooth faces meet, a vertex is one sample for each of them. A branch of the tree holds what
// is near one another and looks the same way: parts along the longest side of the box of (p, L n), where p is
// a sample's place and L turns normals n into lengths. Branches much longer than L are split by place,
// shorter ones by normal first, so that the two flanks of a thread, or the two sides of a wall, part before
// they are cut to pieces.
//
//        p          all of a branch, the triangles around its samples included, lies within `radius` of its
//        middle
//     .--o--.       sample, whose normal differs from theirs by no more than `spread`. The middle sample of a
//     branch
//    o   m   o      is often that of one half of it: who has looked at it there need not look again.
//     '--o--'
//
// Private to the library.
#pragma once

#include <vector>

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/mesh_surface.h"

namespace stiction {

struct SurfaceSamples {
  struct Node {
    int first, count;  // of the samples
    int child;         // in nodes: of the first of two halves, which follow one another; -1 for a leaf
    int middle;        // a sample
    double radius;     // [m]
    double spread;     // largest |n - n of the middle|
    bool is_leaf() const { return child < 0; }
  };
  std::vector<Node> nodes;  // the root is the first
  // Of the middle of each node: who goes through the tree need not look it up among the samples, and who
  // wants to know only where the branches end does not come by it.
  struct Middle {
    Vector3d p, n;
  };
  std::vector<Middle> middles;
  // One per sample, in the tree's order. Places by coordinate, since all of a branch are compared at once;
  // some numbers follow, so that a pack of them may begin at any.
  static constexpr int kSpare = 8;
  std::vector<double> p[3];  // [m]
  // What else there is to a sample: a line of the cache, since who looks at a few of them waits for each.
  struct alignas(64) Surrounding {
    Vector3d n;  // outward, unit
    // On a crease of two faces: into the face that has this normal, at right angles to the crease; zero
    // elsewhere.
    Vector3d inward;
    double reach;  // the triangles around it lie within this, or nearer to other samples [m]
    bool is_on_crease;
  };
  std::vector<Surrounding> around;

  int size() const { return static_cast<int>(around.size()); }
  Vector3d position(int sample) const { return {p[0][sample], p[1][sample], p[2][sample]}; }
  const Vector3d& normal(int sample) const { return around[sample].n; }
};

//   surface      of the field's triangles
//   turn_length  L [m]
SurfaceSamples MakeSurfaceSamples(const DistanceField& field, const MeshSurface& surface, double turn_length);

}  // namespace stiction
