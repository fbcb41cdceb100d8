// The meshes that a URDF names, as collision shapes and as what is seen.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "package_path.h"
#include "stiction/io/load.h"
#include "stiction/io/mesh_file.h"
#include "stiction/model/visual.h"
#include "xml_element.h"

namespace stiction::urdf {

class MeshSource {
 public:
  // `path` is the URDF file's.
  MeshSource(const std::string& path, const LoadOptions& options);

  // The convex hull of a <mesh>'s file, shared by all that name the same file at the same scale; the element
  // is noted as honoured, or approximated with how much the hull fills in. `p_MG` is where the hull stands in
  // the mesh's frame. Throws LoadError.
  Shape ReadCollisionMesh(xml::Element& mesh, Vector3d& p_MG);

  // The triangles of a <mesh>'s file, scaled, shared by all that name the same file at the same scale.
  // Throws LoadError.
  SharedMesh ReadVisualMesh(xml::Element& mesh);

  // Why the file of a visual <mesh> cannot be found, empty if it can; it is not opened.
  std::string FindProblem(const xml::Element& mesh) const;

 private:
  using Key = std::tuple<std::string, double, double, double>;  // path, scale
  // A file that is no mesh does not stop the load: it is kept, too, so as not to be read again.
  struct VisualMesh {
    SharedMesh triangles;
    std::string problem{};  // empty: none
  };
  static VisualMesh ReadTriangles(const std::filesystem::path& path, const Vector3d& scale);

  PackagePaths paths_;
  std::map<Key, MeshShape> loaded_;
  std::map<Key, VisualMesh> seen_;
};

}  // namespace stiction::urdf
