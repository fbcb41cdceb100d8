// Equality constraints: conditions on the configuration that hold exactly, in every step, unless one asks for
// softness.
//
//   FrameLock          frames F on body A and G on body B: which of their six relative motions are locked.
//   All
//                      six are a weld, the three translations a ball joint (MJCF connect), five a hinge or
//                      slide that closes a loop.
//   JointPolynomial    y − y₀ = Σ cᵢ (x − x₀)ⁱ of two scalar joints (MJCF joint, URDF mimic), or, without a
//                      second joint, y − y₀ = c₀
//   TendonPolynomial   the same of two tendons' lengths, from their lengths at q0
//   PointDistance      two points fixed to bodies keep their distance
//
// Each is one bilateral row per locked motion. Rows may depend on one another, as those of a planar loop do:
// reactions then are those of least norm. Rheonomic conditions: Input::equality_target moves the right-hand
// side (of JointPolynomial, TendonPolynomial and PointDistance), and a body locked to a mocap body follows
// its pose.
//
// References: V. Tsounis, R. Grandia, M. Bächer, 2025, §III (joints as rows).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>

#include "stiction/model/body.h"
#include "stiction/model/softness.h"

namespace stiction {

// Rotations are about, and translations along, the axes of F. With one rotation free, it is that axis that
// stays parallel in F and G; with two, they are an axis of F and one of G (the lower of the two is F's),
// which stay at a right angle, as in a universal joint.
struct FrameLock {
  Frame a{};                                                          // F on A; its name does not count
  Frame b{};                                                          // G on B
  std::array<bool, 6> locked = {true, true, true, true, true, true};  // rotation x y z, translation x y z
};

struct JointPolynomial {
  int joint = -1;     // y: of one coordinate
  int of_joint = -1;  // x: of one coordinate; -1: none
  std::array<double, 5> coefficients = {0.0, 1.0, 0.0, 0.0, 0.0};
  double reference = 0.0;     // y₀ [m or rad]
  double of_reference = 0.0;  // x₀ [m or rad]
};

struct TendonPolynomial {
  int tendon = -1;
  int of_tendon = -1;  // -1: none
  std::array<double, 5> coefficients = {0.0, 1.0, 0.0, 0.0, 0.0};
};

struct PointDistance {
  Frame a{}, b{};
  double distance = 0.0;  // > 0 [m]
};

using EqualityKind = std::variant<FrameLock, JointPolynomial, TendonPolynomial, PointDistance>;

struct Equality {
  std::string name{};
  EqualityKind kind = FrameLock{};
  bool is_active = true;  // in the file; one that is not has no effect
  // None: exact, and closed to round-off. Else it gives way like a spring and damper; its rows are no part of
  // StepReport::loop.
  std::optional<Softness> softness{};

  // Filled by ModelBuilder.
  int first_row = -1;  // in State::equality_impulses
  int num_rows = 0;
};

// Whether it acts and holds exactly.
inline bool IsExact(const Equality& equality) {
  return equality.is_active && !equality.softness;
}

// Rows of a kind: one per locked motion.
int NumRows(const EqualityKind& kind);

}  // namespace stiction
