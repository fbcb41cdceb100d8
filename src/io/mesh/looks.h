// What mesh files say of how their triangles look: materials of OBJ's .mtl, COLLADA and glTF, and the
// pictures that these name. What is wrong with them is said, and the mesh goes without.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stiction/model/material.h"

namespace stiction {

// One for all the mesh files of a load, so that each picture is decoded once.
class MeshLooks {
 public:
  enum class Depth {
    kCorners,    // where corners are in pictures, for materials that come from elsewhere
    kMaterials,  // and the file's own materials
  };
  explicit MeshLooks(Depth depth) : depth_(depth) {}
  bool reads_materials() const { return depth_ == Depth::kMaterials; }

  // The picture of a file that a file in `folder` names, or of these bytes; null, and a problem, where there
  // is none. Files are opened in the folder above `folder` and below, nowhere else.
  SharedTexture ReadTexture(const std::filesystem::path& folder, const std::string& written);
  SharedTexture Decode(const std::string& name, std::string_view bytes);

  // A text file that is named likewise; empty, and a problem, where there is none.
  std::string ReadText(const std::filesystem::path& folder, const std::string& written);

  void AddProblem(const std::string& problem);
  // Since they were taken last.
  std::vector<std::string> TakeProblems() { return std::exchange(problems_, {}); }

 private:
  std::filesystem::path Resolve(const std::filesystem::path& folder, const std::string& written) const;

  Depth depth_;
  struct FileTexture {
    SharedTexture texture;  // null: there is none, because of
    std::string problem;
  };
  std::map<std::string, FileTexture> textures_;  // by path
  std::vector<std::string> problems_;
};

// Strength and width of highlights, of the exponent that other files give: MJCF's 1 stands for 128.
float ShininessOf(double exponent);

}  // namespace stiction
