// The readers of single mesh formats, and what they share. Each takes a whole file as bytes, checks every
// size and index before it allocates or reads, and throws MeshError. Where `looks` are asked for, it reads
// those, too.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/mesh/looks.h"
#include "io/mesh/mesh_file.h"

namespace stiction::mesh_format {

// stl.cpp: text or binary, told apart by the size that the binary header implies, as the word "solid"
// begins many binary files, too.
TriangleMesh ReadStl(std::string_view bytes);
// Throws MeshError where the file is a binary STL file of more than kMaxSurfaceTriangles, without reading it
// all; other formats tell only when they are read.
void CheckSurfaceFile(const std::filesystem::path& path);
// obj.cpp: positions and faces; polygons become fans, quadrilaterals are cut along the shorter diagonal.
// Looks are those of "vt", "usemtl" and "mtllib", whose files are looked for from `folder`.
TriangleMesh ReadObj(std::string_view bytes, const std::filesystem::path& folder = {},
                     MeshLooks* looks = nullptr);
// msh.cpp: MuJoCo's legacy binary format.
TriangleMesh ReadMsh(std::string_view bytes);
// collada.cpp
TriangleMesh ReadCollada(const std::filesystem::path& path, MeshLooks* looks = nullptr);
// gltf.cpp; the path is for the buffers beside it, and tells .glb from .gltf.
TriangleMesh ReadGltf(const std::filesystem::path& path, std::string_view bytes, MeshLooks* looks = nullptr);
// True if a file of this format may take its vertices from other files of its folder.
bool NamesOtherFiles(const std::filesystem::path& path);

// The whole file. Throws MeshError: missing, not a regular file, empty, larger than 512 MiB, a git-LFS
// pointer.
std::string ReadBytes(const std::filesystem::path& path);
// The file's extension in lower case, with the dot.
std::string LowerExtension(const std::filesystem::path& path);
TriangleMesh ParseMesh(const std::filesystem::path& path, const std::string& bytes,
                       MeshLooks* looks = nullptr);

// shape.cpp: throws MeshError for more than kMaxSurfaceTriangles.
void CheckSurfaceTriangles(std::size_t count);

// Joins vertices with equal coordinates, in order of first use; drops triangles with fewer than three
// different corners, and vertices without triangles. Points without any triangle stand for their convex hull.
// Looks stay with their triangles. Throws MeshError where no triangles are left.
TriangleMesh JoinVertices(const TriangleMesh& mesh);

// The bytes of the mesh, to name what is made of it.
std::string PackMesh(const TriangleMesh& mesh);

// The whole token as a finite number; throws MeshError "line n: ..." otherwise. Underflow gives zero.
double ParseCoordinate(std::string_view token, int line);
// Cuts the next token, bounded by blanks, off the text; empty at its end. Line breaks are not blanks.
std::string_view NextToken(std::string_view& text);
[[noreturn]] void FailAt(int line, const std::string& message);
// The token in quotes, cut to 40 bytes, anything but printable ASCII as "?".
std::string Quote(std::string_view token);

}  // namespace stiction::mesh_format
