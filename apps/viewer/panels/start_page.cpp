// What the window shows before there is a model: what it opens, and scenes to begin with.
#include <algorithm>

#include "assets_folder.h"
#include "panels.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

struct Demonstration {
  const char* file;  // below the folder of assets; or a scene that is built in code
  const char* name;
  const char* about;
};
constexpr Demonstration kDemonstrations[] = {
    {"demo/arm_beside_stack.xml", "Arm beside a stack", "ten boxes of 1 kg carry one of 500 kg"},
    {"scenarios/pinch.xml", "Gripper", "picks up a part, which does not creep"},
    {"scenarios/dishes.xml", "Dishes", "bowls in one another: signed distance fields"},
    {"scenarios/nut.xml", "Nut on a bolt", "an M48 nut turns down its thread"},
    {"scenarios/cup.xml", "Cup of balls", "twenty balls in a triangle mesh"},
    {"scenarios/four_bar.xml", "Four-bar linkage", "a crank drives a rocker; the loop stays closed"},
    {"scenarios/ropes.xml", "Ropes", "Atwood's machine, and a finger's tendon"},
    {"scene:clutter:count=40", "Clutter", "forty bodies fall into a box"},
};

constexpr const char* kSceneMark = "scene:";
constexpr float kWidth = 620.0f;

// What opens it; empty: it is not there.
std::string PathOf(const Demonstration& demonstration) {
  const std::filesystem::path& assets = runner::AssetsFolder();
  if (std::string_view(demonstration.file).starts_with(kSceneMark)) return demonstration.file;
  return assets.empty() ? "" : (assets / demonstration.file).string();
}

void ShowDemonstrations(Session& session) {
  if (!ImGui::BeginTable("demonstrations", 2)) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableSetupColumn("about", ImGuiTableColumnFlags_WidthStretch);
  for (const Demonstration& demonstration : kDemonstrations) {
    const std::string path = PathOf(demonstration);
    if (path.empty()) continue;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushStyleColor(ImGuiCol_Text, {0.55f, 0.78f, 1.0f, 1.0f});
    if (ImGui::Selectable(demonstration.name, false, ImGuiSelectableFlags_SpanAllColumns))
      session.requests.open = path;
    ImGui::PopStyleColor();
    ui::Mark(demonstration.name);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(demonstration.about);
  }
  ImGui::EndTable();
}

}  // namespace

void ShowStartPage(Session& session) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * size.x, 0.5f * (size.y + ImGui::GetFrameHeight())}, ImGuiCond_Always,
                          {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(kWidth, size.x), 0.0f});
  ImGui::SetNextWindowSizeConstraints({0.0f, 0.0f}, {size.x, size.y - ImGui::GetFrameHeight()});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {24.0f, 20.0f});
  const bool is_visible =
      ImGui::Begin("Start", nullptr,
                   ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                       ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                       ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PopStyleVar();
  if (is_visible) {
    ImGui::SetWindowFontScale(1.6f);
    ImGui::TextUnformatted("Stiction");
    ImGui::SetWindowFontScale(1.0f);
    ImGui::Dummy({0.0f, 4.0f});
    ImGui::TextWrapped("Drop a file on this window, or type where it is:");
    ShowPathField(session);
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    ImGui::TextWrapped("A model (URDF, MJCF), a scenario, a log (CSV, HDF5) or a saved state (JSON).");
    ImGui::PopStyleColor();
    ImGui::Dummy({0.0f, 8.0f});
    ImGui::TextUnformatted("Or begin with one of these:");
    ShowDemonstrations(session);
    ImGui::Dummy({0.0f, 8.0f});
    ImGui::TextDisabled("F1 shows all keys.");
  }
  ImGui::End();
}

}  // namespace stiction::viewer
