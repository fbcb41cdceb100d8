// STL: triangles, each with its three corners. Normals are passed over; the winding says the same.
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "io/mesh/format.h"

namespace stiction::mesh_format {
namespace {

static_assert(std::endian::native == std::endian::little, "binary STL and MSH are little endian");

// 80 bytes of comment, a count, then 50 bytes per triangle: normal and corners as twelve floats, two unused.
constexpr size_t kHeaderBytes = 84, kTriangleBytes = 50;

std::uint32_t ClaimedTriangles(std::string_view bytes) {
  std::uint32_t count;
  std::memcpy(&count, bytes.data() + 80, sizeof count);
  return count;
}

TriangleMesh ReadBinary(std::string_view bytes) {
  const std::uint32_t count = ClaimedTriangles(bytes);
  TriangleMesh mesh;
  mesh.vertices.reserve(3 * size_t{count});
  mesh.triangles.reserve(count);
  for (std::uint32_t t = 0; t < count; ++t) {
    float corners[9];
    std::memcpy(corners, bytes.data() + kHeaderBytes + kTriangleBytes * t + 12, sizeof corners);
    for (const float x : corners) {
      if (!std::isfinite(x)) throw MeshError("triangle " + std::to_string(t) + ": not a finite number");
    }
    const int first = static_cast<int>(mesh.vertices.size());
    for (int c = 0; c < 3; ++c)
      mesh.vertices.emplace_back(corners[3 * c], corners[3 * c + 1], corners[3 * c + 2]);
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

// Words of the text with the line on which each stands.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  // Empty at the end of the text.
  std::string_view Next() {
    while (true) {
      const std::string_view token = NextToken(line_);
      if (!token.empty()) return token;
      if (rest_.empty()) return {};
      NextLine();
    }
  }
  void Expect(const char* keyword) {
    const std::string_view token = Next();
    if (token.empty())
      FailAt(number_, std::string("the file ends where \"") + keyword + "\" should follow; it is truncated");
    if (!Equal(token, keyword))
      FailAt(number_, std::string("expected \"") + keyword + "\", found " + Quote(token));
  }
  void NextLine() {
    const size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
  }
  int line() const { return number_; }

  static bool Equal(std::string_view token, std::string_view keyword) {
    return std::equal(token.begin(), token.end(), keyword.begin(), keyword.end(),
                      [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
  }

 private:
  std::string_view rest_, line_;
  int number_ = 0;
};

Vector3d ReadVertex(Words& words) {
  words.Expect("vertex");
  Vector3d p;
  for (double& x : p) {
    const std::string_view token = words.Next();
    if (token.empty()) FailAt(words.line(), "the file ends inside a vertex; it is truncated");
    x = ParseCoordinate(token, words.line());
  }
  return p;
}

void ReadFacet(Words& words, TriangleMesh& mesh) {
  words.Expect("normal");
  for (int i = 0; i < 3; ++i) words.Next();
  words.Expect("outer");
  words.Expect("loop");
  const int first = static_cast<int>(mesh.vertices.size());
  for (int c = 0; c < 3; ++c) mesh.vertices.push_back(ReadVertex(words));
  words.Expect("endloop");
  words.Expect("endfacet");
  mesh.triangles.push_back({first, first + 1, first + 2});
}

// solid NAME { facet normal x y z  outer loop  3 x { vertex x y z }  endloop  endfacet }  endsolid NAME
TriangleMesh ReadText(std::string_view text) {
  TriangleMesh mesh;
  Words words(text);
  bool inside = false;
  while (true) {
    const std::string_view token = words.Next();
    if (token.empty()) break;
    if (!inside && Words::Equal(token, "solid")) {
      inside = true;
      words.NextLine();  // past the name
    } else if (inside && Words::Equal(token, "facet")) {
      ReadFacet(words, mesh);
    } else if (inside && Words::Equal(token, "endsolid")) {
      inside = false;
      words.NextLine();
    } else {
      FailAt(words.line(),
             "expected \"" + std::string(inside ? "facet" : "solid") + "\", found " + Quote(token));
    }
  }
  if (inside) FailAt(words.line(), "the file ends without \"endsolid\"; it is truncated");
  return mesh;
}

}  // namespace

void CheckSurfaceFile(const std::filesystem::path& path) {
  if (LowerExtension(path) != ".stl") return;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::string head(kHeaderBytes, '\0');
  if (error || !std::ifstream(path, std::ios::binary).read(head.data(), kHeaderBytes)) return;
  const std::uint32_t count = ClaimedTriangles(head);
  if (size == kHeaderBytes + kTriangleBytes * count) CheckSurfaceTriangles(count);
}

TriangleMesh ReadStl(std::string_view bytes) {
  const bool has_header = bytes.size() >= kHeaderBytes;
  if (has_header && bytes.size() == kHeaderBytes + kTriangleBytes * ClaimedTriangles(bytes))
    return JoinVertices(ReadBinary(bytes));
  std::string_view start = bytes.substr(0, 200);
  while (!start.empty() && std::isspace(static_cast<unsigned char>(start.front()))) start.remove_prefix(1);
  const bool is_text = Words::Equal(start.substr(0, 5), "solid") && bytes.find('\0') == bytes.npos;
  if (is_text) return JoinVertices(ReadText(bytes));
  if (!has_header) {
    throw MeshError(
        "not STL: neither text, which begins with \"solid\", nor binary, which has at least 84 bytes; "
        "this file has " +
        std::to_string(bytes.size()));
  }
  const std::uint32_t count = ClaimedTriangles(bytes);
  throw MeshError("not a whole STL file: its header counts " + std::to_string(count) +
                  " triangles, which is " + std::to_string(kHeaderBytes + kTriangleBytes * count) +
                  " bytes, but it has " + std::to_string(bytes.size()) + "; export it again");
}

}  // namespace stiction::mesh_format
