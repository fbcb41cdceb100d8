#include "stiction/dynamics/tendon.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <numbers>

#include "tests/dynamics/moving_model.h"

namespace stiction::testing {
namespace {

using Site = SpatialTendon::Site;
using Wrap = SpatialTendon::Wrap;
using Pulley = SpatialTendon::Pulley;
constexpr double kPi = std::numbers::pi;

// A model with tendons, and what they are at its configuration.
struct TendonModel {
  MovingModel moving;
  TendonWorkspace ws;

  TendonModel(const MovingModel& model, std::vector<Tendon> tendons) : moving(model) {
    moving.model.tendons = std::move(tendons);
    ws.Resize(moving.model);
    Update();
  }
  void Update() {
    moving.Update();
    CalcTendons(moving.model, moving.kin, moving.q, ws);
  }
  VectorXd DenseRow(int tendon) const {
    VectorXd row = VectorXd::Zero(moving.model.nv());
    AddTendonForce(ws, tendon, 1.0, row);
    return row;
  }
};

// One body that can move along x, y and z, its origin at the world's at first.
MovingModel MakeSlider() {
  ModelBuilder builder;
  const int body = builder.AddBody({.name = "slider"});
  builder.SetInertia(body, {.mass = 1.0, .I_BBcm_B = Matrix3d::Identity()});
  for (int axis = 0; axis < 3; ++axis)
    builder.AddJoint(body, {.kind = SlideJoint{.axis_B = Vector3d::Unit(axis)}});
  const Model model = builder.Build();
  return {model, model.q0, VectorXd::Zero(3)};
}

Tendon MakeTendon(std::vector<SpatialTendon::Element> path) {
  return {.path = SpatialTendon{std::move(path)}, .rest_range = {}};
}

Wrap MakeWrap(double radius, bool is_cylinder = false, std::optional<Site> side = {}) {
  return {.center = {}, .radius = radius, .is_cylinder = is_cylinder, .side = std::move(side)};
}

// From a point of the world to the slider's origin, which is put to `end`.
TendonModel MakePath(const Vector3d& begin, const Wrap& wrap, const Vector3d& end) {
  TendonModel out(MakeSlider(), {MakeTendon({Site{0, begin}, wrap, Site{1}})});
  out.moving.q = end;
  out.Update();
  return out;
}

TEST(Tendon, BetweenTwoSitesIsStraight) {
  TendonModel model(MakeSlider(), {MakeTendon({Site{0, {1, 0, 0}}, Site{1, {1, 3, 4}}})});
  EXPECT_DOUBLE_EQ(model.ws.length[0], 5.0);
  EXPECT_TRUE(model.DenseRow(0).isApprox(Vector3d(0, 0.6, 0.8), 1e-15));
}

// To the bit: what rounding leaves of a gradient would be a motion that an equality could ask for.
TEST(Tendon, BetweenSitesOfOneRigidBodyDoesNotMove) {
  ModelBuilder builder;
  int bodies[3] = {};
  for (int i = 0; i < 3; ++i) {
    bodies[i] =
        builder.AddBody({.parent = i == 0 ? 0 : bodies[i - 1],
                         .X_PB = {.R = Quaterniond(0.8, 0.3, -0.2, 0.4).normalized().toRotationMatrix(),
                                  .p = Vector3d(0.1, 0.7, -0.3)},
                         .inertia = {.mass = 1.0, .I_BBcm_B = Matrix3d::Identity()}});
    if (i < 2) builder.AddJoint(bodies[i], {.kind = HingeJoint{.axis_B = Vector3d(1, 2, 3).normalized()}});
  }
  const Model model = builder.Build();
  TendonModel tendon({model, Vector2d(0.4, -1.3), VectorXd::Zero(2)},
                     {MakeTendon({Site{bodies[1], {0.3, 0.1, 0.2}}, Site{bodies[2], {-0.4, 0.6, 0.1}}})});
  EXPECT_GT(tendon.ws.length[0], 0.1);
  EXPECT_TRUE(tendon.DenseRow(0).isZero(0.0));
}

TEST(Tendon, OfJointsIsTheirSum) {
  FixedTendon path{{{0, 0.5}, {2, -2.0}, {0, 0.25}}};
  TendonModel model(MakeSlider(), {{.path = path, .rest_range = {}}});
  model.moving.q << 2.0, 7.0, 0.5;
  model.Update();
  EXPECT_DOUBLE_EQ(model.ws.length[0], 0.5);
  EXPECT_EQ(VectorXd(model.DenseRow(0)), VectorXd(Vector3d(0.75, 0.0, -2.0)));
  EXPECT_DOUBLE_EQ(CalcTendonRate(model.ws, 0, Vector3d(1, 10, 1)), -1.25);
}

// Symmetric points at half the distance d and a height h over the centre.
struct Symmetric {
  double d, h, r;
  double l = std::hypot(d, h);
  double tangent = std::sqrt(l * l - r * r);
  double beta = std::acos(r / l);
  double delta = 2.0 * std::atan2(d, h);
  double Short() const { return 2.0 * tangent + r * (delta - 2.0 * beta); }
  double Long() const { return 2.0 * tangent + r * (2.0 * kPi - delta - 2.0 * beta); }
};

TEST(Tendon, AroundASphereIsTwoTangentsAndAnArc) {
  const Symmetric s{.d = 0.8, .h = 0.1, .r = 0.3};
  const TendonModel model = MakePath({-s.d, s.h, 0}, MakeWrap(s.r), {s.d, s.h, 0});
  EXPECT_NEAR(model.ws.length[0], s.Short(), 1e-15);
  EXPECT_GT(model.ws.length[0], 2 * s.d);
  // It pulls along its last tangent, which meets the sphere at a right angle to the radius.
  const VectorXd pull = model.DenseRow(0);
  EXPECT_NEAR(pull.norm(), 1.0, 1e-15);
  const Vector3d touch = Vector3d(s.d, s.h, 0) - s.tangent * pull;
  EXPECT_NEAR(touch.norm(), s.r, 1e-15);
  EXPECT_NEAR(touch.dot(pull), 0.0, 1e-15);
}

TEST(Tendon, BesideAShapeIsStraight) {
  EXPECT_DOUBLE_EQ(MakePath({-1, 0.31, 0}, MakeWrap(0.3), {1, 0.31, 0}).ws.length[0], 2.0);
  // A site inside of the shape.
  EXPECT_DOUBLE_EQ(MakePath({-0.2, 0, 0}, MakeWrap(0.3), {1, 0, 0}).ws.length[0], 1.2);
}

TEST(Tendon, AroundACylinderIsAHelix) {
  const Symmetric s{.d = 0.8, .h = 0.1, .r = 0.3};
  const double climb = 0.7;
  const TendonModel model = MakePath({-s.d, s.h, -0.2}, MakeWrap(s.r, true), {s.d, s.h, -0.2 + climb});
  EXPECT_NEAR(model.ws.length[0], std::hypot(s.Short(), climb), 1e-15);
  // One slope all along.
  EXPECT_NEAR(model.DenseRow(0)[2], climb / model.ws.length[0], 1e-15);
}

TEST(Tendon, SideSiteSelectsTheSide) {
  const Symmetric s{.d = 0.8, .h = 0.1, .r = 0.3}, beside{.d = 0.8, .h = 0.5, .r = 0.3};
  const auto length = [](const Symmetric& at, double side) {
    return MakePath({-at.d, at.h, 0}, MakeWrap(at.r, true, Site{0, {0, side, 0}}), {at.d, at.h, 0})
        .ws.length[0];
  };
  EXPECT_NEAR(length(s, 0.4), s.Short(), 1e-15);
  EXPECT_NEAR(length(s, -0.4), s.Long(), 1e-15);
  EXPECT_NEAR(length(beside, 0.4), 2 * beside.d, 1e-15);
  EXPECT_NEAR(length(beside, -0.4), beside.Long(), 1e-15);
}

TEST(Tendon, WithASideSiteInsideTouchesFromInside) {
  const Site inside{0, {0, 0, 0.1}};
  const double d = 0.8, h = 0.5, r = 0.3;
  const TendonModel model = MakePath({-d, h, 0}, MakeWrap(r, false, inside), {d, h, 0});
  EXPECT_NEAR(model.ws.length[0], 2 * std::hypot(d, h - r), 1e-15);
  // Through the shape it is straight.
  EXPECT_DOUBLE_EQ(MakePath({-d, 0.2, 0}, MakeWrap(r, false, inside), {d, 0.2, 0}).ws.length[0], 2 * d);
}

// Against all points of the surface: none makes the path shorter, and the best of them nearly as short.
TEST(Tendon, TouchingFromInsideIsTheShortestWayThroughTheSphere) {
  Random random(5);
  int num_bent = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const double r = random.Uniform(0.1, 0.4);
    const Vector3d a = random.Vector(1.0), b = random.Vector(1.0);
    if (a.norm() < r || b.norm() < r) continue;
    const double length = MakePath(a, MakeWrap(r, false, Site{0}), b).ws.length[0];
    if (length <= (b - a).norm()) continue;
    ++num_bent;
    double best = std::numeric_limits<double>::infinity();
    constexpr int kCount = 100'000;  // an even spiral over the sphere, points 0.01 r apart
    for (int i = 0; i < kCount; ++i) {
      const double z = 1.0 - (2.0 * i + 1.0) / kCount, angle = i * kPi * (3.0 - std::sqrt(5.0));
      const double w = std::sqrt(1.0 - z * z);
      const Vector3d p = r * Vector3d(w * std::cos(angle), w * std::sin(angle), z);
      best = std::min(best, (p - a).norm() + (b - p).norm());
    }
    EXPECT_LT(length, best + 1e-14);
    EXPECT_GT(length, best - 1e-3 * r);
  }
  EXPECT_GE(num_bent, 5);
}

TEST(Tendon, PulleyDividesTheBranchesBehindIt) {
  const Site a{0, {-1, 0, 0}}, b{1}, c{0, {0, 0, 2}};
  TendonModel model(MakeSlider(), {MakeTendon({a, b, Pulley{2.0}, b, c, Pulley{4.0}, c, a})});
  EXPECT_DOUBLE_EQ(model.ws.length[0], 1.0 + 2.0 / 2.0 + std::sqrt(5.0) / 4.0);
  EXPECT_TRUE(model.DenseRow(0).isApprox(Vector3d(1.0, 0.0, -0.5), 1e-15));
}

// A path over the whole model with wraps of all kinds and a pulley.
Tendon MakeRandomTendon(const Model& model, unsigned seed) {
  Random random(seed + 3000);
  const auto site = [&] { return Site{random.Index(model.num_bodies()), random.Vector(0.6)}; };
  std::vector<SpatialTendon::Element> path{site()};
  for (int i = 0; i < 6; ++i) {
    Wrap wrap{.center = {"", random.Index(model.num_bodies()), random.Pose(0.4)},
              .radius = random.Uniform(0.05, 0.3),
              .is_cylinder = random.Index(2) == 0,
              .side = {}};
    if (random.Index(2) == 0) wrap.side = site();
    if (random.Index(3) == 0) wrap.side = Site{wrap.center.body, wrap.center.X_BF.p};
    if (random.Index(3) > 0) path.emplace_back(wrap);
    path.emplace_back(site());
    if (i == 3) {
      path.emplace_back(Pulley{3.0});
      path.emplace_back(site());
    }
  }
  return MakeTendon(std::move(path));
}

int CountSites(const Tendon& tendon) {
  int count = 0;
  for (const auto& element : std::get<SpatialTendon>(tendon.path).path)
    count += std::holds_alternative<Site>(element);
  return count;
}

TEST(Tendon, JacobianMatchesFiniteDifferences) {
  constexpr double kStep = 1e-5;  // truncation and rounding balance
  double worst = 0.0;
  int num_bent = 0, num_trees = 0;
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MovingModel::MakeRandom(seed);
    TendonModel model(moving, {MakeRandomTendon(moving.model, seed)});
    const VectorXd q = model.moving.q, row = model.DenseRow(0);
    for (int k = 0; k < moving.model.nv(); ++k) {
      const auto length_at = [&](double step) {
        model.moving.q = q;
        IntegrateConfiguration(moving.model, VectorXd::Unit(moving.model.nv(), k), step, model.moving.q);
        model.Update();
        return model.ws.length[0];
      };
      const double slope = (length_at(kStep) - length_at(-kStep)) / (2 * kStep);
      worst = std::max(worst, std::abs(row[k] - slope) / std::max(1.0, row.cwiseAbs().maxCoeff()));
    }
    num_trees += static_cast<int>(model.ws.blocks.size());
    TendonSegments segments;
    AppendTendonPath(model.moving.model.tendons[0], model.moving.kin.X_WB, segments);
    num_bent += static_cast<int>(segments.size()) > CountSites(model.moving.model.tendons[0]) - 2;
  }
  EXPECT_LT(worst, 1e-8);
  EXPECT_GT(num_bent, kNumSeeds / 2);
  EXPECT_GT(num_trees, kNumSeeds);  // paths between trees
}

