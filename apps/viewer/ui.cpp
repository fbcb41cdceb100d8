#include "ui.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "fonts.h"
#include "live/line_breaks.h"
#include "stiction/io/log_reader.h"
#include "theme.h"

namespace stiction::viewer::ui {
namespace {

constexpr float kNamePart = 0.4f;  // of a line with a name and a value

std::map<std::string, Place> places;

void AddTriangle(ImDrawList& list, ImVec2 center, float radius, float direction, ImU32 color) {
  list.AddTriangleFilled({center.x + direction * radius, center.y},
                         {center.x - direction * 0.8f * radius, center.y - radius},
                         {center.x - direction * 0.8f * radius, center.y + radius}, color);
}

void AddBar(ImDrawList& list, ImVec2 center, float half_width, float half_height, ImU32 color) {
  list.AddRectFilled({center.x - half_width, center.y - half_height},
                     {center.x + half_width, center.y + half_height}, color, 0.5f * half_width);
}

// Three quarters of a circle with a head at its end.
void AddTurn(ImDrawList& list, ImVec2 center, float radius, ImU32 color) {
  constexpr float kPi = 3.14159265f;
  list.PathArcTo(center, 0.8f * radius, -0.35f * kPi, 1.25f * kPi, 20);
  list.PathStroke(color, 0, 0.28f * radius);
  const ImVec2 end(center.x + 0.8f * radius * std::cos(-0.35f * kPi),
                   center.y + 0.8f * radius * std::sin(-0.35f * kPi));
  AddTriangle(list, {end.x - 0.1f * radius, end.y - 0.05f * radius}, 0.5f * radius, -1.0f, color);
}

std::string RootName() {
  const std::string name = ImGui::GetCurrentWindow()->RootWindow->Name;
  return name.substr(0, name.find("##"));
}

}  // namespace

const std::map<std::string, Place>& Places() {
  return places;
}

void ForgetPlaces() {
  places.clear();
}

void Mark(const std::string& label, bool has_label_beside) {
  if (!ImGui::IsItemVisible()) return;
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  float width = to.x - from.x;
  if (has_label_beside)
    width -= ImGui::GetStyle().ItemInnerSpacing.x + ImGui::CalcTextSize(label.c_str(), nullptr, true).x;
  const std::string shown = label.substr(0, label.find("##"));
  places[RootName() + "/" + shown] = {from.x, from.y, width, to.y - from.y};
}

void Wrapped(const std::string& text) {
  Wrapped(text, ImGui::GetContentRegionAvail().x);
}

void Wrapped(const std::string& text, float width) {
  const auto measure = [](const std::string& piece) { return ImGui::CalcTextSize(piece.c_str()).x; };
  // Words that are wider than a line are ImGui's to break.
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  ImGui::TextUnformatted(BreakAtSpaces(text, width, measure).c_str());
  ImGui::PopTextWrapPos();
}

void Muted(const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, Colors().muted);
  Wrapped(text);
  ImGui::PopStyleColor();
}

void Heading(const char* text) {
  ImGui::PushFont(GetFonts().strong);
  ImGui::TextUnformatted(text);
  ImGui::PopFont();
}

std::string Shorten(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  const std::string end = HasScalableFont() ? "\u2026" : "...";
  std::size_t count = text.size();
  std::string shorter;
  while (count > 0) {
    --count;
    while (count > 0 && (static_cast<unsigned char>(text[count]) & 0xc0u) == 0x80u) --count;  // whole letters
    shorter = text.substr(0, count) + end;
    if (ImGui::CalcTextSize(shorter.c_str()).x <= width) break;
  }
  return shorter;
}

