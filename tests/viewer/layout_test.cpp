#include "live/layout.h"

#include <gtest/gtest.h>

#include <vector>

namespace stiction::viewer {
namespace {

constexpr std::array<bool, kNumDocks> kAtFirst{false, true, true, false};
constexpr std::array<bool, kNumDocks> kAll{true, true, true, true};

// Bars as high as the design has them.
Area MakeArea(float width, float height, float scale = 1.0f) {
  return {.width = width, .height = height, .scale = scale, .menu = 22.0f * scale, .status = 22.0f * scale};
}

const std::vector<Area> kAreas{MakeArea(1000, 600),      MakeArea(1280, 720),     MakeArea(1440, 900),
                               MakeArea(2560, 1440),     MakeArea(2560, 1440, 2), MakeArea(2000, 1200, 2),
                               MakeArea(1920, 600, 1.5), MakeArea(500, 1400),     MakeArea(3840, 2160)};

std::vector<Rectangle> ListParts(const DockPlaces& places) {
  std::vector<Rectangle> parts(places.docks.begin(), places.docks.end());
  parts.push_back(places.strip);
  parts.push_back(places.picture);
  std::erase_if(parts, [](const Rectangle& part) { return part.is_empty(); });
  return parts;
}

void ExpectInside(const DockPlaces& places, const Area& area) {
  for (const Rectangle& part : ListParts(places)) {
    EXPECT_GE(part.x, 0.0f);
    EXPECT_GE(part.y, area.menu);
    EXPECT_LE(part.right(), area.width);
    EXPECT_LE(part.bottom(), area.height - area.status);
  }
}

bool DoOverlap(const Rectangle& a, const Rectangle& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

TEST(Layout, AtFirstThePictureHasTwoThirdsOfAnyUsualWindow) {
  for (const Area area : {MakeArea(1000, 600), MakeArea(1280, 720), MakeArea(1440, 900), MakeArea(1920, 1080),
                          MakeArea(2560, 1440), MakeArea(2560, 1440, 2), MakeArea(2000, 1200, 2)}) {
    const Rectangle picture = PlaceDocks(area, {}, kAtFirst, true).picture;
    EXPECT_GE(picture.width * picture.height, 0.65f * area.width * area.height)
        << area.width << " x " << area.height << " at " << area.scale;
  }
}

TEST(Layout, PartsFillTheWindowAndDoNotOverlap) {
  for (const Area& area : kAreas) {
    const DockPlaces places = PlaceDocks(area, {}, kAll, true);
    ExpectInside(places, area);
    EXPECT_FALSE(places.is_too_small);
    const std::vector<Rectangle> parts = ListParts(places);
    EXPECT_EQ(parts.size(), 6u);
    float sum = 0.0f;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      sum += parts[i].width * parts[i].height;
      for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(DoOverlap(parts[i], parts[k])) << i << ", " << k;
    }
    // All but the lines between them, a pixel each.
    const float all = area.width * (area.height - area.menu - area.status);
    EXPECT_LE(sum, all);
    EXPECT_GE(sum, all - 4.0f * (area.width + area.height));
  }
}

TEST(Layout, ADockThatShowsNothingTakesNoRoom) {
  const Area area = MakeArea(1280, 720);
  const DockPlaces none = PlaceDocks(area, {}, {}, false);
  EXPECT_EQ(ListParts(none).size(), 1u);
  EXPECT_EQ(none.picture.width, area.width);
  const DockPlaces one = PlaceDocks(area, {}, {false, false, true, false}, false);
  EXPECT_EQ(one.at(Dock::kLowerRight).height, one.picture.height) << "all of the column";
}

TEST(Layout, WhatIsTooSmallForPanelsShowsNone) {
  for (const Area area : {MakeArea(200, 100), MakeArea(60, 60), MakeArea(1, 1), MakeArea(640, 360, 2)}) {
    const DockPlaces places = PlaceDocks(area, {}, kAll, true);
    EXPECT_TRUE(places.is_too_small);
    for (const Rectangle& dock : places.docks) EXPECT_TRUE(dock.is_empty());
    EXPECT_TRUE(places.strip.is_empty());
    EXPECT_LE(places.picture.right(), area.width);
    EXPECT_LE(places.picture.bottom(), area.height);
  }
}

TEST(Layout, AnEdgeStaysWhereItWasPulledTo) {
  const Area area = MakeArea(1600, 900);
  const DockPlaces before = PlaceDocks(area, {}, kAll, true);
  DockSizes sizes = MoveEdge(area, {}, before, Dock::kLowerRight, 1150.0f);
  sizes = MoveEdge(area, sizes, before, Dock::kLeft, 200.0f);
  sizes = MoveEdge(area, sizes, before, Dock::kUpperRight, before.at(Dock::kUpperRight).y + 500.0f);
  sizes = MoveEdge(area, sizes, before, Dock::kBottom, before.at(Dock::kBottom).bottom() - 180.0f);
  const DockPlaces after = PlaceDocks(area, sizes, kAll, true);
  EXPECT_NEAR(after.at(Dock::kLowerRight).x, 1150.0f, 1.0f);
  EXPECT_NEAR(after.at(Dock::kLeft).width, 200.0f, 1.0f);
  EXPECT_NEAR(after.at(Dock::kUpperRight).height, 500.0f, 2.0f);
  EXPECT_NEAR(after.at(Dock::kBottom).height, 180.0f, 1.0f);
  // Twice as large on a screen of twice as many pixels.
  const DockPlaces dense = PlaceDocks(MakeArea(3200, 1800, 2), sizes, kAll, true);
  EXPECT_NEAR(dense.at(Dock::kLowerRight).width, 2.0f * after.at(Dock::kLowerRight).width, 2.0f);
}

TEST(Layout, NoEdgeLeavesTheWindow) {
  for (const Area& area : kAreas) {
    for (const float position : {-500.0f, 0.0f, 300.0f, 9000.0f}) {
      DockSizes sizes;
      for (int i = 0; i < kNumDocks; ++i)
        sizes = MoveEdge(area, sizes, PlaceDocks(area, sizes, kAll, true), static_cast<Dock>(i), position);
      const DockPlaces places = PlaceDocks(area, sizes, kAll, true);
      ExpectInside(places, area);
      EXPECT_GT(places.picture.width, 0.0f);
      EXPECT_GT(places.picture.height, 0.0f);
    }
  }
}

}  // namespace
}  // namespace stiction::viewer
