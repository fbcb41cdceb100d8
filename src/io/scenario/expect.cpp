#include "io/scenario/expect.h"

#include <array>

namespace stiction::scenario {
namespace {

// Which attributes mean something for a quantity.
struct QuantityFormat {
  bool needs_of = false;
  bool takes_of = false;
  bool takes_in = false;       // `in` and `axis`
  bool is_since_from = false;  // compares with its value at `from`
};
// In the order of Quantity.
constexpr std::array<QuantityFormat, 8> kQuantityFormats{{{true, true, true, false},      // position
                                                          {true, true, true, true},       // drift
                                                          {false, true, true, false},     // speed
                                                          {false, true, false, false},    // penetration
                                                          {false, false, false, false},   // ncp
                                                          {false, false, false, false},   // loop
                                                          {false, false, false, true},    // energy_drift
                                                          {false, true, false, false}}};  // contacts

const QuantityFormat& FormatOf(Quantity quantity) {
  return kQuantityFormats[static_cast<size_t>(quantity)];
}

Quantity ReadQuantity(xml::Element& element) {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < kQuantityFormats.size(); ++i) names.push_back(ToString(static_cast<Quantity>(i)));
  std::string name;
  element.RequireString("what");
  element.ReadWord("what", names, name);
  size_t i = 0;
  while (name != names[i]) ++i;
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
  const std::string name = ToString(expectation.what);
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

}  // namespace stiction::scenario
