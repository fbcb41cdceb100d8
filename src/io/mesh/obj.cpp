// Wavefront OBJ: the lines "v x y z" and "f i j k ...", whose corners may be written i, i/t, i//n or i/t/n.
// Indices start at 1; negative ones count back from the last vertex before the face. Looks: "vt", "mtllib",
// "usemtl".
#include <charconv>
#include <cstdint>
#include <map>

#include "io/mesh/format.h"
#include "io/mesh/mtl.h"

namespace stiction::mesh_format {
namespace {

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::filesystem::path& folder, MeshLooks* looks)
      : rest_(text), folder_(folder), looks_(looks) {}

  TriangleMesh Read() {
    while (!rest_.empty()) {
      std::string_view line = TakeLine();
      const std::string_view keyword = NextToken(line);
      if (keyword == "v") {
        ReadVertex(line);
      } else if (keyword == "f") {
        ReadFace(line);
      } else if (looks_) {
        ReadLook(keyword, line);
      }
    }
    // Some exporters write faces before vertices, so that only the end shows what exists.
    if (highest_ >= static_cast<int>(mesh_.vertices.size())) FailRange(highest_ + 1, highest_line_);
    if (looks_) FinishLooks();
    return std::move(mesh_);
  }

 private:
  // Names may hold blanks. Several libraries may stand in one line.
  void ReadLook(std::string_view keyword, std::string_view line) {
    if (keyword == "vt") {
      std::array<float, 2> corner{};
      for (float& x : corner) {
        const std::string_view token = NextToken(line);
        if (!token.empty()) x = static_cast<float>(ParseCoordinate(token, line_number_));
      }
      texture_points_.push_back(corner);
    } else if (looks_->reads_materials() && keyword == "mtllib") {
      for (std::string_view name; !(name = NextToken(line)).empty();)
        ReadMtl(folder_, std::string(name), *looks_, materials_);
    } else if (looks_->reads_materials() && keyword == "usemtl") {
      UseMaterial(std::string(NextToken(line)));
    }
  }

  void UseMaterial(const std::string& name) {
    const auto found = materials_.find(name);
    if (found == materials_.end()) {
      material_ = -1;
      return;
    }
    const auto [entry, is_new] =
        index_of_material_.try_emplace(name, static_cast<int>(mesh_.materials.size()));
    if (is_new) mesh_.materials.push_back(found->second);
    material_ = entry->second;
  }

  // Only now is it known which points there are.
  void FinishLooks() {
    const int count = static_cast<int>(texture_points_.size());
    bool has_all = count > 0;
    for (const std::array<int, 3>& triangle : texture_triangles_)
      for (const int corner : triangle) has_all &= corner >= 0 && corner < count;
    if (has_all) {
      for (const auto& [a, b, c] : texture_triangles_)
        mesh_.texture_corners.push_back({texture_points_[a], texture_points_[b], texture_points_[c]});
    }
    if (mesh_.materials.empty()) mesh_.material_of.clear();
  }

  // A backslash at the end of a line continues it on the next.
  std::string_view TakeLine() {
    line_number_ += 1 + continuations_;
    continuations_ = 0;
    joined_.clear();
    while (true) {
      const size_t end = std::min(rest_.find('\n'), rest_.size());
      std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      const bool continues = line.ends_with('\\') && !rest_.empty();
      if (!continues && continuations_ == 0) return line;
      if (line.ends_with('\\')) line.remove_suffix(1);
      joined_.append(line).append(" ");
      if (!continues) return joined_;
      ++continuations_;
    }
  }

  // A fourth number (weight) and colours may follow.
  void ReadVertex(std::string_view line) {
    Vector3d p;
    for (double& x : p) {
      const std::string_view token = NextToken(line);
      if (token.empty()) FailAt(line_number_, "a vertex needs three numbers");
      x = ParseCoordinate(token, line_number_);
    }
    mesh_.vertices.push_back(p);
  }

