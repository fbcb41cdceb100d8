// COLLADA and glTF: units, axes, node transforms, and scenes that go round in circles.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "io/mesh/mesh_file.h"
#include "tests/io/temporary_file.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

TriangleMesh Read(std::string_view text, std::string_view extension) {
  const TemporaryFile file(text, extension);
  return ReadMeshFile(file.path());
}

std::string SceneFailure(std::string_view text, std::string_view extension) {
  try {
    Read(text, extension);
  } catch (const MeshError& error) {
    return error.what();
  }
  return "";
}

// One triangle (1,0,0) (0,2,0) (0,0,3) in file coordinates, with normals and texture coordinates between.
std::string Collada(const std::string& asset, const std::string& nodes,
                    const std::string& primitives =
                        "<triangles count='1'><input semantic='VERTEX' source='#v' offset='0'/>"
                        "<input semantic='NORMAL' source='#n' offset='1'/><p>0 0\n1 0 2 0</p></triangles>") {
  return "<?xml version='1.0'?><COLLADA version='1.4.1'><asset>" + asset +
         "</asset><library_geometries><geometry id='g'><mesh>"
         "<source id='p'><float_array count='9'>1 0 0\n0 2 0 0 0 3</float_array><technique_common>"
         "<accessor source='#a' count='3' stride='3'/></technique_common></source>"
         "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices>" +
         primitives + "</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id='s'>" +
         nodes +
         "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>";
}

const std::string kNode = "<node id='a'><instance_geometry url='#g'/></node>";
const std::string kZUp = "<up_axis>Z_UP</up_axis>";

std::vector<Vector3d> Corners(const TriangleMesh& mesh, size_t triangle = 0) {
  std::vector<Vector3d> corners;
  for (const int v : mesh.triangles.at(triangle)) corners.push_back(mesh.vertices[v]);
  return corners;
}

using Points = std::vector<Vector3d>;

TEST(MeshScene, ColladaUpAxisAndUnit) {
  EXPECT_EQ(Corners(Read(Collada(kZUp, kNode), ".dae")), (Points{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}));
  // Without a word the file's y points up, and its z at the viewer.
  const Points y_up{{1, 0, 0}, {0, 0, 2}, {0, -3, 0}};
  EXPECT_EQ(Corners(Read(Collada("", kNode), ".dae")), y_up);
  EXPECT_EQ(Corners(Read(Collada("<up_axis>Y_UP</up_axis>", kNode), ".dae")), y_up);
  EXPECT_EQ(Corners(Read(Collada("<up_axis>X_UP</up_axis>", kNode), ".dae")),
            (Points{{0, 0, 1}, {-2, 0, 0}, {0, -3, 0}}));
  EXPECT_EQ(Corners(Read(Collada("<unit meter='0.5'/>" + kZUp, kNode), ".dae"))[2], Vector3d(0, 0, 1.5));
}

TEST(MeshScene, ColladaTransformsApplyInTheOrderOfTheFile) {
  const TriangleMesh mesh =
      Read(Collada(kZUp,
                   "<node id='a'><translate>10 0 0</translate><rotate>0 0 1 90</rotate><scale>2 2 2</scale>"
                   "<node id='b'><matrix>1 0 0 0  0 1 0 5  0 0 1 0  0 0 0 1</matrix><instance_geometry "
                   "url='#g'/></node>"
                   "</node><node id='c'><instance_node url='#b'/></node>"),
           ".dae");
  ASSERT_EQ(mesh.triangles.size(), 2u);
  // (1,0,0) + (0,5,0), doubled, turned to (-10,2,0), moved.
  EXPECT_LT((Corners(mesh)[0] - Vector3d(0, 2, 0)).norm(), 1e-14);
  EXPECT_EQ(Corners(mesh, 1)[0], Vector3d(1, 5, 0));
  const TriangleMesh mirrored =
      Read(Collada(kZUp, "<node id='a'><scale>1 1 -1</scale><instance_geometry url='#g'/></node>"), ".dae");
  EXPECT_EQ(Corners(mirrored), (Points{{1, 0, 0}, {0, 0, -3}, {0, 2, 0}}));
}

