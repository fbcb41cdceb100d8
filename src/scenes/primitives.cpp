#include "scenes/primitives.h"

#include <cmath>

namespace stiction {
namespace {

RigidTransform At(double x, double y, double z) {
  return {.p = {x, y, z}};
}

// A box that touches the ground with its own shape.
int AddSolidBox(Mechanism& mechanism, const std::string& name, const RigidTransform& X_WL, double mass,
                const Vector3d& half_extents) {
  const int link = mechanism.AddBox(name, X_WL, mass, half_extents);
  mechanism.AddGeom(link, Box{half_extents}, X_WL);
  return link;
}

// A thin bar with its long side, z, from a to b, at which it leaves room for pins.
int AddBar(Mechanism& mechanism, const std::string& name, const Vector3d& a, const Vector3d& b, double mass,
           double thickness) {
  const double half = 0.5 * (b - a).norm() - 0.6 * thickness;
  return AddSolidBox(mechanism, name, {RotationWithZ((b - a).normalized()), 0.5 * (a + b)}, mass,
                     {0.5 * thickness, 0.5 * thickness, half});
}

}  // namespace

Mechanism MakeBoxOnPlane() {
  Mechanism mechanism;
  AddSolidBox(mechanism, "box", At(0, 0, 0.1), 1.0, Vector3d::Constant(0.1));
  return mechanism;
}

Mechanism MakeWeldedBoxes(double ratio) {
  Mechanism mechanism;
  const int lower = AddSolidBox(mechanism, "lower", At(0, 0, 0.1), 1.0, Vector3d::Constant(0.1));
  const int upper = AddSolidBox(mechanism, "upper", At(0, 0, 0.3), ratio, Vector3d::Constant(0.1));
  mechanism.AddFixed(lower, upper);
  return mechanism;
}

Mechanism MakeNunchuk(double ratio) {
  Mechanism mechanism;
  const double length = 0.5, radius = 0.05;
  const Vector3d half(0.5 * length, radius, radius);
  const double joint = 0.5 * length + radius;
  const int left = AddSolidBox(mechanism, "left", At(-joint, 0, radius), 1.0, half);
  const int ball = mechanism.AddSphere("ball", {0, 0, radius}, 1.0 / ratio, radius);
  mechanism.AddGeom(ball, Sphere{radius}, At(0, 0, radius));
  const int right = AddSolidBox(mechanism, "right", At(joint, 0, radius), 1.0, half);
  mechanism.AddBall(left, ball, {-radius, 0, radius});
  mechanism.AddBall(ball, right, {radius, 0, radius});
  return mechanism;
}

Mechanism MakeFourbar(bool is_held, double ratio) {
  Mechanism mechanism;
  const double thickness = 0.01, length = 0.112;  // between pins that stand 6 mm off the links' ends
  // Aslant: a parallelogram that stands upright would be in balance.
  const Vector3d across(length, 0, 0), up(0.3 * length, 0, std::sqrt(0.91) * length);
  const Vector3d right(0.5 * length, 0, is_held ? 0.2 : 0.5 * thickness);
  const Vector3d pin[4] = {right, right + up, right - across + up, right - across};
  const double root = std::sqrt(ratio);
  const int base = AddBar(mechanism, "base", pin[3], pin[0], 1.0, thickness);
  const int crank = AddBar(mechanism, "crank", pin[0], pin[1], 1.0 / root, thickness);
  const int coupler = AddBar(mechanism, "coupler", pin[1], pin[2], 1.0, thickness);
  const int rocker = AddBar(mechanism, "rocker", pin[2], pin[3], root, thickness);
  if (is_held) mechanism.AddFixed(kWorld, base);
  mechanism.AddHinge(base, crank, pin[0], Vector3d::UnitY());
  mechanism.AddHinge(crank, coupler, pin[1], Vector3d::UnitY());
  mechanism.AddHinge(coupler, rocker, pin[2], Vector3d::UnitY());
  mechanism.AddHinge(rocker, base, pin[3], Vector3d::UnitY());
  return mechanism;
}

Mechanism MakeLadder(int cells, double ratio) {
  Mechanism mechanism;
  const double thickness = 0.01, length = 0.112;
  const Vector3d down(0.3 * length, 0, -std::sqrt(0.91) * length);
  const Vector3d half(0.5 * length, 0, 0);
  const int count = 1 + 3 * cells;
  // From the lightest at the top to 1 kg.
  const auto mass_of = [&](int link) { return std::pow(ratio, (link - count + 1.0) / (count - 1.0)); };
  Vector3d p(0, 0, 0.5 * thickness - cells * down.z());
  int rung = AddBar(mechanism, "rung0", p - half, p + half, mass_of(0), thickness);
  mechanism.AddFixed(kWorld, rung);
  for (int i = 1; i <= cells; ++i) {
    const std::string number = std::to_string(i);
    const int above = rung;
    const Vector3d q = p + down;
    const int left = AddBar(mechanism, "left" + number, p - half, q - half, mass_of(3 * i - 2), thickness);
    const int right = AddBar(mechanism, "right" + number, p + half, q + half, mass_of(3 * i - 1), thickness);
    rung = AddBar(mechanism, "rung" + number, q - half, q + half, mass_of(3 * i), thickness);
    mechanism.AddHinge(above, left, p - half, Vector3d::UnitY());
    mechanism.AddHinge(above, right, p + half, Vector3d::UnitY());
    mechanism.AddHinge(left, rung, q - half, Vector3d::UnitY());
    mechanism.AddHinge(right, rung, q + half, Vector3d::UnitY());
    p = q;
  }
  return mechanism;
}

Mechanism MakeChain(int links, double ratio) {
  Mechanism mechanism;
  const double length = 0.1, radius = 0.03;
  const Vector3d step(0.8 * length, 0, -0.6 * length);
  Vector3d p(0, 0, radius - links * step.z());
  for (int i = 0; i < links; ++i) {
    const double mass = links > 1 ? std::pow(ratio, (i - links + 1.0) / (links - 1.0)) : 1.0;
    const int link = AddBar(mechanism, "link" + std::to_string(i), p, p + step, mass, 0.02);
    mechanism.AddBall(i == 0 ? kWorld : link - 1, link, p);
    p += step;
    if (i == links - 1) mechanism.AddGeom(link, Sphere{radius}, {.p = p});
  }
  return mechanism;
}

}  // namespace stiction
