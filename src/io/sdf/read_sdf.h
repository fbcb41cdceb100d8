// Makes a model of an SDFormat file: a world with its models, or one model.
//
// Every link is a body. Links that no joint carries float; those of static models, and what a fixed joint
// holds to the world, stand. A joint whose child hangs on another one already closes a loop and becomes an
// equality. Links of one model do not collide unless it or one of the two says <self_collide>, and links with
// a joint between them never do.
#pragma once

#include <memory>
#include <string>

#include "io/xml/element.h"
#include "stiction/io/load.h"

namespace stiction::sdformat {

struct Loaded {
  Model model;
  std::unique_ptr<xml::Element> root;  // with the fates of all elements
  std::vector<ImportItem> notes;
  int cache_hits = 0;
};

// Throws LoadError; that it needs libsdformat, where this build has none.
//   raw  the file as xml::ReadFile reads it
Loaded Read(const std::string& path, const xml::Element& raw, const LoadOptions& options);

// Why an element is left alone, for the import report.
xml::Unread ExplainUnread(const xml::Element& element, std::string_view attribute);

}  // namespace stiction::sdformat
