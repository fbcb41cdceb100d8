#include "scenes/piles.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/constants.h"
#include "scenes/dice.h"
#include "stiction/geometry/field_text.h"
#include "stiction/math/rotation.h"
#include "stiction/model/model_builder.h"
#include "stiction/scenario/scenario.h"

namespace stiction {
namespace {

const Box kCube{Vector3d::Constant(0.05)};

RigidTransform PoseAt(double x, double y, double z) {
  return {.p = {x, y, z}};
}

Matrix3d RotationAboutZ(double angle) {
  return Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix();
}

// Uniform over all rotations [Shoemake 1992].
Matrix3d RandomRotation(Dice& dice) {
  const double u = dice.Uniform(0.0, 1.0), a = dice.Uniform(0.0, 2.0 * kPi), b = dice.Uniform(0.0, 2.0 * kPi);
  const double r = std::sqrt(1.0 - u), s = std::sqrt(u);
  return Quaterniond(s * std::cos(b), r * std::sin(a), r * std::cos(a), s * std::sin(b)).toRotationMatrix();
}

}  // namespace

void Pile::Add(const Shape& shape, const RigidTransform& X_WB, double mass, const Vector3d& v_W) {
  bodies_.push_back({shape, X_WB, {}, mass, v_W});
}

void Pile::Add(const PlacedField& field, const RigidTransform& X_WF, double mass) {
  bodies_.push_back({field.shape, X_WF, {.p = field.p_FG}, mass, Vector3d::Zero()});
}

void Pile::AddFixed(const Shape& shape, const RigidTransform& X_WG) {
  fixed_.push_back({shape, X_WG});
}

Model Pile::Build(const std::string& name, const SceneParameters& options) const {
  ModelBuilder builder(name);
  builder.options().timestep = timestep_;
  for (const FixedGeom& geom : fixed_) {
    if (options.with_feet) builder.AddGeom({.shape = geom.shape, .X_BG = geom.X_WG, .friction = friction_});
  }
  Keyframe start{.name = kStartKeyframe, .v = VectorXd(6 * bodies_.size())};
  const Vector3d w_W(0.0, 0.0, options.spin), v_W(options.speed, 0.0, 0.0);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const PileBody& body = bodies_[i];
    const std::string body_name = "b" + std::to_string(i);
    const int index = builder.AddBody({.name = body_name, .X_PB = body.X_WB});
    builder.AddJoint(index, {.name = body_name + "-free", .kind = FreeJoint{}});
    builder.AddGeom({.body = index, .shape = body.shape, .X_BG = body.X_BG, .friction = friction_},
                    {.mass = body.mass});
    start.v.segment<3>(6 * i) = body.v_W + v_W + w_W.cross(body.X_WB.p);
    start.v.segment<3>(6 * i + 3) = body.X_WB.R.transpose() * w_W;
  }
  builder.AddKeyframe(start);
  return builder.Build();
}

Pile MakeStack(int count, double ratio) {
  Pile pile(0.005, 0.8);
  pile.AddFixed(Plane{});
  for (int i = 0; i < count; ++i) pile.Add(kCube, PoseAt(0, 0, 0.05 + 0.1 * i), i + 1 < count ? 1.0 : ratio);
  return pile;
}

Pile MakeLayers(int count, double ratio, unsigned seed) {
  Pile pile(0.005, 0.8);
  pile.AddFixed(Plane{});
  Dice dice(seed);
  for (int i = 0; i < count; ++i) {
    const Vector3d cell(i % 5, i / 5 % 5, i / 25);
    const Vector3d askew(dice.Uniform(-0.01, 0.01), dice.Uniform(-0.01, 0.01), 0.0);
    const Vector3d p = Vector3d(-0.26, -0.26, 0.06) + cell.cwiseProduct(Vector3d(0.13, 0.13, 0.11)) + askew;
    const double height = count > 25 ? cell.z() / ((count - 1) / 25) : 0.0;  // 0 to 1
    pile.Add(kCube, {RotationAboutZ(dice.Uniform(-0.05, 0.05)), p}, std::pow(ratio, height));
  }
  return pile;
}

