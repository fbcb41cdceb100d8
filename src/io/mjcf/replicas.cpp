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

// Calls function(element, attribute, suffixes) for each reference to replicas at or below the element.
template <typename Function>
void ForReferences(const Context& context, xml::Element& element, Function&& function) {
  for (const xml::Attribute& attribute : element.attributes()) {
    const std::string kind = ReferenceKind(element, attribute.name);
    if (kind.empty() || IsKnown(context.names, kind, attribute.value)) continue;
    const auto found = context.replicas.find({kind, attribute.value});
    if (found != context.replicas.end()) function(element, attribute, found->second);
  }
  for (const auto& child : element.children()) ForReferences(context, *child, function);
}

// The copy that refers to the elements with this suffix.
std::unique_ptr<xml::Element> MakeReplica(const Context& context, const xml::Element& element,
                                          const std::string& suffix) {
  std::unique_ptr<xml::Element> copy = element.Clone();
  ForReferences(context, *copy,
                [&](xml::Element& at, const xml::Attribute& attribute, const std::vector<std::string>& all) {
                  if (std::find(all.begin(), all.end(), suffix) != all.end())
                    at.Rewrite(attribute.name, attribute.value + suffix);
                });
  if (const std::string* name = copy->Peek("name")) copy->Rewrite("name", *name + suffix);
  return copy;
}

}  // namespace

void RecordReplica(const xml::Element& replicate, const std::string& suffix, Replicas& replicas) {
  for (const auto& child : replicate.children()) {
    if (child->name() == "replicate") continue;
    const std::string kind = ReplicaKind(child->name());
    const std::string* name = kind.empty() ? nullptr : child->Peek("name");
    if (name) replicas[{kind, *name}].push_back(suffix);
    RecordReplica(*child, suffix, replicas);
  }
}

void ExpandReferences(Context& context, xml::Element& section) {
  constexpr int kMaxElements = 2 * xml::kMaxElements;  // as of <replicate> itself
  if (context.replicas.empty()) return;
  xml::Element::Children written = section.TakeChildren();
  for (auto& child : written) {
    std::vector<std::string> suffixes;
    ForReferences(context, *child,
                  [&](const xml::Element&, const xml::Attribute&, const std::vector<std::string>& all) {
                    if (suffixes.empty()) suffixes = all;
                  });
    if (suffixes.empty()) {
      section.Append(std::move(child));
      continue;
    }
    context.num_elements_read += static_cast<int>(suffixes.size() * (1 + child->children().size()));
    if (context.num_elements_read > kMaxElements)
      child->Fail("refers to too many copies; lower the count of <replicate>");
    const std::string* name = child->Peek("name");
    for (const std::string& suffix : suffixes) {
      section.Append(MakeReplica(context, *child, suffix));
      if (name) context.replicas[{section.name(), *name}].push_back(suffix);
    }
  }
}

}  // namespace stiction::mjcf
