// glTF 2.0, as .gltf (JSON with buffers beside it or inside) and .glb (one binary file): positions and
// triangles of the default scene, y up. Skins, morph targets and animations are passed over. Looks: the first
// texture coordinates, and of materials the base colour, its picture, metallic, roughness and emission.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "io/json_file.h"
#include "io/mesh/scene.h"
#include "io/package_path.h"

namespace stiction::mesh_format {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// A whole number in [0, 2^53); `otherwise` where the key is absent.
std::int64_t ReadInt(const Json& object, const char* key, std::optional<std::int64_t> otherwise = {}) {
  const auto found = object.find(key);
  if (found == object.end()) {
    if (otherwise) return *otherwise;
    throw MeshError(std::string("malformed glTF: \"") + key + "\" is missing");
  }
  constexpr std::int64_t kMax = std::int64_t{1} << 53;
  const bool is_whole = found->is_number_unsigned() && found->get<std::uint64_t>() < kMax;
  if (!is_whole)
    throw MeshError(std::string("malformed glTF: \"") + key +
                    "\" must be a whole number that is not negative");
  return found->get<std::int64_t>();
}

double ReadFinite(const Json& number) {
  const double value = number.is_number() ? number.get<double>() : std::numeric_limits<double>::quiet_NaN();
  if (!std::isfinite(value)) throw MeshError("malformed glTF: a transformation needs finite numbers");
  return value;
}

// data[index] of one of the file's lists.
const Json& At(const Json& document, const char* list, std::int64_t index) {
  const auto found = document.find(list);
  if (found == document.end() || !found->is_array() || index >= static_cast<std::int64_t>(found->size())) {
    throw MeshError(std::string("malformed glTF: there are no ") + list + " " + std::to_string(index));
  }
  const Json& object = (*found)[static_cast<size_t>(index)];
  if (!object.is_object()) throw MeshError(std::string("malformed glTF: ") + list + " must hold objects");
  return object;
}

std::string DecodeBase64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int num_bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (value < 0) throw MeshError("malformed glTF: a buffer is not base64");
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    num_bits += 6;
    if (num_bits >= 8) bytes += static_cast<char>(bits >> (num_bits -= 8) & 0xFF);
  }
  return bytes;
}

std::string DecodePercent(const std::string& uri) {
  std::string decoded;
  for (size_t i = 0; i < uri.size(); ++i) {
    const bool is_code = uri[i] == '%' && i + 2 < uri.size() &&
                         std::isxdigit(static_cast<unsigned char>(uri[i + 1])) &&
                         std::isxdigit(static_cast<unsigned char>(uri[i + 2]));
    decoded += is_code ? static_cast<char>(std::stoi(uri.substr(i + 1, 2), nullptr, 16)) : uri[i];
    if (is_code) i += 2;
  }
  return decoded;
}

