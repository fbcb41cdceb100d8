#include "live/layout.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace stiction::viewer {
namespace {

constexpr Area kFirst{1280, 720, 19};

// Two columns, a row between them, and a panel that floats.
const std::vector<Rectangle> kPlaces{{0, 19, 270, 226},     {0, 245, 270, 475},   {1010, 19, 270, 331},
                                     {1010, 350, 270, 370}, {270, 531, 740, 189}, {290, 30, 560, 480}};
constexpr int kFloating = 5;

std::vector<Rectangle> PlaceAll(const Layout& layout, const Area& area) {
  std::vector<Rectangle> places;
  for (int i = 0; i < layout.size(); ++i) places.push_back(layout.Place(i, area));
  return places;
}

void ExpectInside(const std::vector<Rectangle>& places, const Area& area) {
  for (const Rectangle& place : places) {
    EXPECT_GE(place.x, 0.0f);
    EXPECT_GE(place.y, area.top);
    EXPECT_LE(place.right(), area.width);
    EXPECT_LE(place.bottom(), area.height);
  }
}

TEST(Layout, DockedPanelsStillMeetInAWindowOfAnySize) {
  const Layout layout(kPlaces, kFirst);
  for (const Area area : {Area{1000, 600, 19}, Area{1280, 720, 19}, Area{2560, 1440, 19}, Area{1920, 600, 25},
                          Area{641, 1399, 19}, Area{333, 251, 19}}) {
    const std::vector<Rectangle> at = PlaceAll(layout, area);
    ExpectInside(at, area);
    EXPECT_EQ(at[0].y, area.top);
    EXPECT_EQ(at[0].bottom(), at[1].y);
    EXPECT_EQ(at[1].bottom(), area.height);
    EXPECT_EQ(at[0].width, at[1].width);
    EXPECT_EQ(at[2].bottom(), at[3].y);
    EXPECT_EQ(at[2].right(), area.width);
    EXPECT_EQ(at[4].x, at[1].right());
    EXPECT_EQ(at[4].right(), at[3].x);
    EXPECT_EQ(at[4].bottom(), area.height);
    EXPECT_GE(at[4].width, 0.39f * area.width) << "the columns leave room for the picture";
  }
  EXPECT_EQ(layout.Place(0, {2560, 1440, 19}).width, 270.0f) << "columns stay as wide as they are";
  EXPECT_EQ(layout.Place(2, {1000, 600, 19}).width, 270.0f);
}

TEST(Layout, WhatFloatsKeepsItsSizeAndStaysInside) {
  const Layout layout(kPlaces, kFirst);
  const Rectangle large = layout.Place(kFloating, {2560, 1440, 19});
  EXPECT_EQ(large.width, 560.0f);
  EXPECT_EQ(large.height, 480.0f);
  const Rectangle small = layout.Place(kFloating, {500, 300, 19});
  EXPECT_EQ(small.width, 500.0f);
  EXPECT_EQ(small.height, 281.0f);
}

TEST(Layout, BackAtTheOldSizeAllIsAsItWas) {
  Layout layout(kPlaces, kFirst);
  EXPECT_EQ(PlaceAll(layout, kFirst), kPlaces);
  for (const Area area : {Area{40, 40, 19}, Area{3000, 2000, 19}, Area{1, 1, 19}}) PlaceAll(layout, area);
  EXPECT_EQ(PlaceAll(layout, kFirst), kPlaces);
}

// The user moves one in another window: all count from there.
TEST(Layout, AMovedPanelStaysWhereItWasPut) {
  Layout layout(kPlaces, kFirst);
  const Area wide{1900, 900, 19};
  const std::vector<Rectangle> before = PlaceAll(layout, wide);
  const Rectangle there{700, 200, 300, 200};
  layout.Move(3, there, wide);
  for (int i = 0; i < layout.size(); ++i) EXPECT_EQ(layout.Place(i, wide), i == 3 ? there : before[i]) << i;
  EXPECT_EQ(layout.area(), wide);
  ExpectInside(PlaceAll(layout, {1000, 600, 19}), {1000, 600, 19});
}

TEST(Layout, WhatWasDraggedOverTheEdgeComesBackInside) {
  Layout layout(kPlaces, kFirst);
  layout.Move(0, {-100, 400, 270, 226}, kFirst);
  layout.Move(2, {1200, 600, 270, 331}, kFirst);
  for (const Area area : {Area{1000, 600, 19}, Area{2560, 1440, 19}})
    ExpectInside(PlaceAll(layout, area), area);
}

}  // namespace
}  // namespace stiction::viewer
