// What the window shows before there is a model: what it opens, what was opened last, and scenes to begin
// with.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "fonts.h"
#include "gallery_list.h"
#include "openable.h"
#include "panels.h"
#include "stiction/scenes/scenes.h"
#include "ui.h"

namespace stiction::viewer {
namespace {

// In units of the design.
constexpr float kSideWidth = 270.0f, kWidthForTwoColumns = 760.0f;
constexpr float kCardPart = 0.13f;  // of the room for them, at first
constexpr float kCardWidth = 196.0f, kCardWidthMost = 300.0f, kCardGap = 14.0f, kPictureAspect = 1.6f;

void ShowSmall(const std::string& text, float width) {
  ImGui::PushFont(GetFonts().small);
  ImGui::PushStyleColor(ImGuiCol_Text, Colors().muted);
  ui::Wrapped(text, width);
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void ShowRecentFile(Session& session, const std::string& path, std::size_t i) {
  const std::filesystem::path file(path);
  const bool is_scene = IsSceneText(path);
  const std::string name = is_scene ? path : file.filename().string();
  const std::string folder = is_scene ? "built in code" : file.parent_path().string();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushID(static_cast<int>(i));
  const float height = ImGui::GetTextLineHeight() + Scaled(20.0f);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("recent", {width, height})) session.requests.open = path;
  ui::Mark("Recent " + name);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered()) {
    list.AddRectFilled(from, {from.x + width, from.y + height}, Color(Colors().hovered), Scaled(5.0f));
    ImGui::SetTooltip("%s", path.c_str());
  }
  const float x = from.x + Scaled(8.0f), room = width - Scaled(16.0f);
  list.AddText({x, from.y + Scaled(2.0f)}, Color(Colors().text), ui::Shorten(name, room).c_str());
  ImGui::PushFont(GetFonts().small);
  list.AddText({x, from.y + ImGui::GetTextLineHeight() + Scaled(5.0f)}, Color(Colors().muted),
               ui::Shorten(folder, room).c_str());
  ImGui::PopFont();
  ImGui::PopID();
}

void ShowSide(Session& session) {
  ImGui::PushFont(GetFonts().title);
  ImGui::TextUnformatted("Stiction");
  ImGui::PopFont();
  ui::Muted("Rigid bodies in contact, with a certificate for every step.");
  // On the page, which is as dark as what lies on panels.
  ImGui::PushStyleColor(ImGuiCol_FrameBg, Colors().raised);
  ImGui::PushStyleColor(ImGuiCol_Button, Colors().raised);
  ImGui::Dummy({0.0f, Scaled(4.0f)});
  if (ui::AccentButton("Open a file...")) session.requests.browse = true;
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("Ctrl+O");
  ShowPathField(session);
  ImGui::PopStyleColor(2);
  ShowSmall(std::string("Or drop it on this window: ") + kOpenableKinds + ".",
            ImGui::GetContentRegionAvail().x);
  const std::vector<std::string>& files = session.settings.recent_files;
  if (files.empty()) return;
  ImGui::Dummy({0.0f, Scaled(6.0f)});
  ui::Heading("Recent");
  for (std::size_t i = 0; i < files.size(); ++i) ShowRecentFile(session, files[i], i);
}

// The place of a picture that is not there yet: the first letters of the name.
void DrawMonogram(ImDrawList& list, const std::string& name, ImVec2 from, ImVec2 to) {
  std::string letters;
  for (std::size_t i = 0; i < name.size() && letters.size() < 2; ++i)
    if (i == 0 || name[i - 1] == ' ')
      letters += static_cast<char>(std::toupper(static_cast<unsigned char>(name[i])));
  ImFont* font = GetFonts().title;
  const float size = font->FontSize * ImGui::GetIO().FontGlobalScale;
  const ImVec2 extent = font->CalcTextSizeA(size, 1e9f, 0.0f, letters.c_str());
  list.AddText(font, size, {0.5f * (from.x + to.x - extent.x), 0.5f * (from.y + to.y - extent.y)},
               Color(Colors().muted, 0.45f), letters.c_str());
}

std::string ShortenToTwoLines(std::string text, float width) {
  const float most = 2.5f * ImGui::GetFontSize();
  const std::string all = text;
  while (ImGui::CalcTextSize((text == all ? text : text + " ...").c_str(), nullptr, false, width).y > most) {
    const std::size_t space = text.rfind(' ');
    if (space == std::string::npos) break;
    text.resize(space);
  }
  return text == all ? text : text + " ...";
}

float CardHeight(float width) {
  return width / kPictureAspect + ImGui::GetTextLineHeight() + 2.0f * Scaled(14.0f) + Scaled(18.0f);
}

void ShowCard(Session& session, const GalleryEntry& entry, float width) {
  const float rounding = Scaled(8.0f), inside = Scaled(10.0f);
  const ImVec2 from = ImGui::GetCursorScreenPos(), size(width, CardHeight(width));
  const ImVec2 to(from.x + size.x, from.y + size.y), split(to.x, from.y + width / kPictureAspect);
  if (ImGui::InvisibleButton(entry.path.c_str(), size)) session.requests.open = entry.path;
  ui::Mark(entry.name);
  const bool is_hovered = ImGui::IsItemHovered();
  const Palette& colors = Colors();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(from, to, Color(is_hovered ? colors.hovered : colors.raised), rounding);
  const ImTextureID picture = ImGui::IsItemVisible() ? session.thumbnails.Find(entry.path) : nullptr;
  if (picture != nullptr) {
    list.AddImageRounded(picture, from, split, {0.0f, 0.0f}, {1.0f, 1.0f}, IM_COL32_WHITE, rounding,
                         ImDrawFlags_RoundCornersTop);
  } else {
    list.AddRectFilled(from, split, Color(colors.field), rounding, ImDrawFlags_RoundCornersTop);
    DrawMonogram(list, entry.name, from, split);
  }
  const float room = width - 2.0f * inside;
  ImGui::PushFont(GetFonts().strong);
  list.AddText({from.x + inside, split.y + Scaled(8.0f)}, Color(colors.text),
               ui::Shorten(entry.name, room).c_str());
  const float y = split.y + Scaled(8.0f) + ImGui::GetTextLineHeight() + Scaled(3.0f);
  ImGui::PopFont();
  ImGui::PushFont(GetFonts().small);
  ImGui::PushClipRect({from.x + inside, y}, {to.x - inside, to.y - Scaled(4.0f)}, true);
  const std::string about = ShortenToTwoLines(entry.about, room);
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {from.x + inside, y}, Color(colors.muted),
               about.c_str(), nullptr, room);
  ImGui::PopClipRect();
  ImGui::PopFont();
  list.AddRect(from, to, Color(is_hovered ? colors.accent : colors.line), rounding);
  if (is_hovered && about != entry.about) {
    ImGui::BeginTooltip();
    ui::Wrapped(entry.about, Scaled(320.0f));
    ImGui::EndTooltip();
  }
}

