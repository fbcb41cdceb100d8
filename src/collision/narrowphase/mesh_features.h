// What the faces, edges and vertices of a mesh can touch.
#pragma once

#include "collision/narrowphase/manifold_policy.h"
#include "stiction/geometry/mesh_surface.h"

namespace stiction::narrowphase {

// Sines. A direction is in a feature's normal cone up to this: a face that lies flat on another one is on the
// cones' very border.
inline constexpr double kConeSine = 1e-3;

// Lengths that decide what counts as over a face. [m]
struct FaceTolerance {
  double beside;  // outside of its edges
  double deeper;  // below it than below another face

  explicit FaceTolerance(double size) : beside(kBeside * size), deeper(kDepthSlack * size) {}
};

// Whether p, at `height` over the face's plane, is over the face rather than over others: its projection lies
// within the face grown by the tolerance; and if it is below the plane by more than that, it is not nearer to
// the plane of a neighbour across a ridge, and the way up to the face leads through the solid alone.
bool FaceHolds(const MeshSurface& mesh, int face, const Vector3d& p, double height,
               const FaceTolerance& tolerance);

// How far it is from p, below the face, straight on to where the mesh ends; infinite for an open one. [m]
double FindWayThrough(const MeshSurface& mesh, int face, const Vector3d& p);

// Whether the vertex reaches at least as far along the unit direction n as what surrounds it.
bool VertexAdmits(const MeshSurface& mesh, int vertex, const Vector3d& n, double sine);

// The same for edge k of a face, a ridge or an open edge; n is perpendicular to it.
bool EdgeAdmits(const MeshSurface& mesh, int face, int k, const Vector3d& n, double sine);

// Whether anything can touch the edge.
inline bool IsRidge(MeshEdge edge) {
  return edge == MeshEdge::kConvex || edge == MeshEdge::kOpen;
}

// Where two edges cross: seen along their common normal.
struct EdgeCrossing {
  Vector3d n;     // unit, from edge ab to edge cd if `gap` is positive
  double gap;     // along n [m]
  Vector3d p, q;  // on ab and on cd
};
// False if they are parallel, or do not cross between their ends. n is chosen along `side`.
bool FindCrossing(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d,
                  const Vector3d& side, EdgeCrossing& out);

}  // namespace stiction::narrowphase
