// Mesh files of every format: geometry as written, and an error that says what is wrong.
#include "io/mesh/mesh_file.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <random>

#include "tests/io/temporary_file.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

const std::string kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

TriangleMesh ReadText(std::string_view text, std::string_view extension) {
  const TemporaryFile file(text, extension);
  return ReadMeshFile(file.path());
}

// What reading fails with; empty if it does not.
std::string Failure(std::string_view text, std::string_view extension) {
  try {
    ReadText(text, extension);
  } catch (const MeshError& error) {
    return error.what();
  }
  return "";
}

template <typename T>
void Append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Binary STL with a header of 80 blanks, or beginning with `header`.
std::string BinaryStl(const TriangleMesh& mesh, std::string header = "") {
  header.resize(80, ' ');
  Append(header, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& triangle : mesh.triangles) {
    // A normal that is not a number must not matter.
    for (int i = 0; i < 3; ++i) Append(header, std::numeric_limits<float>::quiet_NaN());
    for (const int corner : triangle) {
      for (const double x : mesh.vertices[corner]) Append(header, static_cast<float>(x));
    }
    Append(header, std::uint16_t{0});
  }
  return header;
}

// In the order of the triangles' corners, so that the order of the vertices does not matter.
void ExpectSameTriangles(const TriangleMesh& a, const TriangleMesh& b) {
  ASSERT_EQ(a.triangles.size(), b.triangles.size());
  EXPECT_EQ(a.vertices.size(), b.vertices.size());
  for (size_t t = 0; t < a.triangles.size(); ++t) {
    for (int c = 0; c < 3; ++c) EXPECT_EQ(a.vertices[a.triangles[t][c]], b.vertices[b.triangles[t][c]]);
  }
}

TEST(MeshFile, ObjKeepsDoublePrecision) {
  const TriangleMesh mesh = ReadText("v 0.1 1e-17 3.141592653589793\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", ".obj");
  EXPECT_EQ(mesh.vertices[0], Vector3d(0.1, 1e-17, 3.141592653589793));
}

TEST(MeshFile, ObjCornersMayBeWrittenInAnyWay) {
  const TriangleMesh plain = ReadText(kTetrahedron, ".obj");
  ASSERT_EQ(plain.triangles.size(), 4u);
  ExpectSameTriangles(plain,
                      ReadText("# c\r\nmtllib ../../etc/passwd\r\no x\r\nv 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\n"
                               "v 0 0 1 1.0 0.5 0.5\r\nvt 0 0\r\nvn 0 0 1\r\nusemtl m\r\ns off\r\n"
                               "f 1/1 3/1 2/1 # c\r\nf 1//1 2//1 \\\r\n4//1\r\nf -4/1/1 -1/1/1 -2/1/1\r\n"
                               "f 2 3 4",
                               ".OBJ"));
  // Faces may come before their vertices.
  ExpectSameTriangles(
      plain, ReadText("f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n", ".obj"));
}

TEST(MeshFile, PolygonsBecomeTriangles) {
  // A kite: the diagonal from 2 to 4 is the shorter one.
  const TriangleMesh kite = ReadText("v 0 0 0\nv 2 -1 0\nv 9 0 0\nv 2 1 0\nf 1 2 3 4\n", ".obj");
  ASSERT_EQ(kite.triangles.size(), 2u);
  EXPECT_EQ(kite.triangles[0], (std::array<int, 3>{0, 1, 2}));
  EXPECT_EQ(kite.vertices[0], Vector3d(2, -1, 0));
  EXPECT_EQ(kite.vertices[2], Vector3d(2, 1, 0));
  const TriangleMesh hexagon =
      ReadText("v 2 0 0\nv 1 2 0\nv -1 2 0\nv -2 0 0\nv -1 -2 0\nv 1 -2 0\nf 1 2 3 4 5 6\n", ".obj");
  EXPECT_EQ(hexagon.triangles.size(), 4u);
}

