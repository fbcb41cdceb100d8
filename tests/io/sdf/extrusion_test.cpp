// Prisms over plane figures: closed, wound outwards, and of the volume and area that the figure has.
#include "io/sdf/extrusion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/geometry/mesh_surface.h"
#include "tests/support/random_numbers.h"

namespace stiction::sdformat {
namespace {

struct Measures {
  double area = 0.0, length = 0.0;
};

Measures Measure(const Outline& outline) {
  Measures out;
  double twice = 0.0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vector2d &a = outline[i], &b = outline[(i + 1) % outline.size()];
    twice += a.x() * b.y() - a.y() * b.x();
    out.length += (b - a).norm();
  }
  out.area = std::abs(0.5 * twice);
  return out;
}

// Triangles that overlap, or leave something out, would have another area.
void ExpectPrism(const std::vector<Outline>& outlines, double area, double length, double height) {
  const TriangleMesh mesh = Extrude(outlines, height);
  const PlacedMesh placed = MakeMesh(mesh);
  EXPECT_TRUE(placed.mesh.surface->is_closed);
  EXPECT_FALSE(placed.mesh.surface->was_turned);
  EXPECT_EQ(placed.mesh.surface->num_dropped, 0);
  EXPECT_EQ(placed.mesh.surface->num_crowded_edges, 0);
  EXPECT_NEAR(CalcSignedVolume(mesh), area * height, 1e-12 * area * height);
  EXPECT_NEAR(CalcArea(mesh), 2.0 * area + length * height, 1e-12 * (area + length * height));
}

Outline Rectangle(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

TEST(Extrusion, OfOneOutline) {
  ExpectPrism({Rectangle(0, 0, 2, 1)}, 2.0, 6.0, 0.5);
  ExpectPrism({{{0, 0}, {0, 1}, {2, 1}, {2, 0}, {0, 0}}}, 2.0, 6.0, 0.5);  // clockwise, closed by hand
  ExpectPrism({{{0, 0}, {1, 0}, {2, 0}, {2, 1}, {1, 1}, {0, 1}, {0, 0.5}}}, 2.0, 6.0, 3.0);
  ExpectPrism({{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}}}, 5.0, 12.0, 1.0);                  // an L
  ExpectPrism({{{0, 0}, {4, 0}, {4, 3}, {3, 3}, {3, 1}, {1, 1}, {1, 3}, {0, 3}}}, 8.0, 18.0, 1.0);  // a U
}

TEST(Extrusion, OfHolesAndWhatStandsInThem) {
  ExpectPrism({Rectangle(0, 0, 1, 1), Rectangle(.25, .25, .75, .75)}, 0.75, 6.0, 2.0);
  // In any order; an island in the hole, and a second figure beside.
  ExpectPrism({Rectangle(3, 3, 4, 4), Rectangle(1, 1, 6, 6), Rectangle(0, 0, 8, 8), Rectangle(10, 0, 11, 1)},
              64.0 - 25.0 + 1.0 + 1.0, 32.0 + 20.0 + 4.0 + 4.0, 1.0);
  // Holes one beside the other, at one height, whose bridges start at one point.
  std::vector<Outline> plate{Rectangle(0, 0, 9, 3)};
  for (int k = 0; k < 4; ++k) plate.push_back(Rectangle(1 + 2 * k, 1, 2 + 2 * k, 2));
  ExpectPrism(plate, 27.0 - 4.0, 24.0 + 16.0, 0.1);
  std::vector<Outline> sieve{Rectangle(0, 0, 9, 9)};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) sieve.push_back(Rectangle(1 + 2 * i, 1 + 2 * j, 2 + 2 * i, 2 + 2 * j));
  ExpectPrism(sieve, 81.0 - 16.0, 36.0 + 64.0, 0.1);
}

// Stars about a point, one within the other, of which the second and the fourth are holes.
TEST(Extrusion, OfRandomStars) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    testing::RandomNumbers random(seed);
    std::vector<Outline> outlines;
    double area = 0.0, length = 0.0;
    const int rings = 1 + random.Index(4);
    for (int ring = 0; ring < rings; ++ring) {
      Outline star;
      const int count = 3 + random.Index(30);
      // Within a ring of its own, which chords between neighbours do not leave.
      const double outer = std::pow(0.2, ring), inner = 0.5 * outer;
      for (int i = 0; i < count; ++i) {
        const double angle = 2.0 * std::numbers::pi * (i + random.Uniform(0.1, 0.9)) / count;
        const double radius = count < 8 ? outer : random.Uniform(inner, outer);
        star.push_back(radius * Vector2d(std::cos(angle), std::sin(angle)));
      }
      if (!star.empty() && random.Index(2)) std::reverse(star.begin(), star.end());
      const Measures measures = Measure(star);
      area += ring % 2 == 0 ? measures.area : -measures.area;
      length += measures.length;
      outlines.push_back(std::move(star));
    }
    SCOPED_TRACE(seed);
    try {
      ExpectPrism(outlines, area, length, 0.3);
    } catch (const std::invalid_argument& error) {
      // Chords of stars with few points may cut into the ring within.
      EXPECT_NE(std::string(error.what()).find("cross"), std::string::npos) << error.what();
    }
  }
}

TEST(Extrusion, RefusesWhatIsNoFigure) {
  const auto failure = [](const std::vector<Outline>& outlines, double height = 1.0) -> std::string {
    try {
      (void)Extrude(outlines, height);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(failure({}).find("no outline"), std::string::npos);
  EXPECT_NE(failure({{{0, 0}, {1, 0}, {0, 0}}}).find("three points"), std::string::npos);
  EXPECT_NE(failure({Rectangle(0, 0, 1, 1)}, 0.0).find("height"), std::string::npos);
  EXPECT_NE(failure({{{0, 0}, {1, 1}, {1, 0}, {0, 1}}}).find("cross"), std::string::npos);  // a bow tie
  EXPECT_NE(failure({Rectangle(0, 0, 2, 2), Rectangle(1, 1, 3, 3)}).find("cross"), std::string::npos);
  EXPECT_NE(failure({Rectangle(0, 0, 2, 2), Rectangle(1, 1, 2, 1.5)}).find("touch"), std::string::npos);
  EXPECT_NE(failure({{{0, 0}, {2, 0}, {1, 0}}}).find("back"), std::string::npos);
  EXPECT_NE(failure({{{0, 0}, {NAN, 0}, {1, 1}}}).find("finite"), std::string::npos);
  EXPECT_NE(failure({Outline(5000, Vector2d(0, 0))}).find("three points"), std::string::npos);
  Outline circle;
  for (int i = 0; i < 5000; ++i)
    circle.emplace_back(std::cos(2e-4 * std::numbers::pi * i * 2), std::sin(2e-4 * std::numbers::pi * i * 2));
  EXPECT_NE(failure({circle}).find("4000"), std::string::npos);
}

}  // namespace
}  // namespace stiction::sdformat
