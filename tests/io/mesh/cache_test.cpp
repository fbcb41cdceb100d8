// Shapes kept on disk: the same bits as those made anew, whatever lies in the cache.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "io/mesh/mesh_file.h"
#include "tests/io/temporary_file.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

const std::string kMesh =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

class MeshCache : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("stiction_cache_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    setenv("STICTION_CACHE_DIR", folder_.c_str(), 1);
  }
  void TearDown() override {
    fs::remove_all(folder_);
    setenv("STICTION_CACHE_DIR", "", 1);
  }
  std::vector<fs::path> Entries() const {
    std::vector<fs::path> entries;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_, error)) entries.push_back(entry.path());
    return entries;
  }

  fs::path folder_;
  TemporaryFile mesh_{kMesh, ".obj"};
};

void ExpectSame(const MeshShape& a, const MeshShape& b) {
  const ConvexHull &h = *a.hull.polytope, &k = *b.hull.polytope;
  EXPECT_EQ(h.vertices, k.vertices);
  EXPECT_EQ(h.face_vertices, k.face_vertices);
  EXPECT_EQ(h.neighbors, k.neighbors);
  EXPECT_EQ(h.first_neighbor, k.first_neighbor);
  EXPECT_EQ(h.vertex_faces, k.vertex_faces);
  EXPECT_EQ(h.edges.size(), k.edges.size());
  ASSERT_EQ(h.faces.size(), k.faces.size());
  for (size_t f = 0; f < h.faces.size(); ++f) {
    EXPECT_EQ(h.faces[f].normal, k.faces[f].normal);
    EXPECT_EQ(h.faces[f].offset, k.faces[f].offset);
    EXPECT_EQ(h.faces[f].num_vertices, k.faces[f].num_vertices);
  }
  EXPECT_EQ(h.lower, k.lower);
  EXPECT_EQ(h.radius, k.radius);
  EXPECT_EQ(h.thickness, k.thickness);
  EXPECT_EQ(h.unit_density.I_BBcm_B, k.unit_density.I_BBcm_B);
  EXPECT_EQ(a.p_MG, b.p_MG);
  EXPECT_EQ(a.mesh_volume, b.mesh_volume);
  EXPECT_EQ(a.is_closed, b.is_closed);
}

TEST_F(MeshCache, EntriesHoldTheSameBits) {
  const MeshShape made = LoadMeshShape(mesh_.path(), Vector3d(1, 2, 3));
  EXPECT_TRUE(made.is_closed);
  EXPECT_NEAR(made.mesh_volume, 1.0, 1e-15);
  ASSERT_EQ(Entries().size(), 1u);
  ExpectSame(made, LoadMeshShape(mesh_.path(), Vector3d(1, 2, 3)));
  EXPECT_EQ(Entries().size(), 1u);
  // Another scale, and other bytes, are other entries.
  LoadMeshShape(mesh_.path(), Vector3d(1, 2, 4));
  const TemporaryFile other(kMesh + "\n", ".obj");
  LoadMeshShape(other.path(), Vector3d(1, 2, 3));
  EXPECT_EQ(Entries().size(), 3u);
}

TEST_F(MeshCache, EntriesAreUsed) {
  LoadMeshShape(mesh_.path(), Vector3d::Ones());
  const fs::path first = Entries().at(0);
  const TemporaryFile other("v 0 0 0\nv 9 0 0\nv 0 9 0\nv 0 0 9\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
                            ".obj");
  const MeshShape large = LoadMeshShape(other.path(), Vector3d::Ones());
  for (const fs::path& entry : Entries()) {
    if (entry != first) fs::copy_file(entry, first, fs::copy_options::overwrite_existing);
  }
  ExpectSame(LoadMeshShape(mesh_.path(), Vector3d::Ones()), large);
}

TEST_F(MeshCache, DamagedEntriesAreMadeAgain) {
  const MeshShape made = LoadMeshShape(mesh_.path(), Vector3d::Ones());
  const fs::path entry = Entries().at(0);
  std::ifstream stream(entry, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  const auto write = [&](const std::string& bytes) { std::ofstream(entry, std::ios::binary) << bytes; };
  for (size_t at = 0; at < whole.size(); at += 7) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    write(bytes);
    ExpectSame(made, LoadMeshShape(mesh_.path(), Vector3d::Ones()));
  }
  for (const size_t size : {size_t{0}, size_t{5}, size_t{30}, whole.size() - 1}) {
    write(whole.substr(0, size));
    ExpectSame(made, LoadMeshShape(mesh_.path(), Vector3d::Ones()));
  }
  EXPECT_EQ(Entries().size(), 1u);  // nothing temporary stays
  EXPECT_EQ(fs::file_size(entry), whole.size());
}

TEST_F(MeshCache, IsDoneWithoutWhereItCannotBe) {
  const MeshShape made = LoadMeshShape(mesh_.path(), Vector3d::Ones());
  fs::remove_all(folder_);
  std::ofstream(folder_) << "a file where the folder should be";
  ExpectSame(made, LoadMeshShape(mesh_.path(), Vector3d::Ones()));
  fs::remove(folder_);
  setenv("STICTION_CACHE_DIR", "", 1);
  ExpectSame(made, LoadMeshShape(mesh_.path(), Vector3d::Ones()));
  EXPECT_TRUE(Entries().empty());
}

}  // namespace
}  // namespace stiction