TEST(MeshFile, VerticesAreJoinedWhereTheyAreEqual) {
  const TriangleMesh mesh = ReadText(
      "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv -0 0 0\nv 0 1 0\nv 0 0 1\nf 2 3 4\nf 5 6 7\nf 2 5 3\n", ".obj");
  EXPECT_EQ(mesh.vertices.size(), 4u);   // the first is unused
  EXPECT_EQ(mesh.triangles.size(), 2u);  // the last has only two corners
  EXPECT_EQ(mesh.triangles[1], (std::array<int, 3>{0, 2, 3}));
}

TEST(MeshFile, BinaryAndTextStlAgree) {
  const TriangleMesh mesh = ReadText(kTetrahedron, ".obj");
  ExpectSameTriangles(mesh, ReadText(BinaryStl(mesh), ".stl"));
  ExpectSameTriangles(mesh, ReadText(BinaryStl(mesh, "solid exported by a CAD program"), ".STL"));
  std::string text = " solid two words\n";
  for (const auto& triangle : mesh.triangles) {
    text += "  FACET NORMAL nan nan nan\n outer loop\n";
    for (const int c : triangle) {
      for (const double x : {0.0}) text += "vertex " + std::to_string(mesh.vertices[c].x() + x) + " ";
      text += std::to_string(mesh.vertices[c].y()) + " " + std::to_string(mesh.vertices[c].z()) + "\n";
    }
    text += " endloop\n endfacet\n";
  }
  ExpectSameTriangles(mesh, ReadText(text + "endsolid two words\n", ".stl"));
}

TEST(MeshFile, StlErrorsSayWhatIsWrong) {
  const TriangleMesh mesh = ReadText(kTetrahedron, ".obj");
  const std::string good = BinaryStl(mesh);
  EXPECT_NE(Failure(good + "x", ".stl").find("counts 4 triangles, which is 284 bytes, but it has 285"),
            std::string::npos);
  EXPECT_NE(Failure(good.substr(0, 200), ".stl").find("it has 200"), std::string::npos);
  std::string huge = good;
  huge.replace(80, 4, "\xff\xff\xff\xff");
  EXPECT_NE(Failure(huge, ".stl").find("4294967295"), std::string::npos);
  EXPECT_NE(Failure(BinaryStl(TriangleMesh{}), ".stl").find("no triangles"), std::string::npos);
  EXPECT_NE(Failure("v 0 0 0\n", ".stl").find("not STL"), std::string::npos);
  TriangleMesh infinite = mesh;
  infinite.vertices[3].z() = std::numeric_limits<double>::infinity();
  EXPECT_NE(Failure(BinaryStl(infinite), ".stl").find("triangle 1: not a finite number"), std::string::npos);
  EXPECT_NE(Failure("solid\nfacet normal 0 0 0\nouter loop\nvertex 0 x 0", ".stl")
                .find("line 4: \"x\" is not a number"),
            std::string::npos);
  EXPECT_NE(Failure("solid\nfacet normal 0 0 0\nouter loop\nvertex 0 0", ".stl").find("truncated"),
            std::string::npos);
  EXPECT_NE(Failure("solid\nfacet normal 0 0 0\ninner loop", ".stl")
                .find("line 3: expected \"outer\", found \"inner\""),
            std::string::npos);
  EXPECT_NE(Failure("solid a\n", ".stl").find("endsolid"), std::string::npos);
}