// What ContactProblem::AddBlock asks for.
TEST(Tendon, BlocksAreClosedTowardsTheRoot) {
  for (int seed = 0; seed < kNumSeeds; ++seed) {
    const MovingModel moving = MovingModel::MakeRandom(seed);
    const Model& model = moving.model;
    const TendonModel tendons(moving, {MakeRandomTendon(model, seed),
                                       MakeRandomTendon(model, seed + 1),
                                       {.path = FixedTendon{}, .rest_range = {}}});
    const TendonWorkspace& ws = tendons.ws;
    ASSERT_EQ(ws.first_block.size(), 4u);
    EXPECT_EQ(ws.first_block[3], ws.first_block[2]);
    int next = 0;
    for (std::size_t i = 0; i < ws.blocks.size(); ++i) {
      const auto& block = ws.blocks[i];
      EXPECT_EQ(block.first, next);
      next += block.num_dofs;
      std::vector<bool> has(model.nv(), false);
      for (int k = block.first; k < next; ++k) {
        const int dof = ws.dofs[k], parent = model.dof_parent[dof];
        EXPECT_EQ(model.dof_tree[dof], block.tree);
        EXPECT_TRUE(parent < 0 || has[parent]);
        EXPECT_TRUE(k == block.first || ws.dofs[k - 1] < dof);
        has[dof] = true;
      }
    }
    EXPECT_EQ(next, static_cast<int>(ws.values.size()));
  }
}

