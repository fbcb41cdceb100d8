#include "remarks.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

namespace stiction::viewer {
namespace {

constexpr std::size_t kMaxLines = 6;  // named of one remark

// Relative to the folder of the model, where that is shorter: what stands beside it goes by its name.
std::string ShortenPath(const std::string& file, const std::filesystem::path& folder) {
  std::error_code error;
  const std::string relative =
      std::filesystem::proximate(file, folder.empty() ? "." : folder, error).string();
  return error || relative.empty() || relative.size() > file.size() ? file : relative;
}

}  // namespace

std::vector<FileRemarks> GroupByFile(const ImportReport& report, const std::string& model_path) {
  const std::filesystem::path folder = std::filesystem::path(model_path).parent_path();
  std::vector<FileRemarks> files;
  std::map<std::string, std::size_t> file_index;
  using Words = std::pair<std::size_t, std::pair<ImportStatus, std::pair<std::string, std::string>>>;
  std::map<Words, std::size_t> remark_index;
  for (const ImportItem& item : report.items) {
    const auto [file, is_new_file] = file_index.try_emplace(item.file, files.size());
    if (is_new_file) files.push_back({item.file, ShortenPath(item.file, folder), {}});
    std::vector<Remark>& remarks = files[file->second].remarks;
    const Words words{file->second, {item.status, {item.item, item.why}}};
    const auto [remark, is_new] = remark_index.try_emplace(words, remarks.size());
    if (is_new) remarks.push_back({item.status, item.item, item.why, {}});
    if (item.line > 0) remarks[remark->second].lines.push_back(item.line);
  }
  for (FileRemarks& file : files)
    std::stable_sort(file.remarks.begin(), file.remarks.end(),
                     [](const Remark& a, const Remark& b) { return a.status > b.status; });
  return files;
}

std::string ListLines(const Remark& remark) {
  std::string text;
  const std::size_t count = std::min(remark.lines.size(), kMaxLines);
  for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + std::to_string(remark.lines[i]);
  if (remark.lines.size() > count) text += " and " + std::to_string(remark.lines.size() - count) + " more";
  return text;
}

}  // namespace stiction::viewer