// The JSON and the binary chunk of a .glb file: magic, version and length, then chunks of length, type,
// bytes.
std::pair<std::string_view, std::string_view> SplitChunks(std::string_view bytes) {
  const auto word = [&](size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  if (bytes.size() < 20 || !bytes.starts_with("glTF")) throw MeshError("not a .glb file");
  if (word(4) != 2) throw MeshError("glTF version " + std::to_string(word(4)) + "; version 2 is read");
  if (word(8) != bytes.size()) {
    throw MeshError("not a whole .glb file: its header says " + std::to_string(word(8)) +
                    " bytes, but it has " + std::to_string(bytes.size()));
  }
  constexpr std::uint32_t kJson = 0x4E4F534A, kBinary = 0x004E4942;
  std::string_view json, binary;
  for (size_t at = 12; at + 8 <= bytes.size();) {
    const std::uint32_t length = word(at), type = word(at + 4);
    if (length > bytes.size() - at - 8) throw MeshError("malformed glTF: a chunk is longer than the file");
    if (type == kJson && json.empty()) json = bytes.substr(at + 8, length);
    if (type == kBinary && binary.empty()) binary = bytes.substr(at + 8, length);
    at += 8 + size_t{length};
  }
  return {json, binary};
}

class GltfReader {
 public:
  GltfReader(const fs::path& path, const Json& document, std::string_view binary, MeshLooks* looks)
      : path_(path), document_(document), binary_(binary), looks_(looks) {
    const auto buffers = document.find("buffers");
    buffers_.resize(buffers == document.end() ? 0 : buffers->size());
  }

  TriangleMesh Read() {
    CheckExtensions();
    Placement z_up;
    z_up.A << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    const Json& scene = At(document_, "scenes", ReadInt(document_, "scene", 0));
    for (const Json& node : scene.value("nodes", Json::array())) AppendNode(Index(node), z_up, 1);
    return scene_.TakeMesh();
  }

 private:
  static std::int64_t Index(const Json& value) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<std::int32_t>::max())
      throw MeshError("malformed glTF: an index must be a whole number that is not negative");
    return value.get<std::int64_t>();
  }

  // Those that store geometry in another way; the others are about appearance.
  void CheckExtensions() const {
    for (const Json& name : document_.value("extensionsRequired", Json::array())) {
      for (const char* encoding :
           {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_mesh_quantization"}) {
        if (name == encoding)
          throw MeshError("needs " + std::string(encoding) + "; export the mesh without compression");
      }
    }
  }

  void AppendNode(std::int64_t index, const Placement& parent, int depth) {
    scene_.CountNode(depth);
    const Json& node = At(document_, "nodes", index);
    const Placement X = parent * ReadPlacement(node);
    if (node.contains("mesh")) {
      const Json& mesh = At(document_, "meshes", ReadInt(node, "mesh"));
      for (const Json& primitive : mesh.value("primitives", Json::array())) AppendPrimitive(primitive, X);
    }
    for (const Json& child : node.value("children", Json::array())) AppendNode(Index(child), X, depth + 1);
  }

  // A matrix by columns, or translation, rotation (x, y, z, w) and scale.
  static Placement ReadPlacement(const Json& node) {
    const auto read = [&](const char* key, size_t n, double* values) {
      const auto found = node.find(key);
      if (found == node.end()) return false;
      if (!found->is_array() || found->size() != n)
        throw MeshError(std::string("malformed glTF: \"") + key + "\" has the wrong length");
      for (size_t i = 0; i < n; ++i) values[i] = ReadFinite((*found)[i]);
      return true;
    };
    Eigen::Matrix4d columns;
    Placement X;
    if (read("matrix", 16, columns.data())) {
      X.A = columns.topLeftCorner<3, 3>();
      X.b = columns.topRightCorner<3, 1>();
      return X;
    }
    read("translation", 3, X.b.data());
    Vector3d scale = Vector3d::Ones();
    read("scale", 3, scale.data());
    Eigen::Vector4d xyzw(0, 0, 0, 1);
    read("rotation", 4, xyzw.data());
    if (!(xyzw.norm() > 0.0)) throw MeshError("malformed glTF: a rotation has zero length");
    X.A = Eigen::Quaterniond(xyzw.normalized().eval()).toRotationMatrix() * scale.asDiagonal();
    return X;
  }

  void AppendPrimitive(const Json& primitive, const Placement& X) {
    constexpr std::int64_t kTriangles = 4, kStrip = 5, kFan = 6;
    const std::int64_t mode = ReadInt(primitive, "mode", kTriangles);
    if (mode < kTriangles || mode > kFan) return;  // points and lines
    TriangleMesh mesh;
    mesh.vertices = ReadPositions(ReadInt(primitive.at("attributes"), "POSITION"));
    const std::vector<int> corners = ReadCorners(primitive, static_cast<int>(mesh.vertices.size()));
    if (mode == kStrip) AppendStrip(corners, mesh);
    if (mode == kFan) AppendFan(corners, mesh);
    if (mode == kTriangles) {
      if (corners.size() % 3 != 0) throw MeshError("malformed glTF: the corners do not make whole triangles");
      for (size_t i = 0; i < corners.size(); i += 3) AppendFan(std::span(corners).subspan(i, 3), mesh);
    }
    if (looks_) AddLooks(primitive, mesh);
    scene_.Append(X, mesh);
  }

  // What is wrong with them is said, and the mesh goes without.
  void AddLooks(const Json& primitive, TriangleMesh& mesh) {
    try {
      if (primitive.at("attributes").contains("TEXCOORD_0")) {
        const auto points = ReadTexturePoints(ReadInt(primitive["attributes"], "TEXCOORD_0"));
        if (points.size() == mesh.vertices.size())
          for (const auto& [a, b, c] : mesh.triangles)
            mesh.texture_corners.push_back({points[a], points[b], points[c]});
      }
      if (!looks_->reads_materials() || !primitive.contains("material")) return;
      const std::int64_t index = ReadInt(primitive, "material");
      const auto [entry, is_new] = materials_.try_emplace(index);
      if (is_new) entry->second = ReadMaterial(At(document_, "materials", index));
      mesh.materials = {entry->second};
      mesh.material_of.assign(mesh.triangles.size(), 0);
    } catch (const MeshError& error) {
      looks_->AddProblem(std::string("its looks: ") + error.what());
    } catch (const Json::exception& error) {
      looks_->AddProblem("its looks: malformed glTF: " + PlainMessage(error.what()));
    }
  }

  // From glTF's upper left corner to the lower left one. Integers are shares of their largest.
  std::vector<std::array<float, 2>> ReadTexturePoints(std::int64_t accessor) {
    const Json& object = At(document_, "accessors", accessor);
    const Accessor view = FindElements(object, "VEC2", {{kFloat, 8}, {kShort, 4}, {kByte, 2}});
    std::vector<std::array<float, 2>> points(view.count);
    for (size_t i = 0; i < view.count; ++i) {
      const char* at = view.first + i * view.stride;
      for (size_t k = 0; k < 2; ++k) {
        float value = 0.0f;
        std::uint16_t wide = 0;
        if (view.size == 8) std::memcpy(&value, at + 4 * k, 4);
        if (view.size == 4) std::memcpy(&wide, at + 2 * k, 2), value = static_cast<float>(wide) / 65535.0f;
        if (view.size == 2) value = static_cast<float>(static_cast<unsigned char>(at[k])) / 255.0f;
        if (!std::isfinite(value)) throw MeshError("a texture coordinate is not a finite number");
        points[i][k] = k == 0 ? value : 1.0f - value;
      }
    }
    return points;
  }

  // glTF's colours are those of light; ours, and those of all other files, are encoded for the eye.
  static float EncodeForEye(double linear) {
    const double x = std::clamp(linear, 0.0, 1.0);
    return static_cast<float>(x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1.0 / 2.4) - 0.055);
  }

  SharedMaterial ReadMaterial(const Json& object) {
    Material material;
    material.name = object.value("name", "");
    material.metallic = 1.0f;
    material.roughness = 1.0f;
    if (const auto found = object.find("pbrMetallicRoughness"); found != object.end()) {
      const Json& pbr = *found;
      if (const auto factor = pbr.find("baseColorFactor"); factor != pbr.end() && factor->size() == 4) {
        material.color = {EncodeForEye(ReadFinite((*factor)[0])), EncodeForEye(ReadFinite((*factor)[1])),
                          EncodeForEye(ReadFinite((*factor)[2])), 1.0f};
        if (object.value("alphaMode", "OPAQUE") == "BLEND")
          material.color.a = static_cast<float>(std::clamp(ReadFinite((*factor)[3]), 0.0, 1.0));
      }
      material.metallic = static_cast<float>(std::clamp(pbr.value("metallicFactor", 1.0), 0.0, 1.0));
      material.roughness = static_cast<float>(std::clamp(pbr.value("roughnessFactor", 1.0), 0.0, 1.0));
      // A picture of both, which is not drawn: most of what has one is no mirror.
      if (pbr.contains("metallicRoughnessTexture")) material.metallic = 0.0f, material.roughness = 0.6f;
      if (const auto texture = pbr.find("baseColorTexture"); texture != pbr.end())
        material.texture = ReadImage(ReadInt(*texture, "index"));
    }
    if (const auto factor = object.find("emissiveFactor");
        factor != object.end() && !object.contains("emissiveTexture"))
      for (const Json& part : *factor)
        material.emission = std::max(material.emission, static_cast<float>(ReadFinite(part)));
    return std::make_shared<const Material>(std::move(material));
  }

  // Of a texture; null where it is in a format that is not read.
  SharedTexture ReadImage(std::int64_t texture) {
    const Json& object = At(document_, "textures", texture);
    if (!object.contains("source")) {
      looks_->AddProblem("its texture " + std::to_string(texture) + " is in a format that is not read");
      return nullptr;
    }
    const Json& image = At(document_, "images", ReadInt(object, "source"));
    if (!image.contains("uri")) {
      const Json& where = At(document_, "bufferViews", ReadInt(image, "bufferView"));
      const std::string_view buffer = FindBuffer(ReadInt(where, "buffer"));
      const auto begin = static_cast<size_t>(ReadInt(where, "byteOffset", 0));
      const auto length = static_cast<size_t>(ReadInt(where, "byteLength"));
      if (begin > buffer.size() || length > buffer.size() - begin)
        throw MeshError("malformed glTF: a buffer view is longer than its buffer");
      return looks_->Decode(image.value("name", "image"), buffer.substr(begin, length));
    }
    const std::string uri = image.at("uri").get<std::string>();
    if (uri.starts_with("data:")) return looks_->Decode("data", ReadUri(uri));
    return looks_->ReadTexture(path_.parent_path(), DecodePercent(uri));
  }

  std::vector<Vector3d> ReadPositions(std::int64_t accessor) {
    const Accessor view = FindElements(At(document_, "accessors", accessor), "VEC3", {{kFloat, 12}});
    std::vector<Vector3d> positions;
    positions.reserve(view.count);
    for (size_t i = 0; i < view.count; ++i) {
      float p[3];
      std::memcpy(p, view.first + i * view.stride, sizeof p);
      positions.emplace_back(p[0], p[1], p[2]);
    }
    return positions;
  }

  std::vector<int> ReadCorners(const Json& primitive, int num_vertices) {
    std::vector<int> corners;
    if (!primitive.contains("indices")) {
      corners.resize(num_vertices);
      for (int i = 0; i < num_vertices; ++i) corners[i] = i;
      return corners;
    }
    const Accessor view = FindElements(At(document_, "accessors", ReadInt(primitive, "indices")), "SCALAR",
                                       {{kByte, 1}, {kShort, 2}, {kInt, 4}});
    corners.reserve(view.count);
    for (size_t i = 0; i < view.count; ++i) {
      std::uint32_t index = 0;  // little endian: the low bytes come first
      std::memcpy(&index, view.first + i * view.stride, view.size);
      if (index >= static_cast<std::uint32_t>(num_vertices)) {
        throw MeshError("index " + std::to_string(index) + " is out of range: there are " +
                        std::to_string(num_vertices) + " vertices");
      }
      corners.push_back(static_cast<int>(index));
    }
    return corners;
  }

  static constexpr std::int64_t kByte = 5121, kShort = 5123, kInt = 5125, kFloat = 5126;
  struct Accessor {
    const char* first = nullptr;
    size_t count = 0, stride = 0, size = 0;  // elements, bytes from one to the next, bytes of one
  };

  // Elements that lie inside their buffer. `sizes`: the component types allowed, with an element's bytes.
  Accessor FindElements(const Json& accessor, const char* type,
                        std::initializer_list<std::pair<std::int64_t, size_t>> sizes) {
    Accessor view;
    for (const auto& [component, size] : sizes) {
      if (ReadInt(accessor, "componentType") == component) view.size = size;
    }
    if (view.size == 0 || accessor.value("type", "") != type)
      throw MeshError("malformed glTF: an accessor has the wrong type");
    if (accessor.contains("sparse"))
      throw MeshError("sparse accessors are not read; export the mesh without them");
    const Json& where = At(document_, "bufferViews", ReadInt(accessor, "bufferView"));
    const std::string_view buffer = FindBuffer(ReadInt(where, "buffer"));
    const auto begin = static_cast<size_t>(ReadInt(where, "byteOffset", 0));
    const auto length = static_cast<size_t>(ReadInt(where, "byteLength"));
    if (begin > buffer.size() || length > buffer.size() - begin)
      throw MeshError("malformed glTF: a buffer view is longer than its buffer");
    const auto offset = static_cast<size_t>(ReadInt(accessor, "byteOffset", 0));
    view.count = static_cast<size_t>(ReadInt(accessor, "count"));
    view.stride = static_cast<size_t>(ReadInt(where, "byteStride", static_cast<std::int64_t>(view.size)));
    // The bound on the count comes first, so that the products cannot overflow.
    const bool fits = view.stride >= view.size && view.stride <= 256 && view.count <= length &&
                      offset <= length &&
                      (view.count == 0 || (view.count - 1) * view.stride + view.size <= length - offset);
    if (!fits) throw MeshError("malformed glTF: an accessor is longer than its buffer view");
    view.first = buffer.data() + begin + offset;
    return view;
  }

  std::string_view FindBuffer(std::int64_t index) {
    const Json& buffer = At(document_, "buffers", index);
    if (!buffer.contains("uri")) return binary_;
    std::optional<std::string>& bytes = buffers_[static_cast<size_t>(index)];
    if (!bytes) bytes = ReadUri(buffer.at("uri").get<std::string>());
    return *bytes;
  }

  std::string ReadUri(const std::string& uri) const {
    constexpr std::string_view kMark = ";base64,";
    if (uri.starts_with("data:")) {
      const size_t mark = uri.find(kMark);
      if (mark == uri.npos) throw MeshError("malformed glTF: a buffer is not base64");
      return DecodeBase64(std::string_view(uri).substr(mark + kMark.size()));
    }
    std::error_code error;
    const fs::path folder =
        fs::weakly_canonical(path_.parent_path().empty() ? "." : path_.parent_path(), error);
    const fs::path full = fs::weakly_canonical(folder / DecodePercent(uri), error);
    if (error || !IsInside(folder, full))
      throw MeshError("its buffer " + Quote(uri) + " lies outside its folder");
    try {
      return ReadBytes(full);
    } catch (const MeshError& problem) {
      throw MeshError("its buffer " + Quote(uri) + ": " + problem.what());
    }
  }

  fs::path path_;
  const Json& document_;
  std::string_view binary_;
  MeshLooks* looks_;
  std::map<std::int64_t, SharedMaterial> materials_;
  std::vector<std::optional<std::string>> buffers_;
  SceneBuilder scene_;
};

}  // namespace

bool NamesOtherFiles(const fs::path& path) {
  const std::string extension = LowerExtension(path);
  return extension == ".gltf" || extension == ".glb";
}

TriangleMesh ReadGltf(const fs::path& path, std::string_view bytes, MeshLooks* looks) {
  std::string_view text = bytes, binary;
  if (LowerExtension(path) == ".glb") std::tie(text, binary) = SplitChunks(bytes);
  try {
    const Json document = Json::parse(text);
    if (!document.is_object()) throw MeshError("malformed glTF: not an object");
    const std::string version = document.at("asset").value("version", "");
    if (!version.starts_with("2.")) throw MeshError("glTF version " + Quote(version) + "; version 2 is read");
    return GltfReader(path, document, binary, looks).Read();
  } catch (const Json::exception& error) {
    throw MeshError("malformed glTF: " + PlainMessage(error.what()));
  }
}

}  // namespace stiction::mesh_format
