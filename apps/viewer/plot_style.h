// How curves and marks look, in either theme: the colours of pictures of `stiction plot`.
#pragma once

#include <imgui.h>

#include <string>

namespace stiction::viewer {

// Of the k-th curve of a plot, lighter on dark ground.
ImU32 CurveColor(std::size_t k);
// The run, and what is compared with it.
ImU32 RunColor();
ImU32 CompanionColor();

// Within the budget, above it, came into contact, pulled, marked by the user.
ImU32 GoodColor(float opacity = 1.0f);
ImU32 MissColor(float opacity = 1.0f);
ImU32 ImpactColor();
ImU32 PullColor();
ImU32 BookmarkColor();

// Of the theme: text, what stands behind it, the ground of plots, lines of a grid.
ImU32 TextColor(float opacity = 1.0f);
ImU32 MutedColor(float opacity = 1.0f);
ImU32 PlotGroundColor();
ImU32 GridColor(bool is_fine);

// Units of the window a pixel of a text of 13.
float PlotScaled(float length);

// The label of a tick, in letters that the font has: "10⁻⁸", or "1e-8".
std::string FitLabel(const std::string& label);

// "0.31", "1.2e-13", "1,234"; "not recorded" for NaN.
std::string FormatValue(double value, const std::string& unit);
std::string FormatCount(long long count);
// "41 µs", "16.9 ms", "1.25 s".
std::string FormatDuration(double seconds);

}  // namespace stiction::viewer