// The trapezoid of the gradient is the change of length to second order of the step, also where the gradient
// bends; a jump of it would leave an error of first order.
void ExpectSmooth(const Vector3d& begin, const Wrap& wrap, const Vector3d& from, const Vector3d& to) {
  TendonModel model = MakePath(begin, wrap, from);
  constexpr int kCount = 2000;
  const Vector3d step = (to - from) / kCount;
  double longest = 0.0, shortest = 1e9;
  for (int i = 0; i < kCount; ++i) {
    const double length = model.ws.length[0], slope = step.dot(model.DenseRow(0));
    model.moving.q += step;
    model.Update();
    const double mean_slope = 0.5 * (slope + step.dot(model.DenseRow(0)));
    ASSERT_NEAR(model.ws.length[0] - length, mean_slope, 20.0 * step.squaredNorm()) << "at step " << i;
    const double bend = model.ws.length[0] - (model.moving.q - begin).norm();
    longest = std::max(longest, bend), shortest = std::min(shortest, bend);
  }
  EXPECT_GT(longest, 1e-3);  // it was bent
  EXPECT_NEAR(shortest, 0.0, 1e-12);
}

TEST(Tendon, LengthAndGradientAreContinuousWhereAPathBeginsToBend) {
  const Vector3d begin(-1, 0.1, 0.2), from(0.9, -0.9, 0.1), to(0.9, 0.9, -0.3), flat(1, 1, 0);
  ExpectSmooth(begin, MakeWrap(0.3), begin + Vector3d(0.3, 0.9, 0.0), Vector3d(0.9, 0.0, 0.0));
  ExpectSmooth(begin, MakeWrap(0.3, true), begin + Vector3d(0.3, 0.9, 0.0), Vector3d(0.9, 0.0, 0.0));
  // From one side to the other, led around one of them.
  const Site outside{0, {0, 0.35, 0}}, inside{0, {0, 0.1, 0}};
  ExpectSmooth(begin, MakeWrap(0.3, true, outside), from, to);
  ExpectSmooth(begin.cwiseProduct(flat), MakeWrap(0.3, false, outside), from.cwiseProduct(flat),
               to.cwiseProduct(flat));
  ExpectSmooth(begin, MakeWrap(0.3, true, inside), from, to);
  ExpectSmooth(begin, MakeWrap(0.3, false, inside), from, to);
}

