#include "stiction/io/import_report.h"

#include <algorithm>

namespace stiction {

const char* ToString(ImportStatus status) {
  switch (status) {
    case ImportStatus::kHonoured:
      return "honoured";
    case ImportStatus::kApproximated:
      return "approximated";
    case ImportStatus::kIgnored:
      return "ignored";
  }
  return "";
}

std::string Describe(const ImportItem& item) {
  const std::string line = item.line > 0 ? ":" + std::to_string(item.line) : "";
  return item.file + line + ": " + item.item + " " + ToString(item.status) + ": " + item.why;
}

bool ImportReport::HasIgnored() const {
  return std::any_of(items.begin(), items.end(),
                     [](const ImportItem& item) { return item.status == ImportStatus::kIgnored; });
}

}  // namespace stiction
