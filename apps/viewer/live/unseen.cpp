#include "live/unseen.h"

#include <filesystem>

namespace stiction::viewer {

std::vector<std::string> ListUnseen(const ImportReport& report) {
  std::vector<std::string> lines;
  for (ImportItem item : report.items) {
    if (item.status != ImportStatus::kIgnored || item.loss != ImportLoss::kHarmless) continue;
    if (item.why.find("cannot be shown") == std::string::npos) continue;
    item.file = std::filesystem::path(item.file).filename();
    lines.push_back(Describe(item));
  }
  return lines;
}

}  // namespace stiction::viewer
