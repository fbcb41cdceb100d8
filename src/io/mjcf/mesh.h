// <mesh> assets of an MJCF file: loaded when a geom first needs them, and once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/mesh/memory.h"
#include "io/mesh/mesh_file.h"
#include "io/mjcf/specs.h"
#include "stiction/model/load_error.h"
#include "stiction/model/visual.h"

namespace stiction::mjcf {

// Vertices become those of the asset's frame M by  p_M = scale ∘ refquatᵀ (p_file − refpos).
class MeshAsset {
 public:
  // Reads the element's attributes over its class's. The file is looked for in `folder`, then, for a file
  // that another one includes, beside that. Throws LoadError: a missing file, one outside of the model's
  // folder, a scale of 0, and for meshes written inline indices out of range or too few numbers.
  //   memory         of the load: what its files hold
  //   skips_missing  a file that cannot be found is no error until the mesh is asked for
  MeshAsset(xml::Element& element, const MeshSpec& defaults, const std::filesystem::path& main_folder,
            const Compiler& compiler, const std::shared_ptr<MeshMemory>& memory, bool skips_missing = false);

  // Each throws LoadError, at the asset, for a file that is no mesh, for the shape, which is the hull, one
  // that is flat, for the surface one with too many triangles or none with an area.
  const SharedMesh& Mesh();
  const MeshShape& CollisionShape();
  const PlacedMesh& Surface();

  // What a mass is made of. Where the file does not say how, that is MJCF's legacy rule, but for a geom that
  // collides as its surface, what that encloses if it is closed. Throws LoadError as above.
  struct Solid {
    SharedMesh mesh;
    MeshSolid rule = MeshSolid::kLegacy;
    bool is_estimate = false;  // the surface encloses nothing, and the file does not say what to do
  };
  Solid FindSolid(bool is_concave);

 private:
  void ReadInline(xml::Element& element);
  TriangleMesh ReadTriangles() const;

  const xml::Element* element_;
  std::shared_ptr<MeshMemory> memory_;
  MeshSpec spec_;
  RigidTransform X_FR_;               // of the reference in the file's frame
  std::filesystem::path path_;        // empty: written inline
  TriangleMesh inline_;               // in the file's frame
  SharedMesh mesh_;                   // null: not read yet
  std::optional<LoadError> failure_;  // why it cannot be read: it is not tried again
  std::optional<MeshShape> shape_;
  std::optional<PlacedMesh> surface_;
};

// The name of an asset: its own, else its file's without folder and extension; empty if it has neither.
std::string AssetName(const xml::Element& element);

// Where the file of an asset is, checked to exist.
//   attribute  of the element, which names it
//   directory  below the main file's folder
std::filesystem::path FindAssetFile(const xml::Element& element, std::string_view attribute,
                                    const std::string& written, const std::filesystem::path& main_folder,
                                    const std::string& directory, const Compiler& compiler);

}  // namespace stiction::mjcf
