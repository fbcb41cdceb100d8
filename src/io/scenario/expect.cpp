#include "io/scenario/expect.h"

#include <array>
#include <cstdio>

namespace stiction {
namespace {

// Which attributes mean something for a quantity.
struct QuantityFormat {
  const char* name;
  const char* unit;
  bool needs_of = false;
  bool takes_of = false;
  bool takes_in = false;       // `in` and `axis`
  bool is_since_from = false;  // compares with its value at `from`
};
// In the order of Quantity.
constexpr std::array<QuantityFormat, 8> kQuantities{{{"position", "m", true, true, true, false},
                                                     {"drift", "m", true, true, true, true},
                                                     {"speed", "m/s", false, true, true, false},
                                                     {"penetration", "m", false, true, false, false},
                                                     {"ncp", "m/s", false, false, false, false},
                                                     {"loop", "m or rad", false, false, false, false},
                                                     {"energy_drift", "J", false, false, false, true},
                                                     {"contacts", "", false, true, false, false}}};

const QuantityFormat& FormatOf(Quantity quantity) {
  return kQuantities[static_cast<size_t>(quantity)];
}

// "1 s", "the start", "the end".
std::string TimeText(double time) {
  if (time == 0.0) return "the start";
  if (time == kScenarioEnd) return "the end";
  char text[32];
  std::snprintf(text, sizeof text, "%g s", time);
  return text;
}

}  // namespace

const char* ToString(Quantity quantity) {
  return FormatOf(quantity).name;
}

const char* UnitOf(Quantity quantity) {
  return FormatOf(quantity).unit;
}

std::string Describe(const Expectation& expectation) {
  constexpr const char* kAxisNames[] = {" along x", " along y", " along z", ""};
  std::string text = ToString(expectation.what);
  if (!expectation.of.empty()) text += " of " + expectation.of;
  if (!expectation.in.empty()) text += " in " + expectation.in;
  text += kAxisNames[static_cast<int>(expectation.axis)];
  if (expectation.from == expectation.to) return text + " at " + TimeText(expectation.from);
  if (expectation.from != 0.0) text += " from " + TimeText(expectation.from);
  if (expectation.to != kScenarioEnd) text += " to " + TimeText(expectation.to);
  return text;
}

namespace scenario {
namespace {

Quantity ReadQuantity(xml::Element& element) {
  std::vector<std::string_view> names;
  for (const QuantityFormat& format : kQuantities) names.push_back(format.name);
  std::string name;
  element.RequireString("what");
  element.ReadWord("what", names, name);
  size_t i = 0;
  while (name != kQuantities[i].name) ++i;
  return static_cast<Quantity>(i);
}

bool ReadTime(xml::Element& element, const char* attribute, double duration, double& time) {
  if (!element.Has(attribute)) return false;
  const std::string text = *element.Peek(attribute);
  if (text == "start" || text == "end") {
    std::string word;
    element.Read(attribute, word);
    time = text == "start" ? 0.0 : kScenarioEnd;
    return true;
  }
  element.Read(attribute, time);
  if (time < 0.0 || time > duration) {
    element.Fail(attribute, std::string(attribute) + "=\"" + text +
                                "\" lies outside of the scenario's duration; give \"start\", \"end\" or a "
                                "time [s] in between");
  }
  return true;
}

void ReadTimes(xml::Element& element, double duration, Expectation& expectation) {
  if (ReadTime(element, "at", duration, expectation.from)) {
    expectation.to = expectation.from;
    if (element.Has("from") || element.Has("to")) element.Fail("at", "gives both at and from or to");
    if (FormatOf(expectation.what).is_since_from)
      element.Fail("at", "a drift is over a time; give from and to instead of at");
    return;
  }
  ReadTime(element, "from", duration, expectation.from);
  ReadTime(element, "to", duration, expectation.to);
  if (expectation.from > expectation.to) element.Fail("from", "from is later than to");
  if (FormatOf(expectation.what).is_since_from && expectation.from == expectation.to)
    element.Fail("from", "from and to are the same time, over which nothing can drift");
}

void ReadBounds(xml::Element& element, Expectation& expectation) {
  double bound = 0.0;
  if (element.Read("min", bound)) expectation.min = bound;
  if (element.Read("max", bound)) expectation.max = bound;
  if (!expectation.min && !expectation.max) element.Fail("expects nothing; give min, max or both");
  if (expectation.min && expectation.max && *expectation.min > *expectation.max)
    element.Fail("min", "min is above max");
}

void ReadReferences(xml::Element& element, Expectation& expectation) {
  const QuantityFormat& format = FormatOf(expectation.what);
  const std::string name = format.name;
  if (format.needs_of) element.RequireString("of");
  if (!format.takes_of && element.Has("of"))
    element.Fail("of", name + " concerns the whole scene, not a body");
  for (const char* attribute : {"in", "axis"}) {
    if (!format.takes_in && element.Has(attribute))
      element.Fail(attribute, name + " takes no \"" + attribute + "\"");
  }
  element.Read("of", expectation.of);
  element.Read("in", expectation.in);
  std::string axis;
  if (element.ReadWord("axis", {"x", "y", "z"}, axis)) expectation.axis = static_cast<Axis>(axis[0] - 'x');
  if (expectation.of.empty() && (element.Has("in") || element.Has("axis")))
    element.Fail("in and axis need an \"of\"");
}

}  // namespace

Expectation ReadExpectation(xml::Element& element, double duration) {
  Expectation expectation{.what = ReadQuantity(element), .min = {}, .max = {}};
  expectation.file = element.file();
  expectation.line = element.line();
  ReadReferences(element, expectation);
  ReadTimes(element, duration, expectation);
  ReadBounds(element, expectation);
  return expectation;
}

}  // namespace scenario
}  // namespace stiction
