// Meshes, materials and textures of a model, the first and last as files beside the MJCF file, one for all
// that share it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "io/mjcf/output.h"
#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/mesh_surface.h"
#include "stiction/io/mjcf_writer.h"
#include "stiction/model/material.h"

namespace stiction::mjcf {

// A mesh as it is written, in a frame M in which reading leaves it.
struct WrittenMesh {
  std::string name;                  // of the asset; empty: it has no triangles
  Vector3d p_GM = Vector3d::Zero();  // of M's origin in the shape's frame G: zero, or round-off [m]
  // Of a hull: vertices that lie within a face, to 1e-6 of its size, now that those are gone that the hull
  // was made of. The frame's shift then is as large.
  int num_dropped = 0;
};

class AssetWriter {
 public:
  //   folder  relative to the MJCF file
  explicit AssetWriter(std::string folder) : folder_(std::move(folder)) {}

  // Each returns what is there already for the same mesh, or for one with the same triangles.
  //   wanted  name of a new one; characters that file names should not have are replaced
  WrittenMesh AddHull(const ConvexHull& hull, const std::string& wanted);
  // Throws std::invalid_argument: more triangles than the reader takes.
  WrittenMesh AddSurface(const MeshSurface& surface, const std::string& wanted);
  // As it is; no name for a mesh without triangles.
  WrittenMesh AddMesh(const TriangleMesh& mesh, const std::string& wanted);

  // Where the mesh of this name lies, relative to the model's file.
  std::string FileOf(const std::string& name) const { return folder_ + "/" + name + ".obj"; }
  // The triangles that have one of the mesh's own materials.
  WrittenMesh AddMeshPart(const TriangleMesh& mesh, int material, const std::string& wanted);

  // Names of assets; empty for none.
  std::string AddMaterial(const SharedMaterial& material);
  std::string AddTexture(const SharedTexture& texture);

  // <texture>, <material> and <mesh> elements.
  void Write(Output& section) const;
  std::vector<MjcfAsset> TakeFiles();

 private:
  std::string Store(const TriangleMesh& mesh, const std::string& wanted);

  std::string TextureFile(const std::string& name) const;
  void WriteTexture(const Texture& texture, const std::string& name, Output& section) const;
  void WriteMaterial(const Material& material, const std::string& name, Output& section) const;

  std::string folder_;
  std::map<std::pair<const void*, int>, WrittenMesh> known_parts_;
  std::vector<std::pair<SharedMaterial, std::string>> materials_;  // with their names
  std::vector<std::pair<SharedTexture, std::string>> textures_;
  std::set<std::string> material_names_, texture_names_;
  std::map<const void*, WrittenMesh> known_;
  std::map<std::string, std::string> name_of_text_;
  std::vector<std::string> names_;  // in the order in which they were asked for
  std::map<std::string, std::string> text_of_name_;
  std::set<std::string> flat_;
};

}  // namespace stiction::mjcf
