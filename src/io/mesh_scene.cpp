// COLLADA and glTF by assimp, kept on a short lead: it sees the bytes that we read, may open no file but the
// glTF's own buffers beside it, and what it returns is checked before use.
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <Eigen/LU>
#include <algorithm>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <cstring>
#include <set>

#include "mesh_format.h"

namespace stiction::mesh_format {
namespace {

namespace fs = std::filesystem;

// A file that lies in memory.
class MemoryStream : public Assimp::IOStream {
 public:
  explicit MemoryStream(std::string bytes) : bytes_(std::move(bytes)) {}
  size_t Read(void* buffer, size_t size, size_t count) override {
    if (size == 0) return 0;
    const size_t whole = std::min(count, (bytes_.size() - position_) / size);
    std::memcpy(buffer, bytes_.data() + position_, whole * size);
    position_ += whole * size;
    return whole;
  }
  size_t Write(const void*, size_t, size_t) override { return 0; }
  aiReturn Seek(size_t offset, aiOrigin origin) override {
    const size_t base = origin == aiOrigin_CUR ? position_ : origin == aiOrigin_END ? bytes_.size() : 0;
    if (offset > bytes_.size() - base) return aiReturn_FAILURE;
    position_ = base + offset;
    return aiReturn_SUCCESS;
  }
  size_t Tell() const override { return position_; }
  size_t FileSize() const override { return bytes_.size(); }
  void Flush() override {}

 private:
  std::string bytes_;
  size_t position_ = 0;
};

// The mesh file, and for glTF what lies in its folder or below.
class OwnFolderOnly : public Assimp::IOSystem {
 public:
  OwnFolderOnly(const fs::path& path, const std::string& bytes) : path_(path), bytes_(bytes) {}

  bool Exists(const char* name) const override { return name == path_.string() || !FindBeside(name).empty(); }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* name, const char*) override {
    if (name == path_.string()) return new MemoryStream(bytes_);
    const fs::path beside = FindBeside(name);
    return beside.empty() ? nullptr : new MemoryStream(ReadBytes(beside));
  }
  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  // Empty where the name leads out of the folder, links followed.
  fs::path FindBeside(const char* name) const {
    if (!NamesOtherFiles(path_)) return {};
    std::error_code error;
    const fs::path folder =
        fs::weakly_canonical(path_.parent_path().empty() ? "." : path_.parent_path(), error);
    fs::path wanted(name);
    if (!wanted.is_absolute() && !wanted.has_parent_path()) wanted = folder / wanted;
    const fs::path full = fs::weakly_canonical(wanted, error);
    if (error || !fs::is_regular_file(full, error)) return {};
    return std::mismatch(folder.begin(), folder.end(), full.begin(), full.end()).first == folder.end()
               ? full
               : fs::path();
  }

  fs::path path_;
  const std::string& bytes_;
};

struct Affine {
  Matrix3d A = Matrix3d::Identity();
  Vector3d b = Vector3d::Zero();
};

Affine Compose(const Affine& parent, const aiMatrix4x4& m) {
  Affine local;
  local.A << m.a1, m.a2, m.a3, m.b1, m.b2, m.b3, m.c1, m.c2, m.c3;
  local.b << m.a4, m.b4, m.c4;
  return {parent.A * local.A, parent.A * local.b + parent.b};
}

// Appends what hangs on the node and below it.
void AppendNode(const aiScene& scene, const aiNode& node, const Affine& parent, TriangleMesh& mesh) {
  const Affine X = Compose(parent, node.mTransformation);
  const bool mirrors = X.A.determinant() < 0.0;
  for (unsigned i = 0; i < node.mNumMeshes; ++i) {
    const aiMesh& part = *scene.mMeshes[node.mMeshes[i]];
    const int first = static_cast<int>(mesh.vertices.size());
    for (unsigned v = 0; v < part.mNumVertices; ++v) {
      const aiVector3D& p = part.mVertices[v];
      mesh.vertices.push_back(X.A * Vector3d(p.x, p.y, p.z) + X.b);
      if (!mesh.vertices.back().allFinite()) throw MeshError("holds a number that is not finite");
    }
    for (unsigned f = 0; f < part.mNumFaces; ++f) {
      const aiFace& face = part.mFaces[f];
      if (face.mNumIndices != 3) continue;  // points and lines
      std::array<int, 3> triangle;
      for (int c = 0; c < 3; ++c) {
        if (face.mIndices[c] >= part.mNumVertices) throw MeshError("an index of a face is out of range");
        triangle[c] = first + static_cast<int>(face.mIndices[c]);
      }
      if (mirrors) std::swap(triangle[1], triangle[2]);
      mesh.triangles.push_back(triangle);
    }
  }
  for (unsigned c = 0; c < node.mNumChildren; ++c) AppendNode(scene, *node.mChildren[c], X, mesh);
}

}  // namespace

bool NamesOtherFiles(const fs::path& path) {
  const std::string extension = LowerExtension(path);
  return extension == ".gltf" || extension == ".glb";
}

TriangleMesh ReadScene(const fs::path& path, const std::string& bytes) {
  Assimp::Importer importer;
  importer.SetIOHandler(new OwnFolderOnly(path, bytes));  // the importer deletes it
  const aiScene* scene = importer.ReadFile(path.string(), aiProcess_Triangulate);
  if (!scene || !scene->mRootNode)
    throw MeshError(std::string("cannot be read: ") + importer.GetErrorString());
  // assimp turns COLLADA of any up axis to y up, and glTF is y up: x stays, y becomes z.
  Affine z_up;
  z_up.A << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  TriangleMesh mesh;
  AppendNode(*scene, *scene->mRootNode, z_up, mesh);
  return JoinVertices(mesh);
}

}  // namespace stiction::mesh_format
