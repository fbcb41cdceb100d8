#include "io/mjcf/replicas.h"

#include <algorithm>

#include "io/mjcf/context.h"
#include "io/xml/reader.h"

namespace stiction::mjcf {
namespace {

// Of what a <replicate> holds; empty for what has no name that others use.
std::string ReplicaKind(const std::string& element) {
  if (element == "freejoint") return "joint";
  for (const char* kind : {"body", "joint", "geom", "site", "camera"}) {
    if (element == kind) return kind;
  }
  return "";
}

// What an attribute refers to; empty: nothing.
std::string ReferenceKind(const xml::Element& element, std::string attribute) {
  if (attribute == "objname" || attribute == "refname") {
    const std::string* type = element.Peek(attribute == "objname" ? "objtype" : "reftype");
    if (type == nullptr) return "";
    return *type == "xbody" ? "body" : *type;
  }
  if (attribute.ends_with("1") || attribute.ends_with("2")) attribute.pop_back();
  if (attribute == "jointinparent") return "joint";
  if (attribute == "subtree") return "body";
  if (attribute.ends_with("site")) return "site";  // refsite, cranksite, slidersite, sidesite
  for (const char* kind : {"body", "joint", "geom", "tendon", "actuator", "camera"}) {
    if (attribute == kind) return kind;
  }
  return "";
}

bool IsKnown(const Names& names, const std::string& kind, const std::string& name) {
  if (kind == "body") return names.bodies.Has(name);
  if (kind == "joint") return names.joints.Has(name);
  if (kind == "geom") return names.geom_frames.Has(name);
  if (kind == "site") return names.sites.Has(name);
  if (kind == "camera") return names.cameras.Has(name);
  return false;
}

// Calls function(element, attribute, copies) for each reference to replicas at or below the element.
template <typename Function>
void ForReferences(const Context& context, xml::Element& element, Function&& function) {
  for (const xml::Attribute& attribute : element.attributes()) {
    const std::string kind = ReferenceKind(element, attribute.name);
    if (kind.empty() || IsKnown(context.names, kind, attribute.value)) continue;
    const auto found = context.replicas.of_name.find({kind, attribute.value});
    if (found != context.replicas.of_name.end()) function(element, attribute, found->second);
  }
  for (const auto& child : element.children()) ForReferences(context, *child, function);
}

// The copy that refers to the elements with this suffix.
std::unique_ptr<xml::Element> MakeReplica(const Context& context, const xml::Element& element,
                                          const std::string& suffix) {
  std::unique_ptr<xml::Element> copy = element.Clone();
  ForReferences(
      context, *copy,
      [&](xml::Element& at, const xml::Attribute& attribute, const std::vector<Replica>& all) {
        if (std::any_of(all.begin(), all.end(), [&](const Replica& r) { return r.suffix == suffix; }))
          at.Rewrite(attribute.name, attribute.value + suffix);
      });
  if (const std::string* name = copy->Peek("name")) copy->Rewrite("name", *name + suffix);
  return copy;
}

void RecordNames(const xml::Element& parent, const Replica& replica, Replicas& replicas) {
  for (const auto& child : parent.children()) {
    if (child->name() == "replicate") continue;
    const std::string kind = ReplicaKind(child->name());
    const std::string* name = kind.empty() ? nullptr : child->Peek("name");
    if (name) replicas.of_name[{kind, *name}].push_back(replica);
    RecordNames(*child, replica, replicas);
  }
}

struct PlacedCopy {
  int place;
  std::unique_ptr<xml::Element> element;
};

// Takes what refers to replicas out of the section, and makes its copies.
void TakeReferences(Context& context, xml::Element& section, std::vector<PlacedCopy>& copies) {
  constexpr int kMaxElements = 2 * xml::kMaxElements;  // as of <replicate> itself
  xml::Element::Children written = section.TakeChildren();
  for (auto& child : written) {
    std::vector<Replica> replicas;
    ForReferences(context, *child,
                  [&](const xml::Element&, const xml::Attribute&, const std::vector<Replica>& all) {
                    if (replicas.empty()) replicas = all;
                  });
    if (replicas.empty()) {
      section.Append(std::move(child));
      continue;
    }
    context.num_elements_read += static_cast<int>(replicas.size() * (1 + child->children().size()));
    if (context.num_elements_read > kMaxElements)
      child->Fail("refers to too many copies; lower the count of <replicate>");
    const std::string* name = child->Peek("name");
    for (const Replica& replica : replicas) {
      copies.push_back({replica.place, MakeReplica(context, *child, replica.suffix)});
      if (name) context.replicas.of_name[{section.name(), *name}].push_back(replica);
    }
  }
}

}  // namespace

void RecordReplica(const xml::Element& replicate, const std::string& suffix, Replicas& replicas) {
  RecordNames(replicate, {suffix, replicas.num_copies++}, replicas);
}

void ExpandReferences(Context& context, const std::vector<xml::Element*>& sections) {
  if (context.replicas.of_name.empty()) return;
  std::vector<PlacedCopy> copies;
  for (xml::Element* section : sections) TakeReferences(context, *section, copies);
  std::stable_sort(copies.begin(), copies.end(),
                   [](const PlacedCopy& a, const PlacedCopy& b) { return a.place < b.place; });
  for (PlacedCopy& copy : copies) sections.back()->Append(std::move(copy.element));
}

}  // namespace stiction::mjcf
