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
  bool ends_phases = false;
  bool takes_by = false;
  bool is_expected = true;
};
// In the order of Quantity.
constexpr std::array<QuantityFormat, kNumQuantities> kQuantityFormats{{
    {true, true, true, false, true},                  // position
    {true, true, true, true, true},                   // drift
    {false, true, true, false, true},                 // speed
    {false, true, false, false},                      // penetration
    {false, false, false, false},                     // ncp
    {false, false, false, false},                     // loop
    {false, false, false, true},                      // energy_drift
    {false, true, false, false, true, true},          // contacts
    {true, true, true, false, true, true},            // force
    {false, false, false, false, true, false, false}  // time
}};

const QuantityFormat& FormatOf(Quantity quantity) {
  return kQuantityFormats[static_cast<size_t>(quantity)];
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
  if (element.Read("by", expectation.by) && !format.takes_by)
    element.Fail("by", name + " takes no \"by\"; only force and contacts do");
  ReadAxis(element, expectation.axis);
  if (expectation.of.empty() && (element.Has("in") || element.Has("axis")))
    element.Fail("in and axis need an \"of\"");
}

}  // namespace

Quantity ReadQuantity(xml::Element& element, bool is_of_phase) {
  std::vector<std::string_view> names;
  for (int i = 0; i < kNumQuantities; ++i) {
    const auto quantity = static_cast<Quantity>(i);
    const QuantityFormat& format = FormatOf(quantity);
    if (is_of_phase ? format.ends_phases : format.is_expected) names.push_back(ToString(quantity));
  }
  std::string name;
  element.RequireString("what");
  element.ReadWord("what", names, name);
  int i = 0;
  while (name != ToString(static_cast<Quantity>(i))) ++i;
  return static_cast<Quantity>(i);
}

void ReadAxis(xml::Element& element, Axis& axis) {
  std::string word;
  if (element.ReadWord("axis", {"x", "y", "z"}, word)) axis = static_cast<Axis>(word[0] - 'x');
}

void ReadBounds(xml::Element& element, std::optional<double>& min, std::optional<double>& max) {
  double bound = 0.0;
  if (element.Read("min", bound)) min = bound;
  if (element.Read("max", bound)) max = bound;
  if (!min && !max) element.Fail("expects nothing; give min, max or both");
  if (min && max && *min > *max) element.Fail("min", "min is above max");
}

Expectation ReadExpectation(xml::Element& element, double duration) {
  Expectation expectation{.what = ReadQuantity(element, false), .min = {}, .max = {}};
  expectation.file = element.file();
  expectation.line = element.line();
  ReadReferences(element, expectation);
  ReadTimes(element, duration, expectation);
  ReadBounds(element, expectation.min, expectation.max);
  return expectation;
}

}  // namespace stiction::scenario