void ShowGroup(Session& session, const GalleryGroup& group) {
  if (group.entries.empty()) return;
  ui::Heading(group.title);
  const float gap = Scaled(kCardGap), room = ImGui::GetContentRegionAvail().x;
  const float wanted = std::clamp(kCardPart * room, Scaled(kCardWidth), Scaled(kCardWidthMost));
  const int columns = std::max(static_cast<int>((room + gap) / (wanted + gap)), 1);
  const float width =
      std::floor((room - static_cast<float>(columns - 1) * gap) / static_cast<float>(columns));
  if (width < Scaled(60.0f)) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  for (std::size_t i = 0; i < group.entries.size(); ++i) {
    if (i % static_cast<std::size_t>(columns) != 0) ImGui::SameLine();
    ShowCard(session, group.entries[i], width);
  }
  ImGui::PopStyleVar();
  ImGui::Dummy({0.0f, Scaled(8.0f)});
}

}  // namespace

void ShowStartPage(Session& session, const Rectangle& place) {
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({std::max(place.width, 1.0f), std::max(place.height, 1.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {Scaled(24.0f), Scaled(20.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, Colors().page);
  const bool is_visible =
      ImGui::Begin("Start", nullptr,
                   ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                       ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                       ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  if (is_visible) {
    const bool has_two_columns = ImGui::GetContentRegionAvail().x >= Scaled(kWidthForTwoColumns);
    if (has_two_columns) {
      ImGui::BeginChild("side", {Scaled(kSideWidth), 0.0f});
      ShowSide(session);
      ImGui::EndChild();
      ImGui::SameLine(0.0f, Scaled(28.0f));
      ImGui::BeginChild("gallery");
    } else {
      ShowSide(session);
      ImGui::Dummy({0.0f, Scaled(8.0f)});
    }
    for (const GalleryGroup& group : ListGallery()) ShowGroup(session, group);
    if (has_two_columns) ImGui::EndChild();
  }
  ImGui::End();
}

}  // namespace stiction::viewer
