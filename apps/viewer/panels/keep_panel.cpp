// Pictures, videos, logs and states.
#include "panels.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

// The next button stands beside the last item where it fits.
void NextOnLine(const char* label) {
  ImGui::SameLine();
  const float width = ImGui::CalcTextSize(label).x + 2.0f * ImGui::GetStyle().FramePadding.x;
  if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

void ShowPictures(Session& session) {
  Requests& requests = session.requests;
  if (ui::Button("Screenshot")) requests.screenshot = true;
  NextOnLine("Record video");
  if (ui::Button(session.is_recording_video ? "Stop video##video" : "Record video##video"))
    requests.toggle_video = true;
  NextOnLine("Record pictures");
  if (ui::Button(session.is_recording_pictures ? "Stop pictures##pictures" : "Record pictures##pictures"))
    requests.toggle_pictures = true;
}

void ShowLog(Session& session) {
  const bool is_recording = !session.now.log_path.empty();
  for (const char* extension : {"csv", "h5"}) {
    const std::string label = std::string("Record log (") + extension + ")";
    if (extension == std::string("h5")) NextOnLine(label.c_str());
    if (ui::Button(label.c_str(), !is_recording)) {
      session.simulation.Do(
          [path = NextFileName(session.file->name, extension)](Player& player) { player.StartLog(path); });
    }
  }
  NextOnLine("Stop log");
  if (ui::Button("Stop log", is_recording)) session.simulation.Do([](Player& player) { player.StopLog(); });
  if (is_recording) ui::Muted("Recording to " + session.now.log_path);
}

void ShowState(Session& session) {
  if (ui::Button("Save state")) SaveState(session);
  NextOnLine("Copy as <key>");
  if (ui::Button("Copy as <key>")) session.requests.copy = MakeKey(session);
}

}  // namespace

void SaveState(Session& session) {
  if (!session.has_model()) return;
  session.simulation.Do([path = NextFileName(session.file->name + "_state", "json")](Player& player) {
    player.SaveState(path);
  });
}

void ShowPathField(Session& session) {
  std::array<char, 1024>& path = session.path_text;
  const float button = ImGui::CalcTextSize("Open").x + 2.0f * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(-button - ImGui::GetStyle().ItemSpacing.x);
  const bool is_entered = ImGui::InputTextWithHint("##path", "path of a file", path.data(), path.size(),
                                                   ImGuiInputTextFlags_EnterReturnsTrue);
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
  std::error_code error;
  ui::Muted("Files go to " + std::filesystem::current_path(error).string());
}

}  // namespace stiction::viewer
