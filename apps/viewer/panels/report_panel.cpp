// What the reader did with everything in the file: by file, and what was said of several lines once.
#include <algorithm>
#include <memory>

#include "live/remarks.h"
#include "panels.h"
#include "stiction/io/import_report.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

const ImVec4& StatusColor(ImportStatus status) {
  const Palette& colors = Colors();
  return status == ImportStatus::kHonoured       ? colors.good
         : status == ImportStatus::kApproximated ? colors.warning
                                                 : colors.bad;
}

void ShowRemark(const Remark& remark) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ui::Wrapped(ListLines(remark));
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, StatusColor(remark.status));
  ui::Wrapped(remark.item);
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  const std::string what = ToString(remark.status) + (remark.why.empty() ? "" : ": " + remark.why);
  ui::Wrapped(what);
}

void ShowFile(const FileRemarks& file, const bool (&is_shown)[3]) {
  const auto is_wanted = [&](const Remark& remark) { return is_shown[static_cast<int>(remark.status)]; };
  if (std::none_of(file.remarks.begin(), file.remarks.end(), is_wanted)) return;
  const bool is_open =
      ImGui::CollapsingHeader((file.heading + "###" + file.file).c_str(), ImGuiTreeNodeFlags_DefaultOpen);
  ui::Mark(file.heading);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", file.file.c_str());
  if (!is_open || !ImGui::BeginTable(file.file.c_str(), 3, ImGuiTableFlags_RowBg | ImGuiTableFlags_Resizable))
    return;
  ImGui::TableSetupColumn("line", ImGuiTableColumnFlags_WidthStretch, 0.15f);
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch, 0.3f);
  ImGui::TableSetupColumn("outcome", ImGuiTableColumnFlags_WidthStretch, 0.55f);
  ImGui::TableHeadersRow();
  for (const Remark& remark : file.remarks)
    if (is_wanted(remark)) ShowRemark(remark);
  ImGui::EndTable();
}

}  // namespace

void ShowReportPanel(Session& session) {
  if (!session.file) return;
  const ImportReport& report = session.file->report;
  static bool is_shown[3] = {false, true, true};
  int counts[3] = {0, 0, 0};
  for (const ImportItem& item : report.items) ++counts[static_cast<int>(item.status)];
  for (int i = 0; i < 3; ++i) {
    if (i > 0) ImGui::SameLine();
    const std::string label = std::string(ToString(static_cast<ImportStatus>(i))) + " (" +
                              std::to_string(counts[i]) + ")##" + std::to_string(i);
    ui::Checkbox(label.c_str(), &is_shown[i]);
  }
  static std::weak_ptr<const LoadedFile> grouped;
  static std::vector<FileRemarks> files;
  if (grouped.lock() != session.file) {
    grouped = session.file;
    files = GroupByFile(report, session.file->path);
  }
  ImGui::BeginChild("items");
  for (const FileRemarks& file : files) ShowFile(file, is_shown);
  ImGui::EndChild();
}

}  // namespace stiction::viewer
