#include <algorithm>
#include <array>

#include "io/mjcf/reader.h"
#include "io/mjcf/softness.h"

namespace stiction::mjcf {
namespace {

// What the spec does not say comes from the two geoms, by the rule for geoms.
ContactPair MakeContactPair(const PairSpec& spec, int index_a, Geom a, int index_b, Geom b) {
  ContactPair pair;
  pair.geom_a = index_a;
  pair.geom_b = index_b;
  if (spec.friction) {
    for (Geom* geom : {&a, &b}) {
      geom->friction = spec.friction->sliding;
      geom->torsional_friction = spec.friction->torsional;
      geom->rolling_friction = spec.friction->rolling;
    }
  }
  if (spec.condim) a.condim = b.condim = *spec.condim;
  pair.friction = CalcPairFriction(a, b);
  pair.softness = spec.softness.value_or(CalcPairSoftness(a, b));
  pair.restitution = spec.restitution.value_or(std::max(a.restitution, b.restitution));
  pair.margin = spec.margin.value_or(std::max(a.margin, b.margin));
  pair.gap = spec.gap.value_or(std::max(a.gap, b.gap));
  return pair;
}

}  // namespace

// -1 if the attribute is absent.
int Reader::FindBody(const xml::Element& element, std::string_view attribute) const {
  const std::string* name = element.Peek(attribute);
  if (!name) return -1;
  const auto found = body_index_.find(*name);
  if (found == body_index_.end()) element.Fail(attribute, "unknown body \"" + *name + "\"");
  return found->second;
}

void ReadPairAttributes(xml::Element& element, const Compiler& compiler, PairSpec& spec) {
  element.Visit();
  int condim = 0;
  if (ReadCondim(element, condim)) spec.condim = condim;
  // Two of sliding, one torsional, two of rolling.
  double friction[5] = {1.0, 1.0, 0.005, 0.0001, 0.0001};
  const int count = element.ReadNumbers("friction", 1, 5, friction);
  if (count > 0) {
    for (const double coefficient : friction)
      if (coefficient < 0.0) element.Fail("friction", "friction must not be negative");
    if (count == 1) friction[1] = friction[0];
    if (count == 4) friction[4] = friction[3];
    spec.friction = PairFriction{friction[0], friction[2], friction[3]};
    if (friction[1] != friction[0] || friction[4] != friction[3]) {
      element.Note("friction", ImportStatus::kApproximated,
                   "friction is the same in all directions: the first number of each kind is used");
    }
  }
  double number = 0.0;
  if (element.Read("margin", number)) spec.margin = number;
  if (element.Read("gap", number)) spec.gap = number;
  if (element.Read("restitution", number)) {
    if (!(number >= 0.0 && number <= 1.0))
      element.Fail("restitution", "restitution must lie between 0 and 1");
    spec.restitution = number;
  }
  Softness softness = spec.softness.value_or(Softness{});
  const bool has_softness = element.Has("solref") || element.Has("solimp");
  ReadSoftness(element, kContactSoftness, compiler.contacts_are_soft, softness);
  if (has_softness) spec.softness = softness;
  element.Note("solreffriction", ImportStatus::kApproximated, "friction is as soft as the normal direction");
}

void Reader::ReadContact(xml::Element& element) {
  for (const auto& child : element.children()) {
    if (child->name() == "exclude") ReadExclude(*child);
    if (child->name() == "pair") ReadContactPair(*child);
  }
}

// Two bodies, or two geoms.
void Reader::ReadExclude(xml::Element& element) {
  element.Visit();
  std::string name;
  element.Read("name", name);
  if (element.Has("geom1") || element.Has("geom2")) {
    std::array<int, 2> index{};
    if (ReadGeomPair(element, index)) builder_.ExcludeGeoms(index[0], index[1]);
    return;
  }
  bool is_here = true;
  for (const char* attribute : {"body1", "body2"}) {
    const std::string body = element.RequireString(attribute);
    is_here = is_here && (only_body_.empty() || body_index_.contains(body));
  }
  if (!is_here) return element.Note(ImportStatus::kHonoured, "not part of the body that is attached");
  builder_.ExcludeBodies(FindBody(element, "body1"), FindBody(element, "body2"));
}

// The builder's indices of geom1 and geom2. False, with a note, if one is not part of the body that is
// attached.
bool Reader::ReadGeomPair(xml::Element& element, std::array<int, 2>& index) const {
  for (int side = 0; side < 2; ++side) {
    const char* attribute = side == 0 ? "geom1" : "geom2";
    const std::string name = element.RequireString(attribute);
    const auto found = geom_index_.find(name);
    if (found == geom_index_.end()) {
      if (only_body_.empty()) element.Fail(attribute, "unknown geom \"" + name + "\"");
      element.Note(ImportStatus::kHonoured, "not part of the body that is attached");
      return false;
    }
    index[side] = found->second;
  }
  if (index[0] == index[1]) element.Fail("geom2", "a geom does not touch itself; name two");
  return true;
}

void Reader::ReadContactPair(xml::Element& element) {
  PairSpec spec = classes_[ClassOf(element, 0)].pair;
  ReadPairAttributes(element, compiler_, spec);
  std::string name;
  element.Read("name", name);
  std::array<int, 2> index{};
  if (!ReadGeomPair(element, index) || !flags_.contact) return;
  const Geom &a = named_geoms_.at(*element.Peek("geom1")), &b = named_geoms_.at(*element.Peek("geom2"));
  builder_.AddContactPair(MakeContactPair(spec, index[0], a, index[1], b));
}

}  // namespace stiction::mjcf
