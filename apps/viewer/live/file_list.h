// Files to choose from: what a folder holds, and what a path that is being typed may become.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace stiction::viewer {

struct FileEntry {
  std::string name;
  bool is_folder = false;
  std::uintmax_t size = 0;  // of a file [bytes]

  bool operator==(const FileEntry&) const = default;
};

// A path as it is typed: the folder that is there already, with a slash at its end, and the beginning of a
// name in it. "~" is the user's home. What follows "//" or "/~/" begins anew: a path that was pasted
// behind the folder's.
struct TypedPath {
  std::string folder, name;
};
TypedPath SplitPath(const std::string& text);

// Folders first, then the files that are wanted, by name without regard to case; what begins with a dot is
// left out. `error` says why the folder could not be read; empty: it could.
std::vector<FileEntry> ListFolder(const std::string& folder,
                                  const std::function<bool(const std::string&)>& is_wanted,
                                  std::string& error);

// Those whose names contain `text`, whatever its case; the ones that begin with it come first.
std::vector<FileEntry> FilterFiles(const std::vector<FileEntry>& entries, const std::string& text);

// The path continued as far as all entries that begin like it agree; a folder that is the only one gets its
// slash. The text itself where there is nothing to add.
std::string CompletePath(const std::string& text, const std::vector<FileEntry>& entries);

}  // namespace stiction::viewer
