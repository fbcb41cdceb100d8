// Numbers and words that SDFormat writes as text of child elements.
#pragma once

#include <string_view>

#include "io/xml/element.h"

namespace stiction::sdformat {

// Of the first child of this name; what stands in `value` stays where there is none. Throw LoadError on text
// that is no number, or not so many.
inline bool ReadChild(const xml::Element& parent, std::string_view name, double& value) {
  xml::Element* child = parent.FindChild(name);
  if (child) value = child->ReadText(1)[0];
  return child != nullptr;
}
inline bool ReadChild(const xml::Element& parent, std::string_view name, Vector3d& value) {
  xml::Element* child = parent.FindChild(name);
  if (child) value = Vector3d(child->ReadText(3).data());
  return child != nullptr;
}

// Notes at a child that is there.
inline void NoteChild(const xml::Element& parent, std::string_view name, ImportStatus status,
                      const std::string& why, ImportLoss loss = ImportLoss::kPhysical) {
  if (xml::Element* child = parent.FindChild(name)) child->Note(status, why, loss);
}

}  // namespace stiction::sdformat
