// Pictures, videos, logs and states.
#include "panels.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

void ShowPictures(Session& session) {
  Requests& requests = session.requests;
  if (ui::Button("Screenshot")) requests.screenshot = true;
  ImGui::SameLine();
  if (ui::Button(session.is_recording_video ? "Stop video##video" : "Record video##video"))
    requests.toggle_video = true;
  ImGui::SameLine();
  if (ui::Button(session.is_recording_pictures ? "Stop pictures##pictures" : "Record pictures##pictures"))
    requests.toggle_pictures = true;
}

void ShowLog(Session& session) {
  const bool is_recording = !session.now.log_path.empty();
  for (const char* extension : {"csv", "h5"}) {
    const std::string label = std::string("Record log (") + extension + ")";
    if (ui::Button(label.c_str(), !is_recording)) {
      session.simulation.Do(
          [path = NextFileName(session.file->name, extension)](Player& player) { player.StartLog(path); });
    }
    ImGui::SameLine();
  }
  if (ui::Button("Stop log", is_recording)) session.simulation.Do([](Player& player) { player.StopLog(); });
  if (is_recording) ImGui::Text("Recording to %s", session.now.log_path.c_str());
}

void ShowState(Session& session) {
  if (ui::Button("Save state")) {
    session.simulation.Do([path = NextFileName(session.file->name + "_state", "json")](Player& player) {
      player.SaveState(path);
    });
  }
  ImGui::SameLine();
  if (ui::Button("Copy as <key>")) session.requests.copy = MakeKey(session);
}

}  // namespace

void ShowPathField(Session& session) {
  std::array<char, 1024>& path = session.path_text;
  ImGui::SetNextItemWidth(-60.0f);
  const bool is_entered =
      ImGui::InputText("##path", path.data(), path.size(), ImGuiInputTextFlags_EnterReturnsTrue);
  ui::Mark("Path");
  ImGui::SameLine();
  if ((ui::Button("Open") || is_entered) && path[0] != 0) session.requests.open = path.data();
}

void ShowKeepPanel(Session& session) {
  if (session.has_model()) {
    ShowPictures(session);
    ShowLog(session);
    ShowState(session);
    ImGui::Separator();
  }
  ShowPathField(session);
  ui::Hint(
      "A model, a scenario, a saved state, or a log to play back. Dropping it on the window does the same.");
  ImGui::TextDisabled("Files go to %s", std::filesystem::current_path().c_str());
}

}  // namespace stiction::viewer
