// Meshes from files: STL (binary and text), OBJ, COLLADA (.dae), glTF (.gltf, .glb), by assimp.
//
// Every file is checked before assimp sees it: its size against what its header claims, numbers, indices. No
// other file that it names is opened: materials and textures do not matter to contact.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/triangle_mesh.h"

namespace stiction {

// what() says what is wrong with the file and what to do, without its path.
class MeshError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// All of a file's meshes in one, node transforms applied, in metres, z up: a COLLADA file's unit and up axis
// are honoured, glTF's y-up is turned; STL and OBJ are taken as they are. Triangles wind outwards if the
// file's do. Throws MeshError: no such file, empty, a git-LFS pointer, an unknown format, sizes that do not
// agree with the file's length, indices out of range, numbers that are not finite, no triangles.
TriangleMesh ReadMeshFile(const std::filesystem::path& path);

// The same after x -> scale * x; a mirroring scale turns the triangles over, so that they keep winding
// outwards. No component may be zero.
TriangleMesh Scale(TriangleMesh mesh, const Vector3d& scale);

// What a collision shape needs from a mesh file, kept on disk so that the next load neither parses nor builds
// the hull again.
struct MeshShape {
  Hull hull;                 // its frame G at p_MG in the mesh's frame M
  Vector3d p_MG;             // [m]
  double mesh_volume = 0.0;  // signed [m³]; meaningless for an open mesh
  bool is_closed = false;    // every edge belongs to two triangles, in opposite directions
};

// The convex hull of the file's mesh after scaling. The cache is keyed by the file's bytes, the scale and the
// engine's format number, and lies in $STICTION_CACHE_DIR, else $XDG_CACHE_HOME/stiction, else
// ~/.cache/stiction; STICTION_CACHE_DIR="" turns it off. An entry that cannot be written or read is done
// without; a damaged one is made again. Throws MeshError, also for a flat mesh.
MeshShape LoadMeshShape(const std::filesystem::path& path, const Vector3d& scale);

}  // namespace stiction
