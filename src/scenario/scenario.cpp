#include "stiction/scenario/scenario.h"

#include <algorithm>
#include <cstdio>

#include "scenario/touched_body.h"

namespace stiction {
namespace {

// "1 s", "the start", "the end".
std::string TimeText(double time) {
  if (time == 0.0) return "the start";
  if (time == kScenarioEnd) return "the end";
  char text[32];
  std::snprintf(text, sizeof text, "%g s", time);
  return text;
}

[[noreturn]] void FailUnknownName(const Scenario& scenario, int line, const char* element,
                                  const std::string& name, const Model& model) {
  std::vector<std::string> known;
  for (int b = 1; b < model.num_bodies(); ++b) known.push_back(model.DisplayName(b));
  for (const Frame& frame : model.frames) known.push_back(frame.name);
  constexpr size_t kMaxShown = 30;
  std::string list;
  for (size_t i = 0; i < std::min(known.size(), kMaxShown); ++i) list += (i == 0 ? "" : ", ") + known[i];
  if (known.size() > kMaxShown) list += ", ...";
  throw LoadError(scenario.file, line, element, "there is no body or frame \"" + name + "\"; known: " + list);
}

// What contacts do, they do to bodies.
bool IsOfBodies(Quantity what) {
  return what == Quantity::kForce || what == Quantity::kContacts || what == Quantity::kPenetration;
}

void CheckIsTouched(const Scenario& scenario, const Expectation& expectation, const std::string& name,
                    const Model& model) {
  const std::string why = name.empty() ? "" : WhyNotTouched(model, model.FindBodyOrFrame(name));
  if (!why.empty()) throw LoadError(scenario.file, expectation.line, "expect", why);
}

}  // namespace

std::string WhyNotTouched(const Model& model, const Frame& frame) {
  std::string bodies;
  for (int b = 1; b < model.num_bodies() && frame.body == 0; ++b) {
    const std::string name = model.DisplayName(b);
    if (name.starts_with(frame.name + "/")) bodies += (bodies.empty() ? "" : ", ") + name;
  }
  if (bodies.empty()) return "";
  return "\"" + frame.name + "\" is a place in the world, not a body that is touched; its bodies: " + bodies;
}

std::string Describe(const Expectation& expectation) {
  std::string text = ToString(expectation.what);
  if (!expectation.of.empty()) text += " of " + expectation.of;
  if (!expectation.in.empty()) text += " in " + expectation.in;
  if (!expectation.by.empty()) text += " by " + expectation.by;
  text += DescribeAxis(expectation.axis);
  if (expectation.from == expectation.to) return text + " at " + TimeText(expectation.from);
  if (expectation.from != 0.0) text += " from " + TimeText(expectation.from);
  if (expectation.to != kScenarioEnd) text += " to " + TimeText(expectation.to);
  return text;
}

void CheckNames(const Scenario& scenario, const Model& model) {
  const auto check = [&](const std::string& name, int line, const char* element) {
    if (!name.empty() && model.FindBodyOrFrame(name).body < 0)
      FailUnknownName(scenario, line, element, name, model);
  };
  for (const Expectation& expectation : scenario.expectations) {
    check(expectation.of, expectation.line, "expect");
    check(expectation.in, expectation.line, "expect");
    check(expectation.by, expectation.line, "expect");
    if (!IsOfBodies(expectation.what)) continue;
    CheckIsTouched(scenario, expectation, expectation.of, model);
    CheckIsTouched(scenario, expectation, expectation.by, model);
  }
  if (!scenario.record) return;
  for (const std::string& name : scenario.record->bodies) check(name, scenario.record_line, "record");
}

}  // namespace stiction
