#include "stiction/collision/contact_tracker.h"

#include <gtest/gtest.h>

#include "stiction/collision/narrowphase.h"
#include "stiction/math/rotation.h"
#include "stiction/model/model_builder.h"

namespace stiction {
namespace {

// A fixed shape with another lying upon it, whose pose the test moves.
struct TrackedPair {
  Model model;
  std::vector<RigidTransform> X_WG;
  Manifold manifold{};
  std::vector<ContactMemory> memory;
  std::vector<TrackedContact> contacts;
  ContactTracker tracker;

  TrackedPair(const Shape& lower, const RigidTransform& X_WA, const Shape& upper, const RigidTransform& X_WB)
      : X_WG{X_WA, X_WB} {
    ModelBuilder builder;
    builder.AddGeom({.shape = lower});
    const int body = builder.AddBody({});
    builder.AddJoint(body, {.kind = FreeJoint{}});
    builder.AddGeom({.body = body, .shape = upper}, {.mass = 1.0});
    model = builder.Build();
    Find();
  }
  // The cube of 20 cm lies on a larger one, faces touching: four points.
  static TrackedPair Boxes() {
    return {Box{Vector3d::Constant(0.5)},
            {Matrix3d::Identity(), {0, 0, -0.5}},
            Box{Vector3d::Constant(0.1)},
            {Matrix3d::Identity(), {0, 0, 0.1}}};
  }

