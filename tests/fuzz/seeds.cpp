#include <stb_image_write.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/mesh/mesh_file.h"
#include "stiction/io/load.h"
#include "stiction/io/log.h"
#include "stiction/io/problem_file.h"
#include "stiction/io/state_file.h"
#include "stiction/io/urdf_writer.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/targets.h"
#include "tests/support/contact_problems.h"
#include "tests/support/meshes.h"

namespace stiction::fuzz {
namespace {

namespace fs = std::filesystem;

// Whether a model has distance fields, or a scenario models that do: to sample one takes seconds with the
// sanitizers, in which a thousand other inputs are tried. Fields have a target of their own.
bool HasFields(const std::string& bytes, const fs::path& folder) {
  if (bytes.find("type=\"sdf\"") != bytes.npos) return true;
  constexpr std::string_view kFile = "<model file=\"";
  for (std::size_t at = bytes.find(kFile); at != bytes.npos; at = bytes.find(kFile, at)) {
    at += kFile.size();
    const fs::path path = folder / bytes.substr(at, bytes.find('"', at) - at);
    if (fs::is_regular_file(path) && HasFields(ReadWholeFile(path.string()), path.parent_path())) return true;
  }
  return false;
}

// Files of a folder whose first bytes hold `mark`, in the order of their names; none that HasFields.
void AppendFiles(const std::string& folder, std::string_view extension, std::string_view mark,
                 std::vector<std::string>& out) {
  std::vector<std::string> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().string().ends_with(extension))
      paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    std::string bytes = ReadWholeFile(path);
    if (bytes.find(mark) != bytes.npos && !HasFields(bytes, folder)) out.push_back(std::move(bytes));
  }
}

std::string OwnSeed(const char* name) {
  return ReadWholeFile(STICTION_SOURCE_DIR "/tests/fuzz/seeds/" + std::string(name));
}

std::vector<TriangleMesh> SomeMeshes() {
  TriangleMesh sheet;
  sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  sheet.triangles = {{0, 1, 2}};
  return {testing::MakeBoxMesh({1, 2, 3}), testing::MakeTorus(0.2, 0.05, 5, 4), sheet};
}

template <typename T>
void Append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void AppendFloats(std::string& bytes, const Vector3d& p) {
  for (const double x : p) Append(bytes, static_cast<float>(x));
}

std::string ToBinaryStl(const TriangleMesh& mesh) {
  std::string bytes(80, ' ');
  Append(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& triangle : mesh.triangles) {
    AppendFloats(bytes, Vector3d::UnitZ());
    for (const int corner : triangle) AppendFloats(bytes, mesh.vertices[static_cast<std::size_t>(corner)]);
    Append(bytes, std::uint16_t{0});
  }
  return bytes;
}

std::string ToTextStl(const TriangleMesh& mesh) {
  std::ostringstream text;
  text << "solid part\n";
  for (const auto& triangle : mesh.triangles) {
    text << "facet normal 0 0 1\n outer loop\n";
    for (const int corner : triangle)
      text << "  vertex " << mesh.vertices[static_cast<std::size_t>(corner)].transpose() << "\n";
    text << " endloop\nendfacet\n";
  }
  text << "endsolid part\n";
  return text.str();
}

std::string ToObj(const TriangleMesh& mesh) {
  std::ostringstream text;
  for (const Vector3d& p : mesh.vertices) text << "v " << p.transpose() << "\n";
  for (const auto& [a, b, c] : mesh.triangles)
    text << "f " << a + 1 << "/1/1 " << b + 1 << "//1 " << c + 1 << "\n";
  return text.str();
}

std::string ToMsh(const TriangleMesh& mesh) {
  std::string bytes;
  Append(bytes, static_cast<std::int32_t>(mesh.vertices.size()));
  Append(bytes, std::int32_t{0});
  Append(bytes, std::int32_t{0});
  Append(bytes, static_cast<std::int32_t>(mesh.triangles.size()));
  for (const Vector3d& p : mesh.vertices) AppendFloats(bytes, p);
  for (const auto& triangle : mesh.triangles) {
    for (const int corner : triangle) Append(bytes, static_cast<std::int32_t>(corner));
  }
  return bytes;
}

