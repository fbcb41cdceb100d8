#include "live/file_list.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

namespace stiction::viewer {
namespace {

namespace fs = std::filesystem;

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool IsBefore(const FileEntry& a, const FileEntry& b) {
  if (a.is_folder != b.is_folder) return a.is_folder;
  const std::string lower_a = Lower(a.name), lower_b = Lower(b.name);
  return lower_a != lower_b ? lower_a < lower_b : a.name < b.name;
}

}  // namespace

TypedPath SplitPath(const std::string& text) {
  // A whole path that was typed or pasted after another one holds.
  std::string path = text;
  for (const char* beginning : {"//", "/~/"})
    if (const std::size_t at = path.rfind(beginning); at != std::string::npos) path.erase(0, at + 1);
  const char* home = std::getenv("HOME");
  if (home != nullptr && (path == "~" || path.starts_with("~/")))
    path = home + path.substr(1) + (path == "~" ? "/" : "");
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {"", path};
  return {path.substr(0, slash + 1), path.substr(slash + 1)};
}

std::vector<FileEntry> ListFolder(const std::string& folder,
                                  const std::function<bool(const std::string&)>& is_wanted,
                                  std::string& error) {
  std::vector<FileEntry> entries;
  std::error_code code;
  fs::directory_iterator here(folder.empty() ? "." : folder, code), end;
  error = code ? code.message() : "";
  while (!code && here != end) {
    std::error_code unknown;  // of one entry: a link to nowhere is a file of no size
    FileEntry entry{here->path().filename().string(), here->is_directory(unknown), 0};
    const bool is_hidden = entry.name.starts_with(".");
    if (!entry.is_folder) entry.size = here->file_size(unknown);
    if (unknown) entry.size = 0;
    if (!is_hidden && (entry.is_folder || is_wanted(entry.name))) entries.push_back(std::move(entry));
    here.increment(code);
  }
  std::sort(entries.begin(), entries.end(), IsBefore);
  return entries;
}

std::vector<FileEntry> FilterFiles(const std::vector<FileEntry>& entries, const std::string& text) {
  const std::string wanted = Lower(text);
  std::vector<FileEntry> found, inside;
  for (const FileEntry& entry : entries) {
    const std::size_t at = Lower(entry.name).find(wanted);
    if (at == 0) found.push_back(entry);
    if (at != 0 && at != std::string::npos) inside.push_back(entry);
  }
  found.insert(found.end(), inside.begin(), inside.end());
  return found;
}

std::string CompletePath(const std::string& text, const std::vector<FileEntry>& entries) {
  const TypedPath typed = SplitPath(text);
  std::string common;
  int count = 0;
  bool is_folder = false;
  for (const FileEntry& entry : entries) {
    if (!entry.name.starts_with(typed.name)) continue;
    is_folder = entry.is_folder;
    if (count++ == 0) {
      common = entry.name;
      continue;
    }
    const auto differs = std::mismatch(common.begin(), common.end(), entry.name.begin(), entry.name.end());
    common.erase(differs.first, common.end());
  }
  if (count == 0) return text;
  return typed.folder + common + (count == 1 && is_folder ? "/" : "");
}

}  // namespace stiction::viewer