// Points on the surface, on the axis, in line with the centre, or the same: nothing is divided by zero, and
// no path is shorter than the straight line or pulls harder than 1.
TEST(Tendon, DegeneratePlacesAreHarmless) {
  const double places[] = {-1.0, -0.5, 0.0, 1e-13, 0.5};
  std::vector<Vector3d> points;
  for (double x : places)
    for (double y : places)
      for (double z : places) points.emplace_back(x, y, z);
  std::vector<Wrap> wraps{MakeWrap(0.5)};
  for (const Vector3d& side : {Vector3d(0, 0, 0), Vector3d(0, 0.5, 0), Vector3d(0, 0, -1)})
    wraps.push_back(MakeWrap(0.5, false, Site{0, side}));
  for (int i = 0; i < 4; ++i) {
    wraps.push_back(wraps[i]);
    wraps.back().is_cylinder = true;
  }
  for (const Wrap& wrap : wraps) {
    for (const Vector3d& begin : points) {
      TendonModel model = MakePath(begin, wrap, begin);
      for (const Vector3d& end : points) {
        model.moving.q = end;
        std::feclearexcept(FE_ALL_EXCEPT);
        model.Update();
        ASSERT_EQ(std::fetestexcept(FE_INVALID | FE_DIVBYZERO), 0);
        ASSERT_GE(model.ws.length[0], (end - begin).norm() - 1e-14);
        ASSERT_LE(model.DenseRow(0).norm(), 1.0 + 1e-14);
      }
    }
  }
}

