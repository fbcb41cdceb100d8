#include "io/mjcf/mesh.h"

#include <cmath>

#include "io/mesh/format.h"
#include "io/mjcf/builtin_mesh.h"
#include "io/mjcf/orientation.h"
#include "io/mjcf/output.h"
#include "io/model_path.h"
#include "stiction/math/rotation.h"

namespace stiction::mjcf {

namespace fs = std::filesystem;

std::string AssetName(const xml::Element& element) {
  if (const std::string* name = element.Peek("name")) return *name;
  const std::string* file = element.Peek("file");
  return file ? fs::path(*file).stem().string() : "";
}

fs::path FindAssetFile(const xml::Element& element, std::string_view attribute, const std::string& written,
                       const fs::path& main_folder, const std::string& directory, const Compiler& compiler) {
  const fs::path name = compiler.strip_path ? fs::path(written).filename() : fs::path(written);
  const fs::path folder(directory);
  if (folder.is_absolute()) {
    element.Fail(attribute, "the compiler's folder \"" + directory +
                                "\" is an absolute path; only files in the model's folder are opened");
  }
  // Paths begin at the main file; files that are included elsewhere, too, often mean their own folder.
  const fs::path own = fs::path(element.file()).parent_path();
  std::error_code error;
  if (!fs::exists(main_folder / folder / name, error) && fs::exists(own / folder / name, error)) {
    return ResolveModelPath(own, (folder / name).generic_string(), element);
  }
  return ResolveModelPath(main_folder, (folder / name).generic_string(), element);
}

void ReadMeshSpec(xml::Element& element, MeshSpec& spec) {
  element.Visit();
  if (element.Read("scale", spec.scale) && (spec.scale.array() == 0.0).any()) {
    element.Fail("scale", "a scale of 0 flattens the mesh");
  }
  std::string word;
  if (element.ReadWord("inertia", {"convex", "exact", "legacy", "shell"}, word)) {
    spec.solid = word == "convex"  ? MeshSolid::kConvex
                 : word == "exact" ? MeshSolid::kExact
                 : word == "shell" ? MeshSolid::kShell
                                   : MeshSolid::kLegacy;
  }
  int vertices = -1;
  if (element.Read("maxhullvert", vertices) && vertices >= 0) {
    element.Note("maxhullvert", ImportStatus::kIgnored, "the hull keeps all of its vertices",
                 ImportLoss::kHarmless);
  }
}

MeshAsset::MeshAsset(xml::Element& element, const MeshSpec& defaults, const fs::path& main_folder,
                     const Compiler& compiler, const std::shared_ptr<MeshMemory>& memory, bool skips_missing)
    : element_(&element), memory_(memory), spec_(defaults) {
  ReadMeshSpec(element, spec_);
  if (!spec_.solid && compiler.exact_mesh_inertia) spec_.solid = MeshSolid::kExact;
  std::string unused;
  element.Read("name", unused);
  element.Read("refpos", X_FR_.p);
  double quat[4];
  if (element.ReadNumbers("refquat", 4, 4, quat)) {
    const Quaterniond q(quat[0], quat[1], quat[2], quat[3]);
    if (!(q.norm() > 1e-10)) element.Fail("refquat", "the quaternion has zero length");
    X_FR_.R = q.normalized().toRotationMatrix();
  }
  std::string file;
  if (element.Read("file", file)) {
    try {
      path_ = FindAssetFile(element, "file", file, main_folder, compiler.mesh_dir, compiler);
    } catch (const LoadError& error) {
      if (!skips_missing)
        element.Fail(error.message() +
                     "; --missing-mesh skip (ModelRepairs::skip_missing_meshes) does without");
      failure_ = error;
      element.Note("file", ImportStatus::kIgnored, error.message());
    }
  } else if (element.Has("builtin") && *element.Peek("builtin") != "none") {
    inline_ = MakeBuiltinMesh(element);
  } else if (element.Has("vertex")) {
    ReadInline(element);
  } else {
    element.Fail("names no file, has no vertices and no builtin; plugins are not run");
  }
}

void MeshAsset::ReadInline(xml::Element& element) {
  const std::vector<double> numbers = element.ReadList("vertex");
  if (numbers.size() % 3 != 0 || numbers.size() < 12) {
    element.Fail("vertex", "vertex needs three numbers for each of at least 4 vertices, got " +
                               std::to_string(numbers.size()));
  }
  for (std::size_t i = 0; i < numbers.size(); i += 3) inline_.vertices.emplace_back(numbers.data() + i);
  const std::vector<double> faces = element.ReadList("face");
  if (faces.size() % 3 != 0) element.Fail("face", "face needs three vertices for each triangle");
  for (std::size_t i = 0; i < faces.size(); i += 3) {
    std::array<int, 3> triangle;
    for (int k = 0; k < 3; ++k) {
      const double index = faces[i + k];
      if (!(index >= 0.0 && index < static_cast<double>(inline_.vertices.size())) ||
          index != std::floor(index)) {
        element.Fail("face", "triangle " + std::to_string(i / 3) + " names vertex " + ToText(index) + " of " +
                                 std::to_string(inline_.vertices.size()) + "; they count from 0");
      }
      triangle[k] = static_cast<int>(index);
    }
    inline_.triangles.push_back(triangle);
  }
}

const SharedMesh& MeshAsset::Mesh() {
  if (failure_) throw *failure_;
  if (mesh_) memory_->CountHit();
  try {
    if (!mesh_) mesh_ = std::make_shared<const TriangleMesh>(ReadTriangles());
  } catch (const LoadError& error) {
    failure_ = error;
    throw;
  }
  return mesh_;
}

TriangleMesh MeshAsset::ReadTriangles() const {
  try {
    TriangleMesh mesh = path_.empty() ? inline_ : memory_->Read(path_);
    const RigidTransform X_RF = X_FR_.Inverse();
    for (Vector3d& p : mesh.vertices) p = X_RF * p;
    mesh = Scale(std::move(mesh), spec_.scale);
    // Vertices alone stand for their hull.
    if (mesh.triangles.empty()) {
      const ConvexHull hull = MakeConvexHull(mesh.vertices);
      mesh = TriangleMesh{hull.vertices, {}};
      for (const ConvexHull::Face& face : hull.faces) {
        const auto loop = hull.VerticesOf(face);
        for (std::size_t k = 1; k + 1 < loop.size(); ++k)
          mesh.triangles.push_back({loop[0], loop[k], loop[k + 1]});
      }
    }
    return mesh;
  } catch (const MeshError& error) {
    element_->Fail("file", path_.empty() ? error.what() : path_.string() + ": " + error.what());
  } catch (const std::invalid_argument& error) {
    element_->Fail(error.what());
  }
}

const PlacedMesh& MeshAsset::Surface() {
  if (surface_) {
    memory_->CountHit();
    return *surface_;
  }
  try {
    if (!mesh_ && !path_.empty()) mesh_format::CheckSurfaceFile(path_);
    surface_ = MakeMeshSurface(*Mesh());
  } catch (const MeshError& error) {
    element_->Fail(path_.empty() ? error.what() : path_.string() + ": " + error.what());
  }
  return *surface_;
}

MeshAsset::Solid MeshAsset::FindSolid(bool is_concave) {
  if (!is_concave) return {Mesh(), spec_.solid.value_or(MeshSolid::kLegacy)};
  const MeshSurface& surface = *Surface().mesh.surface;
  Solid solid{Mesh(), spec_.solid.value_or(surface.is_closed ? MeshSolid::kExact : MeshSolid::kLegacy)};
  solid.is_estimate = !spec_.solid && !surface.is_closed;
  if (surface.was_turned) {
    auto turned = std::make_shared<TriangleMesh>(*solid.mesh);
    for (auto& triangle : turned->triangles) std::swap(triangle[1], triangle[2]);
    solid.mesh = std::move(turned);
  }
  return solid;
}

const MeshShape& MeshAsset::CollisionShape() {
  if (shape_) {
    memory_->CountHit();
    return *shape_;
  }
  const bool is_as_filed = !path_.empty() && X_FR_.p.isZero(0.0) && X_FR_.R.isIdentity(0.0);
  try {
    shape_ = is_as_filed ? memory_->LoadShape(path_, spec_.scale) : MakeMeshShape(*Mesh());
  } catch (const MeshError& error) {
    element_->Fail(path_.empty() ? error.what() : path_.string() + ": " + error.what());
  }
  return *shape_;
}

}  // namespace stiction::mjcf
