// The shapes that `stiction bench collision` times, and where it puts them.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "stiction/geometry/shape.h"
#include "stiction/math/rotation.h"

namespace stiction::runner {

inline constexpr double kBenchMargin = 0.02;  // [m], of shapes of about 0.4 m

using Random = std::mt19937;

double Uniform(Random& random, double lower, double upper);
Quaterniond RandomRotation(Random& random);

struct BenchShape {
  std::string name;
  Shape shape;
  bool is_ground = false;  // meets no other ground
};

// One of each type, those that are given by triangles last: "mesh", a ring; "terrain", a height field that is
// one mesh of 10,000 triangles; "sdf", a dish.
std::vector<BenchShape> MakeBenchShapes();

struct PairPoses {
  RigidTransform X_WA, X_WB;
};

// Random rotations, and gaps spread evenly from somewhat overlapping to the margin. Of surfaces, whose pairs
// cost more, there are fewer poses, and what meets them lies on them.
std::vector<PairPoses> MakePoses(const BenchShape& a, const BenchShape& b);

// Fields that lie in one another, with little play.
struct NestedFields {
  BenchShape a, b;
  double margin;  // [m]
  std::vector<PairPoses> poses;
};
// An M48 nut on its bolt, a bowl in a bowl.
std::vector<NestedFields> MakeNestedFields();

}  // namespace stiction::runner
