#include "io/urdf/mesh.h"

#include "io/mesh/note.h"
#include "stiction/geometry/convex_hull.h"

namespace stiction::urdf {
namespace {

Vector3d ReadScale(xml::Element& mesh) {
  Vector3d scale = Vector3d::Ones();
  mesh.Read("scale", scale);
  if ((scale.array() == 0.0).any()) mesh.Fail("scale", "a scale of 0 flattens the mesh");
  return scale;
}

// Says what the collision shape has that the mesh has not.
void NoteFilling(const MeshShape& shape, bool is_declared_convex, xml::Element& mesh) {
  if (!is_declared_convex) return NoteMeshShape(shape, "collision", mesh);
  mesh.Note(ImportStatus::kHonoured, "convex hull of " +
                                         std::to_string(shape.hull.polytope->vertices.size()) +
                                         " vertices, as drake:declare_convex asks");
}

}  // namespace

bool ReadConcave(xml::Element& element, bool inherited) {
  std::string word;
  if (!element.ReadWord("concave", {"yes", "true", "no", "false"}, word)) return inherited;
  return word == "yes" || word == "true";
}

MeshSource::MeshSource(const std::string& path, const LoadOptions& options)
    : paths_(std::filesystem::path(path).parent_path(), options.package_paths),
      skips_missing_(options.repairs.skip_missing_meshes) {}

std::filesystem::path MeshSource::Resolve(const std::string& written) const {
  try {
    return paths_.Resolve(written);
  } catch (const PathError&) {
    if (fallback_.empty()) throw;
    const std::filesystem::path name = std::filesystem::path(written).filename();
    try {
      return paths_.Resolve((std::filesystem::path(fallback_) / name).generic_string());
    } catch (const PathError&) {
    }
    throw;
  }
}

void MeshSource::RefuseOrSkip(xml::Element& mesh, const std::string& problem) const {
  if (!skips_missing_)
    mesh.Fail("filename", problem + "; --missing-mesh skip (ModelRepairs::skip_missing_meshes) does without");
  mesh.Note(ImportStatus::kIgnored, "left out: " + problem);
  mesh.Note("filename", ImportStatus::kIgnored, "see the element", ImportLoss::kHarmless);
}

Shape MeshSource::FindHull(const Key& key, const Vector3d& scale, xml::Element& mesh, Vector3d& p_MG) {
  auto found = loaded_.find(key);
  if (found != loaded_.end()) {
    ++num_hits_;
  } else {
    found = loaded_.emplace(key, LoadMeshShape(std::get<0>(key), scale)).first;
  }
  NoteFilling(found->second, mesh.FindChild("drake:declare_convex") != nullptr, mesh);
  p_MG = found->second.p_MG;
  return found->second.hull;
}

Shape MeshSource::FindSurface(const Key& key, const Vector3d& scale, xml::Element& mesh, Vector3d& p_MG) {
  if (mesh.FindChild("drake:declare_convex"))
    mesh.Fail("is said to be concave and, by drake:declare_convex, convex; remove one of the two");
  auto found = surfaces_.find(key);
  if (found != surfaces_.end()) {
    ++num_hits_;
  } else {
    found = surfaces_.emplace(key, LoadMeshSurface(std::get<0>(key), scale)).first;
  }
  NoteMeshSurface(*found->second.mesh.surface, mesh);
  p_MG = found->second.p_MG;
  return found->second.mesh;
}

std::optional<Shape> MeshSource::ReadCollisionMesh(xml::Element& mesh, bool is_concave, Vector3d& p_MG) {
  const std::string written = mesh.RequireString("filename");
  const Vector3d scale = ReadScale(mesh);
  is_concave = ReadConcave(mesh, is_concave);
  std::filesystem::path path;
  try {
    path = Resolve(written);
    const Key key(path.string(), scale.x(), scale.y(), scale.z());
    return is_concave ? FindSurface(key, scale, mesh, p_MG) : FindHull(key, scale, mesh, p_MG);
  } catch (const PathError& error) {
    RefuseOrSkip(mesh, error.what());
  } catch (const MeshError& error) {
    RefuseOrSkip(mesh, path.string() + ": " + error.what());
  }
  return std::nullopt;
}

MeshSource::VisualMesh MeshSource::ReadTriangles(const std::filesystem::path& path, const Vector3d& scale) {
  try {
    looks_.TakeProblems();
    VisualMesh read{std::make_shared<const TriangleMesh>(Scale(ReadMeshFile(path, &looks_), scale))};
    for (const std::string& problem : looks_.TakeProblems())
      read.looks_problems += (read.looks_problems.empty() ? "" : "; ") + problem;
    return read;
  } catch (const MeshError& error) {
    return {nullptr, path.string() + ": " + error.what()};
  }
}

SharedMesh MeshSource::ReadVisualMesh(xml::Element& mesh) {
  const std::string written = mesh.RequireString("filename");
  const Vector3d scale = ReadScale(mesh);
  try {
    const std::filesystem::path path = Resolve(written);
    const Key key(path.string(), scale.x(), scale.y(), scale.z());
    auto found = seen_.find(key);
    if (found != seen_.end()) {
      ++num_hits_;
    } else {
      found = seen_.emplace(key, ReadTriangles(path, scale)).first;
    }
    if (!found->second.triangles) mesh.Fail("filename", found->second.problem);
    if (!found->second.looks_problems.empty())
      mesh.Note(ImportStatus::kApproximated,
                "drawn without some of its looks: " + found->second.looks_problems, ImportLoss::kHarmless);
    return found->second.triangles;
  } catch (const PathError& error) {
    mesh.Fail("filename", error.what());
  }
}

SharedTexture MeshSource::ReadTexture(xml::Element& texture) {
  texture.Visit();
  std::string written;
  if (!texture.Read("filename", written) || written.empty()) return nullptr;
  std::string problem;
  try {
    const std::filesystem::path path = Resolve(written);
    looks_.TakeProblems();
    if (const SharedTexture read = looks_.ReadTexture(path.parent_path(), path.filename().string()))
      return read;
    for (const std::string& each : looks_.TakeProblems()) problem = each;
  } catch (const PathError& error) {
    problem = error.what();
  }
  texture.Note("filename", ImportStatus::kIgnored, "cannot be shown: " + problem, ImportLoss::kHarmless);
  return nullptr;
}

std::string MeshSource::FindProblem(const xml::Element& mesh) const {
  const std::string* written = mesh.Peek("filename");
  if (!written) return "";
  try {
    Resolve(*written);
    return "";
  } catch (const PathError& error) {
    return error.what();
  }
}

}  // namespace stiction::urdf
