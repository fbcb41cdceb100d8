// Where the parts of the window stand: columns at its sides, a row below, and the picture in what is left.
//
//   +----------------------------------+
//   | menu                             |
//   +------+-------------------+-------+
//   |      | picture           | upper |
//   | left |                   | right |
//   |      +-------------------+-------+
//   |      | bottom            | lower |
//   |      |                   | right |
//   +------+-------------------+-------+
//   | strip                            |
//   | status                           |
//   +----------------------------------+
//
// Each dock shows one of its panels at a time and takes no room while it has none. All follows from the size
// of the window alone, so that back at a size everything is where it was; nothing leaves the window, and the
// picture gives way last. What is too small for panels shows none.
#pragma once

#include <array>

namespace stiction::viewer {

// In units of the window, from its upper left corner.
struct Rectangle {
  float x = 0.0f, y = 0.0f, width = 0.0f, height = 0.0f;

  float right() const { return x + width; }
  float bottom() const { return y + height; }
  bool is_empty() const { return width <= 0.0f || height <= 0.0f; }
  bool operator==(const Rectangle&) const = default;
};

enum class Dock { kLeft, kUpperRight, kLowerRight, kBottom };
inline constexpr int kNumDocks = 4;
inline constexpr const char* kDockNames[kNumDocks] = {"Left", "Upper right", "Lower right", "Bottom"};

// As the user left them, in units of the design. 0: the layout chooses.
struct DockSizes {
  float left = 0.0f, right = 0.0f;  // widths
  float bottom = 0.0f;              // height
  float upper = 0.0f;               // part of the right column's height that is the upper dock's

  bool operator==(const DockSizes&) const = default;
};

// The window, and the bars that it always has.
struct Area {
  float width = 1280.0f, height = 720.0f;
  float scale = 1.0f;                // units of the window a unit of the design
  float menu = 0.0f, status = 0.0f;  // heights
};

struct DockPlaces {
  std::array<Rectangle, kNumDocks> docks{};  // empty where a dock is not used
  Rectangle strip;                           // over the full width; empty where there is none
  Rectangle picture;
  bool is_too_small = false;  // for the panels that there are

  Rectangle& at(Dock dock) { return docks[static_cast<std::size_t>(dock)]; }
  const Rectangle& at(Dock dock) const { return docks[static_cast<std::size_t>(dock)]; }
};

//   is_used    of each dock: whether it has a panel to show
//   has_strip  whether there is something to show in the strip
DockPlaces PlaceDocks(const Area& area, const DockSizes& sizes, const std::array<bool, kNumDocks>& is_used,
                      bool has_strip);

// The sizes after the edge of a dock that faces the picture was put at `position` (x; y of the bottom one; of
// the upper right one its lower edge): within what PlaceDocks() would give.
DockSizes MoveEdge(const Area& area, const DockSizes& sizes, const DockPlaces& places, Dock dock,
                   float position);

}  // namespace stiction::viewer
