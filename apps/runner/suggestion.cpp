#include "suggestion.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "assets_folder.h"

namespace stiction::runner {
namespace {

namespace fs = std::filesystem;

std::string ToLower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Optimal string alignment: letters left out, added, changed, or exchanged with their neighbour.
std::size_t CountChanges(const std::string& a, const std::string& b) {
  std::vector<std::size_t> older(b.size() + 1), old(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) now[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    older.swap(old), old.swap(now);
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({old[j] + 1, now[j - 1] + 1, old[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], older[j - 2] + 1);
    }
  }
  return now[b.size()];
}

// The files of a folder by name; of the first ones only, where it holds very many.
std::vector<std::string> ListFiles(const fs::path& folder) {
  constexpr std::size_t kMost = 5000;
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator at(folder.empty() ? fs::path(".") : folder, error);
  for (; !error && at != fs::directory_iterator() && names.size() < kMost; at.increment(error))
    names.push_back(at->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// A shipped file "pinch.xml" for "pinch", "pinhc" or "pinhc.xml".
std::string FindAssetLike(const fs::path& name) {
  std::vector<std::string> stems, files;
  for (const char* folder : {"scenarios", "demo", "models"}) {
    if (AssetsFolder().empty()) break;
    for (const std::string& file : ListFiles(AssetsFolder() / folder)) {
      if (fs::path(file).extension() != ".xml" && fs::path(file).extension() != ".urdf") continue;
      stems.push_back(fs::path(file).stem().string());
      files.push_back((AssetsFolder() / folder / file).string());
    }
  }
  const auto found = std::find(stems.begin(), stems.end(), FindNearest(name.stem().string(), stems));
  if (found == stems.end()) return {};
  std::error_code error;
  const fs::path absolute = files[static_cast<std::size_t>(found - stems.begin())];
  const std::string relative = fs::proximate(absolute, error).string();
  return !error && !relative.starts_with("..") ? relative : absolute.string();
}

}  // namespace

std::string FindNearest(const std::string& word, const std::vector<std::string>& known) {
  const std::string wanted = ToLower(word);
  std::string nearest;
  const std::size_t letters = word.size() - std::min(word.find_first_not_of('-'), word.size());
  std::size_t least = std::max<std::size_t>(1, (word.size() + 1) / 3) + 1;
  least = std::min(least, letters / 2 + 1);  // of --out, two changes make any flag of three letters
  for (const std::string& candidate : known) {
    const std::size_t changes = CountChanges(wanted, ToLower(candidate));
    // A short word that shares no letter with another is not near to it.
    if (changes < std::min(least, std::max<std::size_t>(1, candidate.size()))) {
      least = changes;
      nearest = candidate;
    }
  }
  if (!nearest.empty() || word.size() < 3) return nearest;
  for (const std::string& candidate : known) {
    if (ToLower(candidate).starts_with(wanted) && (nearest.empty() || candidate.size() < nearest.size()))
      nearest = candidate;
  }
  return nearest;
}

std::string DidYouMean(const std::string& word, const std::vector<std::string>& known) {
  const std::string nearest = FindNearest(word, known);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

std::string DescribeKnown(const std::string& word, const std::vector<std::string>& known) {
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  const std::string meant = DidYouMean(word, known);
  return meant.empty() ? "; known: " + list : meant + " Known: " + list;
}

std::string FindNearestFile(const std::string& path) {
  const fs::path file(path);
  const fs::path folder = file.parent_path();
  const std::string name = FindNearest(file.filename().string(), ListFiles(folder));
  if (!name.empty()) return (folder / name).string();
  return folder.empty() ? FindAssetLike(file) : "";
}

}  // namespace stiction::runner
