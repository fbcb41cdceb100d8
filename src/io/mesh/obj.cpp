// Wavefront OBJ: the lines "v x y z" and "f i j k ...", whose corners may be written i, i/t, i//n or i/t/n.
// Indices start at 1; negative ones count back from the last vertex before the face.
#include <charconv>
#include <cstdint>

#include "io/mesh/format.h"

namespace stiction::mesh_format {
namespace {

class ObjReader {
 public:
  explicit ObjReader(std::string_view text) : rest_(text) {}

  TriangleMesh Read() {
    while (!rest_.empty()) {
      std::string_view line = TakeLine();
      const std::string_view keyword = NextToken(line);
      if (keyword == "v") {
        ReadVertex(line);
      } else if (keyword == "f") {
        ReadFace(line);
      }
    }
    // Some exporters write faces before vertices, so that only the end shows what exists.
    if (highest_ >= static_cast<int>(mesh_.vertices.size())) FailRange(highest_ + 1, highest_line_);
    return std::move(mesh_);
  }

 private:
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
    while (true) {
      const std::string_view token = NextToken(line);
      if (token.empty() || token.starts_with('#')) break;
      corners_.push_back(ParseIndex(token));
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

  void Triangulate() {
    const int n = static_cast<int>(corners_.size());
    const bool is_known = highest_ < static_cast<int>(mesh_.vertices.size());
    if (n == 4 && is_known) {
      const auto distance = [&](int i, int j) {
        return (mesh_.vertices[corners_[i]] - mesh_.vertices[corners_[j]]).squaredNorm();
      };
      if (distance(1, 3) < distance(0, 2))
        std::rotate(corners_.begin(), corners_.begin() + 1, corners_.end());
    }
    for (int i = 2; i < n; ++i) mesh_.triangles.push_back({corners_[0], corners_[i - 1], corners_[i]});
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
  std::vector<int> corners_;
  int highest_ = -1, highest_line_ = 0;  // the highest index from zero, and where it stands
};

}  // namespace

TriangleMesh ReadObj(std::string_view bytes) {
  if (bytes.find('\0') != bytes.npos) throw MeshError("not an OBJ file: it holds binary data");
  return JoinVertices(ObjReader(bytes).Read());
}

}  // namespace stiction::mesh_format
