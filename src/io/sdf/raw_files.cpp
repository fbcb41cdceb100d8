#include "io/sdf/raw_files.h"

#include <cstdio>

#include "io/xml/reader.h"

namespace stiction::sdformat {
namespace {

std::tuple<int, std::string, std::string> PlaceOf(const xml::Element& element) {
  const std::string* name = element.Peek("name");
  return {element.line(), element.name(), name ? *name : ""};
}

// What the library brings up to date by other words has none to compare with: numbers were attributes before
// 1.2, and more has moved before 1.5.
bool HasTodaysWords(const xml::Element& root) {
  const std::string* version = root.Peek("version");
  int major = 0, minor = 0;
  return root.name() == "sdf" && version && std::sscanf(version->c_str(), "%d.%d", &major, &minor) == 2 &&
         minor >= 5;
}

// Of these it is known elsewhere what becomes of them.
bool IsReadElsewhere(const xml::Element& element, const std::string& attribute) {
  return attribute.starts_with("xmlns") || (element.name() == "inertial" && attribute == "auto") ||
         (element.name() == "pose" && attribute == "frame");  // "relative_to" before 1.7
}

bool AsksForAutomaticInertia(const xml::Element& link) {
  for (const auto& child : link.children()) {
    const std::string* word = child->name() == "inertial" ? child->Peek("auto") : nullptr;
    if (word && (*word == "true" || *word == "1")) return true;
  }
  return false;
}

}  // namespace

RawFiles::RawFiles(const xml::Element& raw, const xml::Element& root) {
  const auto collect = [](const auto& self, const xml::Element& element, Places& places) -> void {
    places[PlaceOf(element)].found.push_back(&element);
    for (const auto& child : element.children()) self(self, *child, places);
  };
  const auto open = [&](const auto& self, const xml::Element& element) -> void {
    const auto [file, is_new] = files_.try_emplace(element.file());
    if (is_new) {
      const bool is_own = element.file() == raw.file();
      if (!is_own) file->second.root = xml::ReadFile(element.file());
      const xml::Element& tree = is_own ? raw : *file->second.root;
      if (HasTodaysWords(tree)) collect(collect, tree, file->second.places);
    }
    for (const auto& child : element.children()) self(self, *child);
  };
  open(open, root);
  Match(root);
}

// A file that is included twice is gone through twice.
void RawFiles::Match(const xml::Element& element) {
  Places& places = files_.at(element.file()).places;
  if (const auto place = places.find(PlaceOf(element)); place != places.end()) {
    Elements& elements = place->second;
    origin_[&element] = elements.found[elements.num_taken++ % elements.found.size()];
  }
  for (const auto& child : element.children()) Match(*child);
}

const xml::Element* RawFiles::Find(const xml::Element& element) const {
  const auto found = origin_.find(&element);
  return found == origin_.end() ? nullptr : found->second;
}

void RawFiles::FindAutomaticInertias(File& file) const {
  for (Link& link : file.links) {
    const xml::Element* raw = Find(*link.element);
    link.weighs_its_shapes = raw && AsksForAutomaticInertia(*raw);
  }
}

std::vector<ImportItem> RawFiles::ListLost(const File& file) const {
  std::vector<ImportItem> lost;
  for (const auto& [path, other] : files_) {
    if (other.root && other.root->name() == "robot")
      lost.push_back({path, other.root->line(), "robot", ImportStatus::kApproximated,
                      "a URDF: it is read as libsdformat translates it, which does not tell what it drops"});
  }
  AppendLost(*file.root, file, lost);
  return lost;
}

void RawFiles::AppendLost(const xml::Element& element, const File& file,
                          std::vector<ImportItem>& lost) const {
  const xml::Fate& fate = element.fate();
  if (!fate.status || *fate.status == ImportStatus::kIgnored || fate.is_whole) return;
  const xml::Element* raw = file.known_attributes.contains({element.name(), ""}) ? Find(element) : nullptr;
  if (raw) {
    for (const xml::Attribute& attribute : raw->attributes()) {
      if (file.known_attributes.contains({element.name(), attribute.name}) || element.Has(attribute.name) ||
          IsReadElsewhere(element, attribute.name))
        continue;
      lost.push_back({raw->file(), attribute.line, raw->name() + "[@" + attribute.name + "]",
                      ImportStatus::kIgnored, "SDFormat has no such attribute of it"});
    }
  }
  for (const auto& child : element.children()) AppendLost(*child, file, lost);
}

}  // namespace stiction::sdformat
