// What is being recorded, in the lower left corner of the picture; it is in no picture or video itself.
#include "panels.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

// A red dot and what it records, with the button that ends it.
bool ShowRecorded(const std::string& what, const char* end) {
  const float height = ImGui::GetFrameHeight(), radius = Scaled(6.0f);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddCircleFilled({at.x + radius, at.y + 0.5f * height}, radius,
                                              IM_COL32(230, 40, 40, 255));
  ImGui::Dummy({2.0f * radius, height});
  ui::Mark(what);
  ImGui::SameLine();
  return ui::Button(end);
}

}  // namespace

void ShowRecordingMark(Session& session) {
  const std::string& log = session.now.log_path;
  if (!session.is_recording_video && !session.is_recording_pictures && log.empty()) return;
  const Rectangle& picture = session.places.now.picture;
  const float margin = Scaled(8.0f);
  ImGui::SetNextWindowPos({picture.x + margin, picture.y + picture.height - margin}, ImGuiCond_Always,
                          {0.0f, 1.0f});
  ImGui::Begin("Recording", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
  if (session.is_recording_video && ShowRecorded("Video", "Stop video")) session.requests.toggle_video = true;
  if (session.is_recording_pictures && ShowRecorded("Pictures", "Stop pictures"))
    session.requests.toggle_pictures = true;
  if (!log.empty() && ShowRecorded("Log", "Stop log"))
    session.simulation.Do([](Player& player) { player.StopLog(); });
  ImGui::End();
}

}  // namespace stiction::viewer
