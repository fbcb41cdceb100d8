#include "gallery_list.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "assets_folder.h"
#include "stiction/scenes/scenes.h"

namespace stiction::viewer {
namespace {

namespace fs = std::filesystem;

struct Demonstration {
  const char* file;  // below the folder of assets; or a scene that is built in code
  const char* name;
  const char* about;
};
constexpr Demonstration kDemonstrations[] = {
    {"demo/arm_beside_stack.xml", "Arm beside a stack", "Ten boxes of 1 kg carry one of 500 kg"},
    {"scenarios/pinch.xml", "Gripper", "Picks up a part, which does not creep"},
    {"scenarios/dishes.xml", "Dishes", "Bowls in one another: signed distance fields"},
    {"scenarios/card_house.xml", "House of cards", "Fifteen cards on three storeys stand"},
    {"scenarios/quadruped_trots.xml", "Quadruped", "Trots, and its feet do not slip"},
    {"scenarios/cup.xml", "Cup of balls", "Twenty balls in a triangle mesh"},
    {"scenarios/four_bar.xml", "Four-bar linkage", "A crank drives a rocker; the loop stays closed"},
    {"scenarios/ropes.xml", "Ropes", "Atwood's machine, and a finger's tendon"},
    {"scenarios/nut_assembly.xml", "Nut assembly", "An arm picks a nut up and screws it on a bolt"},
    {"scene:clutter:count=40", "Clutter", "Forty bodies fall into a box"},
};

// The beginning of what a file says of itself: the first sentence of its first comment.
std::string ReadFirstSentence(const fs::path& path) {
  constexpr std::size_t kLongest = 160;
  std::string text(2000, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  const std::size_t start = text.find("<!--"), end = text.find("-->");
  if (start == std::string::npos || end == std::string::npos || end < start) return "";
  std::istringstream words(text.substr(start + 4, end - start - 4));
  std::string sentence, word;
  while (words >> word) {
    sentence += (sentence.empty() ? "" : " ") + word;
    if (word.back() == '.' || word.back() == ':' || sentence.size() > kLongest) break;
  }
  while (!sentence.empty() && (sentence.back() == '.' || sentence.back() == ':')) sentence.pop_back();
  return sentence;
}

// "grip_limit" -> "Grip limit".
std::string MakeTitle(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

GalleryGroup ListDemonstrations(const fs::path& assets) {
  GalleryGroup group{"Demonstrations", {}};
  for (const Demonstration& demonstration : kDemonstrations) {
    const bool is_scene = IsSceneText(demonstration.file);
    if (!is_scene && assets.empty()) continue;
    group.entries.push_back({is_scene ? demonstration.file : (assets / demonstration.file).string(),
                             demonstration.name, demonstration.about});
  }
  return group;
}

GalleryGroup ListScenarios(const fs::path& assets) {
  GalleryGroup group{"Scenarios", {}};
  std::error_code error;
  std::vector<fs::path> files;
  if (!assets.empty())
    for (const auto& entry : fs::directory_iterator(assets / "scenarios", error))
      if (entry.path().extension() == ".xml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files)
    group.entries.push_back({file.string(), MakeTitle(file.stem().string()), ReadFirstSentence(file)});
  return group;
}

GalleryGroup ListBuiltScenes() {
  GalleryGroup group{"Scenes built in code", {}};
  for (const SceneEntry& scene : ListScenes()) {
    std::string about = scene.summary;
    if (!about.empty()) about[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(about[0])));
    group.entries.push_back({std::string("scene:") + scene.name, MakeTitle(scene.name), about});
  }
  return group;
}

}  // namespace

const std::vector<GalleryGroup>& ListGallery() {
  static const std::vector<GalleryGroup> groups{ListDemonstrations(runner::AssetsFolder()),
                                                ListScenarios(runner::AssetsFolder()), ListBuiltScenes()};
  return groups;
}

}  // namespace stiction::viewer