TEST(MeshFile, ObjErrorsNameTheLine) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const auto expect = [&](const std::string& lines, const std::string& message) {
    EXPECT_NE(Failure(points + lines, ".obj").find(message), std::string::npos)
        << lines << Failure(points + lines, ".obj");
  };
  expect("f 1 2 9\n", "line 4: face index 9 is out of range: there are 3 vertices");
  expect("f 0 1 2\n", "line 4: face index 0; indices of OBJ files start at 1");
  expect("\n\nf -1 -2 -4\n", "line 6: face index -4 is out of range");
  expect("f 1 2\n", "line 4: a face needs three or more vertices");
  expect("f 1 2 x\n", "line 4: \"x\" is not a face index");
  expect("f 1 2 99999999999999999999\n", "line 4: face index \"99999999999999999999\" is out of range");
  expect("f 1 2 2147483648\n", "out of range");
  expect("v 1 2\n", "line 4: a vertex needs three numbers");
  expect("v 1 2 nan\n", "line 4: \"nan\" is not a finite number");
  expect("v 1 2 1e999\n", "line 4: \"1e999\" is not a finite number");
  expect("v 1 2 0x3\n", "line 4: \"0x3\" is not a number");
  expect("f 1 \\\n2 3\nf 1 2 9\n", "line 6: face index 9");
  expect(std::string("\0", 1), "binary");
}

TEST(MeshFile, MshHoldsVerticesAndFaces) {
  std::string bytes;
  for (const std::int32_t count : {4, 1, 1, 4}) Append(bytes, count);
  for (const float x : {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) Append(bytes, x);
  for (int i = 0; i < 5; ++i) Append(bytes, 0.0f);
  for (const std::int32_t i : {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}) Append(bytes, i);
  ExpectSameTriangles(ReadText(kTetrahedron, ".obj"), ReadText(bytes, ".msh"));
  EXPECT_NE(Failure(bytes.substr(0, 100), ".msh").find("but it has 100"), std::string::npos);
  EXPECT_NE(Failure(bytes.substr(0, 10), ".msh").find("header"), std::string::npos);
  std::string wild = bytes;
  wild[wild.size() - 1] = '\x7f';
  EXPECT_NE(Failure(wild, ".msh").find("face 3: index"), std::string::npos);
  std::string many = bytes;
  for (int i = 0; i < 4; ++i) many.replace(4 * i, 4, "\xff\xff\xff\x7f");
  EXPECT_NE(Failure(many, ".msh").find("94489280484"), std::string::npos);
}

TEST(MeshFile, FilesThatAreNoMeshes) {
  EXPECT_EQ(Failure("", ".stl"), "the file is empty");
  EXPECT_NE(
      Failure("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", ".dae").find("git lfs pull"),
      std::string::npos);
  EXPECT_NE(Failure("ISO-10303-21;", ".step").find("unknown mesh format \".step\""), std::string::npos);
  EXPECT_NE(Failure("<COLLADA/>", ".gltf"), "");
  EXPECT_NE(Failure("{}", ".dae"), "");
  EXPECT_NE(Failure("{}", ".glb"), "");
  EXPECT_THROW(ReadMeshFile("/nonexistent/mesh.stl"), MeshError);
  EXPECT_THROW(ReadMeshFile("/"), MeshError);
  EXPECT_THROW(ReadMeshFile("/dev/zero"), MeshError);
}

TEST(MeshFile, ScaleKeepsTheWindingOutward) {
  const TriangleMesh mesh = ReadText(kTetrahedron, ".obj");
  const auto volume = [](const TriangleMesh& m) {
    double sum = 0.0;
    for (const auto& [a, b, c] : m.triangles)
      sum += m.vertices[a].cross(m.vertices[b]).dot(m.vertices[c]) / 6.0;
    return sum;
  };
  EXPECT_NEAR(volume(mesh), 1.0 / 6.0, 1e-16);
  EXPECT_NEAR(volume(Scale(mesh, {2, -3, 0.5})), 0.5, 1e-15);
  EXPECT_NEAR(volume(Scale(mesh, {-1, -1, 2})), 1.0 / 3.0, 1e-15);
  EXPECT_THROW(Scale(mesh, {1, 0, 1}), MeshError);
  EXPECT_THROW(Scale(mesh, {1, std::nan(""), 1}), MeshError);
}

}  // namespace
}  // namespace stiction
