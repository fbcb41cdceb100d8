// Dependencies between folders point one way (src/CMakeLists.txt), and a library stays behind one folder:
// checked on every #include.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

// What a folder may include, besides itself. The sources of some may include more: AllowedInSources.
const std::map<std::string, Names>& AllowedFolders() {
  static const std::map<std::string, Names> allowed{
      {"math", {}},
      {"geometry", {"math"}},
      {"model", {"math", "geometry"}},
      {"dynamics", {"math", "geometry", "model"}},
      {"collision", {"math", "geometry", "model"}},
      {"contact", {"math"}},
      {"scenario", {"math", "geometry", "model", "contact"}},
      {"io", {"math", "geometry", "model", "contact", "scenario"}},
      {"sim", {"math", "geometry", "model", "dynamics", "collision", "contact", "scenario"}},
      {"scenes", {"math", "geometry", "model", "dynamics", "collision", "contact", "scenario", "io", "sim"}},
      {"viz", {"math", "geometry", "model", "dynamics", "sim"}},
  };
  return allowed;
}

// What the .cpp files of a folder may include, and its headers, private ones too, may not. A World simulates
// plain data; that it can also load a state or record a log concerns nobody who includes it.
const std::map<std::string, Names>& AllowedInSources() {
  static const std::map<std::string, Names> allowed{{"sim", {"io"}}};
  return allowed;
}

enum class Kind { kPublicHeader, kPrivateHeader, kSource };

// The libraries that a folder's sources may include, by the first part of the header's path.
const std::map<std::string, Names>& AllowedLibraries() {
  static const std::map<std::string, Names> allowed{
      {"geometry", {"libqhull_r"}},
      {"io",
       {"tinyxml2.h", "nlohmann", "hdf5.h", "stb_image.h", "stb_image_write.h", "stb_deflate.h", "sdf",
        "dlfcn.h", "fcntl.h", "unistd.h", "spawn.h",
        "sys"}},  // the last five: POSIX, modules, files and programs
  };
  return allowed;
}

std::string FirstPart(const std::string& path) {
  return path.substr(0, path.find('/'));
}

// "<vector>" and the like: no slash and no extension.
bool IsStandardHeader(const std::string& header) {
  return header.find_first_of("./") == std::string::npos;
}

// The folder that a quoted include names; empty for a file beside the including one.
std::string FolderOf(const std::string& header) {
  const std::string path = header.starts_with("stiction/") ? header.substr(9) : header;
  return path.find('/') == std::string::npos ? "" : FirstPart(path);
}

bool Contains(const std::map<std::string, Names>& allowed, const std::string& folder,
              const std::string& name) {
  const auto it = allowed.find(folder);
  return it != allowed.end() && it->second.contains(name);
}

// Why a file of `folder` must not hold this line; empty if it may.
std::string FindFault(const std::string& folder, Kind kind, const std::string& line) {
  const bool is_public_header = kind == Kind::kPublicHeader;
  const size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line.compare(hash, 1, "#") != 0) return "";
  const size_t word = line.find("include");
  const size_t open = line.find_first_of("<\"");
  if (word == std::string::npos || open == std::string::npos || word > open) return "";
  const size_t close = line.find_first_of(">\"", open + 1);
  const std::string header = line.substr(open + 1, close - open - 1);

  if (line[open] == '<') {
    if (IsStandardHeader(header) || FirstPart(header) == "Eigen") return "";
    if (is_public_header) return "a public header includes the library header <" + header + ">";
    if (Contains(AllowedLibraries(), folder, FirstPart(header))) return "";
    return folder + " includes <" + header + ">, which belongs behind another folder";
  }
  if (header.find("..") != std::string::npos) return "a relative include: \"" + header + "\"";
  if (is_public_header && !header.starts_with("stiction/"))
    return "a public header includes private \"" + header + "\"";
  const std::string target = FolderOf(header);
  if (target.empty() && header.starts_with("stiction/"))
    return "includes the whole of the library: \"" + header + "\"";
  if (target.empty() || target == folder || Contains(AllowedFolders(), folder, target)) return "";
  if (kind == Kind::kSource && Contains(AllowedInSources(), folder, target)) return "";
  return folder + " must not depend on " + target + ": \"" + header + "\"";
}

std::vector<std::string> FindFaults(const std::string& folder, Kind kind, std::istream& in) {
  std::vector<std::string> faults;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string fault = FindFault(folder, kind, line);
    if (!fault.empty()) faults.push_back(std::to_string(number) + ": " + fault);
  }
  return faults;
}

bool IsSource(const fs::path& path) {
  return path.extension() == ".h" || path.extension() == ".cpp";
}