TEST(MeshScene, ColladaPrimitives) {
  const std::string input = "<input semantic='VERTEX' source='#v' offset='0'/>";
  const auto count = [&](const std::string& primitives) {
    return Read(Collada(kZUp, kNode, primitives), ".dae").triangles.size();
  };
  EXPECT_EQ(count("<polylist>" + input + "<vcount>3 3</vcount><p>0 1 2 2 1 0</p></polylist>"), 2u);
  EXPECT_EQ(count("<polygons>" + input + "<p>0 1 2</p><p>0 2 1</p></polygons>"), 2u);
  EXPECT_EQ(count("<tristrips>" + input + "<p>0 1 2 0</p></tristrips>"), 2u);
  EXPECT_EQ(count("<lines>" + input + "<p>0 1</p></lines><triangles>" + input + "<p>0 1 2</p></triangles>"),
            1u);
}

TEST(MeshScene, ColladaErrorsNameTheLine) {
  const std::string input = "<input semantic='VERTEX' source='#v'/>";
  const auto expect = [&](const std::string& text, const std::string& message) {
    const std::string what = SceneFailure(text, ".dae");
    EXPECT_NE(what.find(message), std::string::npos) << what;
    EXPECT_EQ(what.find("/stiction_"), std::string::npos) << what;  // the path is the caller's to tell
  };
  const auto primitives = [&](const std::string& p) {
    return Collada(kZUp, kNode, "\n<triangles>" + input + p + "</triangles>");
  };
  expect(primitives("<p>0 1 3</p>"), "line 3: <p>: index 3 is out of range: there are 3 vertices");
  expect(primitives("<p>0 1 -1</p>"), "\"-1\" is not an index");
  expect(primitives("<p>0 1 2 0</p>"), "whole triangles");
  expect(Collada(kZUp, kNode, "<polylist>" + input + "<vcount>4</vcount><p>0 1 2</p></polylist>"),
         "counts more corners");
  expect(Collada(kZUp, kNode, ""), "no triangles");
  expect(Collada(kZUp, ""), "no triangles");
  expect(Collada(kZUp, "<node><instance_geometry url='other.dae#g'/></node>"),
         "must name something in this file");
  expect(Collada(kZUp, "<node><instance_geometry url='#ghost'/></node>"), "there is no \"#ghost\"");
  expect(Collada(kZUp, "<node id='a'><instance_node url='#a'/></node>"), "in a circle");
  expect(Collada("<unit meter='0'/>", kNode), "must be positive");
  expect(Collada("<up_axis>W_UP</up_axis>", kNode), "must be X_UP");
  expect("<svg/>", "not COLLADA");
  expect("<!DOCTYPE a [<!ENTITY b 'c'>]><COLLADA/>", "entities");
  expect("<COLLADA>", "line 1: ");
  // Each node names the next one twice: 2^40 triangles.
  std::string bomb = "<node id='n40'><instance_geometry url='#g'/></node>";
  for (int i = 39; i >= 0; --i) {
    const std::string next = "<instance_node url='#n" + std::to_string(i + 1) + "'/>";
    bomb += "<node id='n" + std::to_string(i) + "'>" + next + next + "</node>";
  }
  expect(Collada(kZUp, bomb), "more than 100000 nodes");
}

// Nine floats and three indices, little endian.
std::string Buffer() {
  std::string bytes;
  for (const float x : {1.0f, 0.0f, 0.0f, 0.0f, 2.0f, 0.0f, 0.0f, 0.0f, 3.0f})
    bytes.append(reinterpret_cast<const char*>(&x), 4);
  for (const std::uint16_t i : {0, 1, 2}) bytes.append(reinterpret_cast<const char*>(&i), 2);
  return bytes;
}

constexpr const char* kBase64 = "AACAPwAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAEBAAAABAAIA";

std::string Gltf(const std::string& buffer, const std::string& node = "{\"mesh\":0}",
                 const std::string& count = "3", const std::string& more = "") {
  return "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[" + node +
         "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],\"accessors\":["
         "{\"bufferView\":0,\"componentType\":5126,\"count\":" +
         count +
         ",\"type\":\"VEC3\"},"
         "{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}],\"bufferViews\":["
         "{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":6}],\"buffers\":[" +
         buffer + "]" + more + "}";
}

std::string Inline(const std::string& base64 = kBase64) {
  return "{\"byteLength\":42,\"uri\":\"data:application/octet-stream;base64," + base64 + "\"}";
}