TEST(Tendon, PathIsDrawnAsLongAsItIs) {
  const TendonModel model = MakePath({-0.8, 0.1, -0.2}, MakeWrap(0.3, true), {0.8, 0.1, 0.5});
  TendonSegments segments;
  AppendTendonPath(model.moving.model.tendons[0], model.moving.kin.X_WB, segments);
  double length = 0.0;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    length += (segments[i].second - segments[i].first).norm();
    if (i > 0) {
      EXPECT_EQ(segments[i].first, segments[i - 1].second);
    }
  }
  EXPECT_LT(length, model.ws.length[0]);
  EXPECT_NEAR(length, model.ws.length[0], 1e-3);  // chords of at most 10 degrees
}

TEST(Tendon, SpringIsSlackWithinItsRestRange) {
  Tendon tendon = MakeTendon({Site{0, {-1, 0, 0}}, Site{1}});
  tendon.stiffness = 100.0, tendon.damping = 3.0;
  Tendon ranged = tendon;
  ranged.rest_range = {1.5, 2.0};
  TendonModel model(MakeSlider(), {tendon, ranged});
  EXPECT_EQ(model.ws.rest_lower[0], 1.0);  // where the joints' springs rest: here q0
  EXPECT_EQ(model.ws.rest_upper[0], 1.0);
  TendonForces forces;
  const auto check = [&](double length, double force, double ranged_force, double ranged_stiffness) {
    model.moving.q[0] = length - 1.0;
    model.Update();
    CalcTendonForces(model.moving.model, model.ws, Vector3d(0.5, 1, 1), forces);
    EXPECT_DOUBLE_EQ(forces.force[0], force - 1.5);
    EXPECT_DOUBLE_EQ(forces.force[1], ranged_force - 1.5);
    EXPECT_EQ(forces.stiffness[1], ranged_stiffness);
    EXPECT_EQ(forces.damping[1], 3.0);
  };
  check(1.25, -25.0, 25.0, 100.0);
  check(1.75, -75.0, 0.0, 0.0);
  check(2.5, -150.0, -50.0, 100.0);
  EXPECT_DOUBLE_EQ(CalcTendonEnergy(model.moving.model, model.ws), 50.0 * (1.5 * 1.5 + 0.5 * 0.5));
}

