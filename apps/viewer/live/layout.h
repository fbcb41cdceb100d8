// Where the panels stand: they follow the size of the window.
//
// What touches a side or the lower edge of the window is docked, and so are its edges: every x and y of them
// goes through one monotone map of the window each,
//
//   x   [0, L] [L, W − R] [W − R, W]  ->  the same of the new window, the columns at its sides as wide as
//   they
//       were where there is room
//   y   [top, H]  ->  [top, H'], linear
//
// so that panels that met still meet, and none overlaps another that it did not. What floats keeps its size,
// moves with its centre, and is made smaller only where it would not fit. Places are always computed from
// those of the window in which the user last changed one, never from the last size: back at that size,
// everything is where it was.
#pragma once

#include <vector>

namespace stiction::viewer {

// In units of the window, from its upper left corner.
struct Rectangle {
  float x = 0.0f, y = 0.0f, width = 0.0f, height = 0.0f;

  float right() const { return x + width; }
  float bottom() const { return y + height; }
  bool operator==(const Rectangle&) const = default;
};

// The part of the window that panels share: all of it below the menu bar.
struct Area {
  float width = 1280.0f, height = 720.0f, top = 0.0f;

  bool operator==(const Area&) const = default;
};

class Layout {
 public:
  explicit Layout(std::vector<Rectangle> places = {}, const Area& area = {});

  int size() const { return static_cast<int>(places_.size()); }
  // As the user left them, and in which window.
  const std::vector<Rectangle>& places() const { return places_; }
  const Area& area() const { return area_; }

  // Where panel i stands in a window of another size: inside of it.
  Rectangle Place(int i, const Area& area) const;

  // The user put panel i there: all places count from this window on.
  void Move(int i, const Rectangle& place, const Area& area);

 private:
  bool IsAtLeft(const Rectangle& place) const;
  bool IsAtRight(const Rectangle& place) const;
  bool IsDocked(const Rectangle& place) const;
  float MapX(float x, const Area& area) const;
  float MapY(float y, const Area& area) const;

  std::vector<Rectangle> places_;
  Area area_;
};

}  // namespace stiction::viewer
