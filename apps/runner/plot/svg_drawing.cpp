#include "svg_drawing.h"

#include <cstdio>

namespace stiction::runner {
namespace {

// A tenth of a pixel is enough.
std::string Number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", x);
  return text;
}

std::string Attribute(const char* name, double x) {
  return std::string(" ") + name + "=\"" + Number(x) + "\"";
}

}  // namespace

std::string EscapeMarkup(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

SvgDrawing::SvgDrawing(double width, double height) {
  text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"" +
          Attribute("width", width) + Attribute("height", height) + " viewBox=\"0 0 " + Number(width) + " " +
          Number(height) + "\" font-family=\"DejaVu Sans, Helvetica, sans-serif\">\n" +
          "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
}

void SvgDrawing::Line(double x0, double y0, double x1, double y1, const char* colour) {
  text_ += "<line" + Attribute("x1", x0) + Attribute("y1", y0) + Attribute("x2", x1) + Attribute("y2", y1) +
           " stroke=\"" + colour + "\"/>\n";
}

void SvgDrawing::Polyline(const std::vector<Point>& points, const char* colour, const char* dash) {
  text_ += std::string("<polyline fill=\"none\" stroke-width=\"1.8\" stroke-linejoin=\"round\" stroke=\"") +
           colour + "\"";
  if (*dash != '\0') text_ += std::string(" stroke-dasharray=\"") + dash + "\"";
  text_ += " points=\"";
  for (const Point& point : points) text_ += Number(point.x) + "," + Number(point.y) + " ";
  text_.back() = '"';
  text_ += "/>\n";
}

void SvgDrawing::Rectangle(double x, double y, double width, double height, const char* colour) {
  text_ += "<rect fill=\"none\"" + Attribute("x", x) + Attribute("y", y) + Attribute("width", width) +
           Attribute("height", height) + " stroke=\"" + colour + "\"/>\n";
}

void SvgDrawing::Text(double x, double y, const std::string& text, Anchor anchor, int size) {
  const char* const name = anchor == Anchor::kStart ? "start" : anchor == Anchor::kMiddle ? "middle" : "end";
  text_ += "<text" + Attribute("x", x) + Attribute("y", y) + " font-size=\"" + std::to_string(size) +
           "\" text-anchor=\"" + name + "\">" + EscapeMarkup(text) + "</text>\n";
}

void SvgDrawing::VerticalText(double x, double y, const std::string& text, int size) {
  text_ += "<text transform=\"translate(" + Number(x) + " " + Number(y) + ") rotate(-90)\" font-size=\"" +
           std::to_string(size) + "\" text-anchor=\"middle\">" + EscapeMarkup(text) + "</text>\n";
}

}  // namespace stiction::runner
