// A shape attached to a body, with what contact needs to know about it.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "stiction/geometry/shape.h"
#include "stiction/model/color.h"
#include "stiction/model/contact_law.h"
#include "stiction/model/hydroelastic.h"
#include "stiction/model/material.h"

namespace stiction {

// A geom that a fluid (Options) drags at as if it were an ellipsoid, in place of its body's inertia box; of
// spheres, capsules, ellipsoids, cylinders and boxes. Coefficients as MJCF's fluidcoef has them.
struct FluidEllipsoid {
  double blunt = 0.5;     // drag on the area that the flow sees
  double slender = 0.25;  // and on what of the largest one it does not
  double angular = 1.5;
  double kutta = 1.0;   // lift of a shape that leans against the flow
  double magnus = 1.0;  // lift of a shape that spins

  // Filled by ModelBuilder. Per unit of density: what of the fluid moves along [m³, m⁵].
  Vector3d radii = Vector3d::Zero();  // semi-axes [m]
  Vector3d virtual_mass = Vector3d::Zero();
  Vector3d virtual_moment = Vector3d::Zero();
};

struct Geom {
  std::string name{};
  int body = 0;
  Shape shape = Sphere{0.0};
  RigidTransform X_BG{};
  double friction = 1.0;              // sliding friction coefficient μ
  double torsional_friction = 0.005;  // from condim 4 on [m]
  double rolling_friction = 0.0001;   // condim 6 [m]
  int condim = 3;                     // 1: frictionless; 3: sliding; 4: torsional too; 6: rolling too
  int priority = 0;                   // the higher one's friction, condim and softness win
  double restitution = 0.0;           // in [0, 1]; of rigid contacts
  Softness softness{};                // of ContactModel::kSoft
  double softness_weight = 1.0;       // its share in a pair's, ≥ 0
  // Of ContactModel::kCompliant, with the gap φ: f_n = max(0, −k (φ + τ_d φ̇)). Infinite: rigid.
  double stiffness = std::numeric_limits<double>::infinity();  // k [N/m]
  double dissipation_time = 0.0;                               // τ_d [s]
  Hydroelastic hydroelastic{};  // of patches of pressure, whatever the contact model
  double margin = 0.0;          // distance below which a contact is formed [m]
  double gap = 0.0;             // part of the margin in which a contact carries no force [m]
  std::uint32_t contype = 1;    // pair collides if (a.contype & b.conaffinity) | (b.contype & a.conaffinity)
  std::uint32_t conaffinity = 1;
  std::optional<FluidEllipsoid> fluid{};  // none: its body's inertia box counts, unless another geom has one
  std::optional<Color> color{};           // none: for who draws it to choose
  SharedMaterial material{};              // its own colour is left out of account where `color` is given
  bool is_seen = true;  // false: it is there to collide, not to show what the body looks like
  int group = 0;        // in [0, 5]: for who draws it to hide or show together
  // Of a plane: half lengths along x and y of what is drawn of it; 0: as far as one sees [m].
  std::array<double, 2> seen_half_size{0.0, 0.0};
  bool collides() const { return contype != 0 || conaffinity != 0; }
};

}  // namespace stiction
