#include "stiction/collision/pair_support.h"

#include <gtest/gtest.h>

#include "stiction/model/model_builder.h"

namespace stiction {
namespace {

// Free bodies, one geom each.
Model MakeModel(const std::vector<Shape>& shapes) {
  ModelBuilder builder("shapes");
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    Body body;
    body.name = "b" + std::to_string(i);
    const int index = builder.AddBody(body);
    Joint joint;
    joint.kind = FreeJoint{};
    builder.AddJoint(index, joint);
    Geom geom;
    geom.body = index;
    geom.shape = shapes[i];
    GeomMass mass;
    mass.mass = 1.0;
    builder.AddGeom(geom, mass);
  }
  return builder.Build();
}

TEST(PairSupport, ListsEachPairOfTypesOnceWithItsCount) {
  const Cylinder cylinder{0.1, 0.2};
  const Box box{Vector3d::Constant(0.1)};
  const Model model = MakeModel({box, cylinder, cylinder, Sphere{0.1}});
  const std::vector<UnsupportedPair> found = FindUnsupportedPairs(model);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].count, 1);  // cylinder and cylinder
  EXPECT_EQ(found[1].count, 2);  // cylinder and box
  EXPECT_EQ(
      Describe(model, found[1]),
      "no contact between cylinder and box: 2 pairs, such as geom 1 of body 'b1' and geom 0 of body 'b0'");
}

TEST(PairSupport, SaysNothingOfPairsThatAreFilteredOrSupported) {
  EXPECT_TRUE(FindUnsupportedPairs(MakeModel({Box{Vector3d::Constant(0.1)}, Sphere{0.1}, Capsule{0.1, 0.1}}))
                  .empty());
  Model model = MakeModel({Cylinder{0.1, 0.2}, Cylinder{0.1, 0.2}});
  model.geoms[0].contype = model.geoms[0].conaffinity = 0;
  EXPECT_TRUE(FindUnsupportedPairs(model).empty());
}

}  // namespace
}  // namespace stiction