Pile MakeClutter(int count, double ratio, unsigned seed) {
  Pile pile(0.01, 1.0);
  pile.AddFixed(Box{{0.45, 0.45, 0.025}}, PoseAt(0, 0, -0.025));
  for (const double side : {-0.425, 0.425}) {
    pile.AddFixed(Box{{0.025, 0.45, 0.4}}, PoseAt(side, 0, 0.4));
    pile.AddFixed(Box{{0.4, 0.025, 0.4}}, PoseAt(0, side, 0.4));
  }
  Dice dice(seed);
  for (int i = 0; i < count; ++i) {
    const int level = i / 4;
    const double x = (i % 2 == 0 ? -0.15 : 0.15) + dice.Uniform(-0.01, 0.01);
    const double y = (i / 2 % 2 == 0 ? -0.15 : 0.15) + dice.Uniform(-0.01, 0.01);
    const RigidTransform X_WB{RandomRotation(dice), {x, y, 0.1 + 0.18 * level}};
    if (level % 2 == 0)
      pile.Add(Sphere{0.05}, X_WB, 1.0 / ratio);
    else
      pile.Add(kCube, X_WB, 1.0);
  }
  return pile;
}

Pile MakeSphereStack(int count, double ratio) {
  Pile pile(0.01, 0.5);
  pile.AddFixed(Plane{});
  const double mass = 10.0, radius = 1.0;
  for (int i = 0; i < count; ++i)
    pile.Add(Sphere{radius}, PoseAt(0, 0, (2 * i + 1) * radius), i == (count - 1) / 2 ? ratio * mass : mass);
  pile.Add(Sphere{radius}, PoseAt(10, 0, radius), std::max(1.0, 0.1 * ratio) * mass);
  return pile;
}

Pile MakeBrickWall(int count, double ratio) {
  Pile pile(0.02, 0.4);
  pile.AddFixed(Plane{});
  const int columns = static_cast<int>(std::ceil(std::sqrt(count)));
  const int rows = (count + columns - 1) / columns;
  const Vector3d size(3.96, 4.0, 2.0);
  const double mass = 100.0 * size.prod(), radius = 4.0;
  for (int i = 0; i < count; ++i) {
    const int r = i / columns, c = i % columns;
    const Vector3d p(4.0 * (c - columns / 2) + (r % 2) * 2.0, 0.0, (r + 0.5) * size.z());
    pile.Add(Box{0.5 * size}, {.p = p}, mass);
  }
  // Beside a brick in the middle, and clear of the ground in front of a low wall.
  const double height = std::max(radius, (rows / 2 + 0.5) * size.z());
  const Vector3d p(0.0, -0.5 * size.y() - radius, height);
  pile.Add(Sphere{radius}, {.p = p}, ratio * mass, {0.0, 10.0, 0.0});
  return pile;
}

Pile MakeDishes(double ratio) {
  const auto dish = [](const char* text) { return MakeField(ParseDistanceField(text), 0.003); };
  const PlacedField bowl = dish("dish(0.03, 0.07, 0.05, 0.004)");
  Pile pile(0.004, 0.5);
  pile.AddFixed(Plane{});
  pile.Add(bowl, PoseAt(0, 0, 0.004), 0.1);
  pile.Add(bowl, PoseAt(0, 0, 0.01681), 0.1);
  pile.Add(dish("dish(0.07, 0.11, 0.015, 0.004)"), PoseAt(0, 0, 0.0765), 0.1);
  pile.Add(dish("dish(0.05, 0.05, 0.08, 0.005)"), PoseAt(0, 0, 0.09), 0.1 * ratio);
  return pile;
}

Pile MakeNut() {
  const auto field = [](const char* text) { return MakeField(ParseDistanceField(text), 0.0012); };
  const PlacedField bolt = field("thread(0.048, 0.005, 0.1)");
  Pile pile(0.004, 0.02);
  pile.AddFixed(bolt.shape, {.p = bolt.p_FG});
  pile.Add(field("nut(0.048, 0.005, 0.03, 0.075, 0.0001)"), {}, 0.9);
  return pile;
}

}  // namespace stiction