// Scans every file below `root`, whose subfolders are the engine's folders. Returns the number of files.
int Scan(const fs::path& root, bool is_public) {
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || !IsSource(entry.path())) continue;
    const fs::path relative = fs::relative(entry.path(), root);
    if (!relative.has_parent_path()) continue;  // stiction.h, which is everything
    const std::string folder = FirstPart(relative.generic_string());
    EXPECT_TRUE(AllowedFolders().contains(folder)) << folder << " has no place in the order of the folders";
    std::ifstream in(entry.path());
    const Kind kind = is_public                          ? Kind::kPublicHeader
                      : entry.path().extension() == ".h" ? Kind::kPrivateHeader
                                                         : Kind::kSource;
    for (const std::string& fault : FindFaults(folder, kind, in))
      ADD_FAILURE() << entry.path().string() << ":" << fault;
    ++count;
  }
  return count;
}

bool IsFault(const std::string& folder, Kind kind, const std::string& line) {
  std::istringstream in("#pragma once\n" + line + "\n");
  return !FindFaults(folder, kind, in).empty();
}
bool IsFault(const std::string& folder, bool is_public_header, const std::string& line) {
  return IsFault(folder, is_public_header ? Kind::kPublicHeader : Kind::kSource, line);
}

TEST(Layering, CheckerFindsWrongArrows) {
  EXPECT_TRUE(IsFault("math", true, "#include \"stiction/geometry/shape.h\""));
  EXPECT_TRUE(IsFault("contact", false, "#include \"stiction/model/model.h\""));
  EXPECT_TRUE(IsFault("contact", false, "  #  include \"collision/manifold.h\"  // why"));
  EXPECT_TRUE(IsFault("dynamics", false, "#include \"stiction/collision/broadphase.h\""));
  EXPECT_TRUE(IsFault("io", false, "#include \"stiction/sim/world.h\""));
  EXPECT_TRUE(IsFault("model", false, "#include \"stiction/stiction.h\""));
  EXPECT_TRUE(IsFault("sim", false, "#include \"stiction/scenes/scenes.h\""));
  EXPECT_TRUE(IsFault("sim", false, "#include \"../model/topology.h\""));
  EXPECT_TRUE(IsFault("model", true, "#include \"model/topology.h\""));
}

// Of sim, sources alone read and write files.
TEST(Layering, CheckerKeepsFilesOutOfHeadersOfTheSimulation) {
  const std::string line = "#include \"stiction/io/load.h\"";
  EXPECT_TRUE(IsFault("sim", Kind::kPublicHeader, line));
  EXPECT_TRUE(IsFault("sim", Kind::kPrivateHeader, line));
  EXPECT_FALSE(IsFault("sim", Kind::kSource, line));
  EXPECT_TRUE(IsFault("scenario", Kind::kSource, line));
  EXPECT_FALSE(IsFault("sim", Kind::kPublicHeader, "#include \"stiction/scenario/scenario.h\""));
  EXPECT_TRUE(IsFault("contact", Kind::kSource, "#include \"stiction/scenario/record.h\""));
}

TEST(Layering, CheckerFindsStrayLibraries) {
  EXPECT_TRUE(IsFault("collision", false, "#include <fcl/fcl.h>"));
  EXPECT_TRUE(IsFault("sim", false, "#include <fcl/fcl.h>"));
  EXPECT_TRUE(IsFault("model", false, "#include <tinyxml2.h>"));
  EXPECT_TRUE(IsFault("sim", false, "#include <nlohmann/json.hpp>"));
  EXPECT_TRUE(IsFault("io", true, "#include <nlohmann/json.hpp>"));
  EXPECT_TRUE(IsFault("math", false, "#include <CLI/CLI.hpp>"));
}

TEST(Layering, CheckerAcceptsWhatIsAllowed) {
  EXPECT_FALSE(IsFault("math", true, "#include <Eigen/Core>"));
  EXPECT_FALSE(IsFault("math", true, "#include <vector>"));
  EXPECT_FALSE(IsFault("io", false, "#include <nlohmann/json.hpp>"));
  EXPECT_FALSE(IsFault("io", false, "#include \"io/json_file.h\""));
  EXPECT_FALSE(IsFault("sim", true, "#include \"stiction/contact/problem.h\""));
  EXPECT_FALSE(IsFault("math", false, "// #include \"stiction/sim/world.h\""));
}

TEST(Layering, PublicHeadersPointOneWay) {
  EXPECT_GT(Scan(fs::path(STICTION_SOURCE_DIR) / "include" / "stiction", true), 30);
}

TEST(Layering, SourcesPointOneWay) {
  EXPECT_GT(Scan(fs::path(STICTION_SOURCE_DIR) / "src", false), 30);
}

}  // namespace
