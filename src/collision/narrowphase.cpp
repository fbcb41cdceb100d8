#include "stiction/collision/narrowphase.h"

#include <cmath>
#include <type_traits>
#include <variant>

#include "collision/narrowphase/box_box.h"
#include "collision/narrowphase/capsule.h"
#include "collision/narrowphase/cylinder.h"
#include "collision/narrowphase/field.h"
#include "collision/narrowphase/hull.h"
#include "collision/narrowphase/mesh.h"
#include "collision/narrowphase/plane_any.h"
#include "collision/narrowphase/sphere_any.h"
#include "math/contracts.h"

namespace stiction {
namespace {

using PairFunction = void (*)(const Shape& a, const RigidTransform& X_WA, const Shape& b,
                              const RigidTransform& X_WB, double margin, Manifold& out);

template <typename A, typename B>
void CollideAs(const Shape& a, const RigidTransform& X_WA, const Shape& b, const RigidTransform& X_WB,
               double margin, Manifold& out) {
  narrowphase::Collide(*std::get_if<A>(&a), X_WA, *std::get_if<B>(&b), X_WB, margin, out);
}

constexpr std::size_t kNumShapes = std::variant_size_v<Shape>;
struct PairTable {
  PairFunction function[kNumShapes][kNumShapes] = {};
  // The same as function != nullptr, which g++ 12 cannot tell at compile time under sanitizers (GCC bug
  // 71962).
  bool is_there[kNumShapes][kNumShapes] = {};
};

template <typename T, std::size_t index = 0>
constexpr std::size_t IndexOf() {
  if constexpr (std::is_same_v<T, std::variant_alternative_t<index, Shape>>) {
    return index;
  } else {
    return IndexOf<T, index + 1>();
  }
}

template <typename A, typename... Bs>
constexpr void FillRow(PairTable& table) {
  ((table.function[IndexOf<A>()][IndexOf<Bs>()] = &CollideAs<A, Bs>), ...);
  ((table.is_there[IndexOf<A>()][IndexOf<Bs>()] = true), ...);
}

// One row per shape that comes first; two planes, which are infinite, do not collide.
constexpr PairTable MakeTable() {
  PairTable table{};
  FillRow<Plane, Sphere, Capsule, Ellipsoid, Cylinder, Box, Hull, Mesh, Field>(table);
  FillRow<Sphere, Sphere, Capsule, Cylinder, Box, Hull>(table);
  FillRow<Capsule, Capsule, Cylinder, Box, Hull>(table);
  FillRow<Ellipsoid, Sphere, Capsule, Ellipsoid, Cylinder, Box, Hull>(table);
  FillRow<Cylinder, Cylinder, Box, Hull>(table);
  FillRow<Box, Box, Hull>(table);
  FillRow<Hull, Hull>(table);
  FillRow<Mesh, Sphere, Capsule, Ellipsoid, Cylinder, Box, Hull, Mesh>(table);
  FillRow<Field, Sphere, Capsule, Ellipsoid, Cylinder, Box, Hull, Mesh, Field>(table);
  return table;
}
constexpr PairTable kTable = MakeTable();

constexpr bool TableIsComplete() {
  constexpr std::size_t plane = IndexOf<Plane>();
  for (std::size_t a = 0; a < kNumShapes; ++a) {
    for (std::size_t b = 0; b < kNumShapes; ++b) {
      const bool is_there = kTable.is_there[a][b] || kTable.is_there[b][a];
      if (is_there == (a == plane && b == plane)) return false;
    }
  }
  return true;
}
static_assert(TableIsComplete(), "Give the new shape its pairs in MakeTable().");

constexpr double kFarthest = 1e100;  // squares of it, and what shapes make of them, are finite [m]

// Where coordinates are not numbers, or their squares are not, no comparison tells one face from another.
bool IsPlaced(const RigidTransform& X_WA, const RigidTransform& X_WB) {
  return (X_WA.p.array().abs() < kFarthest).all() && (X_WB.p.array().abs() < kFarthest).all() &&
         std::isfinite(X_WA.R.sum() + X_WB.R.sum());
}

}  // namespace

void CalcManifold(const Shape& a, const RigidTransform& X_WA, const Shape& b, const RigidTransform& X_WB,
                  double margin, Manifold& out) {
  STICTION_ASSERT(margin >= 0.0);
  out.num_points = 0;
  if (!IsPlaced(X_WA, X_WB)) return;
  if (const PairFunction collide = kTable.function[a.index()][b.index()]) {
    collide(a, X_WA, b, X_WB, margin, out);
  } else if (const PairFunction reversed = kTable.function[b.index()][a.index()]) {
    reversed(b, X_WB, a, X_WA, margin, out);
    for (int k = 0; k < out.num_points; ++k) out.points[k].n_W = -out.points[k].n_W;
  }
  for (int k = 0; k < out.num_points; ++k) STICTION_ASSERT(IsUnit(out.points[k].n_W));
}

}  // namespace stiction
