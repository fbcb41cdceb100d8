#include "live/layout.h"

#include <algorithm>
#include <cmath>

namespace stiction::viewer {
namespace {

// In units of the design. A column is as wide as a panel needs, and a fifth of the window where that is more:
// then the picture has two thirds of the window from 1000 x 600 on.
constexpr float kColumnPart = 0.205f, kColumnAtLeast = 205.0f, kColumnAtMost = 340.0f;
constexpr float kNarrowestColumn = 150.0f;
constexpr float kColumnsPart = 0.5f;      // of the width, at most, of both columns together
constexpr float kUpperPart = 0.45f;       // of the right column
constexpr float kLowestDock = 90.0f;      // height
constexpr float kBottomPart = 0.38f;      // of the height between menu and strip
constexpr float kBottomPartMost = 0.65f;  // the same, as far as the user may pull it
constexpr float kStripAtLeast = 60.0f, kStripAtMost = 96.0f, kStripSlope = 0.18f, kStripFrom = 600.0f;
// Smaller windows have no panels, or no strip.
constexpr float kWidthForPanels = 420.0f, kHeightForPanels = 260.0f, kHeightForStrip = 330.0f;
constexpr float kLine = 1.0f;  // between docks, in units of the window

bool IsUsed(const std::array<bool, kNumDocks>& is_used, Dock dock) {
  return is_used[static_cast<std::size_t>(dock)];
}

float ChooseColumn(const Area& area, float wanted) {
  if (wanted > 0.0f) return std::max(wanted, kNarrowestColumn) * area.scale;
  return std::clamp(kColumnPart * area.width, kColumnAtLeast * area.scale, kColumnAtMost * area.scale);
}

float ChooseStrip(const Area& area) {
  const float height = area.height / area.scale;
  return area.scale *
         std::clamp(kStripAtLeast + kStripSlope * (height - kStripFrom), kStripAtLeast, kStripAtMost);
}

struct Columns {
  float left = 0.0f, right = 0.0f;
};

Columns ChooseColumns(const Area& area, const DockSizes& sizes, bool has_left, bool has_right) {
  Columns columns;
  if (has_left) columns.left = ChooseColumn(area, sizes.left);
  if (has_right) columns.right = ChooseColumn(area, sizes.right);
  const float shrink =
      std::min(1.0f, kColumnsPart * area.width / std::max(columns.left + columns.right, 1.0f));
  return {std::round(shrink * columns.left), std::round(shrink * columns.right)};
}

void PlaceRightColumn(const Area& area, const DockSizes& sizes, const std::array<bool, kNumDocks>& is_used,
                      const Rectangle& column, DockPlaces& places) {
  const bool has_upper = IsUsed(is_used, Dock::kUpperRight), has_lower = IsUsed(is_used, Dock::kLowerRight);
  if (!has_upper || !has_lower) {
    if (has_upper) places.at(Dock::kUpperRight) = column;
    if (has_lower) places.at(Dock::kLowerRight) = column;
    return;
  }
  const float part = sizes.upper > 0.0f ? sizes.upper : kUpperPart;
  const float least = std::min(kLowestDock * area.scale, 0.5f * column.height);
  const float upper = std::round(std::clamp(part * column.height, least, column.height - least));
  places.at(Dock::kUpperRight) = {column.x, column.y, column.width, upper - kLine};
  places.at(Dock::kLowerRight) = {column.x, column.y + upper, column.width, column.height - upper};
}

}  // namespace

DockPlaces PlaceDocks(const Area& area, const DockSizes& sizes, const std::array<bool, kNumDocks>& is_used,
                      bool has_strip) {
  DockPlaces places;
  const float top = std::min(area.menu + kLine, area.height);
  float bottom = std::max(area.height - area.status - kLine, top);
  const bool has_panels = std::find(is_used.begin(), is_used.end(), true) != is_used.end();
  places.is_too_small = has_panels && (area.width < kWidthForPanels * area.scale ||
                                       area.height < kHeightForPanels * area.scale);
  if (has_strip && area.height >= kHeightForStrip * area.scale && !places.is_too_small) {
    const float height = std::round(ChooseStrip(area));
    places.strip = {0.0f, bottom - height, area.width, height};
    bottom -= height + kLine;
  }
  places.picture = {0.0f, top, area.width, bottom - top};
  if (places.is_too_small) return places;
  const bool has_left = IsUsed(is_used, Dock::kLeft);
  const bool has_right = IsUsed(is_used, Dock::kUpperRight) || IsUsed(is_used, Dock::kLowerRight);
  const Columns columns = ChooseColumns(area, sizes, has_left, has_right);
  const float left = has_left ? columns.left + kLine : 0.0f;
  const float right = has_right ? columns.right + kLine : 0.0f;
  if (has_left) places.at(Dock::kLeft) = {0.0f, top, columns.left, bottom - top};
  if (has_right)
    PlaceRightColumn(area, sizes, is_used, {area.width - columns.right, top, columns.right, bottom - top},
                     places);
  places.picture = {left, top, area.width - left - right, bottom - top};
  if (!IsUsed(is_used, Dock::kBottom)) return places;
  const float room = bottom - top;
  const float wanted = sizes.bottom > 0.0f ? sizes.bottom * area.scale : kBottomPart * room;
  const float most = kBottomPartMost * room;
  const float height = std::round(std::clamp(wanted, std::min(kLowestDock * area.scale, most), most));
  places.at(Dock::kBottom) = {left, bottom - height, places.picture.width, height};
  places.picture.height -= height + kLine;
  return places;
}

DockSizes MoveEdge(const Area& area, const DockSizes& sizes, const DockPlaces& places, Dock dock,
                   float position) {
  DockSizes moved = sizes;
  const float most = kColumnsPart * area.width / area.scale;
  const auto width = [&](float wanted) {
    return std::clamp(wanted / area.scale, std::min(kNarrowestColumn, most), most);
  };
  const Rectangle &upper = places.at(Dock::kUpperRight), &lower = places.at(Dock::kLowerRight);
  switch (dock) {
    case Dock::kLeft:
      moved.left = width(position);
      break;
    case Dock::kLowerRight:
      moved.right = width(area.width - position);
      break;
    case Dock::kUpperRight:
      moved.upper = std::clamp((position - upper.y) / std::max(lower.bottom() - upper.y, 1.0f), 0.05f, 0.95f);
      break;
    case Dock::kBottom:
      moved.bottom = std::max((places.at(Dock::kBottom).bottom() - position) / area.scale, kLowestDock);
      break;
  }
  return moved;
}

}  // namespace stiction::viewer