// As in MuJoCo, whose qpos_spring is neither the first configuration nor the one in which all is 0.
TEST(Tendon, RestsWhereTheSpringsOfTheJointsRest) {
  ModelBuilder builder;
  const int body = builder.AddBody({.name = "slider"});
  builder.SetInertia(body, {.mass = 1.0, .I_BBcm_B = Matrix3d::Identity()});
  builder.AddJoint(
      body, {.kind = SlideJoint{.axis_B = Vector3d::UnitX(), .reference = 0.25}, .spring_reference = 4.0});
  const Model built = builder.Build();
  Tendon spatial = MakeTendon({Site{0, {-1, 0, 0}}, Site{1}});
  const Tendon fixed{.path = FixedTendon{{{0, 2.0}}}};
  const TendonModel model({built, built.q0, VectorXd::Zero(1)}, {spatial, fixed});
  EXPECT_EQ(model.ws.length0[0], 1.0);
  EXPECT_DOUBLE_EQ(model.ws.rest_lower[0], 4.75);
  EXPECT_DOUBLE_EQ(model.ws.rest_upper[0], 4.75);
  EXPECT_EQ(model.ws.length0[1], 0.5);
  EXPECT_EQ(model.ws.rest_lower[1], 8.0);
}

// Force and slope are the derivatives of the energy and the force.
TEST(Tendon, SpringForceIsTheSlopeOfItsEnergy) {
  const MovingModel moving = MovingModel::MakeRandom(4);
  std::vector<Tendon> tendons{MakeRandomTendon(moving.model, 4), MakeRandomTendon(moving.model, 5)};
  tendons[0].stiffness = 30.0, tendons[1].stiffness = 20.0;
  TendonModel model(moving, tendons);
  const VectorXd v = model.moving.v;
  TendonForces forces;
  CalcTendonForces(model.moving.model, model.ws, VectorXd::Zero(v.size()), forces);
  VectorXd tau = VectorXd::Zero(v.size());
  for (int t = 0; t < 2; ++t) AddTendonForce(model.ws, t, forces.force[t], tau);
  const auto energy_at = [&](double step) {
    TendonModel moved = model;
    IntegrateConfiguration(model.moving.model, v, step, moved.moving.q);
    moved.Update();
    return CalcTendonEnergy(moved.moving.model, moved.ws);
  };
  const double power = -(energy_at(1e-5) - energy_at(-1e-5)) / 2e-5;
  EXPECT_GT(std::abs(power), 0.1);
  EXPECT_NEAR(tau.dot(v), power, 1e-7 * std::abs(power));
}

}  // namespace
}  // namespace stiction::testing
