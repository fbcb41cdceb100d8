#include "theme.h"

namespace stiction::viewer {
namespace {

ImVec4 Rgb(unsigned int hex) {
  return {static_cast<float>(hex >> 16 & 255u) / 255.0f, static_cast<float>(hex >> 8 & 255u) / 255.0f,
          static_cast<float>(hex & 255u) / 255.0f, 1.0f};
}

const Palette kPalettes[] = {
    {.page = Rgb(0x121419),
     .panel = Rgb(0x1a1d23),
     .raised = Rgb(0x22262e),
     .field = Rgb(0x2a2f38),
     .hovered = Rgb(0x353b47),
     .pressed = Rgb(0x414958),
     .line = Rgb(0x2e333d),
     .text = Rgb(0xe3e6eb),
     .muted = Rgb(0x8d95a3),
     .accent = Rgb(0x5a93f2),
     .on_accent = Rgb(0xffffff),
     .good = Rgb(0x58c088),
     .warning = Rgb(0xe2ad55),
     .bad = Rgb(0xec6f66)},
    {.page = Rgb(0xe9ebef),
     .panel = Rgb(0xf8f9fb),
     .raised = Rgb(0xffffff),
     .field = Rgb(0xe8ebf0),
     .hovered = Rgb(0xdbe0e8),
     .pressed = Rgb(0xccd3de),
     .line = Rgb(0xd8dce3),
     .text = Rgb(0x1d2128),
     .muted = Rgb(0x667080),
     .accent = Rgb(0x2c6bdb),
     .on_accent = Rgb(0xffffff),
     .good = Rgb(0x1b844a),
     .warning = Rgb(0x9a6200),
     .bad = Rgb(0xc23a31)},
};

Theme theme_applied = Theme::kDark;
float scale_applied = 1.0f;

ImVec4 Faint(const ImVec4& color, float opacity) {
  return {color.x, color.y, color.z, opacity};
}

void SetColors(const Palette& p, ImVec4* colors) {
  const ImVec4 none{0.0f, 0.0f, 0.0f, 0.0f};
  colors[ImGuiCol_Text] = p.text;
  colors[ImGuiCol_TextDisabled] = p.muted;
  colors[ImGuiCol_WindowBg] = p.panel;
  colors[ImGuiCol_ChildBg] = none;
  colors[ImGuiCol_PopupBg] = p.raised;
  colors[ImGuiCol_Border] = p.line;
  colors[ImGuiCol_BorderShadow] = none;
  colors[ImGuiCol_FrameBg] = p.field;
  colors[ImGuiCol_FrameBgHovered] = p.hovered;
  colors[ImGuiCol_FrameBgActive] = p.pressed;
  colors[ImGuiCol_TitleBg] = p.raised;
  colors[ImGuiCol_TitleBgActive] = p.raised;
  colors[ImGuiCol_TitleBgCollapsed] = p.raised;
  colors[ImGuiCol_MenuBarBg] = p.panel;
  colors[ImGuiCol_ScrollbarBg] = none;
  colors[ImGuiCol_ScrollbarGrab] = p.hovered;
  colors[ImGuiCol_ScrollbarGrabHovered] = p.pressed;
  colors[ImGuiCol_ScrollbarGrabActive] = p.muted;
  colors[ImGuiCol_CheckMark] = p.accent;
  // The value stands over the grab.
  colors[ImGuiCol_SliderGrab] = {p.accent.x, p.accent.y, p.accent.z, 0.5f};
  colors[ImGuiCol_SliderGrabActive] = {p.accent.x, p.accent.y, p.accent.z, 0.7f};
  colors[ImGuiCol_Button] = p.field;
  colors[ImGuiCol_ButtonHovered] = p.hovered;
  colors[ImGuiCol_ButtonActive] = p.pressed;
  colors[ImGuiCol_Header] = Faint(p.accent, 0.22f);
  colors[ImGuiCol_HeaderHovered] = p.hovered;
  colors[ImGuiCol_HeaderActive] = p.pressed;
  colors[ImGuiCol_Separator] = p.line;
  colors[ImGuiCol_SeparatorHovered] = p.accent;
  colors[ImGuiCol_SeparatorActive] = p.accent;
  colors[ImGuiCol_ResizeGrip] = none;
  colors[ImGuiCol_ResizeGripHovered] = p.hovered;
  colors[ImGuiCol_ResizeGripActive] = p.accent;
  colors[ImGuiCol_Tab] = p.panel;
  colors[ImGuiCol_TabHovered] = p.hovered;
  colors[ImGuiCol_TabActive] = p.raised;
  colors[ImGuiCol_TabUnfocused] = p.panel;
  colors[ImGuiCol_TabUnfocusedActive] = p.raised;
  colors[ImGuiCol_PlotLines] = p.accent;
  colors[ImGuiCol_PlotLinesHovered] = p.warning;
  colors[ImGuiCol_PlotHistogram] = p.accent;
  colors[ImGuiCol_PlotHistogramHovered] = p.warning;
  colors[ImGuiCol_TableHeaderBg] = p.raised;
  colors[ImGuiCol_TableBorderStrong] = p.line;
  colors[ImGuiCol_TableBorderLight] = p.line;
  colors[ImGuiCol_TableRowBg] = none;
  colors[ImGuiCol_TableRowBgAlt] = Faint(p.text, 0.03f);
  colors[ImGuiCol_TextSelectedBg] = Faint(p.accent, 0.35f);
  colors[ImGuiCol_DragDropTarget] = p.accent;
  colors[ImGuiCol_NavHighlight] = p.accent;
  colors[ImGuiCol_ModalWindowDimBg] = Faint(p.page, 0.6f);
}

void SetSpaces(ImGuiStyle& style) {
  style.WindowPadding = {12.0f, 10.0f};
  style.FramePadding = {8.0f, 4.0f};
  style.CellPadding = {6.0f, 3.0f};
  style.ItemSpacing = {8.0f, 6.0f};
  style.ItemInnerSpacing = {6.0f, 4.0f};
  style.IndentSpacing = 16.0f;
  style.ScrollbarSize = 11.0f;
  style.GrabMinSize = 12.0f;
  style.WindowMinSize = {16.0f, 16.0f};
  style.WindowRounding = 8.0f;
  style.ChildRounding = 6.0f;
  style.PopupRounding = 8.0f;
  style.FrameRounding = 5.0f;
  style.GrabRounding = 5.0f;
  style.TabRounding = 5.0f;
  style.ScrollbarRounding = 6.0f;
}

}  // namespace

const Palette& Colors() {
  return kPalettes[static_cast<int>(theme_applied)];
}

Theme PresentTheme() {
  return theme_applied;
}

ImU32 Color(const ImVec4& color, float opacity) {
  return ImGui::ColorConvertFloat4ToU32({color.x, color.y, color.z, opacity * color.w});
}

ImVec4 Tint(const ImVec4& color, float part) {
  const ImVec4& base = Colors().panel;
  const auto mix = [part](float a, float b) { return a + part * (b - a); };
  return {mix(base.x, color.x), mix(base.y, color.y), mix(base.z, color.z), 1.0f};
}

void ApplyTheme(Theme theme, float scale) {
  theme_applied = theme;
  scale_applied = scale;
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  SetSpaces(style);
  style.ScaleAllSizes(scale);
  style.WindowBorderSize = 0.0f;
  style.PopupBorderSize = 1.0f;
  style.FrameBorderSize = 0.0f;
  style.WindowMenuButtonPosition = ImGuiDir_None;
  SetColors(Colors(), style.Colors);
}

float Scaled(float length) {
  return scale_applied * length;
}

}  // namespace stiction::viewer
