#include "report_text.h"

#include <algorithm>
#include <cstdio>

namespace stiction::runner {

void PrintReport(const char* name, const ImportReport& report) {
  int honoured = 0, approximated = 0, ignored = 0;
  for (const ImportItem& item : report.items) {
    switch (item.status) {
      case ImportStatus::kHonoured:
        ++honoured;
        continue;
      case ImportStatus::kApproximated:
        ++approximated;
        break;
      case ImportStatus::kIgnored:
        ++ignored;
        break;
    }
    std::printf("%s\n", Describe(item).c_str());
  }
  std::printf("%s: %d honoured, %d approximated, %d ignored\n", name, honoured, approximated, ignored);
}

void RefuseIgnored(const ImportReport& report) {
  const auto is_ignored = [](const ImportItem& item) { return item.status == ImportStatus::kIgnored; };
  const auto first = std::find_if(report.items.begin(), report.items.end(), is_ignored);
  if (first == report.items.end()) return;
  const auto count = std::count_if(first, report.items.end(), is_ignored);
  throw LoadError(first->file, first->line, first->item,
                  "ignored: " + first->why + " (--strict; " + std::to_string(count) + " ignored in all)");
}

}  // namespace stiction::runner
