#include "live/unseen.h"

#include <filesystem>

namespace stiction::viewer {
namespace {

// A picture or a mesh that the file names, or one that a mesh file names.
bool IsUnseen(const ImportItem& item) {
  const auto says = [&](const char* words) { return item.why.find(words) != std::string::npos; };
  if (item.status == ImportStatus::kApproximated) return says("drawn without some of its looks");
  return item.status == ImportStatus::kIgnored && item.loss == ImportLoss::kHarmless &&
         says("cannot be shown");
}

}  // namespace

std::vector<std::string> ListUnseen(const ImportReport& report) {
  std::vector<std::string> lines;
  for (ImportItem item : report.items) {
    if (!IsUnseen(item)) continue;
    item.file = std::filesystem::path(item.file).filename();
    lines.push_back(Describe(item));
  }
  return lines;
}

}  // namespace stiction::viewer
