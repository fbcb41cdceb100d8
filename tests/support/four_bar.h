// A four-bar linkage, closed by an equality, in reduced and in maximal coordinates.
#pragma once

#include "tests/support/scenes.h"

namespace stiction::testing {

inline constexpr double kLink = 0.1;  // length of a four-bar's links [m]

inline MassProperties LinkInertia() {
  return CalcSolidMassProperties(Box{{0.05, 0.005, 0.005}}, 1.0);
}

// Four equal links, a square at first. In reduced coordinates: base, crank and coupler, rocker, and a pin
// that closes the loop.
inline Model MakeFourBar(bool is_free) {
  ModelBuilder builder("fourbar");
  builder.options().gravity = is_free ? Vector3d::Zero().eval() : Vector3d(0, 0, -kGravity);
  const RigidTransform upright = Turn(-0.5 * kPi, Vector3d::UnitY(), Vector3d(0, 0, 0.5 * kLink));
  const int base = builder.AddBody({.name = "base", .inertia = LinkInertia()});
  if (is_free) builder.AddJoint(base, {.name = "float", .kind = FreeJoint{}});
  const auto add_link = [&](const char* name, int parent, const Vector3d& p, bool stands) {
    const int link = builder.AddBody({.name = name, .parent = parent, .X_PB = {.p = p}});
    builder.SetInertia(link, Transform(stands ? upright : Shift(0.5 * kLink, 0, 0), LinkInertia()));
    builder.AddJoint(link, {.name = name, .kind = HingeJoint{.axis_B = Vector3d::UnitY()}});
    return link;
  };
  const int crank = add_link("crank", base, {-0.5 * kLink, 0, 0}, true);
  const int coupler = add_link("coupler", crank, {0, 0, kLink}, false);
  const int rocker = add_link("rocker", base, {0.5 * kLink, 0, 0}, true);
  FrameLock pin{.a = {.body = coupler, .X_BF = Shift(kLink, 0, 0)},
                .b = {.body = rocker, .X_BF = Shift(0, 0, kLink)}};
  pin.locked = {true, false, true, true, true, true};
  builder.AddEquality({.name = "pin", .kind = pin});
  return builder.Build();
}

// The same with every body free and every joint an equality; the base held by all six.
inline Model MakeMaximalFourBar() {
  ModelBuilder builder("fourbar_maximal");
  builder.options().gravity = {0, 0, -kGravity};
  const auto add_link = [&](const char* name, const RigidTransform& X_WL) {
    const int link = builder.AddBody({.name = name, .X_PB = X_WL, .inertia = LinkInertia()});
    builder.AddJoint(link, {.kind = FreeJoint{}});
    return link;
  };
  const auto upright = [](double x) {
    return Turn(-0.5 * kPi, Vector3d::UnitY(), Vector3d(x, 0, 0.5 * kLink));
  };
  const int base = add_link("base", {});
  const int crank = add_link("crank", upright(-0.5 * kLink));
  const int coupler = add_link("coupler", Shift(0, 0, kLink));
  const int rocker = add_link("rocker", upright(0.5 * kLink));
  builder.AddEquality({.name = "hold", .kind = FrameLock{.a = {.body = 0}, .b = {.body = base}}});
  const auto pin = [&](int a, int b, double x_A, double x_B) {
    FrameLock lock{.a = {.body = a, .X_BF = Shift(x_A, 0, 0)}, .b = {.body = b, .X_BF = Shift(x_B, 0, 0)}};
    lock.locked = {true, false, true, true, true, true};
    builder.AddEquality({.kind = lock});
  };
  const double h = 0.5 * kLink;
  pin(base, crank, -h, -h);
  pin(crank, coupler, h, -h);
  pin(coupler, rocker, h, h);
  pin(base, rocker, h, -h);
  return builder.Build();
}

}  // namespace stiction::testing