  void ReadFace(std::string_view line) {
    corners_.clear();
    texture_corners_.clear();
    while (true) {
      const std::string_view token = NextToken(line);
      if (token.empty() || token.starts_with('#')) break;
      corners_.push_back(ParseIndex(token));
      if (looks_) texture_corners_.push_back(ParseTextureIndex(token));
    }
    if (corners_.size() < 3) FailAt(line_number_, "a face needs three or more vertices");
    Triangulate();
  }

  int ParseIndex(std::string_view token) {
    const std::string_view digits = token.substr(0, token.find('/'));
    std::int64_t index = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (error == std::errc::result_out_of_range)
      FailAt(line_number_, "face index " + Quote(digits) + " is out of range");
    if (error != std::errc() || stop != digits.data() + digits.size())
      FailAt(line_number_, Quote(token) + " is not a face index");
    if (index == 0) FailAt(line_number_, "face index 0; indices of OBJ files start at 1");
    const std::int64_t count = static_cast<std::int64_t>(mesh_.vertices.size());
    if (index < -count || index > kMaxVertices) FailRange(index, line_number_);
    const int from_zero = static_cast<int>(index > 0 ? index - 1 : count + index);
    if (from_zero > highest_) highest_ = from_zero, highest_line_ = line_number_;
    return from_zero;
  }

  // -1: there is none.
  int ParseTextureIndex(std::string_view token) const {
    const std::size_t slash = token.find('/');
    if (slash == token.npos) return -1;
    const std::string_view digits = token.substr(slash + 1, token.find('/', slash + 1) - slash - 1);
    std::int64_t index = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    const std::int64_t from_zero =
        index > 0 ? index - 1 : static_cast<std::int64_t>(texture_points_.size()) + index;
    const bool is_good = error == std::errc() && index != 0 && from_zero >= 0 && from_zero <= kMaxVertices;
    return is_good ? static_cast<int>(from_zero) : -1;
  }

  void Triangulate() {
    const int n = static_cast<int>(corners_.size());
    const bool is_known = highest_ < static_cast<int>(mesh_.vertices.size());
    if (n == 4 && is_known) {
      const auto distance = [&](int i, int j) {
        return (mesh_.vertices[corners_[i]] - mesh_.vertices[corners_[j]]).squaredNorm();
      };
      if (distance(1, 3) < distance(0, 2)) {
        std::rotate(corners_.begin(), corners_.begin() + 1, corners_.end());
        if (looks_)
          std::rotate(texture_corners_.begin(), texture_corners_.begin() + 1, texture_corners_.end());
      }
    }
    for (int i = 2; i < n; ++i) {
      mesh_.triangles.push_back({corners_[0], corners_[i - 1], corners_[i]});
      if (!looks_) continue;
      texture_triangles_.push_back({texture_corners_[0], texture_corners_[i - 1], texture_corners_[i]});
      mesh_.material_of.push_back(material_);
    }
  }

  [[noreturn]] void FailRange(std::int64_t index, int line) {
    FailAt(line, "face index " + std::to_string(index) + " is out of range: there are " +
                     std::to_string(mesh_.vertices.size()) + " vertices");
  }

  static constexpr std::int64_t kMaxVertices = 1 << 30;
  std::string_view rest_;
  std::string joined_;
  int line_number_ = 0, continuations_ = 0;
  TriangleMesh mesh_;
  std::vector<int> corners_, texture_corners_;
  std::filesystem::path folder_;
  MeshLooks* looks_;
  std::vector<std::array<float, 2>> texture_points_;
  std::vector<std::array<int, 3>> texture_triangles_;
  std::map<std::string, SharedMaterial> materials_;
  std::map<std::string, int> index_of_material_;
  int material_ = -1;                    // of the faces that follow
  int highest_ = -1, highest_line_ = 0;  // the highest index from zero, and where it stands
};

}  // namespace

TriangleMesh ReadObj(std::string_view bytes, const std::filesystem::path& folder, MeshLooks* looks) {
  if (bytes.find('\0') != bytes.npos) throw MeshError("not an OBJ file: it holds binary data");
  return JoinVertices(ObjReader(bytes, folder, looks).Read());
}

}  // namespace stiction::mesh_format
