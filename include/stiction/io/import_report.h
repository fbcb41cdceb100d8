// What a reader did with everything that it found in a file.
//
// Nothing is dropped in silence: every element or attribute that the engine does not simulate as written
// stands here, with file and line.
#pragma once

#include <string>
#include <vector>

namespace stiction {

enum class ImportStatus {
  kHonoured,      // simulated as written
  kApproximated,  // simulated, but not exactly as written; `why` says how
  kIgnored,       // without effect; `why` says so
};

// "honoured", "approximated", "ignored".
const char* ToString(ImportStatus status);

struct ImportItem {
  std::string file;
  int line = 0;      // 1-based; 0 where a line makes no sense
  std::string item;  // "element" or "element[@attribute]"
  ImportStatus status = ImportStatus::kHonoured;
  std::string why;
};

// "file:line: element status: why"; without the line where there is none.
std::string Describe(const ImportItem& item);

struct ImportReport {
  std::vector<ImportItem> items;
  bool HasIgnored() const;
};

}  // namespace stiction
