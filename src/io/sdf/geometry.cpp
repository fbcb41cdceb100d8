#include "io/sdf/geometry.h"

#include <Eigen/Geometry>

#include "io/mesh/note.h"
#include "io/sdf/values.h"
#include "stiction/math/rotation.h"

namespace stiction::sdformat {
namespace {

constexpr const char* kDoWithout = "; --missing-mesh skip (ModelRepairs::skip_missing_meshes) does without";

bool IsSolid(const xml::Element& geometry) {
  return geometry.FindChild("cone") || geometry.FindChild("polyline") || geometry.FindChild("heightmap");
}

double RequireSize(const xml::Element& shape, std::string_view name) {
  double size = 0.0;
  if (!ReadChild(shape, name, size)) shape.Fail("has no <" + std::string(name) + ">");
  if (!(size > 0.0)) shape.FindChild(name)->Fail(std::string(name) + " must be positive");
  return size;
}

Vector3d RequireSizes(const xml::Element& shape, std::string_view name) {
  Vector3d sizes = Vector3d::Zero();
  if (!ReadChild(shape, name, sizes)) shape.Fail("has no <" + std::string(name) + ">");
  if (!(sizes.minCoeff() > 0.0))
    shape.FindChild(name)->Fail("every number of " + std::string(name) + " must be positive");
  return sizes;
}

// Endless here, whatever its size.
Plane ReadPlane(const xml::Element& plane, RigidTransform& X_LP) {
  Vector3d normal = Vector3d::UnitZ();
  ReadChild(plane, "normal", normal);
  if (!(normal.norm() > 1e-10)) plane.FindChild("normal")->Fail("the normal has zero length");
  X_LP.R = X_LP.R * Quaterniond::FromTwoVectors(Vector3d::UnitZ(), normal.normalized()).toRotationMatrix();
  NoteChild(plane, "size", ImportStatus::kHonoured, "planes are endless");
  return {};
}

std::optional<Shape> ReadPrimitiveShape(const xml::Element& geometry, RigidTransform& X_LP) {
  if (const xml::Element* box = geometry.FindChild("box")) return Box{0.5 * RequireSizes(*box, "size")};
  if (const xml::Element* sphere = geometry.FindChild("sphere"))
    return Sphere{RequireSize(*sphere, "radius")};
  if (const xml::Element* cylinder = geometry.FindChild("cylinder"))
    return Cylinder{RequireSize(*cylinder, "radius"), 0.5 * RequireSize(*cylinder, "length")};
  if (const xml::Element* capsule = geometry.FindChild("capsule"))
    return Capsule{RequireSize(*capsule, "radius"), 0.5 * RequireSize(*capsule, "length")};
  if (const xml::Element* ellipsoid = geometry.FindChild("ellipsoid"))
    return Ellipsoid{RequireSizes(*ellipsoid, "radii")};
  if (const xml::Element* plane = geometry.FindChild("plane")) return ReadPlane(*plane, X_LP);
  return std::nullopt;
}

const xml::Element& RequireGeometry(const xml::Element& part) {
  const xml::Element* geometry = part.FindChild("geometry");
  if (!geometry) part.Fail("has no <geometry>");
  if (geometry->children().empty())
    geometry->Fail(
        "is empty; write a box, sphere, cylinder, capsule, ellipsoid, cone, plane, mesh, "
        "polyline or heightmap");
  return *geometry;
}

Vector3d ReadMeshScale(xml::Element& mesh) {
  Vector3d scale = Vector3d::Ones();
  ReadChild(mesh, "scale", scale);
  if ((scale.array() == 0.0).any()) mesh.FindChild("scale")->Fail("a scale of 0 flattens the mesh");
  NoteChild(mesh, "submesh", ImportStatus::kIgnored, "all of the file is taken");
  return scale;
}

xml::Element& RequireUri(xml::Element& mesh) {
  xml::Element* uri = mesh.FindChild("uri");
  if (!uri || uri->text().empty()) mesh.Fail("has no <uri>");
  return *uri;
}

}  // namespace

std::optional<PlacedShape> GeometryReader::ReadHeightMap(xml::Element& heightmap) {
  xml::Element& uri = RequireUri(heightmap);
  std::string problem;
  std::filesystem::path path;
  try {
    path = paths_.FindMesh(uri.text(), heightmap);
    return MakeHeightMap(heightmap, path);
  } catch (const PathError& error) {
    problem = error.what();
  } catch (const MeshError& error) {
    problem = path.string() + ": " + error.what();
  }
  if (!repairs_.skip_missing_meshes) uri.Fail(problem + kDoWithout);
  heightmap.Note(ImportStatus::kIgnored, "left out: " + problem);
  return std::nullopt;
}

std::optional<Shape> GeometryReader::ReadSolid(const xml::Element& geometry, RigidTransform& X_LP) {
  std::optional<PlacedShape> solid;
  if (xml::Element* cone = geometry.FindChild("cone")) solid = MakeCone(*cone);
  if (geometry.FindChild("polyline")) solid = MakeExtrusion(geometry);
  if (xml::Element* heightmap = geometry.FindChild("heightmap")) solid = ReadHeightMap(*heightmap);
  if (!solid) return std::nullopt;
  X_LP.p = X_LP * solid->p;
  return solid->shape;
}

std::optional<Shape> GeometryReader::ReadHull(xml::Element& mesh, RigidTransform& X_LP) {
  const Vector3d scale = ReadMeshScale(mesh);
  xml::Element& uri = RequireUri(mesh);
  std::string problem;
  std::filesystem::path path;
  try {
    path = paths_.FindMesh(uri.text(), mesh);
    const MeshShape& shape = memory_.LoadShape(path, scale);
    NoteMeshShape(shape, "collision", mesh);
    X_LP.p = X_LP * shape.p_MG;
    return shape.hull;
  } catch (const PathError& error) {
    problem = error.what();
  } catch (const MeshError& error) {
    problem = path.string() + ": " + error.what();
  }
  if (!repairs_.skip_missing_meshes) uri.Fail(problem + kDoWithout);
  mesh.Note(ImportStatus::kIgnored, "left out: " + problem);
  return std::nullopt;
}

std::optional<Shape> GeometryReader::ReadCollision(xml::Element& collision, RigidTransform& X_LP) {
  collision.Visit();
  const xml::Element& geometry = RequireGeometry(collision);
  if (geometry.FindChild("empty")) return std::nullopt;
  if (const std::optional<Shape> shape = ReadPrimitiveShape(geometry, X_LP)) return shape;
  if (xml::Element* mesh = geometry.FindChild("mesh")) return ReadHull(*mesh, X_LP);
  if (IsSolid(geometry)) return ReadSolid(geometry, X_LP);
  collision.Note(ImportStatus::kIgnored,
                 "a shape that this engine does not have: <" + geometry.children().front()->name() + ">");
  return std::nullopt;
}

SharedMesh GeometryReader::ReadTriangles(xml::Element& mesh) {
  const Vector3d scale = ReadMeshScale(mesh);
  xml::Element& uri = RequireUri(mesh);
  std::filesystem::path path;
  try {
    path = paths_.FindMesh(uri.text(), mesh);
    SharedMesh& triangles = seen_[{path.string(), scale.x(), scale.y(), scale.z()}];
    if (triangles) ++num_hits_;
    if (!triangles) triangles = std::make_shared<const TriangleMesh>(Scale(memory_.Read(path), scale));
    return triangles;
  } catch (const PathError& error) {
    uri.Fail(error.what());
  } catch (const MeshError& error) {
    uri.Fail(path.string() + ": " + error.what());
  }
}

std::optional<std::variant<Shape, SharedMesh>> GeometryReader::ReadVisual(xml::Element& visual,
                                                                          RigidTransform& X_LP) {
  const xml::Element& geometry = RequireGeometry(visual);
  if (const std::optional<Shape> shape = ReadPrimitiveShape(geometry, X_LP)) return *shape;
  if (xml::Element* mesh = geometry.FindChild("mesh")) return ReadTriangles(*mesh);
  if (const std::optional<Shape> shape = ReadSolid(geometry, X_LP)) return *shape;
  return std::nullopt;
}

}  // namespace stiction::sdformat
