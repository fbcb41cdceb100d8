// The surface φ = 0 of a distance field as triangles.
//
// On a grid of cubes, every grid edge whose ends differ in sign has a vertex where φ = 0. In each cube these
// vertices form closed polygons; each polygon is a fan of triangles about a vertex of its own [Kobbelt 2001]:
//   - where the normals at its corners agree, the mean of the corners, moved onto φ = 0 by Newton's method;
//   - where they differ by more than 25°, a feature of the surface: the point nearest to all tangent planes,
//   by
//     the quadratic error function of [Ju 2002]. It is found again from tangent planes ever closer to it, so
//     that curved edges are met as well as straight ones. The side common to two such fans is then flipped to
//     join their features, which makes the crease an edge of the mesh.
//
//        corner ---.                     corner ---.
//       /   |       \                   /           \          one fan in each of two neighbouring cubes
//   feature |  feature      becomes   feature ---- feature
//       \   |       /                   \           /
//        corner ---'                     corner ---'
//
// What differs from the papers: ambiguous faces of a cube separate the corners that are inside, from both
// sides alike, and a polygon is one vertex even where a cube has several. Hence the mesh is a closed manifold
// for any signs, which a dual mesh with one vertex a cube is not.
//
// References: Kobbelt, Botsch, Schwanecke, Seidel, Feature sensitive surface extraction from volume data,
// SIGGRAPH 2001. Ju, Losasso, Schaefer, Warren, Dual contouring of Hermite data, SIGGRAPH 2002.
#pragma once

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/triangle_mesh.h"

namespace stiction {

// Cubes of side `spacing` [m] over the field's bounds. Every edge has two triangles, wound outwards; all
// vertices lie on φ = 0 to 1e-6 spacing or better. Parts thinner than the spacing may be missed or merged; a
// crease that passes through the corner of a cube without a grid edge to tell is cut there. Triangles may be
// slivers.
//
// Throws std::invalid_argument for a field without finite bounds, an empty solid, a spacing that is not
// positive and a grid of more than 2^24 nodes; the message then names a spacing that fits.
TriangleMesh CalcSurface(const DistanceField& field, double spacing);

}  // namespace stiction
