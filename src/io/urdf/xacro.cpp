#include "io/urdf/xacro.h"

#include <filesystem>
#include <sstream>

#include "io/urdf/robot.h"

namespace stiction::urdf {
namespace {

bool IsXacro(const std::string& value) {
  return value.find("${") != std::string::npos || value.find("$(") != std::string::npos;
}

std::string Advice(const xml::Element& element) {
  const std::string file = std::filesystem::path(element.file()).filename().string();
  return "unexpanded xacro; run xacro on the file first: xacro " + file + " > expanded.urdf";
}

// The default in "$(optenv NAME default)"; nothing for any other text.
std::optional<std::string> FindDefault(const std::string& value) {
  const size_t begin = value.find_first_not_of(' ');
  if (begin == value.npos || value.compare(begin, 9, "$(optenv ") != 0) return std::nullopt;
  const size_t end = value.find_last_not_of(' ');
  if (value[end] != ')' || value.find('$', begin + 1) != value.npos) return std::nullopt;
  std::istringstream words(value.substr(begin + 9, end - begin - 9));
  std::string name, rest;
  words >> name;
  std::getline(words >> std::ws, rest);
  return rest;
}

// Does a reader make anything of this element? By place: <frame> inside <link> is not <frame> at the top.
bool IsRead(const xml::Element& element) {
  const std::string& name = element.name();
  const std::string& parent = element.parent()->name();
  if (parent == "robot")
    return name == "link" || name == "joint" || name == "drake:joint" || name == "transmission";
  if (parent == "link") return name == "inertial" || name == "collision";
  if (parent == "joint") return name != "safety_controller" && name != "calibration";
  return true;
}

// Depth is bounded by the XML reader.
bool HoldsXacro(const xml::Element& element) {
  if (element.name().starts_with("xacro:") || IsXacro(element.text())) return true;
  for (const xml::Attribute& attribute : element.attributes()) {
    if (IsXacro(attribute.value)) return true;
  }
  for (const auto& child : element.children()) {
    if (HoldsXacro(*child)) return true;
  }
  return false;
}

void SettleAttributes(xml::Element& element) {
  for (const xml::Attribute& attribute : element.attributes()) {
    if (!IsXacro(attribute.value)) continue;
    if (const std::optional<std::string> value = FindDefault(attribute.value)) {
      element.Rewrite(attribute.name, *value);
      element.Note(ImportStatus::kApproximated, "unexpanded xacro: the default in $(optenv ...) is taken");
      continue;
    }
    const std::string written = attribute.value.substr(0, 40);
    element.Fail(attribute.name, attribute.name + "=\"" + written + "\" is " + Advice(element));
  }
}

}  // namespace

void SettleXacro(xml::Element& element) {
  if (element.name().starts_with("xacro:")) element.Fail(Advice(element));
  SettleAttributes(element);
  if (IsXacro(element.text())) element.Fail("\"" + element.text().substr(0, 40) + "\" is " + Advice(element));
  for (const auto& child : element.children()) {
    // A macro call may hold anything.
    if (child->name().starts_with("xacro:") || IsRead(*child)) {
      SettleXacro(*child);
    } else if (HoldsXacro(*child)) {
      const xml::Unread unread = ExplainUnread(*child, "");
      child->Note(ImportStatus::kIgnored, unread.why + "; holds unexpanded xacro", unread.loss);
    }
  }
}

}  // namespace stiction::urdf
