#include "io/mjcf/include.h"

#include <set>
#include <string>
#include <vector>

#include "io/model_path.h"
#include "io/xml/reader.h"
#include "stiction/model/load_error.h"

namespace stiction::mjcf {
namespace {

namespace fs = std::filesystem;

class Expander {
 public:
  explicit Expander(const fs::path& main_file) : directory_(main_file.parent_path()) {
    std::error_code error;
    included_.insert(fs::weakly_canonical(main_file, error).string());
    chain_.push_back(main_file.string());
  }

  void Expand(xml::Element& parent, int depth) {
    if (depth > xml::kMaxIncludedDepth) {
      parent.Fail("nested deeper than " + std::to_string(xml::kMaxIncludedDepth) +
                  " levels once its includes are in place");
    }
    for (int i = 0; i < static_cast<int>(parent.children().size()); ++i) {
      xml::Element& child = *parent.children()[i];
      if (child.name() != "include") {
        Expand(child, depth + 1);
        continue;
      }
      // Depth stays the same: only the children of the included root come in, already expanded.
      xml::Element::Children included = Include(child, depth);
      const int count = static_cast<int>(included.size());
      parent.InsertAfter(i, std::move(included));
      i += count;
    }
  }

 private:
  xml::Element::Children Include(xml::Element& include, int depth) {
    include.Visit();
    const std::string file = include.RequireString("file");
    std::error_code error;
    // Paths begin at the main file, or else at the one that includes.
    const fs::path own = fs::path(include.file()).parent_path();
    const bool is_own = !fs::exists(directory_ / file, error) && fs::exists(own / file, error);
    const fs::path path = ResolveModelPath(is_own ? own : directory_, file, include);
    if (!fs::is_regular_file(path, error)) include.Fail("file", path.string() + " is not a file");
    if (!included_.insert(fs::weakly_canonical(path, error).string()).second) {
      std::string chain;
      for (const std::string& link : chain_) chain += link + " -> ";
      include.Fail("includes a file a second time: " + chain + path.string());
    }
    const auto root = xml::ReadFile(path.string());
    chain_.push_back(path.string());
    Expand(*root, depth);
    chain_.pop_back();
    return root->TakeChildren();
  }

  fs::path directory_;
  std::set<std::string> included_;
  std::vector<std::string> chain_;  // from the main file to the one being expanded
};

}  // namespace

void ExpandIncludes(xml::Element& root, const fs::path& main_file) {
  Expander(main_file).Expand(root, 1);
}

}  // namespace stiction::mjcf
