// COLLADA 1.4 and 1.5: the positions and faces of <geometry>, placed by the <node>s of the scene. Skins are
// taken as they were modelled; lights, cameras and animations are passed over. Looks: the first texture
// coordinates of corners, and the materials that instances bind.
#include <charconv>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "io/mesh/collada_material.h"
#include "io/mesh/scene.h"
#include "io/xml/reader.h"
#include "stiction/math/rotation.h"
#include "stiction/model/load_error.h"

namespace stiction::mesh_format {
namespace {

using xml::Element;

[[noreturn]] void Fail(const Element& element, const std::string& message) {
  FailAt(element.line(), "<" + element.name() + ">: " + message);
}

// XML breaks tokens at line breaks, too.
std::string_view NextXmlToken(std::string_view& text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view token = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(token.size());
  return token;
}

std::vector<double> ReadNumbers(const Element& element) {
  std::vector<double> numbers;
  std::string_view rest = element.text();
  for (std::string_view token; !(token = NextXmlToken(rest)).empty();)
    numbers.push_back(ParseCoordinate(token, element.line()));
  return numbers;
}

template <size_t n>
std::array<double, n> ReadArray(const Element& element) {
  const std::vector<double> numbers = ReadNumbers(element);
  if (numbers.size() != n)
    Fail(element, "needs " + std::to_string(n) + " numbers, got " + std::to_string(numbers.size()));
  std::array<double, n> values;
  std::copy(numbers.begin(), numbers.end(), values.begin());
  return values;
}

int ParseIndex(std::string_view token, const Element& element) {
  int value = 0;
  const auto [stop, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error != std::errc() || stop != token.data() + token.size() || value < 0)
    Fail(element, Quote(token) + " is not an index");
  return value;
}

std::vector<int> ReadIndices(const Element& element) {
  std::vector<int> indices;
  std::string_view rest = element.text();
  for (std::string_view token; !(token = NextXmlToken(rest)).empty();)
    indices.push_back(ParseIndex(token, element));
  return indices;
}

int ReadCount(const Element& element, const char* attribute, int otherwise) {
  const std::string* text = element.Peek(attribute);
  return text ? ParseIndex(*text, element) : otherwise;
}

class ColladaReader {
 public:
  ColladaReader(const Element& root, const std::filesystem::path& folder, MeshLooks* looks)
      : root_(root), folder_(folder), looks_(looks) {
    Index(root);
  }

  TriangleMesh Read() {
    const Placement frame = ReadFrame();
    const Element* scene = root_.FindChild("scene");
    const Element* instance = scene ? scene->FindChild("instance_visual_scene") : nullptr;
    if (instance) {
      AppendChildren(Follow(*instance, "url"), frame, 0);
    } else {
      // Some exporters leave <scene> out.
      for (const auto& library : root_.children()) {
        if (library->name() != "library_visual_scenes") continue;
        for (const auto& visual_scene : library->children()) AppendChildren(*visual_scene, frame, 0);
      }
    }
    return scene_.TakeMesh();
  }

 private:
  void Index(const Element& element) {
    if (const std::string* id = element.Peek("id")) by_id_.emplace(*id, &element);
    for (const auto& child : element.children()) Index(*child);
  }

  // What "#id" names; documents elsewhere are not opened.
  const Element& Follow(const Element& element, const char* attribute) const {
    const std::string* url = element.Peek(attribute);
    if (!url || !url->starts_with('#'))
      Fail(element, std::string(attribute) + " must name something in this file, as \"#id\"");
    const auto found = by_id_.find(url->substr(1));
    if (found == by_id_.end()) Fail(element, "there is no " + Quote(*url));
    return *found->second;
  }

  // Metres and z up from the file's unit and axes: "up", "right" and "towards the viewer" become z, x and -y.
  Placement ReadFrame() const {
    Placement frame;
    const Element* asset = root_.FindChild("asset");
    const Element* up = asset ? asset->FindChild("up_axis") : nullptr;
    const std::string axis = up ? up->text() : "Y_UP";
    if (axis == "Y_UP") {
      frame.A << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    } else if (axis == "X_UP") {
      frame.A << 0, -1, 0, 0, 0, -1, 1, 0, 0;
    } else if (axis != "Z_UP") {
      Fail(*up, "must be X_UP, Y_UP or Z_UP");
    }
    const Element* unit = asset ? asset->FindChild("unit") : nullptr;
    if (const std::string* metres = unit ? unit->Peek("meter") : nullptr) {
      const double scale = ParseCoordinate(*metres, unit->line());
      if (!(scale > 0.0)) Fail(*unit, "meter must be positive");
      frame.A *= scale;
    }
    return frame;
  }