std::string ToBase64(const std::string& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (at + k < bytes.size() ? static_cast<unsigned char>(bytes[at + k]) : 0u);
    for (int k = 3; k >= 0; --k) text += kDigits[word >> (6 * k) & 63];
  }
  return text;
}

// As .gltf with its buffer inside, or as .glb.
std::string ToGltf(const TriangleMesh& mesh, bool is_binary) {
  std::string buffer;
  for (const Vector3d& p : mesh.vertices) AppendFloats(buffer, p);
  const std::size_t split = buffer.size();
  for (const auto& triangle : mesh.triangles) {
    for (const int corner : triangle) Append(buffer, static_cast<std::uint16_t>(corner));
  }
  nlohmann::json document = {
      {"asset", {{"version", "2.0"}}},
      {"scene", 0},
      {"scenes", {{{"nodes", {0}}}}},
      {"nodes",
       {{{"mesh", 0},
         {"translation", {1, 0, 0}},
         {"rotation", {0, 0, 0, 1}},
         {"scale", {1, 2, 1}},
         {"children", {1}}},
        {{"mesh", 0}, {"matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}}}},
      {"meshes", {{{"primitives", {{{"attributes", {{"POSITION", 0}}}, {"indices", 1}, {"mode", 4}}}}}}},
      {"accessors",
       {{{"bufferView", 0}, {"componentType", 5126}, {"count", mesh.vertices.size()}, {"type", "VEC3"}},
        {{"bufferView", 1},
         {"componentType", 5123},
         {"count", 3 * mesh.triangles.size()},
         {"type", "SCALAR"}}}},
      {"bufferViews",
       {{{"buffer", 0}, {"byteLength", split}},
        {{"buffer", 0}, {"byteOffset", split}, {"byteLength", buffer.size() - split}}}},
      {"buffers", {{{"byteLength", buffer.size()}}}}};
  if (!is_binary) {
    document["buffers"][0]["uri"] = "data:application/octet-stream;base64," + ToBase64(buffer);
    return document.dump();
  }
  std::string json = document.dump();
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::string bytes = "glTF";
  Append(bytes, std::uint32_t{2});
  Append(bytes, static_cast<std::uint32_t>(28 + json.size() + buffer.size()));
  Append(bytes, static_cast<std::uint32_t>(json.size()));
  Append(bytes, std::uint32_t{0x4E4F534A});
  bytes += json;
  Append(bytes, static_cast<std::uint32_t>(buffer.size()));
  Append(bytes, std::uint32_t{0x004E4942});
  return bytes + buffer;
}

std::string ToPng(int width, int height, int channels) {
  std::vector<unsigned char> pixels(static_cast<std::size_t>(width * height * channels));
  for (std::size_t k = 0; k < pixels.size(); ++k) pixels[k] = static_cast<unsigned char>(37 * k);
  std::string bytes;
  stbi_write_png_to_func(
      [](void* out, void* data, int size) {
        static_cast<std::string*>(out)->append(static_cast<const char*>(data),
                                               static_cast<std::size_t>(size));
      },
      &bytes, width, height, channels, pixels.data(), width * channels);
  return bytes;
}

std::string ToHeightFile(int rows, int cols) {
  std::string bytes;
  Append(bytes, std::int32_t{rows});
  Append(bytes, std::int32_t{cols});
  for (int k = 0; k < rows * cols; ++k) Append(bytes, static_cast<float>(k % 5));
  return bytes;
}

std::vector<std::string> Number(const char* kind, int count) {
  std::vector<std::string> names;
  for (int k = 0; k < count; ++k) names.push_back(kind + std::to_string(k));
  return names;
}

LogHeader MakeHeader(const Model& model) {
  LogHeader header;
  header.model = model.name;
  header.solver = "auto";
  header.timestep = model.options.timestep;
  header.joints = Number("joint", model.num_joints());
  header.coordinates = Number("q", model.nq());
  header.dofs = Number("v", model.nv());
  header.actuators = Number("motor", model.nu());
  header.bodies = header.recorded_bodies = Number("body", model.num_bodies());
  header.geoms = Number("geom", model.num_geoms());
  for (const Geom& geom : model.geoms) header.geom_body.push_back(geom.body);
  header.phases = {"solve", "total"};
  header.step_statuses = {"ok", "budget_missed"};
  header.sensors = Number("sensor", model.num_sensor_values);
  header.energy = true;
  return header;
}

std::string MakeLog(const char* extension) {
  const Model model = MakeStateModel();
  LogHeader header = MakeHeader(model);
  header.contacts = std::string_view(extension) != ".csv";
  const std::string path = AssetFolder() + "/seed" + extension;
  const std::unique_ptr<LogWriter> writer = LogWriter::Open(path, header);
  LogRow row;
  row.q = model.q0;
  row.v.setConstant(model.nv(), 0.5);
  row.ctrl.setConstant(model.nu(), 1.0);
  row.phases = {1e-5, 2e-5};
  row.sensors.setZero(model.num_sensor_values);
  row.bodies.resize(static_cast<std::size_t>(model.num_bodies()));
  for (int k = 0; k < 4; ++k) {
    row.time = 0.002 * k;
    row.num_contacts = header.contacts ? k : 0;
    row.contacts.assign(static_cast<std::size_t>(row.num_contacts), {.geom_a = 0, .geom_b = 1});
    writer->Append(row);
  }
  writer->Close();
  return ReadWholeFile(path);
}

void AppendStates(std::vector<std::string>& out) {
  const Model model = MakeStateModel();
  const std::string path = AssetFolder() + "/seed.json";
  State state = State::Default(model);
  WriteState(path, model, state);
  out.push_back(ReadWholeFile(path));
  for (int k = 0; k < 3; ++k) {
    ContactMemory contact{.geom_a = 0, .geom_b = 1 + k / 2, .feature = static_cast<std::uint32_t>(k)};
    contact.n_A = Vector3d::UnitZ();
    state.contacts.push_back(contact);
  }
  state.memory = VectorXd::Ones(3);
  const auto trees = static_cast<std::size_t>(model.num_trees());
  state.sleep.time_at_rest.assign(trees, 0.1);
  state.sleep.ncp.assign(trees, 0.0);
  state.sleep.island.assign(trees, -1);
  state.sleep.q = model.q0;
  state.sleep.input = Input::Default(model);
  WriteState(path, model, state);
  out.push_back(ReadWholeFile(path));
}

void AppendProblems(bool is_hdf5, std::vector<std::string>& out) {
  const std::string path = AssetFolder() + "/seed.problem";
  const ContactProblem stack = testing::MakeStack(3, 2.0), mixed = testing::MakeRandomProblem(3, 4, 9);
  const Solution warm{.v = mixed.v_star, .lambda = VectorXd::Zero(mixed.num_rows())};
  if (!is_hdf5) {
    AppendFiles(AssetFolder() + "/problems", ".json", "", out);
    WriteProblemJson(path, mixed, warm);
    out.push_back(ReadWholeFile(path));
    WriteProblemJson(path, stack, {});
    out.push_back(ReadWholeFile(path));
    return;
  }
  CreateProblemHdf5(path);
  AppendProblemHdf5(path, "mixed", mixed, warm);
  AppendProblemHdf5(path, "stack", stack, {});
  out.push_back(ReadWholeFile(path));
  WriteProblemFclib(path, stack, {});
  out.push_back(ReadWholeFile(path));
}

// Small models in other words.
void AppendUrdf(std::vector<std::string>& out) {
  for (const char* name :
       {"atwood", "belt", "crank_rocker", "floating_four_bar", "part", "soft_gripper", "spring_cylinder",
        "square_peg", "swinging_hand", "tendon_finger", "turning_gripper", "wrecking_ball"}) {
    const Model model = LoadModel(AssetFolder() + "/models/" + name + ".xml", {.visuals = true});
    out.push_back(MakeUrdf(model, AssetFolder() + "/seed.urdf").text);
  }
}

void AppendText(std::vector<std::string>& out) {
  std::istringstream lines(OwnSeed("fields.txt"));
  for (std::string line; std::getline(lines, line);) out.push_back(line);
}

void AppendMeshes(std::string_view name, std::vector<std::string>& out) {
  for (const TriangleMesh& mesh : SomeMeshes()) {
    if (name == "stl") out.insert(out.end(), {ToBinaryStl(mesh), ToTextStl(mesh)});
    if (name == "obj") out.push_back(ToObj(mesh));
    if (name == "msh") out.push_back(ToMsh(mesh));
    if (name == "gltf" || name == "glb") out.push_back(ToGltf(mesh, name == "glb"));
  }
}

}  // namespace

std::vector<std::string> MakeSeeds(const Target& target) {
  const std::string_view name = target.name;
  const std::string& assets = AssetFolder();
  std::vector<std::string> out;
  AppendMeshes(name, out);
  if (name == "urdf") {
    AppendFiles(assets + "/models", ".urdf", "<robot", out);
    out.push_back(OwnSeed("words.urdf.xml"));
    AppendUrdf(out);
  } else if (name == "mjcf") {
    out.push_back(OwnSeed("words.mjcf.xml"));
    for (const char* folder : {"/models", "/benchmarks", "/tasks"})
      AppendFiles(assets + folder, ".xml", "<mujoco", out);
  } else if (name == "sdf") {
    for (const char* seed : {"model.sdf.xml", "world.sdf.xml", "part.sdf.xml", "old.sdf.xml"})
      out.push_back(OwnSeed(seed));
  } else if (name == "scenario") {
    for (const char* folder : {"/scenarios", "/tasks"})
      AppendFiles(assets + folder, ".xml", "<scenario", out);
  } else if (name == "obj") {
    AppendFiles(STICTION_SOURCE_DIR "/assets/models/meshes", ".obj", "v", out);
  } else if (name == "collada") {
    out.push_back(OwnSeed("parts.dae"));
  } else if (name == "png") {
    for (int channels = 1; channels <= 4; ++channels) out.push_back(ToPng(5, 3, channels));
  } else if (name == "hfield") {
    out = {ToHeightFile(2, 2), ToHeightFile(3, 5)};
  } else if (name == "field_text") {
    AppendText(out);
  } else if (name == "problem_json" || name == "problem_hdf5") {
    AppendProblems(name == "problem_hdf5", out);
  } else if (name == "state") {
    AppendStates(out);
  } else if (name == "log_csv" || name == "log_hdf5") {
    out.push_back(MakeLog(name == "log_csv" ? ".csv" : ".h5"));
  }
  // Distance fields take a second to load, which is a thousand inputs of others.
  const auto is_dear = [](const std::string& seed) {
    constexpr const char* kDear[] = {
        "thread(",     "nut(",          "dish(",         "profile(",           "models/nut",
        "models/bolt", "models/dishes", "models/cup",    "models/pot",         "models/pour",
        "models/bowl", "models/plate",  "ncol=\"1025\"", "models/rolling_ball"};
    return std::any_of(std::begin(kDear), std::end(kDear),
                       [&](const char* mark) { return seed.find(mark) != seed.npos; });
  };
  const bool is_file_of_models = name == "mjcf" || name == "scenario";
  std::erase_if(out, [&](const std::string& seed) {
    return seed.size() > target.max_bytes || (is_file_of_models && is_dear(seed));
  });
  Require(!out.empty(), "target " + std::string(name) + " has seeds");
  return out;
}

}  // namespace stiction::fuzz
