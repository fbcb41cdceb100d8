#include "io/mjcf/writer_assets.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "io/mesh/format.h"
#include "io/mesh/mesh_file.h"

namespace stiction::mjcf {
namespace {

bool ComesBefore(const Vector3d& p, const Vector3d& q) {
  return std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
}

std::vector<Vector3d> Sorted(std::vector<Vector3d> points) {
  std::sort(points.begin(), points.end(), ComesBefore);
  return points;
}

// The convex hull of points whose order does not matter.
TriangleMesh MakePolyhedron(const std::vector<Vector3d>& points) {
  return Triangulate(MakeConvexHull(Sorted(points)));
}

std::string ToObj(const TriangleMesh& mesh) {
  std::string text;
  text.reserve(64 * mesh.vertices.size() + 24 * mesh.triangles.size());
  for (const Vector3d& p : mesh.vertices)
    text.append("v ").append(ToText(std::span<const double>(p.data(), 3))).append("\n");
  for (const auto& [a, b, c] : mesh.triangles) {
    text += "f " + std::to_string(a + 1) + " " + std::to_string(b + 1) + " " + std::to_string(c + 1) + "\n";
  }
  return text;
}

std::string ToFileName(const std::string& name) {
  std::string file = name;
  for (char& c : file) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
    if (!is_plain) c = '_';
  }
  return file;
}

constexpr int kMaxRounds = 10;  // one is enough, but for shapes at the edge of what is a vertex

}  // namespace

// The reader builds the hull of the hull's vertices again, which may find one of them within a face.
WrittenMesh AssetWriter::AddHull(const ConvexHull& hull, const std::string& wanted) {
  const auto [entry, is_new] = known_.try_emplace(&hull);
  if (!is_new) return entry->second;
  WrittenMesh& written = entry->second;
  std::vector<Vector3d> points = hull.vertices;
  TriangleMesh mesh;
  for (int round = 0; round < kMaxRounds; ++round) {
    mesh = MakePolyhedron(points);
    const MeshShape read = MakeMeshShape(mesh_format::JoinVertices(mesh));
    const std::vector<Vector3d>& vertices = read.hull.polytope->vertices;
    const bool is_settled =
        read.p_MG.isZero(0.0) && Sorted(vertices) == Sorted(points) && mesh.vertices.size() == points.size();
    if (is_settled) break;
    written.p_GM += read.p_MG;
    points = vertices;
  }
  written.num_dropped = static_cast<int>(hull.vertices.size() - mesh.vertices.size());
  written.name = Store(mesh, wanted);
  return written;
}

WrittenMesh AssetWriter::AddSurface(const MeshSurface& surface, const std::string& wanted) {
  const auto [entry, is_new] = known_.try_emplace(&surface);
  if (!is_new) return entry->second;
  WrittenMesh& written = entry->second;
  TriangleMesh mesh = surface.mesh;
  if (mesh.triangles.size() > kMaxSurfaceTriangles) {
    throw std::invalid_argument("a surface of " + std::to_string(mesh.triangles.size()) +
                                " triangles has more than the " + std::to_string(kMaxSurfaceTriangles) +
                                " that are read; thin it out");
  }
  for (int round = 0; round < kMaxRounds; ++round) {
    mesh = mesh_format::JoinVertices(mesh);
    const PlacedMesh read = MakeMesh(mesh);
    const TriangleMesh& as_read = read.mesh.surface->mesh;
    if (read.p_MG.isZero(0.0) && as_read.vertices == mesh.vertices && as_read.triangles == mesh.triangles)
      break;
    written.p_GM += read.p_MG;
    mesh = as_read;
  }
  written.name = Store(mesh, wanted);
  return written;
}

WrittenMesh AssetWriter::AddMesh(const TriangleMesh& mesh, const std::string& wanted) {
  const auto [entry, is_new] = known_.try_emplace(&mesh);
  if (!is_new) return entry->second;
  try {
    entry->second.name = Store(mesh, wanted);
  } catch (const MeshError&) {  // no triangles
  }
  return entry->second;
}

std::string AssetWriter::Store(const TriangleMesh& mesh, const std::string& wanted) {
  // In the order in which the reader will have the vertices.
  const auto [entry, is_new] = name_of_text_.try_emplace(ToObj(mesh_format::JoinVertices(mesh)));
  if (!is_new) return entry->second;
  const std::string stem = ToFileName(wanted);
  std::string name = stem;
  for (int i = 1; text_of_name_.contains(name); ++i) name = stem + "_" + std::to_string(i);
  entry->second = name;
  // MuJoCo wants a volume, also of what is only looked at, unless the mesh says that it is a shell.
  constexpr double kLeastVolume = 1e-14;
  if (!(CalcSolidMeasure(mesh, MeshSolid::kLegacy) > kLeastVolume)) flat_.insert(name);
  names_.push_back(name);
  text_of_name_.emplace(name, entry->first);
  return name;
}

void AssetWriter::Write(Output& section) const {
  for (const std::string& name : names_) {
    Output& mesh = *section.InsertNewChildElement("mesh");
    SetName(mesh, name);
    Set(mesh, "file", folder_ + "/" + name + ".obj");
    if (flat_.contains(name)) Set(mesh, "inertia", "shell");
  }
}

std::vector<MjcfAsset> AssetWriter::TakeFiles() {
  std::vector<MjcfAsset> files;
  for (const std::string& name : names_)
    files.push_back({folder_ + "/" + name + ".obj", std::move(text_of_name_.at(name))});
  return files;
}

}  // namespace stiction::mjcf
