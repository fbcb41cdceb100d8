#include <algorithm>

#include "io/mjcf/sections.h"
#include "io/mjcf/softness.h"

namespace stiction::mjcf {
namespace {

ContactPair MakeContactPair(const PairSpec& spec, const NamedGeom& a, const NamedGeom& b) {
  ContactPair pair;
  pair.geom_a = a.index;
  pair.geom_b = b.index;
  pair.friction = RestrictFriction(spec.friction, spec.condim);
  pair.softness = spec.softness;
  pair.restitution = spec.restitution.value_or(std::max(a.geom.restitution, b.geom.restitution));
  pair.margin = spec.margin;
  pair.gap = spec.gap;
  return pair;
}

struct TouchingGeoms {
  const NamedGeom *a = nullptr, *b = nullptr;
};

// geom1 and geom2. Null, with a note, if one is not part of the body that is attached.
TouchingGeoms FindGeoms(const Names& names, xml::Element& element) {
  TouchingGeoms geoms;
  geoms.a = names.geoms.ResolveOrNote(element, "geom1");
  if (!geoms.a) return {};
  geoms.b = names.geoms.ResolveOrNote(element, "geom2");
  if (geoms.a == geoms.b) element.Fail("geom2", "a geom does not touch itself; name two");
  return geoms;
}

// Two bodies, or two geoms.
void ReadExclude(Context& context, xml::Element& element) {
  element.Visit();
  std::string name;
  element.Read("name", name);
  if (element.Has("geom1") || element.Has("geom2")) {
    const TouchingGeoms geoms = FindGeoms(context.names, element);
    if (geoms.a && geoms.b) context.builder.ExcludeGeoms(geoms.a->index, geoms.b->index);
    return;
  }
  const NameTable<int>& bodies = context.names.bodies;
  for (const char* attribute : {"body1", "body2"}) element.RequireString(attribute);
  const int* a = bodies.Resolve(element, "body1");
  const int* b = bodies.Resolve(element, "body2");
  if (!a || !b) return element.NoteWhole(ImportStatus::kHonoured, kNotAttached);
  if (*a == *b) element.Note(ImportStatus::kHonoured, "the geoms of one body never touch");
  context.builder.ExcludeBodies(*a, *b);
}

void ReadContactPair(Context& context, xml::Element& element) {
  PairSpec spec = context.defaults.Of(element).pair;
  ReadPairSpec(element, context.compiler, spec);
  std::string name;
  element.Read("name", name);
  const TouchingGeoms geoms = FindGeoms(context.names, element);
  if (!geoms.a || !geoms.b || !context.flags.contact) return;
  const ContactPair pair = MakeContactPair(spec, *geoms.a, *geoms.b);
  const std::pair<int, int> both = std::minmax(pair.geom_a, pair.geom_b);
  if (!context.contact_pairs.insert(both).second)
    return element.NoteWhole(ImportStatus::kApproximated,
                             "there is a <pair> of these two geoms already, which counts");
  context.friction_note.Look(element, pair.friction.sliding);
  context.builder.AddContactPair(pair);
}

}  // namespace

void ReadPairSpec(xml::Element& element, const Compiler& compiler, PairSpec& spec) {
  element.Visit();
  ReadCondim(element, spec.condim);
  // Two of sliding, one torsional, two of rolling.
  const auto& [sliding, torsional, rolling] = spec.friction;
  double friction[5] = {sliding, sliding, torsional, rolling, rolling};
  const int count = element.ReadNumbers("friction", 1, 5, friction);
  if (count > 0) {
    for (const double coefficient : friction)
      if (coefficient < 0.0) element.Fail("friction", "friction must not be negative");
    spec.friction = PairFriction{friction[0], friction[2], friction[3]};
    if (friction[1] != friction[0] || friction[4] != friction[3]) {
      element.Note("friction", ImportStatus::kApproximated,
                   "friction is the same in all directions: the first number of each kind is used");
    }
  }
  element.Read("margin", spec.margin);
  element.Read("gap", spec.gap);
  double number = 0.0;
  if (element.Read("restitution", number)) {
    if (!(number >= 0.0 && number <= 1.0))
      element.Fail("restitution", "restitution must lie between 0 and 1");
    spec.restitution = number;
  }
  ReadSoftness(element, kContactSoftness, compiler, spec.softness);
  element.Note("solreffriction", ImportStatus::kApproximated, "friction is as soft as the normal direction");
}

void ReadContact(Context& context, xml::Element& element) {
  for (const auto& child : element.children()) {
    if (child->name() == "exclude") ReadExclude(context, *child);
    if (child->name() == "pair") ReadContactPair(context, *child);
  }
}

}  // namespace stiction::mjcf