void Field(const char* name) {
  const float start = ImGui::GetCursorPosX(), width = kNamePart * ImGui::GetContentRegionAvail().x;
  const std::string shown = Shorten(name, width - ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, Colors().muted);
  ImGui::TextUnformatted(shown.c_str());
  ImGui::PopStyleColor();
  if (shown != name && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", name);
  ImGui::SameLine(start + width);
  ImGui::SetNextItemWidth(-1.0f);
}

void Row(const char* name, const std::string& value) {
  const float start = ImGui::GetCursorPosX(), all = ImGui::GetContentRegionAvail().x;
  const float width = ImGui::CalcTextSize(value.c_str()).x;
  const std::string shown = Shorten(name, all - width - ImGui::GetStyle().ItemSpacing.x);
  ImGui::PushStyleColor(ImGuiCol_Text, Colors().muted);
  ImGui::TextUnformatted(shown.c_str());
  ImGui::PopStyleColor();
  ImGui::SameLine(start + std::max(all - width, 0.0f));
  ImGui::TextUnformatted(value.c_str());
}

void DrawIcon(ImDrawList& list, Icon icon, ImVec2 center, float size, ImU32 color) {
  const float r = 0.5f * size;
  const float x = center.x, y = center.y;
  switch (icon) {
    case Icon::kPlay:
      AddTriangle(list, {x - 0.1f * r, y}, r, 1.0f, color);
      break;
    case Icon::kPause:
      AddBar(list, {x - 0.5f * r, y}, 0.24f * r, r, color);
      AddBar(list, {x + 0.5f * r, y}, 0.24f * r, r, color);
      break;
    case Icon::kStep:
      AddTriangle(list, {x - 0.15f * r, y}, 0.85f * r, 1.0f, color);
      AddBar(list, {x + 0.85f * r, y}, 0.16f * r, 0.85f * r, color);
      break;
    case Icon::kBack:
      AddTriangle(list, {x + 0.15f * r, y}, 0.85f * r, -1.0f, color);
      AddBar(list, {x - 0.85f * r, y}, 0.16f * r, 0.85f * r, color);
      break;
    case Icon::kReset:
      AddBar(list, {x - 1.05f * r, y}, 0.16f * r, 0.85f * r, color);
      AddTriangle(list, {x - 0.2f * r, y}, 0.75f * r, -1.0f, color);
      AddTriangle(list, {x + 0.75f * r, y}, 0.75f * r, -1.0f, color);
      break;
    case Icon::kReload:
      AddTurn(list, center, 1.1f * r, color);
      break;
    case Icon::kClose:
      list.AddLine({x - 0.6f * r, y - 0.6f * r}, {x + 0.6f * r, y + 0.6f * r}, color, 0.2f * r);
      list.AddLine({x - 0.6f * r, y + 0.6f * r}, {x + 0.6f * r, y - 0.6f * r}, color, 0.2f * r);
      break;
    case Icon::kMore:
      for (const float shift : {-0.8f, 0.0f, 0.8f})
        list.AddCircleFilled({x + shift * r, y}, 0.2f * r, color, 12);
      break;
  }
}

bool IconButton(Icon icon, const char* label, bool is_enabled, bool is_accent) {
  const Palette& colors = Colors();
  const float height = ImGui::GetFrameHeight() + Scaled(2.0f);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImGui::BeginDisabled(!is_enabled);
  const bool is_pressed = ImGui::InvisibleButton(label, {height + Scaled(4.0f), height});
  ImGui::EndDisabled();
  Mark(label);
  const ImVec2 to = ImGui::GetItemRectMax();
  const bool is_hovered = is_enabled && ImGui::IsItemHovered();
  const ImVec4& back = is_accent                             ? colors.accent
                       : is_hovered && ImGui::IsItemActive() ? colors.pressed
                       : is_hovered                          ? colors.hovered
                                                             : colors.field;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(from, to, Color(back, is_accent && is_hovered ? 0.85f : 1.0f), Scaled(5.0f));
  DrawIcon(list, icon, {0.5f * (from.x + to.x), 0.5f * (from.y + to.y)}, 0.42f * height,
           Color(is_accent ? colors.on_accent : colors.text, is_enabled ? 1.0f : 0.35f));
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    ImGui::SetTooltip("%s", std::string(label).substr(0, std::string(label).find("##")).c_str());
  return is_pressed && is_enabled;
}

bool Button(const char* label) {
  const bool is_pressed = ImGui::Button(label);
  Mark(label);
  return is_pressed;
}

bool Button(const char* label, bool is_enabled) {
  ImGui::BeginDisabled(!is_enabled);
  const bool is_pressed = Button(label);
  ImGui::EndDisabled();
  return is_pressed && is_enabled;
}

bool Checkbox(const char* label, bool* value) {
  // Smaller than what can be typed into, and with an edge: a box without a tick has to be seen.
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {Scaled(8.0f), Scaled(1.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, Scaled(4.0f));
  ImGui::PushStyleColor(ImGuiCol_Border, Colors().pressed);
  const bool is_changed = ImGui::Checkbox(label, value);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  Mark(label);
  return is_changed;
}

bool Slider(const char* label, double* value, double lower, double upper, const char* format) {
  Field(label);
  const bool is_changed = ImGui::SliderScalar((std::string("##") + label).c_str(), ImGuiDataType_Double,
                                              value, &lower, &upper, format);
  Mark(label);
  return is_changed;
}

bool Selectable(const char* label, bool is_selected) {
  const bool is_pressed = ImGui::Selectable(label, is_selected);
  Mark(label);
  return is_pressed;
}

bool AccentButton(const char* label) {
  const Palette& colors = Colors();
  const ImVec4& accent = colors.accent;
  ImGui::PushStyleColor(ImGuiCol_Button, accent);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, {accent.x, accent.y, accent.z, 0.85f});
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, {accent.x, accent.y, accent.z, 0.7f});
  ImGui::PushStyleColor(ImGuiCol_Text, colors.on_accent);
  const bool is_pressed = Button(label);
  ImGui::PopStyleColor(4);
  return is_pressed;
}

void Numbers::AddText(const std::string& text) {
  parts_.push_back(text);
}

std::string FormatNumber(const char* format, double value) {
  if (value == 0.0) return "0";
  char number[48];
  std::snprintf(number, sizeof number, format, value);
  return number;
}

void Numbers::Add(const char* name, double value, const char* unit, const char* format) {
  if (std::isnan(value)) {
    unknown_ += (unknown_.empty() ? "" : ", ") + std::string(name);
    return;
  }
  AddText(std::string(name) + " " + FormatNumber(format, value) + (*unit ? " " : "") + unit);
}

void Numbers::AddCount(const char* name, long long count) {
  if (count == kNotLogged) return Add(name, std::numeric_limits<double>::quiet_NaN(), "");
  AddText(std::to_string(count) + " " + name);
}

void Numbers::Show() const {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x, gap = Scaled(12.0f);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const char* const text = parts_[i].c_str();
    if (i > 0 && ImGui::GetItemRectMax().x + gap + ImGui::CalcTextSize(text).x <= right)
      ImGui::SameLine(0.0f, gap);
    ImGui::TextUnformatted(text);
    Mark(parts_[i]);
  }
  if (unknown_.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  Wrapped("not recorded: " + unknown_);
  ImGui::PopStyleColor();
}

void Hint(const char* text) {
  ImGui::SameLine();
  ImGui::TextDisabled("(?)");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text);
}

}  // namespace stiction::viewer::ui
