#include "stiction/collision/broadphase.h"

#include "stiction/model/model_builder.h"
#include "tests/collision/narrowphase_checks.h"

namespace stiction::test {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

Shape RandomShape(Random& random) {
  const auto length = [&] { return Uniform(random, 0.05, 0.3); };
  switch (std::uniform_int_distribution<int>(0, 5)(random)) {
    case 0:
      return Sphere{length()};
    case 1:
      return Capsule{length(), length()};
    case 2:
      return Ellipsoid{{length(), length(), length()}};
    case 3:
      return Cylinder{length(), length()};
    default:
      return Box{{length(), length(), length()}};
  }
}

bool Coin(Random& random, double chance) {
  return Uniform(random, 0, 1) < chance;
}

// Bodies of every relation: static, mocap, free, children on hinges, welded children; with masks, exclusions
// and planes.
Model MakeModel(Random& random, int num_bodies) {
  ModelBuilder builder("clutter");
  builder.options().filter_parent = Coin(random, 0.7);
  std::vector<int> bodies = {0}, geoms;
  for (int k = 0; k < num_bodies; ++k) {
    const bool is_child = Coin(random, 0.4);
    const int parent =
        is_child ? bodies[std::uniform_int_distribution<std::size_t>(0, bodies.size() - 1)(random)] : 0;
    const bool is_free = !is_child && Coin(random, 0.8),
               is_mocap = !is_child && !is_free && Coin(random, 0.5);
    const int body =
        builder.AddBody({.name = "b" + std::to_string(k), .parent = parent, .is_mocap = is_mocap});
    if (!is_child) {
      if (is_free) builder.AddJoint(body, {.name = "free" + std::to_string(k), .kind = FreeJoint{}});
    } else if (Coin(random, 0.7)) {
      builder.AddJoint(body, {.name = "hinge" + std::to_string(k), .kind = HingeJoint{}});
    }
    bodies.push_back(body);
  }
  for (const int body : bodies) {
    const int num_geoms = body == 0 ? 3 : 1 + Coin(random, 0.3);
    for (int k = 0; k < num_geoms; ++k) {
      Geom geom{.name = "", .body = body, .shape = RandomShape(random)};
      if (body == 0 && k > 0) geom.shape = Plane{};
      if (Coin(random, 0.2)) geom.contype = 2;
      if (Coin(random, 0.2)) geom.conaffinity = 3;
      if (Coin(random, 0.05)) geom.contype = geom.conaffinity = 0;
      geoms.push_back(builder.AddGeom(geom, {.mass = {}, .density = 1000.0}));
    }
  }
  const auto choose = [&](const std::vector<int>& from) {
    return from[std::uniform_int_distribution<std::size_t>(0, from.size() - 1)(random)];
  };
  for (int k = 0; k < num_bodies / 2; ++k) {
    if (const int a = choose(bodies), b = choose(bodies); a != b) builder.ExcludeBodies(a, b);
    if (const int a = choose(geoms), b = choose(geoms); a != b) builder.ExcludeGeoms(a, b);
  }
  return builder.Build();
}

bool BoxesOverlap(const Shape& a, const RigidTransform& X_WA, double inflation_a, const Shape& b,
                  const RigidTransform& X_WB, double inflation_b) {
  const Vector3d h_B = CalcBoundingHalfExtents(b, X_WB.R).array() + inflation_b;
  if (std::holds_alternative<Plane>(a)) {
    const Vector3d n_W = X_WA.R.col(2);
    const double lowest = n_W.dot(X_WB.p - X_WA.p) - (h_B.array() - inflation_b).matrix().dot(n_W.cwiseAbs());
    return lowest <= inflation_a + inflation_b;
  }
  if (std::holds_alternative<Plane>(b)) return BoxesOverlap(b, X_WB, inflation_b, a, X_WA, inflation_a);
  const Vector3d h_A = CalcBoundingHalfExtents(a, X_WA.R).array() + inflation_a;
  return ((X_WB.p - X_WA.p).cwiseAbs().array() <= (h_A + h_B).array()).all();
}

Pairs FindByBruteForce(const Model& model, const std::vector<RigidTransform>& X_WG,
                       const std::vector<double>& inflation) {
  Pairs pairs;
  for (int a = 0; a < model.num_geoms(); ++a) {
    for (int b = a + 1; b < model.num_geoms(); ++b) {
      const Shape &shape_a = model.geoms[a].shape, &shape_b = model.geoms[b].shape;
      if (model.PairCollides(a, b) &&
          BoxesOverlap(shape_a, X_WG[a], inflation[a], shape_b, X_WG[b], inflation[b])) {
        pairs.emplace_back(a, b);
      }
    }
  }
  return pairs;
}

TEST(Broadphase, FindsTheSamePairsAsBruteForce) {
  Random random(1);
  std::size_t num_pairs = 0;
  for (const int num_bodies : {0, 1, 5, 40, 150}) {
    for (int scene = 0; scene < 5; ++scene) {
      const Model model = MakeModel(random, num_bodies);
      Broadphase broadphase(model);
      std::vector<RigidTransform> X_WG(model.num_geoms());
      std::vector<double> inflation(model.num_geoms());
      // Several steps, some with long jumps: the tree must follow.
      for (int step = 0; step < 10; ++step) {
        for (int g = 0; g < model.num_geoms(); ++g) {
          X_WG[g] = step % 3 == 0
                        ? RandomPose(random, 1.0)
                        : Displaced(X_WG[g], UniformVector(random, 0.1), UniformVector(random, 0.1));
          inflation[g] = Uniform(random, 0.0, 0.05);
        }
        const Pairs expected = FindByBruteForce(model, X_WG, inflation);
        ASSERT_EQ(broadphase.FindPairs(model, X_WG, inflation), expected);
        num_pairs += expected.size();
      }
    }
  }
  EXPECT_GT(num_pairs, 10000u);
}

// Geoms creep, run off and stop, so that what is remembered of the last calls is right at times and wrong at
// others; some stand still.
TEST(Broadphase, MemoryDoesNotShow) {
  Random random(5);
  std::size_t num_pairs = 0;
  for (int scene = 0; scene < 6; ++scene) {
    const Model model = MakeModel(random, 50);
    Broadphase broadphase(model);
    std::vector<RigidTransform> X_WG(model.num_geoms());
    for (RigidTransform& X : X_WG) X = RandomPose(random, 1.0);
    std::vector<double> speed(model.num_geoms(), 0.0), inflation(model.num_geoms());
    std::vector<char> stirs(model.num_geoms(), 1);
    for (int step = 0; step < 150; ++step) {
      for (int g = 0; g < model.num_geoms(); ++g) {
        if (Coin(random, 0.05)) speed[g] = std::pow(10.0, Uniform(random, -6.0, -1.0));
        if (Coin(random, 0.02)) stirs[g] = !stirs[g];
        if (stirs[g])
          X_WG[g] = Displaced(X_WG[g], UniformVector(random, speed[g]), UniformVector(random, speed[g]));
        inflation[g] = 1e-3 + speed[g];
      }
      Pairs expected;
      for (const auto& [a, b] : FindByBruteForce(model, X_WG, inflation))
        if (stirs[a] || stirs[b]) expected.emplace_back(a, b);
      const Pairs& pairs = broadphase.FindPairs(model, X_WG, inflation, stirs, true);
      ASSERT_EQ(pairs, expected) << "scene " << scene << ", step " << step;
      num_pairs += expected.size();
    }
  }
  EXPECT_GT(num_pairs, 10000u);
}

// Geoms begin and cease to stir; those that do not are found where they were when they last did.
TEST(Broadphase, PairsThatStandStillAreLeftOut) {
  Random random(3);
  std::size_t num_pairs = 0, num_left_out = 0;
  for (int scene = 0; scene < 10; ++scene) {
    const Model model = MakeModel(random, 60);
    Broadphase broadphase(model);
    const std::vector<double> inflation(model.num_geoms(), 0.02);
    std::vector<RigidTransform> X_WG(model.num_geoms());
    for (RigidTransform& X : X_WG) X = RandomPose(random, 1.0);
    std::vector<char> stirs(model.num_geoms(), 1);
    for (int step = 0; step < 20; ++step) {
      const bool still_moved = step % 7 == 6;
      for (int g = 0; g < model.num_geoms(); ++g) {
        if (Coin(random, 0.2)) stirs[g] = !stirs[g];
        if (stirs[g] || still_moved) X_WG[g] = RandomPose(random, 1.0);
      }
      Pairs expected;
      for (const auto& [a, b] : FindByBruteForce(model, X_WG, inflation)) {
        if (stirs[a] || stirs[b])
          expected.emplace_back(a, b);
        else
          ++num_left_out;
      }
      ASSERT_EQ(broadphase.FindPairs(model, X_WG, inflation, stirs, still_moved), expected);
      num_pairs += expected.size();
    }
  }
  EXPECT_GT(num_pairs, 10000u);
  EXPECT_GT(num_left_out, 1000u);
}

TEST(Broadphase, ContactsAreNeverMissed) {
  Random random(2);
  const Model model = MakeModel(random, 60);
  Broadphase broadphase(model);
  std::vector<RigidTransform> X_WG(model.num_geoms());
  const double margin = 0.02;
  const std::vector<double> inflation(model.num_geoms(), 0.5 * margin);
  for (RigidTransform& X : X_WG) X = RandomPose(random, 1.0);
  const Pairs& pairs = broadphase.FindPairs(model, X_WG, inflation);
  for (int a = 0; a < model.num_geoms(); ++a) {
    for (int b = a + 1; b < model.num_geoms(); ++b) {
      if (!model.PairCollides(a, b) || std::binary_search(pairs.begin(), pairs.end(), std::make_pair(a, b)))
        continue;
      EXPECT_EQ(Collide(model.geoms[a].shape, X_WG[a], model.geoms[b].shape, X_WG[b], margin).num_points, 0);
    }
  }
}

// Speeds that overflow grow the boxes beyond any size.
TEST(Broadphase, BoxesBeyondAnySizePairWithAll) {
  Random random(4);
  const Model model = MakeModel(random, 20);
  std::vector<RigidTransform> X_WG(model.num_geoms());
  for (RigidTransform& X : X_WG) X = RandomPose(random, 1.0);
  Pairs all;
  for (int a = 0; a < model.num_geoms(); ++a) {
    for (int b = a + 1; b < model.num_geoms(); ++b) {
      if (model.PairCollides(a, b)) all.emplace_back(a, b);
    }
  }
  for (const double size :
       {1e100, 1e200, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    SCOPED_TRACE(size);
    Broadphase broadphase(model);
    EXPECT_EQ(broadphase.FindPairs(model, X_WG, std::vector<double>(model.num_geoms(), size)), all);
    EXPECT_LT(broadphase.FindPairs(model, X_WG, std::vector<double>(model.num_geoms(), 0.0)).size(),
              all.size());
  }
}

TEST(Broadphase, ModelWithoutGeomsHasNoPairs) {
  const Model model = ModelBuilder("empty").Build();
  Broadphase broadphase(model);
  EXPECT_TRUE(broadphase.FindPairs(model, {}, {}).empty());
  Broadphase moved = std::move(broadphase);
  EXPECT_TRUE(moved.FindPairs(model, {}, {}).empty());
}

}  // namespace
}  // namespace stiction::test
