#include "io/mjcf/writer_assets.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <stdexcept>

#include "io/mesh/format.h"
#include "io/mesh/mesh_file.h"
#include "io/picture_bytes.h"

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

// Equal ones become one; which of them each corner has, none where the mesh has none.
std::vector<int> AppendTextureCorners(const TriangleMesh& mesh, std::string& text) {
  if (mesh.texture_corners.size() != mesh.triangles.size()) return {};
  std::map<std::array<float, 2>, int> index_of;
  std::vector<int> corners;
  for (const TriangleMesh::Corners& triangle : mesh.texture_corners) {
    for (const std::array<float, 2>& point : triangle) {
      const auto [entry, is_new] = index_of.try_emplace(point, static_cast<int>(index_of.size()));
      if (is_new) text += "vt " + ToText(point[0]) + " " + ToText(point[1]) + "\n";
      corners.push_back(entry->second);
    }
  }
  return corners;
}

std::string ToObj(const TriangleMesh& mesh) {
  std::string text;
  text.reserve(64 * mesh.vertices.size() + 24 * mesh.triangles.size());
  for (const Vector3d& p : mesh.vertices)
    text.append("v ").append(ToText(std::span<const double>(p.data(), 3))).append("\n");
  const std::vector<int> corners = AppendTextureCorners(mesh, text);
  const auto corner = [&](std::size_t triangle, std::size_t k) {
    const std::string vertex = std::to_string(mesh.triangles[triangle][k] + 1);
    return corners.empty() ? vertex : vertex + "/" + std::to_string(corners[3 * triangle + k] + 1);
  };
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    text += "f " + corner(t, 0) + " " + corner(t, 1) + " " + corner(t, 2) + "\n";
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

std::string PackTexture(const Texture& texture) {
  const int count = texture.num_pictures();
  ColorPicture picture{count * texture.width, texture.height, {}};
  picture.pixels.reserve(texture.pixels.size());
  const std::ptrdiff_t row = std::ptrdiff_t{4} * texture.width;
  for (int y = 0; y < texture.height; ++y) {
    for (int k = 0; k < count; ++k) {
      const auto begin = texture.pixels.begin() + (std::ptrdiff_t{k} * texture.height + y) * row;
      picture.pixels.insert(picture.pixels.end(), begin, begin + row);
    }
  }
  return MakePng(picture);
}

std::string ClaimAssetName(const std::string& wanted, const char* otherwise, std::set<std::string>& taken) {
  const std::string stem = wanted.empty() ? otherwise : wanted;
  std::string name = stem;
  for (int i = 1; !taken.insert(name).second; ++i) name = stem + "_" + std::to_string(i);
  return name;
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

WrittenMesh AssetWriter::AddMeshPart(const TriangleMesh& mesh, int material, const std::string& wanted) {
  const auto [entry, is_new] = known_parts_.try_emplace({&mesh, material});
  if (!is_new) return entry->second;
  TriangleMesh part{.vertices = mesh.vertices};
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (mesh.material_of[t] != material) continue;
    part.triangles.push_back(mesh.triangles[t]);
    if (!mesh.texture_corners.empty()) part.texture_corners.push_back(mesh.texture_corners[t]);
  }
  try {
    if (!part.triangles.empty()) entry->second.name = Store(part, wanted);
  } catch (const MeshError&) {  // none with three different corners
  }
  return entry->second;
}

std::string AssetWriter::AddTexture(const SharedTexture& texture) {
  if (!texture || texture->pixels.empty()) return "";
  for (const auto& [known, name] : textures_)
    if (known == texture || *known == *texture) return name;
  textures_.emplace_back(texture, ClaimAssetName(texture->name, "texture", texture_names_));
  return textures_.back().second;
}

std::string AssetWriter::AddMaterial(const SharedMaterial& material) {
  if (!material) return "";
  for (const auto& [known, name] : materials_)
    if (known == material || *known == *material) return name;
  AddTexture(material->texture);
  materials_.emplace_back(material, ClaimAssetName(material->name, "material", material_names_));
  return materials_.back().second;
}

// Several names may become one when they lose what file names should not have: the later ones get a number.
std::string AssetWriter::TextureFile(const std::string& name) const {
  std::size_t num_before = 0;
  for (const auto& [texture, other] : textures_) {
    if (other == name) break;
    num_before += ToFileName(other) == ToFileName(name) ? 1 : 0;
  }
  const std::string number = num_before > 0 ? "." + std::to_string(num_before) : "";
  return folder_ + "/" + ToFileName(name) + number + ".png";
}

// The pictures of a cube stand side by side in one file.
void AssetWriter::WriteTexture(const Texture& texture, const std::string& name, Output& section) const {
  Output& element = *section.InsertNewChildElement("texture");
  SetName(element, name);
  const bool is_plane = texture.kind == Texture::Kind::kPlane;
  Set(element, "type", is_plane ? "2d" : texture.kind == Texture::Kind::kSky ? "skybox" : "cube");
  Set(element, "file", TextureFile(name));
  if (is_plane) return;
  Set(element, "gridsize", "1 6");
  Set(element, "gridlayout", "RLUDFB");
}

void AssetWriter::WriteMaterial(const Material& material, const std::string& name, Output& section) const {
  const Material usual;
  Output& element = *section.InsertNewChildElement("material");
  SetName(element, name);
  for (const auto& [texture, texture_name] : textures_)
    if (material.texture && *texture == *material.texture) Set(element, "texture", texture_name);
  if (material.color != usual.color) {
    const Color& c = material.color;
    Set(element, "rgba", ToText(c.r) + " " + ToText(c.g) + " " + ToText(c.b) + " " + ToText(c.a));
  }
  if (material.repeat != usual.repeat)
    Set(element, "texrepeat", ToText(material.repeat[0]) + " " + ToText(material.repeat[1]));
  if (material.is_uniform) Set(element, "texuniform", "true");
  const auto set = [&](const char* attribute, float number, float unless) {
    if (number != unless) Set(element, attribute, ToText(number));
  };
  set("specular", material.specular, usual.specular);
  set("shininess", material.shininess, usual.shininess);
  set("reflectance", material.reflectance, usual.reflectance);
  set("emission", material.emission, usual.emission);
  set("metallic", material.metallic, usual.metallic);
  set("roughness", material.roughness, usual.roughness);
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
  for (const auto& [texture, name] : textures_) WriteTexture(*texture, name, section);
  for (const auto& [material, name] : materials_) WriteMaterial(*material, name, section);
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
  for (const auto& [texture, name] : textures_) files.push_back({TextureFile(name), PackTexture(*texture)});
  return files;
}

}  // namespace stiction::mjcf
