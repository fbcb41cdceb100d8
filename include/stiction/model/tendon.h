// Tendons: a length that depends on the configuration, with what acts along it.
//
//   FixedTendon     L = Σ coefᵢ qᵢ of scalar joints
//   SpatialTendon   the shortest path through sites, around spheres and cylinders; pulleys split it into
//                   branches, each of which counts with 1/divisor
//
//   f = −k max(L − upper rest, 0) + k max(lower rest − L, 0) − b L̇,   τ = (∂L/∂q)ᵀ f
//
// A spring pulls outside of its rest range, within which it is slack. Limits are unilateral rows, the
// friction loss a bounded one; see sim/step.h.
//
// References: MuJoCo's XML reference, "tendon" (names and meaning of the attributes).
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "stiction/model/body.h"
#include "stiction/model/softness.h"

namespace stiction {

struct FixedTendon {
  struct Term {
    int joint = -1;  // of one coordinate
    double coefficient = 0.0;
  };
  std::vector<Term> terms{};
};

struct SpatialTendon {
  // The path goes through a point fixed to a body.
  struct Site {
    int body = 0;
    Vector3d p_B = Vector3d::Zero();
  };
  // It goes around a sphere or an endless cylinder (axis z of the frame), between the sites before and after
  // it, where the straight line would pass through. With a side site it goes around that side; one inside of
  // the shape makes it run through the inside, along the inner surface.
  struct Wrap {
    Frame center{};
    double radius = 0.0;  // > 0 [m]
    bool is_cylinder = false;
    std::optional<Site> side{};
  };
  // Ends a branch; the branches after it count with 1/divisor.
  struct Pulley {
    double divisor = 1.0;  // > 0
  };
  using Element = std::variant<Site, Wrap, Pulley>;
  std::vector<Element> path{};
};

using TendonPath = std::variant<FixedTendon, SpatialTendon>;

struct Tendon {
  std::string name{};
  TendonPath path;
  double stiffness = 0.0;                        // [N/m; fixed: per unit of L]
  double damping = 0.0;                          // [N·s/m]
  std::array<double, 2> stiffness_polynomial{};  // p of f = −s (k + p₀ s + p₁ s²), s the stretch
  std::array<double, 2> damping_polynomial{};    // p of f = −L̇ (b + p₀ |L̇| + p₁ L̇²)
  double armature = 0.0;                         // a of the inertia a Jᵀ J; no wraps then [kg]
  std::optional<Softness> limit_softness{};      // none: limits are exact
  // None: the length with every joint where its spring rests (Joint::spring_reference) [m].
  std::optional<std::pair<double, double>> rest_range{};
  double friction_loss = 0.0;  // [N]
  // Of the sum of the forces of all actuators on it, each of which is scaled alike where it would be beyond
  // [N].
  double actuator_force_lower = -std::numeric_limits<double>::infinity();
  double actuator_force_upper = std::numeric_limits<double>::infinity();
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();  // of L [m]
};

}  // namespace stiction