TEST(MeshScene, GltfIsTurnedToZUp) {
  const Points expected{{1, 0, 0}, {0, 0, 2}, {0, -3, 0}};
  EXPECT_EQ(Corners(Read(Gltf(Inline()), ".gltf")), expected);
  std::string json = Gltf("{\"byteLength\":42}"), binary = Buffer();
  json.resize((json.size() + 3) / 4 * 4, ' ');
  binary.resize((binary.size() + 3) / 4 * 4, '\0');
  std::string glb = "glTF";
  const auto append = [&](std::uint32_t word) { glb.append(reinterpret_cast<const char*>(&word), 4); };
  append(2), append(static_cast<std::uint32_t>(28 + json.size() + binary.size()));
  append(static_cast<std::uint32_t>(json.size())), append(0x4E4F534A), glb += json;
  append(static_cast<std::uint32_t>(binary.size())), append(0x004E4942), glb += binary;
  EXPECT_EQ(Corners(Read(glb, ".glb")), expected);
  EXPECT_NE(SceneFailure(glb.substr(0, glb.size() - 4), ".glb").find("not a whole .glb file"),
            std::string::npos);
}

TEST(MeshScene, GltfNodesAreTranslatedTurnedAndScaled) {
  const TriangleMesh mesh =
      Read(Gltf(Inline(),
                "{\"children\":[1],\"translation\":[0,0,7]},{\"mesh\":0,\"rotation\":[0,0,0.7071067811865476,"
                "0.7071067811865476],\"scale\":[2,2,2]}"),
           ".gltf");
  // (1,0,0) becomes (0,2,7) in the file's axes.
  EXPECT_LT((Corners(mesh)[0] - Vector3d(0, -7, 2)).norm(), 1e-14);
  const TriangleMesh moved =
      Read(Gltf(Inline(), "{\"mesh\":0,\"matrix\":[1,0,0,0, 0,1,0,0, 0,0,1,0, 4,5,6,1]}"), ".gltf");
  EXPECT_EQ(Corners(moved)[0], Vector3d(5, -6, 5));
}

TEST(MeshScene, GltfBuffersComeFromItsOwnFolderOnly) {
  const fs::path folder = fs::path(::testing::TempDir()) / ("stiction_gltf_" + std::to_string(getpid()));
  fs::create_directories(folder / "in");
  const auto write = [](const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  };
  const auto uri = [](const std::string& name) {
    return Gltf("{\"byteLength\":42,\"uri\":\"" + name + "\"}");
  };
  write(folder / "in" / "a b.bin", Buffer());
  write(folder / "outside.bin", Buffer());
  write(folder / "in" / "good.gltf", uri("a%20b.bin"));
  EXPECT_EQ(ReadMeshFile(folder / "in" / "good.gltf").triangles.size(), 1u);
  for (const std::string name :
       {"../outside.bin", "%2e%2e/outside.bin", "/etc/passwd", "missing.bin", "file:///etc/passwd"}) {
    write(folder / "in" / "bad.gltf", uri(name));
    EXPECT_THROW(ReadMeshFile(folder / "in" / "bad.gltf"), MeshError) << name;
  }
  fs::remove_all(folder);
}

TEST(MeshScene, GltfErrorsSayWhatIsWrong) {
  const auto expect = [&](const std::string& text, const std::string& message) {
    EXPECT_NE(SceneFailure(text, ".gltf").find(message), std::string::npos) << SceneFailure(text, ".gltf");
  };
  expect(Gltf(Inline(), "{\"mesh\":0}", "4"), "an accessor is longer than its buffer view");
  expect(Gltf(Inline(), "{\"mesh\":0}", "9007199254740991"), "an accessor is longer than its buffer view");
  expect(Gltf(Inline(), "{\"mesh\":0}", "-1"), "must be a whole number");
  expect(Gltf(Inline(), "{\"mesh\":0}", "1e30"), "must be a whole number");
  expect(Gltf(Inline(), "{\"mesh\":0}", "2"), "index 2 is out of range: there are 2 vertices");
  expect(Gltf(Inline("AAAA")), "a buffer view is longer than its buffer");
  expect(Gltf(Inline("A?AA")), "not base64");
  expect(Gltf(Inline(), "{\"mesh\":5}"), "there are no meshes 5");
  expect(Gltf(Inline(), "{\"mesh\":0,\"children\":[0]}"), "in a circle");
  expect(Gltf(Inline(), "{}"), "no triangles");
  expect(Gltf(Inline(), "{\"mesh\":0}", "3", ",\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]"),
         "without compression");
  expect("{\"asset\":{\"version\":\"1.0\"}}", "version 2 is read");
  expect("[", "malformed glTF: syntax error");
  expect("{}", "malformed glTF: key 'asset' not found");
  expect(std::string(200'000, '['), "malformed glTF");
}

}  // namespace
}  // namespace stiction
