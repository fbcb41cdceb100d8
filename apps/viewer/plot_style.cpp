#include "plot_style.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "plot/figure.h"
#include "theme.h"

namespace stiction::viewer {
namespace {

float Luminance(const ImVec4& color) {
  return 0.2126f * color.x + 0.7152f * color.y + 0.0722f * color.z;
}

bool IsDark() {
  return PresentTheme() == Theme::kDark;
}

ImVec4 Mix(const ImVec4& a, const ImVec4& b, float part) {
  return {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y), a.z + part * (b.z - a.z), 1.0f};
}

ImU32 WithOpacity(ImVec4 color, float opacity) {
  color.w *= opacity;
  return ImGui::ColorConvertFloat4ToU32(color);
}

// Dark colours are made for white paper.
ImU32 ForGround(const ImVec4& color, float opacity = 1.0f) {
  const float part = IsDark() ? std::clamp(0.75f - 1.1f * Luminance(color), 0.1f, 0.5f) : 0.0f;
  return WithOpacity(Mix(color, {1, 1, 1, 1}, part), opacity);
}

constexpr std::pair<const char*, char> kSuperscripts[] = {{"⁰", '0'}, {"¹", '1'}, {"²", '2'}, {"³", '3'},
                                                          {"⁴", '4'}, {"⁵", '5'}, {"⁶", '6'}, {"⁷", '7'},
                                                          {"⁸", '8'}, {"⁹", '9'}, {"⁻", '-'}};

bool HasSuperscripts() {
  const ImFont* font = ImGui::GetFont();
  return font->FindGlyphNoFallback(0x2074) && font->FindGlyphNoFallback(0x207b);
}

}  // namespace

ImU32 CurveColor(std::size_t k) {
  const char* const text = runner::FindCurveColour(k);
  unsigned rgb = 0;
  std::sscanf(text, "#%x", &rgb);
  const auto part = [rgb](int shift) { return static_cast<float>(rgb >> shift & 255u) / 255.0f; };
  return ForGround({part(16), part(8), part(0), 1.0f});
}

ImU32 RunColor() {
  return CurveColor(0);
}

ImU32 CompanionColor() {
  return CurveColor(1);
}

ImU32 GoodColor(float opacity) {
  return WithOpacity(Colors().good, opacity);
}

ImU32 MissColor(float opacity) {
  return WithOpacity(Colors().bad, opacity);
}

ImU32 ImpactColor() {
  return ForGround({0.88f, 0.55f, 0.1f, 1.0f});
}

ImU32 PullColor() {
  return ForGround({0.62f, 0.42f, 0.85f, 1.0f});
}

ImU32 BookmarkColor() {
  return WithOpacity(Colors().accent, 1.0f);
}

ImU32 TextColor(float opacity) {
  return WithOpacity(Colors().text, opacity);
}

ImU32 MutedColor(float opacity) {
  return WithOpacity(Colors().muted, opacity);
}

ImU32 PlotGroundColor() {
  return WithOpacity(Mix(Colors().panel, IsDark() ? ImVec4(0, 0, 0, 1) : ImVec4(1, 1, 1, 1), 0.5f), 1.0f);
}

ImU32 GridColor(bool is_fine) {
  return TextColor(is_fine ? 0.06f : 0.13f);
}

float PlotScaled(float length) {
  return length * ImGui::GetFontSize() / 13.0f;
}

std::string FitLabel(const std::string& label) {
  if (HasSuperscripts()) return label;
  if (!label.starts_with("10")) return label;
  std::string exponent;
  for (std::size_t i = 2; i < label.size();) {
    const auto found = std::find_if(
        std::begin(kSuperscripts), std::end(kSuperscripts),
        [&](const auto& pair) { return label.compare(i, std::string(pair.first).size(), pair.first) == 0; });
    if (found == std::end(kSuperscripts)) return label;
    exponent += found->second;
    i += std::string(found->first).size();
  }
  return exponent.empty() ? label : "1e" + exponent;
}

std::string FormatValue(double value, const std::string& unit) {
  if (std::isnan(value)) return "not recorded";
  char text[48];
  const double size = std::abs(value);
  std::snprintf(text, sizeof text, size == 0.0 || (size >= 1e-3 && size < 1e6) ? "%.6g" : "%.4g", value);
  return text + (unit.empty() ? "" : " " + unit);
}

std::string FormatDuration(double seconds) {
  char text[48];
  if (seconds < 1e-3)
    std::snprintf(text, sizeof text, "%.0f \u00b5s", 1e6 * seconds);
  else if (seconds < 1.0)
    std::snprintf(text, sizeof text, "%.1f ms", 1e3 * seconds);
  else
    std::snprintf(text, sizeof text, "%.2f s", seconds);
  return text;
}

std::string FormatCount(long long count) {
  std::string text = std::to_string(count);
  for (int i = static_cast<int>(text.size()) - 3; i > (count < 0 ? 1 : 0); i -= 3)
    text.insert(static_cast<std::size_t>(i), ",");
  return text;
}

}  // namespace stiction::viewer
