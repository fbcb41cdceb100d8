#include "stiction/geometry/field_solid.h"

#include <stdexcept>

#include "geometry/field_mass_properties.h"
#include "geometry/field_surface.h"
#include "geometry/surface_samples.h"

namespace stiction {

namespace {

// Of the surface's radius: the length of patches that are told apart by their normals before they are cut
// further.
constexpr double kTurnLength = 0.3;

}  // namespace

PlacedField MakeField(const DistanceField& field, double spacing) {
  if (spacing == 0.0) spacing = field.bounds().sizes().maxCoeff() / 40.0;
  const PlacedMesh placed = MakeMesh(CalcSurface(field, spacing));
  const RigidTransform X_GF{Matrix3d::Identity(), -placed.p_MG};
  const DistanceField own = Transform(X_GF, field);
  const MeshSurface& surface = *placed.mesh.surface;
  auto samples =
      std::make_shared<const SurfaceSamples>(MakeSurfaceSamples(own, surface, kTurnLength * surface.radius));
  return {
      {std::make_shared<const FieldSolid>(FieldSolid{
          own, placed.mesh, spacing, Transform(X_GF, CalcSolidMassProperties(field)), std::move(samples)})},
      placed.p_MG};
}

}  // namespace stiction