  void Find() {
    manifold.geom_a = 0, manifold.geom_b = 1;
    CalcManifold(model.geoms[0].shape, X_WG[0], model.geoms[1].shape, X_WG[1], 0.002, manifold);
  }
  void Track() {
    ManifoldList manifolds;
    manifolds.Append(manifold);
    tracker.Track(model, X_WG, manifolds, memory, contacts);
  }
  // What the step would store.
  void Remember() {
    std::vector<ContactMemory> next;
    for (const TrackedContact& contact : contacts) {
      ContactMemory m;
      m.geom_a = 0, m.geom_b = 1;
      m.feature = contact.point.feature;
      const Vector3d half = 0.5 * contact.point.gap * contact.point.n_W;
      m.p_A = X_WG[0].Inverse() * Vector3d(contact.point.p_W - half);
      m.p_B = X_WG[1].Inverse() * Vector3d(contact.point.p_W + half);
      m.n_A = X_WG[0].R.transpose() * contact.point.n_W;
      next.push_back(m);
    }
    memory = next;
  }
  void Lose(int point) {
    manifold.points[point] = manifold.points[manifold.num_points - 1];
    --manifold.num_points;
  }
};

TEST(ContactTracker, NewPointsHaveNoPast) {
  TrackedPair pair = TrackedPair::Boxes();
  pair.Track();
  ASSERT_EQ(pair.contacts.size(), 4u);
  for (const TrackedContact& contact : pair.contacts) {
    EXPECT_EQ(contact.memory, -1);
    EXPECT_FALSE(contact.is_same || contact.is_kept);
  }
}

TEST(ContactTracker, MatchesByFeatureWhateverTheOrder) {
  TrackedPair pair = TrackedPair::Boxes();
  pair.Track();
  pair.Remember();
  std::swap(pair.manifold.points[0], pair.manifold.points[3]);
  pair.Track();
  ASSERT_EQ(pair.contacts.size(), 4u);
  for (const TrackedContact& contact : pair.contacts) {
    ASSERT_GE(contact.memory, 0);
    EXPECT_EQ(pair.memory[contact.memory].feature, contact.point.feature);
    EXPECT_TRUE(contact.is_same);
  }
}

TEST(ContactTracker, MatchesRenamedPointsByDistance) {
  TrackedPair pair = TrackedPair::Boxes();
  pair.Track();
  pair.Remember();
  for (ContactMemory& memory : pair.memory) memory.feature += 1000000;  // no name is known any more
  pair.Track();
  for (const TrackedContact& contact : pair.contacts) {
    ASSERT_GE(contact.memory, 0);
    EXPECT_LT((pair.memory[contact.memory].p_A - pair.X_WG[0].Inverse() * contact.point.p_W).norm(), 1e-12);
    EXPECT_TRUE(contact.is_same);
  }
}

TEST(ContactTracker, DistantPartnerWarmStartsWithoutItsSlip) {
  TrackedPair pair = TrackedPair::Boxes();
  pair.Track();
  pair.Remember();
  pair.memory.resize(1);
  pair.memory[0].feature += 1000000;
  const Vector3d away(0.05, 0.05, 0);  // far more than 2 % of the cube, on both bodies
  pair.memory[0].p_A += away;
  pair.memory[0].p_B += away;
  pair.Track();
  int matched = 0;
  for (const TrackedContact& contact : pair.contacts) {
    matched += contact.memory == 0;
    EXPECT_FALSE(contact.is_same);
  }
  EXPECT_EQ(matched, 1);
}

TEST(ContactTracker, KeepsALostPointHoweverLongItIsLost) {
  TrackedPair pair = TrackedPair::Boxes();
  const ManifoldPoint lost = pair.manifold.points[0];
  pair.Track();
  for (int i = 0; i < 100; ++i) {
    pair.Remember();
    pair.Find();
    pair.Lose(0);
    pair.Track();
    ASSERT_EQ(pair.contacts.size(), 4u) << i;
    const TrackedContact& kept = pair.contacts.back();
    ASSERT_TRUE(kept.is_kept && kept.is_same);
    EXPECT_LT((kept.point.p_W - lost.p_W).norm(), 1e-12);
    EXPECT_NEAR(kept.point.gap, lost.gap, 1e-12);
    EXPECT_LT((kept.point.n_W - lost.n_W).norm(), 1e-12);
  }
}

TEST(ContactTracker, LetsGoOfALostPointThatLiftsOrSlides) {
  // The length is the cube's 0.2 m: 1e-4 m of gap and 2e-4 m of drift are allowed.
  for (const Vector3d& motion : {Vector3d(0, 0, 1.5e-4), Vector3d(3e-4, 0, 0)}) {
    for (const double share : {0.5, 1.0}) {
      TrackedPair pair = TrackedPair::Boxes();
      pair.Track();
      pair.Remember();
      pair.X_WG[1].p += share * motion;
      pair.Find();
      pair.Lose(0);
      pair.Track();
      EXPECT_EQ(pair.contacts.size(), share < 1.0 ? 4u : 3u) << motion.transpose() << " times " << share;
    }
  }
}

TEST(ContactTracker, PointBesideAFoundOneIsNotKept) {
  TrackedPair pair = TrackedPair::Boxes();
  pair.Track();
  pair.Remember();
  ContactMemory twin = pair.memory.back();
  twin.feature += 1000000;
  const Vector3d aside(1e-3, 0, 0);  // 0.5 % of the length; 5 % counts as the same place
  twin.p_A += aside;
  twin.p_B += aside;
  pair.memory.push_back(twin);
  pair.Track();
  EXPECT_EQ(pair.contacts.size(), 4u);
}

TEST(ContactTracker, RollingBallHasOnePoint) {
  TrackedPair pair(Box{Vector3d::Constant(0.5)}, {Matrix3d::Identity(), {0, 0, -0.5}}, Sphere{0.1},
                   {Matrix3d::Identity(), {0, 0, 0.1}});
  for (int i = 0; i < 100; ++i) {
    pair.X_WG[1].p.x() = 1e-4 * i;
    pair.X_WG[1].R = Eigen::AngleAxisd(1e-3 * i, Vector3d::UnitY()).toRotationMatrix();
    pair.Find();
    pair.Track();
    ASSERT_EQ(pair.contacts.size(), 1u) << i;
    pair.Remember();
  }
}

TEST(ContactTracker, ForgetsPairsThatParted) {
  TrackedPair pair = TrackedPair::Boxes();
  pair.Track();
  pair.Remember();
  pair.tracker.Track(pair.model, pair.X_WG, {}, pair.memory, pair.contacts);
  EXPECT_TRUE(pair.contacts.empty());
}

}  // namespace
}  // namespace stiction
