#include "fonts.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

// The files lie in the program as they are: `.incbin` takes no time to compile, whatever their size.
#ifdef STICTION_FONT_REGULAR
__asm__(
    ".section .rodata\n"
    ".balign 16\n"
    "stiction_font_regular: .incbin \"" STICTION_FONT_REGULAR
    "\"\n"
    "stiction_font_regular_end: .byte 0\n"
    ".balign 16\n"
    "stiction_font_strong: .incbin \"" STICTION_FONT_STRONG
    "\"\n"
    "stiction_font_strong_end: .byte 0\n"
    ".previous\n");
extern "C" const unsigned char stiction_font_regular[], stiction_font_regular_end[], stiction_font_strong[],
    stiction_font_strong_end[];
#endif

namespace stiction::viewer {
namespace {

// Heights of lines in units of the design.
constexpr float kRegularSize = 14.0f, kSmallSize = 12.0f, kTitleSize = 26.0f;
constexpr float kBitmapSize = 13.0f;  // of the font that Dear ImGui brings

Fonts fonts;

#ifdef STICTION_FONT_REGULAR

// What names of bodies and files may need, and what the panels write.
constexpr ImWchar kAllGlyphs[] = {0x20,   0x24f,  0x370,  0x52f,  0x1e00, 0x1eff, 0x2000,
                                  0x206f, 0x2070, 0x20cf, 0x2190, 0x22ff, 0};
constexpr ImWchar kFewGlyphs[] = {0x20, 0xff, 0x370, 0x3ff, 0x2010, 0x203a, 0x2190, 0x2193, 0};

// Digits as wide as one another, so that numbers which change stand still. Fonts have such digits as a
// feature that the rasteriser does not know.
void AlignDigits(ImFont& font) {
  float widest = 0.0f;
  for (ImWchar digit = '0'; digit <= '9'; ++digit) widest = std::max(widest, font.GetCharAdvance(digit));
  for (ImWchar digit = '0'; digit <= '9'; ++digit) {
    const ImFontGlyph* found = font.FindGlyphNoFallback(digit);
    if (found == nullptr) continue;
    ImFontGlyph& glyph = font.Glyphs[static_cast<int>(found - font.Glyphs.Data)];
    const float shift = std::round(0.5f * (widest - glyph.AdvanceX));
    glyph.X0 += shift, glyph.X1 += shift;
    glyph.AdvanceX = widest;
    font.IndexAdvanceX[digit] = widest;
  }
}

ImFont* AddFont(const unsigned char* begin, const unsigned char* end, float size, const ImWchar* glyphs) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.OversampleH = 2;
  config.OversampleV = 1;
  config.GlyphRanges = glyphs;
  // The atlas does not write to what it does not own.
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(begin),
                                                    static_cast<int>(end - begin), size, &config);
}

#endif

}  // namespace

const Fonts& GetFonts() {
  return fonts;
}

bool HasScalableFont() {
#ifdef STICTION_FONT_REGULAR
  return true;
#else
  return false;
#endif
}

void MakeFonts(float scale, float density) {
  ImGuiIO& io = ImGui::GetIO();
  io.Fonts->Clear();
#ifdef STICTION_FONT_REGULAR
  const float pixels = scale * density;
  const auto add = [&](bool is_strong, float size, const ImWchar* glyphs) {
    return AddFont(is_strong ? stiction_font_strong : stiction_font_regular,
                   is_strong ? stiction_font_strong_end : stiction_font_regular_end,
                   std::round(size * pixels), glyphs);
  };
  fonts.regular = add(false, kRegularSize, kAllGlyphs);
  fonts.small = add(false, kSmallSize, kAllGlyphs);
  fonts.strong = add(true, kRegularSize, kFewGlyphs);
  fonts.title = add(true, kTitleSize, kFewGlyphs);
  io.Fonts->Build();
  for (ImFont* font : {fonts.regular, fonts.small, fonts.strong, fonts.title}) AlignDigits(*font);
  io.FontGlobalScale = 1.0f / density;
#else
  fonts.regular = fonts.small = fonts.strong = io.Fonts->AddFontDefault();
  ImFontConfig config;
  config.SizePixels = kTitleSize;
  fonts.title = io.Fonts->AddFontDefault(&config);
  io.Fonts->Build();
  io.FontGlobalScale = scale * kRegularSize / kBitmapSize;
  static_cast<void>(density);
#endif
}

}  // namespace stiction::viewer
