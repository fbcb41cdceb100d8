// Solids of distance fields, and how pairs of them may lie, for tests of the search between them.
#pragma once

#include "collision/narrowphase/sample_search.h"
#include "stiction/geometry/field_solid.h"
#include "tests/collision/narrowphase_checks.h"
#include "tests/support/poses.h"

namespace stiction::test {

inline const FieldSolid& BowlSolid() {
  static const PlacedField placed = MakeField(MakeDishField(0.03, 0.07, 0.05, 0.004), 0.004);
  return *placed.shape.solid;
}
inline const FieldSolid& PlateSolid() {
  static const PlacedField placed = MakeField(MakeDishField(0.07, 0.11, 0.015, 0.004), 0.004);
  return *placed.shape.solid;
}
inline const FieldSolid& BlockSolid() {
  static const PlacedField placed =
      MakeField(Subtract(MakeBoxField({0.04, 0.04, 0.02}), MakeCylinderField(0.02, 0.1)), 0.003);
  return *placed.shape.solid;
}
inline const FieldSolid& RingSolid() {
  static const PlacedField placed = MakeField(MakeTorusField(0.05, 0.015), 0.004);
  return *placed.shape.solid;
}
// On its bolt where both frames are one.
inline const FieldSolid& BoltSolid() {
  static const PlacedField placed = MakeField(MakeThreadField(0.048, 0.005, 0.06), 0.0015);
  return *placed.shape.solid;
}
inline const FieldSolid& EggSolid() {
  static const PlacedField placed = MakeField(MakeEllipsoidField({0.03, 0.05, 0.08}), 0.005);
  return *placed.shape.solid;
}
inline const FieldSolid& CanSolid() {
  static const PlacedField placed = MakeField(MakeCylinderField(0.05, 0.04), 0.005);
  return *placed.shape.solid;
}
inline const FieldSolid& BrickSolid() {
  static const PlacedField placed = MakeField(MakeBoxField({0.03, 0.05, 0.08}), 0.005);
  return *placed.shape.solid;
}
inline const FieldSolid& NutSolid() {
  static const PlacedField placed = MakeField(MakeNutField(0.048, 0.005, 0.03, 0.075, 1e-4), 0.0015);
  return *placed.shape.solid;
}

inline double CalcPatch(const FieldSolid& a, const FieldSolid& b) {
  return 0.5 * std::min(a.surface.surface->radius, b.surface.surface->radius);
}

struct SolidPair {
  const FieldSolid *a, *b;
  RigidTransform X_AB;
};
// Near one another, and nuts on their bolts.
inline SolidPair RandomSolids(Random& random, int trial) {
  const FieldSolid* solids[] = {&BowlSolid(), &PlateSolid(), &BlockSolid(), &RingSolid()};
  if (trial % 5 == 4) {
    const RigidTransform X = Displaced({}, UniformVector(random, 2e-3), UniformVector(random, 1e-4));
    return trial % 2 == 0 ? SolidPair{&BoltSolid(), &NutSolid(), X} : SolidPair{&NutSolid(), &BoltSolid(), X};
  }
  return {solids[trial % 4], solids[trial / 4 % 4], RandomPose(random, 0.1)};
}

}  // namespace stiction::test
