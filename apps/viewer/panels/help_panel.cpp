// All keys and mouse actions.
#include <imgui.h>

#include "keys.h"
#include "panels.h"

namespace stiction::viewer {

void ShowHelpPanel(Session&) {
  if (!ImGui::BeginTable("keys", 2, ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn("key", ImGuiTableColumnFlags_WidthFixed, 190.0f);
  for (const HelpLine& line : ListHelp()) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(line.keys.c_str());
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(line.effect.c_str());
  }
  ImGui::EndTable();
}

}  // namespace stiction::viewer
