// What the reader did with everything in the file.
#include "panels.h"
#include "ui.h"

namespace stiction::viewer {

void ShowReportPanel(Session& session) {
  if (!session.file) return;
  const ImportReport& report = session.file->report;
  static bool is_shown[] = {false, true, true};
  static const ImVec4 colors[] = {{0.5f, 0.9f, 0.5f, 1}, {0.95f, 0.8f, 0.4f, 1}, {0.95f, 0.5f, 0.4f, 1}};
  int counts[3] = {0, 0, 0};
  for (const ImportItem& item : report.items) ++counts[static_cast<int>(item.status)];
  for (int i = 0; i < 3; ++i) {
    if (i > 0) ImGui::SameLine();
    const std::string label = std::string(ToString(static_cast<ImportStatus>(i))) + " (" +
                              std::to_string(counts[i]) + ")##" + std::to_string(i);
    ui::Checkbox(label.c_str(), &is_shown[i]);
  }
  ImGui::BeginChild("items");
  std::vector<const ImportItem*> items;
  for (const ImportItem& item : report.items)
    if (is_shown[static_cast<int>(item.status)]) items.push_back(&item);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(items.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const ImportItem& item = *items[static_cast<std::size_t>(i)];
      ImGui::TextColored(colors[static_cast<int>(item.status)], "%s", Describe(item).c_str());
    }
  }
  ImGui::EndChild();
}

}  // namespace stiction::viewer
