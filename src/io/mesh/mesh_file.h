// Meshes from files: STL (binary and text), OBJ, MuJoCo's legacy MSH, COLLADA (.dae), glTF (.gltf, .glb).
//
// All formats are read by the engine itself: sizes are checked against the file's length before anything is
// allocated, and nesting and repetition are bounded. Materials and textures do not matter to contact: files
// that hold those are opened only where looks are asked for. A glTF's own buffers are, within its folder.
//
// Positions are those of the file: single precision in binary STL, MSH and glTF, double precision in the text
// of OBJ, STL and COLLADA. (Engines that keep all vertices in single precision differ from that by 6e-8 of
// the size; cast if their numbers are to be met.)
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/mesh_surface.h"
#include "stiction/geometry/triangle_mesh.h"

namespace stiction {

class MeshLooks;

// what() says what is wrong with the file and what to do, without its path.
class MeshError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// All of a file's meshes in one, node transforms applied, in metres, z up: a COLLADA file's unit and up axis
// are honoured, glTF's y-up is turned; STL, OBJ and MSH are taken as they are. Vertices with equal
// coordinates are one, unused ones and triangles with fewer than three corners are left out. Polygons become
// triangles; an OBJ or MSH file with vertices and no face at all stands for their convex hull, as in MJCF.
// Triangles wind outwards if the file's do. Throws MeshError: no such file, empty, a git-LFS pointer, an
// unknown format, sizes that do not agree with the file's length, indices out of range, numbers that are not
// finite, no triangles.
//   looks  null: the mesh has none
TriangleMesh ReadMeshFile(const std::filesystem::path& path, MeshLooks* looks = nullptr);

// The same after x -> scale * x; a mirroring scale turns the triangles over, so that they keep winding
// outwards. Throws MeshError: a component that is zero, a vertex that overflows.
TriangleMesh Scale(TriangleMesh mesh, const Vector3d& scale);

// What a collision shape needs from a mesh file, kept on disk so that the next load neither parses nor builds
// the hull again.
struct MeshShape {
  Hull hull;                 // its frame G at p_MG in the mesh's frame M
  Vector3d p_MG;             // [m]
  double mesh_volume = 0.0;  // signed [m³]; meaningless for an open mesh
  bool is_closed = false;    // every edge is run as often in one direction as in the other
};

// The convex hull of a mesh that is at hand. Throws MeshError for a flat one.
MeshShape MakeMeshShape(const TriangleMesh& mesh);

// The convex hull of the file's mesh after scaling. The cache is keyed by the file's bytes, the scale and the
// engine's format number, and lies in $STICTION_CACHE_DIR, else $XDG_CACHE_HOME/stiction, else
// ~/.cache/stiction; STICTION_CACHE_DIR="" turns it off. An entry that cannot be written or read is done
// without; a damaged one is made again. Throws MeshError, also for a flat mesh.
MeshShape LoadMeshShape(const std::filesystem::path& path, const Vector3d& scale);

// A surface to collide with is larger in memory than its file, and takes longer to build: what is drawn finer
// than this is a mistake, or made to fill the memory.
inline constexpr std::size_t kMaxSurfaceTriangles = std::size_t{1} << 21;

// The surface of a mesh that is at hand, as a collision shape (geometry/mesh_surface.h). Throws MeshError:
// more than kMaxSurfaceTriangles, none that has an area.
PlacedMesh MakeMeshSurface(const TriangleMesh& mesh);

// The surface of the file's mesh after scaling; it is not kept on disk. Throws MeshError.
PlacedMesh LoadMeshSurface(const std::filesystem::path& path, const Vector3d& scale);

}  // namespace stiction
