#include "layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stiction::viewer {
namespace {

constexpr float kNear = 3.0f;           // so close, two edges are one [pixels]
constexpr float kWidest = 0.5f;         // of the window: what is wider is no column
constexpr float kColumnsAtMost = 0.6f;  // of the window: more of it the columns do not take from the picture

}  // namespace

Layout::Layout(std::vector<Rectangle> places, const Area& area) : places_(std::move(places)), area_(area) {}

bool Layout::IsAtLeft(const Rectangle& place) const {
  return place.x <= kNear;
}

bool Layout::IsAtRight(const Rectangle& place) const {
  return place.right() >= area_.width - kNear;
}

bool Layout::IsDocked(const Rectangle& place) const {
  return IsAtLeft(place) || IsAtRight(place) || place.bottom() >= area_.height - kNear;
}

float Layout::MapX(float x, const Area& area) const {
  float left = 0.0f, right = 0.0f;  // widths of the columns
  for (const Rectangle& place : places_) {
    if (place.width > kWidest * area_.width) continue;
    if (IsAtLeft(place)) left = std::max(left, place.right());
    if (IsAtRight(place)) right = std::max(right, area_.width - place.x);
  }
  const float scale = std::min(1.0f, kColumnsAtMost * area.width / std::max(left + right, 1.0f));
  if (x <= left) return scale * x;
  if (x >= area_.width - right) return area.width - scale * (area_.width - x);
  const float part = (x - left) / std::max(area_.width - right - left, 1.0f);
  return scale * left + part * (area.width - scale * (left + right));
}

float Layout::MapY(float y, const Area& area) const {
  const float part = (y - area_.top) / std::max(area_.height - area_.top, 1.0f);
  return area.top + std::max(part, 0.0f) * std::max(area.height - area.top, 0.0f);
}

Rectangle Layout::Place(int i, const Area& area) const {
  const Rectangle& place = places_[static_cast<std::size_t>(i)];
  const float height = std::max(area.height - area.top, 1.0f);  // that there is
  if (area == area_) return place;
  if (IsDocked(place)) {
    // Whole pixels, so that what met still meets.
    const auto edge = [](float at, float last) { return std::round(std::clamp(at, 0.0f, last)); };
    const float x = edge(MapX(place.x, area), area.width), y = edge(MapY(place.y, area), area.height);
    return {x, y, edge(MapX(place.right(), area), area.width) - x,
            edge(MapY(place.bottom(), area), area.height) - y};
  }
  Rectangle moved;
  moved.width = std::min(place.width, area.width);
  moved.height = std::min(place.height, height);
  const float center_x = (place.x + 0.5f * place.width) * area.width / area_.width;
  const float center_y = MapY(place.y + 0.5f * place.height, area);
  moved.x = std::round(std::clamp(center_x - 0.5f * moved.width, 0.0f, area.width - moved.width));
  moved.y =
      std::round(std::clamp(center_y - 0.5f * moved.height, area.top, area.top + height - moved.height));
  return moved;
}

void Layout::Move(int i, const Rectangle& place, const Area& area) {
  std::vector<Rectangle> places;
  for (int k = 0; k < size(); ++k) places.push_back(k == i ? place : Place(k, area));
  places_ = std::move(places);
  area_ = area;
}

}  // namespace stiction::viewer
