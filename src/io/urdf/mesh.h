// The meshes that a URDF names, as collision shapes and as what is seen.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "io/mesh/looks.h"
#include "io/mesh/mesh_file.h"
#include "io/package_path.h"
#include "io/xml/element.h"
#include "stiction/io/load.h"
#include "stiction/model/visual.h"

namespace stiction::urdf {

class MeshSource {
 public:
  // `path` is the URDF file's.
  MeshSource(const std::string& path, const LoadOptions& options);

  // The convex hull of a <mesh>'s file, or, if that or what it stands in is concave, its surface, shared by
  // all that name the same file at the same scale; the element is noted with what the report should say of
  // it. `p_MG` is where the shape stands in the mesh's frame. Throws LoadError; nothing where the file cannot
  // be read and is to be skipped (ModelRepairs).
  std::optional<Shape> ReadCollisionMesh(xml::Element& mesh, bool is_concave, Vector3d& p_MG);

  // The triangles of a <mesh>'s file with their looks, scaled, shared by all that name the same file at the
  // same scale. What is wrong with the looks is noted. Throws LoadError.
  SharedMesh ReadVisualMesh(xml::Element& mesh);

  // The picture of a <texture>'s file; null where it cannot be had, which is noted.
  SharedTexture ReadTexture(xml::Element& texture);

  // A folder, relative to the model's, where files lie by their names alone if not where the file says.
  void set_fallback(std::string folder) { fallback_ = std::move(folder); }

  // As MeshMemory's.
  int num_hits() const { return num_hits_; }

  // Why the file of a visual <mesh> cannot be found, empty if it can; it is not opened.
  std::string FindProblem(const xml::Element& mesh) const;

 private:
  using Key = std::tuple<std::string, double, double, double>;  // path, scale
  // A file that is no mesh does not stop the load: it is kept, too, so as not to be read again.
  struct VisualMesh {
    SharedMesh triangles;
    std::string problem{};         // empty: none
    std::string looks_problems{};  // likewise
  };
  Shape FindHull(const Key& key, const Vector3d& scale, xml::Element& mesh, Vector3d& p_MG);
  Shape FindSurface(const Key& key, const Vector3d& scale, xml::Element& mesh, Vector3d& p_MG);
  VisualMesh ReadTriangles(const std::filesystem::path& path, const Vector3d& scale);

  // Throws PathError.
  std::filesystem::path Resolve(const std::string& written) const;
  // Of a file that is not there or is no mesh. Throws LoadError, or notes that it is skipped.
  void RefuseOrSkip(xml::Element& mesh, const std::string& problem) const;

  PackagePaths paths_;
  std::string fallback_;  // empty: none
  MeshLooks looks_{MeshLooks::Depth::kMaterials};
  bool skips_missing_;
  int num_hits_ = 0;
  std::map<Key, MeshShape> loaded_;
  std::map<Key, PlacedMesh> surfaces_;
  std::map<Key, VisualMesh> seen_;
};

// What the element says by concave="yes" ("true") or "no" ("false"), else what holds around it. An extension
// that other readers have on <link> and <collision>.
bool ReadConcave(xml::Element& element, bool inherited);

}  // namespace stiction::urdf
