#include "stiction/io/model_source.h"

#include <filesystem>
#include <fstream>
#include <string_view>

#include "io/json_file.h"
#include "io/model_source_json.h"
#include "io/xml/root_element.h"

#ifdef STICTION_WITH_HDF5
#include "io/hdf5/group.h"
#endif

namespace stiction {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHdf5Signature{"\x89HDF\r\n\x1a\n", 8};
constexpr std::size_t kPeekedBytes = 4096;

std::string Peek(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  std::string text(kPeekedBytes, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

// Of an HDF5 file, which is a log or holds problems.
FileKind FindHdf5Kind([[maybe_unused]] const std::string& path) {
#ifdef STICTION_WITH_HDF5
  try {
    const Hdf5Group file(path);
    return file.Has("time") && file.Has("q") ? FileKind::kLog : FileKind::kProblem;
  } catch (const LoadError&) {  // truncated: for its reader to say
  }
#endif
  return FileKind::kLog;
}

// The text that a key holds, if it is one.
std::string GetText(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

fs::path FolderOf(const std::string& path) {
  std::error_code error;
  return fs::absolute(path, error).parent_path();
}

ModelMention ReadStateMention(const std::string& path) {
  const nlohmann::json state = ReadJsonObject(path);
  const auto source = state.find(kModelSourceKey);
  return {GetText(state, "model"), source != state.end() ? ReadModelSource(*source, path) : ModelSource{}};
}

ModelMention ReadLogMention(const std::string& path, bool is_hdf5) {
  if (!is_hdf5) return {};  // a CSV log has no place for it
#ifdef STICTION_WITH_HDF5
  const Hdf5Group file(path);
  const auto source = nlohmann::json::parse(file.GetAttribute(kModelSourceKey), nullptr, false);
  return {file.GetAttribute("model"), ReadModelSource(source, path)};
#else
  throw LoadError(path, 0, "", "cannot be read: this build has no HDF5");
#endif
}

}  // namespace

FileKind FindFileKind(const std::string& path) {
  const std::string text = Peek(path);
  if (text.starts_with(kHdf5Signature)) return FindHdf5Kind(path);
  if (text.starts_with("time,")) return FileKind::kLog;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return FileKind::kUnknown;
  if (text[first] == '{')
    return text.find("\"stiction_state\"") != std::string::npos ? FileKind::kState : FileKind::kProblem;
  const std::string root = xml::PeekRootElement(path);
  if (root == "scenario") return FileKind::kScenario;
  return root == "robot" || root == "mujoco" || root == "sdf" ? FileKind::kModel : FileKind::kUnknown;
}

ModelMention ReadModelMention(const std::string& path) {
  switch (FindFileKind(path)) {
    case FileKind::kLog:
      return ReadLogMention(path, Peek(path).starts_with(kHdf5Signature));
    case FileKind::kState:
      return ReadStateMention(path);
    default:
      throw LoadError(path, 0, "", "is neither a log nor a saved state");
  }
}

nlohmann::ordered_json ToJson(const ModelSource& source, const std::string& path) {
  nlohmann::ordered_json out{{"file", source.file}};
  std::error_code error;
  if (fs::is_regular_file(source.file, error)) {
    const fs::path seen = fs::proximate(source.file, FolderOf(path), error);
    if (!error) out["seen_from_here"] = seen.string();
  }
  if (source.floating_base) out["floating_base"] = true;
  if (source.ground) out["ground"] = *source.ground;
  if (!source.package_paths.empty()) out["package_paths"] = source.package_paths;
  if (!source.contact.empty()) out["contact"] = source.contact;
  if (source.repairs.infer_inertia) out["infer_inertia"] = *source.repairs.infer_inertia;
  if (source.repairs.skip_missing_meshes) out["skip_missing_meshes"] = true;
  if (source.repairs.repair_inertia) out["repair_inertia"] = true;
  if (source.repairs.several_roots) out["several_roots"] = true;
  if (!source.xacro_arguments.empty()) out["xacro_arguments"] = source.xacro_arguments;
  return out;
}

ModelSource ReadModelSource(const nlohmann::json& object, const std::string& path) {
  if (!object.is_object()) return {};
  ModelSource source;
  source.file = GetText(object, "file");
  source.contact = GetText(object, "contact");
  const auto value = [&](const char* key) { return object.value(key, nlohmann::json()); };
  source.floating_base = value("floating_base") == true;
  if (value("ground").is_number()) source.ground = value("ground").get<double>();
  if (value("infer_inertia").is_number()) source.repairs.infer_inertia = value("infer_inertia").get<double>();
  source.repairs.skip_missing_meshes = value("skip_missing_meshes") == true;
  source.repairs.repair_inertia = value("repair_inertia") == true;
  source.repairs.several_roots = value("several_roots") == true;
  const auto read_list = [&](const char* key, std::vector<std::string>& list) {
    const nlohmann::json words = value(key);
    if (!words.is_array()) return;
    for (const nlohmann::json& word : words)
      if (word.is_string()) list.push_back(word.get<std::string>());
  };
  read_list("package_paths", source.package_paths);
  read_list("xacro_arguments", source.xacro_arguments);
  std::error_code error;
  const std::string seen = GetText(object, "seen_from_here");
  if (seen.empty() || fs::exists(source.file, error)) return source;
  const fs::path from_here = (FolderOf(path) / seen).lexically_normal();
  if (fs::exists(from_here, error)) source.file = from_here.string();
  return source;
}

}  // namespace stiction
