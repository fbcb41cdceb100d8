#include "report_text.h"

#include <algorithm>
#include <cmath>
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

std::string DescribeSprings(const Model& model, const std::vector<Spring>& springs, std::size_t max_names) {
  if (springs.empty()) return "";
  std::string names;
  std::size_t count = 0;
  for (const Spring& spring : springs) {
    if (!spring.is_implicit || ++count > max_names) continue;
    char angle[32];
    std::snprintf(angle, sizeof angle, "ω dt %.3g", spring.angle);
    names += (names.empty() ? ": " : ", ") + DisplayName(model, spring) + " (" +
             (std::isinf(spring.angle) ? "its stiffness varies" : angle) + ")";
  }
  if (count > max_names) names += " and " + std::to_string(count - max_names) + " more";
  return std::to_string(springs.size() - count) + " explicit, " + std::to_string(count) + " implicit" + names;
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
