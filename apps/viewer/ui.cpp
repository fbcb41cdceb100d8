#include "ui.h"

#include <imgui_internal.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include "stiction/io/log_reader.h"

namespace stiction::viewer::ui {
namespace {

std::map<std::string, Place> places;

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
  places[std::string(ImGui::GetCurrentWindow()->RootWindow->Name) + "/" + shown] = {from.x, from.y, width,
                                                                                    to.y - from.y};
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
  const bool is_changed = ImGui::Checkbox(label, value);
  Mark(label);
  return is_changed;
}

bool Slider(const char* label, double* value, double lower, double upper, const char* format) {
  const bool is_changed = ImGui::SliderScalar(label, ImGuiDataType_Double, value, &lower, &upper, format);
  Mark(label, true);
  return is_changed;
}

bool Selectable(const char* label, bool is_selected) {
  const bool is_pressed = ImGui::Selectable(label, is_selected);
  Mark(label);
  return is_pressed;
}

void Numbers::AddText(const std::string& text) {
  text_ += (text_.empty() ? "" : "   ") + text;
}

void Numbers::Add(const char* name, double value, const char* unit, const char* format) {
  if (std::isnan(value)) {
    unknown_ += (unknown_.empty() ? "" : ", ") + std::string(name);
    return;
  }
  char number[48];
  std::snprintf(number, sizeof number, format, value);
  AddText(std::string(name) + " " + number + (*unit ? " " : "") + unit);
}

void Numbers::AddCount(const char* name, long long count) {
  if (count == kNotLogged) return Add(name, std::numeric_limits<double>::quiet_NaN(), "");
  AddText(std::to_string(count) + " " + name);
}

void Numbers::Show() const {
  if (!text_.empty()) ImGui::TextWrapped("%s", text_.c_str());
  if (unknown_.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  ImGui::TextWrapped("not in this log: %s", unknown_.c_str());
  ImGui::PopStyleColor();
}

void Hint(const char* text) {
  ImGui::SameLine();
  ImGui::TextDisabled("(?)");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text);
}

}  // namespace stiction::viewer::ui
