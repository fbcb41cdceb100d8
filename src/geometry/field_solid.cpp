#include "stiction/geometry/field_solid.h"

#include <stdexcept>

#include "geometry/field_mass_properties.h"
#include "geometry/field_surface.h"

namespace stiction {

PlacedField MakeField(const DistanceField& field, double spacing) {
  if (spacing == 0.0) spacing = field.bounds().sizes().maxCoeff() / 40.0;
  const PlacedMesh placed = MakeMesh(CalcSurface(field, spacing));
  const RigidTransform X_GF{Matrix3d::Identity(), -placed.p_MG};
  MassProperties solid = Transform(X_GF, CalcSolidMassProperties(field));
  return {{std::make_shared<const FieldSolid>(
              FieldSolid{Transform(X_GF, field), placed.mesh, spacing, std::move(solid)})},
          placed.p_MG};
}

}  // namespace stiction
