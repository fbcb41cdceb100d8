#include "io/mesh/cache.h"

#include <unistd.h>

#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <type_traits>

namespace stiction::mesh_cache {
namespace {

namespace fs = std::filesystem;

// To be raised when the entry's layout, the readers or the hull's algorithm change their results.
constexpr std::uint32_t kFormat = 2;
constexpr std::string_view kMagic = "STICHULL";
constexpr size_t kMaxBytes = 128u << 20;
constexpr size_t kChecksumBytes = 16;

// Empty: no cache.
fs::path Folder() {
  if (const char* folder = std::getenv("STICTION_CACHE_DIR")) return folder;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache) return fs::path(cache) / "stiction";
  if (const char* home = std::getenv("HOME"); home && *home) return fs::path(home) / ".cache" / "stiction";
  return {};
}

std::uint64_t Mix(std::uint64_t h) {
  h = (h ^ (h >> 32)) * 0xD6E8FEB86659FD93u;
  h = (h ^ (h >> 32)) * 0xD6E8FEB86659FD93u;
  return h ^ (h >> 32);
}

class Writer {
 public:
  template <typename T>
  void Put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void Put(const Vector3d& v) { PutArray(v.data(), 3); }
  void Put(const Matrix3d& m) { PutArray(m.data(), 9); }
  void Put(const ConvexHull::Face& face) {
    Put(face.normal);
    Put(face.offset);
    Put(face.first_vertex);
    Put(face.num_vertices);
  }
  template <typename T>
  void Put(const std::vector<T>& values) {
    Put(static_cast<std::uint64_t>(values.size()));
    for (const T& value : values) Put(value);
  }
  std::string& bytes() { return bytes_; }

 private:
  void PutArray(const double* values, int count) {
    for (int i = 0; i < count; ++i) Put(values[i]);
  }
  std::string bytes_;
};

// Mirrors Writer. ok() turns false where the bytes run out, and stays so.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  void Get(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (rest_.size() < sizeof value) ok_ = false;
    if (!ok_) return;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
  }
  void Get(Vector3d& v) { GetArray(v.data(), 3); }
  void Get(Matrix3d& m) { GetArray(m.data(), 9); }
  void Get(ConvexHull::Face& face) {
    Get(face.normal);
    Get(face.offset);
    Get(face.first_vertex);
    Get(face.num_vertices);
  }
  template <typename T>
  void Get(std::vector<T>& values) {
    std::uint64_t size = 0;
    Get(size);
    if (size > rest_.size()) ok_ = false;  // an element takes a byte at least
    if (!ok_) return;
    values.resize(size);
    for (T& value : values) Get(value);
  }
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

 private:
  void GetArray(double* values, int count) {
    for (int i = 0; i < count; ++i) Get(values[i]);
  }
  std::string_view rest_;
  bool ok_ = true;
};

// One visit for both directions. The binding names every member, so that a new one does not compile until it
// is stored, too.
template <typename Visitor, typename Polytope>
void VisitHull(Visitor&& visit, Polytope& hull) {
  auto& [vertices, faces, face_vertices, edges, first_neighbor, neighbors, first_face, vertex_faces, lower,
         upper, radius, thickness, unit_density] = hull;
  visit(vertices);
  visit(faces);
  visit(face_vertices);
  visit(edges);
  visit(first_neighbor);
  visit(neighbors);
  visit(first_face);
  visit(vertex_faces);
  visit(lower);
  visit(upper);
  visit(radius);
  visit(thickness);
  visit(unit_density.mass);
  visit(unit_density.p_BBcm);
  visit(unit_density.I_BBcm_B);
}

bool InRange(const std::vector<int>& indices, size_t size) {
  for (const int index : indices) {
    if (index < 0 || static_cast<size_t>(index) >= size) return false;
  }
  return true;
}

// Rows [first[i], first[i + 1]) of a table, one per vertex.
bool IsRowIndex(const std::vector<int>& first, size_t rows, size_t size) {
  if (first.size() != rows + 1 || first.front() != 0 || static_cast<size_t>(first.back()) != size)
    return false;
  return std::is_sorted(first.begin(), first.end());
}

// No index leads out of its table, whatever was stored.
bool IsSound(const ConvexHull& hull) {
  const size_t nv = hull.vertices.size(), nf = hull.faces.size();
  for (const ConvexHull::Face& face : hull.faces) {
    if (face.first_vertex < 0 || face.num_vertices < 3) return false;
    if (static_cast<size_t>(face.first_vertex) + face.num_vertices > hull.face_vertices.size()) return false;
  }
  for (const ConvexHull::Edge& edge : hull.edges) {
    if (!InRange({edge.vertex[0], edge.vertex[1]}, nv) || !InRange({edge.face[0], edge.face[1]}, nf))
      return false;
  }
  return nv >= 4 && InRange(hull.face_vertices, nv) && InRange(hull.neighbors, nv) &&
         InRange(hull.vertex_faces, nf) && IsRowIndex(hull.first_neighbor, nv, hull.neighbors.size()) &&
         IsRowIndex(hull.first_face, nv, hull.vertex_faces.size());
}

