// A shape attached to a body, with what contact needs to know about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "stiction/geometry/shape.h"
#include "stiction/model/color.h"

namespace stiction {

struct Geom {
  std::string name{};
  int body = 0;
  Shape shape = Sphere{0.0};
  RigidTransform X_BG{};
  double friction = 1.0;      // sliding friction coefficient μ
  int condim = 3;             // 1: frictionless; 3, 4, 6: friction
  int priority = 0;           // the higher one's friction and condim win
  double restitution = 0.0;   // in [0, 1]
  double margin = 0.0;        // distance below which a contact is formed [m]
  double gap = 0.0;           // part of the margin in which a contact carries no force [m]
  std::uint32_t contype = 1;  // pair collides if (a.contype & b.conaffinity) | (b.contype & a.conaffinity)
  std::uint32_t conaffinity = 1;
  std::optional<Color> color{};  // none: for who draws it to choose
  bool is_seen = true;           // false: it is there to collide, not to show what the body looks like
  bool collides() const { return contype != 0 || conaffinity != 0; }
};

// Friction and condim of a pair by MJCF's rule: the geom with higher priority decides, else element-wise
// maximum. condim 1 gives μ = 0.
double CalcPairFriction(const Geom& a, const Geom& b);

}  // namespace stiction
