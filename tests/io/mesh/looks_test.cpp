// What mesh files say of how they look: OBJ with .mtl, COLLADA, glTF.
#include "io/mesh/looks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "io/mesh/mesh_file.h"
#include "tests/io/temporary_file.h"

namespace stiction {
namespace {

std::string FileNameOf(const TemporaryFile& file) {
  return file.path().substr(file.path().rfind('/') + 1);
}

// A TGA of one pixel: the smallest picture that is written by hand.
std::string MakeTga(unsigned char red, unsigned char green, unsigned char blue) {
  std::string bytes(18, '\0');
  bytes[2] = 2, bytes[12] = 1, bytes[14] = 1, bytes[16] = 24;
  for (const unsigned char part : {blue, green, red}) bytes += static_cast<char>(part);
  return bytes;
}

using Corner = std::array<float, 2>;

TEST(MeshLooks, ObjHasTheMaterialsOfItsLibrary) {
  const TemporaryFile picture(MakeTga(1, 2, 3), ".tga");
  const TemporaryFile library(
      "newmtl plain\nKd 1 0 .5\nNs 64\nd .25\nnewmtl shown\nKd 0 0 0\nmap_Kd -s 1 1 " + FileNameOf(picture) +
          "\nmap_Kd\nKd nonsense\n",
      ".mtl");
  const TemporaryFile file("mtllib " + FileNameOf(library) +
                               "\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt .5 .75\n"
                               "usemtl shown\nf 1/1 2/2 3/3\nf 1/1 1/1 2/2\nusemtl plain\nf 1/-3 3/-1 4/-2\n"
                               "usemtl missing\nf 2/1 3/2 4/3\n",
                           ".obj");
  MeshLooks looks(MeshLooks::Depth::kMaterials);
  const TriangleMesh mesh = ReadMeshFile(file.path(), &looks);
  ASSERT_EQ(mesh.triangles.size(), 3u);  // the second has no three corners
  ASSERT_EQ(mesh.texture_corners.size(), 3u);
  EXPECT_EQ(mesh.texture_corners[0],
            (TriangleMesh::Corners{Corner{0, 0}, Corner{1, 0}, Corner{0.5f, 0.75f}}));
  EXPECT_EQ(mesh.texture_corners[1],
            (TriangleMesh::Corners{Corner{0, 0}, Corner{0.5f, 0.75f}, Corner{1, 0}}));
  EXPECT_EQ(mesh.material_of, (std::vector<int>{0, 1, -1}));
  ASSERT_EQ(mesh.materials.size(), 2u);
  EXPECT_EQ(mesh.materials[0]->color, (Color{1, 1, 1, 1}));  // black, but for its picture
  ASSERT_NE(mesh.materials[0]->texture, nullptr);
  EXPECT_EQ(mesh.materials[0]->texture->pixels, (std::vector<std::uint8_t>{1, 2, 3, 255}));
  EXPECT_EQ(mesh.materials[1]->color, (Color{1, 0, 0.5f, 0.25f}));
  EXPECT_EQ(mesh.materials[1]->shininess, 0.5f);
  EXPECT_TRUE(looks.TakeProblems().empty());
  // Turned over, corners stay with their vertices; and nothing of it is read unless it is asked for.
  EXPECT_EQ(Scale(mesh, Vector3d(-1, 1, 1)).texture_corners[0][1], (Corner{0.5f, 0.75f}));
  EXPECT_TRUE(ReadMeshFile(file.path()).materials.empty());
  EXPECT_TRUE(ReadMeshFile(file.path()).texture_corners.empty());
}

// Files are opened from one folder above the mesh's on: in this one, from "above".
TEST(MeshLooks, WhatIsMissingIsSaidAndTheMeshIsRead) {
  const std::filesystem::path top =
      std::filesystem::path(::testing::TempDir()) / ("looks_" + std::to_string(getpid()));
  const std::filesystem::path folder = top / "above" / "own";
  std::filesystem::create_directories(folder);
  const auto write = [](const std::filesystem::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
  };
  write(top / "secret.tga", MakeTga(1, 2, 3));
  write(folder / "a.mtl", "newmtl a\nKd 1 0 0\nmap_Kd nowhere.png\nnewmtl b\nmap_Kd ../../secret.tga\n");
  write(folder / "m.obj",
        "mtllib a.mtl absent.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl a\nf 1/1 2/9 3/1\n");
  MeshLooks looks(MeshLooks::Depth::kMaterials);
  const TriangleMesh mesh = ReadMeshFile(folder / "m.obj", &looks);
  const std::vector<std::string> problems = looks.TakeProblems();
  ReadMeshFile(folder / "m.obj", &looks);
  EXPECT_EQ(looks.TakeProblems(), problems) << "the same is said of the next mesh";
  std::filesystem::remove_all(top);
  EXPECT_EQ(mesh.materials.at(0)->color, (Color{1, 0, 0, 1}));
  EXPECT_EQ(mesh.materials[0]->texture, nullptr);
  EXPECT_TRUE(mesh.texture_corners.empty());  // there is no ninth point
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_NE(problems[0].find("nowhere.png"), std::string::npos);
  EXPECT_NE(problems[1].find("lies outside"), std::string::npos);
  EXPECT_NE(problems[2].find("absent.mtl"), std::string::npos);
}

TEST(MeshLooks, ColladaBindsMaterialsByInstance) {
  const TemporaryFile picture(MakeTga(4, 5, 6), ".tga");
  const std::string effects =
      "<library_images><image id='i'><init_from>" + FileNameOf(picture) +
      "</init_from></image></library_images><library_effects><effect "
      "id='red'><profile_COMMON><technique><phong>"
      "<diffuse><color>1 0 0 1</color></diffuse></phong></technique></profile_COMMON></effect><effect "
      "id='shown'>"
      "<profile_COMMON><newparam sid='s'><surface type='2D'><init_from>i</init_from></surface></newparam>"
      "<newparam sid='p'><sampler2D><source>s</source></sampler2D></newparam><technique><lambert><diffuse>"
      "<texture texture='p' "
      "texcoord='UV'/></diffuse></lambert></technique></profile_COMMON></effect></library_effects>"
      "<library_materials><material id='a'><instance_effect url='#red'/></material><material id='b'>"
      "<instance_effect url='#shown'/></material></library_materials>";
  const auto instance = [](const std::string& material) {
    return "<node><instance_geometry url='#g'><bind_material><technique_common><instance_material "
           "symbol='sym' "
           "target='#" +
           material + "'/></technique_common></bind_material></instance_geometry></node>";
  };
  const TemporaryFile file(
      "<COLLADA version='1.4.1'><asset><up_axis>Z_UP</up_axis></asset>" + effects +
          "<library_geometries><geometry id='g'><mesh><source id='p'><float_array>0 0 0 1 0 0 0 1 "
          "0</float_array>"
          "<technique_common><accessor count='3' stride='3'/></technique_common></source><source id='t'>"
          "<float_array>0 0 .5 .25</float_array><technique_common><accessor count='2' "
          "stride='2'/></technique_common>"
          "</source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices><triangles "
          "material='sym'>"
          "<input semantic='VERTEX' source='#v' offset='0'/><input semantic='TEXCOORD' source='#t' "
          "offset='1'/>"
          "<p>0 0 1 1 2 0</p></triangles></mesh></geometry></library_geometries><library_visual_scenes>"
          "<visual_scene id='s'>" +
          instance("a") + instance("b") + instance("nobody") +
          "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>",
      ".dae");
  MeshLooks looks(MeshLooks::Depth::kMaterials);
  const TriangleMesh mesh = ReadMeshFile(file.path(), &looks);
  EXPECT_EQ(mesh.material_of, (std::vector<int>{0, 1, -1}));
  ASSERT_EQ(mesh.materials.size(), 2u);
  EXPECT_EQ(mesh.materials[0]->color, (Color{1, 0, 0, 1}));
  ASSERT_NE(mesh.materials[1]->texture, nullptr);
  EXPECT_EQ(mesh.materials[1]->texture->pixels, (std::vector<std::uint8_t>{4, 5, 6, 255}));
  EXPECT_EQ(mesh.texture_corners.at(2),
            (TriangleMesh::Corners{Corner{0, 0}, Corner{0.5f, 0.25f}, Corner{0, 0}}));
  EXPECT_TRUE(looks.TakeProblems().empty());
}

// Three positions and three texture points in a buffer beside the file.
TEST(MeshLooks, GltfHasItsBaseColour) {
  const float numbers[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25f, 0.75f};
  const TemporaryFile buffer(std::string_view(reinterpret_cast<const char*>(numbers), sizeof numbers),
                             ".bin");
  const std::string json =
      R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":)"
      R"([{"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":0}]}],"materials":[{"pbrMetallicRoughness":)"
      R"({"baseColorFactor":[1,0.21404114,0,1],"metallicFactor":0.5,"roughnessFactor":0.25,"baseColorTexture":{"index":0}}}],)"
      R"("textures":[{"source":0}],"images":[{"uri":"nowhere.png"}],"accessors":[{"bufferView":0,"componentType":5126,)"
      R"("count":3,"type":"VEC3"},{"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"}],"bufferViews":)"
      R"([{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":24}],"buffers":[{"byteLength":60,"uri":")" +
      FileNameOf(buffer) + "\"}]}";
  const TemporaryFile file(json, ".gltf");
  MeshLooks looks(MeshLooks::Depth::kMaterials);
  const TriangleMesh mesh = ReadMeshFile(file.path(), &looks);
  const Material& material = *mesh.materials.at(0);
  EXPECT_NEAR(material.color.g, 0.5f, 1e-4f);  // of light, encoded for the eye
  EXPECT_EQ(material.metallic, 0.5f);
  EXPECT_EQ(material.roughness, 0.25f);
  EXPECT_EQ(mesh.texture_corners.at(0)[2], (Corner{0.25f, 0.25f}));  // counted from below
  const std::vector<std::string> problems = looks.TakeProblems();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("nowhere.png"), std::string::npos);
}

}  // namespace
}  // namespace stiction
