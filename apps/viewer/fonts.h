// The fonts of the window: scalable ones that the build embeds, or where it found none Dear ImGui's bitmaps.
#pragma once

struct ImFont;

namespace stiction::viewer {

struct Fonts {
  ImFont* regular = nullptr;
  ImFont* small = nullptr;
  ImFont* strong = nullptr;  // headings among text
  ImFont* title = nullptr;
};

// Of the present context; null before MakeFonts().
const Fonts& GetFonts();

// Whether the build embedded a font that can be scaled.
bool HasScalableFont();

// Replaces the fonts of the present ImGui context.
//   scale    units of the window a unit of the design, in which text is 14 high
//   density  pixels a unit of the window
// A texture that was made of the old ones has to be made again.
void MakeFonts(float scale, float density);

}  // namespace stiction::viewer
