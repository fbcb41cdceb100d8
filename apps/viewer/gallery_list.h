// What the start page offers: demonstrations, scenarios that are installed, and scenes that are built in
// code.
#pragma once

#include <string>
#include <vector>

namespace stiction::viewer {

struct GalleryEntry {
  std::string path;   // that opens it
  std::string name;   // as a title
  std::string about;  // one sentence
};

struct GalleryGroup {
  const char* title;
  std::vector<GalleryEntry> entries;
};

// Of what is there; read once.
const std::vector<GalleryGroup>& ListGallery();

}  // namespace stiction::viewer