  void AppendChildren(const Element& parent, const Placement& X, int depth) {
    for (const auto& child : parent.children()) {
      if (child->name() == "node") AppendNode(*child, X, depth + 1);
      if (child->name() == "instance_node") AppendNode(Follow(*child, "url"), X, depth + 1);
      if (child->name() == "instance_geometry") AppendGeometry(Follow(*child, "url"), *child, X);
      if (child->name() == "instance_controller") {
        const Element* skin = Follow(*child, "url").FindChild("skin");
        if (!skin) Fail(*child, "only skins are read");
        AppendGeometry(Follow(*skin, "source"), *child, X);
      }
    }
  }

  void AppendNode(const Element& node, Placement X, int depth) {
    if (node.name() != "node") Fail(node, "is not a node");
    scene_.CountNode(depth);
    for (const auto& child : node.children()) X = X * ReadTransform(*child);
    AppendChildren(node, X, depth);
  }

  // Identity for what is no transformation.
  static Placement ReadTransform(const Element& element) {
    Placement X;
    if (element.name() == "matrix") return FromRows(ReadArray<16>(element));
    if (element.name() == "translate") X.b = Vector3d(ReadArray<3>(element).data());
    if (element.name() == "scale") X.A = Vector3d(ReadArray<3>(element).data()).asDiagonal();
    if (element.name() == "rotate") {
      const auto [x, y, z, degrees] = ReadArray<4>(element);
      const Vector3d axis(x, y, z);
      if (!(axis.norm() > 0.0)) Fail(element, "the axis has zero length");
      X.A = QuaternionExp(degrees * std::numbers::pi / 180.0 * axis.normalized()).toRotationMatrix();
    }
    if (element.name() == "lookat" || element.name() == "skew")
      Fail(element, "is not read; bake it into a matrix");
    return X;
  }

  // A geometry with the symbols that its primitives have for materials, which each instance binds to its own.
  struct Geometry {
    TriangleMesh mesh;
    std::vector<std::string> symbols;
  };

  //   instance  of the geometry
  void AppendGeometry(const Element& geometry, const Element& instance, const Placement& X) {
    auto known = meshes_.find(&geometry);
    if (known == meshes_.end()) {
      const Element* mesh = geometry.FindChild("mesh");
      if (!mesh) Fail(geometry, "only <mesh> is read; export splines and convex_mesh as one");
      known = meshes_.emplace(&geometry, ReadMesh(*mesh)).first;
    }
    TriangleMesh& mesh = known->second.mesh;
    mesh.materials.clear();
    if (looks_ && looks_->reads_materials())
      for (const std::string& symbol : known->second.symbols)
        mesh.materials.push_back(FindBound(instance, symbol));
    if (mesh.materials.empty()) mesh.material_of.assign(mesh.material_of.size(), -1);
    scene_.Append(X, mesh);
  }

  // The material that an instance binds to a symbol; null: none.
  SharedMaterial FindBound(const Element& instance, const std::string& symbol) {
    const Element* bind = instance.FindChild("bind_material");
    const Element* technique = bind ? bind->FindChild("technique_common") : nullptr;
    if (!technique) return nullptr;
    for (const auto& bound : technique->children()) {
      const std::string *own = bound->Peek("symbol"), *target = bound->Peek("target");
      if (bound->name() != "instance_material" || !own || *own != symbol || !target ||
          !target->starts_with('#'))
        continue;
      const auto find = [&](const std::string& id) {
        const auto found = by_id_.find(id);
        return found == by_id_.end() ? nullptr : found->second;
      };
      const Element* material = find(target->substr(1));
      if (!material) return nullptr;
      const auto [entry, is_new] = materials_.try_emplace(material);
      if (is_new) entry->second = ReadColladaMaterial(*material, folder_, find, *looks_);
      return entry->second;
    }
    return nullptr;
  }

  Geometry ReadMesh(const Element& mesh) const {
    Geometry geometry;
    TriangleMesh& triangles = geometry.mesh;
    std::unordered_map<const Element*, int> first_of;  // of a <vertices>, in the result
    for (const auto& child : mesh.children()) {
      const std::string& kind = child->name();
      if (kind == "triangles" || kind == "polylist" || kind == "polygons" || kind == "tristrips" ||
          kind == "trifans") {
        const std::size_t before = triangles.triangles.size();
        AppendPrimitives(*child, first_of, triangles);
        if (looks_) AppendPrimitiveLooks(*child, before, geometry);
      }
    }
    return geometry;
  }

