#include "io/sdf/paths.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "io/xml/reader.h"

namespace stiction::sdformat {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxIncludes = 20;  // one within the other

// The file of a model's folder: the last that its model.config names, else model.sdf.
fs::path FindModelFile(const fs::path& folder) {
  std::error_code error;
  fs::path file = folder / "model.sdf";
  if (!fs::exists(folder / "model.config", error)) return file;
  const std::unique_ptr<xml::Element> config = xml::ReadFile((folder / "model.config").string());
  for (const auto& child : config->children()) {
    if (child->name() == "sdf" && !child->text().empty()) file = folder / child->text();
  }
  return file;
}

// Before SDFormat 1.7 poses had a "frame", which the library brings up to date.
bool IsOld(const xml::Element& element) {
  const xml::Element* root = &element;
  while (root->parent()) root = root->parent();
  const std::string* version = root->Peek("version");
  int major = 0, minor = 0;
  return version && std::sscanf(version->c_str(), "%d.%d", &major, &minor) == 2 && major == 1 && minor < 7;
}

// libsdformat 12 follows a null pointer where what it knows in an <include> has an attribute that it does not
// know there, or a plugin a text.
void CheckInclude(const xml::Element& include) {
  const std::map<std::string_view, std::set<std::string_view>> known{
      {"uri", {}},
      {"name", {}},
      {"static", {}},
      {"placement_frame", {}},
      {"plugin", {"name", "filename"}},
      {"pose", {"relative_to", "rotation_format", "degrees", IsOld(include) ? "frame" : "degrees"}}};
  for (const auto& child : include.children()) {
    const auto found = known.find(child->name());
    if (found == known.end()) continue;
    for (const xml::Attribute& attribute : child->attributes()) {
      if (!found->second.contains(attribute.name))
        child->Fail(attribute.name, attribute.name + " is no attribute of it in an <include>");
    }
    if (child->name() == "plugin" && child->has_text())
      child->Fail(child->text().empty() ? "holds a CDATA section of blanks; remove it"
                                        : "holds a text; put it into an element");
  }
}

std::string ReadUri(const xml::Element& include) {
  const xml::Element* uri = include.FindChild("uri");
  if (!uri || uri->text().empty()) include.Fail("has no <uri>");
  return uri->text();
}

// Plugins and extensions may mean something of their own by an <include>; libsdformat copies them as they
// are.
bool IsForOthers(const xml::Element& element) {
  return element.name() == "plugin" || element.name().find(':') != std::string::npos;
}

bool HoldsModels(const xml::Element& element) {
  return element.name() == "sdf" || element.name() == "world" || element.name() == "model";
}

// How a URI may be meant, in the order of the search.
std::vector<std::string> ListMeanings(const std::string& uri) {
  const bool is_relative = uri.find("://") == uri.npos && !uri.starts_with('/');
  return is_relative ? std::vector{uri, "model://" + uri} : std::vector{uri};
}

}  // namespace

Paths::Paths(const std::string& path, const LoadOptions& options) : folders_(options.package_paths) {
  std::error_code error;
  const fs::path home = fs::weakly_canonical(fs::absolute(path, error), error).parent_path();
  for (const fs::path& folder : {home, ModelTree(home)}) {
    if (fs::is_directory(folder / "models", error)) folders_.push_back((folder / "models").string());
  }
  for (const char* variable :
       {"SDF_PATH", "GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH"}) {
    const char* value = std::getenv(variable);
    std::istringstream list(value ? value : "");
    for (std::string folder; std::getline(list, folder, ':');)
      if (!folder.empty()) folders_.push_back(folder);
  }
}

const PackagePaths& Paths::In(const fs::path& folder) {
  return by_folder_.try_emplace(folder, folder, folders_, "GZ_SIM_RESOURCE_PATH or GAZEBO_MODEL_PATH")
      .first->second;
}

fs::path Paths::FindMesh(const std::string& uri, const xml::Element& element) {
  const PackagePaths& paths = In(fs::path(element.file()).parent_path());
  std::optional<PathError> problem;
  for (const std::string& meaning : ListMeanings(uri)) {
    try {
      return paths.Resolve(meaning);
    } catch (const PathError& error) {
      if (!problem) problem = error;
    }
  }
  throw *problem;
}

fs::path Paths::FindModel(const std::string& uri, const xml::Element& include) {
  const xml::Element& where = *include.FindChild("uri");
  if (uri.starts_with("http://") || uri.starts_with("https://"))
    where.Fail("\"" + uri + "\" lies on a server; download the model, and name the folder that holds it by " +
               "--package-path DIR (LoadOptions::package_paths) or GZ_SIM_RESOURCE_PATH");
  const PackagePaths& paths = In(fs::path(include.file()).parent_path());
  std::string problem;
  for (const std::string& meaning : ListMeanings(uri)) {
    for (const char* inside : {"/model.config", "/model.sdf", ""}) {
      try {
        const fs::path found = paths.Resolve(meaning + inside);
        return *inside ? found.parent_path() : found;
      } catch (const PathError& error) {
        if (problem.empty()) problem = error.what();
      }
    }
  }
  where.Fail(problem);
}

void Paths::Collect(const xml::Element& element, std::vector<fs::path>& chain, IncludedFiles& found) {
  for (const auto& child : element.children()) {
    if (IsForOthers(*child)) continue;
    if (child->name() != "include") {
      Collect(*child, chain, found);
      continue;
    }
    CheckInclude(*child);
    const std::string uri = ReadUri(*child);
    const fs::path place = FindModel(uri, *child);
    std::error_code error;
    const fs::path file = fs::is_directory(place, error) ? FindModelFile(place) : place;
    const bool goes_round = std::find(chain.begin(), chain.end(), file) != chain.end();
    if (goes_round || chain.size() > kMaxIncludes) {
      std::string list;
      for (const fs::path& above : chain) list += above.string() + " includes ";
      child->Fail((goes_round ? "includes itself: " : "includes too deep: ") + list + file.string());
    }
    if (!fs::exists(file, error)) child->Fail("no such file: " + file.string());
    found.push_back({uri, file, child->file(), child->line(), HoldsModels(element)});
    chain.push_back(file);
    Collect(*xml::ReadFile(file.string()), chain, found);
    chain.pop_back();
  }
}

IncludedFiles Paths::FindIncludes(const xml::Element& root) {
  std::error_code error;
  IncludedFiles found;
  std::vector<fs::path> chain{fs::weakly_canonical(fs::absolute(root.file(), error), error)};
  Collect(root, chain, found);
  return found;
}

}  // namespace stiction::sdformat