std::string Checksum(std::string_view bytes) {
  Hash hash;
  hash.Add(bytes);
  const auto words = hash.Finish();
  return {reinterpret_cast<const char*>(words.data()), sizeof words};
}

std::string Encode(const MeshShape& shape) {
  Writer writer;
  writer.bytes() = kMagic;
  writer.Put(kFormat);
  VisitHull([&](const auto& member) { writer.Put(member); }, *shape.hull.polytope);
  writer.Put(shape.p_MG);
  writer.Put(shape.mesh_volume);
  writer.Put(shape.is_closed);
  return std::move(writer.bytes());
}

std::optional<MeshShape> Decode(std::string_view content) {
  if (!content.starts_with(kMagic)) return std::nullopt;
  Reader reader(content.substr(kMagic.size()));
  std::uint32_t format = 0;
  reader.Get(format);
  if (format != kFormat) return std::nullopt;
  auto hull = std::make_shared<ConvexHull>();
  MeshShape shape;
  VisitHull([&](auto& member) { reader.Get(member); }, *hull);
  reader.Get(shape.p_MG);
  reader.Get(shape.mesh_volume);
  unsigned char is_closed = 0;
  reader.Get(is_closed);
  if (!reader.ok() || !reader.at_end() || !IsSound(*hull)) return std::nullopt;
  shape.is_closed = is_closed != 0;
  shape.hull.polytope = std::move(hull);
  return shape;
}

}  // namespace

void Hash::AddWord(std::uint64_t word) {
  a_ = std::rotl((a_ ^ word) * 0x9E3779B97F4A7C15u, 29);
  b_ = std::rotl((b_ + word) * 0xC2B2AE3D27D4EB4Fu, 31) ^ a_;
}

void Hash::Add(std::string_view bytes) {
  AddWord(bytes.size());
  for (; !bytes.empty(); bytes.remove_prefix(std::min<size_t>(bytes.size(), 8))) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), std::min<size_t>(bytes.size(), 8));
    AddWord(word);
  }
}

std::array<std::uint64_t, 2> Hash::Finish() const {
  return {Mix(a_ ^ std::rotl(b_, 17)), Mix(b_ + 0x165667B19E3779F9u * a_)};
}

std::string EntryName(std::string_view bytes, const Vector3d& numbers, std::string_view kind) {
  Hash hash;
  hash.Add(bytes);
  hash.Add({reinterpret_cast<const char*>(numbers.data()), 3 * sizeof(double)});
  hash.Add(std::to_string(kFormat));
  const auto words = hash.Finish();
  char name[48];
  std::snprintf(name, sizeof name, "%016llx%016llx.", static_cast<unsigned long long>(words[0]),
                static_cast<unsigned long long>(words[1]));
  return name + std::string(kind);
}

// The content is followed by its checksum.
std::optional<std::string> FindBytes(const std::string& entry) {
  const fs::path folder = Folder();
  if (folder.empty()) return std::nullopt;
  std::error_code error;
  const std::uintmax_t size = fs::file_size(folder / entry, error);
  if (error || size > kMaxBytes || size < kChecksumBytes) return std::nullopt;
  std::string bytes(size, '\0');
  std::ifstream file(folder / entry, std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) return std::nullopt;
  const std::string checksum = bytes.substr(size - kChecksumBytes);
  bytes.resize(size - kChecksumBytes);
  if (checksum != Checksum(bytes)) return std::nullopt;
  return bytes;
}

void StoreBytes(const std::string& entry, std::string_view content) {
  const fs::path folder = Folder();
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return;
  static std::atomic<unsigned> count = 0;
  const fs::path temporary =
      folder / (entry + "." + std::to_string(getpid()) + "." + std::to_string(count++) + ".tmp");
  std::ofstream file(temporary, std::ios::binary);
  file << content << Checksum(content);
  file.close();
  if (file) fs::rename(temporary, folder / entry, error);
  if (!file || error) fs::remove(temporary, error);
}

std::optional<MeshShape> Find(const std::string& entry) {
  const std::optional<std::string> content = FindBytes(entry);
  return content ? Decode(*content) : std::nullopt;
}

void Store(const std::string& entry, const MeshShape& shape) {
  StoreBytes(entry, Encode(shape));
}

}  // namespace stiction::mesh_cache
