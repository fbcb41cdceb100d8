// Which element of the file each thing in a ModelBuilder came from, so that a ModelError can be told with
// file and line.
#pragma once

#include <vector>

#include "io/xml/element.h"
#include "stiction/model/model_builder.h"

namespace stiction {

struct ElementTable {
  // By the builder's index. bodies[0], the world, is null.
  std::vector<const xml::Element*> bodies{nullptr}, joints, geoms, actuators, keyframes, tendons, equalities,
      sensors;
  // The element being added right now: where an error belongs that carries no index.
  const xml::Element* current = nullptr;

  // Null if the error concerns the model as a whole.
  const xml::Element* Find(const ModelError& error) const;
};

// Throws the LoadError that says what `error` says, with the line of the element concerned, or of `root`.
// `hint` is appended.
[[noreturn]] void ThrowLoadError(const ModelError& error, const ElementTable& table, const xml::Element& root,
                                 const std::string& hint = "");

}  // namespace stiction
