#include "io/scenario/format.h"

#include <algorithm>
#include <set>

#include "io/scenario/controller.h"

namespace stiction::scenario {
namespace {

struct Format {
  std::string_view element;
  std::vector<std::string_view> attributes;
  std::vector<std::string_view> children{};
  bool only_once = false;
};

const std::vector<Format>& Formats() {
  static const std::vector<Format> formats{
      {"scenario",
       {"name", "duration", "timestep", "solver", "budget", "solver_budget_us", "solver_budget_iterations",
        "gravity", "integrator", "density", "viscosity", "wind", "sleep", "sleep_tolerance", "sleep_time"},
       {"option", "contact", "ground", "model", "controller", "task", "record", "expect"}},
      {"option", {"name", "value"}},
      {"contact", {"model", "stiffness", "dissipation_time"}, {}, true},
      {"ground", {"z", "friction"}, {}, true},
      {"model", {"file", "name", "pos", "quat", "euler", "axisangle", "xyaxes", "zaxis", "base", "keyframe"}},
      {"controller", ControllerAttributes()},
      {"task", {"name", "model"}, {"controller", "phase"}},
      {"phase", {"name", "hold", "timeout", "back_to", "times"}, {"move", "until"}},
      {"move",
       {"what", "to", "quat", "euler", "axisangle", "xyaxes", "zaxis", "in", "by", "turn", "values",
        "keyframe", "force", "duration", "interpolation"}},
      {"until", {"what", "of", "in", "by", "axis", "min", "max"}},
      {"record", {"bodies", "contacts", "energy", "sensors", "every"}, {}, true},
      {"expect", {"what", "of", "in", "by", "axis", "at", "from", "to", "min", "max"}}};
  return formats;
}

const Format* FindFormat(std::string_view element) {
  const auto& formats = Formats();
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const Format& format) { return format.element == element; });
  return found == formats.end() ? nullptr : &*found;
}

void CheckElement(xml::Element& element, const Format& format) {
  element.Visit();
  for (const xml::Attribute& attribute : element.attributes()) {
    const auto& known = format.attributes;
    if (std::find(known.begin(), known.end(), attribute.name) == known.end())
      element.Fail(attribute.name, "unknown attribute \"" + attribute.name + "\"; known: " + List(known));
  }
  if (!element.text().empty()) element.Fail("holds text, which means nothing here; make it a comment");
  std::set<std::string_view> seen;
  for (const auto& child : element.children()) {
    const auto& known = format.children;
    const Format* child_format = FindFormat(child->name());
    if (std::find(known.begin(), known.end(), child->name()) == known.end()) {
      child->Fail(!known.empty()  ? "unknown element; known: " + List(known)
                  : !child_format ? "unknown element"
                                  : "cannot stand here");
    }
    if (!seen.insert(child_format->element).second && child_format->only_once)
      child->Fail("stands twice; keep one");
    CheckElement(*child, *child_format);
  }
}

}  // namespace

void CheckFormat(xml::Element& root) {
  CheckElement(root, Formats().front());
}

std::string List(const std::vector<std::string_view>& words) {
  std::string list;
  for (const std::string_view word : words) list.append(list.empty() ? "" : ", ").append(word);
  return list;
}

}  // namespace stiction::scenario
