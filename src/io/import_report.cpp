#include "stiction/io/import_report.h"

#include <algorithm>
#include <map>
#include <tuple>

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

std::vector<std::string> DescribeLosses(const ImportReport& report) {
  struct Loss {
    const ImportItem* first;
    int count;
  };
  std::vector<Loss> losses;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> known;
  for (const ImportItem& item : report.items) {
    if (!item.is_physical_loss()) continue;
    const auto [found, is_new] = known.try_emplace({item.file, item.item, item.why}, losses.size());
    if (is_new) losses.push_back({&item, 0});
    ++losses[found->second].count;
  }
  std::vector<std::string> lines;
  for (const Loss& loss : losses) {
    lines.push_back(Describe(*loss.first));
    if (loss.count > 1) lines.back() += " (x" + std::to_string(loss.count) + ", first here)";
  }
  return lines;
}

bool ImportReport::HasIgnored() const {
  return std::any_of(items.begin(), items.end(),
                     [](const ImportItem& item) { return item.status == ImportStatus::kIgnored; });
}

}  // namespace stiction
