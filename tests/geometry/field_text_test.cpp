#include "stiction/geometry/field_text.h"

#include <gtest/gtest.h>

#include <numbers>
#include <stdexcept>
#include <string>

#include "tests/support/random_numbers.h"

namespace stiction {
namespace {

using Random = stiction::testing::RandomNumbers;

void ExpectSame(std::string_view text, const DistanceField& field) {
  const DistanceField parsed = ParseDistanceField(text);
  Random random(7);
  for (int i = 0; i < 100; ++i) {
    const Vector3d p = random.Vector3(0.2);
    const FieldSample a = parsed.Evaluate(p), b = field.Evaluate(p);
    EXPECT_EQ(a.value, b.value) << text;
    EXPECT_EQ(a.gradient, b.gradient) << text;
  }
  EXPECT_EQ(parsed.bounds().min(), field.bounds().min()) << text;
  EXPECT_EQ(parsed.bounds().max(), field.bounds().max()) << text;
}

std::string ErrorOf(std::string_view text) {
  try {
    ParseDistanceField(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

void ExpectError(std::string_view text, int character, std::string_view part) {
  const std::string error = ErrorOf(text);
  EXPECT_NE(error.find("character " + std::to_string(character) + ":"), std::string::npos) << text << "\n"
                                                                                           << error;
  EXPECT_NE(error.find(part), std::string::npos) << text << "\n" << error;
}

TEST(FieldText, NamesMakeTheLeavesOfTheirSizes) {
  ExpectSame("sphere(0.1)", MakeSphereField(0.1));
  ExpectSame(" box ( 1e-1,\n.05 , +0.2 ) ", MakeBoxField({0.1, 0.05, 0.2}));
  ExpectSame("capsule(0.1,0.2)", MakeCapsuleField(0.1, 0.2));
  ExpectSame("cylinder(0.1,0.2)", MakeCylinderField(0.1, 0.2));
  ExpectSame("ellipsoid(0.1,0.2,0.3)", MakeEllipsoidField({0.1, 0.2, 0.3}));
  ExpectSame("torus(0.1,0.03)", MakeTorusField(0.1, 0.03));
  ExpectSame("halfspace()", MakeHalfSpaceField());
  ExpectSame("hexagon(0.1,0.03)", MakeHexagonField(0.1, 0.03));
  ExpectSame("dish(0.03, 0.07, 0.05, 0.004)", MakeDishField(0.03, 0.07, 0.05, 0.004));
  ExpectSame("profile(0.004, 0, 0, 0.03, 0, 0.07, 0.05)", MakeDishField(0.03, 0.07, 0.05, 0.004));
  ExpectSame("thread(0.048, 0.005, 0.06)", MakeThreadField(0.048, 0.005, 0.06));
  ExpectSame("nut(0.048, 0.005, 0.038, 0.075, 0.0002)", MakeNutField(0.048, 0.005, 0.038, 0.075, 0.0002));
}

TEST(FieldText, OperationsNest) {
  const DistanceField a = MakeSphereField(0.1), b = MakeBoxField({0.1, 0.02, 0.1}),
                      c = MakeTorusField(0.1, 0.01);
  ExpectSame("union(sphere(0.1), box(0.1,0.02,0.1), torus(0.1,0.01))", Unite(Unite(a, b), c));
  ExpectSame("intersection(sphere(0.1), box(0.1,0.02,0.1))", Intersect(a, b));
  ExpectSame("difference(sphere(0.1), box(0.1,0.02,0.1), torus(0.1,0.01))", Subtract(Subtract(a, b), c));
  ExpectSame("round(0.01, box(0.1,0.02,0.1))", Offset(b, 0.01));
  ExpectSame("shell(0.01, box(0.1,0.02,0.1))", MakeShellField(b, 0.01));
  ExpectSame("scale(2, move(0.1, -0.2, 0.3, torus(0.1,0.01)))",
             Scale(Transform({Matrix3d::Identity(), Vector3d(0.1, -0.2, 0.3)}, c), 2.0));
  const Eigen::AngleAxisd turn(30.0 * std::numbers::pi / 180.0, Vector3d(0.6, 0.0, 0.8));
  ExpectSame("rotate(3, 0, 4, 30, box(0.1,0.02,0.1))",
             Transform({turn.toRotationMatrix(), Vector3d::Zero()}, b));
}

TEST(FieldText, ErrorsNamePositionAndExpectation) {
  ExpectError("", 1, "expected one of sphere box");
  ExpectError("ball(0.1)", 1, "found 'ball'");
  ExpectError("union(sphere(0.1), cube(1))", 20, "difference");
  ExpectError("sphere 0.1", 8, "expected '(' of sphere(r); found '0'");
  ExpectError("sphere(0.1", 11, "expected ')' of sphere(r); found the end");
  ExpectError("sphere(0.1))", 12, "expected the end");
  ExpectError("sphere(1, 2)", 1, "expected sphere(r); found 2 number(s) and 0 field(s)");
  ExpectError("union()", 1, "expected union(f, g, ...)");
  ExpectError("round(sphere(1), 0.1)", 18, "numbers stand before fields");
  ExpectError("sphere(-1)", 1, "radius must be positive and finite, got -1");
  ExpectError("sphere(1e999)", 8, "finite number");
  ExpectError("sphere(.)", 8, "finite number");
  ExpectError("sphere(nan)", 8, "expected one of");
  ExpectError("profile(0.1, 0, 0, 1, 0, 2)", 1, "lacks its second coordinate");
  ExpectError("profile(0.1, 0, 0, 0, 0)", 1, "points differ");
  ExpectError("profile(0.1, -1, 0, 0, 0)", 1, "must be >= 0");
  ExpectError("thread(0.01, 0.009, 1)", 1, "0.46 of the major diameter");
  ExpectError("nut(0.05, 0.005, 0.03, 0.05, 0)", 1, "larger than the hole");
  ExpectError("torus(0.1, 0.2)", 1, "at most the major radius");
  ExpectError("rotate(0, 0, 0, 30, sphere(1))", 1, "axis must not be zero");
  ExpectError("scale(0, sphere(1))", 1, "between 1e-50 and 1e50");
  ExpectError("round(0, sphere(1))", 1, "positive");
  ExpectError("shell(0, sphere(1))", 1, "positive");
}

TEST(FieldText, LengthAndNestingAreBounded) {
  EXPECT_NE(ErrorOf(std::string(70000, ' ')).find("too long"), std::string::npos);
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "round(1,";
  EXPECT_NE(ErrorOf(deep).find("levels of nesting"), std::string::npos);
  // A long union is flat.
  std::string wide = "union(sphere(1)";
  for (int i = 0; i < 1000; ++i) wide += ",sphere(1)";
  EXPECT_EQ(ParseDistanceField(wide + ")").CalcValue(Vector3d(3.0, 0.0, 0.0)), 2.0);
}

}  // namespace
}  // namespace stiction
