// Lines and text as an SVG picture on white ground. The plotting libraries that Debian packages for C and C++
// bring Qt, wxWidgets and a Fortran compiler (PLplot) or a window system: too much for one kind of plot.
#pragma once

#include <string>
#include <vector>

namespace stiction::runner {

// The text with what SVG and HTML read as their own replaced.
std::string EscapeMarkup(const std::string& text);

// Lengths in pixels, y downwards. Colours and dashes as SVG has them; text may hold any character.
class SvgDrawing {
 public:
  enum class Anchor { kStart, kMiddle, kEnd };
  struct Point {
    double x, y;
  };

  SvgDrawing(double width, double height);
  void Line(double x0, double y0, double x1, double y1, const char* colour);
  void Polyline(const std::vector<Point>& points, const char* colour, const char* dash);
  void Rectangle(double x, double y, double width, double height, const char* colour);
  void Text(double x, double y, const std::string& text, Anchor anchor, int size = 12);
  // Read from below, centred.
  void VerticalText(double x, double y, const std::string& text, int size = 12);
  // The whole document.
  std::string Finish() const { return text_ + "</svg>\n"; }

 private:
  std::string text_;
};

}  // namespace stiction::runner