  // Of the triangles from `first` on. Texture coordinates that cannot be had leave theirs at zero.
  void AppendPrimitiveLooks(const Element& primitives, std::size_t first, Geometry& geometry) const {
    TriangleMesh& mesh = geometry.mesh;
    const std::string* symbol = primitives.Peek("material");
    int index = -1;
    if (symbol) {
      const auto known = std::find(geometry.symbols.begin(), geometry.symbols.end(), *symbol);
      index = static_cast<int>(known - geometry.symbols.begin());
      if (known == geometry.symbols.end()) geometry.symbols.push_back(*symbol);
    }
    mesh.material_of.resize(mesh.triangles.size(), index);
    const TriangleMesh of_texture = ReadTextureTriangles(primitives);
    if (of_texture.vertices.empty() || of_texture.triangles.size() != mesh.triangles.size() - first) return;
    mesh.texture_corners.resize(mesh.triangles.size());
    for (std::size_t t = 0; t < of_texture.triangles.size(); ++t) {
      for (int k = 0; k < 3; ++k) {
        const Vector3d& p = of_texture.vertices[of_texture.triangles[t][k]];
        mesh.texture_corners[first + t][k] = {static_cast<float>(p.x()), static_cast<float>(p.y())};
      }
    }
  }

  // The same triangles in the plane of the first texture coordinates; empty where there are none, or wrong
  // ones.
  TriangleMesh ReadTextureTriangles(const Element& primitives) const {
    TriangleMesh out;
    try {
      int stride = 1, offset = -1;
      for (const auto& input : primitives.children()) {
        if (input->name() != "input") continue;
        const int at = ReadCount(*input, "offset", 0);
        stride = std::max(stride, at + 1);
        const std::string* semantic = input->Peek("semantic");
        if (offset >= 0 || !semantic || *semantic != "TEXCOORD") continue;
        offset = at;
        AppendNumbers(ReadLayout(Follow(*input, "source"), 2), 2, out.vertices);
      }
      if (offset < 0) return {};
      const Element* counts = primitives.name() == "polylist" ? primitives.FindChild("vcount") : nullptr;
      for (const auto& p : primitives.children()) {
        if (p->name() != "p") continue;
        const std::vector<int> indices = ReadIndices(*p);
        std::vector<int> corners;
        for (size_t i = offset; i < indices.size(); i += stride) {
          if (indices[i] >= static_cast<int>(out.vertices.size())) return {};
          corners.push_back(indices[i]);
        }
        AppendCorners(primitives, counts, corners, out);
      }
    } catch (const MeshError&) {
      return {};
    }
    return out;
  }

  // Corners are groups of `stride` indices, one per input; that of the positions stands at `offset`.
  void AppendPrimitives(const Element& primitives, std::unordered_map<const Element*, int>& first_of,
                        TriangleMesh& mesh) const {
    constexpr int kMaxOffset = 100;
    int stride = 1, offset = 0;
    const Element* vertices = nullptr;
    for (const auto& input : primitives.children()) {
      if (input->name() != "input") continue;
      const int at = ReadCount(*input, "offset", 0);
      if (at > kMaxOffset) Fail(*input, "offset is too large");
      stride = std::max(stride, at + 1);
      const std::string* semantic = input->Peek("semantic");
      if (semantic && *semantic == "VERTEX") vertices = &Follow(*input, "source"), offset = at;
    }
    if (!vertices) Fail(primitives, "has no <input semantic=\"VERTEX\">");
    const auto [entry, is_new] = first_of.emplace(vertices, static_cast<int>(mesh.vertices.size()));
    if (is_new) AppendPositions(*vertices, mesh.vertices);
    const int first = entry->second;
    const int count = static_cast<int>(CountPositions(*vertices));

    const Element* counts = primitives.name() == "polylist" ? primitives.FindChild("vcount") : nullptr;
    for (const auto& p : primitives.children()) {
      if (p->name() == "ph") Fail(*p, "polygons with holes are not read; triangulate the mesh");
      if (p->name() != "p") continue;
      const std::vector<int> indices = ReadIndices(*p);
      if (indices.size() % stride != 0)
        Fail(*p, std::to_string(indices.size()) + " indices do not make whole corners of " +
                     std::to_string(stride));
      std::vector<int> corners;
      for (size_t i = offset; i < indices.size(); i += stride) {
        if (indices[i] >= count)
          Fail(*p, "index " + std::to_string(indices[i]) + " is out of range: there are " +
                       std::to_string(count) + " vertices");
        corners.push_back(first + indices[i]);
      }
      AppendCorners(primitives, counts, corners, mesh);
    }
  }

