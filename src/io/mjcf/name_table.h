// The names of the elements of one kind in an MJCF file, and what stands behind each.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "io/xml/element.h"

namespace stiction::mjcf {

// Said of what a file holds beside the one body that is attached to another model.
inline constexpr const char* kNotAttached = "not part of the body that is attached";

template <typename Value>
class NameTable {
 public:
  //   kind        as messages call such an element: "body"
  //   is_partial  only one body of the file is read: what has no place here may stand beside it
  NameTable(const char* kind, bool is_partial) : kind_(kind), is_partial_(is_partial) {}

  // Throws LoadError at the element if the name is taken.
  void Add(const xml::Element& element, const std::string& name, Value value) {
    if (!values_.try_emplace(name, std::move(value)).second)
      element.Fail("the name \"" + name + "\" is taken by another " + kind_ + "; rename one");
  }
  // Of several things of one name the first stays. False if the name was taken.
  bool AddIfNew(const std::string& name, Value value) {
    return values_.try_emplace(name, std::move(value)).second;
  }

  // In no order.
  template <typename Function>
  void ForEach(Function&& function) {
    for (auto& [name, value] : values_) function(value);
  }

  bool Has(const std::string& name) const { return values_.contains(name); }
  // Null if nothing has this name.
  Value* Find(const std::string& name) {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
  }
  const Value* Find(const std::string& name) const { return const_cast<NameTable*>(this)->Find(name); }

  // What the attribute, whose text is `name`, refers to. Where that is unknown: null if the table is partial,
  // else a LoadError is thrown.
  const Value* Resolve(const xml::Element& element, std::string_view attribute,
                       const std::string& name) const {
    const Value* value = Find(name);
    if (!value && !is_partial_) FailUnknown(element, attribute, name);
    return value;
  }
  // The same of an attribute that has to be there.
  const Value* Resolve(xml::Element& element, std::string_view attribute) const {
    return Resolve(element, attribute, element.RequireString(attribute));
  }
  // The same; null goes with a note that the element is not part of what is attached.
  const Value* ResolveOrNote(xml::Element& element, std::string_view attribute) const {
    const Value* value = Resolve(element, attribute);
    if (!value) element.NoteWhole(ImportStatus::kHonoured, kNotAttached);
    return value;
  }
  // The same, where it has to be here although the table is partial.
  const Value& Require(const xml::Element& element, std::string_view attribute,
                       const std::string& name) const {
    const Value* value = Find(name);
    if (!value) FailUnknown(element, attribute, name);
    return *value;
  }
  const Value& Require(xml::Element& element, std::string_view attribute) const {
    return Require(element, attribute, element.RequireString(attribute));
  }
  // Whether the attribute is absent or names what is here.
  bool HasNamed(const xml::Element& element, std::string_view attribute) const {
    const std::string* name = element.Peek(attribute);
    return !name || Has(*name);
  }

 private:
  [[noreturn]] void FailUnknown(const xml::Element& element, std::string_view attribute,
                                const std::string& name) const {
    element.Fail(attribute, "unknown " + std::string(kind_) + " \"" + name + "\"");
  }

  const char* kind_;
  bool is_partial_;
  std::unordered_map<std::string, Value> values_;
};

}  // namespace stiction::mjcf
