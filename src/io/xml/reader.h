// Reads an XML file into a tree of elements, and refuses what is hostile or not well-formed.
//
// DOCTYPE (and with it every entity bomb), nesting beyond kMaxDepth, bytes that are not UTF-8, files beyond
// kMaxFileBytes and elements or attributes beyond any model's need are refused before or while parsing, with
// file and line.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "io/xml/element.h"

namespace stiction::xml {

// The readers recurse over bodies: a bound on the stack. That of tinyxml2, which is compiled into it: 100 with
// the document and what stands in the innermost element.
inline constexpr int kMaxDepth = 98;
inline constexpr int kMaxIncludedDepth = 200;  // of files that include one another
inline constexpr std::uintmax_t kMaxFileBytes = 64 << 20;
inline constexpr int kMaxElements = 1'000'000;
inline constexpr int kMaxAttributes = 256;  // of one element; comparing names is quadratic in it

// Throws LoadError. `path` is also the name that messages and reports show.
std::unique_ptr<Element> ReadFile(const std::string& path);
// The same of a text that stands in no file of this name.
std::unique_ptr<Element> ReadText(const std::string& name, const std::string& text);

}  // namespace stiction::xml