  static void AppendCorners(const Element& primitives, const Element* counts, std::span<const int> corners,
                            TriangleMesh& mesh) {
    if (primitives.name() == "tristrips") return AppendStrip(corners, mesh);
    if (primitives.name() == "polygons" || primitives.name() == "trifans") return AppendFan(corners, mesh);
    if (!counts) {  // triangles
      if (corners.size() % 3 != 0) Fail(primitives, "the corners do not make whole triangles");
      for (; !corners.empty(); corners = corners.subspan(3)) AppendFan(corners.first(3), mesh);
      return;
    }
    for (const int n : ReadIndices(*counts)) {
      if (static_cast<size_t>(n) > corners.size()) Fail(*counts, "counts more corners than <p> has");
      AppendFan(corners.first(n), mesh);
      corners = corners.subspan(n);
    }
    if (!corners.empty()) Fail(*counts, "counts fewer corners than <p> has");
  }

  // The <source> of the positions.
  const Element& FindPositions(const Element& vertices) const {
    for (const auto& input : vertices.children()) {
      const std::string* semantic = input->Peek("semantic");
      if (input->name() == "input" && semantic && *semantic == "POSITION") return Follow(*input, "source");
    }
    Fail(vertices, "has no <input semantic=\"POSITION\">");
  }

  struct Layout {
    const Element* numbers;
    int offset, stride, count;
  };
  //   least  numbers that an entry has
  Layout ReadLayout(const Element& source, int least = 3) const {
    const Element* technique = source.FindChild("technique_common");
    const Element* accessor = technique ? technique->FindChild("accessor") : nullptr;
    const Element* numbers = source.FindChild("float_array");
    if (!numbers) Fail(source, "has no <float_array>");
    if (!accessor) Fail(source, "has no <accessor>");
    const Layout layout{numbers, ReadCount(*accessor, "offset", 0), ReadCount(*accessor, "stride", 1),
                        ReadCount(*accessor, "count", 0)};
    if (layout.stride < least)
      Fail(*accessor, "positions need a stride of " + std::to_string(least) + " or more");
    return layout;
  }
  size_t CountPositions(const Element& vertices) const { return ReadLayout(FindPositions(vertices)).count; }

  void AppendPositions(const Element& vertices, std::vector<Vector3d>& positions) const {
    AppendNumbers(ReadLayout(FindPositions(vertices)), 3, positions);
  }

  // Points of so many numbers; the others are zero.
  static void AppendNumbers(const Layout& layout, int size, std::vector<Vector3d>& positions) {
    const std::vector<double> numbers = ReadNumbers(*layout.numbers);
    const std::int64_t needed =
        layout.count == 0 ? 0 : layout.offset + std::int64_t{layout.stride} * (layout.count - 1) + size;
    if (needed > static_cast<std::int64_t>(numbers.size())) {
      Fail(*layout.numbers, "holds " + std::to_string(numbers.size()) +
                                " numbers, but its <accessor> reads " + std::to_string(needed));
    }
    for (int i = 0; i < layout.count; ++i) {
      const double* point = numbers.data() + layout.offset + size_t(layout.stride) * i;
      positions.emplace_back(point[0], point[1], size > 2 ? point[2] : 0.0);
    }
  }

  const Element& root_;
  std::unordered_map<std::string, const Element*> by_id_;
  std::unordered_map<const Element*, Geometry> meshes_;
  std::unordered_map<const Element*, SharedMaterial> materials_;
  std::filesystem::path folder_;
  MeshLooks* looks_;
  SceneBuilder scene_;
};

}  // namespace

TriangleMesh ReadCollada(const std::filesystem::path& path, MeshLooks* looks) {
  try {
    const std::unique_ptr<Element> root = xml::ReadFile(path.string());
    if (root->name() != "COLLADA") throw MeshError("not COLLADA: its root element is " + Quote(root->name()));
    return ColladaReader(*root, path.parent_path(), looks).Read();
  } catch (const LoadError& error) {
    // Whoever catches this knows the path.
    std::string what = error.what();
    if (what.starts_with(error.file())) what.erase(0, error.file().size() + 1);
    throw MeshError(error.line() > 0 ? "line " + what : what);
  }
}

}  // namespace stiction::mesh_format
