// A solid finds the words, or the mesh, that it was made of.
#include "geometry/field_source.h"

#include <gtest/gtest.h>

#include "geometry/sampled_field.h"
#include "stiction/geometry/field_text.h"
#include "tests/support/meshes.h"

namespace stiction {
namespace {

std::string TextOf(const DistanceField& field) {
  const std::optional<FieldSource> source =
      FindFieldSource(*MakeField(field, field.bounds().sizes().maxCoeff() / 12.0).shape.solid);
  return source ? source->text : "";
}

// Every word there is, as it is written and read again.
TEST(FieldSource, FindsTheWordsAgain) {
  for (const char* text :
       {"sphere(0.1)", "box(0.1, 0.2, 0.3)", "capsule(0.1, 0.2)", "cylinder(0.1, 0.2)",
        "ellipsoid(0.1, 0.2, 0.3)", "torus(0.2, 0.05)", "hexagon(0.3, 0.1)",
        "profile(0.01, 0, 0, 0.1, 0, 0.2, 0.1)", "thread(0.048, 0.005, 0.1)",
        "nut(0.048, 0.005, 0.04, 0.075, 0.002)", "union(sphere(0.1), box(0.1, 0.2, 0.3), torus(0.2, 0.05))",
        "intersection(box(1, 1, 1), halfspace())",
        "difference(box(0.1, 0.1, 0.02), move(0, 0, 0.01, cylinder(0.03, 0.05)))",
        "round(0.01, box(0.1, 0.1, 0.1))", "shell(0.01, sphere(0.1))", "scale(2, box(0.1, 0.2, 0.3))",
        "union(union(sphere(0.1), move(1, 0, 0, sphere(0.1))), difference(sphere(0.2), sphere(0.1)))"}) {
    // A union of a union is one of three.
    const std::string once = TextOf(ParseDistanceField(text));
    ASSERT_FALSE(once.empty()) << text;
    EXPECT_EQ(TextOf(ParseDistanceField(once)), once);
    if (std::string(text).find("union(union") == std::string::npos) {
      EXPECT_EQ(once, text);
    }
  }
}

TEST(FieldSource, MakesTheSameSolid) {
  const DistanceField field = ParseDistanceField(
      "rotate(1, 2, 3, 40, union(move(0.1, 0.02, 0.3, box(0.1, 0.2, 0.3)), rotate(0, 0, 1, 90, torus(0.2, "
      "0.05))))");
  const PlacedField placed = MakeField(field, 0.02);
  const std::optional<FieldSource> source = FindFieldSource(*placed.shape.solid);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->p_FG, placed.p_FG);
  EXPECT_EQ(source->mesh, nullptr);
  const PlacedField again = MakeField(ParseDistanceField(source->text), 0.02);
  EXPECT_LT((again.p_FG - placed.p_FG).norm(), 1e-15);
  for (const Vector3d& p : {Vector3d(0.1, 0.2, 0.3), Vector3d(-0.3, 0.01, 0.0), Vector3d(0.0, 0.0, 0.5)}) {
    EXPECT_NEAR(again.shape.solid->field.CalcValue(p), placed.shape.solid->field.CalcValue(p), 1e-15);
  }
  // Once written, rotations do not change any more.
  EXPECT_EQ(FindFieldSource(*again.shape.solid)->text, source->text);
}

TEST(FieldSource, NamesTheMeshThatWasSampled) {
  const TriangleMesh ball = testing::MakeBallMesh(0.1, 10);
  const std::optional<FieldSource> source =
      FindFieldSource(*MakeField(MakeSampledField(ball, 0.02), 0.02).shape.solid);
  ASSERT_TRUE(source);
  ASSERT_NE(source->mesh, nullptr);
  EXPECT_EQ(source->mesh->vertices, ball.vertices);
  EXPECT_EQ(source->sample_spacing, 0.02);
  EXPECT_EQ(source->text, "");
}

TEST(FieldSource, HasNoWordsForSomeSolids) {
  const DistanceField ball = MakeSampledField(testing::MakeBallMesh(0.1, 10), 0.02);
  EXPECT_FALSE(FindFieldSource(*MakeField(Unite(ball, MakeSphereField(0.05)), 0.02).shape.solid));
  EXPECT_FALSE(FindFieldSource(*MakeField(Offset(MakeSphereField(0.1), -0.01), 0.02).shape.solid));
}

}  // namespace
}  // namespace stiction
