// How the window looks: colours, spacing, roundness. One accent, greys, and three colours that mean
// something.
#pragma once

#include <imgui.h>

namespace stiction::viewer {

enum class Theme { kDark, kLight };
inline constexpr const char* kThemeNames[] = {"dark", "light"};

// What text and panels may be scaled by.
inline constexpr double kSmallestScale = 0.5, kLargestScale = 4.0;

struct Palette {
  ImVec4 page;     // behind everything
  ImVec4 panel;    // of columns and bars
  ImVec4 raised;   // cards, popups
  ImVec4 field;    // what can be changed
  ImVec4 hovered;  // the same under the pointer
  ImVec4 pressed;
  ImVec4 line;  // between panels
  ImVec4 text, muted;
  ImVec4 accent, on_accent;
  ImVec4 good, warning, bad;
};

// Of the theme that was applied last.
const Palette& Colors();
Theme PresentTheme();
ImU32 Color(const ImVec4& color, float opacity = 1.0f);
// A color of the palette mixed with the background of panels: of what lies behind text.
ImVec4 Tint(const ImVec4& color, float part);

// Sets the style of the present ImGui context.
//   scale  units of the window a unit of the design
void ApplyTheme(Theme theme, float scale);

// Lengths of the design in units of the window.
float Scaled(float length);

}  // namespace stiction::viewer
