// How the contact points of two shapes are chosen: one policy, which every pair family follows.
//
// An exact rigid step has no compliance to hide a missing point, and it starts each solve where the last one
// ended. So the rules lean towards whole faces, what was there before wins a tie, and a point keeps its name.
// Lengths are measured by the smaller thickness of both shapes, the `size`.
//
// 1. Face against face. Each shape offers the face whose normal separates it best from the other. The first
//    shape's is the reference unless the second's leads clearly (kSecondFace): a flat stack keeps its
//    features.
//
// 2. Face against edge. The reference face yields only to edges (or a rim, or a side) that separate clearly
//    better (kEdges). Edge axes along a face normal, or of edges that run along one another, are a face's
//    matter and not tried.
//
// 3. Clipping. What looks at the reference face is clipped against it, with the sides of both standing
// kBeside
//    outside: a vertex on a border, where round-off would make it now a vertex, now two crossings, stays a
//    vertex until it is that far out. Points beyond the face are moved back onto its border, so that gaps are
//    heights above the face, exact there. No point lies beside a face: shapes that pass do not feel ghosts.
//
// 4. What clipping misses. Where the points so far miss the distance clearly (kEdges again), shapes that are
//    apart get their nearest points as well: one, or the ends of the stretch along which an edge runs along
//    the other shape (kParallelSine, kStretch), and the one between where the ends miss it (kMissedDepth).
//    Overlapping shapes without a point get that of least translation, between edges or at the deepest
//    vertex; so do those whose points miss much of the depth, beside a small face (kOverlap).
//
// 5. Gathering (gatherer.h). Points of one place and one normal are one: of them the clearly deeper, else the
//    first. Of more points than the manifold holds, those that touch come first, spread over places and
//    normals, the deepest among them, and ties by less than a body at rest moves go to the first in the list.
//
// Meshes and fields have many faces each, and hollows: every pair of features whose normals face each other
// offers its points (mesh.h, field.h), and rule 5 holds for them as for the others.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace stiction::narrowphase {

// What one separation must be better by than another to win over it: this part of the other, and this many
// sizes.
struct Lead {
  double ratio, length;
};

inline constexpr Lead kSecondFace{0.02, 1e-4};
// Less, and boxes that lie on one another balance on an edge that round-off has found; more, and a corner
// sinks in beside a face.
inline constexpr Lead kEdges{0.05, 1e-3};
// Never reached by boxes, and far above what shapes overlap in a simulation.
inline constexpr Lead kOverlap{0.2, 5e-3};

// In sizes.
inline constexpr double kTie = 1e-9;     // between faces of one shape: round-off
inline constexpr double kBeside = 1e-3;  // aligned equal boxes keep four corners under any smaller error
// Clipping moves points by kBeside, so that clipped ones count as doubles within that. Points of a mesh stand
// where its features are: moved by a thousandth of the size, the point of a ball is off by as much in its
// normal.
inline constexpr double kSamePlaceOnMesh = 1e-4;
inline constexpr double kStretch = 1e-3;  // a shorter line is a point
// What the position stage leaves at rest (sim/position_stage.h): a vertex that is deeper below one face of a
// mesh than below another by less belongs to both. Less would let points of one corner come and go.
inline constexpr double kDepthSlack = 1e-4;

// Sines. Edges within kDistinctEdgesSine of one another do not cross. A direction within 0.01 rad of a face's
// normal is the face's.
inline constexpr double kDistinctEdgesSine = 1e-3;
inline constexpr double kNearFaceNormalCosine = 1.0 - 0.5e-4;

// Two segments that run within this sine of one another, or of a face, touch along a line: such a pair gets a
// point at each end of the line. Both points are exact, so a larger value only adds far points; a
// smaller one lets a capsule that falls flat dip below the surface before its second point appears.
inline constexpr double kParallelSine = 0.1;
// By this fraction of the radii, or sizes, the ends of a line must miss the depth before the nearest point
// joins them. Far below any penetration that matters, far above the round-off that would make the point come
// and go.
inline constexpr double kMissedDepth = 1e-7;

// Cylinders. Up to the first tilt (30 degrees) four points fixed in the rim stand ready for the cap to fall
// flat. Below the second the deepest point of the rim is a matter of round-off, and the fixed ones miss less
// than 0.3 of it times the radius: larger hides penetration, smaller lets the fifth point of a standing
// cylinder come and go.
inline constexpr double kFixedRimSine = 0.5;
inline constexpr double kUprightSine = 1e-7;

inline bool Leads(double separation, double other, const Lead& by, double size) {
  return separation > other + by.ratio * std::abs(other) + by.length * size;
}

// The face of one shape that separates it best from another; ties go to what was offered first.
struct FaceAxis {
  int face = -1;
  double separation = -std::numeric_limits<double>::infinity();

  bool Admits(double bound, double size) const { return bound > separation + kTie * size; }
  void Offer(int candidate, double at, double size) {
    if (Admits(at, size)) face = candidate, separation = at;
  }
};

// Rules 1 and 2. A shape without faces leaves its axis as it was made.
struct Reference {
  int face = -1;
  double separation = 0.0;
  bool is_second = false;

  bool YieldsTo(double edges, double size) const { return Leads(edges, separation, kEdges, size); }
};
inline Reference ChooseReference(const FaceAxis& first, const FaceAxis& second, double size) {
  const bool is_second = first.face < 0 || Leads(second.separation, first.separation, kSecondFace, size);
  const FaceAxis& best = is_second ? second : first;
  return {best.face, best.separation, is_second};
}

// By how much the sides of faces stand outside [m]. Moving a point back along a slope changes its height:
// where faces are not nearly parallel nothing is gained, so that the slack fades out with the slope. Heights
// stay right to 3e-5 of the size.
//   cosine  between the incident face's normal and the reference's, turned round; positive
inline double CalcSlack(double cosine, double size) {
  constexpr double kSlopeWithoutSlack = 0.1;
  const double slope = std::sqrt(std::fmax(0.0, 1.0 - cosine * cosine)) / cosine;
  return kBeside * size * std::fmax(1e-6, 1.0 - slope / kSlopeWithoutSlack);
}

// Features: what made a point, in the two upper bits.
enum class FeatureKind : std::uint32_t { kFace = 0, kEdges = 1, kNearest = 2, kCorner = 3 };
inline std::uint32_t MakeFeature(FeatureKind kind, std::uint32_t detail) {
  return static_cast<std::uint32_t>(kind) << 30 | detail;
}
// Of clipped points, below the kind: on the incident shape, where the outlines of both cross, or at a corner
// of the reference.
enum class ClippedKind : std::uint32_t { kIncident = 0, kCrossing = 1, kReference = 2 };

// 28 bits that depend on all of the numbers, in this order.
std::uint32_t HashNames(std::initializer_list<int> names);

}  // namespace stiction::narrowphase
